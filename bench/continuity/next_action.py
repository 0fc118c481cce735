"""What a document recommends to do next, by kind, and what was really done next."""

from __future__ import annotations

import re
from dataclasses import dataclass

from bench.continuity import commands
from bench.continuity.dialogue import Dialogue
from bench.continuity.document import Document
from bench.continuity.folding import COMMAND, bare, folded
from bench.continuity.probes.refusals import REFUSED

ANSWER, WAIT, PLAN, FIX, FIND_OUT, FINISHED, OTHER, NONE = (
    "answer", "wait", "plan", "fix", "find out", "finished", "other", "none",
)  # fmt: skip
CALLS = 15
_HEADING = re.compile(r"next|to do now|continue with", re.IGNORECASE)
_KINDS = (
    (FIND_OUT, r"\bfind out\b|\bcheck whether\b|\bsee whether\b|\bhow far\b"
        r"|\bmay have (?:run|changed|done)\b|unknown (?:end|effect)"),
    (WAIT, r"\bwait\b|\bwaiting\b|\bawait|\basked (?:you|the person|the user)\b"
           r"|has the floor|the floor is|do nothing until"
           r"|until (?:you|the person|the user) (?:answer|repl|sa)|\bask (?:the person|the user|them|you)\b(?! again)"),
    (FIX, r"\bmake\b.{0,400}\bpass|\bfix\b|\bmend\b|\brepair\b|\bfails?\b|\bfailing\b"),
    (PLAN, r"\bplan item\b|\bplan\b|\bin work\b|\bcontinue with\b(?! the \w+ request)|\bwork on\b|\bnext item\b"),
    (ANSWER, r"\banswer\b|\breply\b|\brespond\b|\bnot (?:yet )?(?:been )?answered\b|\bunanswered\b"
             r"|\bcurrent request\b|\bdo what\b"
             r"|\bcarry out\b|\bcontinue (?:the|this|its|with the)(?: \w+)? (?:request|work|task|message)\b"),
    (FINISHED, r"\bnothing\b|\bfinished\b|\bcomplete\b|\bis done\b|\bno open\b|\bnew request\b|\bnext request\b"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Advice:
    """`named` is the command the advice names, `run` whether it was among the next calls."""

    kind: str
    text: str = ""
    named: str = ""
    run: bool = False
    refused: bool = False
    risky: bool = False
    answered: bool = False
    """The advice is to answer a message that had been answered."""


def advice_text(document: Document) -> str:
    return " ".join(line.text for line in document.lines if _HEADING.search(line.heading))


def kind_of(text: str, item: str = "") -> str:
    """The kind of an advice by its words. `item` is the open plan item, if there is one: naming it is following it."""
    if not text.strip() or text.strip() == "None recorded.":
        return NONE
    if item and bare(item)[:40] in bare(text) and not re.search(_KINDS[0][1], _outside(text), re.IGNORECASE):
        return PLAN
    for kind, form in _KINDS:
        if re.search(form, _outside(text), re.IGNORECASE):
            return kind
    return OTHER


def _outside(text: str) -> str:
    """Without what is in code marks or quoted: the words of a message are not the words of the advice."""
    return re.sub(r"``+ ?.+? ?``+|`[^`]*`|“[^”]*”|\"[^\"]*\"|«[^»]*»", "``", text)


def advise(document: Document, before: Dialogue, after: Dialogue) -> Advice:
    text = advice_text(document)
    spans = [span for line in document.lines if _HEADING.search(line.heading) for span in line.spans()]
    known = {folded(call.command)[:COMMAND]: call for call in before.shell}
    named = next((span for span in spans if folded(span)[:COMMAND] in known), "")
    kind = kind_of(text)
    later = {folded(call.command)[:COMMAND] for call in after.calls[:CALLS] if call.command}
    call = known.get(folded(named)[:COMMAND]) if named else None
    told_refused = re.search(REFUSED, _outside(text), re.IGNORECASE) is not None
    return Advice(
        kind,
        text,
        named,
        folded(named)[:COMMAND] in later if named else False,
        bool(call and call.refusal is not None and not told_refused),
        bool(named and commands.risky(named) and not told_refused),
        kind == ANSWER and has_answered(before),
    )


def has_answered(before: Dialogue) -> bool:
    """Whether the agent's words were the last thing: a reply that calls no tool, after the last message."""
    if not before.said or not before.spoke:
        return False
    last = before.spoke[-1]
    calls = [call for call in before.calls if call.index >= last.index]
    return last.index > before.said[-1].index and not calls
