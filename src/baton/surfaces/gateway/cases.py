"""Conversations that a gateway still has to look at: those that changed, not all there are.

The store tells what changed since it was last asked. Each of these is a case until somebody has looked at it after its
last change. Conversations with an owner stay cases until they have none, because the owner may die. So a gateway costs
what happens, however many places it speaks for.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from baton.core.log.lease import micros
from baton.engine.mail.delivery import now
from baton.engine.processes import is_gone
from baton.ports.store import BOUND_PAGE

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.engine.turns.runtime import Runtime
    from baton.ports.store import Store

LOOK = 1.0
OVERLAP = 10.0
"""Seconds by which the store is asked again: a change may become visible a little after the time it bears."""
ALL_OWNED = 60.0
"""Seconds after which everything with an owner is noted, whatever time it bears: clocks of machines differ."""
_LONGEST_PAUSE = 5.0


class Cases:
    """`note_changes` and `note_older` block. Between them, `list_due` says whom to look at now."""

    def __init__(self, store: Store, runtime: Runtime, lease: float, recover_within: float) -> None:
        self._store = store
        self._runtime = runtime
        self._lease = lease
        self._recover_within = recover_within
        self._open: dict[str, Conversation] = {}
        self._closed: dict[str, int] = {}
        self._again: dict[str, float] = {}
        self._pause = max(LOOK, min(_LONGEST_PAUSE, lease / 3))
        self.begin()

    def begin(self) -> None:
        """A gateway that starts takes nothing for granted: what changed before is looked at too, the newest first."""
        self._began = self._seen_until = now()
        self._oldest: Conversation | None = None
        self._has_older = True
        self._owned_at = time.monotonic() + ALL_OWNED

    def note_changes(self, platforms: Sequence[str]) -> None:
        """Takes note of what changed since the last time."""
        seen, since = now(), self._seen_until - micros(OVERLAP)
        for conversation in self._list(platforms, since):
            self._note(conversation)
        if time.monotonic() >= self._owned_at:
            for conversation in self._list(platforms, self._recent(), owned=True):
                self._note(conversation)
            self._owned_at = time.monotonic() + ALL_OWNED
        self._seen_until = seen
        since = seen - micros(OVERLAP)
        self._closed = {each: at for each, at in self._closed.items() if at >= since}

    def note_older(self, platforms: Sequence[str]) -> bool:
        """Takes note of some more of what changed before the start; False once there is no more."""
        if self._has_older:
            page = self._store.bindings.list_conversations(platforms, self._recent(), self._oldest)
            for conversation in page:
                self._note(conversation)
            self._has_older = len(page) == BOUND_PAGE
            self._oldest = page[-1] if page else None
        return self._has_older

    def _list(self, platforms: Sequence[str], since: int, *, owned: bool = False) -> Iterator[Conversation]:
        before: Conversation | None = None
        while True:
            page = self._store.bindings.list_conversations(platforms, since, before, owned=owned)
            yield from page
            if len(page) < BOUND_PAGE:
                return
            before = page[-1]

    def _recent(self) -> int:
        return now() - micros(self._recover_within)

    def _note(self, conversation: Conversation) -> None:
        """What a turn of this process has just left in good order needs nobody."""
        if self._closed.get(conversation.id) == conversation.updated_at:
            return
        if self._runtime.left_whole(conversation):
            self.close(conversation)
        else:
            self._open[conversation.id] = conversation

    def list_due(self) -> list[Conversation]:
        """Those whose owner may be gone; and those without one, when whoever made the last change had time to continue,
        or at once if that was us.
        """
        quiet = max(now() - micros(self._lease), self._began)
        return [each for each in self._open.values() if self._is_due(each, quiet)]

    def _is_due(self, conversation: Conversation, quiet: int) -> bool:
        if self._runtime.busy(conversation.id):
            return False
        waits = time.monotonic() < self._again.get(conversation.id, 0.0)
        if conversation.owner is not None:
            return not waits or is_gone(conversation.owner)
        return not waits and (conversation.updated_at <= quiet or self._runtime.left_open(conversation.id))

    def close(self, conversation: Conversation) -> None:
        """Nothing is left undone there until it changes again."""
        self._open.pop(conversation.id, None)
        self._again.pop(conversation.id, None)
        self._closed[conversation.id] = conversation.updated_at

    def put_off(self, conversation: Conversation) -> None:
        """Somebody else has it, or it cannot be looked at now."""
        pause = LOOK if conversation.owner is None else self._pause
        self._again[conversation.id] = time.monotonic() + pause
