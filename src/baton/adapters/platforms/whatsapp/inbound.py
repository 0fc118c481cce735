"""What a webhook call reports, as what people said and what became of our own messages."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Iterator

from baton.adapters.platforms.json_fields import Json, first, table, tables, text, whole
from baton.adapters.platforms.locations import describe_location
from baton.adapters.platforms.whatsapp.api import WINDOW_CLOSED
from baton.adapters.platforms.whatsapp.memory import People, RecentTexts, ReplyWindow
from baton.adapters.platforms.whatsapp.place import place
from baton.core.display import one_line
from baton.core.errors import BadPlace
from baton.core.value import value
from baton.engine.aio import in_thread
from baton.ports.platform import File, Inbound, PlatformState, Sink

_MEDIA = ("image", "document", "audio", "video", "voice", "sticker")
_ODD = {"contacts": "contact", "order": "order", "unsupported": "other"}
"""What an app shows and a webhook does not tell is `unsupported`: polls, edits, live locations."""
_ID = re.compile(r"[A-Za-z0-9_.:=+/-]{1,300}")
_MEDIA_ID = re.compile(r"[A-Za-z0-9_-]{1,200}")
_ENDINGS = {"image/jpeg": ".jpg", "image/png": ".png", "audio/ogg": ".ogg", "video/mp4": ".mp4", "image/webp": ".webp"}
_log = logging.getLogger("baton.platforms")
_OLDEST = 8 * 24 * 3600
_MOST_RECEIPTS = 300


class Receiver:
    """Takes one webhook call after another: messages for the sink, and reports about our own messages."""

    def __init__(self, state: PlatformState, number_id: str) -> None:
        self._number_id = number_id
        self._people = People(state)
        self._sent = RecentTexts(state, "sent", _MOST_RECEIPTS)
        self.window = ReplyWindow(state)

    def has_passed(self, number: str) -> bool:
        """Whether somebody else than its first holder has written from this number."""
        return self._people.has_passed(number)

    def receipt(self, key: str) -> str | None:
        """The receipt of the message whose status came back with this key."""
        return self._sent.get(key) or None

    async def take_call(self, body: object, sink: Sink) -> None:
        """Returns when everything in the call is kept. Malformed and unknown parts are skipped."""
        for change in changes(body, self._number_id):
            for status in tables(change.get("statuses")):
                if found := read_report(status):
                    await in_thread(self._note, found)
            for message in tables(change.get("messages")):
                if found := await in_thread(self._read, message, change):
                    await sink(found.inbound)
                    said = found.inbound
                    await in_thread(self.window.note_message, said.place.room, said.id, found.sent)

    def _read(self, message: Json, change: Json) -> Arrival | None:
        try:
            found = translate(message, change, self._people)
        except ValueError as error:
            _log.warning("whatsapp: a message was skipped: %s", one_line(str(error), 200))
            return None
        if found is not None and found.sent < time.time() - _OLDEST:
            _log.warning("whatsapp: a message older than eight days was skipped")
            return None
        return found

    def _note(self, found: Report) -> None:
        if found.status == "failed":
            _log.warning("whatsapp: a message was not delivered: %s (%d)", found.reason, found.code)
            if found.code in WINDOW_CLOSED:
                self.window.close(found.room)
        elif found.key:
            self._sent.put(found.key, found.id)


def translate(message: Json, change: Json, people: People) -> Arrival | None:
    """What a person said. None for reactions, notices, unknown kinds and forwards."""
    ident, contact = text(message.get("id")), _contact(message, change)
    scoped = text(message.get("from_user_id")) or text(contact.get("user_id"))
    person = people.person(text(message.get("from")) or text(contact.get("wa_id")), scoped)
    if person is None or _ID.fullmatch(ident) is None:
        return None
    group = text(message.get("group_id"))
    try:
        where = place(f"group.{group}" if group else person.room)
    except BadPlace:
        return None
    words, files, choice = _content(message)
    context = table(message.get("context"))
    if context.get("forwarded") is True or context.get("frequently_forwarded") is True:
        words, choice = "", ""
    odd = "" if words or files or choice else _ODD.get(text(message.get("type")), "")
    if not words and not files and not choice and not odd:
        return None
    return Arrival(
        Inbound(
            id=ident,
            place=where,
            sender=person.sender,
            text=words,
            direct=not group,
            name=one_line(text(table(contact.get("profile")).get("name")), 100),
            files=files,
            choice=choice,
            quotes=_quotes(context, change),
            odd=odd,
        ),
        whole(message.get("timestamp")),
    )


def read_report(status: Json) -> Report | None:
    ident = text(status.get("id"))
    if not ident:
        return None
    failed = first(status.get("errors"))
    reason = text(table(failed.get("error_data")).get("details")) or text(failed.get("title"))
    return Report(
        ident,
        text(status.get("biz_opaque_callback_data"))[:512],
        text(status.get("status")),
        text(status.get("recipient_id")),
        whole(failed.get("code")),
        one_line(reason, 200),
    )


@value
class Arrival:
    """A message, with the time it was sent in Unix seconds."""

    inbound: Inbound
    sent: int


@value
class Report:
    """What became of a message of ours; `code` is the error's if it failed."""

    id: str
    key: str
    status: str
    room: str
    code: int = 0
    reason: str = ""


def changes(body: object, number_id: str) -> Iterator[Json]:
    """What the call says about our number. A call may hold several, some about other numbers of the app."""
    for entry in tables(table(body).get("entry")):
        for change in tables(entry.get("changes")):
            value = table(change.get("value"))
            if text(table(value.get("metadata")).get("phone_number_id")) == number_id:
                yield value


def _content(message: Json) -> tuple[str, tuple[File, ...], str]:
    """Words, files, and the choice of a pressed button."""
    kind = text(message.get("type"))
    if kind == "text":
        return text(table(message.get("text")).get("body")).strip(), (), ""
    if kind == "interactive":
        reply = table(message.get("interactive"))
        pressed = table(reply.get("button_reply")) or table(reply.get("list_reply"))
        return "", (), text(pressed.get("id"))
    if kind == "button":
        return text(table(message.get("button")).get("text")).strip(), (), ""
    if kind == "location":
        found = table(message.get("location"))
        named = text(found.get("name")), text(found.get("address"))
        return describe_location(found.get("latitude"), found.get("longitude"), *named), (), ""
    if kind in _MEDIA:
        media = table(message.get(kind))
        return text(media.get("caption")).strip(), _file(media, kind), ""
    return "", (), ""


def _file(media: Json, kind: str) -> tuple[File, ...]:
    ident, sort = text(media.get("id")), one_line(text(media.get("mime_type")).partition(";")[0], 100)
    if _MEDIA_ID.fullmatch(ident) is None:
        return ()
    name = one_line(text(media.get("filename")), 200) or f"{kind}-{ident[-8:]}{_ENDINGS.get(sort, '')}"
    return (File(ident, name, sort, whole(media.get("file_size"))),)


def _contact(message: Json, change: Json) -> Json:
    """Which contact of the call wrote this message; a call may hold messages of several."""
    contacts, number, scoped = list(tables(change.get("contacts"))), message.get("from"), message.get("from_user_id")
    for each in contacts:
        if (number and each.get("wa_id") == number) or (scoped and each.get("user_id") == scoped):
            return each
    return contacts[0] if len(contacts) == 1 and not number and not scoped else {}


def _quotes(context: Json, change: Json) -> str:
    """The id of our message that is answered; empty if they answer one of their own."""
    ident, author = text(context.get("id")), text(context.get("from"))
    ours = "".join(filter(str.isdigit, text(table(change.get("metadata")).get("display_phone_number"))))
    return ident if _ID.fullmatch(ident) and author in ("", ours) else ""
