"""Sentences of the user that must outlive every compression: what never to do, what always to do.

Taken verbatim and by program. One sentence too many costs a line; one lost costs your trust.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from baton.core.handoff.ledger.commands import fold_spaces

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


MOST_CONSTRAINTS = 24
_FENCE = re.compile(r"```[^`]*(?:```|$)")
_LOOK = 20_000


def demands(text: str) -> list[str]:
    """The sentences of a message that bind what is done from now on. Quoted code and logs bind nothing."""
    own = _FENCE.sub("\n", text[:_LOOK])
    return [fold_spaces(each) for each in constraints(own)][:MOST_CONSTRAINTS]


_NOUNS = "rules?|constraints?|restrictions?|bans?|freeze|requirements?|limitations?"
_SAYING = re.compile(
    r"\b(?:forget|ignore|disregard|drop|scrap|lift|cancel|revoke|take back)\b[^.!?\n]{0,40}"
    rf"\b(?:what i|i said|{_NOUNS})\b"
    r"|\bforget about\b|\bchanged my mind (?:about|on)\b|\bscratch that\b"
    rf"|\b(?:{_NOUNS})\b[^.!?\n]{{0,80}}\b(?:no longer|not [^.!?\n]{{1,20}}any ?more|does(?:n['’]t| not) apply|"
    r"(?:is|are) (?:over|gone|lifted|off))\b"
    r"|\bvergiss\b[^.!?\n]{0,30}\b(?:was ich|das mit|die regel|die sache)|\b(?:gilt|gelten) nicht mehr\b"
    r"|\boublie\b[^.!?\n]{0,20}\b(?:ce que|la règle|l['’]histoire)|\blaisse tomber\b|\bne s['’]applique(?:nt)? plus\b"
    r"|\bolvida\b[^.!?\n]{0,20}\b(?:lo que|la regla)|\bya no (?:aplica|vale|hace falta)\b"
    r"|\bзабудь(?:те)? (?:про|о|об|то|что|правило)|\bбольше не (?:действует|нужн|актуальн)|\bотменяю\b"
    r"|忘了|忘掉|不用再|不再(?:需要|适用|有效)|取消(?:这|那|之前|规则|限制|约束)|(?:ルール|制約|制限|件)[^。\n]{0,20}(?:不要|なし|忘れて|撤回)"
    r"|忘れて(?:ください|いい|もいい|構わない)",
    re.IGNORECASE,
)
_ALLOWING = re.compile(
    r"\byou (?:can|may|are allowed to)\b[^.!?\n]{0,80}\b(?:now|after all|again)\b|\byou (?:can|may) now\b"
    r"|\bit(?:['’]s| is) (?:ok(?:ay)?|fine) (?:now )?to\b",
    re.IGNORECASE,
)
_NEGATED_BEFORE = re.compile(
    r"(?:\b(?:not|don['’]?t|never|mustn['’]t|shouldn['’]t|can['’]?t|cannot|without|nicht|niemals|nie|no|не|никогда)\s+"
    r"(?:\w+\s+)?|\bn['’]|\bne\s+|不要|不能|别|勿)$",
    re.IGNORECASE,
)
_NEGATED_AFTER = re.compile(r"\s*(?:not|nicht|pas|не)\b", re.IGNORECASE)
_OWN = re.compile(r"\b(?:i|we|ich|wir|je|nous)(?:['’](?:ll|m|ve))?(?:\s\w+){0,2}\s*$", re.IGNORECASE)
_WORD = re.compile(r"[^\W\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af][\w./-]{2,}")
_IDEOGRAPHS = re.compile("[\u30a0-\u30ff\u4e00-\u9fff\uac00-\ud7af]{2,}")
_SMALL_WORDS = """
the and that this with what said about from for you your are was not don't dont never always must only should please
rule rules constraint forget ignore drop now can may anymore any more have has will would when then than into onto use
using instead keep make sure all again earlier before after changed mind apply applies longer test tests run job
ich das die der und nicht mehr über les des une pas que para con los las mit gilt vergiss
"""
_EMPTY = frozenset(_SMALL_WORDS.split())
_REVOCATION_LOOK = 2000


def is_revoking(text: str) -> bool:
    """Whether a text takes something back at all. "Do not forget" does not, nor does "I forgot"."""
    return _says(_SAYING, text) or _says(_ALLOWING, text)


def find_revoked(message: str, demands: Mapping[str, str]) -> list[str]:
    """The names of the demands that a message takes back."""
    said = _subjects(message[:_REVOCATION_LOOK])
    named = _says(_SAYING, message)
    return [
        name
        for name, demand in demands.items()
        if demand not in message and _is_about(_subjects(demand), said, named=named)
    ]


def _says(pattern: re.Pattern[str], text: str) -> bool:
    look = text[:_REVOCATION_LOOK]
    return any(not _is_negated(look, match) for match in pattern.finditer(look))


def _is_negated(text: str, match: re.Match[str]) -> bool:
    before = text[max(0, match.start() - 24) : match.start()]
    own = _OWN.search(before) and not match[0].lower().startswith("changed")
    return bool(own or _NEGATED_BEFORE.search(before) or _NEGATED_AFTER.match(text, match.end()))


def _is_about(subjects: frozenset[str], said: frozenset[str], *, named: bool) -> bool:
    """Two subjects in common; one is enough for a short demand that is plainly referred to."""
    common = len(subjects & said)
    return common >= 2 or (named and common == 1 and len(subjects) <= 2)


def _subjects(text: str) -> frozenset[str]:
    """What a sentence is about: its words without the small ones; pairs of characters where there are no spaces."""
    words = (word.strip("./-").lower() for word in _WORD.findall(text))
    pairs = (run[at : at + 2] for run in _IDEOGRAPHS.findall(text) for at in range(len(run) - 1))
    return (frozenset(_stem(word) for word in words if len(word) > 2) - _EMPTY) | frozenset(pairs)


def _stem(word: str) -> str:
    for ending in ("ing", "es", "s", "e"):
        if word.endswith(ending) and len(word) > len(ending) + 3:
            return word[: -len(ending)]
    return word
