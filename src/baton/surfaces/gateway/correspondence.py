"""A conversation's events as messages to the place its turn came from.

What is said is taken from the transcript's own keys, so that whoever tells it again after a crash tells nothing twice.
A preview, where the platform can edit, shows an answer while it is being written; it is never the record.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from baton.core import event as events
from baton.core import replies
from baton.core.errors import BatonError, NotFound, PlatformError
from baton.core.letter import Attached, Letter
from baton.core.mail import SENT
from baton.core.place import Place, parse_place
from baton.engine.delivery import outgoing
from baton.engine.insistence import insist
from baton.surfaces.gateway import texts

if TYPE_CHECKING:
    from baton.engine.post import Post
    from baton.engine.runtime import Runtime, Subscription
    from baton.ports.store import Store
    from baton.surfaces.gateway.questions import Questions

TYPING = 4.0
FIRST_PREVIEW = 1.5
NEXT_PREVIEW = 2.5
_LINGER = 2.0
_PREVIEW_LENGTH = 1500


class Correspondence:
    """Follows conversations, each as long as it has something to say."""

    def __init__(self, store: Store, runtime: Runtime, post: Post, questions: Questions) -> None:
        self.store = store
        self.runtime = runtime
        self.post = post
        self.questions = questions
        self._followed: dict[str, tuple[asyncio.Task[None], Subscription]] = {}

    def follow(self, conversation_id: str) -> None:
        """From now on until its turns have ended. Following twice is following once."""
        task, _ = self._followed.get(conversation_id, (None, None))
        if task is None or task.done():
            subscription = self.runtime.watch(conversation_id)
            task = asyncio.create_task(self._follow(conversation_id, subscription))
            self._followed[conversation_id] = task, subscription

    async def _follow(self, conversation_id: str, subscription: Subscription) -> None:
        turn = _Turn(self, conversation_id)
        try:
            while True:
                try:
                    async with asyncio.timeout(_LINGER):
                        event = await subscription.next()
                except TimeoutError:
                    if not self.runtime.busy(conversation_id):
                        return
                    continue
                if event is None:
                    return
                await turn.take(event)
        finally:
            turn.rest()
            subscription.close()

    async def catch_up(self, conversation_id: str, since: int) -> int:
        """Puts every reply of the transcript that is not in the outbox yet; says how many there were."""
        return await asyncio.to_thread(self._catch_up, conversation_id, since)

    def _catch_up(self, conversation_id: str, since: int) -> int:
        sessions = self.store.sessions.of(conversation_id)
        found = 0
        for session in sessions[-2:]:
            for reply in replies.replies(self.store.entries.last(session.id, 500)):
                if reply.at >= since:
                    found += 1
                    letter = Letter(reply.text, replaces=replies.preview_key(reply.key))
                    self.post.put_now(parse_place(reply.place), reply.key, letter, conversation_id)
        return found

    async def close(self) -> None:
        """What has happened by now is still told."""
        for _, subscription in self._followed.values():
            subscription.put(None)
        if tasks := [task for task, _ in self._followed.values()]:
            _, late = await asyncio.wait(tasks, timeout=_LINGER)
            for task in late:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


class _Turn:
    """The turn that runs in one conversation, as far as its place has to know."""

    def __init__(self, correspondence: Correspondence, conversation_id: str) -> None:
        self._all = correspondence
        self._conversation_id = conversation_id
        self._id = ""
        self._step = 0
        self._place: Place | None = None
        self._typing: asyncio.Task[None] | None = None
        self._preview: _Preview | None = None
        self._acts: dict[type[Any], Callable[[Any], Any]] = {
            events.TurnStarted: self._started,
            events.StepStarted: self._step_started,
            events.TextAdded: self._text,
            events.StepEnded: self._step_ended,
            events.ApprovalAsked: self._asked,
            events.CompressionStarted: self._compressing,
            events.CompressionEnded: self._compressed,
            events.HandoffOffered: self._offered,
            events.HandoffEnded: self._handed_off,
            events.Noticed: self._noticed,
            events.TurnEnded: self._ended,
        }

    async def take(self, event: Any) -> None:
        act = self._acts.get(event.__class__)
        if act is not None and (work := act(event)) is not None:
            await work

    async def _started(self, event: events.TurnStarted) -> None:
        self.rest()
        self._id, self._step, self._place = event.turn_id, 0, None

    async def _where(self) -> Place | None:
        """The place of this turn: what its input says, once it is stored."""
        if self._place is None:
            self._place = await insist(self._find_place)
            if self._place is not None:
                self._typing = asyncio.create_task(self._type(self._place))
        return self._place

    def _find_place(self) -> Place | None:
        head = self._all.store.conversations.get(self._conversation_id).head_id
        for entry in reversed(self._all.store.entries.last(head, 100)):
            if '"place"' in entry.body and (data := entry.data).get("turn") == self._id and data.get("place"):
                return parse_place(str(data["place"]))
        return None

    async def _step_started(self, event: events.StepStarted) -> None:
        self._step = event.number
        place = await self._where()
        if place is not None:
            platform = self._all.post.platform(place)
            if platform is not None and platform.abilities.edits:
                self._preview = _Preview(self._all, place, self._key(f"{self._step}/~"), self._conversation_id)

    def _text(self, event: events.TextAdded) -> None:
        if self._preview is not None:
            self._preview.add(event.text)

    async def _step_ended(self, event: events.StepEnded) -> None:
        shown = await self._preview_ended()
        if event.text.strip():
            await self._say(replies.step_name(self._step), Letter(event.text.strip(), replaces=shown))

    async def _preview_ended(self) -> str:
        """The key of the preview that was shown, if there was one."""
        preview, self._preview = self._preview, None
        return await preview.end() if preview else ""

    async def _asked(self, event: events.ApprovalAsked) -> None:
        letter = self._all.questions.letter(self._conversation_id, event)
        await self._say(f"ask/{event.call_id}", letter)

    async def _compressing(self, _: events.CompressionStarted) -> None:
        await self._say(f"compression/{time.time_ns()}", Letter(texts.COMPRESSING))

    async def _compressed(self, event: events.CompressionEnded) -> None:
        if event.outcome == "lossy":
            await self._say(f"compressed/{time.time_ns()}", Letter(texts.LOSSY))

    async def _offered(self, event: events.HandoffOffered) -> None:
        await self._say(f"draft/{event.draft_id}", offer(self._all.store, event))

    async def _handed_off(self, event: events.HandoffEnded) -> None:
        if event.outcome == "done":
            text = texts.HANDED_OFF.format(path=event.path, tokens=event.tokens)
            await self._say(f"handoff/{event.path}", Letter(text))

    async def _noticed(self, event: events.Noticed) -> None:
        if event.code != "interrupted":
            await self._say(f"notice/{event.code}/{time.time_ns()}", Letter(f"◆ {event.text}"))

    async def _ended(self, event: events.TurnEnded) -> None:
        shown = await self._preview_ended()
        if self._id == event.turn_id and await self._where() is not None:
            await insist(lambda: self._tell_end(shown))
        self.rest()

    def _tell_end(self, shown: str) -> None:
        """What was said last and cut off, and how it ended, as far as it stands in the transcript: whose end could not
        be stored is no longer the one to tell it.
        """
        head = self._all.store.conversations.get(self._conversation_id).head_id
        for reply in replies.replies(self._all.store.entries.last(head, 4)):
            if reply.key in (self._key(replies.step_name(0)), self._key("end")):
                letter = Letter(reply.text, replaces=shown)
                self._all.post.put_now(parse_place(reply.place), reply.key, letter, self._conversation_id)
                shown = ""

    async def _say(self, name: str, letter: Letter) -> None:
        place = await self._where()
        if place is not None:
            await self._all.post.put(place, self._key(name), letter, self._conversation_id)

    def _key(self, name: str) -> str:
        return f"{self._id}/{name}"

    async def _type(self, place: Place) -> None:
        platform = self._all.post.platform(place)
        while platform is not None and platform.abilities.typing:
            with suppress(PlatformError):
                await platform.typing(place)
            await asyncio.sleep(TYPING)

    def rest(self) -> None:
        if self._typing:
            self._typing.cancel()
            self._typing = None
        if self._preview:
            self._preview.drop()
            self._preview = None


class _Preview:
    """An answer while it is being written: one message, changed every few seconds."""

    def __init__(self, all_: Correspondence, place: Place, key: str, conversation_id: str) -> None:
        self._all = all_
        self._place = place
        self._key = key
        self._conversation_id = conversation_id
        self._text = ""
        self._shown = ""
        self._put = ""
        self._putting: asyncio.Future[str] | None = None
        self._task: asyncio.Task[None] | None = None

    def add(self, text: str) -> None:
        self._text += text
        if self._task is None:
            self._task = asyncio.create_task(self._show())

    async def _show(self) -> None:
        await asyncio.sleep(FIRST_PREVIEW)
        self._shown = self._text
        letter = Letter(self._cut(), preview=True)
        put = self._all.post.put(self._place, self._key, letter, self._conversation_id)
        self._putting = asyncio.ensure_future(put)
        self._put = await asyncio.shield(self._putting)
        while True:
            await asyncio.sleep(NEXT_PREVIEW)
            if self._text != self._shown and (receipt := await self._receipt()):
                self._shown = self._text
                await self._edit(receipt)

    async def _edit(self, receipt: str) -> None:
        platform = self._all.post.platform(self._place)
        with suppress(PlatformError):
            if platform is not None:
                await platform.edit(self._place, receipt, outgoing(Letter(self._cut()), platform))

    async def _receipt(self) -> str:
        with suppress(NotFound):
            mail = await asyncio.to_thread(self._all.store.outbox.get, self._put)
            return mail.receipt if mail.state == SENT else ""
        return ""

    def _cut(self) -> str:
        return f"{self._text[-_PREVIEW_LENGTH:].strip() or '…'} ▌"

    async def end(self) -> str:
        """Nothing is shown any more. The key of what was shown, for the final text to replace: what is being put is
        put first, or it would be shown after it.
        """
        self.drop()
        if self._task is not None:
            await asyncio.wait([self._task])
        return await self._putting if self._putting else ""

    def drop(self) -> None:
        if self._task is not None:
            self._task.cancel()


def offer(store: Store, event: events.HandoffOffered) -> Letter:
    """The packet itself, and the question."""
    doubt = f"\n{event.doubt}" if event.doubt else ""
    text = texts.OFFERED.format(because=event.because, path=event.path, tokens=event.tokens, doubt=doubt)
    return draft_letter(store, event.draft_id, event.path, text)


def draft_letter(store: Store, draft_id: str, path: str, text: str) -> Letter:
    attached = None
    with suppress(BatonError):
        packet = store.packets.get(store.drafts.get(draft_id).packet_id)
        attached = Attached(path.rpartition("/")[2], "text/markdown", packet.markdown.encode())
    buttons = ((texts.START, f"start:{draft_id}"), (texts.CANCEL, f"cancel:{draft_id}"))
    return Letter(text, buttons, attached)
