"""What happens in a turn, as one typed stream for every surface.

Order, guaranteed whatever fails:

- `TurnStarted` comes first. `TurnEnded` comes exactly once and last, even after a cancel, an error or a tool's crash.
- Each `StepStarted` is followed by any number of `TextAdded` and `ReasoningAdded`, then one `StepEnded`, unless the
  turn ends inside the step.
- Each `ToolStarted` is followed by its `ToolOutput`s and exactly one `ToolEnded` with the same call id before
  `TurnEnded`. `ApprovalAsked` comes before the `ToolStarted` of its call; a call that is refused has no `ToolStarted`
  but still one `ToolEnded`. Between them comes one `ApprovalAnswered`, unless the turn is stopped first.
- `CompressionStarted` is followed by `Compressing` at least every second and exactly one `CompressionEnded`.
- `HandoffStarted` is followed by `HandoffStep` at least every second and exactly one `HandoffEnded`; before it comes
  `HeadAdvanced` if the head moved, or `HandoffOffered` if you are asked.
- `HeadAdvanced` carries the new session; every later event of the turn belongs to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from baton.core.agent.message import Usage
from baton.core.value import value


@value
class TurnStarted:
    """`place` is where its input came from and its answer goes, if that is a place."""

    turn_id: str
    conversation_id: str
    session_id: str
    place: str = ""


@value
class Queued:
    """Input that arrived during a turn; it is the input of a turn of its own, in order of arrival."""

    text: str
    position: int


@value
class Pressure:
    """How full the context is before a step. `reported` tells a provider's count from an estimate."""

    tokens: int
    window: int
    reported: bool


@value
class StepStarted:
    number: int


@value
class TextAdded:
    text: str


@value
class ReasoningAdded:
    text: str


@value
class StepEnded:
    """All that the model said in this step, what the provider counted, and why it stopped: stop, calls, length or
    refusal.
    """

    text: str
    usage: Usage
    stop: str = ""


@value
class ApprovalAsked:
    """The turn waits for an answer to exactly these arguments. `handle` names this question and no other, on every
    surface. `asks` is the question as a person reads it, `offers` are the answers it takes (`core.agent.choice`), and
    `begins` the words that "always commands that begin so" would allow.
    """

    call_id: str
    tool: str
    args: Mapping[str, Any]
    reason: str
    preview: str
    title: str = ""
    handle: str = ""
    asks: str = ""
    begins: str = ""
    offers: tuple[str, ...] = ("yes", "always", "no")


@value
class ApprovalAnswered:
    """`elsewhere` says how and where, in words, if the answer came from another surface than the one that asked."""

    call_id: str
    allowed: bool
    elsewhere: str = ""


@value
class ModeChanged:
    """What tools may do without asking is different from now on, because of an answer: `mode` is the new one."""

    mode: str


@value
class ToolStarted:
    call_id: str
    tool: str
    args: Mapping[str, Any]
    title: str


@value
class ToolOutput:
    call_id: str
    text: str


@value
class ToolEnded:
    """`text` is what the model is told. `details` holds exit code, diff, log path and the like, by tool."""

    call_id: str
    tool: str
    ok: bool
    text: str
    details: Mapping[str, Any]


@value
class PlanChanged:
    """Items as (text, state): pending, doing or done."""

    items: tuple[tuple[str, str], ...]


@value
class Retrying:
    """The model could not be reached and is asked again in `seconds`."""

    attempt: int
    seconds: float
    reason: str


@value
class CompressionStarted:
    """`kept` says what stays word for word, in plain words: `14 of your messages, 3 of them shortened`."""

    tokens: int
    window: int
    kept: tuple[str, ...]


@value
class Compressing:
    seconds: float


@value
class CompressionEnded:
    """`outcome` is compressed, lossy, failed, timed_out or cancelled. The context had `before` tokens and has `after`;
    `usage` is what asking for the summary cost, failed tries included.
    """

    outcome: str
    before: int
    after: int
    seconds: float
    error: str
    usage: Usage = Usage()


@value
class HeadAdvanced:
    session_id: str
    previous_id: str
    edge: str
    reason: str


@value
class HandoffStarted:
    """A packet is being written. `because` is a sentence without its full stop."""

    reason: str
    because: str


@value
class HandoffStep:
    """What the handoff is doing, at least every second; `seconds` since it began."""

    step: str
    seconds: float


@value
class PacketWritten:
    """A packet is kept. `share` of its facts are in the text, `secrets` were taken out; `checkpoint` holds what was not
    committed, if anything; `usage` is what its narrative cost.
    """

    path: str
    tokens: int
    share: float
    secrets: int
    checkpoint: str
    usage: Usage = Usage()


@value
class HandoffOffered:
    """A draft waits for your yes. `doubt` says why you are asked first; `shortfalls` what the packet lacks.

    `resumes` if the turn was stopped for it and should continue after the answer.
    """

    draft_id: str
    packet_id: str
    path: str
    tokens: int
    reason: str
    because: str
    doubt: str
    shortfalls: tuple[str, ...]
    resumes: bool


@value
class HandoffEnded:
    """`outcome` is done, offered or failed. If the head moved, `HeadAdvanced` with the new session comes first, and the
    context had `before` tokens and has `after`.
    """

    outcome: str
    path: str
    tokens: int
    error: str = ""
    before: int = 0
    after: int = 0


@value
class ProcessWanted:
    """The conversation continues in a new process: the surface ends this one and starts it."""

    conversation_id: str


@value
class Noticed:
    """Something you should know that does not end the turn. `code` is stable; `text` is the sentence."""

    code: str
    text: str


@value
class TurnEnded:
    """`reason` is completed, cancelled, failed, suspended (for the next process), waiting (for your answer to a
    handoff) or handed_over (to another process); an error is a sentence for people with a stable code.
    """

    turn_id: str
    reason: str
    usage: Usage
    error_code: str = ""
    error: str = ""


Event = (
    TurnStarted
    | Queued
    | Pressure
    | StepStarted
    | TextAdded
    | ReasoningAdded
    | StepEnded
    | ApprovalAsked
    | ApprovalAnswered
    | ModeChanged
    | ToolStarted
    | ToolOutput
    | ToolEnded
    | PlanChanged
    | Retrying
    | CompressionStarted
    | Compressing
    | CompressionEnded
    | HeadAdvanced
    | HandoffStarted
    | HandoffStep
    | PacketWritten
    | HandoffOffered
    | HandoffEnded
    | ProcessWanted
    | Noticed
    | TurnEnded
)

Emit = Callable[[Event], None]
"""Where events go: never blocks, never raises."""
