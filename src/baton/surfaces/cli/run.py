"""`baton run`: one turn, for scripts."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO, cast

from baton.core.agent import event as events
from baton.core.agent.approval import UNATTENDED
from baton.core.agent.event import Event
from baton.core.agent.shown import ShownFile, shown_file
from baton.core.display import one_line, plain
from baton.core.errors import BadInput
from baton.core.log.payloads import CANCELLED, COMPLETED, HANDED_OFF, WAITING, UserInput
from baton.engine.aio import finish_in_thread
from baton.surfaces.cli.app import App
from baton.surfaces.cli.global_flags import last_set
from baton.surfaces.cli.picture import can_draw, draw
from baton.surfaces.cli.question import Question, can_ask
from baton.surfaces.shared import handoffs, images
from baton.surfaces.shared.approvals import NoApprover
from baton.surfaces.shared.attachments import add_to, find_attachments
from baton.surfaces.shared.call_end import describe_call_failure
from baton.surfaces.shared.process import agent_words, replace_process
from baton.surfaces.shared.shown import read_shown
from baton.surfaces.shared.wording import describe_compression_end, describe_context, describe_cost, describe_kept
from baton.surfaces.words import files, work
from baton.surfaces.words import run as words

if TYPE_CHECKING:
    from baton.surfaces.shared.chat import Chat

TOO_LONG = 8_000_000
INTERRUPTED = 130
ELSEWHERE = -1
"""Not an exit code: the work continues in a new process."""


def run(app: App, options: argparse.Namespace) -> int:
    """0 only if the turn ended well, 1 if it failed, 130 if it was stopped."""
    if options.conversation is not None and not options.conversation.strip():
        raise BadInput(reason=words.NO_NAME)
    if options.go_on and not options.conversation:
        raise BadInput(reason=words.CONTINUE_WHAT)
    mode = _mode(options)
    text = "" if options.go_on else _text(options)
    pictures = images.check_total_size([images.read(path, os.getcwd()) for path in options.image])
    code = asyncio.run(_run(app, options, text, pictures, mode))
    if code < 0:
        replace_process(_again(options))
    return code


def _mode(options: argparse.Namespace) -> str | None:
    """What `--yes` and the flags ask for; None if that is the configuration's to say."""
    if not options.yes:
        return options.mode
    asked = options.mode or last_set(options.flags, "agent.mode") or UNATTENDED
    if asked != UNATTENDED:
        raise BadInput(reason=words.YES_AND_MODE.format(mode=asked))
    return UNATTENDED


def _again(options: argparse.Namespace) -> list[str]:
    """The same work in a new process."""
    flags = [*(["--json"] if options.json else []), *(["--yes"] if options.yes else [])]
    held = agent_words(options.model, options.mode, options.flags, options.color)
    return ["run", "--continue", "-c", options.conversation, *flags, *held]


def _text(options: argparse.Namespace) -> str:
    given = " ".join(options.prompt)
    text = "\n\n".join(part for part in (given, _read_stdin().strip()) if part)
    if not text:
        raise BadInput(reason=words.NOTHING_TO_DO)
    return text


def _read_stdin() -> str:
    """Standard input, whatever its bytes; nothing if that is a terminal or closed."""
    stdin = cast("TextIO | None", sys.stdin)
    if stdin is None or stdin.isatty():
        return ""
    data = stdin.buffer.read(TOO_LONG + 1)
    if len(data) > TOO_LONG:
        raise BadInput(reason=words.TOO_MUCH_INPUT.format(limit=TOO_LONG // 1_000_000))
    return data.decode(errors="replace")


async def _run(
    app: App, options: argparse.Namespace, text: str, pictures: Sequence[images.Picture], mode: str | None
) -> int:
    chat = await app.chat(NoApprover(), surface="run", model=options.model, mode=mode)
    try:
        if chat.agent.mode == UNATTENDED and (why := await finish_in_thread(chat.agent.unsandboxed)):
            sys.stderr.write(words.NO_SANDBOX.format(why=why))
        if options.conversation:
            await chat.use(options.conversation)
            await chat.runtime.recover(chat.current().id)
        else:
            chat.agent.use_model(chat.agent.model)  # a run that cannot begin leaves no conversation behind
        typed = " ".join(options.prompt)
        given = await handoffs.make_resumption(chat) if options.go_on else _make_input(chat, text, typed, pictures)
        return await _turn(chat, given, _json_printer() if options.json else _Printer(), options)
    finally:
        await chat.runtime.close()
        await chat.agent.close()


def _make_input(chat: Chat, text: str, typed: str, pictures: Sequence[images.Picture]) -> UserInput:
    """With the files that are named by what was `typed`; what came through a pipe takes none along."""
    if pictures and not chat.agent.takes_images():
        names = ", ".join(picture.name for picture in pictures)
        raise BadInput(reason=files.IMAGES_NOT_TAKEN.format(model=chat.agent.model, names=names))
    given = UserInput(text, tuple(picture.image() for picture in pictures))
    return add_to(given, find_attachments(typed, chat.agent.workspace))


async def _turn(chat: Chat, given: UserInput, show: events.Emit, options: argparse.Namespace) -> int:
    conversation = chat.conversation or await chat.begin(given.text)
    question = Question(chat, asks=not options.json and can_ask())
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(NotImplementedError):
            loop.add_signal_handler(number, lambda: loop.create_task(_stop(chat, question)))
    ended = await _watch(chat, given, show, question)
    while ended and ended.reason == WAITING and await question.answer():
        ended = await _watch(chat, handoffs.RESUME, show, question)
    if ended and ended.reason == HANDED_OFF:
        options.conversation = conversation.id
        return ELSEWHERE
    if not options.json:
        sys.stderr.write(words.ENDED.format(id=conversation.id))
    codes = {COMPLETED: 0, CANCELLED: INTERRUPTED}
    return codes.get(ended.reason, 1) if ended else 1


async def _watch(chat: Chat, given: UserInput, show: events.Emit, question: Question) -> events.TurnEnded | None:
    """Shows a turn, keeps the question it is stopped for, and returns how it ended."""
    ended: events.TurnEnded | None = None
    async for event in chat.runtime.turn(chat.current().id, given):
        show(event)
        if isinstance(event, events.HandoffOffered):
            question.offered = event
        if isinstance(event, events.TurnEnded):
            ended = event
    return ended


async def _stop(chat: Chat, question: Question) -> None:
    if not question.stop():
        await chat.stop()


def _json_printer() -> events.Emit:
    from baton.surfaces.shared.events_json import event_line

    def show(event: Event) -> None:
        sys.stdout.write(event_line(event) + "\n")
        sys.stdout.flush()

    return show


class _Printer:
    """The answer on standard output; what happens beside it, one line each, on standard error."""

    def __init__(self) -> None:
        self._open = False

    def __call__(self, event: Event) -> None:
        match event:
            case events.TextAdded(text):
                sys.stdout.write(plain(text))
                self._open = True
            case events.StepEnded():
                self._close()
            case events.ToolEnded() if event.ok and (shown := shown_file(event.details)):
                self._show(shown)
            case _:
                if isinstance(event, events.TurnEnded):
                    self._close()
                self._note(_describe(event))
        sys.stdout.flush()

    def _show(self, shown: ShownFile) -> None:
        """A file the agent shows: the picture where the terminal can draw it, and always the path."""
        if shown.is_picture and sys.stdout.isatty() and can_draw(os.environ):
            sys.stdout.write(draw(read_shown(shown) or b""))
        self._note(f"◆ {f'{shown.caption}: ' if shown.caption else ''}{shown.path}")

    def _close(self) -> None:
        """Ends the line of an answer, even of one that was cut off."""
        if self._open:
            sys.stdout.write("\n")
        self._open = False

    def _note(self, text: str) -> None:
        if not text:
            return
        sys.stdout.flush()
        sys.stderr.write(f"{plain(text)}\n")
        sys.stderr.flush()


def _describe(event: events.Event) -> str:
    """What happens beside the answer, in one line; empty if it need not be said."""
    match event:
        case events.ToolStarted():
            return words.CALL.format(tool=event.tool, title=one_line(event.title, 120))
        case events.ToolEnded():
            return _describe_call(event)
        case events.Retrying():
            return words.RETRYING.format(reason=event.reason, seconds=event.seconds)
        case events.Noticed():
            return words.NOTED.format(text=event.text)
        case events.TurnEnded() if event.error:
            return words.FAILED.format(error=event.error)
        case _:
            return _describe_session_event(event)


def _describe_call(event: events.ToolEnded) -> str:
    failure = describe_call_failure(event.tool, event.text, event.details, ok=event.ok)
    return words.CALL_FAILED.format(tool=event.tool, failure=one_line(failure, 160)) if failure else ""


def _describe_session_event(event: events.Event) -> str:
    """As `_describe`, for what happens to the context and the session."""
    match event:
        case events.CompressionStarted():
            return words.COMPRESSING.format(kept=describe_kept(event.kept))
        case events.CompressionEnded():
            return words.NOTED.format(text=describe_compression_end(event))
        case events.HandoffStarted():
            return words.CREATING.format(because=event.because)
        case events.PacketWritten():
            return _describe_packet(event)
        case events.HandoffOffered():
            return words.OFFERED.format(because=event.because, doubt=event.doubt)
        case events.HandoffEnded() if event.error:
            return words.HANDOFF_FAILED.format(error=event.error)
        case events.HandoffEnded() if event.after:
            return words.NOTED.format(text=describe_context(event.before, event.after))
        case events.HeadAdvanced():
            return words.ADVANCED
        case _:
            return ""


def _describe_packet(event: events.PacketWritten) -> str:
    told = words.PACKET_WRITTEN.format(path=event.path, tokens=event.tokens, share=event.share)
    cost = describe_cost(event.usage)
    return f"{told} {work.NARRATIVE_COST.format(cost=cost)}" if cost else told


IGNORED = (
    events.TurnStarted,
    events.Queued,
    events.Pressure,
    events.StepStarted,
    events.ReasoningAdded,
    events.ApprovalAnswered,  # nobody was asked
    events.ModeChanged,
    events.ApprovalAsked,  # nobody is there to answer; the refusal is told when the call ends
    events.ToolOutput,
    events.PlanChanged,
    events.Compressing,
    events.HandoffStep,
    events.ProcessWanted,
)
"""Events a script's reader has no use for; `--json` prints every one."""
