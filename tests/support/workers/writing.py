"""The job of a writer that does a bit of everything, says before each call what it tries and after it that it did."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from typing import Any

from baton.core.handoff import packet as drafts
from baton.core.log.entry import NewEntry
from baton.core.log.lease import Ownership
from baton.core.log.session import HANDOFF
from baton.core.transfer import mail as letters
from baton.core.transfer import transfer as transfers
from baton.ports.store import Store
from tests.support.workers.dying import die_at_commit
from tests.support.workers.picture import CHANGES, Lane, look
from tests.support.workers.stores import open_at
from tests.support.workers.voice import Voice

Call = tuple[str, tuple[Any, ...]]
_NAP = 0.002


def write_a_bit_of_everything(
    voice: Voice,
    location: str,
    lane: list[str],
    owner: str,
    seed: int,
    ttl: float,
    calls: int,
    die: str = "",
    die_at: int = 0,
) -> None:
    store = open_at(location, name=owner)
    if die:
        die_at_commit(store, die, die_at)
    writer = Writer(store, Lane(*lane), owner, ttl, random.Random(seed))
    for name, arguments in writer.calls(calls):
        voice.say("try", name, *arguments)
        getattr(writer, name)(*arguments)
        voice.say("did", name)
    voice.hear()


class Writer:
    """Each public method is one call of the store and one change of the picture of the same name."""

    def __init__(self, store: Store, lane: Lane, owner: str, ttl: float, random: random.Random) -> None:
        self._store = store
        self._lane = lane
        self._owner = owner
        self._ttl = ttl
        self._random = random
        self._number = 0
        self._transfer: Ownership | None = None
        self._letter: Ownership | None = None

    def calls(self, count: int) -> Iterator[Call]:
        """First a claim, then calls that are allowed as things stand; each is made before the next is asked for."""
        yield "claim", ()
        picture = look(self._store, self._lane)
        for _ in range(count):
            name, arguments = self._random.choice(self._allowed(picture))
            yield name, arguments
            picture = CHANGES[name](picture, *arguments)

    def _allowed(self, picture: Any) -> list[Call]:
        calls: list[Call] = [("append", self._texts(1)), ("append", self._texts(3)), ("packet", self._texts(1))]
        opened = drafts.OPEN in picture.drafts
        calls.append(("advance", (opened, *self._texts(2))))
        calls.append(("put", (len(picture.mail),)))
        if picture.packets:
            calls.append(("draft", ()))
        if opened:
            calls.append(("cancel", ()))
        calls.append(self._letter_call(picture))
        calls.append(self._transfer_call(picture))
        return calls

    def _letter_call(self, picture: Any) -> Call:
        if self._letter is not None:
            return "settle", ()
        waiting = any(state != letters.DONE for state, _ in picture.mail)
        return ("take", ()) if waiting else ("put", (len(picture.mail),))

    def _transfer_call(self, picture: Any) -> Call:
        if not picture.transfers or picture.transfers[-1][0] not in transfers.ACTIVE:
            return "request", ()
        if self._transfer is None:
            return "claim_transfer", ()
        step = picture.transfers[-1][1]
        if step == transfers.STEPS[-1]:
            return "complete", ()
        following = transfers.STEPS[transfers.STEPS.index(step) + 1]
        return self._random.choice([("reach", (following,)), ("reach", (following,)), ("fail", ())])

    def _texts(self, count: int) -> tuple[str, ...]:
        self._number += count
        return tuple(f"{self._owner}/{self._number - count + each}" for each in range(count))

    def claim(self) -> None:
        self._proof = self._store.conversations.claim(self._lane.conversation_id, self._owner, self._ttl)
        self._head = self._store.conversations.get(self._lane.conversation_id).head_id

    def append(self, *texts: str) -> None:
        self._store.entries.append(self._proof, self._head, _entries(texts))

    def advance(self, confirms: bool, *texts: str) -> None:
        draft_id = self._oldest_draft() if confirms else None
        self._head = self._store.sessions.advance(
            self._proof, self._head, edge=HANDOFF, end_reason=HANDOFF, entries=_entries(texts), draft_id=draft_id
        ).id

    def packet(self, text: str) -> None:
        self._store.packets.add(self._head, text, {"text": text})

    def draft(self) -> None:
        conversation = self._store.conversations.get(self._lane.conversation_id)
        packet = self._store.packets.of(conversation.id)[-1]
        self._store.drafts.open(conversation.id, conversation.version, packet.id)

    def cancel(self) -> None:
        self._store.drafts.cancel(self._oldest_draft())

    def request(self) -> None:
        self._store.transfers.request(self._lane.conversation_id, "cli:here", self._lane.place.key)

    def claim_transfer(self) -> None:
        """The predecessor's lease may still run: ask until it is over."""
        claim = self._store.transfers.claim_next
        while (found := claim([self._lane.platform], self._owner, self._ttl)) is None:
            time.sleep(_NAP)
        self._transfer = found[1]

    def reach(self, step: str) -> None:
        self._store.transfers.reach(_held(self._transfer), step, {"by": self._owner})

    def complete(self) -> None:
        self._store.transfers.complete(_held(self._transfer))
        self._transfer = None

    def fail(self) -> None:
        self._store.transfers.fail(_held(self._transfer), "gave up")
        self._transfer = None

    def put(self, number: int) -> None:
        self._store.inbox.put(self._lane.key(number), self._lane.place, {"text": "hello"})

    def take(self) -> None:
        while (found := self._store.inbox.take([self._lane.platform], self._owner, self._ttl)) is None:
            time.sleep(_NAP)
        self._letter = found[1]

    def settle(self) -> None:
        self._store.inbox.settle(_held(self._letter), letters.DONE)
        self._letter = None

    def _oldest_draft(self) -> str:
        return self._store.drafts.list_waiting(self._lane.conversation_id)[0].id


def _entries(texts: tuple[str, ...]) -> list[NewEntry]:
    return [NewEntry("user", {"text": text}) for text in texts]


def _held(proof: Ownership | None) -> Ownership:
    assert proof is not None
    return proof
