"""What Discord reports, as what a person said."""

from __future__ import annotations

import re

from baton.adapters.platforms.discord.fields import Fields, inner, listed, number, snowflake, text
from baton.adapters.platforms.discord.place import NAME, Channel
from baton.core.value import value
from baton.ports.platform import File, Inbound

_SAID, _REPLIED = 0, 19
_FORWARD = 1
_PRESSED = 3
_NAME_LIMIT = 100


@value
class Press:
    """A button that was pressed: `token` is what the press is acknowledged with."""

    id: str
    channel: str
    token: str


def by_a_person(message: Fields, me: str) -> bool:
    """Not our own message, nor one of a bot, a webhook or Discord itself; nor an event, a forward or an empty one."""
    author = inner(message, "author")
    if author.get("bot") or author.get("system") or message.get("webhook_id") or snowflake(author, "id") == me:
        return False
    if number(message, "type") not in (_SAID, _REPLIED):
        return False
    if number(inner(message, "message_reference"), "type") == _FORWARD or message.get("message_snapshots"):
        return False
    return bool(_without_call(text(message, "content"), me).strip()) or any(listed(message, "attachments"))


def said(message: Fields, channel: Channel, me: str) -> Inbound:
    author = inner(message, "author")
    return Inbound(
        id=snowflake(message, "id"),
        place=channel.place,
        sender=f"{NAME}:{snowflake(author, 'id')}",
        text=_without_call(text(message, "content"), me),
        direct=channel.direct,
        name=_name(author),
        files=_files(message),
        quotes=_quoted(message, me),
    )


def press(interaction: Fields) -> Press | None:
    """The press this interaction is, if it is one."""
    if number(interaction, "type") != _PRESSED:
        return None
    return Press(snowflake(interaction, "id"), snowflake(interaction, "channel_id"), text(interaction, "token"))


def chosen(interaction: Fields, channel: Channel) -> Inbound:
    person = inner(inner(interaction, "member"), "user") or inner(interaction, "user")
    return Inbound(
        id=snowflake(interaction, "id"),
        place=channel.place,
        sender=f"{NAME}:{snowflake(person, 'id')}",
        text="",
        direct=channel.direct,
        name=_name(person),
        choice=text(inner(interaction, "data"), "custom_id"),
        quotes=snowflake(inner(interaction, "message"), "id"),
    )


def _without_call(content: str, me: str) -> str:
    """A text that begins by calling us is meant without the call."""
    return re.sub(rf"\A\s*<@!?{me}>[,:]?\s*", "", content)


def _name(person: Fields) -> str:
    return (text(person, "global_name") or text(person, "username"))[:_NAME_LIMIT]


def _quoted(message: Fields, me: str) -> str:
    answered = inner(message, "referenced_message")
    if not answered or inner(answered, "author").get("id") != me:
        return ""
    return snowflake(answered, "id")


def _files(message: Fields) -> tuple[File, ...]:
    where = f"{snowflake(message, 'channel_id')}/{snowflake(message, 'id')}"
    return tuple(
        File(
            ref=f"{where}/{snowflake(each, 'id')}",
            name=text(each, "filename"),
            media_type=text(each, "content_type"),
            size=number(each, "size"),
        )
        for each in listed(message, "attachments")
    )
