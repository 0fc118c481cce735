"""What a transcript says by itself, cut anywhere: the facts a document is scored against.

Independent of the ledger: outputs and dialogue only. User messages are looked for by their first 60 folded characters,
commands by their first 50, files by path or basename; what more is asked of a document is in `probes/`. The classes K
and KS go by a word list: they say that such messages were carried, not that what was carried is a rule (`labels/`). So
KS, which knows no pasted text but that in fences, is no part of the headline.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from baton.core.log import entry as kinds
from baton.core.log.entry import NewEntry, strings
from bench.continuity import commands, probes, verdicts
from bench.continuity.dialogue import Call, Dialogue, dialogue
from bench.continuity.fact import Fact, once
from bench.continuity.folding import COMMAND, MESSAGE, folded, probe
from bench.continuity.secrets import secrets

CLASSES = {
    "U": "user messages",
    "K": "constraint-like messages",
    "KS": "constraint-like sentences",
    "1": "first request",
    "L": "last request",
    "F": "files changed",
    "E": "open errors",
    "X": "failed commands, probes too",
    "P": "open plan items",
    "V": "validations, last result",
    "C": "commands that ended well",
    "T": "failing tests by name",
    "I": "identifiers the user gave",
    "D": "decisions (weak)",
    **probes.PROBES,
}
CORE = ("U", "K", "1", "L", "F", "E", "P")
"""The classes the headline recall is the mean of."""
STATE = ("R", "N", "S", "A", "Q", "W", "H")
"""The state of the work: what a fresh agent needs so as not to be misled."""

AHEAD = 400
"""Entries after a cut that classes which look ahead may need."""
_DEMANDS = re.compile(
    r"\b(?:don['’]?t|do not|never|must(?: not)?|should not|only|always|instead of|avoid|without|keep|no need)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?=\S)[^.!?\n]*)*")
_DECISION = re.compile(r"[^.!?\n]*\b(?:decided|instead of|because)\b[^.!?\n]*", re.IGNORECASE)
_IDENTIFIER = re.compile(
    r"https?://[^\s<>\"'`)\]]{4,200}|\b[\w.-]+\.[a-z]{2,}:\d{2,5}\b|\blocalhost:\d{2,5}\b"
    r"|\b(?=[0-9a-f]*[0-9])(?=[0-9]*[a-f])[0-9a-f]{8,64}\b|(?<![\w/.:])/[\w.@+-]+(?:/[\w.@+-]+)+"
)


@dataclass(slots=True)
class Run:
    """`verdict` is what the output says: ok, failed, or nothing."""

    command: str
    verdict: str
    born: int
    output: str = ""

    @property
    def ok(self) -> bool:
        return self.verdict == verdicts.PASSED

    @property
    def failed(self) -> bool:
        return self.verdict == verdicts.FAILED


@dataclass(slots=True)
class Truth:
    """The facts by class, and what is needed to tell a false or stale claim."""

    facts: dict[str, list[Fact]]
    runs: dict[str, Run]
    touched: dict[str, str]
    done: list[str]
    open_plan: list[str]
    closed: list[str]
    haystack: str
    secrets: tuple[str, ...]
    dialogue: Dialogue
    said: list[str] = field(default_factory=list)

    @property
    def green(self) -> bool:
        """Whether any validation ended well, the last time it ran."""
        return any(run.ok and commands.validates(run.command) for run in self.runs.values())


def truth(entries: Sequence[NewEntry], known_secrets: Iterable[str] = (), after: Sequence[NewEntry] = ()) -> Truth:
    """The facts of a transcript up to here; `after` is what happened next, for the classes that look ahead."""
    return _Extract(entries, tuple(known_secrets), after).truth()


class _Extract:
    def __init__(self, entries: Sequence[NewEntry], known: tuple[str, ...], after: Sequence[NewEntry]) -> None:
        self._entries = entries
        self._dialogue = dialogue(entries)
        self._after = dialogue(after[:AHEAD])
        texts = [text for entry in entries for text in strings(dict(entry.data))]
        self._haystack = folded("\n".join(texts))
        self._secrets = (*sorted(known, key=len, reverse=True), *secrets(texts))
        self._runs: dict[str, Run] = {}
        self._exact: dict[str, Run] = {}
        self._open: dict[str, set[str]] = {}
        self._closed: dict[str, None] = {}
        self._files: dict[str, tuple[str, int]] = {}
        self._plan: dict[str, tuple[str, int]] = {}
        self._finished: dict[str, None] = {}
        self._said: list[tuple[str, int]] = []
        self._decisions: list[tuple[str, int]] = []

    def truth(self) -> Truth:
        told = ""
        self._said = [(said.text, said.index) for said in self._dialogue.said]
        for call in self._dialogue.shell:
            self._ran(call)
        for index, entry in enumerate(self._entries):
            if entry.kind == kinds.ASSISTANT:
                told = str(entry.data.get("text") or told)
            elif entry.kind == kinds.TOOL_RESULT:
                self._result(entry.data, index, told)
        open_plan = [text for text, (state, _) in self._plan.items() if state != "done"]
        return Truth(
            facts=self._facts(),
            runs=self._runs,
            touched={path: state for path, (state, _) in self._files.items()},
            done=[text for text in self._finished if text not in open_plan],
            open_plan=open_plan,
            closed=[key for key in self._closed if key not in self._open],
            haystack=self._haystack,
            secrets=tuple(dict.fromkeys(self._secrets)),
            dialogue=self._dialogue,
            said=[text for text, _ in self._said],
        )

    def _result(self, data: Mapping[str, Any], index: int, told: str) -> None:
        details: Mapping[str, Any] = data.get("details") or {}
        ok, name = bool(data.get("ok", True)), data.get("name")
        if name in ("edit", "write") and ok:
            self._changed(details, index)
            self._decisions += [(found[0], index) for found in _DECISION.finditer(told[-4000:])]
        elif name == "plan" and ok and "items" in details:
            self._planned(details["items"], index)

    def _ran(self, call: Call) -> None:
        if (
            call.result is None
            or call.refusal is not None
            or call.details.get("refused")
            or call.details.get("cancelled")
        ):
            return
        key = commands.normal(call.command)
        run = Run(call.command, verdicts.verdict(call), call.ended, call.result)
        self._runs.pop(key, None)
        self._runs[key] = run
        self._exact[folded(call.command)] = run
        if run.failed:
            self._open[key] = set(commands.parts(call.command))
        elif run.ok:
            self._pass(key, set(commands.parts(call.command)))
        else:
            self._open.pop(key, None)

    def _pass(self, key: str, passed: set[str]) -> None:
        """A later pass of a part closes it; a failure none of whose parts is left is closed."""
        for other, left in list(self._open.items()):
            left -= passed
            if other == key or not left:
                del self._open[other]
                self._closed[other] = None

    def _changed(self, details: Mapping[str, Any], index: int) -> None:
        for path in details.get("paths") or [details.get("path")]:
            if path:
                created = details.get("created") or self._files.get(path, ("", 0))[0] == "created"
                state = "deleted" if details.get("deleted") else "created" if created else "edited"
                self._files[path] = (state, self._files.get(path, ("", index))[1])

    def _planned(self, items: Sequence[Mapping[str, Any]], index: int) -> None:
        before = self._plan
        self._plan = {}
        for item in items:
            text, state = folded(str(item.get("text", ""))), str(item.get("state", ""))
            self._plan[text] = (state, before.get(text, ("", index))[1])
            if state == "done":
                self._finished[text] = None
            else:
                self._finished.pop(text, None)

    def _facts(self) -> dict[str, list[Fact]]:
        said = [self._fact(text, MESSAGE, index) for text, index in self._said]
        demands = [fact for fact in said if _DEMANDS.search(fact.text)]
        failed = [self._runs[key] for key in self._open if not commands.looks_up(self._runs[key].command)]
        cut = probes.Cut(self._dialogue, self._after, tuple(dict.fromkeys(self._secrets)))
        return {
            "U": once(said),
            "K": once(demands),
            "KS": once(self._sentences()),
            "1": said[:1],
            "L": said[-1:],
            "F": [_file(path, born) for path, (_, born) in self._files.items()],
            "E": [self._command(run) for run in failed],
            "X": [self._command(run) for run in self._exact.values() if run.failed],
            "P": [self._fact(text, MESSAGE, born) for text, (state, born) in self._plan.items() if state != "done"],
            "V": [self._command(run) for run in self._runs.values() if run.verdict and commands.validates(run.command)],
            "C": [self._command(run) for run in self._runs.values() if run.ok and not commands.reads_only(run.command)],
            "T": [Fact(name, (name,), run.born) for run in failed for name in commands.failed_tests(run.output)],
            "I": self._identifiers(),
            "D": once(self._fact(text, MESSAGE, born) for text, born in self._decisions if 20 <= len(text) <= 240),
            **probes.facts(cut),
        }

    def _fact(self, text: str, length: int, born: int) -> Fact:
        return Fact(text, probe(text, length, self._secrets), born)

    def _command(self, run: Run) -> Fact:
        found = probe(run.command, COMMAND, self._secrets)
        return Fact(run.command, found, run.born, status=run.verdict)

    def _sentences(self) -> Iterable[Fact]:
        for text, born in self._said:
            for found in _SENTENCE.finditer("\n".join(text.split("```")[::2])):
                sentence = found[0].strip(" \t-*•>#")
                if 8 <= len(sentence) <= 400 and _DEMANDS.search(sentence):
                    yield self._fact(sentence, MESSAGE, born)

    def _identifiers(self) -> list[Fact]:
        found: dict[str, Fact] = {}
        for text, born in self._said:
            for match in _IDENTIFIER.finditer(text[:20_000]):
                name = match[0].rstrip(".,;:")
                if not any(secret in name or name in secret for secret in self._secrets):
                    found.setdefault(name, Fact(name, (name,), born))
        return list(found.values())


def _file(path: str, born: int) -> Fact:
    return Fact(path, (path,), born, (path.rsplit("/", 1)[-1],))
