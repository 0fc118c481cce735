"""Compression, planned and judged without a model.

What is protected word for word: the system prompt and pinned rules (they are not part of what is compressed), the
person's messages as far as their share of the window goes, the one without an answer in any case, rules that were found
in what is cut, the recent tail, and calls that wait for their result. The rest goes to the model as one text to be
summarised; what comes back is judged before it replaces anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from baton.core.agent.message import AssistantMessage, Message, ToolMessage, UserMessage
from baton.core.agent.tokens import estimate
from baton.core.handoff.compression_text import Kept, clip, quote_kept
from baton.core.handoff.kept_messages import SHARE, choose, count_tokens, shorten
from baton.core.handoff.rules.find import find_rules
from baton.core.handoff.rules.rule import rule_id
from baton.core.log import entry as kinds
from baton.core.log.context import last_compression, size, to_messages, to_opening_messages
from baton.core.log.entry import Entry
from baton.core.log.kept import KeptMessage
from baton.core.log.payloads import (
    Compression,
    CompressionFailed,
    CompressionUndone,
    PacketOpening,
    UserInput,
    payload,
)
from baton.core.log.pins import find_dropped
from baton.core.log.unanswered import Unanswered, find_unanswered
from baton.core.value import replace, value

COMPRESSED = "compressed"
LOSSY = "lossy"
TIMED_OUT = "timed_out"
NOTHING = "nothing"
"""There was nothing to compress: no entry is written, no event emitted."""

THRESHOLD = 0.8
OUT_OF_ROOM = 0.95
TAIL = 0.3
SUMMARY = 0.15
_LEAST_TAIL = 0.1
_UNCROWDED = 0.1
_UNANSWERED = 0.4
"""Shares of the window. The tail gives way to messages that take more than a tenth, down to a tenth of its own; the
message without an answer is whole up to four tenths, and those before it then have less.
"""
_MATERIAL = 0.6
_LABELLED = 200
_CLIPS = (4000, 1200, 400, 120)
_LONGEST_TOKEN = 16
_NOTHING_KNOWN: Mapping[str, str] = {}
_TOO_LONG = "the model's summary is longer than what it may take"

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
    """Keep entries from `keep_from` on, and what is `kept` of those before; `text` is what the model is to summarise,
    already small enough for it. The context has `before` tokens, of them `tail` in what stays as it is.
    """

    keep_from: int
    kept: Kept
    text: str
    before: int
    tail: int = 0


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
    if not any(entry.seq < keep_from for entry in live):
        return None
    past = _Past(earlier, live, find_unanswered(reversed(live)))
    crowd = past.weigh(keep_from, window) - int(window * _UNCROWDED)
    if crowd > 0:
        keep_from = _tail_start(live, max(int(window * _LEAST_TAIL), int(window * TAIL) - crowd))
    kept = past.keep(keep_from, window)
    gone = to_messages(entry for entry in live if entry.seq < keep_from)
    tail = sum(map(size, to_messages(entry for entry in live if entry.seq >= keep_from)))
    before = sum(map(size, gone)) + tail + (sum(map(size, to_opening_messages(earlier))) if earlier else 0)
    return Plan(keep_from, kept, _to_summarise(earlier, gone, kept, window), before, tail)


class _Past:
    """What the person said before the tail, wherever that begins."""

    def __init__(self, earlier: Compression | None, live: Sequence[Entry], waits: Unanswered) -> None:
        self._live = live
        self._waits = waits
        self._dropped = find_dropped(live)
        opening = (held for entry in live if isinstance(held := payload(entry), PacketOpening))
        self._origin = earlier or next(opening, None)

    def weigh(self, keep_from: int, window: int) -> int:
        """About how many tokens `keep` gives to messages."""
        said = list(self._said_before(keep_from))
        waits = min(int(window * _UNANSWERED), sum(count_tokens(each) for each in said if each.unanswered))
        return waits + min(_room(window, waits), sum(count_tokens(each) for each in said if not each.unanswered))

    def keep(self, keep_from: int, window: int) -> Kept:
        """The first request is always among it; the message without an answer is not quoted with the others."""
        said = list(self._said_before(keep_from))
        first = self._origin.first if self._origin else said[0].words if said else ""
        waits = [each for each in said if each.unanswered]
        waits = [shorten(each, int(window * _UNANSWERED) // len(waits)) for each in waits]
        room = _room(window, sum(map(count_tokens, waits)))
        shows_first = not any(_is_same(each, first) for each in waits)
        before = [each for each in said if not each.unanswered and not _is_same(each, first)]
        first = shorten(KeptMessage(first), room // 2).words
        chosen = choose(before, room - (estimate(first) if shows_first else 0))
        kept = [each for each in chosen if each]
        rules = dict.fromkeys((*(self._origin.constraints if self._origin else ()), *_rules_in_cut(before, chosen)))
        hold = tuple(text for text in rules if rule_id(text) not in self._dropped)
        return Kept(first, (*kept, *waits), hold, len(chosen) - len(kept), shows_first)

    def _said_before(self, keep_from: int) -> Iterator[KeptMessage]:
        """What an earlier compression or the packet kept, and what was said since. If the newest message without an
        answer is in the tail, those before it are as good as answered.
        """
        waits = {entry.seq for entry in self._waits.messages if self._waits.messages[-1].seq < keep_from}
        settled = self._waits.answered or len(waits) < len(self._waits.messages)
        for each in self._origin.messages if self._origin else ():
            yield _answered(each) if settled else each
        for entry in self._live:
            held = payload(entry) if entry.kind == kinds.USER and entry.seq < keep_from else None
            if isinstance(held, UserInput) and not held.synthetic:
                waiting = entry.seq in waits
                message = KeptMessage(held.text if waiting else held.words, images=held.images, unanswered=True)
                yield message if waiting else _answered(message)


def _room(window: int, waits: int) -> int:
    """Tokens for quoted messages beside those that wait for an answer."""
    share = int(window * SHARE)
    return max(share // 4, share - waits)


def _answered(message: KeptMessage) -> KeptMessage:
    """A message that had no answer once."""
    if not message.unanswered:
        return message
    return replace(message, unanswered=False, images=(), pictures=len(message.images))


def _is_same(message: KeptMessage, first: str) -> bool:
    return message.text[:_LABELLED] == first[:_LABELLED]


def _rules_in_cut(said: Sequence[KeptMessage], chosen: Sequence[KeptMessage | None]) -> Iterator[str]:
    """What looks like a rule in messages that are not kept as they were."""
    for each, kept in zip(said, chosen, strict=True):
        if kept != each:
            yield from (rule.text for rule in find_rules(each.words))


def _to_summarise(earlier: Compression | None, gone: Sequence[Message], kept: Kept, window: int) -> str:
    head = quote_kept(kept, int(window * SHARE))
    if earlier and earlier.summary:
        head += f"Earlier summary:\n{earlier.summary}\n\n"
    known = {each.text: f"[message under KEPT: {each.text[:80]}…]" for each in kept.messages if each.whole}
    return material(gone, int(window * _MATERIAL), head, known)


def _tail_start(entries: Sequence[Entry], budget: int) -> int:
    """The seq where the kept tail begins: at a user or assistant entry, so that no call loses its result."""
    spent, keep_from = 0, entries[-1].seq + 1 if entries else 0
    for entry in reversed(entries):
        spent += _weigh(entry)
        if spent > budget and keep_from <= entries[-1].seq:
            break
        if entry.kind in (kinds.USER, kinds.ASSISTANT, kinds.PACKET):
            keep_from = entry.seq
    return keep_from


def _weigh(entry: Entry) -> int:
    """Tokens of an entry; the bytes of a picture are no text."""
    if entry.kind == kinds.USER:
        return sum(map(size, to_messages([entry])))
    return estimate(entry.body)


def material(
    messages: Sequence[Message], budget: int, head: str = "", known: Mapping[str, str] = _NOTHING_KNOWN
) -> str:
    """What a model is to read of a conversation, clipped harder until it fits; the oldest goes first if nothing else
    helps. Long messages that it has before it already (`known`) are only named.
    """
    body = ""
    room = max(budget // 4, budget - estimate(head))
    for limit in _CLIPS:
        body = "\n\n".join(line for message in messages if (line := _line(message, limit, known)))
        if estimate(body) <= room:
            return head + body
    while estimate(body) > room:
        body = body[len(body) // 4 :]
    return head + body


def _line(message: Message, limit: int, known: Mapping[str, str]) -> str:
    if isinstance(message, UserMessage):
        label = known.get(message.text, "") if len(message.text) > _LABELLED else ""
        return f"USER: {label or clip(message.text, limit)}"
    if isinstance(message, ToolMessage):
        return f"RESULT of {message.name} ({'ok' if message.ok else 'failed'}): {clip(message.text, limit)}"
    calls = [f"CALL {call.name} {clip(str(dict(call.args)), limit)}" for call in message.calls]
    return "\n".join([*([f"ASSISTANT: {clip(message.text, limit)}"] if message.text else []), *calls])


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
