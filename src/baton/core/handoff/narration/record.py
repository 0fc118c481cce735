"""What the record can say about a narrative's claims: files, commands and their results, and what was ever mentioned.

Evidence is what the person said and what tools were asked and answered. The agent's own prose is none: it is what the
narrative repeats.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import cast

from baton.core.handoff.ledger import fact as facts
from baton.core.handoff.ledger.fact import Fact, Ledger
from baton.core.handoff.results import CHECK, FAILED, LOOK, PASSED, UNKNOWN, Part, read_chain
from baton.core.log.entry import Entry
from baton.core.log.payloads import PacketOpening, ToolCall, ToolResult, UserInput, payload
from baton.core.risk.line import words
from baton.core.value import value

TESTS, LINT, TYPES, BUILD = "tests", "linter", "type checker", "build"

_CHECKS = tuple(
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        (
            TESTS,
            r"test|\bspec\b|e2e|\btox\b|\bnox\b|\bmocha\b|\bjest\b|\bava\b|\bcypress\b|\bplaywright\b|\bcoverage\b",
        ),
        (
            LINT,
            r"lint|\bruff\b|\bflake8\b|\bblack\b|\bisort\b|\bprettier\b|\bbiome\b|\bclippy\b|\brubocop\b|\bdetekt\b"
            r"|\bshellcheck\b|\bvet\b|\bstaticcheck\b|\bpre-commit\b|\bgofmt\b|\bfmt\b|\bformat\b",
        ),
        (TYPES, r"\bmypy\b|pyright\b|\btsc\b|type-?check|\btypes\b"),
        (BUILD, r"build|compile|\bmake(?: all)?$|\bassemble\b|\bpackage\b|\btsc\b"),
    )
)
_IMPLIED = {
    "npm": "package.json package-lock.json",
    "pnpm": "package.json pnpm-lock.yaml",
    "yarn": "package.json yarn.lock",
    "bun": "package.json bun.lock",
    "tsc": "tsconfig.json",
    "cargo": "Cargo.toml Cargo.lock",
    "go": "go.mod go.sum",
    "uv": "pyproject.toml uv.lock",
    "poetry": "pyproject.toml poetry.lock",
    "mvn": "pom.xml",
    "gradle": "build.gradle build.gradle.kts settings.gradle",
    "composer": "composer.json composer.lock",
    "docker compose": "docker-compose.yml compose.yaml",
}
"""Files that a tool reads or writes without being told: who ran it may speak of them."""
_WORD = re.compile(r"[^\s'\"`;|&()<>]+")
_SETTING = re.compile(r"[A-Za-z_]\w{0,60}=")
_NOISE = words(
    "python python3 py -m uv run npx pnpx bunx poetry pipenv sudo time env bundle exec cd -q -qq -v -vv -x -s"
)
_LOOKING = words("read list search grep glob find view fetch recall plan ask")
_RUN_LIMIT = 2000


@value
class Result:
    """The last run of one check. `words` are those of its command that tell it from others."""

    command: str
    words: frozenset[str]
    verdict: str


def kinds_of(command: str) -> list[str]:
    """What a command checks, if anything; `eslint && jest` checks two things."""
    return _kinds_of_parts(read_chain(command[:_RUN_LIMIT]).parts)


def _kinds_of_parts(parts: Iterable[Part]) -> list[str]:
    found: list[str] = []
    for part in parts:
        if part.kind == CHECK:
            found += [kind for kind in _kinds_of_tool(part.tool) if not (kind == BUILD and "--noEmit" in part.text)]
    return list(dict.fromkeys(found))


def _kinds_of_tool(name: str) -> list[str]:
    return [kind for kind, pattern in _CHECKS if pattern.search(name)]


def significant_words(command: str) -> frozenset[str]:
    """The words that tell a command from another, without what only says how it is started or how much it prints."""
    found = _WORD.findall(command[:_RUN_LIMIT])
    kept = frozenset(word for word in found if word not in _NOISE and not _SETTING.match(word))
    return kept or frozenset(found)


class Record:
    """Built once in linear time; each question is a search."""

    def __init__(self, entries: Iterable[Entry], ledger: Ledger, known: Collection[str] = ()) -> None:
        self._said: list[str] = []
        self._looked: list[str] = []
        self._done: list[str] = []
        self._runs = [significant_words(fact.text) for fact in _run_facts(ledger)]
        self._tried: set[str] = {kind for fact in _run_facts(ledger) for kind in kinds_of(fact.text)}
        self._files = {fact.text: str(fact.data.get("last", "")) for fact in ledger.of(facts.FILE)}
        self._known = {*self._files, *known}
        self._ended = [_result(fact) for fact in _run_facts(ledger)]
        self.results = [_result(fact) for fact in _run_facts(ledger) if _is_check(fact)]
        self._tools: set[str] = set()
        self._commands: dict[str, bool] = {}
        self._places: set[str] = set()
        self._shown: dict[re.Pattern[str], bool] = {}
        self._take(entries)
        self._known.update(name for tool in self._tools for name in _IMPLIED.get(tool, "").split())

    def _take(self, entries: Iterable[Entry]) -> None:
        """Sorts the texts by how they came; a call that was refused is no evidence of what it would have done."""
        calls: dict[str, ToolCall] = {}
        for entry in entries:
            match payload(entry):
                case UserInput() as held if not held.synthetic:
                    self._said.append(held.text)
                case PacketOpening():
                    self._said.append(entry.body)
                case ToolCall() as call:
                    calls[call.id] = call
                case ToolResult() as result:
                    self._take_result(result, calls.pop(result.id, None))
                case _:
                    pass

    def _take_result(self, result: ToolResult, call: ToolCall | None) -> None:
        asked = "\n".join(_texts(call.args)) if call else ""
        command = str(result.details.get("command") or (call.args.get("command", "") if call else ""))
        self._places.add(str(result.details.get("path") or ""))
        told = "\n".join((asked, command, str(result.details.get("path") or ""), result.text))
        if result.details.get("refused"):
            self._looked.append(asked)
            return
        looks = self._take_command(command) if command else result.name in _LOOKING
        (self._looked if looks else self._done).append(told)

    def _take_command(self, command: str) -> bool:
        """Whether it only looked around."""
        if command not in self._commands:
            parts = read_chain(command[:_RUN_LIMIT]).parts
            self._runs.append(significant_words(command))
            self._tried.update(_kinds_of_parts(parts))
            self._tools.update(tool for part in parts for tool in (part.tool, part.tool.partition(" ")[0]))
            self._commands[command] = all(part.kind == LOOK for part in parts)
        return self._commands[command]

    def mentions(self, text: str) -> bool:
        """Whether these characters stand anywhere in the evidence."""
        return any(text in each for texts in (self._said, self._looked, self._done) for each in texts)

    def shows(self, pattern: re.Pattern[str]) -> bool:
        """Whether anything that was done, beyond looking, matches."""
        if pattern not in self._shown:
            self._shown[pattern] = any(pattern.search(each) for each in self._done)
        return self._shown[pattern]

    def says(self, pattern: re.Pattern[str]) -> bool:
        """Whether anything that the person said matches."""
        return any(pattern.search(each) for each in self._said)

    def has_file(self, path: str) -> bool:
        """Whether it was touched, read, listed or named: as it is, or its folder and its name apart."""
        clean = path.removeprefix("./").rstrip("/")
        if any(each == clean or each.endswith(f"/{clean}") or f"{clean}/" in each for each in self._known):
            return True
        folder, _, name = clean.rpartition("/")
        return self._names(clean) or bool(folder and self._names(name) and self._names(folder))

    def has_folder(self, name: str) -> bool:
        """Whether a known file is below a folder of this name."""
        return any(path.startswith(f"{name}/") for path in self._known)

    def has_place(self, name: str) -> bool:
        """Whether anything was seen below a folder of this name, or the folder itself was looked at."""
        return self.has_folder(name) or self.mentions(f"{name}/") or name in self._places

    def has_changed(self, path: str, *, deleted: bool = False) -> bool:
        """Whether anything but a look had to do with a file; a file that is gone must not have been written last."""
        clean = path.removeprefix("./")
        states = [state for each, state in self._files.items() if each == clean or each.endswith(f"/{clean}")]
        if states and not (deleted and "deleted" not in states):
            return True
        name = clean.rpartition("/")[2]
        pattern = _bounded(name)
        return any(name in each and pattern.search(each) for each in self._done)

    def has_run(self, command: str) -> bool:
        wanted = significant_words(command)
        return any(wanted <= run for run in self._runs)

    def has_used(self, program: str) -> bool:
        return program in self._tools

    def has_tried(self, kind: str = "") -> bool:
        """Whether anything that looks like this kind of check was run, with whatever result."""
        return kind in self._tried if kind else bool(self._tried)

    def verdicts(self, kind: str = "") -> set[str]:
        """How the last runs of a kind of check ended; of all checks without one."""
        return {result.verdict for result in self.results if not kind or kind in kinds_of(result.command)}

    def verdict_of(self, command: str) -> str:
        """How the last run of a command ended; empty if its result is not known."""
        wanted = significant_words(command)
        found = [result.verdict for result in self._ended if wanted <= result.words]
        return found[-1] if found else ""

    def failing(self, kind: str = "") -> str:
        """A check that fails, as it was run."""
        for result in reversed(self.results):
            if result.verdict == FAILED and (not kind or kind in kinds_of(result.command)):
                return result.command
        return ""

    def _names(self, text: str) -> bool:
        pattern = _bounded(text)
        return any(
            text in each and pattern.search(each) for texts in (self._said, self._looked, self._done) for each in texts
        )


def _bounded(text: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-]){re.escape(text)}(?![\w-])")


def _run_facts(ledger: Ledger) -> list[Fact]:
    return [fact for fact in ledger.facts if fact.kind in (facts.COMMAND, facts.ERROR)]


def _is_check(fact: Fact) -> bool:
    told = fact.data.get("check", fact.data.get("validates"))
    return bool(kinds_of(fact.text)) if told is None else bool(told)


def _result(fact: Fact) -> Result:
    """An error that was closed has passed since, by a run of its own or by another one that covers it."""
    if fact.kind == facts.ERROR:
        verdict = {facts.OPEN: FAILED, facts.DONE: PASSED}.get(fact.state, UNKNOWN)
    else:
        verdict = str(fact.data.get("verdict") or PASSED)
    return Result(fact.text, significant_words(fact.text), verdict)


def _texts(value_: object) -> Iterator[str]:
    """All texts of a call's arguments."""
    if isinstance(value_, str):
        yield value_
    elif isinstance(value_, list | tuple):
        for each in cast("Iterable[object]", value_):
            yield from _texts(each)
    elif hasattr(value_, "values"):
        for each in cast("dict[str, object]", value_).values():
            yield from _texts(each)
