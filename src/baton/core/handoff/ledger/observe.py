"""What one session's entries show, before it is merged with what earlier ones did."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from baton.core.handoff.ledger.dialogue import CALL, Dialogue, name_call
from baton.core.handoff.ledger.exchange import Exchange
from baton.core.handoff.ledger.produced import find_linked, find_produced
from baton.core.handoff.ledger.questions import find_question, name_question
from baton.core.handoff.ledger.runs import Runs, changes_something, removed_paths
from baton.core.handoff.ledger.words import keep_ends, sentences
from baton.core.log import entry as kinds
from baton.core.log.entry import Entry
from baton.core.log.payloads import (
    AssistantStep,
    Payload,
    RuleDropped,
    RulePinned,
    ToolCall,
    ToolResult,
    TurnEnd,
    UserInput,
    read,
)
from baton.core.text import fold_spaces
from baton.core.value import value

_DECIDES = ("decided", "instead of", "rather than", "because", "chose", "going with", "opted")
_DECIDING = re.compile(rf"\b(?:{'|'.join(_DECIDES)})\b", re.IGNORECASE)
_DECISION_LIMIT = 320
_SAID = 4000
_ARGUMENT = 20_000
_CHANGING = ("edit", "write")
_READING = ("read", "list", "search", "fetch", "recall", "show")
_STEPS = 60
_SNIPPET = 240


@value
class Started:
    """A call that has no result yet."""

    name: str
    purpose: str
    shown: str
    at: str
    started: bool
    changes: bool
    question: str = ""


class Observed:
    """Everything by its raw normal form; secrets are still in it."""

    def __init__(self, generation: int = 1, carried: Exchange | None = None) -> None:
        self.dialogue = Dialogue(generation, carried)
        self.messages: list[tuple[str, str]] = []
        self.files: dict[str, tuple[str, str]] = {}
        self.reads: dict[str, str] = {}
        self.runs = Runs()
        self.ran: dict[str, str] = {}  # only calls whose name is all of them
        self.plan: dict[str, tuple[str, str]] | None = None
        self.finished: dict[str, str] = {}
        self.decisions: dict[str, str] = {}
        self.pending: dict[str, Started] = {}
        self.pins: list[tuple[RulePinned | RuleDropped, str]] = []
        self.said: tuple[str, str] = ("", "")
        self.steps: deque[tuple[str, str]] = deque(maxlen=_STEPS)

    def list_steps(self) -> list[str]:
        """The last things done, one line each."""
        return [f"{what} {keep_ends(fold_spaces(told[:_SAID]), _SNIPPET)}".strip() for what, told in self.steps]


def observe(entries: Iterable[Entry], generation: int = 1, carried: Exchange | None = None) -> Observed:
    """One pass over the entries; linear in their size."""
    seen = Observed(generation, carried)
    for entry in entries:
        data, at = entry.data, f"{entry.session_id}/{entry.seq}"
        held = read(entry.kind, data)
        if isinstance(held, ToolResult):
            _add_result(seen, held, at)
        else:
            _add(seen, held, at, meanwhile=bool(data.get("meanwhile")))
        if entry.kind == kinds.NOTE and data.get("interrupted"):
            seen.dialogue.interrupt(str(data.get("error") or ""))
    return seen


def _add(seen: Observed, held: Payload, at: str, *, meanwhile: bool = False) -> None:
    """Takes anything but a result."""
    match held:
        case UserInput() if held.text.strip() and not held.synthetic:
            seen.messages.append((held.words, at))
            seen.dialogue.ask(held.words, at, meanwhile=meanwhile)
        case AssistantStep():
            seen.dialogue.say(held, at)
            if held.text.strip():
                seen.said = (held.text, at)
                seen.steps.append(("said:", held.text))
            for call in held.calls:
                _take_call(seen, call.id, _start(call.name, call.args, at, started=False))
        case ToolCall():
            _take_call(seen, held.id, _start(held.name, held.args, at, started=True))
        case TurnEnd():
            seen.dialogue.end(held)
        case RulePinned() | RuleDropped():
            seen.pins.append((held, at))
        case _:
            pass


def _take_call(seen: Observed, call_id: str, call: Started) -> None:
    seen.pending[call_id] = call
    if call.question:
        seen.dialogue.put(call_id, call.question)


def _start(name: str, args: Mapping[str, Any], at: str, *, started: bool) -> Started:
    told = str(args.get("command") or args.get("path") or args.get("url") or "")[:_ARGUMENT]
    changes = changes_something(told) if name == "shell" else name not in _READING
    given = str(args.get("new") or args.get("content") or args.get("query") or args.get("pattern") or "")
    given = given or str(args.get("description") or args.get("text") or args.get("message") or "")
    shown = f"{told[:_SNIPPET]} {given[:_SNIPPET]}"
    question = find_question(name, args)
    purpose = told if name == "shell" else f"{name} {fold_spaces(told)}".strip()
    if question:
        purpose = name_question(question)
    return Started(name, purpose, shown, at, started, changes, question)


def _add_result(seen: Observed, result: ToolResult, at: str) -> None:
    call = seen.pending.pop(result.id, None)
    seen.dialogue.settle(result.id)
    told = call.purpose.removeprefix(f"{call.name} ") if call else ""
    if result.details.get("refused"):
        if _is_persons(result):
            known = str(result.details.get("command") or result.details.get("path") or result.name)
            seen.dialogue.refuse(call.purpose if call else known, result, at)
        return
    if call and call.name != call.purpose and len(call.purpose) <= CALL and _has_run(result):
        seen.ran[name_call(call.purpose)] = at
    seen.dialogue.add_result(result, at)
    seen.steps.append((result.name, call.shown if call else ""))
    if result.name == "shell":
        _add_run(seen, result, at, told)
    elif result.name == "plan" and result.ok and "items" in result.details:
        _take_plan(seen, result.details["items"], at)
    elif result.name in _CHANGING and result.ok:
        _add_change(seen, result.details, at)
        _add_decisions(seen)
    elif result.name == "read" and result.ok and (path := str(result.details.get("path") or told)):
        seen.reads.pop(path, None)
        seen.reads[path] = at
    elif result.ok:
        seen.dialogue.produce(find_linked(result.name, result.text))


def _is_persons(result: ToolResult) -> bool:
    """Whether a person said no, not a mode or a lock. 0.1 said so in the text only."""
    return result.details.get("by") == "user" or "the user said no" in result.text[:80]


def _has_run(result: ToolResult) -> bool:
    """Whether the call was let through: of one that failed only an exit code proves it."""
    return result.ok or (isinstance(result.details.get("exit"), int) and not result.details.get("cancelled"))


def _add_change(seen: Observed, details: Mapping[str, Any], at: str) -> None:
    for path in details.get("paths") or [details.get("path")]:
        if path:
            before = seen.files.get(path, ("", ""))[0]
            created = details.get("created") or before == "created"
            state = "deleted" if details.get("deleted") else "created" if created else "edited"
            seen.files[path] = (state, at)
            seen.dialogue.change(path)


def _add_run(seen: Observed, result: ToolResult, at: str, told: str) -> None:
    command = str(result.details.get("command") or told)
    if not command or result.details.get("cancelled"):
        return
    seen.runs.add(command, result, at)
    if result.ok:
        seen.dialogue.produce(find_produced(command, result.text))
    for path in removed_paths(command) if result.ok else ():
        if path in seen.files:
            seen.files[path] = ("deleted", at)


def _take_plan(seen: Observed, items: Iterable[Mapping[str, Any]], at: str) -> None:
    """The newest plan counts. What it calls done, and what was done before it was left out, is finished."""
    seen.plan = {}
    for item in items:
        text, state = fold_spaces(str(item.get("text", ""))), str(item.get("state", "pending"))
        if not text:
            continue
        seen.plan[text] = (state, at)
        if state == "done":
            seen.finished[text] = at
        else:
            seen.finished.pop(text, None)


def _add_decisions(seen: Observed) -> None:
    """What the agent said right before a change, where it gives a reason."""
    said, at = seen.said
    seen.said = ("", "")
    end = said if len(said) <= _SAID else said[-_SAID:].partition("\n")[2]
    small = end.lower()
    for each in sentences(end) if any(word in small for word in _DECIDES) else ():
        sentence = each.strip(" -*#>") if _DECIDING.search(each) else ""
        if 20 <= len(sentence) <= _DECISION_LIMIT:
            seen.decisions[sentence] = at
