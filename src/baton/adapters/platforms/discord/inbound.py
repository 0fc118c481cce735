"""What Discord reports, as what a person said; and the files that people sent.

Discord's addresses of files expire, so a file is known by its message.
"""

from __future__ import annotations

import re
from http import HTTPStatus
from urllib.parse import urlsplit

import httpx2

from baton.adapters.platforms.discord.api import Rest
from baton.adapters.platforms.discord.place import NAME, Channel, snowflake
from baton.adapters.platforms.json_fields import Fields
from baton.core.errors import SendLater, SendRefused
from baton.core.value import replace, value
from baton.ports.platform import File, Inbound

_SAID, _REPLIED = 0, 19
_FORWARD = 1
_PRESSED = 3
_NAME_LIMIT = 100
_LARGEST = 20_000_000
_REF = re.compile(r"([0-9]{1,20})/([0-9]{1,20})/([0-9]{1,20})")
_DISCORD = "discord.com"
_CDN = ("https://cdn.discordapp.com", "https://media.discordapp.net")


@value
class Press:
    """A pressed button; `token` acknowledges it."""

    id: str
    channel: str
    token: str


def is_from_person(message: Fields, me: str) -> bool:
    """Whether a person said something: not us, a bot, a webhook or Discord itself; not an event or a forward."""
    author = message.inner("author")
    if author.get("bot") or author.get("system") or message.get("webhook_id") or snowflake(author, "id") == me:
        return False
    if message.number("type", 0) not in (_SAID, _REPLIED):
        return False
    if message.inner("message_reference").number("type", 0) == _FORWARD or message.get("message_snapshots"):
        return False
    words = _without_mention(message.text("content"), me).strip()
    return bool(words) or any(message.objects("attachments")) or bool(_odd(message))


def translate(message: Fields, channel: Channel, me: str) -> Inbound:
    author = message.inner("author")
    return Inbound(
        id=snowflake(message, "id"),
        place=channel.place,
        sender=f"{NAME}:{snowflake(author, 'id')}",
        text=_without_mention(message.text("content"), me),
        direct=channel.direct,
        name=_name(author),
        files=_files(message),
        quotes=_quotes(message, me),
        odd="" if message.text("content").strip() or any(message.objects("attachments")) else _odd(message),
    )


def translate_edit(message: Fields, channel: Channel, me: str) -> Inbound | None:
    """New words for an earlier message. A link's preview changes a message too: that is no edit of a person."""
    edited, author = message.get("edited_timestamp"), message.get("author")
    if not isinstance(edited, str) or not edited or not author or not is_from_person(message, me):
        return None
    said = translate(message, channel, me)
    return replace(said, id=f"{said.id}:edit:{edited[:40]}", corrects=said.id, files=()) if said.text.strip() else None


def _odd(message: Fields) -> str:
    if any(message.objects("sticker_items")):
        return "sticker"
    return "poll" if message.inner("poll") else ""


def read_press(interaction: Fields) -> Press | None:
    """The press of a button; None for other interactions."""
    if interaction.number("type", 0) != _PRESSED:
        return None
    return Press(snowflake(interaction, "id"), snowflake(interaction, "channel_id"), interaction.text("token"))


def translate_press(interaction: Fields, channel: Channel) -> Inbound:
    person = interaction.inner("member").inner("user") or interaction.inner("user")
    return Inbound(
        id=snowflake(interaction, "id"),
        place=channel.place,
        sender=f"{NAME}:{snowflake(person, 'id')}",
        text="",
        direct=channel.direct,
        name=_name(person),
        choice=interaction.inner("data").text("custom_id"),
        quotes=snowflake(interaction.inner("message"), "id"),
    )


def _without_mention(content: str, me: str) -> str:
    """The text without a leading mention of us."""
    return re.sub(rf"\A\s*<@!?{me}>[,:]?\s*", "", content)


def _name(person: Fields) -> str:
    return (person.text("global_name") or person.text("username"))[:_NAME_LIMIT]


def _quotes(message: Fields, me: str) -> str:
    answered = message.inner("referenced_message")
    if not answered or answered.inner("author").get("id") != me:
        return ""
    return snowflake(answered, "id")


def _files(message: Fields) -> tuple[File, ...]:
    where = f"{snowflake(message, 'channel_id')}/{snowflake(message, 'id')}"
    return tuple(
        File(
            ref=f"{where}/{snowflake(each, 'id')}",
            name=each.text("filename"),
            media_type=each.text("content_type"),
            size=each.number("size", 0),
        )
        for each in message.objects("attachments")
    )


async def fetch_file(rest: Rest, api: str, file: File) -> bytes:
    """The file, from Discord's own servers only; `SendRefused` if it is gone, elsewhere or too large."""
    if (match := _REF.fullmatch(file.ref)) is None:
        raise _refuse("this is no file of Discord")
    channel, message, attachment = match.groups()
    found = Fields(await rest.ask(f"channels/{channel}/messages/{message}"))
    for each in found.objects("attachments"):
        if each.get("id") == attachment:
            return await _download(rest, _check_host(each.text("url"), api))
    raise _refuse("the file is gone")


def _check_host(url: str, api: str) -> str:
    """The address, if files may be fetched from it: the API's own host and, for Discord itself, its CDN."""
    home = _origin(api)
    allowed = (home, *_CDN) if urlsplit(api).hostname == _DISCORD else (home,)
    if _origin(url) not in allowed:
        raise _refuse("the file is not on a server of Discord")
    return url


def _origin(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        raise _refuse("the address of the file is none") from None
    return f"{parts.scheme}://{parts.netloc}"


async def _download(rest: Rest, url: str) -> bytes:
    async with rest.download(url) as answer:
        if answer.is_success:
            return await _read_bounded(answer)
        reason = f"the file cannot be had (HTTP {answer.status_code})"
        if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise SendLater(platform=NAME, reason=reason)
        raise _refuse(reason)


async def _read_bounded(answer: httpx2.Response) -> bytes:
    data = bytearray()
    async for part in answer.aiter_bytes():
        data += part
        if len(data) > _LARGEST:
            raise _refuse(f"the file has more than {_LARGEST // 1_000_000} MB")
    return bytes(data)


def _refuse(reason: str) -> SendRefused:
    return SendRefused(platform=NAME, reason=reason)
