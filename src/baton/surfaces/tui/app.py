"""The chat in a terminal: one screen, drawn from the same events as every other surface."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widget import Widget

from baton.core.errors import BatonError
from baton.core.value import replace
from baton.surfaces.tui.completion import OfferList
from baton.surfaces.tui.glyphs import AsciiFilter, speaks_utf8
from baton.surfaces.tui.palette import DARK, LIGHT, PALETTES, textual_theme
from baton.surfaces.tui.prompt import Prompt
from baton.surfaces.tui.status import Activity, Header, StatusBar, StatusLine, WaitingList
from baton.surfaces.tui.transcript import NoticeView, Transcript
from baton.surfaces.words import chat as words

if TYPE_CHECKING:
    from baton.ports.approver import Answer
    from baton.surfaces.shared.chat import Chat, ModelOffer
    from baton.surfaces.shared.setup import Setup
    from baton.surfaces.tui.approval import ApprovalView

T = TypeVar("T")
CYCLE = ("ask", "accept_edits", "read_only")
_AGAIN = 2.0
RESTS = 0.15


class Backend:
    """What the app talks to. Wiring makes it, after the first frame.

    `answer` takes the answers to questions, `greeting` is shown first, `models` lists what can be chosen. With a
    `setup` nothing to work with was found, and you are asked before anything else.
    """

    def __init__(
        self,
        chat: Chat,
        answer: Callable[[str, Answer], bool],
        greeting: list[str],
        models: Callable[[], Sequence[ModelOffer]] = tuple,
        setup: Setup | None = None,
    ) -> None:
        self.chat = chat
        self.answer = answer
        self.greeting = greeting
        self.models = models
        self.setup = setup


MakeBackend = Callable[[Callable[[str], None]], Awaitable[Backend]]


class ChatApp(App[int]):
    TITLE = "Baton"
    CSS_PATH = "chat.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "interrupt", "Stop", priority=True),
        Binding("ctrl+c", "leave", "Leave", priority=True),
        Binding("ctrl+d", "leave_empty", "Leave", priority=True),
        Binding("f1", "help", "Help"),
        Binding("ctrl+y", "copy_answer", "Copy", priority=True),
        Binding("ctrl+o", "fold", "Fold", priority=True),
        Binding("ctrl+t", "theme", "Dark/light", priority=True),
        Binding("shift+tab", "mode", "Mode", priority=True),
        Binding("pageup", "scroll(-1)", "Up"),
        Binding("pagedown", "scroll(1)", "Down"),
    ]

    def __init__(
        self, make_backend: MakeBackend, workspace: str, *, resume: str | None = None, go_on: bool = False
    ) -> None:
        super().__init__()
        for palette in PALETTES.values():
            self.register_theme(textual_theme(palette))
        self.theme = (LIGHT if _light(os.environ.get("COLORFGBG", "")) else DARK).name
        if not speaks_utf8(os.environ):
            self._filters.append(AsciiFilter())
        self._go_on = go_on
        self._make_backend = make_backend
        self._resume = resume
        self._left_at = 0.0
        self._early: list[str] = []
        self._copied: tuple[float, int] = (0.0, 0)
        self.backend: Backend | None = None
        self.line = StatusLine(workspace=workspace, state=words.STATE_STARTING)
        self.files: list[str] = []
        self.last_answer = ""
        self.successor = ""
        self.farewell = ""
        self.leaving: Callable[[], Awaitable[None]] | None = None

    def compose(self) -> ComposeResult:
        self.transcript, self.activity, self.waiting = Transcript(), Activity(), WaitingList()
        self.prompt, self.bar, self._offers = Prompt(), StatusBar(), OfferList()
        self.header = Header()
        yield from (self.header, self.transcript, self.activity, self.waiting, self._offers, self.prompt, self.bar)

    async def on_mount(self) -> None:
        self.show_status()
        self.prompt.focus()
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.run_worker(self._start(), exclusive=False)

    async def _start(self) -> None:
        """Does everything that takes time, after the first frame; typing works meanwhile."""
        from baton.surfaces.tui.controller import Controller

        try:
            self.backend = await self._make_backend(lambda text: self.show_status(state=text))
        except BatonError as error:
            await self.notice(str(error), "error")
            self.show_status(state="")
            return
        self.controller = Controller(self, self.backend)
        if self.backend.setup:
            await self._set_up(self.backend, self.backend.setup)
        await self.controller.start(self._resume)
        if self._go_on:
            await self.controller.go_on()
        early, self._early = self._early, []
        if early:
            self.show_waiting([])
        for text in early:
            await self.controller.take(text)

    async def _set_up(self, backend: Backend, setup: Setup) -> None:
        from baton.surfaces.tui.first_start import FirstStart

        if chosen := await FirstStart(self, setup).ask():
            backend.chat.agent.use_model(chosen)
            self.show_status(model=chosen)

    async def on_unmount(self) -> None:
        if self.backend is not None:
            self.controller.stop()
        if self.leaving is not None:
            await self.leaving()

    async def add(self, widget: Widget) -> None:
        await self.transcript.add(widget)

    async def notice(self, text: str, level: str = "info") -> None:
        await self.add(NoticeView(text, level))

    async def ask(self, title: str, text: str) -> bool:
        """Waits for a yes or no over the chat. Closing it is a no."""
        from baton.surfaces.tui.screens import AskScreen

        return bool(await self.answer_of(AskScreen(title, text)))

    async def answer_of(self, screen: ModalScreen[T]) -> T | None:
        """What a screen over the chat returns; None if it is closed. Whoever is cancelled meanwhile takes it back."""
        answer: asyncio.Future[T | None] = asyncio.get_running_loop().create_future()

        def take(said: T | None) -> None:
            if not answer.done():
                answer.set_result(said)

        def show() -> None:
            if not answer.done():
                self.push_screen(screen, take)

        self.call_later(show)
        try:
            return await answer
        finally:
            if self.screen is screen:
                screen.dismiss(None)

    def show_status(self, **changes: Any) -> None:
        self.line = replace(self.line, **changes)
        self.bar.show(self.line)
        self.header.show(self.line)
        self.activity.show(self.line.state)

    @property
    def unsent(self) -> list[str]:
        """What was typed and not taken by the time the app ends."""
        return self.controller.held.texts if self.backend is not None else list(self._early)

    def show_waiting(self, texts: list[str]) -> None:
        self.waiting.show(texts)
        self.prompt.waiting = len(texts)

    def remark(self, text: str) -> None:
        self.activity.remark(text)

    def draw_activity(self) -> None:
        if self.line.state:
            self.activity.draw()

    def look_around(self) -> None:
        """Reads the branch and the files again, which a turn may have changed."""
        self.run_worker(self.controller.look_around(), group="look", exclusive=True)

    def on_prompt_sent(self, message: Prompt.Sent) -> None:
        if self.backend is None:
            self._early.append(message.text)
            self.show_waiting(self._early)
        else:
            self.run_worker(self.controller.take(message.text), exclusive=False)

    def on_prompt_taking_back(self) -> None:
        if self.backend is not None:
            self.run_worker(self.controller.take_back(), exclusive=False)

    def on_prompt_wanting(self, message: Prompt.Wanting) -> None:
        if self.backend:
            self.run_worker(self.controller.give(message.what), exclusive=False)

    def on_prompt_typed(self, message: Prompt.Typed) -> None:
        self.prompt.offering = self._offers.show(message.text, self.files)

    def on_prompt_choosing(self, message: Prompt.Choosing) -> None:
        if self._offers.typed != self.prompt.before:  # keys came quicker than the list follows them
            self.prompt.offering = self._offers.show(self.prompt.before, self.files)
        if message.how == "up":
            self._offers.action_cursor_up()
        elif message.how == "down":
            self._offers.action_cursor_down()
        elif (marked := self._offers.marked) is None:
            if message.how == "enter":
                self.prompt.send()
        else:
            self.prompt.complete(marked.text, marked.length)
            if message.how == "enter" and marked.whole:
                self.prompt.send()

    def on_approval_view_answered(self, message: ApprovalView.Answered) -> None:
        if self.backend:
            self.run_worker(self.controller.answer(message.call_id, message.handle, message.answer), exclusive=False)
        self.prompt.focus()

    def on_key(self, event: events.Key) -> None:
        """What is typed goes to the prompt, wherever the focus is; what the prompt itself took never comes here."""
        if event.is_printable and event.character and len(self.screen_stack) == 1:
            self.prompt.focus()
            self.prompt.insert(event.character)

    def on_paste(self, event: events.Paste) -> None:
        """As `on_key`, for what is pasted."""
        if len(self.screen_stack) == 1:
            self.prompt.focus()
            self.prompt.post_message(events.Paste(event.text))

    def on_resize(self) -> None:
        """Draws everything once more when the size rests. A window that got another size and at once its own again has
        lost lines, while Textual sees no change.
        """
        self.set_timer(RESTS, lambda: self.screen.refresh() if self.screen_stack else None)

    async def _stop(self) -> None:
        """Stops your own command or the transfer that is under way, or else the turn."""
        if self.backend is None or self.controller.own.stop():
            return
        if not await self.controller.transfer.stop():
            await self.backend.chat.stop()

    @property
    def _explained(self) -> ApprovalView | None:
        """The question to which a no is being explained."""
        from baton.surfaces.tui.approval import ApprovalView, WhyInput

        above = self.focused.parent if isinstance(self.focused, WhyInput) else None
        return above if isinstance(above, ApprovalView) else None

    async def action_interrupt(self) -> None:
        prompt = self.prompt
        if isinstance(self.screen, ModalScreen):
            self.screen.dismiss(None)
        elif (asked := self._explained) is not None:
            asked.take_back()
        elif prompt.offering:
            prompt.offering = False
            self._offers.hide()
        elif self.backend and (self.backend.chat.busy or self.controller.busy):
            self.show_status(state=words.STATE_STOPPING)
            self.run_worker(self._stop(), exclusive=False)
            prompt.focus()

    async def action_leave(self) -> None:
        if marked := self.screen.get_selected_text():
            self._copy(marked, words.COPIED_MARKED)
            self.screen.clear_selection()
            return
        if time.monotonic() - self._left_at < _AGAIN:
            self.exit(0)
            return
        self._left_at = time.monotonic()
        self.prompt.set_aside()
        if self.backend:
            self.run_worker(self._stop(), exclusive=False)
        self.remark(words.LEAVE)

    def action_leave_empty(self) -> None:
        if not self.prompt.text:
            self.exit(0)

    def action_help(self) -> None:
        if self.backend:
            self.run_worker(self.controller.take("/help"), exclusive=False)

    def action_copy_answer(self) -> None:
        """Copies the last answer; pressed again soon, its code blocks, the last one first."""
        from baton.surfaces.tui.blocks import code_of

        at, number = self._copied
        texts = [self.last_answer, *code_of(self.last_answer)]
        number = (number + 1) % len(texts) if time.monotonic() - at < _AGAIN else 0
        self._copied = (time.monotonic(), number)
        if self.last_answer:
            template = words.COPIED_CODE if number else words.COPIED_ANSWER
            self._copy(texts[number], template, number=len(texts) - number)
        else:
            self.remark(words.NOTHING_TO_COPY)

    def _copy(self, text: str, template: str, number: int = 0) -> None:
        self.copy_to_clipboard(text)
        self.remark(template.format(number=number, length=len(text)))

    def action_fold(self) -> None:
        """Opens all tool calls, or folds them if one is open."""
        from baton.surfaces.tui.widgets import Fold

        folds = [fold for fold in self.query(Fold) if not fold.has_class("earlier")]
        any_open = any(not fold.folded for fold in folds)
        for fold in folds:
            fold.fold(any_open)

    def action_theme(self) -> None:
        self.theme = (LIGHT if self.theme != LIGHT.name else DARK).name

    def action_mode(self) -> None:
        if self.backend and len(self.screen_stack) == 1:
            agent = self.backend.chat.agent
            at = CYCLE.index(agent.mode) if agent.mode in CYCLE else -1
            agent.mode = CYCLE[(at + 1) % len(CYCLE)]
            self.show_status(mode=agent.mode)
            self.remark(words.MODE_NOW.format(mode=agent.mode.replace("_", " ")))

    def action_scroll(self, pages: int) -> None:
        transcript = self.transcript
        transcript.scroll_page_up() if pages < 0 else transcript.scroll_page_down()


def _light(colors: str) -> bool:
    """Whether a terminal says that its background is light: `COLORFGBG=0;15`."""
    return colors.rpartition(";")[2] in ("7", "15")
