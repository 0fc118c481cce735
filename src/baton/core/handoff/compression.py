"""Compression, planned and judged without a model.

What is protected word for word: the system prompt (it is not part of the entries), the first request, every
constraint the user stated, the recent tail, and calls that wait for their result. The rest goes to the model as one
text to be summarised; what comes back is judged before it replaces anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from baton.core.agent.message import AssistantMessage, Message, ToolMessage, UserMessage
from baton.core.agent.tokens import estimate
from baton.core.display import plain
from baton.core.handoff.ledger.constraints import constraints
from baton.core.log import entry as kinds
from baton.core.log.context import last_compression, size, to_messages
from baton.core.log.entry import Entry
from baton.core.log.payloads import CompressionFailed, CompressionUndone, PacketOpening, UserInput, payload
from baton.core.value import value

COMPRESSED = "compressed"
LOSSY = "lossy"
TIMED_OUT = "timed_out"
NOTHING = "nothing"
"""There was nothing to compress: no entry is written, no event emitted."""

THRESHOLD = 0.8
OUT_OF_ROOM = 0.95
TAIL = 0.3
SUMMARY = 0.15
_FIRST_LIMIT = 4000
_CLIPS = (4000, 1200, 400, 120)
_LONGEST_TOKEN = 16
_TOO_LONG = "the model's summary is longer than what it may take"

HEADING = "The conversation so far was compressed. What the user said is quoted word for word; the rest is a summary."
FIRST = "The user's first request:"
CONSTRAINTS = "What the user demands, word for word. All of it still holds:"
SUMMARY_HEADING = "Summary of what happened since:"
LOST = "[No summary could be made. Only these facts are known; look at the files and ask before assuming more.]"


@value
class Limits:
    """`deadline` is for all tries together; after a failure nothing is tried again for `cool_down` seconds. With
    `split` the conversation continues in a new session.
    """

    deadline: float = 60.0
    tries: int = 2
    cool_down: float = 300.0
    threshold: float = THRESHOLD
    split: bool = False


@value
class Plan:
    """Keep entries from `keep_from` on; `text` is what the model is to summarise, already small enough for it."""

    keep_from: int
    first: str
    constraints: tuple[str, ...]
    text: str
    before: int


def is_due(entries: Sequence[Entry], tokens: int, window: int, limits: Limits, now: float) -> bool:
    """Whether the next request should be preceded by a compression: the context is over its threshold, none failed a
    short while ago, and you did not take back the last one. Read off the entries, so it survives a restart. Without
    room for an answer it is due anyway.
    """
    over = tokens > window * limits.threshold
    return over and (is_out_of_room(tokens, window) or not _is_cooling_down(entries, limits.cool_down, now))


def is_out_of_room(tokens: int, window: int) -> bool:
    """No room is left for the answer: something has to go, whatever failed before."""
    return tokens > window * OUT_OF_ROOM


def _is_cooling_down(entries: Sequence[Entry], cool_down: float, now: float) -> bool:
    for entry in reversed(entries):
        if entry.kind == kinds.HANDOFF_UNDONE and not entry.copied:
            return True
        if entry.kind == kinds.COMPRESSION and not entry.copied:
            held = payload(entry)
            failed = isinstance(held, CompressionFailed) and now - entry.at / 1e6 < cool_down
            return failed or isinstance(held, CompressionUndone)
    return False


def plan(entries: Sequence[Entry], window: int) -> Plan | None:
    """How to compress these entries of a session; None if nothing may be taken away."""
    earlier = last_compression(entries)
    start = earlier.keep_from if earlier else 0
    live = [entry for entry in entries if entry.seq >= start and entry.kind != kinds.COMPRESSION]
    keep_from = _tail_start(live, int(window * TAIL))
    gone = [entry for entry in live if entry.seq < keep_from]
    if not gone:
        return None
    said = [held.text for entry in gone if isinstance(held := payload(entry), UserInput)]
    origin = earlier or _packet(gone)
    first = origin.first if origin else (said[0] if said else "")
    demands = dict.fromkeys([*(origin.constraints if origin else ()), *_demands(said)])
    before = sum(map(size, to_messages(live)))
    head = f"Earlier summary:\n{earlier.summary}\n\n" if earlier and earlier.summary else ""
    text = material(to_messages(gone), int(window * 0.6), head)
    return Plan(keep_from, clip(first, _FIRST_LIMIT), tuple(demands), text, before)


def _packet(gone: Sequence[Entry]) -> PacketOpening | None:
    """What a session that began from a packet must not forget."""
    return next((held for entry in gone if isinstance(held := payload(entry), PacketOpening)), None)


def _demands(said: Sequence[str]) -> list[str]:
    return [sentence for text in said for sentence in constraints(text)]


def _tail_start(entries: Sequence[Entry], budget: int) -> int:
    """The seq where the kept tail begins: at a user or assistant entry, so that no call loses its result."""
    spent, keep_from = 0, entries[-1].seq + 1 if entries else 0
    for entry in reversed(entries):
        spent += estimate(entry.body)
        if spent > budget and keep_from <= entries[-1].seq:
            break
        if entry.kind in (kinds.USER, kinds.ASSISTANT, kinds.PACKET):
            keep_from = entry.seq
    return keep_from


def material(messages: Sequence[Message], budget: int, head: str = "") -> str:
    """What a model is to read of a conversation, clipped harder until it fits; the oldest goes first if nothing else
    helps.
    """
    text = ""
    for limit in _CLIPS:
        text = head + "\n\n".join(line for message in messages if (line := _line(message, limit)))
        if estimate(text) <= budget:
            return text
    while estimate(text) > budget:
        text = text[len(text) // 4 :]
    return text


def _line(message: Message, limit: int) -> str:
    if isinstance(message, UserMessage):
        return f"USER: {clip(message.text, limit)}"
    if isinstance(message, ToolMessage):
        return f"RESULT of {message.name} ({'ok' if message.ok else 'failed'}): {clip(message.text, limit)}"
    calls = [f"CALL {call.name} {clip(str(dict(call.args)), limit)}" for call in message.calls]
    return "\n".join([*([f"ASSISTANT: {clip(message.text, limit)}"] if message.text else []), *calls])


def clip(text: str, limit: int) -> str:
    """Beginning and end of a text, and how much was left out between them."""
    if len(text) <= limit:
        return text
    half = max(1, (limit - 40) // 2)
    return f"{text[:half]} […{len(text) - 2 * half:,} characters…] {text[-half:]}"


def judge(summary: str, plan: Plan, window: int) -> str:
    """Why a summary cannot be used, or an empty string. Of one that is far too long only the length is looked
    at.
    """
    text = summary.strip()
    most = max(200, int(window * SUMMARY * 1.5))
    if not text:
        return "the model answered with nothing"
    if len(text) < 20:
        return "the model's summary is too short to mean anything"
    if len(text) > most * _LONGEST_TOKEN:
        return _TOO_LONG
    readable = sum(character.isprintable() or character in "\n\t" for character in text)
    if readable < 0.95 * len(text) or "\ufffd" in text[:200]:
        return "the model's summary is not text"
    if estimate(text) > most:
        return _TOO_LONG
    if estimate(text) >= plan.before:
        return "the model's summary is longer than what it stands for"
    return ""


def render(plan: Plan, summary: str) -> str:
    """What stands in the context for everything before the tail."""
    parts = [HEADING]
    if plan.first:
        parts.append(f"{FIRST}\n> {_quote(plan.first)}")
    if plan.constraints:
        parts.append(CONSTRAINTS + "\n" + "\n".join(f"> {_quote(each)}" for each in plan.constraints))
    return "\n\n".join([*parts, f"{SUMMARY_HEADING}\n{plain(summary).strip()}"])


def _quote(text: str) -> str:
    return text.replace("\n", "\n> ")


def fallback(entries: Sequence[Entry], plan: Plan, window: int) -> str:
    """Facts by program, where no model could summarise: what was called and how it ended, newest last."""
    facts = [LOST]
    for message in to_messages(entry for entry in entries if entry.seq < plan.keep_from):
        if isinstance(message, AssistantMessage):
            facts += [f"- {call.name} {clip(str(dict(call.args)), 160)}" for call in message.calls]
        elif isinstance(message, ToolMessage) and not message.ok:
            facts.append(f"  failed: {clip(message.text, 160)}")
    budget = int(window * SUMMARY)
    while len(facts) > 1 and estimate("\n".join(facts)) > budget:
        del facts[1 : 1 + max(1, len(facts) // 4)]
    return "\n".join(facts)
