"""The past of a conversation, as its model may look at it: all its sessions, without secrets, bounded, and nothing of
any other conversation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from baton.core.display import one_line, plain
from baton.core.errors import ToolError
from baton.core.handoff.compression import clip
from baton.core.log import entry as kinds
from baton.core.log import recall
from baton.core.log.pointer import pointer, reachable, resolve_entry
from baton.core.log.search import snippet
from baton.core.value import value
from baton.engine.handoff.cleaner import Cleaner

if TYPE_CHECKING:
    from baton.core.log.entry import Entry
    from baton.core.log.session import Session
    from baton.ports.redactor import Redactor
    from baton.ports.store import Store

NOTHING = "Nothing in the record of this conversation fits these words. Try others, or fewer."
UNCLEAN = "what was found holds a secret that could not be removed"
SHOWN = 8
_LOOKED_AT = 24
_LATEST = 100
_EXCERPT = 400
_LEAST = 120
_MAIN = 0.6
_FRAME = 300
_HEAD = 60


@value
class Recalled:
    """Text for the model, and the pointers of the entries in it."""

    text: str
    pointers: tuple[str, ...]


class Past:
    """Both verbs block, and answer with no more than `room` characters."""

    def __init__(self, store: Callable[[], Store], conversation_id: str, redactor: Callable[[], Redactor]) -> None:
        self._store = store
        self._conversation_id = conversation_id
        self._redactor = redactor

    def find(self, query: str, room: int) -> Recalled:
        """Entries that fit, best first, each with an excerpt. `BadInput` if there is no word to look for."""
        return self._look().find(query, room - _FRAME)

    def read(self, at: str, around: int, room: int) -> Recalled:
        """One entry with its neighbours in the session. `BadInput` names what there is if it does not exist."""
        return self._look().read(at, around, room - _FRAME)

    def _look(self) -> _Look:
        store = self._store()
        chain = store.sessions.chain(store.conversations.get(self._conversation_id).head_id)
        return _Look(store, chain, Cleaner(self._redactor()))


class _Look:
    """One look at the sessions from the root to the head."""

    def __init__(self, store: Store, chain: list[Session], cleaner: Cleaner) -> None:
        self._store = store
        self._chain = chain
        self._cleaner = cleaner
        self._ids = [session.id for session in chain]

    def find(self, query: str, room: int) -> Recalled:
        head = self._chain[-1]
        ranked, terms = recall.rank(query, lambda groups: self._store.search.locate(groups, head.id, recall.HITS))
        width = max(_LEAST, min(_EXCERPT, room // SHOWN - _HEAD))
        found = self._best(ranked, head)[: max(1, room // (width + _HEAD))]
        return self._tell(found, lambda _, text: snippet(text, terms, width)[0]) if found else Recalled(NOTHING, ())

    def read(self, at: str, around: int, room: int) -> Recalled:
        session, seq = resolve_entry(self._chain, at)
        main = int(room * _MAIN) if around else room
        around = min(around, (room - main) // (2 * (_LEAST + _HEAD)))
        beside = (room - main) // (2 * around) - _HEAD if around else 0
        first = max(1, seq - around)
        last = min(reachable(self._chain)[self._ids.index(session.id)], seq + around)
        entries = self._store.entries.load(session.id, after=first - 1, limit=last - first + 1)
        return self._tell(entries, lambda entry, text: clip(text, main if entry.seq == seq else beside))

    def _best(self, ranked: Sequence[recall.Located], head: Session) -> list[Entry]:
        """What was said in the turn under way is left out: the model has it before it."""
        under_way = self._turn_start(head)
        earlier = [at for at in ranked[:_LOOKED_AT] if at[0] != head.id or at[1] < under_way]
        telling = recall.Telling()
        found: list[Entry] = []
        for start in range(0, len(earlier), SHOWN):
            found += filter(telling.is_worth, self._store.entries.pick(earlier[start : start + SHOWN]))
            if len(found) >= SHOWN:
                break
        return recall.prefer_people(found[:SHOWN])

    def _turn_start(self, head: Session) -> int:
        latest = self._store.entries.last(head.id, _LATEST)
        return next((entry.seq for entry in reversed(latest) if entry.kind == kinds.USER), head.entries + 1)

    def _tell(self, entries: Sequence[Entry], cut: Callable[[Entry, str], str]) -> Recalled:
        """Each entry is cleaned whole before it is cut: part of a secret may not look like one."""
        rows: list[str] = []
        pointers: list[str] = []
        for entry in entries:
            said = recall.put_in_words(entry)
            pointers.append(pointer(self._ids, f"{entry.session_id}/{entry.seq}"))
            text = cut(entry, plain(self._cleaner.clean(said.text)))
            rows.append(f"{pointers[-1]} {one_line(said.who, 40)}: {text}")
        return Recalled(recall.frame(self._clean_whole("\n".join(rows))), tuple(pointers))

    def _clean_whole(self, text: str) -> str:
        if self._cleaner.leaks(text):
            text = self._cleaner.clean(text)
        if self._cleaner.leaks(text):
            raise ToolError(tool=recall.TOOL, reason=UNCLEAN)
        return text
