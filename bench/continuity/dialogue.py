"""A transcript as two people would retell it: what was said, what was called, and what came back.

It reads the entries of any importer and knows nothing of what the product makes of them. What a refusal or an answer
looks like is recognised by the sentence that the agent's own program writes for its model.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from baton.core.log import entry as kinds
from baton.core.log.entry import NewEntry

_NOISE = ("<", "[Request interrupted", "Caveat:", "This session is being continued", "Base directory for this skill")
_REFUSALS = (
    re.compile(
        r"The user doesn't want to (?:proceed|take this action)[^\n]{0,400}?"
        r"(?:the user said:|reason for the rejection:)\s*(?P<words>.+)",
        re.DOTALL,
    ),
    re.compile(r"The user doesn't want to (?:proceed|take this action)"),
    re.compile(
        r"The user rejected permission to use this specific tool call"
        r"(?: with the following feedback:\s*(?P<words>.+))?",
        re.DOTALL,
    ),
    re.compile(r"\[refused: the user said no(?:: (?P<words>.+))?\]$", re.DOTALL),
    re.compile(r"(?:exec command|patch|command) rejected by user(?::\s*(?P<words>.+))?", re.DOTALL),
)
_AFTER_WORDS = re.compile(r"\n\s*\n(?:Note: The user's next message|<system-reminder>).*", re.DOTALL)
ASKING = re.compile(r"(?i)ask_?user|user_?input|^question$|followup_?question|elicit")
PLANNING = re.compile(r"(?i)exit_?plan_?mode|present_?plan|submit_?plan")
_APPROVED = re.compile(r"(?i)user has approved|plan (?:was |has been )?approved|\bapproved\b")
_PAIR = re.compile(r'"([^"\n]{1,2000})"="((?:[^"\\]|\\.){1,4000})"')


@dataclass
class Call:
    """A tool call; `result` is None where none came. `index` is where it was made, `ended` where its result is."""

    name: str
    args: Mapping[str, Any]
    index: int
    ended: int = -1
    result: str | None = None
    ok: bool = True
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def command(self) -> str:
        return str(self.args.get("command") or self.details.get("command") or "") if self.name == "shell" else ""

    @property
    def path(self) -> str:
        given = self.args.get("path") or self.args.get("file_path") or self.details.get("path") or ""
        return given if isinstance(given, str) else ""

    @cached_property
    def refusal(self) -> str | None:
        """The words a person gave with a refusal, empty if none were given; None if it was not refused."""
        if self.ok or self.result is None:
            return None
        for form in _REFUSALS:
            if found := form.match(self.result.strip()):
                words = found.groupdict().get("words") or ""
                return _AFTER_WORDS.sub("", words).strip()
        return None

    @property
    def answers(self) -> list[tuple[str, str]]:
        """Questions put to a person in a form, each with what was chosen or typed."""
        asks = ASKING.search(self.name) or ASKING.search(str(self.details.get("foreign", "")))
        return list(_answers(self.args, self.result)) if asks and self.ok and self.result else []

    @property
    def approved_plan(self) -> str:
        planned = PLANNING.search(self.name) or PLANNING.search(str(self.details.get("foreign", "")))
        if planned and self.ok and self.result and _APPROVED.search(self.result[:400]):
            return str(self.args.get("plan") or self.args.get("text") or "")
        return ""


@dataclass(frozen=True, slots=True)
class Spoken:
    text: str
    index: int


@dataclass(slots=True)
class Dialogue:
    """`said` is the person's, `spoke` the agent's; all in order."""

    said: list[Spoken]
    spoke: list[Spoken]
    calls: list[Call]
    entries: Sequence[NewEntry]

    @property
    def shell(self) -> list[Call]:
        return [call for call in self.calls if call.command]

    def reply_before(self, index: int) -> Spoken | None:
        """What the agent said last before an entry, if it spoke after the message before."""
        last = next((each for each in reversed(self.spoke) if each.index < index), None)
        said = next((each for each in reversed(self.said) if each.index < index), None)
        return last if last and (said is None or said.index < last.index) else None


def dialogue(entries: Sequence[NewEntry]) -> Dialogue:
    said: list[Spoken] = []
    spoke: list[Spoken] = []
    calls: list[Call] = []
    waiting: dict[str, Call] = {}
    for index, entry in enumerate(entries):
        if entry.kind == kinds.USER:
            text = str(entry.data.get("text", ""))
            if not is_noise(text) and not entry.data.get("synthetic"):
                said.append(Spoken(text, index))
        elif entry.kind == kinds.ASSISTANT:
            if str(entry.data.get("text") or "").strip():
                spoke.append(Spoken(str(entry.data["text"]), index))
            for made in entry.data.get("calls") or ():
                call = Call(str(made.get("name", "")), made.get("args") or {}, index)
                waiting[str(made.get("id"))] = call
                calls.append(call)
        elif entry.kind == kinds.TOOL_RESULT:
            _end(entry, index, waiting, calls)
    return Dialogue(said, spoke, calls, entries)


def is_noise(text: str) -> bool:
    return not text.strip() or text.lstrip().startswith(_NOISE)


def _end(entry: NewEntry, index: int, waiting: dict[str, Call], calls: list[Call]) -> None:
    data = entry.data
    call = waiting.pop(str(data.get("id")), None)
    if call is None:
        call = Call(str(data.get("name", "")), {}, index)
        calls.append(call)
    call.ended, call.result = index, str(data.get("text", ""))
    call.ok, call.details = bool(data.get("ok", True)), data.get("details") or {}


def _answers(args: Mapping[str, Any], result: str) -> Iterator[tuple[str, str]]:
    questions = [each for each in args.get("questions") or [args] if isinstance(each, Mapping)]
    texts = [str(each.get("question") or each.get("text") or "") for each in questions]
    held = _json(result)
    if held:
        yield from _from_json(held, questions)
        return
    found = False
    for number, text in enumerate(texts):
        start = result.find(f'"{text}"="') if text else -1
        if start < 0:
            continue
        start += len(text) + 4
        following = [place for each in texts[number + 1 :] if (place := result.find(f'", "{each}"="', start)) >= 0]
        end = min(following, default=-1)
        if end < 0:
            end = result.find('". You can now', start)
        yield text, result[start : end if end >= 0 else max(start, result.rfind('"'))]
        found = True
    if not found:
        for question, answer in _PAIR.findall(result):
            found = True
            yield question, answer
    if not found and len(texts) == 1 and len(result) < 2_000:
        yield texts[0], result


def _json(result: str) -> Mapping[str, Any]:
    try:
        held = json.loads(result)
    except ValueError:
        return {}
    return held if isinstance(held, dict) else {}


def _from_json(held: Mapping[str, Any], questions: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    asked = {str(each.get("id") or each.get("question")): str(each.get("question") or "") for each in questions}
    answers = held.get("answers", held)
    for key, given in answers.items() if isinstance(answers, dict) else ():
        chosen = given.get("answers") if isinstance(given, dict) else given
        for each in chosen if isinstance(chosen, list) else [chosen]:
            if isinstance(each, str) and each.strip():
                yield asked.get(str(key), str(key)), each
