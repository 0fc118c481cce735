"""The lines around the prompt: above it what happens now and what waits, below it model, context and cost."""

from __future__ import annotations

import os
import time

from rich.text import Text
from textual.widgets import Static

from baton.core.display import one_line
from baton.core.value import value

_BARS = "▁▂▃▄▅▆▇█"


@value
class StatusLine:
    """`state` is shown by the line above the prompt."""

    model: str = ""
    workspace: str = ""
    branch: str = ""
    tokens: int = 0
    window: int = 0
    compressions: int = 0
    cost: float | None = None
    mode: str = ""
    state: str = ""

    def render(self, width: int = 1000) -> Text:
        """Fits the width; the workspace is shortened first."""
        line = Text()
        for where in self._wheres():
            line = self._join(where)
            if line.cell_len <= width:
                break
        return line

    def _join(self, where: str) -> Text:
        parts: list[Text] = [Text(one_line(self.model, 60) or "…", style="bold")]
        parts += [Text(where)] if where else []
        parts.append(self._pressure())
        if self.compressions:
            parts.append(Text(f"{self.compressions} compression{'s' if self.compressions > 1 else ''}"))
        if self.cost:
            parts.append(Text(f"${self.cost:.3f}" if self.cost < 10 else f"${self.cost:.2f}"))
        if self.mode and self.mode != "ask":
            parts.append(Text(self.mode.replace("_", " "), style="yellow"))
        return Text(" · ", style="dim").join(parts)

    def _wheres(self) -> list[str]:
        """Descriptions of the workspace, from path and branch down to nothing."""
        home = os.path.expanduser("~")
        inside = self.workspace == home or self.workspace.startswith(f"{home}{os.sep}")
        path = f"~{self.workspace[len(home) :]}" if inside else self.workspace
        name = os.path.basename(self.workspace)
        branch = one_line(self.branch, 60)
        short = branch.partition(" (")[0]
        return [f"{path} {branch}".strip(), f"{name} {branch}".strip(), f"{name} {short}".strip(), name, ""]

    def _pressure(self) -> Text:
        if not self.window:
            return Text("–")
        share = min(1.0, self.tokens / self.window)
        style = "red" if share > 0.8 else "yellow" if share > 0.6 else "green"
        filled = _BARS[: max(1, round(share * len(_BARS)))]
        window = _short(self.window)
        return Text.assemble((filled, style), f" {share:.0%} of {window}".replace("%", " %"))


def _short(tokens: int) -> str:
    if tokens < 1_000_000:
        return f"{tokens // 1000}k" if tokens >= 1000 else str(tokens)
    return f"{tokens / 1_000_000:.1f}".removesuffix(".0") + "M"


class StatusBar(Static):
    def show(self, line: StatusLine) -> None:
        self._line = line
        self.update(line.render(self.content_size.width or 1000))

    def on_resize(self) -> None:
        self.show(self._line)


_FRAMES = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
REMARK = 4.0
STOPS = "Esc stops"
TAKES_BACK = "↑ takes it back"


class Activity(Static):
    """A state with a clock that runs while it lasts; empty when nothing happens."""

    def __init__(self) -> None:
        super().__init__(id="activity")
        self._state = ""
        self._since = 0.0
        self._note = ""

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
        parts = [part for part in (self._describe_state(), Text(self._note)) if part]
        self.update(Text(" · ", style="dim").join(parts))

    def _describe_state(self) -> Text:
        if not self._state:
            return Text()
        seconds = time.monotonic() - self._since
        frame = _FRAMES[int(seconds * 10) % len(_FRAMES)]
        clock = f" · {seconds:.0f} s" if seconds >= 1 else ""
        return Text.assemble((f"{frame} ", "bold"), one_line(self._state, 200), (f"{clock} · {STOPS}", "dim"))


class WaitingList(Static):
    """Messages that were sent during a turn, in their order."""

    def __init__(self) -> None:
        super().__init__(id="waiting")
        self.display = False

    def show(self, texts: list[str]) -> None:
        self.display = bool(texts)
        rows = Text()
        for number, text in enumerate(texts):
            last = number == len(texts) - 1
            rows.append("\n" if number else "")
            rows.append(f"⋮ {one_line(text, 70)}", "italic")
            rows.append(f"  waits its turn{' · ' + TAKES_BACK if last else ''}", "dim")
        self.update(rows)
