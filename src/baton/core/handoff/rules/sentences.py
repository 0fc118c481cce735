"""Sentences of running text, cut at no dot that belongs to code, a version, a file name, a URL or an abbreviation."""

from __future__ import annotations

import re

_END = re.compile(r"[.!?…]{1,8}[\"'”’»)\]]{0,3}(?=\s|$)|[。！？｡।؟۔]{1,8}[\"”’」』）)]{0,3}")
_LAST_WORD = re.compile(r"[\w.&/-]{1,16}$")
_SHORTENED = """
e.g i.e eg ie vs approx resp incl excl cf al mr mrs ms dr prof st jr sr fig sec eq ref vol pp ed eds inc ltd co dept
z.b d.h u.a o.ä bzw ca evtl ggf usw vgl s.o s.u inkl exkl zzgl i.d.r max min std abs nr art
p.ex par.ex env p.e p.ej ej ud uds sra sig dott ecc ad.es es pag bijv bv d.w.z o.a t.o.v m.b.t
np tzn tj m.in itp itd inż ул т.е т.к т.д т.п т.н напр см др руб стр
"""
_ABBREVIATIONS = frozenset(_SHORTENED.split())
_LETTER = re.compile(r"\s?[^\W\d_]\.")
_OPENING = re.compile(r"\W{0,4}\d{1,3}\s*$")


def split_sentences(text: str) -> list[str]:
    """The sentences in order, trimmed; together they hold every word of the text. Linear."""
    found: list[str] = []
    start = 0
    for match in _END.finditer(text):
        if _is_end(text, start, match):
            found.append(text[start : match.end()].strip())
            start = match.end()
    found.append(text[start:].strip())
    return [sentence for sentence in found if sentence]


def _is_end(text: str, start: int, match: re.Match[str]) -> bool:
    if not match[0].startswith(".") or match[0].startswith(".."):
        return True
    before = text[max(start, match.start() - 24) : match.start()]
    word = _LAST_WORD.search(before)
    if word is None:
        return True
    if match.start() - start <= 8 and _OPENING.fullmatch(before):
        return False
    following = text[match.end() : match.end() + 4]
    return not (_is_abbreviation(word[0], following) or (len(word[0]) == 1 and _LETTER.match(following)))


def _is_abbreviation(word: str, following: str) -> bool:
    """Whether the dot belongs to the word. "etc." ends a sentence only if the next one begins like one."""
    lowered = word.lower().lstrip("(")
    if lowered == "etc":
        return following.strip()[:1].islower()
    single = len(word) == 1 and word.isalpha() and word.isupper() and word not in "IAYО"
    return lowered in _ABBREVIATIONS or (single and following.strip()[:1].isupper())
