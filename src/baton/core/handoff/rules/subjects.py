"""What a text is about: its words without the small ones, shortened to stems that survive grammar."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from baton.core.handoff.rules.cues.table import CYRILLIC, LATIN, small_words
from baton.core.handoff.rules.folding import strip_marks

_WORD = re.compile(r"[^\W\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af][\w./-]{2,80}")
_IDEOGRAPHS = re.compile("[\u30a0-\u30ff\u4e00-\u9fff]{2,40}|[\uac00-\ud7af]{2,20}")
_PART = re.compile(r"[^\W\d_]{4,40}")
_NAME = re.compile(r"[./_]|\d|[a-z][A-Z]")
_ENDINGS = frozenset(
    """
    ations ation ings ing ungen ung ments ment ions ion iert ieren ern ers er ami ach ego emu ow ie es ed en em os as ar
    ir re ами ями ого ему ить ать ять ах ях ов ей ом ам ую ые ый ая ое s e a o i а я ы и у ю е о ь y u
    """.split()  # noqa: SIM905
)
_LONGEST_ENDING = max(map(len, _ENDINGS))
_SHORTEST_STEM = 3
_SMALL = """
the and that this with what said about from for you your are was not don't dont never always must only should please
rule rules constraint forget ignore drop now can may anymore any more have has will would when then than into onto use
using instead keep make sure all again earlier before after changed mind apply applies longer test tests run job yet
touch change changes edit modify add added fix fixed write wrote make create created update look check file files code
function method class bug error issue page put get set new old please one each every
until allowed okay fine go ahead want need needs thing things task next let lets let's another works work thanks also
ich das die der und nicht mehr über les des une pas que para con los las mit gilt vergiss regel regle regla regola regra
zasada правило правила больше теперь можешь jetzt kannst darfst wieder peux maintenant puedes ahora puoi adesso pode
agora kunt mag nu mozesz teraz regels reguła 不要 必须 现在 可以 以后 ください すべて
"""


@lru_cache(maxsize=256)
def find_subjects(text: str) -> frozenset[str]:
    """Stems of the telling words; pairs of characters where no spaces part them. Linear."""
    plain = strip_marks(text.lower())
    pairs = frozenset(run[at : at + 2] for run in _IDEOGRAPHS.findall(plain) for at in range(len(run) - 1))
    words = {word.strip("./-") for word in _WORD.findall(plain)}
    words |= {part for word in words if _NAME.search(word) for part in _PART.findall(word)}
    small = _small_words()
    return frozenset(stem(word) for word in words - small if len(word) > 2) | (pairs - small)


@lru_cache(maxsize=256)
def find_names(text: str) -> frozenset[str]:
    """File names, paths, numbers of tickets and names of code: what two messages on one subject share literally."""
    return frozenset(word.strip("./-").lower() for word in _WORD.findall(text) if _NAME.search(word.strip("./-")))


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A word without the longest of the common endings it has; names of code stay whole."""
    if _NAME.search(word):
        return word
    for size in range(min(_LONGEST_ENDING, len(word) - _SHORTEST_STEM), 0, -1):
        if word[-size:] in _ENDINGS:
            return word[:-size]
    return word


@cache
def _small_words() -> frozenset[str]:
    known = (small_words(language) for language in (*LATIN, *CYRILLIC))
    return frozenset(strip_marks(_SMALL).split()).union(*known)
