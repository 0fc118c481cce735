"""A conversation as its writers see it, without ids: what a test compares after a writer was killed.

Every operation of a writer is also a pure function of the picture. So the store must show either the picture of all
acknowledged operations, or that of one more, whole.
"""

from __future__ import annotations

from collections.abc import Callable

from baton.core.errors import NotFound
from baton.core.handoff import packet as drafts
from baton.core.transfer import mail as letters
from baton.core.transfer import transfer as transfers
from baton.core.transfer.place import Place
from baton.core.value import replace, value
from baton.ports.store import Store

Transfer = tuple[str, str, int]
Letter = tuple[str, int]


@value
class Lane:
    """A conversation with a platform of its own, so that several writers work side by side in one store."""

    conversation_id: str
    platform: str

    @property
    def place(self) -> Place:
        return Place(self.platform, "room")

    def key(self, number: int) -> str:
        return f"{self.platform}-{number}"


@value
class Picture:
    """Texts of entries by session, texts of packets, and the states of everything else, oldest first."""

    epoch: int = 0
    sessions: tuple[tuple[str, ...], ...] = ((),)
    packets: tuple[str, ...] = ()
    drafts: tuple[str, ...] = ()
    transfers: tuple[Transfer, ...] = ()
    mail: tuple[Letter, ...] = ()


def look(store: Store, lane: Lane) -> Picture:
    """What the store holds. Fails unless exactly one session is live and is the head."""
    bundle = store.upkeep.bundle(lane.conversation_id)
    live = [session.id for session in bundle.sessions if session.live]
    assert live == [bundle.conversation.head_id]
    texts: dict[str, list[str]] = {session.id: [] for session in bundle.sessions}
    for entry in bundle.entries:
        assert entry.seq == len(texts[entry.session_id]) + 1
        texts[entry.session_id].append(entry.data["text"])
    return Picture(
        epoch=bundle.conversation.epoch,
        sessions=tuple(tuple(texts[session.id]) for session in bundle.sessions),
        packets=tuple(packet.markdown for packet in bundle.packets),
        drafts=tuple(draft.state for draft in bundle.drafts),
        transfers=tuple((each.state, each.step, each.attempts) for each in store.transfers.of(lane.conversation_id)),
        mail=_mail(store, lane),
    )


def _mail(store: Store, lane: Lane) -> tuple[Letter, ...]:
    found: list[Letter] = []
    try:
        while True:
            letter = store.inbox.get(lane.key(len(found)))
            found.append((letter.state, letter.attempts))
    except NotFound:
        return tuple(found)


def _claim(picture: Picture) -> Picture:
    return replace(picture, epoch=picture.epoch + 1)


def _append(picture: Picture, *texts: str) -> Picture:
    *before, head = picture.sessions
    return replace(picture, sessions=(*before, (*head, *texts)))


def _advance(picture: Picture, confirms: bool, *texts: str) -> Picture:
    states = list(picture.drafts)
    if confirms:
        states[states.index(drafts.OPEN)] = drafts.CONFIRMED
    stale = tuple(drafts.STALE if state == drafts.OPEN else state for state in states)
    return replace(picture, sessions=(*picture.sessions, texts), drafts=stale)


def _packet(picture: Picture, text: str) -> Picture:
    return replace(picture, packets=(*picture.packets, text))


def _draft(picture: Picture) -> Picture:
    return replace(picture, drafts=(*picture.drafts, drafts.OPEN))


def _cancel(picture: Picture) -> Picture:
    states = list(picture.drafts)
    states[states.index(drafts.OPEN)] = drafts.CANCELLED
    return replace(picture, drafts=tuple(states))


def _request(picture: Picture) -> Picture:
    return replace(picture, transfers=(*picture.transfers, (transfers.PENDING, transfers.STEPS[0], 0)))


def _claim_transfer(picture: Picture) -> Picture:
    _, step, attempts = picture.transfers[-1]
    step = transfers.STEPS[1] if step == transfers.STEPS[0] else step
    return _last_transfer(picture, (transfers.RUNNING, step, attempts + 1))


def _reach(picture: Picture, step: str) -> Picture:
    state, _, attempts = picture.transfers[-1]
    return _last_transfer(picture, (state, step, attempts))


def _complete(picture: Picture) -> Picture:
    _, step, attempts = picture.transfers[-1]
    return _last_transfer(picture, (transfers.COMPLETED, step, attempts))


def _fail(picture: Picture) -> Picture:
    _, step, attempts = picture.transfers[-1]
    return _last_transfer(picture, (transfers.FAILED, step, attempts))


def _last_transfer(picture: Picture, transfer: Transfer) -> Picture:
    return replace(picture, transfers=(*picture.transfers[:-1], transfer))


def _put(picture: Picture, number: int) -> Picture:
    assert number == len(picture.mail)
    return replace(picture, mail=(*picture.mail, (letters.NEW, 0)))


def _take(picture: Picture) -> Picture:
    return _oldest_letter(picture, letters.TAKEN, 1)


def _settle(picture: Picture) -> Picture:
    return _oldest_letter(picture, letters.DONE, 0)


def _oldest_letter(picture: Picture, state: str, attempts: int) -> Picture:
    mail = list(picture.mail)
    oldest = next(number for number, (held, _) in enumerate(mail) if held != letters.DONE)
    mail[oldest] = (state, mail[oldest][1] + attempts)
    return replace(picture, mail=tuple(mail))


CHANGES: dict[str, Callable[..., Picture]] = {
    "claim": _claim,
    "append": _append,
    "advance": _advance,
    "packet": _packet,
    "draft": _draft,
    "cancel": _cancel,
    "request": _request,
    "claim_transfer": _claim_transfer,
    "reach": _reach,
    "complete": _complete,
    "fail": _fail,
    "put": _put,
    "take": _take,
    "settle": _settle,
}
