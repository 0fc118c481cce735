"""What carrying a transfer needs of the gateway around it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from baton.core.transfer.place import Place
from baton.core.value import value
from baton.engine.mail.outbox import OutboxWriter
from baton.engine.turns.runtime import Runtime
from baton.ports.platform import Platform
from baton.ports.store import Store


@value
class TransferKit:
    """`room` gives the place a target means: a place's key, or a platform, which is its home channel; `owners` gives
    everybody who is the owner on a platform. Both block for a moment. `follow` has a conversation's events told in the
    place its turn came from.
    """

    store: Store
    runtime: Runtime
    outbox: OutboxWriter
    platforms: Mapping[str, Platform]
    room: Callable[[str], Place]
    owners: Callable[[str], Sequence[str]]
    follow: Callable[[str], None]
