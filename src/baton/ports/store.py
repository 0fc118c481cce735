"""The store: conversations that must never be lost.

Promises of every implementation, checked by one contract suite:

- A method that returns has stored what it was given durably; one that raises has changed nothing.
- Writes to a conversation carry an `Ownership`; a proof of an older epoch is refused with `StaleEpoch`.
- Entries are never changed or removed while their conversation exists.
- The head moves only by `advance`, from the session the caller names (`HeadMoved` otherwise).
- Calls are synchronous, may come from any thread, and wait a bounded time (`StoreBusy`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from baton.core.value import value

if TYPE_CHECKING:
    from baton.core.handoff.packet import Draft, Packet
    from baton.core.log.bundle import Bundle
    from baton.core.log.conversation import Conversation, Page
    from baton.core.log.entry import Entry, NewEntry
    from baton.core.log.lease import Ownership
    from baton.core.log.search import Hit, Term
    from baton.core.log.session import Session, Vitals
    from baton.core.transfer.mail import Mail
    from baton.core.transfer.place import Binding, Place
    from baton.core.transfer.record import Record
    from baton.core.transfer.transfer import Transfer

Progress = Callable[[int, int], None]
"""Called with how much is done and how much there is."""

LOG = "log"
WORK = "work"
TOPICS = (LOG, WORK)


class Conversations(Protocol):
    def start(self, title: str, workspace: str = "", model: str = "") -> tuple[Conversation, Session]:
        """A new conversation with its root session."""
        ...

    def fork(self, session_id: str, seq: int, title: str, model: str = "") -> tuple[Conversation, Session]:
        """A new conversation whose root continues the first `seq` entries of a session anywhere."""
        ...

    def get(self, conversation_id: str) -> Conversation:
        """`NotFound` when there is none."""
        ...

    def find(self, text: str) -> Conversation:
        """By id, by the id of one of its sessions, by title, or by the beginning of any of these.

        An exact fit wins over a beginning; several fits raise `Ambiguous`, none `NotFound`.
        """
        ...

    def page(
        self, limit: int = 50, after: str | None = None, workspace: str | None = None, *, begun: bool = False
    ) -> Page:
        """Newest first. With `begun`, conversations without a single entry that continue nothing are left out."""
        ...

    def count(self) -> int: ...

    def rename(self, conversation_id: str, title: str) -> Conversation: ...

    def claim(self, conversation_id: str, owner: str, ttl: float) -> Ownership:
        """A new epoch for `owner`, for `ttl` seconds; `OwnedElsewhere` while somebody else's lease is live, unless that
        owner's process ran on this machine and is gone.
        """
        ...

    def renew(self, proof: Ownership, ttl: float) -> None: ...

    def release(self, proof: Ownership) -> None:
        """Ends the ownership; later writes with this proof are refused."""
        ...


class Sessions(Protocol):
    def get(self, session_id: str) -> Session: ...

    def of(self, conversation_id: str) -> list[Session]:
        """All sessions of a conversation, oldest first."""
        ...

    def chain(self, session_id: str) -> list[Session]:
        """From the root to this session, through forks too. `StoreDamaged` if the lineage is a loop."""
        ...

    def tree(self, session_id: str) -> list[Session]:
        """Every session with the same root, in no particular order."""
        ...

    def vitals(self, session_id: str) -> Vitals: ...

    def advance(
        self,
        proof: Ownership,
        head_id: str,
        *,
        edge: str,
        end_reason: str,
        reason: str = "",
        model: str = "",
        entries: Sequence[NewEntry] = (),
        draft_id: str | None = None,
    ) -> Session:
        """In one transaction: end the head, add its continuation with its first entries, move the head, confirm the
        draft. `HeadMoved`, `DraftStale` or `StaleEpoch` leave everything as it was.
        """
        ...


class Entries(Protocol):
    def append(
        self, proof: Ownership, session_id: str, entries: Sequence[NewEntry], *, expected: int | None = None
    ) -> list[Entry]:
        """Adds entries to the head. With `expected`, only if the session holds exactly that many (`SequenceMoved`):
        a writer that lost its connection in a commit repeats safely.
        """
        ...

    def load(self, session_id: str, *, after: int = 0, limit: int | None = None) -> list[Entry]:
        """In order, from `after` on. Every entry is checked against its checksum (`StoreDamaged`)."""
        ...

    def last(self, session_id: str, count: int) -> list[Entry]:
        """The newest `count`, in order."""
        ...

    def pick(self, places: Sequence[tuple[str, int]]) -> list[Entry]:
        """The entries at these places, each a session and a seq, in this order; one that is not there is left out."""
        ...


class Packets(Protocol):
    def add(self, session_id: str, markdown: str, ledger: Mapping[str, Any], tokens: int = 0) -> Packet: ...

    def get(self, packet_id: str) -> Packet:
        """`StoreDamaged` if the text does not fit its digest."""
        ...

    def of(self, conversation_id: str) -> list[Packet]:
        """Oldest first."""
        ...


class Drafts(Protocol):
    def open(self, conversation_id: str, version: int, packet_id: str) -> Draft:
        """A draft of the conversation as it was at `version`; `DraftStale` if the head has moved since."""
        ...

    def get(self, draft_id: str) -> Draft: ...

    def list_waiting(self, conversation_id: str | None = None) -> list[Draft]:
        """Open drafts, oldest first."""
        ...

    def edit(self, draft_id: str, packet_id: str) -> Draft: ...

    def cancel(self, draft_id: str) -> Draft: ...


class Transfers(Protocol):
    def request(self, conversation_id: str, origin: str, target: str) -> Transfer:
        """Pending; `TransferActive` while another one of the conversation is pending or running."""
        ...

    def get(self, transfer_id: str) -> Transfer: ...

    def of(self, conversation_id: str) -> list[Transfer]:
        """Oldest first."""
        ...

    def active(self) -> list[Transfer]: ...

    def recent(self, limit: int = 50) -> list[Transfer]:
        """In any state, newest first."""
        ...

    def claim(self, transfer_id: str, owner: str, ttl: float) -> tuple[Transfer, Ownership]: ...

    def claim_next(self, platforms: Sequence[str], owner: str, ttl: float) -> tuple[Transfer, Ownership] | None:
        """The oldest transfer to one of these platforms that is pending or whose worker died; None if there is none.
        Two workers never get the same one.
        """
        ...

    def is_due(self, platforms: Sequence[str]) -> bool:
        """Whether there is probably something to claim; nothing is locked."""
        ...

    def beat(self, proof: Ownership, ttl: float) -> Transfer: ...

    def reach(self, proof: Ownership, step: str, notes: Mapping[str, Any]) -> Transfer: ...

    def complete(self, proof: Ownership) -> Transfer: ...

    def fail(self, proof: Ownership, error: str) -> Transfer: ...

    def give_back(self, proof: Ownership) -> Transfer: ...

    def cancel(self, transfer_id: str) -> Transfer: ...


BOUND_PAGE = 200
"""Conversations that are listed together."""


class Bindings(Protocol):
    """`by` proves who carries the transfer that changes a binding: `StaleEpoch` or `BadTransition` if they no
    longer carry it.
    """

    def bind(
        self, place: Place, conversation_id: str, *, instead_of: str | None = None, by: Ownership | None = None
    ) -> Binding:
        """`PlaceTaken` if the place belongs to a conversation other than `instead_of`. Binding again is harmless."""
        ...

    def at(self, place: Place) -> Binding | None: ...

    def of(self, conversation_id: str) -> list[Binding]: ...

    def list_conversations(
        self, platforms: Sequence[str], since: int, before: Conversation | None = None, *, owned: bool = False
    ) -> list[Conversation]:
        """Conversations bound to places on these platforms that changed at `since` or later, the newest first and at
        most `BOUND_PAGE`; those that follow `before` if it is given, and only those with an owner if `owned`. Costs as
        much as is found, except that `owned` reads all that changed since.
        """
        ...

    def unbind(self, place: Place, conversation_id: str, *, by: Ownership | None = None) -> bool:
        """Only if the place still belongs to that conversation; returns whether it did."""
        ...


class Mailbox(Protocol):
    """The inbox or the outbox."""

    def put(
        self, key: str, place: Place, body: Mapping[str, Any], conversation_id: str = "", *, wake: bool = True
    ) -> bool:
        """False, and nothing changed, if the key was put before. Without `wake` nobody is woken: for a caller that
        takes it at once. Should that caller die first, others find it when they look, once a second.
        """
        ...

    def get(self, key: str) -> Mail: ...

    def take(self, platforms: Sequence[str], owner: str, ttl: float) -> tuple[Mail, Ownership] | None:
        """The oldest message whose place has none in flight; None if there is none. One that is in flight is taken over
        once its lease is over, or its holder's process is gone from this machine.
        """
        ...

    def is_due(self, platforms: Sequence[str]) -> bool:
        """Whether there is probably something to take; nothing is locked."""
        ...

    def renew(self, proof: Ownership, ttl: float) -> None:
        """The holder keeps it for another `ttl`; `StaleEpoch` if the message is no longer its own."""
        ...

    def settle(self, proof: Ownership, state: str, *, delay: float = 0, error: str = "", receipt: str = "") -> Mail: ...

    def list_waiting(self, place: Place | None = None) -> list[Mail]:
        """Not yet final, oldest first."""
        ...


class Register(Protocol):
    """Small facts that all processes of a store share: who may speak, home channels, which gateways live.

    Each write wakes the topic `work`.
    """

    def get(self, key: str) -> Record | None: ...

    def put(self, key: str, body: Mapping[str, Any], *, expected: int | None = None) -> Record:
        """Replaces whatever was there; with `expected`, only if that is the record's version, 0 meaning that there is
        none (`RecordMoved`). Versions count from 1; after a removal they begin at 1 again.
        """
        ...

    def remove(self, key: str, *, expected: int | None = None) -> bool:
        """False if there was none. With `expected`, a record of another version is left alone (`RecordMoved`)."""
        ...

    def list(self, prefix: str) -> list[Record]:
        """Those whose key begins with `prefix`, by key."""
        ...


class Search(Protocol):
    def find(self, query: str, limit: int = 20, progress: Progress | None = None) -> list[Hit]:
        """Entries that hold every term, newest sessions first; includes everything appended before the call. Copies
        that a split made are left out: their originals are found.
        """
        ...

    def locate(self, groups: Sequence[Sequence[Term]], session_id: str, limit: int) -> list[list[tuple[str, int]]]:
        """For each group of terms the entries, as session and seq, that hold every one of them, newest sessions first:
        of this session and of those it descends from, up to where a fork left them, and of no other. In a store that
        holds much more than these, the older ones of very many hits may be missing.
        """
        ...

    def drop(self) -> None:
        """Forget the index. The log is not touched; the next `find` or `rebuild` makes it anew."""
        ...

    def catch_up(self, progress: Progress | None = None) -> int:
        """Index what was appended since; returns how many entries that were."""
        ...


@value
class Finding:
    """One result of a check. `level` is ok, warning or error."""

    level: str
    subject: str
    text: str
    todo: str = ""


class Upkeep(Protocol):
    def bundle(self, conversation_id: str) -> Bundle: ...

    def insert(self, bundle: Bundle) -> bool:
        """The whole conversation in one transaction; False if it is here already with equal content, `AlreadyExists`
        if with other content, `BadInput` if its parts do not fit together.
        """
        ...

    def ids(self) -> Iterator[str]:
        """The ids of all conversations, oldest first."""
        ...

    def idle_since(self, before: int) -> list[Conversation]:
        """Conversations not touched since `before` that nothing needs: no live lease, active transfer, waiting draft
        or mail, no fork elsewhere.
        """
        ...

    def remove(self, conversation_id: str, before: int) -> bool:
        """Removes it for good if it still qualifies as in `idle_since`, with the letters it sent. Of what it was sent
        only the keys stay, so that a platform that repeats itself is not heard twice.
        """
        ...

    def prune_mail(self, before: int) -> int:
        """Removes messages in a final state that were not touched since `before`; returns how many. A removed key may
        be put again.
        """
        ...

    def backup(self, target: str) -> None:
        """A consistent copy, readable on its own, even if others write meanwhile. `target` must not exist."""
        ...

    def check(self, progress: Progress | None = None) -> list[Finding]:
        """Reads everything and compares it with its checksums."""
        ...

    def size(self) -> int:
        """Bytes the store takes."""
        ...


class Waiter(Protocol):
    """Waits for a topic to be written to, by any process. Make it, look at the store, then wait: no write is missed."""

    def wait(self, timeout: float) -> bool:
        """True as soon as something may have been written, False after `timeout` seconds without; 0 only looks."""
        ...

    def close(self) -> None: ...


class Store(Protocol):
    @property
    def conversations(self) -> Conversations: ...
    @property
    def sessions(self) -> Sessions: ...
    @property
    def entries(self) -> Entries: ...
    @property
    def packets(self) -> Packets: ...
    @property
    def drafts(self) -> Drafts: ...
    @property
    def transfers(self) -> Transfers: ...
    @property
    def bindings(self) -> Bindings: ...
    @property
    def inbox(self) -> Mailbox: ...
    @property
    def outbox(self) -> Mailbox: ...
    @property
    def register(self) -> Register: ...
    @property
    def search(self) -> Search: ...
    @property
    def upkeep(self) -> Upkeep: ...

    @property
    def location(self) -> str:
        """Where it is, for people; never with a password."""
        ...

    def waiter(self, topic: str) -> Waiter: ...

    def close(self) -> None: ...
