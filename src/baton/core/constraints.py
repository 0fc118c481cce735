"""Sentences of the user that must outlive every compression: what never to do, what always to do.

Taken verbatim and by program. A sentence too many costs a line; a sentence lost costs the user's trust.
"""

from __future__ import annotations

import re

_SENTENCE = re.compile(r"[^.!?\n。！？]+(?:[.!?](?=\w)[^.!?\n。！？]*)*[.!?。！？]*")
_MARKS = re.compile(
    r"\b(?:never|always|must(?:n't| not)?|do(?:n't| not)|don’t|shall not|should(?:n't| not)|may not|only|without|"
    r"avoid|keep|leave|stick to|make sure|ensure|remember|no matter|under no circumstances|at all costs|"
    r"not allowed|forbidden|required?|instead of|rather than|at most|at least|no more than|no need|except|unless|"
    r"prefer|constraint|rule|important)\b"
    r"|\b(?:nie|niemals|immer|nicht|nur|ohne|muss|darf|müssen|dürfen)\b"
    r"|\b(?:jamais|toujours|ne pas|seulement|sans|doit|doivent)\b"
    r"|\b(?:nunca|siempre|no debe|solo|sólo|sin|debe)\b"
    r"|(?:никогда|всегда|нельзя|только|без|должен|должна|не трогай)"
    r"|(?:不要|不能|必须|必須|只能|禁止|始终|總是|绝不|絶対|しないで|必ず|하지 마|반드시|절대)",
    re.IGNORECASE,
)
LONGEST = 400


def constraints(text: str) -> list[str]:
    """The sentences of a user's message that read like constraints, in order, each once."""
    found: dict[str, None] = {}
    for match in _SENTENCE.finditer(text):
        sentence = match[0].strip(" \t-*•>#")
        if sentence and _MARKS.search(sentence):
            found[sentence if len(sentence) <= LONGEST else f"{sentence[: LONGEST - 1]}…"] = None
    return list(found)
