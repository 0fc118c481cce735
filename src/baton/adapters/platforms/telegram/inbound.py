"""Updates of the Bot API, as what a person said; and the loop that receives them.

Each question for updates acknowledges what was kept of the answer before. The offset does not outlive its use, least of
all over a restart: after a quiet week the server counts from another number, and an old offset would drop new messages.
What was kept but not acknowledged before a restart arrives again. The sink knows it by its id, or it is skipped by its
number, which is written down for whatever the sink would not know again.
"""

from __future__ import annotations

import logging
import re
from time import monotonic

from baton.adapters.platforms.json_fields import Fields, Malformed
from baton.adapters.platforms.locations import describe_location
from baton.adapters.platforms.telegram.api import MOST, Api
from baton.adapters.platforms.telegram.place import NAME, place
from baton.adapters.platforms.telegram.topics import TopicKeeper, read_new_topic
from baton.core.display import one_line
from baton.core.errors import BadCredentials, BadPlace, PlatformError, SendLater, SomebodyElse
from baton.core.transfer.place import Place
from baton.core.value import replace, value
from baton.engine.aio import Backoff
from baton.ports.platform import File, Inbound, PlatformState, Sink

_log = logging.getLogger("baton.platforms.telegram")
_ANSWER_WITHIN = 5.0
_AT_ONCE = 1.0
"""Seconds. A server that answers with nothing sooner than this is asked again only after a pause."""

_STATE_KEY = "kept"
"""The state's key for the number of the last update that was kept."""

KINDS = ("message", "edited_message", "callback_query")
"""The kinds of updates we ask for."""

_COMMAND = re.compile(r"(/[A-Za-z0-9_]{1,64})@([A-Za-z0-9_]{1,64})(?!\S)")
_NAME_WIDTH = 80
_LONGEST_NAME = 120


def translate(update: object, me: Me) -> Inbound | None:
    """The message of a person, or None if it is not for us; `Malformed` if it cannot be read."""
    held = Fields(update)
    if (message := held.optional_object("message")) is not None:
        return _translate_message(message, me)
    if (edited := held.optional_object("edited_message")) is not None:
        return _translate_edit(edited, me)
    if (pressed := held.optional_object("callback_query")) is not None:
        return _translate_press(pressed)
    return None


def read_callback(update: object) -> str:
    """The id of the press that waits for an answer; empty for other updates."""
    pressed = Fields(update).optional_object("callback_query")
    return pressed.text("id") if pressed else ""


class Receiver:
    """Polls for updates and delivers them."""

    def __init__(self, api: Api, me: Me, sink: Sink, state: PlatformState, topics: TopicKeeper) -> None:
        self._api = api
        self._me = me
        self._sink = sink
        self._state = state
        self._topics = topics
        self._last_kept = _parse_offset(state.get(_STATE_KEY))
        self._offset: int | None = None
        self._known_again = True
        self._backoff = Backoff()

    async def run(self) -> None:
        """Receives until cancelled, `BadCredentials` or `SomebodyElse`."""
        while True:
            asked = monotonic()
            try:
                updates = await self._api.updates(self._offset, KINDS)
            except (BadCredentials, SomebodyElse):
                raise
            except PlatformError as error:
                await self._backoff.wait(error.after if isinstance(error, SendLater) else 0.0)
                continue
            self._offset, self._known_again = None, True
            went_well = await self._keep(updates)
            if self._offset is not None and not self._known_again:
                self._state.put(_STATE_KEY, str(self._offset - 1))
            if went_well and (updates or monotonic() - asked > _AT_ONCE):
                self._backoff.reset()
            else:
                await self._backoff.wait()

    async def _keep(self, updates: list[object]) -> bool:
        """Delivers updates in order, up to the first that could not be kept; whether all were."""
        for update in updates:
            number = _update_id(update)
            if number is None:
                continue
            try:
                if not self._last_kept - MOST < number <= self._last_kept:
                    await self._deliver(update)
            except Exception as error:  # noqa: BLE001 - an edge: what was not kept arrives again
                _log.warning(
                    "telegram: a message could not be kept (%s), it will be delivered again", type(error).__name__
                )
                return False
            self._offset = number + 1
        return not updates or self._offset is not None

    async def _deliver(self, update: object) -> None:
        try:
            inbound, callback = translate(update, self._me), read_callback(update)
            opened = read_new_topic(update, self._me.id)
        except (Malformed, BadPlace) as error:
            _log.warning("telegram: an update was skipped: %s", error)
            return
        kept = inbound is not None and await self._sink(inbound)
        self._known_again = self._known_again and bool(kept) and opened is None
        if callback:
            await self._answer(callback)
        if opened is not None:
            await self._topics.notice(opened)

    async def _answer(self, callback: str) -> None:
        """Ends the button's waiting state. An old press can no longer be answered, which is harmless."""
        try:
            await self._api.ask(self._api.answer_callback_query(callback), within=_ANSWER_WITHIN)
        except PlatformError as error:
            _log.info("telegram: a press on a button was not answered: %s", error)


@value
class Me:
    """Our own account; `username` is without the `@`."""

    id: int
    username: str


def _parse_offset(text: str | None) -> int:
    return int(text) if text and text.isdecimal() and text.isascii() else 0


def _update_id(update: object) -> int | None:
    try:
        return Fields(update).number("update_id")
    except Malformed as error:
        _log.warning("telegram: an update was skipped: %s", error)
        return None


def _translate_message(message: Fields, me: Me) -> Inbound | None:
    sender = message.optional_object("from")
    if sender is None or sender.flag("is_bot") or message.has("sender_chat"):
        return None
    text = _words(message, me)
    files = _read_files(message)
    if text is None:
        return None
    text = text or _location(message)
    odd = "" if text or files else _odd(message)
    if not (text or files or odd):
        return None
    chat = message.object("chat")
    return Inbound(
        id=f"{chat.number('id')}:{message.number('message_id')}",
        place=_place(message),
        sender=_identity(sender),
        text=text,
        direct=_is_direct(chat, sender),
        name=_display_name(sender),
        files=files,
        quotes=_quotes(message, me),
        odd=odd,
    )


def _translate_edit(message: Fields, me: Me) -> Inbound | None:
    """New words for an earlier message. A live location changes too, and says nothing new in words."""
    said, edited = _translate_message(message, me), message.optional_number("edit_date")
    if said is None or not edited or not (message.text("text") or message.text("caption")):
        return None
    return replace(said, id=f"{said.id}:edit:{edited}", corrects=said.id, files=())


def _translate_press(pressed: Fields) -> Inbound | None:
    """A press on a button. If the message is no longer visible to us, it does not say where it happened."""
    sender, message, choice = pressed.object("from"), pressed.optional_object("message"), pressed.text("data")
    if sender.flag("is_bot") or message is None or not message.optional_number("date") or not choice:
        return None
    if not pressed.text("id"):
        raise Malformed("id is missing")
    return Inbound(
        id=f"callback:{pressed.text('id')}",
        place=_place(message),
        sender=_identity(sender),
        text="",
        direct=_is_direct(message.object("chat"), sender),
        name=_display_name(sender),
        choice=choice,
        quotes=str(message.number("message_id")),
    )


def _is_direct(chat: Fields, sender: Fields) -> bool:
    """A private chat has the number of the person in it. One that we would see as somebody's business bot has not."""
    return chat.text("type") == "private" and chat.number("id") == sender.number("id")


def _place(message: Fields) -> Place:
    """A reply in an ordinary group names a thread too, but only a topic counts as one."""
    topic = message.optional_number("message_thread_id") if message.flag("is_topic_message") else None
    return place(message.object("chat").number("id"), topic)


def _words(message: Fields, me: Me) -> str | None:
    """The person's own words; None if they are a command for another bot."""
    if message.has("forward_origin") or message.has("forward_date") or message.has("via_bot"):
        return ""
    text = message.text("text") or message.text("caption")
    addressed = _COMMAND.match(text)
    if addressed is None:
        return text
    if addressed[2].casefold() != me.username.casefold():
        return None
    return addressed[1] + text[addressed.end() :]


_ODD = {"sticker": "sticker", "contact": "contact", "poll": "poll", "dice": "other", "story": "other", "game": "other"}


def _odd(message: Fields) -> str:
    return next((kind for field, kind in _ODD.items() if message.has(field)), "")


def _location(message: Fields) -> str:
    """A place on the map, in words; empty if the message has none, or passes on somebody else's."""
    found = message.optional_object("location")
    if found is None or message.has("forward_origin") or message.has("via_bot"):
        return ""
    venue = message.optional_object("venue") or Fields({})
    named = venue.text("title"), venue.text("address")
    return describe_location(found.get("latitude"), found.get("longitude"), *named)


def _quotes(message: Fields, me: Me) -> str:
    """Our message that is answered. In a topic every message answers the topic's first, which does not count."""
    answered = message.optional_object("reply_to_message")
    if answered is None or answered.has("forum_topic_created"):
        return ""
    author = answered.optional_object("from")
    ours = author is not None and author.optional_number("id") == me.id
    return str(answered.number("message_id")) if ours else ""


def _identity(sender: Fields) -> str:
    return f"{NAME}:{sender.number('id')}"


def _display_name(sender: Fields) -> str:
    return one_line(f"{sender.text('first_name')} {sender.text('last_name')}", _NAME_WIDTH)


@value
class _FileKind:
    field: str
    name: str
    media_type: str


_FILE_KINDS = (
    _FileKind("animation", "animation.mp4", "video/mp4"),
    _FileKind("document", "document", ""),
    _FileKind("audio", "audio.mp3", "audio/mpeg"),
    _FileKind("video", "video.mp4", "video/mp4"),
    _FileKind("video_note", "video.mp4", "video/mp4"),
    _FileKind("voice", "voice.ogg", "audio/ogg"),
)


def _read_files(message: Fields) -> tuple[File, ...]:
    """Usually one file. An animation, which is also sent as a document, counts once."""
    found = {each.ref: each for each in _find_files(message)}
    return tuple(found.values())


def _find_files(message: Fields) -> list[File]:
    photo = message.objects("photo")
    found = [_photo(photo)] if photo else []
    for kind in _FILE_KINDS:
        held = message.optional_object(kind.field)
        if held is not None and held.text("file_id"):
            found.append(_file(held, kind))
    return [each for each in found if each.ref]


def _photo(sizes: list[Fields]) -> File:
    """The largest of a photo's sizes."""
    best = max(sizes, key=lambda each: (each.optional_number("width") or 0) * (each.optional_number("height") or 0))
    return _file(best, _FileKind("photo", "photo.jpg", "image/jpeg"))


def _file(held: Fields, kind: _FileKind) -> File:
    return File(
        ref=held.text("file_id"),
        name=_safe_name(held.text("file_name")) or kind.name,
        media_type=one_line(held.text("mime_type"), 100) or kind.media_type,
        size=max(0, held.optional_number("file_size") or 0),
    )


def _safe_name(name: str) -> str:
    """The last part of a path, without anything that could lead elsewhere."""
    last = one_line(name.replace("\\", "/").rsplit("/", 1)[-1], _LONGEST_NAME)
    return "" if last.strip(". ") == "" else last
