"""How many tokens a text takes, estimated without a tokenizer, and corrected by what providers report.

Seven counts with weights fitted to a modern tokenizer: within 3 % on average for code, prose, JSON and shell output,
where a quarter of the characters is wrong by half. Chinese, Japanese and Korean weigh more than the fit says, because
a context that overflows is worse than one that is compressed a little early.
"""

from __future__ import annotations

import re

from baton.core.value import value

_WORDS = re.compile(r"[A-Za-z]+")
_DIGITS = re.compile(r"[0-9]")
_PUNCTUATION = re.compile(r"[^\w\s]")
_WIDE = re.compile("[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_ASCII_LETTERS = bytes(code if chr(code).isascii() and chr(code).isalpha() else ord(" ") for code in range(256))
_ASCII_DIGITS = b"0123456789"
_ASCII_PUNCTUATION = bytes(code for code in range(128) if _PUNCTUATION.match(chr(code)))
_LONG_WORD = 6
_SAMPLE = 200_000


def estimate(text: str) -> int:
    """Tokens of a text; a very long one is measured by parts of it."""
    if len(text) > _SAMPLE:
        third = _SAMPLE // 3
        middle = len(text) // 2
        sample = text[:third] + text[middle : middle + third] + text[-third:]
        return int(_estimate(sample) * len(text) / len(sample)) + 1
    return int(_estimate(text)) + 1 if text else 0


def _estimate(text: str) -> float:
    return _of_ascii(text.encode()) if text.isascii() else _of_any(text)


def _of_ascii(text: bytes) -> float:
    """The same counts by operations on bytes, several times as fast; nearly all of an agent's text is ASCII."""
    words = text.translate(_ASCII_LETTERS).split()
    long = [len(word) for word in words if len(word) > _LONG_WORD]
    total = 0.88 * len(words) + 0.23 * (sum(long) - _LONG_WORD * len(long))
    total += 1.08 * _count(text, _ASCII_DIGITS) + 0.57 * _count(text, _ASCII_PUNCTUATION)
    return total + 1.38 * text.count(b"\n") + 0.64 * text.count(b"_")


def _count(text: bytes, wanted: bytes) -> int:
    return len(text) - len(text.translate(None, wanted))


def _of_any(text: str) -> float:
    words = _WORDS.findall(text)
    total = 0.88 * len(words) + 0.23 * sum(len(word) - _LONG_WORD for word in words if len(word) > _LONG_WORD)
    total += 1.08 * len(_DIGITS.findall(text)) + 0.57 * len(_PUNCTUATION.findall(text))
    total += 1.38 * text.count("\n") + 0.64 * text.count("_")
    foreign = len(text) - len(text.encode("ascii", "ignore"))
    return total + 0.33 * foreign + 0.5 * len(_WIDE.findall(text))


@value
class Gauge:
    """Learns, per session, how a provider counts: reported tokens against our estimate of the same text."""

    reported: int = 0
    estimated: int = 0

    @property
    def ratio(self) -> float:
        """1 until something was reported; bounded, so that one odd report cannot switch compression off."""
        if not self.estimated or not self.reported:
            return 1.0
        return min(3.0, max(0.4, self.reported / self.estimated))

    def learn(self, reported: int, estimated: int) -> Gauge:
        """The newest report counts, because it covers the whole context."""
        return Gauge(reported, estimated) if reported > 0 and estimated > 0 else self

    def tokens(self, estimated: int) -> int:
        return int(estimated * self.ratio)
