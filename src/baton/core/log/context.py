"""The context: what the model is sent, projected from the entries of a session.

An in-place compression is one more entry. It says from which entry on the transcript is still sent word for word
(`keep_from`), and what stands for everything before. Tool calls and their results never come apart: a call without a
result gets one that says what is known, a result without its call is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from baton.core.agent.message import AssistantMessage, Call, Message, ToolMessage, UserMessage
from baton.core.agent.tokens import estimate
from baton.core.log import entry as kinds
from baton.core.log.entry import Entry
from baton.core.log.payloads import (
    AssistantStep,
    Compression,
    CompressionUndone,
    PacketOpening,
    Payload,
    ToolCall,
    ToolResult,
    TurnInterrupted,
    UserInput,
    WorkspaceVerified,
    payload,
)
from baton.core.log.pins import find_pins, pins_text
from baton.core.value import value

NOT_RUN = "[not run: the turn ended before this call was started]"
UNKNOWN = (
    "[outcome unknown: this call was started, and the process died before its result was recorded; "
    "check what it did before repeating it]"
)
MARGIN = 4
_IMAGE = 1200


@value
class Context:
    """Messages in order, the pinned rules that go with the system prompt, and how many tokens both are by our own
    estimate.
    """

    messages: tuple[Message, ...]
    tokens: int
    rules: str = ""


def last_compression(entries: Sequence[Entry]) -> Compression | None:
    """The compression in force, if any: the last one that was not taken back."""
    undone: set[tuple[str, int]] = set()
    for entry in reversed(entries):
        held = payload(entry) if entry.kind == kinds.COMPRESSION else None
        if isinstance(held, CompressionUndone):
            undone.add((held.session, held.seq))
        elif isinstance(held, Compression) and (entry.session_id, entry.seq) not in undone:
            return held
    return None


def project(entries: Sequence[Entry]) -> Context:
    """The context of a session from its entries, which may begin anywhere at or before the compression's tail."""
    compression = last_compression(entries)
    start = compression.keep_from if compression else 0
    messages = to_opening_messages(compression) if compression else []
    messages += to_messages(entry for entry in entries if entry.seq >= start)
    rules = pins_text(find_pins(entries))
    return Context(tuple(messages), sum(map(size, messages)) + estimate(rules), rules)


def to_opening_messages(compression: Compression) -> list[Message]:
    """What stands for everything before the tail: one text, and the message that has no answer yet, as it was."""
    waiting = (each for each in compression.messages if each.unanswered)
    return [UserMessage(compression.text), *(UserMessage(each.words, each.images) for each in waiting)]


def to_messages(entries: Iterable[Entry]) -> list[Message]:
    """Entries as messages, calls and results paired."""
    messages: list[Message] = []
    open_calls: dict[str, Call] = {}
    started: set[str] = set()
    for entry in entries:
        held = payload(entry)
        if isinstance(held, ToolCall):
            started.add(held.id)
        elif isinstance(held, ToolResult):
            if call := open_calls.pop(held.id, None):
                messages.append(ToolMessage(call.id, call.name, held.text, held.ok))
        elif message := _message(held):
            messages += _close_calls(open_calls, started)
            messages.append(message)
            if isinstance(message, AssistantMessage):
                open_calls.update({call.id: call for call in message.calls})
    return messages + _close_calls(open_calls, started)


def to_messages_live(entries: Iterable[Entry]) -> list[Message]:
    """Entries just appended, as messages. The writer appends a result for each call itself, so none is made up here."""
    messages: list[Message] = []
    for entry in entries:
        held = payload(entry)
        if isinstance(held, ToolResult):
            messages.append(ToolMessage(held.id, held.name, held.text, held.ok))
        elif message := _message(held):
            messages.append(message)
    return messages


def _message(held: Payload) -> Message | None:
    match held:
        case UserInput():
            return UserMessage(held.text, held.images) if held.text or held.images else None
        case PacketOpening() | TurnInterrupted() | WorkspaceVerified():
            return UserMessage(held.text)
        case AssistantStep():
            return AssistantMessage(held.text, held.calls) if held.calls or held.text else None
        case _:
            return None


def _close_calls(open_calls: dict[str, Call], started: set[str]) -> list[Message]:
    """A result for each call that never got one. Empties `open_calls`."""
    closed: list[Message] = [
        ToolMessage(call.id, call.name, UNKNOWN if call.id in started else NOT_RUN, ok=False)
        for call in open_calls.values()
    ]
    open_calls.clear()
    return closed


def size(message: Message) -> int:
    """Tokens of one message by estimate."""
    if isinstance(message, UserMessage):
        return estimate(message.text) + _IMAGE * len(message.images) + MARGIN
    if isinstance(message, AssistantMessage):
        return estimate(message.text) + sum(estimate(f"{call.name} {call.args}") for call in message.calls) + MARGIN
    return estimate(message.text) + MARGIN
