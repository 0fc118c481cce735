"""`baton sessions tree`: the lineage as a picture."""

from __future__ import annotations

import argparse
from typing import Any

from baton.core.display import one_line
from baton.core.log.session import Node, Session, Vitals, forest
from baton.core.transfer.transfer import way
from baton.ports.store import Store
from baton.surfaces.cli.app import App
from baton.surfaces.cli.show import session_line
from baton.surfaces.cli.terminal import Terminal
from baton.surfaces.shared.formats import count, short
from baton.surfaces.shared.presenters import session_dict

RECENT = 20
_STRAIGHT_LIMIT = 12


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
        _branches(terminal, store, top, vitals)
    terminal.line()


def _branches(terminal: Terminal, store: Store, top: Node, vitals: dict[str, Vitals]) -> None:
    """Depth first with an explicit stack; a child that goes on in another conversation says which."""
    stack: list[tuple[Node, str, bool, str]] = [(top, "", True, top.session.conversation_id)]
    while stack:
        node, indent, last, above = stack.pop()
        session = node.session
        branch = f"{indent}{'└─' if last else '├─'} "
        line = session_line(terminal, session, vitals[session.id])
        if session.live and (been := way(store.transfers.of(session.conversation_id))):
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
    handoffs = sum(session.edge == "handoff" for session in sessions)
    compressions = sum(each.compressions for each in vitals.values())
    parts = [count(len(sessions), "session")]
    parts += [count(handoffs, "handoff")] if handoffs else []
    parts += [count(compressions, "compression")] if compressions else []
    return " · ".join([*parts, f"{short(sum(session.tokens for session in sessions))} tokens"])


def _node_dict(store: Store, top: Node) -> dict[str, Any]:
    """Built from the leaves up, so that a long chain needs no deep recursion."""
    order: list[Node] = [top]
    for node in order:
        order.extend(node.children)
    done: dict[str, dict[str, Any]] = {}
    for node in reversed(order):
        own = session_dict(node.session, store.sessions.vitals(node.session.id))
        done[node.session.id] = {**own, "children": [done[child.session.id] for child in node.children]}
    return done[top.session.id]
