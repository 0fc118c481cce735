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
from baton.surfaces.words import fields as docs

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
    Field("id", TEXT, docs.CONVERSATION_ID),
    Field("title", TEXT, docs.CONVERSATION_TITLE),
    Field("workspace", TEXT, docs.CONVERSATION_WORKSPACE),
    Field("head", TEXT, docs.CONVERSATION_HEAD, lambda it: it.head_id),
    Field("version", COUNT, docs.CONVERSATION_VERSION),
    Field("owner", nullable(TEXT), docs.CONVERSATION_OWNER),
    Field("epoch", COUNT, docs.CONVERSATION_EPOCH),
    Field("created_at", TIME, docs.CONVERSATION_CREATED_AT, lambda it: iso_time(it.created_at)),
    Field("updated_at", TIME, docs.CONVERSATION_UPDATED_AT, lambda it: iso_time(it.updated_at)),
)

CONVERSATION_ROW: Shape[Row] = Shape(
    docs.NAME_CONVERSATION_ROW,
    CONVERSATION.part(lambda it: it.conversation, "id", "title", "workspace", "head"),
    Field("sessions", COUNT, docs.CONVERSATION_ROW_SESSIONS),
    Field("model", TEXT, docs.CONVERSATION_ROW_MODEL),
    Field("entries", COUNT, docs.CONVERSATION_ROW_ENTRIES),
    Field("tokens", COUNT, docs.CONVERSATION_ROW_TOKENS),
    CONVERSATION.part(lambda it: it.conversation, "owner"),
    Field("lives_in", TEXT, docs.CONVERSATION_ROW_LIVES_IN, lambda it: it.moved_to or TERMINAL),
    CONVERSATION.part(lambda it: it.conversation, "created_at", "updated_at"),
)

VITALS: Shape[Vitals] = Shape(
    "vitals",
    Field(
        "compressions",
        COUNT,
        docs.VITALS_COMPRESSIONS,
        lambda it: max(0, it.compressions),
    ),
    Field("lossy", COUNT, docs.VITALS_LOSSY, lambda it: max(0, it.lossy)),
    Field("failed", COUNT, docs.VITALS_FAILED),
    Field("timed_out", COUNT, docs.VITALS_TIMED_OUT),
    Field("last_error", TEXT, docs.VITALS_LAST_ERROR),
)

_SESSION: Shape[Session] = Shape(
    docs.NAME_SESSION_ALONE,
    Field("id", TEXT, docs.SESSION_ID),
    Field("conversation", TEXT, docs.SESSION_CONVERSATION, lambda it: it.conversation_id),
    Field("parent", nullable(TEXT), docs.SESSION_PARENT, lambda it: it.parent_id),
    Field("root", TEXT, docs.SESSION_ROOT, lambda it: it.root_id),
    Field("edge", TEXT, docs.SESSION_EDGE),
    Field("reason", TEXT, docs.SESSION_REASON),
    Field("depth", COUNT, docs.SESSION_DEPTH),
    Field("model", TEXT, docs.SESSION_MODEL),
    Field("started_at", TIME, docs.SESSION_STARTED_AT, lambda it: iso_time(it.started_at)),
    Field("ended_at", nullable(TIME), docs.SESSION_ENDED_AT, lambda it: iso_time(it.ended_at)),
    Field("end_reason", nullable(TEXT), docs.SESSION_END_REASON),
    Field("entries", COUNT, docs.SESSION_ENTRIES),
    Field("tokens", COUNT, docs.SESSION_TOKENS),
)

SESSION: Shape[tuple[Session, Vitals]] = Shape(
    "session",
    _SESSION.part(lambda it: it[0]),
    VITALS.part(lambda it: it[1]),
)

ENTRY: Shape[Entry] = Shape(
    "entry",
    Field("session", TEXT, docs.ENTRY_SESSION, lambda it: it.session_id),
    Field("seq", COUNT, docs.ENTRY_SEQ),
    Field("kind", TEXT, docs.ENTRY_KIND),
    Field("at", TIME, docs.ENTRY_AT, lambda it: iso_time(it.at)),
    Field("tokens", COUNT, docs.ENTRY_TOKENS),
    Field("body", OBJECT, docs.ENTRY_BODY, lambda it: it.data),
)

HIT: Shape[Hit] = Shape(
    "hit",
    Field("conversation_id", TEXT, docs.HIT_CONVERSATION_ID),
    Field("title", TEXT, docs.HIT_TITLE),
    Field("session_id", TEXT, docs.HIT_SESSION_ID),
    Field("seq", COUNT, docs.HIT_SEQ),
    Field("kind", TEXT, docs.HIT_KIND),
    Field("at", TIME, docs.HIT_AT, lambda it: iso_time(it.at)),
    Field("snippet", TEXT, docs.HIT_SNIPPET),
    Field("spans", list_of(list_of(COUNT)), docs.HIT_SPANS),
)

TRANSFER: Shape[Transfer] = Shape(
    "transfer",
    Field("transfer_id", TEXT, docs.TRANSFER_TRANSFER_ID, lambda it: it.id),
    Field("conversation_id", TEXT, docs.TRANSFER_CONVERSATION_ID),
    Field("origin", TEXT, docs.TRANSFER_ORIGIN),
    Field("target", TEXT, docs.TRANSFER_TARGET),
    Field("platform", TEXT, docs.TRANSFER_PLATFORM),
    Field("place", TEXT, docs.TRANSFER_PLACE, lambda it: _place(it)),
    Field("state", one_of("pending", "running", "completed", "failed"), docs.TRANSFER_STATE),
    Field("step", TEXT, docs.TRANSFER_STEP),
    Field("attempts", COUNT, docs.TRANSFER_ATTEMPTS),
    Field("cancel_asked", FLAG, docs.TRANSFER_CANCEL_ASKED, lambda it: bool(it.cancel_asked)),
    Field("error", TEXT, docs.TRANSFER_ERROR),
    Field("requested_at", MICROS, docs.TRANSFER_REQUESTED_AT),
    Field("updated_at", MICROS, docs.TRANSFER_UPDATED_AT),
)

TRANSFER_WITH_JOURNAL: Shape[Transfer] = Shape(
    docs.NAME_TRANSFER_WITH_JOURNAL,
    TRANSFER.fields,
    Field("journal", OBJECT, docs.TRANSFER_WITH_JOURNAL_JOURNAL, lambda it: it.notes),
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
    objects("sessions", SESSION, docs.DETAIL_SESSIONS),
    Field("vitals", VITALS.type, docs.DETAIL_VITALS, lambda it: VITALS.as_dict(it.lineage)),
    Field("bindings", list_of(TEXT), docs.DETAIL_BINDINGS),
    Field("drafts", list_of(TEXT), docs.DETAIL_DRAFTS),
)

GATEWAY: Shape[GatewayRow] = Shape(
    "gateway",
    Field("id", TEXT, docs.GATEWAY_ID),
    Field("platforms", OBJECT, docs.GATEWAY_PLATFORMS),
    Field("names", OBJECT, docs.GATEWAY_NAMES),
    Field("api", TEXT, docs.GATEWAY_API),
    Field("host", TEXT, docs.GATEWAY_HOST),
    Field("pid", COUNT, docs.GATEWAY_PID),
    Field("started", MICROS, docs.GATEWAY_STARTED),
    Field("beat", MICROS, docs.GATEWAY_BEAT),
    Field("figures", OBJECT, docs.GATEWAY_FIGURES),
)
