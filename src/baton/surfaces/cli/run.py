"""`baton run`: one turn, for scripts."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import sys
from typing import TYPE_CHECKING, Any

from baton.core import event as events
from baton.core.approval import UNATTENDED
from baton.core.display import one_line, plain
from baton.core.errors import BadInput
from baton.surfaces.approvals import NoApprover
from baton.surfaces.cli.app import App

if TYPE_CHECKING:
    from baton.surfaces.chat import Chat

NOTHING_TO_DO = "There is nothing to do: give a prompt, or pipe one in."
TOO_LONG = 16 * 1024 * 1024
INTERRUPTED = 130


def run(app: App, options: argparse.Namespace) -> int:
    """0 only if the turn ended well, 1 if it failed, 130 if it was stopped."""
    text = _text(options)
    mode = UNATTENDED if options.yes else options.mode
    return asyncio.run(_run(app, options, text, mode))


def _text(options: argparse.Namespace) -> str:
    given = " ".join(options.prompt)
    piped = "" if sys.stdin.isatty() else sys.stdin.read(TOO_LONG)
    text = "\n\n".join(part for part in (given, piped.strip()) if part)
    if not text:
        raise BadInput(reason=NOTHING_TO_DO)
    return text


async def _run(app: App, options: argparse.Namespace, text: str, mode: str | None) -> int:
    chat = await app.chat(NoApprover(), surface="run", model=options.model, mode=mode)
    try:
        if options.conversation:
            await chat.use(options.conversation)
            await chat.runtime.recover(chat.current().id)
        return await _turn(chat, text, _json_printer() if options.json else _Printer(), options)
    finally:
        await chat.runtime.close()
        await chat.agent.close()


async def _turn(chat: Chat, text: str, show: Any, options: argparse.Namespace) -> int:
    conversation = chat.conversation or await chat.begin(text)
    loop = asyncio.get_running_loop()
    with contextlib.suppress(NotImplementedError):
        loop.add_signal_handler(signal.SIGINT, lambda: loop.create_task(chat.stop()))
    ended: events.TurnEnded | None = None
    async for event in chat.runtime.turn(conversation.id, {"text": text}):
        show(event)
        if isinstance(event, events.TurnEnded):
            ended = event
    if not options.json:
        sys.stderr.write(f"conversation {conversation.id} · baton run -c {conversation.id} … goes on\n")
    codes = {"completed": 0, "cancelled": INTERRUPTED}
    return codes.get(ended.reason, 1) if ended else 1


def _json_printer() -> Any:
    from baton.surfaces.events_json import event_line

    def show(event: object) -> None:
        sys.stdout.write(event_line(event) + "\n")
        sys.stdout.flush()

    return show


class _Printer:
    """The answer on standard output; what happens beside it, one line each, on standard error."""

    def __init__(self) -> None:
        self._open = False

    def __call__(self, event: object) -> None:
        match event:
            case events.TextAdded(text):
                sys.stdout.write(plain(text))
                self._open = True
            case events.StepEnded():
                if self._open:
                    sys.stdout.write("\n")
                self._open = False
            case events.ToolStarted():
                self._note(f"▸ {event.tool}: {one_line(event.title, 120)}")
            case events.ToolEnded() if not event.ok:
                self._note(f"✗ {event.tool}: {one_line(event.text, 160)}")
            case events.CompressionEnded():
                self._note(f"◆ compression {event.outcome}: {event.before:,} → {event.after:,} tokens {event.error}")
            case events.Retrying():
                self._note(f"◆ {event.reason} Trying again in {event.seconds:.0f} s.")
            case events.Noticed():
                self._note(f"◆ {event.text}")
            case events.TurnEnded() if event.error:
                self._note(f"baton: {event.error}")
            case _:
                return
        sys.stdout.flush()

    def _note(self, text: str) -> None:
        sys.stdout.flush()
        sys.stderr.write(f"{plain(text)}\n")
        sys.stderr.flush()
