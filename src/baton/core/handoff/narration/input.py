"""What a model reads to write the narrative: where the work stands, the older part in brief, the end in full.

The next step follows from the last exchanges, so these come whole; what is older is clipped the harder the less room is
left, results before words, and the oldest goes first.
"""

from __future__ import annotations

from collections.abc import Sequence

from baton.core.agent.message import AssistantMessage, Message, ToolMessage, UserMessage
from baton.core.agent.tokens import estimate
from baton.core.handoff.ledger import fact as facts
from baton.core.handoff.ledger.fact import Ledger
from baton.core.handoff.ledger.words import keep_ends, keep_start
from baton.core.value import value

END = 0.6
"""The share of the room that the last messages get, whole."""

STATE = 0.15
_MOST = 60_000
_LONG = 100_000
_FEW = 12
_HEADINGS = 80


@value
class Clip:
    """How many characters of each kind of message are shown."""

    said: int
    replied: int
    called: int
    returned: int


_WHOLE = Clip(_LONG, _LONG, 2000, 4000)
_OLDER = (Clip(4000, 1200, 300, 800), Clip(1600, 400, 160, 240), Clip(600, 160, 100, 100), Clip(240, 80, 60, 0))
LEFT_OUT = "[{count} older messages are left out.]"


def room_for(window: int) -> int:
    """Tokens of material for a model with this window: more than this is read without getting better."""
    return min(_MOST, max(1000, window // 2))


def narrative_input(messages: Sequence[Message], ledger: Ledger, room: int) -> str:
    """Text of at most `room` tokens by estimate; linear in the messages."""
    state = keep_start(_state(ledger), int(room * STATE) * 3)
    left = room - estimate(state) - _HEADINGS
    start, end = _end(messages, int(left * END))
    older = _older(messages[:start], left - estimate(end))
    parts = (
        ("WHERE THE WORK STANDS (by program)", state),
        ("EARLIER, IN BRIEF", older),
        ("THE END OF THE SESSION, IN FULL", end),
    )
    return "\n\n".join(f"=== {heading} ===\n{text}" for heading, text in parts if text)


def _end(messages: Sequence[Message], budget: int) -> tuple[int, str]:
    """Where the end begins, and its text: as many last messages as fit whole, and one in any case."""
    lines: list[str] = []
    start = len(messages)
    while start:
        line = _line(messages[start - 1], _WHOLE)
        cost = _cost(line)
        if cost > budget:
            break
        budget -= cost
        lines.append(line)
        start -= 1
    if not lines and messages:
        start -= 1
        lines.append(keep_ends(_line(messages[-1], _WHOLE), max(200, budget * 3), 0.7))
    return start, "\n\n".join(line for line in reversed(lines) if line)


def _older(messages: Sequence[Message], budget: int) -> str:
    for clip in _OLDER:
        if _least(messages, clip) > budget:
            continue
        lines = [_line(message, clip) for message in messages]
        if sum(map(_cost, lines)) <= budget:
            return "\n\n".join(filter(None, lines))
    return _newest(messages, budget)


def _least(messages: Sequence[Message], clip: Clip) -> float:
    """Fewer tokens than these messages can take, without a look at their words."""
    said = max(clip.said, clip.replied)
    return (
        sum(min(len(message.text), clip.returned if isinstance(message, ToolMessage) else said) for message in messages)
        / 8
    )


def _newest(messages: Sequence[Message], budget: int) -> str:
    """The first message and the newest ones, where not even the briefest form of all fits."""
    if not messages or budget <= 0:
        return ""
    first = _line(messages[0], _OLDER[-1])
    if _cost(first) > budget // 3:
        first = ""
    spent = _cost(LEFT_OUT) + _cost(first)
    kept: list[str] = []
    start = len(messages)
    while start > 1:
        line = _line(messages[start - 1], _OLDER[-1])
        spent += _cost(line)
        if spent > budget:
            break
        kept.append(line)
        start -= 1
    gone = LEFT_OUT.format(count=start - bool(first))
    return "\n\n".join(filter(None, (first, gone, *reversed(kept))))


def _cost(line: str) -> int:
    """Tokens of a message's lines and of the empty line after them."""
    return estimate(line) + 3 if line else 0


def _line(message: Message, clip: Clip) -> str:
    match message:
        case UserMessage():
            return f"USER: {keep_ends(message.text, clip.said)}"
        case ToolMessage():
            told = f": {keep_ends(message.text, clip.returned)}" if clip.returned else ""
            return f"RESULT of {message.name} ({'ok' if message.ok else 'failed'}){told}"
        case AssistantMessage():
            calls = [f"CALL {call.name} {keep_ends(str(dict(call.args)), clip.called)}" for call in message.calls]
            said = [f"ASSISTANT: {keep_ends(message.text, clip.replied, 0.7)}"] if message.text else []
            return "\n".join((*said, *calls))


def _state(ledger: Ledger) -> str:
    """The first and the unanswered requests, the plan, and what fails."""
    lines = [f"First request: {keep_ends(ledger.first, 600)}"] if ledger.first else []
    lines += [f"Not answered yet: {keep_ends(each.asked, 600)}" for each in ledger.unanswered[-_FEW:]]
    for fact in ledger.of(facts.PLAN, facts.OPEN)[:_FEW]:
        lines.append(f"Plan, {'in work' if fact.data.get('doing') else 'open'}: {keep_start(fact.text, 200)}")
    for fact in ledger.of(facts.ERROR, facts.OPEN)[-_FEW:]:
        lines.append(f"Fails: {keep_start(fact.text, 200)}")
    return "\n".join(lines)
