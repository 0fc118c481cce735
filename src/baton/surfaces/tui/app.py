"""The chat in a terminal: one screen, drawn from the same events as every other surface."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from baton import __version__
from baton.core.errors import BatonError
from baton.core.value import replace
from baton.ports.approver import Answer
from baton.surfaces.chat import Chat
from baton.surfaces.tui.approval import ApprovalView
from baton.surfaces.tui.completion import Offer, offers
from baton.surfaces.tui.prompt import Prompt
from baton.surfaces.tui.status import StatusBar, StatusLine
from baton.surfaces.tui.transcript import NoticeView, Transcript, UserView

LEAVE = "Press Ctrl+C again to leave. Nothing is lost: baton resume goes on."
STOPPED = "Stopped."
_AGAIN = 2.0
_FRAME = 0.1


class Desk:
    """What the app talks to, made after the first frame: the chat, and who answers its questions."""

    def __init__(self, chat: Chat, answer: Callable[[str, Answer], bool], greeting: list[str]) -> None:
        self.chat = chat
        self.answer = answer
        self.greeting = greeting


MakeDesk = Callable[[Callable[[str], None]], Awaitable[Desk]]


class ChatApp(App[int]):
    CSS_PATH = "chat.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "interrupt", "Stop", priority=True),
        Binding("ctrl+c", "leave", "Leave", priority=True),
        Binding("ctrl+d", "leave_empty", "Leave", priority=True),
        Binding("f1", "help", "Help"),
        Binding("ctrl+y", "copy_answer", "Copy"),
        Binding("ctrl+t", "theme", "Dark/light"),
        Binding("pageup", "scroll(-1)", "Up", priority=True),
        Binding("pagedown", "scroll(1)", "Down", priority=True),
    ]

    def __init__(self, make_desk: MakeDesk, workspace: str, *, resume: str | None = None) -> None:
        super().__init__()
        self._make_desk = make_desk
        self._resume = resume
        self._left_at = 0.0
        self.desk: Desk | None = None
        self.line = StatusLine(workspace=workspace, state="starting")
        self.files: list[str] = []
        self.last_answer = ""
        self.leaving: Callable[[], Awaitable[None]] | None = None
        self._offers: list[Offer] = []
        self._offered_for = ""

    def compose(self) -> ComposeResult:
        yield Transcript()
        yield OptionList(id="offers")
        yield Prompt()
        yield StatusBar()

    async def on_mount(self) -> None:
        self.show_status()
        self.query_one(Prompt).focus()
        await self.add(Static(Text(f"Baton {__version__}"), classes="banner"))
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.run_worker(self._start(), exclusive=False)

    async def _start(self) -> None:
        """Everything that takes time, after the first frame: typing works meanwhile."""
        from baton.surfaces.tui.controller import Controller

        try:
            self.desk = await self._make_desk(lambda text: self.show_status(state=text))
        except BatonError as error:
            await self.notice(str(error), "error")
            self.show_status(state="not ready")
            return
        self.controller = Controller(self, self.desk)
        await self.controller.start(self._resume)

    async def on_unmount(self) -> None:
        if self.leaving is not None:
            await self.leaving()

    async def add(self, widget: Any) -> None:
        await self.query_one(Transcript).add(widget)

    async def notice(self, text: str, level: str = "info") -> None:
        await self.add(NoticeView(text, level))

    def show_status(self, **changes: Any) -> None:
        self.line = replace(self.line, **changes)
        self.query_one(StatusBar).show(self.line)

    async def on_prompt_sent(self, message: Prompt.Sent) -> None:
        if self.desk is None:
            await self.notice("Not ready yet; try again in a moment.", "warning")
            self.query_one(Prompt).text = message.text
            return
        await self.controller.take(message.text)

    def on_prompt_typed(self, message: Prompt.Typed) -> None:
        prompt, shown = self.query_one(Prompt), self.query_one("#offers", OptionList)
        self._offers, self._offered_for = offers(message.text, self.files), message.text
        shown.clear_options()
        shown.add_options([Option(Text.assemble((each.text, "bold"), "  ", each.about)) for each in self._offers])
        shown.set_class(bool(self._offers), "shown")
        shown.highlighted = 0 if self._offers else None
        prompt.offering = bool(self._offers)

    def on_prompt_choosing(self, message: Prompt.Choosing) -> None:
        shown, prompt = self.query_one("#offers", OptionList), self.query_one(Prompt)
        if message.how == "up":
            shown.action_cursor_up()
        elif message.how == "down":
            shown.action_cursor_down()
        elif prompt.text != self._offered_for or not self._offers:
            prompt.send()
        else:
            chosen = self._offers[shown.highlighted or 0]
            prompt.text = prompt.text[: len(prompt.text) - chosen.length] + chosen.text
            prompt.move_cursor(prompt.document.end)

    def on_approval_view_answered(self, message: ApprovalView.Answered) -> None:
        if self.desk:
            self.desk.answer(message.call_id, message.answer)
        self.query_one(Prompt).focus()

    async def action_interrupt(self) -> None:
        if len(self.screen_stack) > 1:
            self.pop_screen()
        elif self.query_one(Prompt).offering:
            self.query_one(Prompt).offering = False
            self.query_one("#offers").remove_class("shown")
        elif self.desk and await self.desk.chat.stop():
            await self.notice(STOPPED)
            self.query_one(Prompt).focus()

    async def action_leave(self) -> None:
        if time.monotonic() - self._left_at < _AGAIN:
            self.exit(0)
            return
        self._left_at = time.monotonic()
        prompt = self.query_one(Prompt)
        if prompt.text:
            prompt.clear()
        if self.desk:
            await self.desk.chat.stop()
        await self.notice(LEAVE)

    def action_leave_empty(self) -> None:
        if not self.query_one(Prompt).text:
            self.exit(0)

    async def action_help(self) -> None:
        await self.controller.take("/help")

    def action_copy_answer(self) -> None:
        self.copy_to_clipboard(self.last_answer)
        self.show_status(state="copied")

    def action_theme(self) -> None:
        self.theme = "textual-light" if self.theme != "textual-light" else "textual-dark"

    def action_scroll(self, pages: int) -> None:
        transcript = self.query_one(Transcript)
        transcript.scroll_page_up() if pages < 0 else transcript.scroll_page_down()

    async def say(self, text: str, *, queued: bool = False) -> None:
        await self.add(UserView(text, queued=queued))
