"""What entries hold: one frozen value per fact.

`payload` reads an entry of any age: 0.1 wrote six facts as one kind, `note`. No entry makes a conversation unreadable;
how its JSON is read and written is in `payload_json`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baton.core.agent.message import Call, Image, Link, Usage
from baton.core.log import entry as kinds
from baton.core.log.entry import Entry, NewEntry
from baton.core.log.kept import KeptMessage
from baton.core.log.payload_json import read_text, read_value, write_value
from baton.core.log.session import UNDONE
from baton.core.value import value

COMPLETED = "completed"
CANCELLED = "cancelled"
FAILED = "failed"
WAITING = "waiting"
HANDED_OFF = "handed_over"
SUSPENDED = "suspended"
INTERRUPTED = "interrupted"
"""How a turn ends. A `waiting` turn needs your answer to a handoff; a `suspended` one is continued by the next process;
an `interrupted` one was found without an end.
"""

CUT_OFF = "cut off"
"""Why the model stopped if its turn ended while it was still speaking."""


@value
class UserInput:
    """What a turn begins with: the same value from the surface that took it to the entry that keeps it.

    `shown` is what you see where that differs from what the model gets; `synthetic` input was written by Baton itself,
    and if it is empty it only continues what waits for the model.
    `place` is where it came from and where the answer goes, `inbox` the key of its message, `sender` who wrote it,
    `transfer` the transfer that it greets for. `queued` is its name in the queue, `turn` the turn it began.
    """

    kind = kinds.USER
    text: str
    images: tuple[Image, ...] = ()
    links: tuple[Link, ...] = ()
    shown: str = ""
    synthetic: bool = False
    place: str = ""
    inbox: str = ""
    sender: str = ""
    transfer: str = ""
    queued: str = ""
    turn: str = ""

    @property
    def words(self) -> str:
        """What you wrote yourself, without the files that came with it."""
        return self.shown or self.text

    @property
    def is_guests(self) -> bool:
        """The gateway names whoever is not the owner in front of their words."""
        return bool(self.sender) and f"({self.sender}) says:\n> " in self.text[:500]


@value
class QueuedInput:
    """Input that arrived during a turn. `name` is what it is known by in the queue; `first` continues a turn that was
    interrupted, and comes before all other input.
    """

    kind = kinds.QUEUED
    input: UserInput
    name: str
    first: bool = False


@value
class AssistantStep:
    """What the model said in one step. With a `place`, `turn` and `step` are what this reply is known by there; step 0
    is a reply that was cut off. `sent` is our own estimate of the request whose tokens `usage` counts, `beside` what of
    it was sent beside the entries.
    """

    kind = kinds.ASSISTANT
    text: str
    calls: tuple[Call, ...]
    model: str
    stop: str
    usage: Usage | None = None
    reasoning: str = ""
    place: str = ""
    turn: str = ""
    step: int = 0
    sent: int = 0
    beside: int = 0


@value
class ToolCall:
    """A call that is about to run: stored before its effect."""

    kind = kinds.TOOL_CALL
    id: str
    name: str
    args: Mapping[str, Any]
    title: str


@value
class ToolResult:
    """`text` is what the model is told; `details` holds exit code, diff, log path and the like, by tool."""

    kind = kinds.TOOL_RESULT
    id: str
    name: str
    text: str
    ok: bool
    details: Mapping[str, Any]


@value
class Compression:
    """A compression in force: `text` stands for everything before entry `keep_from`. `turn` is the turn that was open.
    A split's `tail` says how many of the entries after it are copies.

    `first`, `messages` and `constraints` are what it keeps word for word, and the next one after it; `dropped` older
    messages of the person are only summarised. `before` and `after` are tokens of the context, `usage` is what the
    summary cost. The last request before it was `sent` by our estimate and `counted` by the provider, `beside` was sent
    beside the entries: by these the new context is measured.
    """

    kind = kinds.COMPRESSION
    outcome: str
    error: str
    seconds: float
    keep_from: int
    first: str
    constraints: tuple[str, ...]
    summary: str
    text: str
    before: int
    turn: str = ""
    tail: int = 0
    messages: tuple[KeptMessage, ...] = ()
    dropped: int = 0
    after: int = 0
    usage: Usage | None = None
    counted: int = 0
    sent: int = 0
    beside: int = 0


@value
class CompressionFailed:
    """A compression that replaced nothing: it failed or timed out."""

    kind = kinds.COMPRESSION
    outcome: str
    error: str
    seconds: float
    turn: str = ""
    usage: Usage | None = None


@value
class CompressionPutOff:
    """A compression was due in this turn, and was not tried because the last one had failed a short while before."""

    kind = kinds.COMPRESSION_PUT_OFF
    turn: str


@value
class ContextWarned:
    """You were told that the context is filling up, at this many tokens."""

    kind = kinds.CONTEXT_WARNED
    tokens: int


@value
class CompressionUndone:
    """You took back a compression that is entry `seq` of `session` and `was` compressed or lossy. As the first entry
    of a session, `tail` says how many of the entries after it are copies.
    """

    kind = kinds.COMPRESSION
    always = ("outcome",)
    session: str
    seq: int
    was: str
    tail: int = 0
    outcome: str = UNDONE


@value
class PacketOpening:
    """The packet that a fresh session begins with. `first`, `messages` and `constraints` are what a compression must
    protect, `because` is what people are told; `turn` is the turn that continues here. The context had `before` tokens,
    `usage` is what the narrative cost, `beside` how much is sent beside the entries.
    """

    kind = kinds.PACKET
    text: str
    packet: str
    sha256: str
    path: str
    first: str
    constraints: tuple[str, ...]
    because: str = ""
    turn: str = ""
    messages: tuple[KeptMessage, ...] = ()
    before: int = 0
    usage: Usage | None = None
    beside: int = 0


@value
class TurnEnd:
    """The end of a turn. `silent` if it came from a place and nothing was said there."""

    kind = kinds.TURN_ENDED
    always = ("error",)
    turn: str
    end: str
    error: str = ""
    place: str = ""
    silent: bool = False


@value
class TurnInterrupted:
    """A turn found without an end. The model is told `text`. `suspended` if a process stopped it in good order."""

    kind = kinds.TURN_INTERRUPTED
    turn: str
    text: str
    suspended: bool = False


@value
class InputWithdrawn:
    """Input was taken out of the queue before its turn."""

    kind = kinds.INPUT_WITHDRAWN
    queued: str


@value
class HandoffAsked:
    """A turn was stopped to ask you about a draft. `reason` is one of the policy's, `also` are others that spoke for a
    handoff at that time; `doubt` says why you were asked.
    """

    kind = kinds.HANDOFF_ASKED
    draft: str
    reason: str
    doubt: str = ""
    also: tuple[str, ...] = ()


@value
class HandoffDeclined:
    """You said no to a draft, or closed the question, for the reasons that you were asked for. An empty `reason` stands
    for all of them.
    """

    kind = kinds.HANDOFF_DECLINED
    draft: str
    reason: str = ""
    also: tuple[str, ...] = ()


@value
class HandoffFailed:
    """A handoff that the policy wanted could not be made."""

    kind = kinds.HANDOFF_FAILED
    error: str


@value
class HandoffUndone:
    """You took back the handoff that had begun `session`. The first entry of the session that continues instead;
    `tail` says how many of the entries after it are copies.
    """

    kind = kinds.HANDOFF_UNDONE
    session: str
    tail: int = 0


@value
class WorkspaceVerified:
    """The workspace was compared with the packet that the session began from. The model is told `text`."""

    kind = kinds.WORKSPACE_VERIFIED
    packet: str
    text: str
    drift: bool = False
    count: int = 0
    differences: tuple[Mapping[str, Any], ...] = ()


@value
class RulePinned:
    """You pinned a rule: it holds in every later session too, until you drop it. `number` is what you call it by."""

    kind = kinds.RULE_PINNED
    id: str
    number: int
    text: str


@value
class RuleDropped:
    """You dropped a rule by its id: one that you had pinned, or one that was found in what you said."""

    kind = kinds.RULE_DROPPED
    rule: str
    text: str = ""


@value
class Note:
    """Something about the record itself: what an import could not place, or what a repair could not save."""

    kind = kinds.NOTE
    text: str = ""
    error: str = ""


Payload = (
    UserInput
    | QueuedInput
    | AssistantStep
    | ToolCall
    | ToolResult
    | Compression
    | CompressionFailed
    | CompressionUndone
    | PacketOpening
    | TurnEnd
    | TurnInterrupted
    | InputWithdrawn
    | CompressionPutOff
    | ContextWarned
    | HandoffAsked
    | HandoffDeclined
    | HandoffFailed
    | HandoffUndone
    | WorkspaceVerified
    | RulePinned
    | RuleDropped
    | Note
)

_PLAIN: dict[str, type[Payload]] = {
    each.kind: each
    for each in (
        UserInput,
        AssistantStep,
        ToolCall,
        PacketOpening,
        TurnEnd,
        TurnInterrupted,
        InputWithdrawn,
        CompressionPutOff,
        ContextWarned,
        HandoffAsked,
        HandoffDeclined,
        HandoffFailed,
        HandoffUndone,
        WorkspaceVerified,
        RulePinned,
        RuleDropped,
    )
}


def is_effective(outcome: str) -> bool:
    """Whether a compression of this outcome replaced part of the context."""
    return outcome in ("compressed", "lossy")


def payload(entry: Entry) -> Payload:
    """What an entry holds. A kind that this version does not know reads as a `Note`."""
    return read(entry.kind, entry.data)


def read(kind: str, data: Mapping[str, Any]) -> Payload:
    """What an entry of this kind and JSON holds."""
    if kind == kinds.TOOL_RESULT:
        return read_value(ToolResult, {"ok": True, **data})
    if cls := _PLAIN.get(kind):
        return read_value(cls, data)
    if kind == kinds.COMPRESSION:
        return _read_compression(str(data.get("outcome", "")), data)
    if kind == kinds.QUEUED:
        given = {name: held for name, held in data.items() if name != "turn"}
        return QueuedInput(read_value(UserInput, given), read_text(data.get("turn")), bool(data.get("first")))
    return _read_note(data)


def _read_compression(outcome: str, data: Mapping[str, Any]) -> Payload:
    if outcome == UNDONE:
        return read_value(CompressionUndone, data)
    return read_value(Compression if is_effective(outcome) else CompressionFailed, data)


def _read_note(data: Mapping[str, Any]) -> Payload:
    """A note as 0.1 wrote it: which fact it is shows in its keys."""
    if "verified" in data:
        return read_value(WorkspaceVerified, {**data, "packet": data["verified"]})
    if "handoff" in data:
        return read_value(HandoffDeclined if data["handoff"] == "declined" else HandoffFailed, data)
    if data.get("taken_back"):
        return read_value(InputWithdrawn, data)
    if "end" in data and "turn" in data:
        return read_value(TurnInterrupted if data["end"] == INTERRUPTED else TurnEnd, data)
    return read_value(Note, data)


def new_entry(holds: Payload, tokens: int = 0) -> NewEntry:
    """An entry to append."""
    return NewEntry(holds.kind, to_json(holds), tokens)


def to_json(holds: Payload) -> dict[str, Any]:
    """The JSON form of a payload."""
    if isinstance(holds, QueuedInput):
        return {**write_value(holds.input), "turn": holds.name, **({"first": True} if holds.first else {})}
    return write_value(holds)
