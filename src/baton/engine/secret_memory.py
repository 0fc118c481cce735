"""What was recognised as a secret in a conversation is secret wherever it comes again in it.

The memory is read off the transcript and held nowhere else: a new process reads the entries once, and from then on only
what is new. What is shown or sent is cleaned with all that the conversation knows at that moment.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from baton.core.errors import NotFound, StoreDamaged
from baton.core.log import entry as kinds
from baton.core.log.pointer import reachable
from baton.engine.secret_answers import SHORT_REPLY, answered, answers_within, question_of

if TYPE_CHECKING:
    from baton.core.log.entry import Entry
    from baton.ports.redactor import Redactor, Secret
    from baton.ports.store import Store

MOST_SECRETS = 2000
"""Of one conversation; the oldest are forgotten first."""
MOST_CONVERSATIONS = 2000
"""That are remembered at the same time; the others are read again when they come back."""
_READY = 32
"""Conversations whose redactor is kept ready; the others' is made again, which takes milliseconds."""
_PAGE = 500
_BATCH = 64 * 1024
_APART = "\n" * 800
"""Between entries that are read together: farther than a rule looks around, so that none is judged by its neighbour."""
_NUMBERED = re.compile(r"(?m)^(?:[\w./-]{1,200}[:-])?[ \t]{0,8}[0-9]{1,7}(?:\t|[:→│|]|-(?=\D))[ ]?")
"""What `read`, `cat -n` and `grep -n` put before a line: rules know some values by how their line begins."""
_PICTURES = "images"
_CLEAN = (kinds.PACKET, kinds.WORKSPACE_VERIFIED, kinds.RULE_PINNED)
"""Kinds whose text was cleaned before it was stored."""


class SecretMemory:
    """May be asked from any thread."""

    def __init__(self, store: Callable[[], Store]) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._held: OrderedDict[str, _Conversation] = OrderedDict()
        self._together: tuple[Redactor, frozenset[str], Redactor] | None = None

    def redactor(self, base: Redactor, conversation_id: str) -> Redactor:
        """`base` with what the conversation has shown so far; with an empty id, with what all of them have shown that
        were asked for lately.
        """
        if not conversation_id:
            return self._of_all(base)
        held = self._conversation(conversation_id)
        with held.lock:
            held.catch_up(self._store(), base, conversation_id)
            return held.knowing(base)

    def clean(self, base: Redactor, text: str, conversation_id: str) -> str:
        """The text without secrets. What is recognised in it is remembered too, as long as the process lives."""
        redactor = self.redactor(base, conversation_id)
        redacted = redactor.redact(text)
        if redacted.found and conversation_id:
            held = self._conversation(conversation_id)
            with held.lock:
                held.learn(redactor.recognise(text))
        return redacted.text

    def _of_all(self, base: Redactor) -> Redactor:
        with self._lock:
            lately = [*islice(reversed(self._held.values()), _READY)][::-1]
            secrets = {secret.value: secret for held in lately for secret in held.secrets}
            if self._together is None or self._together[0] is not base or self._together[1] != secrets.keys():
                self._together = base, frozenset(secrets), base.remember(secrets.values()) if secrets else base
            return self._together[2]

    def _conversation(self, conversation_id: str) -> _Conversation:
        with self._lock:
            held = self._held.setdefault(conversation_id, _Conversation())
            self._held.move_to_end(conversation_id)
            while len(self._held) > MOST_CONVERSATIONS:
                self._held.popitem(last=False)
            for other in islice(reversed(self._held.values()), _READY, _READY + 1):
                other.forget_redactor()
            return held


class _Conversation:
    """What one conversation has shown, and how far each of its sessions was read."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._secrets: dict[str, Secret] = {}
        self._read: dict[str, int] = {}
        self._ready: tuple[Redactor, Redactor] | None = None
        self._asked = ""

    @property
    def secrets(self) -> tuple[Secret, ...]:
        return tuple(self._secrets.values())

    def knowing(self, base: Redactor) -> Redactor:
        if self._ready is None or self._ready[0] is not base:
            self._ready = base, base.remember(self.secrets) if self._secrets else base
        return self._ready[1]

    def forget_redactor(self) -> None:
        self._ready = None

    def learn(self, secrets: Iterable[Secret]) -> None:
        for each in secrets:
            if each.value not in self._secrets:
                self._secrets[each.value] = each
                self._ready = None
        while len(self._secrets) > MOST_SECRETS:
            del self._secrets[next(iter(self._secrets))]

    def catch_up(self, store: Store, base: Redactor, conversation_id: str) -> None:
        """Reads what is new, in the sessions it descends from too. Of a damaged session, as much as can be read."""
        try:
            chain = store.sessions.chain(store.conversations.get(conversation_id).head_id)
        except NotFound:
            return
        for session, upto in zip(chain, reachable(chain), strict=True):
            with suppress(StoreDamaged):
                self._read_session(store, base, session.id, upto)

    def _read_session(self, store: Store, base: Redactor, session_id: str, upto: int) -> None:
        while (after := self._read.get(session_id, 0)) < upto:
            entries = store.entries.load(session_id, after=after, limit=min(_PAGE, upto - after))
            if not entries:
                return
            for batch in _batches(self._texts(entries)):
                self.learn(self.knowing(base).recognise(batch))
            self._read[session_id] = entries[-1].seq

    def _texts(self, entries: Iterable[Entry]) -> Iterator[str]:
        """What entries say. A short reply is read together with the question it answers."""
        for entry in entries:
            if entry.kind in _CLEAN or "copied" in (data := entry.data):
                continue
            said = str(data.get("text", ""))
            if entry.kind == kinds.USER and self._asked and len(said) <= SHORT_REPLY:
                yield from answered(self._asked, said)
            if entry.kind in (kinds.USER, kinds.ASSISTANT):
                self._asked = question_of(said, data) if entry.kind == kinds.ASSISTANT else ""
            yield from answers_within(data)
            told = "\n".join(_lines({key: held for key, held in data.items() if key not in _OURS}))
            yield told
            if entry.kind == kinds.TOOL_RESULT and (bare := _NUMBERED.sub("", told)) != told:
                yield bare


def _lines(held: Any, name: str = "") -> list[str]:
    """Every text in a payload on lines of its own; what has a name inside a call or a result is told with it."""
    found: list[str] = []
    _add_lines(held, name, found)
    return found


def _add_lines(held: Any, name: str, found: list[str]) -> None:
    if isinstance(held, str):
        found.append(f"{name}: {held}" if name and "\n" not in held else held)
    elif isinstance(held, dict):
        for key, value in cast("dict[str, Any]", held).items():
            named = key if name or key in _NAMES_OUTSIDE else ""
            if isinstance(value, str) and not named:
                found.append(value)
            elif key != _PICTURES:
                _add_lines(value, named, found)
    elif isinstance(held, list):
        for value in cast("list[Any]", held):
            _add_lines(value, name, found)
    elif name and isinstance(held, int | float) and not isinstance(held, bool):
        found.append(f"{name}: {held}")


_OURS = ("place", "turn", "inbox", "sender", "queued", "model")
"""Fields of an entry in which Baton itself names a place, a turn, a message or a model: nobody's words."""
_NAMES_OUTSIDE = ("args", "details", "calls")
"""Fields that hold what others named; the names of all other fields are Baton's own."""


def _batches(texts: Iterable[str]) -> Iterator[str]:
    """Texts put together until they are worth a scan."""
    together: list[str] = []
    size = 0
    for text in texts:
        together.append(text)
        size += len(text)
        if size >= _BATCH:
            yield _APART.join(together)
            together, size = [], 0
    if together:
        yield _APART.join(together)
