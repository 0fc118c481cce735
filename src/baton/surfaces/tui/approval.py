"""A question in the transcript: may this tool do exactly this? Keys that you were typing never answer it."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input, Static

from baton.core.agent.choice import ALWAYS, BEGINS, EDITS, NO, YES, describe_choice
from baton.core.agent.event import ApprovalAsked
from baton.core.display import one_line, plain
from baton.ports.approver import Answer
from baton.surfaces.shared.approvals import describe_reason, is_said
from baton.surfaces.tui.widgets import CodeView
from baton.surfaces.words import chat as words

PAUSE = 0.3
KEYS = {"y": YES, "a": ALWAYS, "b": BEGINS, "e": EDITS, "n": NO}
WHY = "w"
_EDITS = ("edit", "write")


class WhyInput(Input):
    """The words that go with a no."""


class ApprovalView(Vertical, can_focus=True):
    """y allows once, a allows exactly this in this workspace from now on, b every command that begins so, e accepts
    edits from now on, n refuses, w refuses with words for the model. Only what makes sense for the call is offered.

    Keys count only after a moment, and only while the question has the focus; other letters go to the prompt and move
    the focus there. Somebody who is typing when the question appears must not answer it by accident.
    """

    class Answered(Message):
        def __init__(self, call_id: str, handle: str, answer: Answer) -> None:
            super().__init__()
            self.call_id = call_id
            self.handle = handle
            self.answer = answer

    def __init__(self, asked: ApprovalAsked) -> None:
        super().__init__(classes="approval")
        self._asked = asked
        self._keys = Static(classes="keys")
        self._offered = {key: choice for key, choice in KEYS.items() if choice in asked.offers}
        self.armed = False
        self._typing = False
        """A word was begun here. Its letters may all come before the focus has moved, and must not answer."""

    @property
    def question(self) -> str:
        """What would be done, in one line."""
        return one_line(self._asked.title or self._asked.preview.removeprefix("--- "), 100)

    def compose(self) -> ComposeResult:
        asked = self._asked
        preview = plain(asked.preview).strip("\n")
        asks = one_line(asked.asks or f"{asked.title or asked.tool}?", 1_000)
        yield Static(Text(asks, style="bold"), classes="asks")
        if reason := describe_reason(asked):
            yield Static(Text(words.BECAUSE.format(reason=one_line(reason, 1_000))), classes="because")
        if not is_said(asked):
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
        self.call_after_refresh(self._show_keys)  # the widget knows of its focus only after this handler

    def on_blur(self) -> None:
        self.call_after_refresh(self._show_keys)

    def _show_keys(self) -> None:
        if self.armed:
            aside = words.WHY_NOT if self.query(WhyInput) else words.TAB_FIRST
            self._keys.update(self._describe_keys() if self.has_focus else Text(aside, style="dim"))

    def _describe_keys(self) -> Text:
        effect = "edit" if self._asked.tool in _EDITS else "execute"
        choices = {
            key: describe_choice(each, begins=self._asked.begins, effect=effect) for key, each in self._offered.items()
        }
        pieces = [
            (key, f"\u00a0{told}") for key, told in {**choices, WHY: words.SAY_WHY, words.KEY_STOP: words.STOP}.items()
        ]
        return Text(" · ").join(Text.assemble((key, "bold"), told) for key, told in pieces)

    def on_key(self, event: events.Key) -> None:
        if not self.has_focus:
            return
        known = event.key in self._offered or event.key == WHY
        if self._typing or (event.is_printable and not known):
            self._typing = True
        elif self.armed and known:
            event.stop()
            if event.key == WHY:
                self.run_worker(self._ask_why(), exclusive=True)
            else:
                self._answer(Answer(self._offered[event.key]))

    async def _ask_why(self) -> None:
        if not self.query(WhyInput):
            await self.mount(WhyInput())
        self.query_one(WhyInput).focus()

    def take_back(self) -> None:
        """Closes the line for words; the question is open as before."""
        self.query(WhyInput).remove()
        self.focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._answer(Answer(NO, event.value.strip()))

    def _answer(self, answer: Answer) -> None:
        self.post_message(self.Answered(self._asked.call_id, self._asked.handle, answer))
