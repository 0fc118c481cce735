"""A shell command as the chain of its parts: which tool each runs, and how each comes to run."""

from __future__ import annotations

import posixpath
import re
from functools import lru_cache

from baton.core.handoff.results.identify import identify, is_task
from baton.core.handoff.results.part import CHECK, LOOK, Part
from baton.core.handoff.results.script import AND, MAYBE, THEN, Group, Pipeline, Script, Simple, read_script
from baton.core.risk.line import Line, line
from baton.core.risk.wrappers import inner
from baton.core.shell import Word
from baton.core.value import replace, value

_DEEPEST = 6
_TEXT_LIMIT = 300
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w{0,100}(?:\[[^\]]{0,60}\])?\+?=")
_ERREXIT = re.compile(r"-[a-zA-Z]{0,20}?e[a-zA-Z]{0,20}")


@value
class Link:
    """A pipeline: its elements, and what the one before it has to come to for it to run."""

    elements: tuple[Part | Chain, ...]
    joined: str = THEN
    negated: bool = False
    background: bool = False
    pipefail: bool = False


@value
class Chain:
    """`loose` for the inside of a loop or condition, `ok` if all of the command was understood."""

    links: tuple[Link, ...]
    loose: bool = False
    ok: bool = True

    @property
    def parts(self) -> list[Part]:
        return [part for link in self.links for element in link.elements for part in _parts_of(element)]


def _parts_of(element: Part | Chain) -> list[Part]:
    return element.parts if isinstance(element, Chain) else [element]


def _ignore_copies(elements: list[Part | Chain]) -> tuple[Part | Chain, ...]:
    """`tee` behind a check only keeps what the check said."""
    if not any(isinstance(each, Part) and each.kind == CHECK for each in elements):
        return tuple(elements)
    return tuple(
        replace(each, kind=LOOK) if isinstance(each, Part) and each.tool == "tee" else each for each in elements
    )


@lru_cache(maxsize=2048)
def read_chain(command: str) -> Chain:
    return _Builder().build(read_script(command), 0)


class _Builder:
    """Walks a script in order and remembers the folder and the options that it sets on its way."""

    def __init__(self, where: str = "") -> None:
        self._where = where
        self._errexit = False
        self._pipefail = False

    def build(self, script: Script, depth: int, *, loose: bool = False) -> Chain:
        links: list[Link] = []
        before = THEN
        for pipeline in script.pipelines:
            joined, before = self._joined(pipeline, before), pipeline.joined
            elements = _ignore_copies([self._element(each, depth) for each in pipeline.elements])
            links.append(Link(elements, joined, pipeline.negated, pipeline.background, self._pipefail))
        return Chain(tuple(links), loose, script.ok)

    def _joined(self, pipeline: Pipeline, before: str) -> str:
        """With `set -e` a list ends at the first failure, except within `&&` and `||`."""
        if pipeline.joined != THEN or not self._errexit:
            return pipeline.joined
        return AND if before == THEN else MAYBE

    def _element(self, element: Simple | Group, depth: int) -> Part | Chain:
        if isinstance(element, Group):
            inside = _Builder(self._where)
            inside._errexit, inside._pipefail = self._errexit, self._pipefail
            return inside.build(element.body, depth + 1, loose=element.loose)
        return self._command(element, depth)

    def _command(self, simple: Simple, depth: int) -> Part | Chain:
        words = list(simple.words)
        while words and _ASSIGNMENT.match(words[0].text):
            del words[0]
        text = " ".join(simple.text.split())[:_TEXT_LIMIT]
        if not words:
            return Part(LOOK, "=", text=text)
        return self._line(line(words), simple, text, depth)

    def _line(self, made: Line, simple: Simple, text: str, depth: int) -> Part | Chain:
        if made.program in ("cd", "pushd"):
            self._change_folder(made)
        elif made.program == "set":
            self._set_options(made)
        for each in inner(made) if depth < _DEEPEST and not is_task(made) else ():
            if each.script is not None:
                return _Builder(self._where).build(read_script(each.script.text), depth + 1)
            return self._line(line(each.words), simple, text, depth + 1)
        part = identify(made, simple.writes)
        where, quiet = self._place(part.where), bool(simple.writes)
        return Part(part.kind, part.tool, part.targets, part.selection, where, part.reader, text, quiet)

    def _place(self, named: str) -> str:
        place = posixpath.normpath(posixpath.join(self._where, named)) if named else self._where
        return "" if place == "." else place

    def _change_folder(self, made: Line) -> None:
        named: Word | None = next((word for word in made.args if not word.text.startswith("-")), None)
        self._where = self._place(named.text[:_TEXT_LIMIT]) if named else ""

    def _set_options(self, made: Line) -> None:
        self._errexit = self._errexit or any(_ERREXIT.fullmatch(text) for text in made.texts) or "errexit" in made.texts
        self._pipefail = self._pipefail or "pipefail" in made.texts
