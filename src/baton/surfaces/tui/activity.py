"""What happens now, in the line above the prompt, and below it what waits to be said."""

from __future__ import annotations

import time

from rich.text import Text
from textual.widgets import Static

from baton.core.display import one_line

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
        """A word beside the state, for a moment."""
        self._note = text
        self.draw()
        if text:
            self.set_timer(REMARK, lambda: self.remark("") if self._note == text else None)

    def draw(self) -> None:
        parts = [part for part in (self._doing(), Text(self._note)) if part]
        self.update(Text(" · ", style="dim").join(parts))

    def _doing(self) -> Text:
        if not self._state:
            return Text()
        seconds = time.monotonic() - self._since
        frame = _FRAMES[int(seconds * 10) % len(_FRAMES)]
        clock = f" · {seconds:.0f} s" if seconds >= 1 else ""
        return Text.assemble((f"{frame} ", "bold"), one_line(self._state, 200), (f"{clock} · {STOPS}", "dim"))


class Waiting(Static):
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
