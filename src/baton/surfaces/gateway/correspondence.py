"""A conversation's events as messages to the place its turn came from.

What is said is taken from the transcript's own keys, so that whoever tells it again after a crash tells nothing twice.
A preview, where the platform can edit, shows an answer while it is being written; it is never the record.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

from baton.core.agent import event as events
from baton.core.agent.event import Event
from baton.core.agent.shown import shown_file
from baton.core.display import one_line
from baton.core.errors import BatonError, NotFound, PlatformError
from baton.core.log.payloads import COMPLETED, INTERRUPTED
from baton.core.transfer import replies
from baton.core.transfer.letter import Letter
from baton.core.transfer.place import Place, parse_place
from baton.engine.aio import in_thread, retry_store
from baton.engine.mail.delivery import now
from baton.engine.turns.turn import SILENT
from baton.surfaces.gateway.answers import draft_key, offer_letter, question_key
from baton.surfaces.gateway.preview import Preview
from baton.surfaces.gateway.shown_files import make_letter
from baton.surfaces.shared.approvals import question_letter
from baton.surfaces.words import channel as words

if TYPE_CHECKING:
    from baton.core.log.entry import Entry
    from baton.engine.mail.outbox import OutboxWriter
    from baton.engine.turns.queue import Subscription
    from baton.engine.turns.runtime import Runtime
    from baton.ports.store import Store

TYPING = 4.0
_LINGER = 2.0
_LOG = logging.getLogger("baton.gateway")


class Correspondence:
    """Follows conversations, each as long as it has something to say."""

    def __init__(self, store: Store, runtime: Runtime, outbox: OutboxWriter) -> None:
        self.store = store
        self.runtime = runtime
        self.outbox = outbox
        self._followed: dict[str, tuple[asyncio.Task[None], Subscription]] = {}

    def follow(self, conversation_id: str) -> None:
        """Follows it from now on until its turns have ended. Following twice is following once."""
        task, _ = self._followed.get(conversation_id, (None, None))
        if task is None or task.done():
            subscription = self.runtime.watch(conversation_id)
            task = asyncio.create_task(self._follow(conversation_id, subscription))
            self._followed[conversation_id] = task, subscription

    async def _follow(self, conversation_id: str, subscription: Subscription) -> None:
        turn, since = TurnLetters(self.store, self.outbox, conversation_id), now()
        try:
            while True:
                try:
                    event = await self._next(subscription)
                except TimeoutError:
                    if subscription.is_empty and not self.runtime.in_use(conversation_id):
                        return
                    continue
                except StopAsyncIteration:
                    return
                if not await self._tell(turn, event):
                    await self._tell_from_transcript(conversation_id, since)
        finally:
            turn.stop_showing()
            subscription.close()
            if self._followed.get(conversation_id, (None, None))[1] is subscription:
                del self._followed[conversation_id]

    async def _next(self, subscription: Subscription) -> Event:
        """What has come already is there at once; `TimeoutError` if nothing comes for a while."""
        if not subscription.is_empty:
            return await subscription.next()
        async with asyncio.timeout(_LINGER):
            return await subscription.next()

    async def _tell(self, turn: TurnLetters, event: Event) -> bool:
        """False if it failed: what goes wrong with one event must not silence the rest of the turn."""
        try:
            await turn.take(event)
        except Exception as error:  # noqa: BLE001, the edge of a turn's correspondence
            _LOG.warning("%s: %s", type(error).__name__, one_line(self.outbox.clean(str(error)), 300))
            return False
        return True

    async def _tell_from_transcript(self, conversation_id: str, since: int) -> None:
        """Makes good for an event that could not be told."""
        with suppress(BatonError):
            await self.catch_up(conversation_id, since)

    async def catch_up(self, conversation_id: str, since: int) -> int:
        """Puts every reply of the transcript since then that is not in the outbox yet; returns how many replies there
        are.
        """
        return await in_thread(self._catch_up, conversation_id, since)

    def _catch_up(self, conversation_id: str, since: int) -> int:
        sessions = self.store.sessions.of(conversation_id)
        found = 0
        for session in sessions[-2:]:
            entries = self.store.entries.last(session.id, 500)
            self._catch_up_files(entries, conversation_id, since)
            for reply in replies.replies(entries):
                if reply.at >= since:
                    found += 1
                    letter = Letter(reply.text, replaces=replies.preview_key(reply.key))
                    self.outbox.fill_in(parse_place(reply.place), reply.key, letter, conversation_id)
        return found

    def _catch_up_files(self, entries: Sequence[Entry], conversation_id: str, since: int) -> None:
        for reply, shown in replies.shown_files(entries):
            if reply.at < since:
                continue
            try:
                self.store.outbox.get(replies.first_part(reply.key))
            except NotFound:
                letter = make_letter(shown, lambda text: self.outbox.clean(text, conversation_id))
                self.outbox.put_now(parse_place(reply.place), reply.key, letter, conversation_id)

    async def close(self) -> None:
        """What has happened by now is still told."""
        for _, subscription in self._followed.values():
            subscription.finish()
        if tasks := [task for task, _ in self._followed.values()]:
            _, late = await asyncio.wait(tasks, timeout=_LINGER)
            for task in late:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


class TurnLetters:
    """The turn that runs in one conversation, as letters to its place. Between turns nobody is told anything: whoever
    asks for something then gets an answer of its own.
    """

    def __init__(self, store: Store, outbox: OutboxWriter, conversation_id: str) -> None:
        self._store = store
        self._outbox = outbox
        self._conversation_id = conversation_id
        self._id = ""
        self._step = 0
        self._because = ""
        self._has_spoken = False
        self._place: Place | None = None
        self._typing: asyncio.Task[None] | None = None
        self._preview: Preview | None = None

    async def take(self, event: Event) -> None:
        if (act := self.HANDLERS.get(event.__class__)) is not None:
            await act(self, event)

    async def _start_turn(self, event: events.TurnStarted) -> None:
        self.stop_showing()
        self._id, self._step, self._has_spoken = event.turn_id, 0, False
        self._place = parse_place(event.place) if event.place else None
        if self._place is not None:
            self._typing = asyncio.create_task(self._show_typing(self._place))

    async def _start_step(self, event: events.StepStarted) -> None:
        self._step = event.number
        place = self._place
        if place is not None:
            platform = self._outbox.platform(place)
            if platform is not None and platform.abilities.edits:
                key = self._key(replies.step_name(self._step))
                self._preview = Preview(self._store, self._outbox, place, key, self._conversation_id)

    async def _add_text(self, event: events.TextAdded) -> None:
        if self._preview is not None:
            self._preview.add(event.text)

    async def _end_step(self, event: events.StepEnded) -> None:
        """What is shown of it may also be from an earlier try that was cut."""
        await self._end_preview()
        if event.text.strip():
            name = replies.step_name(self._step)
            self._has_spoken = True
            letter = Letter(event.text.strip(), replaces=replies.preview_key(self._key(name)))
            await self._say(name, letter)

    async def _end_preview(self) -> str:
        """The key of the preview that was shown, if there was one."""
        preview, self._preview = self._preview, None
        return await preview.end() if preview else ""

    async def _end_call(self, event: events.ToolEnded) -> None:
        """A file that the agent shows is sent; of other calls people on a phone read the answer."""
        shown = shown_file(event.details) if event.ok and self._place else None
        if shown is not None:
            letter = await in_thread(make_letter, shown, lambda text: self._outbox.clean(text, self._conversation_id))
            await self._say(replies.show_name(self._step, event.call_id, shown), letter)

    async def _ask_approval(self, event: events.ApprovalAsked) -> None:
        if place := self._place:
            key = question_key(event.handle, place.key)
            await self._outbox.put(place, key, question_letter(event), self._conversation_id)

    async def _start_compression(self, _: events.CompressionStarted) -> None:
        await self._say(f"compression/{time.time_ns()}", Letter(words.COMPRESSING))

    async def _end_compression(self, event: events.CompressionEnded) -> None:
        if event.outcome == "lossy":
            await self._say(f"compressed/{time.time_ns()}", Letter(words.LOSSY))

    async def _offer_handoff(self, event: events.HandoffOffered) -> None:
        if place := self._place:
            key = draft_key(event.draft_id, place.key)
            await self._outbox.put(place, key, offer_letter(self._store, event), self._conversation_id)

    async def _start_handoff(self, event: events.HandoffStarted) -> None:
        self._because = event.because

    async def _end_handoff(self, event: events.HandoffEnded) -> None:
        if event.outcome == "done":
            text = words.HANDED_OFF if self._because else words.HANDED_OFF_UNEXPLAINED
            text = text.format(because=self._because, path=event.path, tokens=event.tokens)
            await self._say(f"handoff/{event.path.rpartition('/')[2]}", Letter(text))

    async def _tell_notice(self, event: events.Noticed) -> None:
        if event.code not in (INTERRUPTED, SILENT):  # these are told otherwise
            await self._say(f"notice/{event.code}/{time.time_ns()}", Letter(f"◆ {event.text}"))

    async def _end_turn(self, event: events.TurnEnded) -> None:
        shown = await self._end_preview()
        whole = event.reason == COMPLETED and self._has_spoken and not shown
        if self._id == event.turn_id and self._place is not None and not whole:
            await retry_store(lambda: self._tell_end(shown))
        self.stop_showing()
        self._id, self._place = "", None

    def _tell_end(self, shown: str) -> None:
        """Tells what was cut off and how the turn ended, as far as the transcript has it: a process that could not
        store the end is no longer the one to tell it.
        """
        head = self._store.conversations.get(self._conversation_id).head_id
        for reply in replies.replies(self._store.entries.last(head, 4)):
            if reply.key in (self._key(replies.step_name(0)), self._key("end")):
                letter = Letter(reply.text, replaces=shown)
                self._outbox.put_now(parse_place(reply.place), reply.key, letter, self._conversation_id)
                shown = ""

    async def _say(self, name: str, letter: Letter) -> str:
        """The key it has in the outbox; empty if nobody is told."""
        place = self._place
        return await self._outbox.put(place, self._key(name), letter, self._conversation_id) if place else ""

    def _key(self, name: str) -> str:
        return f"{self._id}/{name}"

    async def _show_typing(self, place: Place) -> None:
        platform = self._outbox.platform(place)
        while platform is not None and platform.abilities.typing:
            with suppress(PlatformError):
                await platform.show_typing(place)
            await asyncio.sleep(TYPING)

    def stop_showing(self) -> None:
        if self._typing:
            self._typing.cancel()
            self._typing = None
        if self._preview:
            self._preview.drop()
            self._preview = None

    HANDLERS: ClassVar[dict[type[Event], Callable[[TurnLetters, Any], Awaitable[None]]]] = {
        events.TurnStarted: _start_turn,
        events.StepStarted: _start_step,
        events.TextAdded: _add_text,
        events.StepEnded: _end_step,
        events.ApprovalAsked: _ask_approval,
        events.ToolEnded: _end_call,
        events.CompressionStarted: _start_compression,
        events.CompressionEnded: _end_compression,
        events.HandoffStarted: _start_handoff,
        events.HandoffOffered: _offer_handoff,
        events.HandoffEnded: _end_handoff,
        events.Noticed: _tell_notice,
        events.TurnEnded: _end_turn,
    }
    IGNORED = (
        events.Queued,  # the desk says so where it matters
        events.Pressure,  # a figure for screens
        events.ReasoningAdded,  # people on a phone read answers
        events.ApprovalAnswered,  # the question's own message says so
        events.ModeChanged,  # so does it say this
        events.ToolStarted,  # typing is shown while tools run
        events.ToolOutput,
        events.PlanChanged,
        events.Retrying,  # typing goes on; a failure is told at the end of the turn
        events.Compressing,
        events.HandoffStep,
        events.HeadAdvanced,  # `HandoffEnded` follows and is told
        events.PacketWritten,
        events.ProcessWanted,  # a gateway hosts many conversations: it is not replaced
    )
