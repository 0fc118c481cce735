"""Which language a sentence is in, as far as rules need to know: by its letters, then by its small words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from baton.core.handoff.rules.cues.table import CYRILLIC, LATIN, small_words

_LETTERS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile("[\uac00-\ud7af]"), ("ko",)),
    (re.compile("[\u3041-\u3096\u30a1-\u30fa]"), ("ja",)),
    (re.compile("[\u4e00-\u9fff]{2}"), ("zh",)),
    (re.compile("[\u0600-\u06ff]{2}"), ("ar",)),
    (re.compile("[\u0900-\u097f]{2}"), ("hi",)),
    (re.compile("[іїєґ]"), ("uk",)),
    (re.compile("[ыэъ]"), ("ru",)),
    (re.compile("[\u0400-\u04ff]{2}"), CYRILLIC),
)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


@lru_cache(maxsize=512)
def guess_languages(folded: str, among: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The languages a folded text may be in, the likeliest only; `among`, the languages around it, decides a draw."""
    languages = LATIN
    if not folded.isascii():
        languages = next((known for letters, known in _LETTERS if letters.search(folded)), LATIN)
    if len(languages) == 1:
        return languages
    best = _best(languages, _WORD.findall(folded))
    return tuple(each for each in best if each in among) or best


def _best(languages: Sequence[str], words: Iterable[str]) -> tuple[str, ...]:
    index = _index()
    counts = dict.fromkeys(languages, 0)
    for word in words:
        if word in index:
            for language in index[word]:
                if language in counts:
                    counts[language] += 1
    most = max(counts.values())
    return tuple(language for language, count in counts.items() if count == most)


@cache
def _index() -> dict[str, tuple[str, ...]]:
    """Small words and the languages that have them."""
    found: dict[str, tuple[str, ...]] = {}
    for language in (*LATIN, *CYRILLIC):
        for word in small_words(language):
            found[word] = (*found.get(word, ()), language)
    return found
