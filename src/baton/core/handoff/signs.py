"""What the entries of a session say to the policy, so that it decides the same after a restart.

A *cycle* lasts from the session's beginning, or its last compression in force, to its end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from baton.core.handoff.policy import ALL_REASONS, MODEL, REASONS
from baton.core.log import entry as kinds
from baton.core.log.entry import Entry
from baton.core.log.payloads import (
    WAITING,
    AssistantStep,
    Compression,
    CompressionFailed,
    CompressionUndone,
    HandoffAsked,
    HandoffDeclined,
    HandoffFailed,
    HandoffUndone,
    ToolResult,
    TurnEnd,
    UserInput,
    payload,
)
from baton.core.value import value

REQUEST_TOOL = "session_handoff"
_REFUSALS = (kinds.HANDOFF_DECLINED, kinds.HANDOFF_FAILED, kinds.HANDOFF_UNDONE, kinds.COMPRESSION, kinds.NOTE)
_BESIDE_MODEL = frozenset(REASONS) - {MODEL}


@value
class OpenQuestion:
    """A draft that you were asked about without an answer so far: the last question, how often it was put, and the
    place of the turn that put it, if that is one.
    """

    asked: HandoffAsked
    times: int
    place: str


def find_refused(entries: Sequence[Entry]) -> frozenset[str]:
    """The reasons for which a handoff is not wanted at present: you said no, you took back a compression or handoff, or
    it failed, and nothing was compressed since. A compression right after your no, before the model said anything, is
    no news. A later request of the model is heard all the same.
    """
    refused: frozenset[str] = frozenset()
    worked = False
    for entry in entries:
        if reasons := _refused_reasons(entry):
            refused, worked = refused | reasons, False
        elif entry.kind == kinds.ASSISTANT:
            worked = True
        elif worked and _compressed(entry):
            refused = frozenset()
        if refused and _request(entry):
            refused = _without_model(refused)
    return refused


def _without_model(reasons: frozenset[str]) -> frozenset[str]:
    return _BESIDE_MODEL if ALL_REASONS in reasons else reasons - {MODEL}


def _refused_reasons(entry: Entry) -> frozenset[str]:
    """Whatever counts as a no to the policy is read here. Copies were answered where they come from."""
    if entry.kind not in _REFUSALS or entry.copied:
        return frozenset()
    held = payload(entry)
    if isinstance(held, HandoffDeclined):
        return frozenset({held.reason, *held.also})
    failed = isinstance(held, HandoffFailed | HandoffUndone | CompressionUndone)
    return frozenset({ALL_REASONS}) if failed else frozenset()


def _compressed(entry: Entry) -> bool:
    """Whether a compression was tried here. One that an undo copied came before what was taken back."""
    tried = entry.kind == kinds.COMPRESSION and not entry.copied
    return tried and not isinstance(payload(entry), CompressionUndone)


def find_request(entries: Sequence[Entry]) -> str:
    """Why the model asked for a fresh session in this turn, or an empty string. One that asks again as soon as it is in
    a fresh session, because it reads there once more the message that made it ask, is not heard.
    """
    for entry in reversed(entries):
        if entry.kind in (kinds.USER, kinds.PACKET):
            return ""
        if why := _request(entry):
            return "" if _has_only_asked(entries) else why
    return ""


def _has_only_asked(entries: Sequence[Entry]) -> bool:
    """Whether the session began from a packet and the model has done nothing in it but ask for another."""
    if entries[0].kind != kinds.PACKET:
        return False
    steps = (payload(entry) for entry in entries if entry.kind == kinds.ASSISTANT)
    return all(isinstance(step, AssistantStep) and _asks(step) for step in steps)


def _asks(step: AssistantStep) -> bool:
    return bool(step.calls) and all(call.name == REQUEST_TOOL for call in step.calls)


def _request(entry: Entry) -> str:
    held = payload(entry) if entry.kind == kinds.TOOL_RESULT else None
    if not isinstance(held, ToolResult) or held.name != REQUEST_TOOL or not held.ok:
        return ""
    return str(held.details.get("reason") or "no reason given")


def find_question(entries: Sequence[Entry]) -> OpenQuestion | None:
    """The question about a draft that nobody has answered, if the conversation has not continued since."""
    found: HandoffAsked | None = None
    times, place = 0, ""
    for entry in reversed(entries):
        if entry.kind == kinds.HANDOFF_ASKED and isinstance(held := payload(entry), HandoffAsked):
            found = found or held
            times += held.draft == found.draft
        elif found is None and _is_over(entry):
            return None
        elif found is None:
            place = _waiting_place(entry) or place
    return OpenQuestion(found, times, place) if found else None


def _is_over(entry: Entry) -> bool:
    return entry.kind in (kinds.ASSISTANT, kinds.COMPRESSION) or bool(_refused_reasons(entry))


def _waiting_place(entry: Entry) -> str:
    held = payload(entry) if entry.kind == kinds.TURN_ENDED else None
    return held.place if isinstance(held, TurnEnd) and held.end == WAITING else ""


def find_asked(entries: Sequence[Entry], draft_id: str) -> HandoffAsked | None:
    """The question that was asked about a draft."""
    asked = (payload(entry) for entry in reversed(entries) if entry.kind == kinds.HANDOFF_ASKED)
    return next((held for held in asked if isinstance(held, HandoffAsked) and held.draft == draft_id), None)


def count_put_off(entries: Sequence[Entry]) -> int:
    """In how many turns of this cycle a compression was due and had to wait."""
    return sum(entry.kind == kinds.COMPRESSION_PUT_OFF and not entry.copied for entry in _cycle_backwards(entries))


def is_warned(entries: Sequence[Entry]) -> bool:
    """Whether you were told in this cycle that the context is filling up."""
    return any(entry.kind == kinds.CONTEXT_WARNED and not entry.copied for entry in _cycle_backwards(entries))


def _cycle_backwards(entries: Sequence[Entry]) -> Iterator[Entry]:
    for entry in reversed(entries):
        if entry.kind == kinds.COMPRESSION and isinstance(payload(entry), Compression):
            return
        yield entry


def waits_after_failure(entries: Sequence[Entry], turn_id: str) -> bool:
    """Whether the last compression failed in an earlier turn than this one."""
    last = next(
        (payload(each) for each in reversed(entries) if each.kind == kinds.COMPRESSION and not each.copied), None
    )
    return isinstance(last, CompressionFailed) and last.turn != turn_id


def is_fresh(entries: Sequence[Entry]) -> bool:
    """Whether the session began from a packet, and nothing was done in it so far."""
    begun = bool(entries) and entries[0].kind == kinds.PACKET
    return begun and all(each.kind not in (kinds.ASSISTANT, kinds.COMPRESSION) for each in entries)


def has_person_spoken(entries: Iterable[Entry]) -> bool:
    """Whether the owner said something here: not Baton itself, not a guest, not a copy from another session."""
    said = (payload(entry) for entry in entries if entry.kind == kinds.USER and not entry.copied)
    return any(isinstance(held, UserInput) and not held.synthetic and not held.is_guests for held in said)


def awaits_model(entries: Sequence[Entry]) -> bool:
    """Whether the next word is the model's: the last one was yours, a tool's, or the packet's."""
    said = (kinds.USER, kinds.PACKET, kinds.ASSISTANT, kinds.TOOL_RESULT)
    last = next((entry.kind for entry in reversed(entries) if entry.kind in said), kinds.ASSISTANT)
    return last != kinds.ASSISTANT
