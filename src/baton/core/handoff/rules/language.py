"""Which language a sentence is in, as far as rules need to know: by its letters, then by its small words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache

from baton.core.handoff.rules.cues.table import small_words

LATIN = ("en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr")
CYRILLIC = ("ru", "uk")
_LETTERS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile("[\uac00-\ud7af]{2}"), ("ko",)),
    (re.compile("[\u3040-\u30ff]{2}"), ("ja",)),
    (re.compile("[\u4e00-\u9fff]{2}"), ("zh",)),
    (re.compile("[\u0600-\u06ff]{2}"), ("ar",)),
    (re.compile("[\u0900-\u097f]{2}"), ("hi",)),
    (re.compile("[іїєґ]"), ("uk",)),
    (re.compile("[\u0400-\u04ff]{2}"), CYRILLIC),
)
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")


def guess_languages(sentence: str, message: str = "") -> Sequence[str]:
    """The languages a folded sentence may be in, the likeliest only; the message around it decides a draw."""
    if not sentence.isascii():
        for letters, languages in _LETTERS:
            if letters.search(sentence):
                return languages if len(languages) == 1 else _likeliest(languages, sentence, message)
    return _likeliest(LATIN, sentence, message)


def _likeliest(languages: Sequence[str], sentence: str, message: str) -> Sequence[str]:
    best = _best(languages, _WORD.findall(sentence))
    return best if len(best) == 1 or not message else _best(best, _WORD.findall(message))


def _best(languages: Sequence[str], words: Iterable[str]) -> Sequence[str]:
    index = _index()
    counts = Counter(language for word in words if word in index for language in index[word])
    most = max((counts[language] for language in languages), default=0)
    return [language for language in languages if counts[language] == most]


@cache
def _index() -> dict[str, tuple[str, ...]]:
    """Small words and the languages that have them."""
    found: dict[str, tuple[str, ...]] = {}
    for language in (*LATIN, *CYRILLIC):
        for word in small_words(language):
            found[word] = (*found.get(word, ()), language)
    return found
