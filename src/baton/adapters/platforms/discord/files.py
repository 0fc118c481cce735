"""Files that people sent. Discord's addresses of files expire, so a file is known by its message."""

from __future__ import annotations

import re
from http import HTTPStatus
from urllib.parse import urlsplit

import httpx2

from baton.adapters.platforms.discord.fields import fields, listed, text
from baton.adapters.platforms.discord.place import NAME
from baton.adapters.platforms.discord.rest import Rest
from baton.core.errors import SendLater, SendRefused
from baton.ports.platform import File

MOST = 20_000_000

_REF = re.compile(r"([0-9]{1,20})/([0-9]{1,20})/([0-9]{1,20})")
_DISCORD = "discord.com"
_CDN = ("https://cdn.discordapp.com", "https://media.discordapp.net")


async def fetch(rest: Rest, api: str, file: File) -> bytes:
    """The file, from Discord's own servers only; `SendRefused` if it is gone, elsewhere or too large."""
    if (match := _REF.fullmatch(file.ref)) is None:
        raise _no("this is no file of Discord")
    channel, message, attachment = match.groups()
    found = fields(await rest.ask(f"channels/{channel}/messages/{message}"))
    for each in listed(found, "attachments"):
        if each.get("id") == attachment:
            return await _download(rest, _checked(text(each, "url"), api))
    raise _no("the file is gone")


def _checked(url: str, api: str) -> str:
    """The address, if it is one of the servers that keep files: beside the API, and for Discord itself its CDN."""
    home = _origin(api)
    allowed = (home, *_CDN) if urlsplit(api).hostname == _DISCORD else (home,)
    if _origin(url) not in allowed:
        raise _no("the file is not on a server of Discord")
    return url


def _origin(url: str) -> str:
    try:
        parts = urlsplit(url)
    except ValueError:
        raise _no("the address of the file is none") from None
    return f"{parts.scheme}://{parts.netloc}"


async def _download(rest: Rest, url: str) -> bytes:
    async with rest.download(url) as answer:
        if answer.is_success:
            return await _whole(answer)
        reason = f"the file cannot be had (HTTP {answer.status_code})"
        if answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR:
            raise SendLater(platform=NAME, reason=reason)
        raise _no(reason)


async def _whole(answer: httpx2.Response) -> bytes:
    data = bytearray()
    async for part in answer.aiter_bytes():
        data += part
        if len(data) > MOST:
            raise _no(f"the file has more than {MOST // 1_000_000} MB")
    return bytes(data)


def _no(reason: str) -> SendRefused:
    return SendRefused(platform=NAME, reason=reason)
