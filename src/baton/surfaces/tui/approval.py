"""A question in the transcript: may this tool do exactly this? Keys that you were typing never answer it."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Static

from baton.core.agent.event import ApprovalAsked
from baton.core.display import one_line, plain
from baton.ports.approver import Answer
from baton.surfaces.tui.widgets import CodeView

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
        self._typing = False
        """A word was begun here. Its letters may all come before the focus has moved, and must not answer."""

    @property
    def question(self) -> str:
        """What would be done, in one line."""
        return one_line(self._asked.preview.removeprefix("--- "), 100)

    def compose(self) -> ComposeResult:
        asked = self._asked
        preview = plain(asked.preview).strip("\n")
        yield Static(Text.assemble((plain(asked.tool), "bold"), f" asks, because {one_line(asked.reason, 1_000)}:"))
        yield CodeView(preview, "diff" if preview.startswith(("---", "@@")) else "bash")
        yield self._keys

    def on_mount(self) -> None:
        self._keys.update(Text("…"))
        self.set_timer(PAUSE, self._arm)

    def _arm(self) -> None:
        self.armed = True
        self._show_keys()

    def on_focus(self) -> None:
        self._typing = False
        self._show_keys()

    def on_blur(self) -> None:
        self._show_keys()

    def _show_keys(self) -> None:
        if self.armed:
            keys = [piece for key, what in KEYS for piece in ((key, "bold"), what)]
            self._keys.update(Text.assemble(*keys) if self.has_focus else Text(FIRST, style="dim"))

    def on_key(self, event: events.Key) -> None:
        if self._typing or (event.is_printable and event.key not in ("y", "a", "n")):
            self._typing = True
        elif self.armed and event.key in ("y", "a", "n"):
            event.stop()
            answer = Answer(allowed=event.key != "n", remember=event.key == "a")
            self.post_message(self.Answered(self._asked.call_id, answer))
