"""The JSON shapes that several surfaces show: conversations, sessions, entries, hits, transfers and gateways.

`--json` prints them and the HTTP API answers with them. A shape that only one surface has stands in that surface.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baton.core.log.session import lineage_vitals
from baton.core.transfer.place import TERMINAL
from baton.core.value import value
from baton.surfaces.shared.formats import iso_time
from baton.surfaces.shared.shapes import (
    COUNT,
    FLAG,
    MICROS,
    OBJECT,
    TEXT,
    TIME,
    Field,
    Shape,
    list_of,
    nullable,
    objects,
    one_of,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from baton.core.log.conversation import Conversation, Row
    from baton.core.log.entry import Entry
    from baton.core.log.search import Hit
    from baton.core.log.session import Session, Vitals
    from baton.core.transfer.transfer import Transfer
    from baton.engine.transfer.targets import GatewayRow
    from baton.ports.store import Store

CONVERSATION: Shape[Conversation] = Shape(
    "conversation",
    Field("id", TEXT, "Its id, the same on every surface."),
    Field("title", TEXT, "What it is called."),
    Field("workspace", TEXT, "The directory it works in."),
    Field("head", TEXT, "The id of its newest session.", lambda it: it.head_id),
    Field("version", COUNT, "How often its head has moved."),
    Field("owner", nullable(TEXT), "The process that may write to it now."),
    Field("epoch", COUNT, "How often it was claimed."),
    Field("created_at", TIME, "When it began.", lambda it: iso_time(it.created_at)),
    Field("updated_at", TIME, "When something was last said or done in it.", lambda it: iso_time(it.updated_at)),
)

CONVERSATION_ROW: Shape[Row] = Shape(
    "conversation in a list",
    CONVERSATION.part(lambda it: it.conversation, "id", "title", "workspace", "head"),
    Field("sessions", COUNT, "How many sessions it has."),
    Field("model", TEXT, "The model of its head."),
    Field("entries", COUNT, "Entries of all its sessions."),
    Field("tokens", COUNT, "Tokens of all its entries."),
    CONVERSATION.part(lambda it: it.conversation, "owner"),
    Field("lives_in", TEXT, "`terminal`, or the platform it was moved to.", lambda it: it.moved_to or TERMINAL),
    CONVERSATION.part(lambda it: it.conversation, "created_at", "updated_at"),
)

VITALS: Shape[Vitals] = Shape(
    "vitals",
    Field(
        "compressions",
        COUNT,
        "How often the context was compressed, without what you took back.",
        lambda it: max(0, it.compressions),
    ),
    Field("lossy", COUNT, "How many of these lost something.", lambda it: max(0, it.lossy)),
    Field("failed", COUNT, "Compressions that failed."),
    Field("timed_out", COUNT, "Compressions that took too long."),
    Field("last_error", TEXT, "Why the last one failed; empty if none did."),
)

_SESSION: Shape[Session] = Shape(
    "session alone",
    Field("id", TEXT, "Its id."),
    Field("conversation", TEXT, "The id of its conversation.", lambda it: it.conversation_id),
    Field("parent", nullable(TEXT), "The session it continues.", lambda it: it.parent_id),
    Field("root", TEXT, "The first session of its lineage.", lambda it: it.root_id),
    Field("edge", TEXT, "How it came to be: root, compression, handoff, undo, fork or import."),
    Field("reason", TEXT, "Why it was begun."),
    Field("depth", COUNT, "How many sessions are above it."),
    Field("model", TEXT, "The model it was begun with."),
    Field("started_at", TIME, "When it began.", lambda it: iso_time(it.started_at)),
    Field("ended_at", nullable(TIME), "When it ended; null while it is live.", lambda it: iso_time(it.ended_at)),
    Field("end_reason", nullable(TEXT), "Why it ended."),
    Field("entries", COUNT, "How many entries it has."),
    Field("tokens", COUNT, "Tokens of its entries."),
)

SESSION: Shape[tuple[Session, Vitals]] = Shape(
    "session",
    _SESSION.part(lambda it: it[0]),
    VITALS.part(lambda it: it[1]),
)

ENTRY: Shape[Entry] = Shape(
    "entry",
    Field("session", TEXT, "The id of its session.", lambda it: it.session_id),
    Field("seq", COUNT, "Its number in the session, from 1."),
    Field("kind", TEXT, "What it is: user, assistant, tool_call, tool_result, compression, packet, note …"),
    Field("at", TIME, "When it was written.", lambda it: iso_time(it.at)),
    Field("tokens", COUNT, "How much of a context it takes."),
    Field("body", OBJECT, "What it holds, by its kind.", lambda it: it.data),
)

HIT: Shape[Hit] = Shape(
    "hit",
    Field("conversation_id", TEXT, "The conversation it is in."),
    Field("title", TEXT, "What that is called."),
    Field("session_id", TEXT, "The session it is in."),
    Field("seq", COUNT, "The number of the entry."),
    Field("kind", TEXT, "The kind of the entry."),
    Field("at", TIME, "When it was written.", lambda it: iso_time(it.at)),
    Field("snippet", TEXT, "The text around what was found."),
    Field("spans", list_of(list_of(COUNT)), "Where the words are in the snippet: start and end."),
)

TRANSFER: Shape[Transfer] = Shape(
    "transfer",
    Field("transfer_id", TEXT, "Its id.", lambda it: it.id),
    Field("conversation_id", TEXT, "What is moved."),
    Field("origin", TEXT, "Where it was asked for."),
    Field("target", TEXT, "Where it is to go."),
    Field("platform", TEXT, "The platform of that, or `terminal`."),
    Field("place", TEXT, "The key of the place it found there; empty before that.", lambda it: _place(it)),
    Field("state", one_of("pending", "running", "completed", "failed"), "What became of it."),
    Field("step", TEXT, "How far it is."),
    Field("attempts", COUNT, "How often it was taken up."),
    Field("cancel_asked", FLAG, "Whether its worker was asked to stop.", lambda it: bool(it.cancel_asked)),
    Field("error", TEXT, "Why it failed; empty if it did not."),
    Field("requested_at", MICROS, "When it was asked for."),
    Field("updated_at", MICROS, "When it last changed."),
)

TRANSFER_WITH_JOURNAL: Shape[Transfer] = Shape(
    "transfer with its journal",
    TRANSFER.fields,
    Field("journal", OBJECT, "What each step left, by step.", lambda it: it.notes),
)


def _place(transfer: Transfer) -> str:
    notes = transfer.notes
    found: dict[str, Any] = notes.get("bound") or notes.get("opened") or {}
    return str(found.get("place", ""))


@value
class Detail:
    """`bindings` are keys of places; `drafts` are ids of those that wait."""

    conversation: Conversation
    sessions: Sequence[tuple[Session, Vitals]]
    bindings: Sequence[str]
    drafts: Sequence[str]
    transfers: Sequence[Transfer]

    @property
    def lineage(self) -> Vitals:
        """The vitals of all its sessions together."""
        return lineage_vitals(vitals for _, vitals in self.sessions)


def load_detail(store: Store, conversation: Conversation) -> Detail:
    sessions = [(session, store.sessions.vitals(session.id)) for session in store.sessions.of(conversation.id)]
    return Detail(
        conversation,
        sessions,
        [binding.place for binding in store.bindings.of(conversation.id)],
        [draft.id for draft in store.drafts.list_waiting(conversation.id)],
        store.transfers.of(conversation.id),
    )


DETAIL: Shape[Detail] = Shape(
    "conversation's detail",
    CONVERSATION.part(lambda it: it.conversation),
    objects("sessions", SESSION, "All of them, oldest first."),
    Field("vitals", VITALS.type, "Those of all its sessions together.", lambda it: VITALS.as_dict(it.lineage)),
    Field("bindings", list_of(TEXT), "The keys of the places it speaks in."),
    Field("drafts", list_of(TEXT), "The ids of drafts that wait."),
)

GATEWAY: Shape[GatewayRow] = Shape(
    "gateway",
    Field("id", TEXT, "Its id."),
    Field("platforms", OBJECT, "The state of each platform it hosts."),
    Field("names", OBJECT, "What it is called on each."),
    Field("api", TEXT, "The address of its HTTP API."),
    Field("host", TEXT, "The machine it runs on."),
    Field("pid", COUNT, "Its process."),
    Field("started", MICROS, "When it began."),
    Field("beat", MICROS, "When it last said that it lives."),
    Field("figures", OBJECT, "What it has counted since it began."),
)
