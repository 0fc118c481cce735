"""The line at the bottom: model, workspace, context pressure, compressions, cost, mode."""

from __future__ import annotations

import os

from rich.text import Text
from textual.widgets import Static

from baton.core.value import value

_BARS = "▁▂▃▄▅▆▇█"


@value
class StatusLine:
    model: str = ""
    workspace: str = ""
    branch: str = ""
    tokens: int = 0
    window: int = 0
    compressions: int = 0
    cost: float | None = None
    mode: str = ""
    state: str = ""

    def render(self) -> Text:
        parts: list[Text] = [Text(self.model or "…", style="bold"), Text(self._where()), self._pressure()]
        if self.compressions:
            parts.append(Text(f"{self.compressions} compression{'s' if self.compressions > 1 else ''}"))
        if self.cost is not None:
            parts.append(Text(f"${self.cost:.3f}"))
        if self.mode and self.mode != "ask":
            parts.append(Text(self.mode.replace("_", " "), style="yellow"))
        if self.state:
            parts.append(Text(self.state, style="italic"))
        return Text(" · ", style="dim").join(parts)

    def _where(self) -> str:
        home = os.path.expanduser("~")
        path = f"~{self.workspace[len(home) :]}" if self.workspace.startswith(home) else self.workspace
        return f"{path} {self.branch}".strip()

    def _pressure(self) -> Text:
        if not self.window:
            return Text("–")
        share = min(1.0, self.tokens / self.window)
        style = "red" if share > 0.8 else "yellow" if share > 0.6 else "green"
        filled = _BARS[: max(1, round(share * len(_BARS)))]
        window = f"{self.window // 1000}k" if self.window >= 1000 else str(self.window)
        return Text.assemble((filled, style), f" {share:.0%} of {window}".replace("%", " %"))


class StatusBar(Static):
    def show(self, line: StatusLine) -> None:
        self.update(line.render())
