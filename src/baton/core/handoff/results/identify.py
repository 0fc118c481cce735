"""Which tool a command line runs, and on what: the same however it was wrapped, ordered or made quiet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from baton.core.handoff.results.kinds import kind_of
from baton.core.handoff.results.part import CHANGE, CHECK, LOOK, OTHER, Part, drop_patience
from baton.core.handoff.results.tools import CHECKING_NAMES, PACKAGERS, RUNNERS, TASK_RUNNERS, Tool, find_tools
from baton.core.risk.interpreters import interpreted_line, interpreter
from baton.core.risk.line import Line, words
from baton.core.risk.wrappers import SHELLS
from baton.core.value import replace

_MOST_TARGETS = 20
_WORD_LIMIT = 200
_PIECES = re.compile(r"[^A-Za-z0-9]+")
_GOALS = re.compile(r"test|check|lint|build|assemble|compile|verify|package|detekt|analy[sz]e", re.IGNORECASE)
_CHANGING_NAMES = words(
    "install deploy clean format fmt fix migrate migration publish release up down push seed reset bump tag "
    "generate gen"
)
_WRAPPERS = {"coverage": "run", "cross-env": "", "xvfb-run": "", "ddtrace-run": "", "c8": "", "nyc": ""}
_WORKSPACES = words("--prefix -C --cwd --dir -w --workspace --filter -F")
_ASSIGNED = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,100}\+?=")
_EVERYTHING = (".", "./...", "...", "./", "**", "*")
_MODULES = {"build": "pyproject-build"}
"""Modules of Python that go by another name as a program."""
_SCRIPT = re.compile(r"\.(?:sh|bash|py|js|mjs|cjs|ts|rb|pl|php|bat|ps1)$")


def identify(line: Line, writes: tuple[str, ...] = ()) -> Part:
    """The part that a line is, without the folder it runs in and its text."""
    if any(text in ("--help", "--version") for text in line.texts):
        return Part(LOOK, line.program)
    line = _unwrap(line)
    found = _packaged(line) or _task(line) or _known(line) or _interpreted(line) or _named(line)
    if found is not None:
        return found
    kind = kind_of(line, writes)
    return Part(
        kind, line.program[:_WORD_LIMIT], _quote(drop_patience(line.texts) if kind == CHANGE else line.operands)
    )


def _unwrap(line: Line) -> Line:
    for _ in range(4):
        if line.program in ("docker", "podman") and line.texts[:1] == ["compose"]:
            line = replace(line, program="docker-compose", args=line.args[1:])
        elif line.program in _WRAPPERS and (inside := _behind(line, _WRAPPERS[line.program])) is not None:
            line = inside
        else:
            break
    return line


def _behind(line: Line, verb: str) -> Line | None:
    """What `coverage run`, `cross-env A=b` and their kind run."""
    args = list(line.args)
    if verb and (not args or args.pop(0).text != verb):
        return None
    while args and (_ASSIGNED.match(args[0].text) or (args[0].text.startswith("-") and args[0].text != "-m")):
        del args[0]
    if not args:
        return None
    if verb:
        return Line("python", "python", tuple(args))
    return Line(args[0].text.rpartition("/")[2], args[0].text, tuple(args[1:]))


def _known(line: Line) -> Part | None:
    for tool in find_tools(line.program):
        arguments = _Arguments(tool, line)
        if tool.needs and not line.has(*tool.needs.split()):
            continue
        if tool.goals and not any(map(_GOALS.search, arguments.targets)):
            continue
        if not tool.verbs or arguments.verb:
            return arguments.part(line.program)
    return None


class _Arguments:
    """A tool's arguments, sorted by what they say."""

    def __init__(self, tool: Tool, line: Line) -> None:
        self._tool = tool
        self._valued = frozenset(tool.valued.split())
        self._places = frozenset(tool.places.split())
        self._selects = frozenset(tool.selects.split())
        self._verbs = tool.verbs.split()
        self.verb = self.place = ""
        self.targets: list[str] = []
        self.selection: list[str] = []
        self._read(line.texts)

    def part(self, program: str) -> Part:
        name = self._tool.name or " ".join(filter(None, (program, self.verb)))
        targets = _clean(self.targets)
        if self._tool.goals:
            name, targets = " ".join((name, *(each for each in targets if each != "clean"))), ()
        return Part(
            CHECK, name, targets, tuple(sorted(set(self.selection)))[:_MOST_TARGETS], self.place, self._tool.reader
        )

    def _read(self, texts: Sequence[str]) -> None:
        position = 0
        while position < len(texts):
            text = texts[position][:_WORD_LIMIT]
            following = texts[position + 1][:_WORD_LIMIT] if position + 1 < len(texts) else ""
            position += 1
            if text.startswith("-") and len(text) > 1:
                position += self._read_option(text, following)
            elif not text.startswith("+"):
                self._read_operand(text)

    def _read_operand(self, text: str) -> None:
        if self._verbs and not self.verb and not self.targets and not self._tool.goals:
            if text in self._verbs:
                self.verb = text
                return
        elif self.verb in ("nextest", "buildx") and text in ("run", "build"):
            return
        self.targets.append(text)

    def _read_option(self, text: str, following: str) -> int:
        """Takes an option; 1 if it took the word after it too."""
        name, equals, held = text.partition("=")
        takes = not equals and bool(following) and not following.startswith("-")
        if name in self._places:
            self.place = held or (following if takes else "")
            return int(takes)
        if f"{name}=" in self._selects:
            self.selection.append(f"{name} {held or (following if takes else '')}".strip())
            return int(takes)
        if name in self._selects:
            self.selection.append(text)
            return 0
        return int(takes and name in self._valued)


def _packaged(line: Line) -> Part | None:
    """A script of a package: `npm test`, `pnpm --filter web run lint`, `yarn jest`."""
    if line.program not in PACKAGERS or (line.program == "bun" and "test" in line.texts[:1]):
        return None
    texts, place = line.texts, ""
    position = 0
    while position < len(texts) and texts[position].startswith("-"):
        name, _, held = texts[position].partition("=")
        if name in _WORKSPACES:
            place = held or "".join(texts[position + 1 : position + 2])
            position += 0 if held else 1
        position += 1
    rest = texts[position:]
    if rest[:1] == ["workspace"]:
        place, rest = "".join(rest[1:2]), rest[2:]
    return _script(line, rest, place[:_WORD_LIMIT])


def _script(line: Line, rest: list[str], place: str) -> Part | None:
    called = rest[:1] in (["run"], ["run-script"], ["exec"])
    name = "".join(rest[1:2] if called else rest[:1])
    if name in ("t", "tst"):
        name = "test"
    if not name or (not called and line.program == "npm" and name != "test"):
        return None
    if find_tools(name) and (line.program != "npm" or rest[:1] == ["exec"]):
        inside = Line(name, name, line.args[len(line.args) - len(rest) + (2 if called else 1) :])
        if (found := _known(inside)) is not None:
            return found
    kind = _kind_of_name(name)
    if not called and kind != CHECK:
        return None
    if kind == OTHER and rest[:1] != ["exec"]:
        kind = CHANGE  # a step of the project that has a name: that it failed matters, whatever it is for
    operands = [text for text in rest[2 if called else 1 :] if not text.startswith("-")]
    after = [text.partition("=")[2] or text for text in rest if text.partition("=")[0] in ("--workspace", "-w")]
    return Part(kind, f"npm {name}"[:_WORD_LIMIT], _clean(operands), (), place or "".join(after[:1]), "any")


def is_task(line: Line) -> bool:
    """Whether a line runs a task of the project that says what it is for: `mise run test`, `poe lint`."""
    return _task(line) is not None


def _task(line: Line) -> Part | None:
    if line.program not in TASK_RUNNERS:
        return None
    rest = line.operands[1:] if line.operands[:1] in (["run"], ["r"], ["task"]) else line.operands
    if (
        not rest
        or find_tools(rest[0])
        or _kind_of_name(rest[0]) != CHECK
        or (line.program == "deno" and rest == line.operands)
    ):
        return None
    return Part(CHECK, f"{line.program} {rest[0]}"[:_WORD_LIMIT], _clean(rest[1:]), reader="any")


def _kind_of_name(name: str) -> str:
    """What a script or target is for, by its name."""
    pieces = [piece.lower() for piece in _PIECES.split(name[:_WORD_LIMIT])]
    if any(piece in CHECKING_NAMES for piece in pieces):
        return CHECK
    return CHANGE if any(piece in _CHANGING_NAMES for piece in pieces) else OTHER


def _interpreted(line: Line) -> Part | None:
    name = interpreter(line)
    if not name:
        return None
    if name == "node" and line.has("--test"):
        return Part(CHECK, "node --test", _clean(line.operands), reader="any")
    flag = {"node": "--check", "php": "-l", "ruby": "-c", "perl": "-c"}.get(name, "-n" if name in SHELLS else "")
    if flag and line.texts[:1] == [flag]:
        return Part(CHECK, f"{name} {flag}", _clean(line.operands))
    run, _ = interpreted_line(line)
    if run is None:
        return Part(OTHER, name, (_digest(line),))
    run = _unwrap(run)
    if run.path in _MODULES and line.has("-m"):
        run = replace(run, program=_MODULES[run.path])
    return _known(run) or _named(run) or Part(kind_of(run, ()), name, _quote([run.path, *run.operands]))


def _digest(line: Line) -> str:
    return " ".join(line.text.split())[:_WORD_LIMIT]


def _named(line: Line) -> Part | None:
    """A target of a runner, or a script of the project that says what it is for."""
    if line.program in RUNNERS:
        targets = [text for text in line.commands[1] if not _ASSIGNED.match(text)]
        place = line.after("-C", "--directory")
        kind = _kind_of_name(" ".join(targets)) if targets else CHECK
        name = " ".join((line.program.replace("gmake", "make"), *targets))[:_WORD_LIMIT]
        return Part(kind, name, (), (), place.text[:_WORD_LIMIT] if place else "", "make")
    if "/" not in line.path and not _SCRIPT.search(line.program):
        return None
    if _kind_of_name(line.program) != CHECK:
        return None
    return Part(CHECK, line.path.removeprefix("./")[:_WORD_LIMIT], _clean(line.operands), reader="any")


def _quote(texts: Sequence[str]) -> tuple[str, ...]:
    """As they stand: what is no check is the same only if it is told the same."""
    return tuple(text[:_WORD_LIMIT] for text in texts[:_MOST_TARGETS])


def _clean(targets: Sequence[str]) -> tuple[str, ...]:
    """In order and without what only spells them otherwise; everything there is, is no target."""
    short = {text[:_WORD_LIMIT].removeprefix("./").rstrip("/") for text in targets if text not in _EVERYTHING}
    return tuple(sorted(short - {""}))[:_MOST_TARGETS]
