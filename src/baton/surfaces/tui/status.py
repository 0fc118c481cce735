"""The lines around the chat: the header; above the prompt what happens and what waits; below it the status line."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from textual.content import Content
from textual.widgets import Static

from baton import __version__
from baton.core.display import one_line
from baton.core.value import value
from baton.surfaces.shared.formats import shorten_home
from baton.surfaces.words import chat as words

LOGO = "◢◤"
DOT = " · "
_BARS = "▁▂▃▄▅▆▇█"
_FULL, _FILLING = 0.8, 0.6

Piece = tuple[str, str]
"""A text and its style, in words that Textual resolves for the theme: `$muted`, `bold $you`."""


@value
class StatusLine:
    """What the header and the status line show. `state` stands above the prompt; `place` is where the conversation
    lives, if not here.
    """

    model: str = ""
    workspace: str = ""
    branch: str = ""
    tokens: int = 0
    window: int = 0
    compressions: int = 0
    cost: float | None = None
    mode: str = ""
    state: str = ""
    place: str = ""

    def render(self, width: int = 1000) -> Content:
        """The longest form that fits the width. What the header shows too goes first, the pressure stays to the end."""
        made = Content()
        for form in self._forms():
            made = _join([part for part in form if part])
            if made.cell_length <= width:
                break
        return made

    def _forms(self) -> Iterator[list[list[Piece]]]:
        """From everything down to the bare pressure."""
        model, wheres = one_line(self.model, 60) or "…", self.wheres()
        short_model = model.partition(":")[2] or model
        for where in wheres:
            yield [_bold(model), _plain(where), self._pressure(), self._money(), self._squeezed(), *self._end()]
        for name in (model, short_model):
            yield [_bold(name), self._pressure(), self._money(), self._squeezed(short=True), *self._end(short=True)]
            yield [_bold(name), self._pressure(), self._away(), self._mode()]
            yield [_bold(name), self._pressure()]
        yield [self._pressure()]

    def wheres(self) -> list[str]:
        """The workspace, from path and branch down to its name."""
        path, name = shorten_home(self.workspace), os.path.basename(self.workspace)
        branch = one_line(self.branch, 60)
        short = branch.partition(" (")[0]
        return [f"{path} {branch}".strip(), f"{name} {branch}".strip(), f"{name} {short}".strip(), name]

    def _pressure(self) -> list[Piece]:
        """How full the context is, as a bar that grows and changes its colour."""
        if not self.window:
            return _plain("–")
        share = min(1.0, self.tokens / self.window)
        color = "$bad" if share > _FULL else "$warn" if share > _FILLING else "$good"
        bar = _BARS[: max(1, round(share * len(_BARS)))]
        return [
            (bar, color),
            (f" {words.PRESSURE.format(percent=round(share * 100), window=shorten_count(self.window))}", ""),
        ]

    def _money(self) -> list[Piece]:
        return _plain(f"${self.cost:.3f}" if self.cost < 10 else f"${self.cost:.2f}") if self.cost else []

    def _squeezed(self, *, short: bool = False) -> list[Piece]:
        if not self.compressions:
            return []
        whole = words.COMPRESSION_ONCE if self.compressions == 1 else words.COMPRESSION_COUNT
        return _plain((words.COMPRESSION_SHORT if short else whole).format(count=self.compressions))

    def _mode(self) -> list[Piece]:
        return [(self.mode.replace("_", " "), "$warn")] if self.mode not in ("", "ask") else []

    def _away(self) -> list[Piece]:
        return [(words.AWAY.format(place=self.place), "$warn")] if self.place else []

    def _end(self, *, short: bool = False) -> list[list[Piece]]:
        here = [] if short or self.place else [(words.HERE, "$muted")]
        return [self._mode(), self._away() or here]


def _plain(text: str) -> list[Piece]:
    return [(text, "")] if text else []


def _bold(text: str) -> list[Piece]:
    return [(text, "bold")]


def _join(parts: list[list[Piece]]) -> Content:
    pieces: list[Piece] = []
    for part in parts:
        pieces += [(DOT, "$muted"), *part] if pieces else part
    return Content.assemble(*pieces)


def shorten_count(tokens: int) -> str:
    if tokens < 1_000_000:
        return f"{tokens // 1000}k" if tokens >= 1000 else str(tokens)
    return f"{tokens / 1_000_000:.1f}".removesuffix(".0") + "M"


class Header(Static):
    """One line: whose program this is, where it works and on which branch, and at the right who answers."""

    def __init__(self) -> None:
        super().__init__(id="header")
        self._line = StatusLine()

    def show(self, line: StatusLine) -> None:
        self._line = line
        self.update(self._render_line(self.content_size.width or 80), layout=False)

    def on_resize(self) -> None:
        self.show(self._line)

    def _render_line(self, width: int) -> Content:
        name = [(f"{LOGO} ", "$accent"), (words.PROGRAM.format(version=__version__), "bold $accent")]
        model = one_line(self._line.model, 60)
        for where in self._line.wheres():
            left = _join([name, _plain(where)] if where else [name])
            if (room := width - left.cell_length - len(model)) >= 2:
                return Content.assemble(left, " " * room, (model, "$muted"))
        return _join([name])


class StatusBar(Static):
    def show(self, line: StatusLine) -> None:
        self._line = line
        self.update(line.render(self.content_size.width or 1000), layout=False)

    def on_resize(self) -> None:
        self.show(self._line)


_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_FRAMES_A_SECOND = 4
REMARK = 4.0


class Activity(Static):
    """A state with a clock that runs while it lasts; empty when nothing happens."""

    def __init__(self) -> None:
        super().__init__(id="activity")
        self._state = ""
        self._since = 0.0
        self._note = ""
        self._drawn: list[list[Piece]] = []

    def show(self, state: str) -> None:
        if state != self._state:
            if not self._state or not state:
                self._since = time.monotonic()
            self._state = state
        self.draw()

    def remark(self, text: str) -> None:
        """Shows a word beside the state, for a moment."""
        self._note = text
        self.draw()
        if text:
            self.set_timer(REMARK, lambda: self.remark("") if self._note == text else None)

    def draw(self) -> None:
        parts = [part for part in (self._describe_state(), _plain(self._note)) if part]
        if parts != self._drawn:
            self._drawn = parts
            self.update(_join(parts), layout=False)

    def _describe_state(self) -> list[Piece]:
        if not self._state:
            return []
        seconds = time.monotonic() - self._since
        frame = _FRAMES[int(seconds * _FRAMES_A_SECOND) % len(_FRAMES)]
        clock = f"{DOT}{seconds:.0f} s" if seconds >= 1 else ""
        return [
            (f"{frame} ", "bold $accent"),
            (one_line(self._state, 200), ""),
            (f"{clock}{DOT}{words.STOPS}", "$muted"),
        ]


class WaitingList(Static):
    """Messages that were sent during a turn, in their order."""

    def __init__(self) -> None:
        super().__init__(id="waiting")
        self.display = False

    def show(self, texts: list[str]) -> None:
        self.display = bool(texts)
        rows: list[Piece] = []
        for number, text in enumerate(texts):
            last = number == len(texts) - 1
            rows.append((f"{chr(10) if number else ''}⋮ {one_line(text, 70)}", "italic"))
            rows.append((f"  {words.WAITS_LAST if last else words.WAITS}", "$muted"))
        self.update(Content.assemble(*rows))
