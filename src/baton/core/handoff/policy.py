"""What a session does at a safe boundary: the one place that decides.

Three pure functions, and nothing else. `decide`, before each request, is a function of the policy and the session's
situation. Its answers, first that fits:

| situation                                                       | decision            |
|-----------------------------------------------------------------|---------------------|
| a handoff is due, and as many as may be were made unasked       | Ask                 |
| a handoff is due, and the last ones came as soon as they could  | Ask                 |
| a handoff is due, and the mode is `prompt_user`                 | Ask                 |
| a handoff is due                                                | HandOff             |
| the model asked for one, and automatic handoffs are off         | Ask                 |
| the context is over its threshold, and compression may be tried | Compress            |
| the context does not fit the window                             | Stop                |
| anything else                                                   | Proceed             |

A handoff is due, with automatic handoffs on, for the first of these reasons that you have not refused:

| reason                 | when                                                                               |
|------------------------|------------------------------------------------------------------------------------|
| model_request          | the model asked for one                                                            |
| compression_failure    | a compression failed or was lossy, and `on_compression_failure` is on              |
| compression_timeouts   | two compressions timed out                                                         |
| compression_cool_downs | in two turns a compression was due, and put off because the last one had failed    |
| compressions           | the session was compressed `after_compressions` times                              |
| tokens                 | the prompt is over `max_prompt_tokens`, or, where that is not set, over nine tenths |
|                        | of the window after a compression                                                  |

None is due in a session that has just begun from a packet, and it is not compressed as long as it fits: there is
nothing in it but the packet and your message. If you say no or close the question, the reasons that spoke for it then
are refused; if you took a handoff back or it failed, all are. That holds until something changes: another compression,
or another request of the model.

As many as may be made unasked, one after another, is `max_auto_handoffs`, and never more than MOST_IN_A_ROW. A session
with fewer than SHORT entries did next to nothing; after MOST_SHORT of them in a row you are asked, whatever is set:
then the limits are such that every session is handed off as soon as it has begun.

`review`, once the packet is written, is a function of the policy and of what was found while writing it:

| finding                                                         | decision            |
|-----------------------------------------------------------------|---------------------|
| the packet lacks something it should hold                       | Ask                 |
| a call waits for your yes                                       | Ask                 |
| the next step is risky: it cannot be undone, or reaches outside | Ask                 |
| changes could not be kept, and `require_clean_checkpoint` is on | Ask                 |
| anything else                                                   | HandOff             |

`warning` says, before that happens, that the context is filling up and what comes next:

| situation                                                       | what comes next                   |
|-----------------------------------------------------------------|-----------------------------------|
| `max_prompt_tokens` comes before the compression                | a fresh session, or the question  |
| the next compression makes a handoff due                        | a compression, then as above      |
| anything else                                                   | a compression                     |
"""

from __future__ import annotations

from collections.abc import Callable

from baton.core.value import value

FRESH_SESSION = "fresh_session"
FRESH_PROCESS = "fresh_process"
PROMPT_USER = "prompt_user"
HANDOFF_MODES = (FRESH_SESSION, FRESH_PROCESS, PROMPT_USER)

COMPRESSIONS = "compressions"
TOKENS = "tokens"
FAILURE = "compression_failure"
TIMEOUTS = "compression_timeouts"
COOL_DOWNS = "compression_cool_downs"
MODEL = "model_request"
USER = "user_request"
REASONS = (COMPRESSIONS, TOKENS, FAILURE, TIMEOUTS, COOL_DOWNS, MODEL, USER)
ALL_REASONS = ""
"""Among what was refused, it stands for every reason."""

MOST_IN_A_ROW = 100
MOST_SHORT = 10
SHORT = 12
QUESTION = "Continue in a fresh session?"
CROWDED = 0.9
FILLING = 0.85
_TIMEOUTS = 2
_COOL_DOWNS = 2


@value
class Policy:
    """`agent.auto_handoff_on_compression`, as the engine uses it."""

    enabled: bool = False
    after_compressions: int = 2
    max_prompt_tokens: int | None = None
    on_compression_failure: bool = True
    mode: str = FRESH_SESSION
    max_auto_handoffs: int = 3
    require_clean_checkpoint: bool = True


@value
class Situation:
    """A session at a safe boundary. `put_off` counts turns in which a compression was due and had to wait; `fresh` if
    nothing was done since the packet it began from; `handoffs` counts the automatic ones since you last decided and
    `short` how many of the last of them in a row ended a short session; `refused` holds reasons, or ALL_REASONS.
    """

    tokens: int = 0
    window: int = 0
    compress_above: int = 0
    may_compress: bool = True
    compressions: int = 0
    lossy: int = 0
    failed: int = 0
    timed_out: int = 0
    put_off: int = 0
    handoffs: int = 0
    short: int = 0
    requested: str = ""
    fresh: bool = False
    refused: frozenset[str] = frozenset()

    def has_refused(self, reason: str) -> bool:
        return reason in self.refused or ALL_REASONS in self.refused


@value
class Findings:
    """What writing a packet showed: what it lacks, the call that waits for a yes, what is risky about the next step,
    and why changes of the work tree could not be kept.
    """

    shortfalls: tuple[str, ...] = ()
    unapproved: str = ""
    risk: str = ""
    unsaved: str = ""


@value
class Proceed:
    pass


@value
class Compress:
    pass


@value
class HandOff:
    """`reason` is one of REASONS; `because` says it to people. With `new_process` it continues in another process."""

    reason: str
    because: str
    new_process: bool = False


@value
class Ask:
    """As `HandOff`, with what stands against it unless you say yes."""

    reason: str
    because: str
    doubt: str


@value
class Stop:
    because: str


Decision = Proceed | Compress | HandOff | Ask | Stop


def decide(policy: Policy, now: Situation) -> Decision:
    due = _due(policy, now) if policy.enabled and not now.fresh else None
    if due:
        doubt = _doubt(policy, now)
        return Ask(due.reason, due.because, doubt) if doubt else due
    if now.requested and not policy.enabled and not now.has_refused(MODEL):
        return Ask(MODEL, _model_asked(now), "The model asked for it, and automatic handoffs are off.")
    if now.tokens > now.compress_above > 0 and now.may_compress and not (now.fresh and now.tokens <= now.window):
        return Compress()
    if now.tokens > now.window > 0:
        return Stop(f"The context has {now.tokens:,} tokens and the model's window {now.window:,}.")
    return Proceed()


def review(policy: Policy, due: HandOff, found: Findings) -> HandOff | Ask:
    doubts = objections(policy, found)
    return Ask(due.reason, due.because, " ".join(doubts)) if doubts else due


def objections(policy: Policy, found: Findings) -> tuple[str, ...]:
    """What stands against continuing from a packet unless you say yes, a sentence each."""
    doubts = [f"The packet is too poor: {each}." for each in found.shortfalls]
    if found.unapproved:
        doubts.append(f"The next step needs a person: {found.unapproved} waits for approval.")
    elif found.risk:
        doubts.append(f"The next step needs a person: {found.risk}.")
    if found.unsaved and policy.require_clean_checkpoint:
        doubts.append(f"The work tree has changes that could not be kept: {found.unsaved}")
    return tuple(doubts)


def warning(policy: Policy, now: Situation) -> str:
    """How full the context is and what comes next, once little room is left before that; otherwise nothing."""
    own = policy.max_prompt_tokens if policy.enabled else None
    first = own is not None and (own < now.compress_above or not now.compress_above)
    limit = own if own is not None and first else now.compress_above
    if not limit * FILLING < now.tokens <= limit or not now.window:
        return ""
    full = f"The context is {now.tokens / now.window:.0%} full ({now.tokens:,} of {now.window:,} tokens)."
    if first:
        return f"{full} Above {limit:,} tokens {_fresh_session(policy, now)}."
    compressed = f"Above {limit / now.window:.0%} it is compressed: a summary replaces its older part."
    return f"{full} {compressed}{_then(policy, now)}"


def _then(policy: Policy, now: Situation) -> str:
    last = policy.enabled and now.compressions + 1 >= policy.after_compressions
    return f" After that {_fresh_session(policy, now)}." if last else ""


def _fresh_session(policy: Policy, now: Situation) -> str:
    return "you are asked about a fresh session" if _doubt(policy, now) else "the work continues in a fresh session"


def _doubt(policy: Policy, now: Situation) -> str:
    most = min(policy.max_auto_handoffs, MOST_IN_A_ROW)
    if now.handoffs >= most:
        told = f"{now.handoffs} automatic handoffs in a row were made, and no more are allowed without asking."
        return f"{told if most else 'None is allowed without asking.'} {QUESTION}"
    if now.short >= MOST_SHORT:
        return f"The last {now.short} sessions were handed off almost as soon as they had begun. {QUESTION}"
    return QUESTION if policy.mode == PROMPT_USER else ""


def find_due(policy: Policy, now: Situation) -> tuple[str, ...]:
    """Every reason that speaks for a handoff now, refused ones too."""
    return tuple(reason for reason, because in _TRIGGERS if because(policy, now))


def _due(policy: Policy, now: Situation) -> HandOff | None:
    for reason, because in _TRIGGERS:
        if not now.has_refused(reason) and (text := because(policy, now)):
            return HandOff(reason, text, policy.mode == FRESH_PROCESS)
    return None


def _model_asked(now: Situation) -> str:
    return f"The model asked for a fresh session: {now.requested}" if now.requested else ""


def _over_compressions(policy: Policy, now: Situation) -> str:
    if now.compressions < policy.after_compressions:
        return ""
    return f"Session compressed {now.compressions} time{'s' if now.compressions != 1 else ''}"


def _over_failures(policy: Policy, now: Situation) -> str:
    if not policy.on_compression_failure or not (now.lossy or now.failed):
        return ""
    return "A compression lost context" if now.lossy else "A compression failed"


def _over_timeouts(_: Policy, now: Situation) -> str:
    return f"{now.timed_out} compressions timed out" if now.timed_out >= _TIMEOUTS else ""


def _over_cool_downs(_: Policy, now: Situation) -> str:
    return f"A compression was put off {now.put_off} times" if now.put_off >= _COOL_DOWNS else ""


def _over_tokens(policy: Policy, now: Situation) -> str:
    limit = policy.max_prompt_tokens or int(now.window * CROWDED)
    limited = policy.max_prompt_tokens is not None or now.compressions > 0
    return (
        f"The prompt has {now.tokens:,} tokens, over the limit of {limit:,}"
        if 0 < limit < now.tokens and limited
        else ""
    )


_TRIGGERS: tuple[tuple[str, Callable[[Policy, Situation], str]], ...] = (
    (MODEL, lambda _, now: _model_asked(now)),
    (FAILURE, _over_failures),
    (TIMEOUTS, _over_timeouts),
    (COOL_DOWNS, _over_cool_downs),
    (COMPRESSIONS, _over_compressions),
    (TOKENS, _over_tokens),
)
