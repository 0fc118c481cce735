"""Questions that turns wait with, shared through the store: asked by one process, answered wherever the person is.

The answer that is stored first counts, whoever gave it; the surface that asked is no exception. What it is told comes
from the stored question, so nobody acts on an answer that another one has overtaken.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Lock
from typing import TYPE_CHECKING, Any, cast

from baton.core.agent import question as rules
from baton.core.agent.question import LAPSED, OPEN, TAKEN, Question
from baton.core.errors import AnsweredAlready, BatonError, NotFound, QuestionGone, RecordMoved, StoreError
from baton.core.value import replace, value
from baton.engine.aio import in_thread, retry_store, uncancelled
from baton.engine.mail.wakeup import Wakeup
from baton.engine.processes import is_gone
from baton.ports.approver import Answer, Approver
from baton.ports.store import WORK, Store

if TYPE_CHECKING:
    from baton.core.agent.event import ApprovalAsked, Emit
    from baton.core.transfer.record import Record
    from baton.engine.turns.writer import SessionWriter

Clean = Callable[[str], str]
"""A text without secrets."""

_PAUSE = 0.05
_LONGEST = 20_000
_LONGEST_WORDS = 2_000
_CUT = "{head}\n[… {count:,} more characters]\n{tail}"


class _Opening:
    """One question on its way into the store. Whoever stops it waits for the write that is under way."""

    def __init__(self, write: Callable[[], Question]) -> None:
        self._write = write
        self._turn = Lock()
        self._stopped = False
        self._written: Question | None = None

    def open(self) -> Question:
        with self._turn:
            if self._stopped:
                raise QuestionGone()
            self._written = self._write()
            return self._written

    def stop(self) -> Question | None:
        """What was written; nothing is written from now on."""
        with self._turn:
            self._stopped = True
            return self._written


class Questions:
    """Those that turns of this process wait with. One thread listens to the store, and only while one waits."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: dict[str, asyncio.Future[Question]] = {}
        self._listening: asyncio.Task[None] | None = None

    async def ask(
        self, writer: SessionWriter, asked: ApprovalAsked, here: Approver, clean: Clean, emit: Emit
    ) -> Answer:
        """The answer of `here`, or that of any other surface if it is stored first; then `here` is cancelled, and takes
        its dialogue back. An approver that answers at once has asked nobody, and nobody else is asked.
        `asked` is emitted once it is stored: whoever hears of it can answer it.
        """
        own = asyncio.ensure_future(here.ask(asked))
        try:
            await asyncio.sleep(0)
            if own.done():
                emit(asked)
                return own.result()
            question = await self._begin(_Opening(lambda: self._open(writer, asked, clean)))
            emit(asked)
            return await self._wait(question, own)
        finally:
            own.cancel()

    async def _begin(self, opening: _Opening) -> Question:
        """A stop in the middle of the write must not leave a question that nobody waits with."""
        try:
            return await retry_store(opening.open)
        except asyncio.CancelledError:
            with suppress(BatonError):
                await uncancelled(in_thread(self._take_back, opening))
            raise

    def _take_back(self, opening: _Opening) -> None:
        question = opening.stop()
        if question is not None and question.state == OPEN:
            _change(self._store, question, rules.lapse)

    async def _wait(self, question: Question, own: asyncio.Future[Answer]) -> Answer:
        if question.state == TAKEN:
            return _as_answer(question, elsewhere=True)
        stored = self._expect(question)
        try:
            await asyncio.wait({own, stored}, return_when=asyncio.FIRST_COMPLETED)
            if own.done() and not stored.done():
                return await uncancelled(retry_store(lambda: self._settle(question, own.result())))
            return await uncancelled(retry_store(lambda: self._take(question)))
        except BaseException:
            with suppress(BatonError):
                await uncancelled(in_thread(_change, self._store, question, rules.lapse))
            raise
        finally:
            self._waiting.pop(question.handle, None)

    def _expect(self, question: Question) -> asyncio.Future[Question]:
        future = self._waiting[question.handle] = asyncio.get_running_loop().create_future()
        if self._listening is None or self._listening.done():
            self._listening = asyncio.create_task(self._listen())
        return future

    async def _listen(self) -> None:
        while self._waiting:
            async with Wakeup(self._store, WORK, join=False) as wakeup:
                while self._waiting:
                    count = wakeup.count
                    with suppress(StoreError):
                        self._deliver(await in_thread(_load, self._store))
                    await asyncio.sleep(_PAUSE)
                    await wakeup.wait(count)

    def _deliver(self, found: list[tuple[Record, Question]]) -> None:
        for _, question in found:
            future = self._waiting.get(question.handle)
            if future is not None and not future.done() and question.state != OPEN:
                future.set_result(question)

    def _open(self, writer: SessionWriter, asked: ApprovalAsked, clean: Clean) -> Question:
        """The question, stored; taken already if the same one was answered for a process that died with it."""
        earlier = _load(self._store, writer.conversation_id)
        question = _make(writer, asked, clean)
        for record, each in earlier:
            if each.handle == question.handle:
                return each
            if rules.answers_again(each, question.digest, _now(), record.updated_at):
                with suppress(RecordMoved):
                    self._store.register.put(
                        record.key, rules.to_body(replace(each, state=TAKEN)), expected=record.version
                    )
                    return replace(each, state=TAKEN)
            _tidy(self._store, record, each)
        self._store.register.put(question.key, rules.to_body(question), expected=0)
        return question

    def _settle(self, question: Question, given: Answer) -> Answer:
        """Stores what was answered here and acts on it, unless another answer is stored already."""
        where = question.owner.partition(":")[0]

        def settle(now: Question) -> Question:
            return replace(rules.answer(now, given.choice, where, comment=given.comment), state=TAKEN)

        try:
            _change(self._store, question, settle)
        except AnsweredAlready:
            return self._take(question)
        return given

    def _take(self, question: Question) -> Answer:
        """Acts on the stored answer. It must be that of this very question."""

        def take(now: Question) -> Question:
            if now.state == LAPSED or now.digest != question.digest:
                raise QuestionGone()
            return replace(now, state=TAKEN)

        return _as_answer(_change(self._store, question, take), elsewhere=True)


@value
class Given:
    """An answer that was stored. `kept` if the process that asked lives no more: it counts when the same is asked
    again.
    """

    question: Question
    kept: bool = False


def list_open(store: Store, conversation_id: str = "") -> list[Question]:
    """Those that somebody waits for now, oldest first."""
    found = [each for _, each in _load(store, conversation_id) if each.state == OPEN and is_waiting(store, each)]
    return sorted(found, key=lambda each: each.asked_at)


def list_all(store: Store) -> list[Question]:
    """Also those that were answered or given up lately."""
    return [each for _, each in _load(store)]


def is_waiting(store: Store, question: Question) -> bool:
    """Whether the turn that asked still runs, as far as can be told from here."""
    try:
        now = store.conversations.get(question.conversation_id)
    except NotFound:
        return False
    return now.owner == question.owner and now.epoch == question.epoch and not is_gone(question.owner)


def find(store: Store, conversation_id: str, handle: str) -> Question:
    """In any state; `QuestionGone` if there is none."""
    return _find(store, rules.key_of(conversation_id, handle))[1]


def answer(store: Store, question: Question, choice: str, *, where: str, by: str = "", comment: str = "") -> Given:
    """Stores an answer, if it is the first. `AnsweredAlready` or `QuestionGone` otherwise, `BadInput` if the question
    does not take it. `comment` are the person's words for the model.
    """
    changed = _change(store, question, lambda now: rules.answer(now, choice, where, by, comment[:_LONGEST_WORDS]))
    return Given(changed, kept=not is_waiting(store, changed))


def sweep(store: Store) -> None:
    """Removes questions that ended a while ago."""
    for record, question in _load(store):
        if question.state != OPEN or not is_waiting(store, question):
            _tidy(store, record, question)


def _change(store: Store, question: Question, act: Callable[[Question], Question]) -> Question:
    """Compare and set, again until it holds."""
    while True:
        record, now = _find(store, question.key)
        changed = act(now)
        if changed == now:
            return now
        with suppress(RecordMoved):
            store.register.put(question.key, rules.to_body(changed), expected=record.version)
            return changed


def _find(store: Store, key: str) -> tuple[Record, Question]:
    record = store.register.get(key)
    if record is None:
        raise QuestionGone()
    return record, rules.from_body(record.data)


def _load(store: Store, conversation_id: str = "") -> list[tuple[Record, Question]]:
    records = store.register.list(rules.prefix_of(conversation_id))
    return [(record, rules.from_body(record.data)) for record in records]


def _tidy(store: Store, record: Record, question: Question) -> None:
    """Ends a question that nobody can act on any more, and removes one that ended long ago."""
    with suppress(RecordMoved):
        if question.state == OPEN:
            store.register.put(record.key, rules.to_body(rules.lapse(question)), expected=record.version)
        elif _now() - record.updated_at > rules.SHOWN_FOR * 1_000_000:
            store.register.remove(record.key, expected=record.version)


def _make(writer: SessionWriter, asked: ApprovalAsked, clean: Clean) -> Question:
    def shown(text: str) -> str:
        return _shorten(clean(text))

    return Question(
        writer.conversation_id,
        asked.handle,
        asked.call_id,
        asked.tool,
        shown(asked.title),
        shown(asked.reason),
        shown(asked.preview),
        rules.digest_of(asked),
        writer.owner,
        writer.epoch,
        _now(),
        cast("Mapping[str, Any]", _clean_all(asked.args, shown)),
        writer.place,
        asks=shown(asked.asks),
        begins=shown(asked.begins),
        offers=asked.offers,
    )


def _clean_all(data: Any, shown: Clean) -> Any:
    if isinstance(data, str):
        return shown(data)
    if isinstance(data, Mapping):
        return {shown(str(key)): _clean_all(each, shown) for key, each in cast("Mapping[object, Any]", data).items()}
    if isinstance(data, list | tuple):
        return [_clean_all(each, shown) for each in cast("list[Any]", data)]
    return data


def _shorten(text: str) -> str:
    """Its beginning and its end, with how much is missing between them, if it is very long."""
    more = len(text) - _LONGEST
    half = _LONGEST // 2
    return _CUT.format(head=text[:half], count=more, tail=text[-half:]) if more > 0 else text


def _as_answer(question: Question, *, elsewhere: bool) -> Answer:
    told = rules.describe_answer(question) if elsewhere else ""
    return Answer(question.choice, question.comment, elsewhere=told)


def _now() -> int:
    """Microseconds since the epoch."""
    return time.time_ns() // 1000
