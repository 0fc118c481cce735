"""The person's messages that have no answer yet, read backwards off the transcript.

An answer is what the model says last in a turn: text, and no call with it. Whoever continues the work answers: a turn
that Baton itself began counts, a greeting after a transfer does not. Messages that follow an unanswered one are told
together with it, because "try again" means nothing without what was to be tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from baton.core.agent.message import UserMessage
from baton.core.log import entry as kinds
from baton.core.log.context import size
from baton.core.log.entry import Entry, NewEntry
from baton.core.log.payloads import (
    CUT_OFF,
    AssistantStep,
    Payload,
    TurnEnd,
    TurnInterrupted,
    UserInput,
    payload,
)
from baton.core.log.waiting import copy
from baton.core.value import value

_KINDS = (kinds.USER, kinds.ASSISTANT, kinds.TURN_ENDED, kinds.TURN_INTERRUPTED, kinds.NOTE)
_EARLIER = 4000
"""Tokens. The newest message is carried whatever its size; those before it only as far as this."""


@value
class Unanswered:
    """Messages oldest first, and the ends of their turns. `answered` if an answer was met before them: without one,
    messages that are further back have no answer either.
    """

    messages: tuple[Entry, ...] = ()
    ends: tuple[Entry, ...] = ()
    answered: bool = False


def find_unanswered(newest_first: Iterable[Entry]) -> Unanswered:
    """Stops reading at the first answer. A message that is there twice, as a copy, counts once."""
    found: dict[str, Entry] = {}
    ends: dict[tuple[str, str], Entry] = {}
    answered = False
    for entry in newest_first:
        held = payload(entry) if entry.kind in _KINDS else None
        if isinstance(held, UserInput):
            if answered and not held.transfer:
                break
            answered = False
            if not held.synthetic:
                found.setdefault(held.turn or f"{entry.session_id}/{entry.seq}", entry)
        elif isinstance(held, TurnEnd | TurnInterrupted):
            ends.setdefault((held.turn, held.kind), entry)
        elif held:
            answered = answered or _is_answer(held)
    return Unanswered(tuple(reversed(found.values())), tuple(reversed(ends.values())), answered)


def _is_answer(held: Payload) -> bool:
    return isinstance(held, AssistantStep) and not held.calls and held.stop != CUT_OFF and bool(held.text.strip())


def copies(found: Unanswered) -> list[NewEntry]:
    """What a fresh session gets after its packet: each message whole, with its pictures and files, followed by the end
    of its turn if that has one, so that a turn that ended is not taken for one that was interrupted.
    """
    made: list[NewEntry] = []
    told: set[str] = set()
    for entry in _affordable(found.messages):
        turn_id = _turn(entry)
        made.append(copy(entry))
        made += [copy(end) for end in found.ends if turn_id and turn_id not in told and _turn(end) == turn_id]
        told.add(turn_id)
    return made


def _affordable(messages: Sequence[Entry]) -> list[Entry]:
    """The newest, and those before it as far as they fit."""
    kept, spent = list(messages[-1:]), 0
    for entry in reversed(messages[:-1]):
        held = payload(entry)
        spent += size(UserMessage(held.text, held.images)) if isinstance(held, UserInput) else 0
        if spent > _EARLIER:
            break
        kept.insert(0, entry)
    return kept


def _turn(entry: Entry) -> str:
    held = payload(entry)
    return held.turn if isinstance(held, UserInput | TurnEnd | TurnInterrupted) else ""
