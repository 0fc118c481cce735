"""`baton sessions show | tree`: one conversation with what was said last, and lineages as a picture."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

from baton.core.display import one_line
from baton.core.errors import BadInput
from baton.core.log.entry import Entry
from baton.core.log.owner import describe_owner
from baton.core.log.pointer import pointer, reachable, resolve_entry
from baton.core.log.session import Node, Session, Vitals, count_handoffs, forest
from baton.core.transfer.place import platform_name
from baton.core.transfer.transfer import Transfer, platforms_visited
from baton.ports.store import Store
from baton.surfaces.cli.app import App
from baton.surfaces.cli.terminal import Terminal
from baton.surfaces.shared.formats import count, local_time, short_count
from baton.surfaces.shared.presenters import CONVERSATION, DETAIL, ENTRY, SESSION, TRANSFER, VITALS, Detail, load_detail
from baton.surfaces.shared.shapes import TEXT, Field, Shape, objects
from baton.surfaces.shared.story import AGENT, DONE, FAILED, NOTICE, PERSON, Part, tell
from baton.surfaces.shared.transcript import count_entries, last_entries
from baton.surfaces.words import conversations, counts
from baton.surfaces.words import fields as docs
from baton.surfaces.words import transcript as words

RECENT = 20
_STRAIGHT_LIMIT = 12
_AROUND = 1000
_SIGNS = {
    PERSON: ("› ", "green"),
    AGENT: ("", "blue"),
    DONE: ("✓ ", "dim"),
    FAILED: ("✗ ", "red"),
    NOTICE: ("◆ ", "yellow"),
}

_TRANSFER: Shape[Transfer] = Shape(
    docs.NAME_TRANSFER_IN_BRIEF,
    Field("id", TEXT, docs.TRANSFER_ID),
    TRANSFER.part(lambda it: it, "target", "state", "step", "error"),
)
_SHOWN: Shape[tuple[Detail, Sequence[Entry]]] = Shape(
    docs.NAME_CONVERSATION_SHOWN,
    CONVERSATION.part(lambda it: it[0].conversation),
    DETAIL.part(lambda it: it[0], "sessions"),
    Field("lineage", VITALS.type, docs.SHOWN_LINEAGE, lambda it: VITALS.as_dict(it[0].lineage)),
    DETAIL.part(lambda it: it[0], "bindings", "drafts"),
    objects("transfers", _TRANSFER, docs.SHOWN_TRANSFERS, lambda it: it[0].transfers),
    objects("entries", ENTRY, docs.SHOWN_ENTRIES, lambda it: it[1]),
)

_POINTED: Shape[tuple[str, Entry]] = Shape(
    docs.NAME_ENTRY_POINTED,
    Field("pointer", TEXT, docs.POINTED_POINTER, lambda it: it[0]),
    ENTRY.part(lambda it: it[1]),
)


def show(app: App, options: argparse.Namespace) -> int:
    if options.at is not None:
        return _show_entry(app, options)
    if options.around:
        raise BadInput(reason=conversations.AROUND_WHAT)
    store = app.store()
    detail = load_detail(store, store.conversations.find(options.conversation))
    sessions = [session for session, _ in detail.sessions]
    entries = last_entries(store, sessions, None if options.all else max(0, options.entries))
    if options.json:
        app.terminal.json(_SHOWN.as_dict((detail, entries)))
        return 0
    _print_head(app.terminal, detail)
    chain = [session.id for session in store.sessions.chain(detail.conversation.head_id)]
    for session, vitals in detail.sessions:
        name = f"g{chain.index(session.id) + 1}" if session.id in chain else session.id
        app.terminal.line(f"  {_session_line(app.terminal, name, session, vitals)}")
    if len(sessions) > 1 and (told := _describe_vitals(detail.lineage)):
        app.terminal.line(app.terminal.style(f"  {conversations.ALTOGETHER.format(counts=' · '.join(told))}", "dim"))
    app.terminal.line()
    hidden = 0 if options.all else count_entries(store, sessions) - len(entries)
    if hidden > 0:
        app.terminal.line(app.terminal.style(conversations.EARLIER.format(hidden=count(hidden, counts.ENTRIES)), "dim"))
    for part in tell(entries):
        if not part.quiet:
            where = pointer(chain, f"{part.entry.session_id}/{part.entry.seq}")
            (_print_whole if options.all else _print_line)(app.terminal, part, where)
    return 0


def _show_entry(app: App, options: argparse.Namespace) -> int:
    """The entry that a pointer names, with its neighbours in the session."""
    if not 0 <= options.around <= _AROUND:
        raise BadInput(reason=conversations.AROUND.format(around=options.around, most=_AROUND))
    store = app.store()
    chain = store.sessions.chain(store.conversations.find(options.conversation).head_id)
    session, seq = resolve_entry(chain, options.at)
    ids = [each.id for each in chain]
    first, last = max(1, seq - options.around), min(reachable(chain)[ids.index(session.id)], seq + options.around)
    entries = store.entries.load(session.id, after=first - 1, limit=last - first + 1)
    pointed = [(pointer(ids, f"{session.id}/{entry.seq}"), entry) for entry in entries]
    if options.json:
        app.terminal.json([_POINTED.as_dict(each) for each in pointed])
        return 0
    for (where, _), part in zip(pointed, tell(entries), strict=True):
        _print_whole(app.terminal, part, where, asked=True)
    return 0


def _print_head(terminal: Terminal, detail: Detail) -> None:
    conversation = detail.conversation
    terminal.line(f"{terminal.style(conversation.title, 'bold')}  {terminal.style(conversation.id, 'cyan')}")
    facts = [
        (conversations.WORKSPACE, conversation.workspace or "-"),
        (conversations.LAST_USED, local_time(conversation.updated_at)),
    ]
    if conversation.owner:
        facts.append((conversations.AT_WORK, describe_owner(conversation.owner)))
    facts += [(conversations.HEARD_IN, platform_name(place.partition(":")[0])) for place in detail.bindings]
    facts += [
        (conversations.PACKET, conversations.PACKET_WAITS.format(id=conversation.id, draft=draft))
        for draft in detail.drafts
    ]
    facts += [(conversations.WENT, _describe_move(each)) for each in detail.transfers]
    for name, value in facts:
        terminal.line(f"  {terminal.style(f'{name:<13}', 'dim')} {one_line(value, 200)}")
    terminal.line()


def _describe_move(transfer: Transfer) -> str:
    template = conversations.MOVED_FAILED if transfer.error else conversations.MOVED
    return template.format(place=platform_name(transfer.platform), state=transfer.state, error=transfer.error)


def _session_line(terminal: Terminal, name: str, session: Session, vitals: Vitals) -> str:
    """One session: how it began, how it ended, what it went through."""
    over = words.OVER.get(session.end_reason or "", words.OVER_SOMEHOW)
    state = terminal.style(f"{words.LIVE:<22}", "green") if session.live else f"{over:<22}"
    parts = [
        count(session.entries, counts.ENTRIES),
        conversations.TOKENS.format(count=short_count(session.tokens)),
        *_describe_vitals(vitals),
    ]
    text = terminal.style(" · ".join(parts), "dim")
    began = words.BEGAN.get(session.edge, session.edge)
    return f"{terminal.style(name, 'cyan')}  {began:<19} {state} {text}"


def _describe_vitals(vitals: Vitals) -> list[str]:
    told: list[str] = []
    if vitals.compressions > 0:
        compressions = count(vitals.compressions, counts.COMPRESSIONS)
        lossy = conversations.LOSSY.format(compressions=compressions, lossy=vitals.lossy)
        told.append(lossy if vitals.lossy else compressions)
    if vitals.failed:
        told.append(conversations.FAILED.format(count=vitals.failed))
    if vitals.timed_out:
        told.append(conversations.TIMED_OUT.format(count=vitals.timed_out))
    return told


def _print_line(terminal: Terminal, part: Part, where: str) -> None:
    """A part in one line: when, who or what, and the beginning of its words."""
    sign, color = _SIGNS[part.role]
    time = terminal.style(f"{local_time(part.entry.at)}  {where:<6}", "dim")
    room = max(40, min(160, terminal.width - 30))
    if part.role in (PERSON, AGENT):
        said = one_line(part.text, max(20, room - len(part.head)))
        terminal.line(f"{time} {terminal.style(f'{sign}{part.head}', color)}  {said}".rstrip())
    else:
        terminal.line(f"{time} {terminal.style(sign.strip(), color)} {one_line(part.head, room)}".rstrip())


def _print_whole(terminal: Terminal, part: Part, where: str, *, asked: bool = False) -> None:
    """A part under its head; whoever `asked` for this entry sees everything that it holds."""
    sign, color = _SIGNS[part.role]
    when = " · ".join(filter(None, [local_time(part.entry.at), where]))
    terminal.line(f"{terminal.style(f'{sign}{part.head}', color)} {terminal.style(f'· {when}', 'dim')}")
    for text in (part.text, part.whole if asked else ""):
        for line in text.splitlines():
            terminal.line(f"  {line}".rstrip())
    if not asked:
        terminal.line()


def tree(app: App, options: argparse.Namespace) -> int:
    store = app.store()
    if options.conversation:
        heads = [store.conversations.find(options.conversation).head_id]
    else:
        heads = [row.conversation.head_id for row in store.conversations.page(RECENT, begun=True).rows]
    lineages = _lineages(store, heads)
    if options.json:
        app.terminal.json([[_node_dict(store, node) for node in forest(sessions)] for sessions in lineages])
        return 0
    for sessions in lineages:
        _draw(app.terminal, store, sessions)
    return 0


def _lineages(store: Store, heads: list[str]) -> list[list[Session]]:
    """Each lineage once, however many of its sessions are heads."""
    found: dict[str, list[Session]] = {}
    for head_id in heads:
        root_id = store.sessions.get(head_id).root_id
        if root_id not in found:
            found[root_id] = store.sessions.tree(head_id)
    return list(found.values())


def _draw(terminal: Terminal, store: Store, sessions: list[Session]) -> None:
    vitals = {session.id: store.sessions.vitals(session.id) for session in sessions}
    for top in forest(sessions):
        title = store.conversations.get(top.session.conversation_id).title
        terminal.line(
            f"{terminal.style(one_line(title, 70), 'bold')}   {terminal.style(_sum(sessions, vitals), 'dim')}"
        )
        _draw_branches(terminal, store, top, vitals)
    terminal.line()


def _draw_branches(terminal: Terminal, store: Store, top: Node, vitals: dict[str, Vitals]) -> None:
    """Depth first with an explicit stack; a child that continues in another conversation says which."""
    stack: list[tuple[Node, str, bool, str]] = [(top, "", True, top.session.conversation_id)]
    while stack:
        node, indent, last, above = stack.pop()
        session = node.session
        branch = f"{indent}{'└─' if last else '├─'} "
        line = _session_line(terminal, session.id, session, vitals[session.id])
        if session.live and (been := platforms_visited(store.transfers.of(session.conversation_id))):
            line += f" · {' → '.join(been)}"
        if session.conversation_id != above:
            title = store.conversations.get(session.conversation_id).title
            line += f"   {terminal.style(one_line(title, 50), 'bold')}"
        terminal.line(f"{terminal.style(branch, 'dim')}{line}")
        below = indent + ("   " if last else "│  ")
        if len(below) > 3 * _STRAIGHT_LIMIT:
            below = below[: 3 * _STRAIGHT_LIMIT]
        for index, child in reversed(list(enumerate(node.children))):
            stack.append((child, below, index == len(node.children) - 1, session.conversation_id))


def _sum(sessions: list[Session], vitals: dict[str, Vitals]) -> str:
    handoffs = count_handoffs(sessions)
    compressions = sum(each.compressions for each in vitals.values())
    parts = [count(len(sessions), counts.SESSIONS)]
    parts += [count(handoffs, counts.HANDOFFS)] if handoffs else []
    parts += [count(compressions, counts.COMPRESSIONS)] if compressions else []
    tokens = short_count(sum(session.tokens for session in sessions))
    return " · ".join([*parts, conversations.TOKENS.format(count=tokens)])


def _node_dict(store: Store, top: Node) -> dict[str, Any]:
    """Built from the leaves up, so that a long chain needs no deep recursion."""
    order: list[Node] = [top]
    for node in order:
        order.extend(node.children)
    done: dict[str, dict[str, Any]] = {}
    for node in reversed(order):
        own = SESSION.as_dict((node.session, store.sessions.vitals(node.session.id)))
        done[node.session.id] = {**own, "children": [done[child.session.id] for child in node.children]}
    return done[top.session.id]
