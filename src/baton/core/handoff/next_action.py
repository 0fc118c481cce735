"""Whose move it is, and what the agent does next, according to the record.

In this order: what you said when you refused a call, your unanswered words, the plan item in work, a check that fails
now. A refused call, a look-up and a command that only ran once are never the next action.
"""

from __future__ import annotations

from baton.core.handoff.ledger import exchange as states
from baton.core.handoff.ledger import fact as facts
from baton.core.handoff.ledger.exchange import Exchange, is_since
from baton.core.handoff.ledger.fact import Fact, Ledger
from baton.core.handoff.ledger.words import keep_ends, keep_start, last_words
from baton.core.value import value

FLOORS = {
    states.OPEN: "the agent's: the last message is not answered yet.",
    states.INTERRUPTED: "the agent's: the last request was interrupted before it was finished.",
    states.REFUSED: "the agent's: the person refused a call and nothing was done since.",
    states.WAITING: "the person's: the agent asked something and waits for the answer.",
    states.ANSWERED: "the person's: the agent has answered the last message.",
}
IN_THE_MIDDLE = "the agent's: it is in the middle of the last request."
NOBODY_ASKED = "the person's: nothing was asked yet."

ANSWER = "answer"
FOLLOW_REFUSAL = "follow_refusal"
ASK = "ask"
FIND_OUT = "find_out"
PLAN = "plan"
FIX = "fix"
CONTINUE = "continue"
WAIT = "wait"
_REMARK = 48
"""How many bytes a message may have that is about the request it broke off, or only says to continue. In bytes, since
scripts that say more with a character need more of them for it.
"""
_LIVE = 3
"""For so many sessions a failure that nobody ran again is live."""
_STOPPED = (130, 143)
"""Exit codes of what Ctrl+C or a polite kill ended."""

_YOUR_ANSWER = "your answer to: “{question}”"
_YOUR_MOVE = "what you say; your last message was answered."
_YOUR_MOVE_AND_PLAN = (
    "what you say; your last message was answered. An earlier plan was left with “{item}” open; it continues only if "
    "you want that."
)
_YOUR_MESSAGE = "an answer to your last message: “{asked}”"
_YOUR_REFUSAL = "what you said when you refused {call}: “{words}”"
_FIND_OUT = "Find out what `{call}` did before you do anything else: it was started and its outcome is unknown."
_WAIT_FOR_ANSWER = "Wait for the person's answer to: “{question}” Do nothing before it comes."
_NOTHING_LEFT = "Wait for what the person says next: the last message was answered."
_PLAN_LEFT = (
    "Wait for what the person says next: the last message was answered. An earlier plan was left with “{item}” open; "
    "continue it only if the person wants that."
)
_FOLLOW = "Do what the person said when they refused {call}: “{words}” Do not run the refused call."


@value
class NextAction:
    """`kind` for programs, `text` for models, `told` for the person it speaks of. `asks` is what it would do, in the
    words of whoever wants it: that is assessed for risk, and a call that was refused is no part of it.
    """

    kind: str
    text: str
    asks: str = ""
    told: str = ""

    @property
    def for_you(self) -> str:
        """The same for the person whose conversation it is."""
        return self.told or self.text


def describe_floor(ledger: Ledger) -> str:
    """Whose move it is, in words."""
    last = ledger.last
    if last is None:
        return NOBODY_ASKED
    return IN_THE_MIDDLE if last.state == states.OPEN and _has_begun(last) else FLOORS[last.state]


def next_action(ledger: Ledger) -> NextAction:
    last = ledger.last
    if last is None:
        return NextAction(WAIT, "Wait for the first request.", told="your first request.")
    if last.state == states.REFUSED:
        return _after_refusal(last)
    unknown = _unknown_call(ledger)
    if unknown and last.state in (states.OPEN, states.INTERRUPTED):
        return NextAction(FIND_OUT, _FIND_OUT.format(call=keep_start(unknown.text, 160)))
    if last.state == states.OPEN and not _has_begun(last):
        asked = keep_ends(last.asked, 400)
        text = f"Answer the person's last message: “{asked}”{_context(ledger, last)}"
        return NextAction(ANSWER, text, last.asked, _YOUR_MESSAGE.format(asked=asked))
    return _work_left(ledger, last)


def _work_left(ledger: Ledger, last: Exchange) -> NextAction:
    left = ledger.of(facts.PLAN, facts.OPEN)
    doing = [fact for fact in left if fact.data.get("doing")]
    if last.state == states.WAITING:
        question = last_words(last.reply, 300)
        told = _YOUR_ANSWER.format(question=question)
        return NextAction(WAIT, _WAIT_FOR_ANSWER.format(question=question), told=told)
    unfinished = last.state in (states.OPEN, states.INTERRUPTED)
    plan = doing or (left if unfinished else [])
    if plan and _is_meant(plan[0].at, last, unfinished=unfinished):
        return NextAction(PLAN, f"Continue with the plan: {keep_start(plan[0].text, 200)}", plan[0].text)
    if failing := _failing_checks(ledger, last, unfinished=unfinished):
        again = " It was started again and its result is unknown." if failing[-1].data.get("again") else ""
        return NextAction(FIX, f"Make `{keep_start(failing[-1].text, 160)}` pass.{again}")
    if unfinished:
        told = f"Continue the last request: “{keep_ends(last.asked, 160)}”{_context(ledger, last, 120)}"
        return NextAction(CONTINUE, told, last.asked)
    if not plan:
        return NextAction(WAIT, _NOTHING_LEFT, told=_YOUR_MOVE)
    item = keep_start(plan[0].text, 200)
    return NextAction(WAIT, _PLAN_LEFT.format(item=item), told=_YOUR_MOVE_AND_PLAN.format(item=item))


def _failing_checks(ledger: Ledger, last: Exchange, *, unfinished: bool) -> list[Fact]:
    """What is to be made to pass. Once the agent has answered, no failure from before the message: it is the person's
    move. Nor one after which they refused a call for good: the agent told them where it stopped.
    """
    found = [
        fact
        for fact in live_failures(ledger)
        if fact.data.get("check")
        and not _was_refused(fact, ledger)
        and _is_meant(str(fact.data.get("again") or fact.at), last, unfinished=unfinished)
    ]
    stops = [refusal.at for refusal in last.refusals if not refusal.ran and not unfinished]
    return [fact for fact in found if not any(is_since(stop, fact.at) for stop in stops)]


def _is_meant(at: str, last: Exchange, *, unfinished: bool) -> bool:
    """Whether work known since `at` is what the last message is about. It came up after the message, or the message is
    a remark on it; whoever says more than that has asked for something else meanwhile.
    """
    return is_since(at, last.at) or (unfinished and _is_remark(last))


def _is_remark(last: Exchange) -> bool:
    return len(last.asked.encode("utf-8", "replace")) <= _REMARK


def _context(ledger: Ledger, last: Exchange, limit: int = 300) -> str:
    """What a short message is about, and the request before it that is still in work."""
    before = ledger.exchanges[-2] if len(ledger.exchanges) > 1 else None
    if before and before.state == states.OPEN and _has_begun(before):
        return f" The request before it is still in work: “{keep_ends(before.asked, limit)}”"
    if before and before.state == states.INTERRUPTED and (before.error or _is_remark(last)):
        return f" The request before it was interrupted: “{keep_ends(before.asked, limit)}”"
    return f" It answers: “{last_words(last.question, limit)}”" if last.question else ""


def _after_refusal(last: Exchange) -> NextAction:
    refusal = last.refusals[-1] if last.refusals else None
    call = f"`{keep_start(refusal.call, 160)}`" if refusal else "the call"
    if refusal and refusal.words:
        said = {"call": call, "words": keep_ends(refusal.words, 400)}
        text, told = _FOLLOW.format(**said), _YOUR_REFUSAL.format(**said)
        return NextAction(FOLLOW_REFUSAL, text, refusal.words, told)
    text = f"Ask the person how to continue: they refused {call} without saying why. Do not run it."
    return NextAction(ASK, text, told=f"a question for you: you refused {call} without saying why.")


def _has_begun(last: Exchange) -> bool:
    return bool(last.reply or last.produced or last.files or last.answers or last.plan or last.begun)


def _unknown_call(ledger: Ledger) -> Fact | None:
    """The last call that was started, would change something, and has no recorded outcome."""
    started = [fact for fact in ledger.of(facts.PENDING) if fact.data.get("started") and fact.data.get("changes")]
    return started[-1] if started else None


def live_failures(ledger: Ledger) -> list[Fact]:
    """Checks and changes that failed the last time they ran, in this session or one of the last before it. What nobody
    has run since then is history, and so is a change that failed in a task which was answered before another began.
    """
    return [fact for fact in recent_failures(ledger) if fact.data.get("check") or _is_at_hand(fact, ledger)]


def recent_failures(ledger: Ledger) -> list[Fact]:
    """Those that are live, and changes that failed lately for something the person no longer waits for."""
    oldest = ledger.generation - _LIVE
    failed = [fact for fact in ledger.of(facts.ERROR, facts.OPEN) if int(fact.data.get("seen", fact.born)) > oldest]
    return [fact for fact in failed if fact.data.get("check") or fact.data.get("change")]


def _is_at_hand(fact: Fact, ledger: Ledger) -> bool:
    """Whether the person still waits for what a failed change was for. A check says how the work is; a command that
    changes something was one way to do what was asked then. One that was stopped, as servers are, did not fail.
    """
    if fact.data.get("exit") in _STOPPED:
        return False
    at = str(fact.data.get("again") or fact.at)
    own = next((each for each in reversed(ledger.exchanges) if not is_since(each.at, at)), None)
    if own is None:
        return not ledger.folded
    return own.state != states.ANSWERED or own.task == ledger.exchanges[-1].task


def _was_refused(fact: Fact, ledger: Ledger) -> bool:
    refusals = [refusal for each in ledger.exchanges for refusal in each.refusals if not refusal.ran]
    return any(fact.text in refusal.call for refusal in refusals)
