"""`baton sessions show`: one conversation with its sessions, what waits, and what was said last."""

from __future__ import annotations

import argparse
from typing import Any

from baton.core.display import one_line, plain
from baton.core.log.conversation import Conversation
from baton.core.log.entry import Entry
from baton.core.log.session import Session, Vitals, lineage_vitals
from baton.ports.store import Store
from baton.surfaces.cli.app import App
from baton.surfaces.cli.terminal import Terminal
from baton.surfaces.shared.formats import count, iso, local, short
from baton.surfaces.shared.presenters import entry_dict, session_dict, vitals_dict
from baton.surfaces.shared.transcript import count_entries, last_entries

_COLORS = {"user": "green", "assistant": "blue", "compression": "yellow", "packet": "yellow"}
ALONG = "along the lineage: {words}"
EARLIER = "… {hidden} earlier: --all shows them"


def show(app: App, options: argparse.Namespace) -> int:
    store = app.store()
    conversation = store.conversations.find(options.conversation)
    sessions = [(session, store.sessions.vitals(session.id)) for session in store.sessions.of(conversation.id)]
    alone = [session for session, _ in sessions]
    entries = last_entries(store, alone, None if options.all else max(0, options.entries))
    if options.json:
        app.terminal.json(_as_dict(store, conversation, sessions, entries))
        return 0
    _head(app.terminal, conversation, store)
    for session, vitals in sessions:
        app.terminal.line(f"  {session_line(app.terminal, session, vitals)}")
    if len(sessions) > 1 and (words := vitals_words(lineage_vitals(vitals for _, vitals in sessions))):
        app.terminal.line(app.terminal.style(f"  {ALONG.format(words=' · '.join(words))}", "dim"))
    app.terminal.line()
    hidden = 0 if options.all else count_entries(store, alone) - len(entries)
    if hidden > 0:
        app.terminal.line(app.terminal.style(EARLIER.format(hidden=count(hidden, "entry", "entries")), "dim"))
    for entry in entries:
        _entry(app.terminal, entry, whole=options.all)
    return 0


def _head(terminal: Terminal, conversation: Conversation, store: Store) -> None:
    terminal.line(f"{terminal.style(conversation.title, 'bold')}  {terminal.style(conversation.id, 'cyan')}")
    facts = [("workspace", conversation.workspace or "-"), ("last touched", local(conversation.updated_at))]
    if conversation.owner:
        facts.append(("owner", f"{conversation.owner} (epoch {conversation.epoch})"))
    facts += [("bound to", binding.place) for binding in store.bindings.of(conversation.id)]
    facts += [("draft waiting", draft.id) for draft in store.drafts.waiting(conversation.id)]
    facts += [("transfer", f"{each.target}: {each.state} {each.error}") for each in store.transfers.of(conversation.id)]
    for name, value in facts:
        terminal.line(f"  {terminal.style(f'{name:<13}', 'dim')} {one_line(value, 200)}")
    terminal.line()


def session_line(terminal: Terminal, session: Session, vitals: Vitals) -> str:
    """One session: how it began, how it ended, what it went through."""
    state = terminal.style(f"{'live':<26}", "green") if session.live else f"{f'ended: {session.end_reason}':<26}"
    parts = [f"{count(session.entries, 'entry', 'entries')}", f"{short(session.tokens)} tokens", *vitals_words(vitals)]
    text = terminal.style(" · ".join(parts), "dim")
    return f"{terminal.style(session.id, 'cyan')}  {session.edge:<11} {state} {text}"


def vitals_words(vitals: Vitals) -> list[str]:
    words: list[str] = []
    if vitals.compressions:
        words.append(count(vitals.compressions, "compression") + (f", {vitals.lossy} lossy" if vitals.lossy else ""))
    if vitals.failed:
        words.append(f"{vitals.failed} failed")
    if vitals.timed_out:
        words.append(f"{vitals.timed_out} timed out")
    return words


def _entry(terminal: Terminal, entry: Entry, *, whole: bool) -> None:
    label = terminal.style(f"{entry.kind:<11}", _COLORS.get(entry.kind, "cyan"))
    if not whole:
        terminal.line(f"{label} {one_line(entry.text, max(40, min(160, terminal.width - 13)))}")
        return
    terminal.line(f"{label} {terminal.style(f'{local(entry.at)} · {entry.session_id} #{entry.seq}', 'dim')}")
    for line in plain(entry.text).splitlines():
        terminal.line(f"  {line}")


def _as_dict(
    store: Store, conversation: Conversation, sessions: list[tuple[Session, Vitals]], entries: list[Entry]
) -> dict[str, Any]:
    return {
        "id": conversation.id,
        "title": conversation.title,
        "workspace": conversation.workspace,
        "head": conversation.head_id,
        "version": conversation.version,
        "owner": conversation.owner,
        "epoch": conversation.epoch,
        "created_at": iso(conversation.created_at),
        "updated_at": iso(conversation.updated_at),
        "sessions": [session_dict(session, vitals) for session, vitals in sessions],
        "lineage": vitals_dict(lineage_vitals(vitals for _, vitals in sessions)),
        "bindings": [binding.place for binding in store.bindings.of(conversation.id)],
        "drafts": [draft.id for draft in store.drafts.waiting(conversation.id)],
        "transfers": [
            {"id": each.id, "target": each.target, "state": each.state, "step": each.step, "error": each.error}
            for each in store.transfers.of(conversation.id)
        ],
        "entries": [entry_dict(entry) for entry in entries],
    }
