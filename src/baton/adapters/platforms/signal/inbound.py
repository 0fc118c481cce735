"""A message from the daemon, as Baton knows it. What is not a person's own new message is none."""

from __future__ import annotations

import re

from baton.adapters.platforms.shapes import Json, table, tables, text, whole
from baton.adapters.platforms.signal.place import NAME, person, place
from baton.core.display import one_line
from baton.core.errors import BadPlace
from baton.core.place import Place
from baton.ports.platform import File, Inbound

_ATTACHMENT = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]{0,200}")
_MOST_FILES = 32


def inbound(event: Json, account: str) -> Inbound | None:
    """None for receipts, typing, reactions, stories, calls, edits, and for what our own other devices have sent.

    The id is the sender with the time they sent it, which is how Signal itself tells messages apart.
    """
    envelope = table(event.get("envelope")) or table(table(event.get("result")).get("envelope"))
    data = table(envelope.get("dataMessage"))
    sender, sent = person(envelope), whole(data.get("timestamp")) or whole(envelope.get("timestamp"))
    if not sender or not sent or _is_ours(envelope, event, account) or _is_apart(data):
        return None
    where = _place(data, sender)
    if where is None:
        return None
    files = _files(data, where)
    words = _words(data, account)
    if not words and not files:
        return None
    return Inbound(
        id=f"{sender}/{sent}",
        place=where,
        sender=f"{NAME}:{sender}",
        text=words,
        direct=where.room == sender,
        name=one_line(text(envelope.get("sourceName")), 100),
        files=files,
        quotes=_quotes(table(data.get("quote")), sender, account, direct=where.room == sender),
    )


def _is_ours(envelope: Json, event: Json, account: str) -> bool:
    """Sent by this account, or to another account of the same daemon."""
    ours = text(envelope.get("sourceNumber")) == account
    meant = text(event.get("account")) or text(table(event.get("result")).get("account"))
    return ours or (bool(meant) and meant != account)


def _is_apart(data: Json) -> bool:
    """A reaction, a removal or an answer to a story is no message."""
    return not data or any(data.get(each) for each in ("reaction", "remoteDelete", "storyContext"))


def _place(data: Json, sender: str) -> Place | None:
    group = table(data.get("groupInfo"))
    if not group:
        return place(sender)
    try:
        return place(f"group.{text(group.get('groupId'))}")
    except BadPlace:
        return None


def _words(data: Json, account: str) -> str:
    """Names stand where the app puts placeholders for people; ours is left out."""
    units = text(data.get("message")).encode("utf-16-le", "surrogatepass")
    mentions = sorted(tables(data.get("mentions")), key=lambda each: whole(each.get("start")), reverse=True)
    for each in mentions:
        start, end = 2 * whole(each.get("start")), 2 * (whole(each.get("start")) + whole(each.get("length")))
        if start < end <= len(units):
            units = units[:start] + _mentioned(each, account).encode("utf-16-le") + units[end:]
    return units.decode("utf-16-le", "replace").strip()


def _mentioned(mention: Json, account: str) -> str:
    if text(mention.get("number")) == account:
        return ""
    return f"@{one_line(text(mention.get('name')) or text(mention.get('uuid')), 60)}"


def _files(data: Json, where: Place) -> tuple[File, ...]:
    found: list[File] = []
    for each in tables(data.get("attachments")):
        ident = text(each.get("id"))
        if _ATTACHMENT.fullmatch(ident) and ".." not in ident and len(found) < _MOST_FILES:
            name = one_line(text(each.get("filename")), 200) or ident
            kind = one_line(text(each.get("contentType")), 100)
            found.append(File(f"{where.room} {ident}", name, kind, whole(each.get("size"))))
    return tuple(found)


def _quotes(quote: Json, sender: str, account: str, *, direct: bool) -> str:
    """The time of the quoted message if it is ours. Of two people, what is not theirs is ours."""
    author = text(quote.get("authorUuid")).lower()
    ours = text(quote.get("authorNumber")) == account or (direct and bool(author) and author != sender)
    return str(whole(quote.get("id"))) if ours and whole(quote.get("id")) else ""
