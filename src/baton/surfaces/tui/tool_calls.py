"""A tool call in the transcript: the question whether it may run, then its title, state and output."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from typing import Any

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Static

from baton.core.agent.event import ApprovalAsked
from baton.core.display import one_line, plain
from baton.ports.approver import Answer
from baton.surfaces.tui.blocks import tail
from baton.surfaces.tui.widgets import CodeView, Fold

PAUSE = 0.3
KEYS = (("y", " yes · "), ("a", " always, exactly this, in this workspace · "), ("n", " no · "), ("Esc", " stop"))
FIRST = "Tab, then y or n; what you are typing stays"


class ApprovalView(Vertical, can_focus=True):
    """y allows once, a allows exactly this in this workspace from now on, n refuses.

    Keys count only after a moment, and only while the question has the focus; other letters go to the prompt and move
    the focus there. Somebody who is typing when the question appears must not answer it by accident.
    """

    class Answered(Message):
        def __init__(self, call_id: str, answer: Answer) -> None:
            super().__init__()
            self.call_id = call_id
            self.answer = answer

    def __init__(self, asked: ApprovalAsked) -> None:
        super().__init__(classes="approval")
        self._asked = asked
        self._keys = Static(classes="keys")
        self.armed = False

    @property
    def question(self) -> str:
        """What would be done, in one line."""
        return one_line(self._asked.preview.removeprefix("--- "), 100)

    def compose(self) -> ComposeResult:
        asked = self._asked
        preview = plain(asked.preview).strip("\n")
        yield Static(Text.assemble((plain(asked.tool), "bold"), f" asks, because {plain(asked.reason)}:"))
        yield CodeView(preview, "diff" if preview.startswith(("---", "@@")) else "bash")
        yield self._keys

    def on_mount(self) -> None:
        self._keys.update(Text("…"))
        self.set_timer(PAUSE, self._arm)

    def _arm(self) -> None:
        self.armed = True
        self._show_keys()

    def on_focus(self) -> None:
        self._show_keys()

    def on_blur(self) -> None:
        self._show_keys()

    def _show_keys(self) -> None:
        if self.armed:
            keys = [piece for key, what in KEYS for piece in ((key, "bold"), what)]
            self._keys.update(Text.assemble(*keys) if self.has_focus else Text(FIRST, style="dim"))

    def on_key(self, event: events.Key) -> None:
        if self.armed and event.key in ("y", "a", "n"):
            event.stop()
            answer = Answer(allowed=event.key != "n", remember=event.key == "a")
            self.post_message(self.Answered(self._asked.call_id, answer))


OUTPUT_LINES = 30
_KEPT = 400
_SLOW = 2.0


class ToolView(Fold):
    """Open while it runs; folded if it succeeded and changed nothing."""

    def __init__(self, tool: str, title: str) -> None:
        self.tool = tool
        self._heading = one_line(title or tool, 300)
        self._since = time.monotonic()
        self._pieces: deque[str] = deque(maxlen=_KEPT)
        self._left_out = 0
        self._dirty = False
        self._output = Static(classes="output")
        super().__init__(f"⋯ {self._heading}", self._output, folded=False, classes="tool")

    @property
    def title(self) -> str:
        return self.label

    def feed(self, text: str) -> None:
        """Adds output; it is drawn at the next `draw`."""
        for line in text.splitlines(keepends=True):
            if len(self._pieces) == _KEPT:
                self._left_out += self._pieces[0].count("\n")
            self._pieces.append(line)
        self._dirty = True

    def draw(self) -> None:
        if (seconds := time.monotonic() - self._since) >= _SLOW:
            self.label = f"⋯ {self._heading} · {seconds:.0f} s"
        if self._dirty:
            self._dirty = False
            self._output.update(_tail(self._output_text(), self._left_out))

    def _output_text(self) -> str:
        return plain("".join(self._pieces)).rstrip("\n")

    async def finish(self, text: str, details: Mapping[str, Any], *, ok: bool) -> None:
        seconds = time.monotonic() - self._since
        took = f" · {seconds:.0f} s" if seconds >= _SLOW else ""
        self.set_class(not ok, "failed")
        self.label = f"{'✓' if ok else '✗'} {self._heading}{_suffix(details)}{took}"
        if diff := details.get("diff"):
            await self._output.remove()
            await self.body.mount(CodeView(str(diff), "diff", "output"))
        else:
            printed = f"{self._output_text()}\n" if details.get("cancelled") and self._pieces else ""
            self._output.update(_tail(printed + plain(text).strip("\n"), 0))
        self.fold(ok and not diff)


def _tail(text: str, left_out: int) -> Text:
    hidden, shown = tail(text, OUTPUT_LINES)
    hidden += left_out
    return Text((f"… {hidden:,} lines\n" if hidden else "") + shown)


def _suffix(details: Mapping[str, Any]) -> str:
    if details.get("refused"):
        return " · refused"
    if "exit" in details:
        return f" · exit {details['exit']}"
    return ""
