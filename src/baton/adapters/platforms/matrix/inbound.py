"""What an event of a room's timeline says to us. Everything in it was written by somebody else."""

from __future__ import annotations

import re

from baton.adapters.platforms.json_fields import Json, storable, table, text, whole
from baton.adapters.platforms.matrix.files import reference
from baton.adapters.platforms.matrix.place import NAME, place
from baton.core.display import one_line
from baton.core.errors import BadPlace
from baton.ports.platform import File, Inbound

_SPEECH = ("m.text", "m.emote")
_FILES = ("m.file", "m.image", "m.audio", "m.video")
_PERSON = re.compile(r"@[^\s\x00-\x1f\x7f]{1,254}")
_EVENT = re.compile(r"[^\s\x00-\x1f\x7f]{1,255}")
_FORWARDED = ("m.forwarded", "org.matrix.msc2723.forwarded")
_FALLBACK = re.compile(r"> (?:\* )?<@[^\n]*\n(?:>[^\n]*\n)*\n?")


def letter(event: Json, room: str, us: str, *, direct: bool, name: str) -> Inbound | None:
    """The message, if a person sent one. Notices are what bots send. An edit is no new message, and a forwarded text
    is nobody's word to us. `quotes` names the event it answers, whoever wrote that.
    """
    sender, identity, content = text(event.get("sender")), text(event.get("event_id")), table(event.get("content"))
    relation = table(content.get("m.relates_to"))
    if event.get("type") != "m.room.message" or "state_key" in event or sender == us:
        return None
    if _PERSON.fullmatch(sender) is None or _EVENT.fullmatch(identity) is None:
        return None
    if relation.get("rel_type") == "m.replace" or any(mark in content for mark in _FORWARDED):
        return None
    said, files, quotes = _said(content), _files(content), _quotes(relation)
    if not said and not files:
        return None
    try:
        where = place(room, text(relation.get("event_id")) if relation.get("rel_type") == "m.thread" else "")
    except BadPlace:
        return None
    said = _FALLBACK.sub("", said, count=1) if quotes and said.startswith("> ") else said
    shown = one_line(name, 100)
    return Inbound(identity, where, f"{NAME}:{sender}", said, direct, shown, files, quotes=quotes)


def _said(content: Json) -> str:
    """A file's body is its caption only if the name stands beside it."""
    kind, body = content.get("msgtype"), storable(text(content.get("body")))
    if kind in _FILES:
        name = storable(text(content.get("filename")))
        return body if name and body != name else ""
    return body if kind in _SPEECH else ""


def _files(content: Json) -> tuple[File, ...]:
    ref = reference(content) if content.get("msgtype") in _FILES else ""
    if not ref:
        return ()
    info = table(content.get("info"))
    name = one_line(text(content.get("filename")) or text(content.get("body")), 200)
    media_type = one_line(text(info.get("mimetype")), 100)
    return (File(ref, name.replace("\\", "/").rpartition("/")[2] or "file", media_type, whole(info.get("size"))),)


def _quotes(relation: Json) -> str:
    """The event answered; in a thread, clients that know none are told a false one."""
    if relation.get("rel_type") == "m.thread" and relation.get("is_falling_back") is True:
        return ""
    answered = text(table(relation.get("m.in_reply_to")).get("event_id"))
    return answered if _EVENT.fullmatch(answered) else ""
