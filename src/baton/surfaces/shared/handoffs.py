"""Handoffs as every surface offers them: a packet, a draft to review, a fresh session; and their JSON shapes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from baton.core.display import plain
from baton.core.handoff.score import to_json as score_json
from baton.core.handoff.signs import awaits_model
from baton.core.handoff.twin import twin_of
from baton.core.log import entry as kinds
from baton.core.log.payloads import WAITING, PacketOpening, TurnEnd, TurnInterrupted, UserInput, payload
from baton.core.log.session import HANDOFF
from baton.core.value import replace, value
from baton.engine.aio import in_thread
from baton.engine.handoff.handoff import Cause, Handoff
from baton.engine.handoff.rules import ListedRule, list_rules_of_draft
from baton.surfaces.shared.rules import RULE
from baton.surfaces.shared.shapes import COUNT, MICROS, OBJECT, TEXT, Field, Shape, list_of, objects, one_of
from baton.surfaces.words import fields as docs
from baton.surfaces.words import work as words

if TYPE_CHECKING:
    from baton.core.handoff.narration.narrative import Struck
    from baton.core.handoff.packet import Draft, Packet
    from baton.core.log.entry import Entry
    from baton.core.log.session import Session
    from baton.engine.handoff.packets import Written
    from baton.ports.store import Store
    from baton.surfaces.shared.chat import Chat

RESUME = UserInput("", synthetic=True)
"""Continues a turn that was stopped for a question, with the very message it began with."""
_RECENT = 200
_STRUCK = 5
_LOOK_BACK = 50
_ENDS = (kinds.TURN_ENDED, kinds.TURN_INTERRUPTED, kinds.NOTE)


@value
class Review:
    """A draft as a person sees it before saying yes. `score` is what the packet's twin says of it; each of `rules` can
    be dropped by its number.
    """

    draft_id: str
    markdown: str
    path: str
    tokens: int
    score: Mapping[str, Any]
    removed: tuple[str, ...] = ()
    doubt: str = ""
    resumes: bool = False
    rules: tuple[ListedRule, ...] = ()
    struck: tuple[Struck, ...] = ()
    refused: str = ""

    @property
    def classes(self) -> list[tuple[str, int, int]]:
        """Each class of facts with how many of how many are in the packet; classes without facts are left out."""
        found: Mapping[str, Mapping[str, int]] = self.score["recall"]
        return [(name, each["kept"], each["total"]) for name, each in found.items() if each["total"]]

    @property
    def lines(self) -> list[str]:
        told = (*self.notes, self.doubt)
        return [words.PACKET.format(path=self.path, score=score_text(self.score)), *(line for line in told if line)]

    @property
    def notes(self) -> list[str]:
        """What was taken out of the model's part, and why; not all of a great many."""
        lines = [
            words.STRUCK.format(sentence=plain(each.sentence), reason=plain(each.reason))
            for each in self.struck[:_STRUCK]
        ]
        if len(self.struck) > _STRUCK:
            lines.append(words.STRUCK_MORE.format(count=len(self.struck) - _STRUCK))
        return [*lines, *([plain(self.refused)] if self.refused else [])]


def score_text(score: Mapping[str, Any]) -> str:
    """`constraints 4/4 · files 12/12 · … · 1,204 of 4,000 tokens`"""
    classes: Mapping[str, Mapping[str, int]] = score["recall"]
    struck = score["unsupported_claims"]
    parts = [words.SCORE_CLASS.format(name=name, **each) for name, each in classes.items() if each["total"]]
    parts.append((words.SCORE_STRUCK_ONE if struck == 1 else words.SCORE_STRUCK).format(count=struck))
    parts.append(words.SCORE_STALE.format(count=score["stale_items"]))
    parts.append(words.SCORE_TOKENS.format(tokens=score["tokens"], budget=score["budget"]))
    return " · ".join(parts)


async def propose(chat: Chat, *, narrate: bool = True) -> Review:
    """A draft of a handoff, kept until somebody answers it. An open draft that is still usable is shown again."""

    async def act(handoff: Handoff) -> tuple[str, str]:
        for draft in reversed(await in_thread(chat.store.drafts.list_waiting, chat.current().id)):
            if await handoff.usable(draft.id):
                return draft.id, ""
        offered = await handoff.offer(Cause())
        return offered.draft_id, offered.doubt

    return await review(chat, *await chat.runtime.hand_off(chat.current().id, act, narrate=narrate))


async def diff_with_last(chat: Chat, shown: Review) -> str:
    """The packet against the one the session began from, as a unified diff; empty if there is none before it."""
    from difflib import unified_diff

    earlier = await in_thread(chat.store.packets.of, chat.current().id)
    before = next((each for each in reversed(earlier) if each.session_id != _session(shown)), None)
    if before is None:
        return ""
    lines = unified_diff(
        before.markdown.splitlines(), shown.markdown.splitlines(), words.LAST_PACKET, words.THIS_PACKET, "", "", 1
    )
    return "\n".join(line.rstrip() for line in lines)


def _session(shown: Review) -> str:
    """The session that a packet describes; its id begins the file's name."""
    return shown.path.rpartition("/")[2][:22]


async def review(chat: Chat, draft_id: str, doubt: str = "", *, resumes: bool = False) -> Review:
    """A draft that waits, whoever made it."""
    return replace(await in_thread(load_review, chat.store, draft_id), doubt=doubt, resumes=resumes)


def load_review(store: Store, draft_id: str) -> Review:
    """A draft in any state, with its packet."""
    packet = store.packets.get(store.drafts.get(draft_id).packet_id)
    twin = twin_of(packet)
    rules = tuple(list_rules_of_draft(store, draft_id))
    shown = Review(draft_id, packet.markdown, twin.path, packet.tokens, twin.score, twin.removed, rules=rules)
    return replace(shown, struck=twin.struck, refused=twin.refused)


async def start(chat: Chat, draft_id: str) -> Session:
    async def act(handoff: Handoff) -> Session:
        return await handoff.confirm(draft_id)

    return await _use_head(chat, await chat.runtime.hand_off(chat.current().id, act))


async def edit(chat: Chat, draft_id: str, markdown: str) -> Review:
    async def act(handoff: Handoff) -> Packet:
        return await handoff.edit(draft_id, markdown)

    await chat.runtime.hand_off(chat.current().id, act)
    return await review(chat, draft_id)


async def cancel(chat: Chat, draft_id: str) -> None:
    async def act(handoff: Handoff) -> None:
        await handoff.cancel(draft_id)

    await chat.runtime.hand_off(chat.current().id, act)


async def make_resumption(chat: Chat) -> UserInput:
    """Input that lets the agent continue: without another message where the next word is its own anyway."""

    def load() -> list[Entry]:
        store, conversation = chat.store, chat.current()
        return store.entries.last(store.conversations.get(conversation.id).head_id, _RECENT)

    return RESUME if awaits_model(await in_thread(load)) else UserInput(words.CONTINUE, synthetic=True)


def has_stopped_for_answer(store: Store, conversation_id: str) -> bool:
    """Whether the last turn ended to wait for an answer, even if the answer has moved the head by now."""
    head = store.sessions.get(store.conversations.get(conversation_id).head_id)
    before = [head.parent_id] if head.edge == HANDOFF and head.parent_id else []
    for session_id in (head.id, *before):
        for entry in reversed(store.entries.last(session_id, _LOOK_BACK)):
            if entry.kind == kinds.USER:
                return False
            held = payload(entry) if entry.kind in _ENDS else None
            if isinstance(held, TurnEnd | TurnInterrupted):
                return isinstance(held, TurnEnd) and held.end == WAITING
    return False


async def start_fresh(chat: Chat, *, narrate: bool = True) -> Session:
    """Starts a fresh session at once, without a review."""

    async def act(handoff: Handoff) -> Session:
        return await handoff.now(Cause())

    return await _use_head(chat, await chat.runtime.hand_off(chat.current().id, act, narrate=narrate))


def find_packet_path(store: Store, session: Session) -> str:
    """The file of the packet that a session began from."""
    opened = (payload(entry) for entry in store.entries.load(session.id))
    return next((held.path for held in opened if isinstance(held, PacketOpening)), "") or words.PATH_UNKNOWN


async def write_packet(chat: Chat, *, narrate: bool = True) -> Written:
    async def act(handoff: Handoff) -> Written:
        return await handoff.write(Cause())

    return await chat.runtime.hand_off(chat.current().id, act, narrate=narrate)


async def _use_head(chat: Chat, session: Session) -> Session:
    chat.conversation = await in_thread(chat.store.conversations.get, session.conversation_id)
    chat.tokens, chat.cost = 0, None
    return session


DRAFT: Shape[Draft] = Shape(
    "draft",
    Field("id", TEXT, docs.DRAFT_ID),
    Field("conversation_id", TEXT, docs.DRAFT_CONVERSATION_ID),
    Field("version", COUNT, docs.DRAFT_VERSION),
    Field("packet_id", TEXT, docs.DRAFT_PACKET_ID),
    Field("state", one_of("open", "confirmed", "cancelled", "stale"), docs.DRAFT_STATE),
    Field("created_at", MICROS, docs.DRAFT_CREATED_AT),
    Field("updated_at", MICROS, docs.DRAFT_UPDATED_AT),
)

REVIEW: Shape[Review] = Shape(
    "review",
    Field("draft_id", TEXT, docs.REVIEW_DRAFT_ID),
    Field("packet_path", TEXT, docs.REVIEW_PACKET_PATH, lambda it: it.path),
    Field("tokens", COUNT, docs.REVIEW_TOKENS),
    Field("score", OBJECT, docs.REVIEW_SCORE, lambda it: dict(it.score)),
    Field("doubt", TEXT, docs.REVIEW_DOUBT),
    objects("rules", RULE, docs.REVIEW_RULES),
)

PACKET: Shape[Written] = Shape(
    "packet",
    Field("packet_id", TEXT, docs.PACKET_PACKET_ID, lambda it: it.packet.id),
    Field("packet_path", TEXT, docs.PACKET_PACKET_PATH, lambda it: it.path),
    Field("session_id", TEXT, docs.PACKET_SESSION_ID, lambda it: it.packet.session_id),
    Field("tokens", COUNT, docs.PACKET_TOKENS, lambda it: it.packet.tokens),
    Field("score", OBJECT, docs.PACKET_SCORE, lambda it: score_json(it.score)),
    Field("doubts", list_of(TEXT), docs.PACKET_DOUBTS, lambda it: list(it.doubts)),
)
