"""`baton watch CONVERSATION`: what is said in a conversation that lives elsewhere, as it is said. Changes nothing."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from baton.core.display import one_line, plain
from baton.core.log.payloads import (
    CANCELLED,
    WAITING,
    AssistantStep,
    HandoffFailed,
    Note,
    ToolCall,
    ToolResult,
    TurnEnd,
    UserInput,
    payload,
)
from baton.core.transfer.place import TERMINAL, platform_name
from baton.engine.transfer.moves import lives_in
from baton.ports.store import LOG
from baton.surfaces.cli.app import App
from baton.surfaces.shared.call_end import describe_call_failure
from baton.surfaces.shared.wording import describe_turning_point
from baton.surfaces.words import conversations as words

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.core.log.entry import Entry
    from baton.ports.store import Store

ENDED = {CANCELLED: words.WATCH_STOPPED, WAITING: words.WATCH_WAITS}


def watch(app: App, options: argparse.Namespace) -> int:
    store = app.store()
    conversation = store.conversations.find(options.conversation)
    if not options.json:
        _introduce(app, conversation, once=options.once)
    waiter = store.waiter(LOG)
    position = _start(store, conversation.head_id, options.last)
    try:
        while True:
            position = _tell(app, store, conversation.id, position, as_json=options.json)
            app.terminal.flush()
            if options.once:
                return 0
            waiter.wait(5.0)
    finally:
        waiter.close()


def _introduce(app: App, conversation: Conversation, *, once: bool) -> None:
    lives = lives_in(app.store(), conversation.id)
    place = words.THE_TERMINAL if lives == TERMINAL else platform_name(lives)
    app.terminal.note(words.WATCH_LIVES.format(title=plain(conversation.title), id=conversation.id, place=place))
    if not once:
        app.terminal.note(words.WATCHING)


def _start(store: Store, head_id: str, last: int) -> tuple[str, int]:
    return head_id, max(0, store.sessions.get(head_id).entries - last)


def _tell(app: App, store: Store, conversation_id: str, position: tuple[str, int], *, as_json: bool) -> tuple[str, int]:
    """Everything after the position, in this session and those that follow it."""
    session_id, seq = position
    sessions = [session.id for session in store.sessions.of(conversation_id)]
    for each in sessions[sessions.index(session_id) :]:
        seq = seq if each == session_id else 0
        for entry in store.entries.load(each, after=seq):
            seq, session_id = entry.seq, each
            if not entry.copied:
                _show(app, entry, as_json=as_json)
        session_id = each
    return session_id, seq


def _show(app: App, entry: Entry, *, as_json: bool) -> None:
    if as_json:
        head = {"session_id": entry.session_id, "seq": entry.seq, "kind": entry.kind, "at": entry.at}
        app.terminal.json({**head, **entry.data})
    elif found := _line(entry):
        text, style = found
        app.terminal.line(app.terminal.style(text, style) if style else text)


def _describe_call(result: ToolResult) -> tuple[str, str] | None:
    failure = describe_call_failure(result.name, result.text, result.details, ok=result.ok)
    return (f"✗ {result.name}: {one_line(failure, 100)}", "red") if failure else None


def _line(entry: Entry) -> tuple[str, str] | None:
    """What is shown of an entry, and how; None if it is not shown."""
    match payload(entry):
        case UserInput(synthetic=False, text=text):
            return f"› {plain(text)}", "bold"
        case AssistantStep(text=text) if text.strip():
            return plain(text), ""
        case ToolCall(title=title, name=name):
            return f"▸ {one_line(title or name, 100)}", "dim"
        case ToolResult() as result:
            return _describe_call(result)
        case TurnEnd(error=error) | HandoffFailed(error=error) | Note(error=error) if error:
            return f"⚠ {one_line(error, 200)}", "red"
        case TurnEnd(end=end) if end in ENDED:
            return ENDED[end], "dim"
        case _:
            return (line, "yellow") if (line := describe_turning_point(entry)) else None
