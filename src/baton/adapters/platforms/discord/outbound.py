"""A message as Discord takes it, sent once whatever happens to the answer.

Its Markdown is nearly Discord's own, and it never notifies anybody it mentions.

Discord drops a second message with the same nonce, but only for a few minutes. A message whose answer got lost, or
whose sender was killed, may be tried again much later. So each attempt is noted in the platform's state before it is
made, and a late second attempt first searches for the message.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import os.path
from collections.abc import Callable, Mapping
from typing import cast

from baton.adapters.platforms.discord.api import Rest
from baton.adapters.platforms.discord.channels import PAGE_SIZE, age, id_at, read_page
from baton.adapters.platforms.discord.place import NAME, channel_of, snowflake
from baton.adapters.platforms.json_fields import Fields, Malformed, storable
from baton.core.errors import SendLater, SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.core.value import value
from baton.engine.aio import in_thread
from baton.ports.platform import Button, Outgoing, PlatformState, Upload

_NONCE_SECONDS = 60.0
"""How long we rely on Discord to know a nonce; it says "a few minutes"."""

_CLOCK_SLACK = 120.0
"""Seconds by which the clocks may differ."""

_PAGES = 10
LIMIT = 2_000
_TITLE_LIMIT = 100
_NO_PREVIEWS = 4
"""Discord fetches the pages that a message links to; what a model wrote must not make it do so."""

_ROW, _BUTTON, _PLAIN_STYLE = 1, 2, 2
_IN_A_ROW, _ROWS, _LABEL_LIMIT = 5, 5, 80
_WEEK = 10_080
_MOST_ATTEMPTS = 100
_LIST = "sent"


class Sender:
    """`me` is our own id, so that messages of others are never taken for ours."""

    def __init__(self, rest: Rest, sent: SentMessages, now: Callable[[], float], me: Callable[[], str]) -> None:
        self._rest = rest
        self._sent = sent
        self._now = now
        self._me = me

    async def send(self, where: Place, message: Outgoing, key: str) -> str:
        """The id of the message: a new one, or the one that was sent with this key before."""
        once = nonce(where, key)
        receipt = await self._find_earlier(where, message, once)
        if not receipt:
            receipt = await self._post(channel_of(where), message, once)
            await self._sent.complete(once, receipt)
        return receipt

    def receipt(self, where: Place, key: str) -> str:
        """The id of a message that is known to have been sent with this key; empty if there is none."""
        known = self._sent.get(nonce(where, key))
        return known.receipt if known else ""

    async def _find_earlier(self, where: Place, message: Outgoing, once: str) -> str:
        """The receipt of an earlier attempt with this key, if it is too old for Discord to drop a second one."""
        known = self._sent.get(once)
        if known is None:
            await self._sent.begin(once)
            return ""
        if known.receipt or self._now() - known.at < _NONCE_SECONDS:
            return known.receipt
        receipt = await self._search(channel_of(where), message, known.at)
        if receipt:
            await self._sent.complete(once, receipt)
        return receipt

    async def _post(self, channel: str, message: Outgoing, once: str) -> str:
        path, body = f"channels/{channel}/messages", render_message(message, once)
        if message.file is None:
            answer = await self._rest.tell("POST", path, body)
        else:
            answer = await self._rest.upload(path, body, message.file)
        try:
            return snowflake(Fields(answer), "id")
        except Malformed:
            raise SendUnsure(platform=NAME, reason="its answer was not understood") from None

    async def _search(self, channel: str, message: Outgoing, at: float) -> str:
        """A message of ours since then that says the same and has no known key; empty if none is found."""
        try:
            return await self._search_pages(channel, message, at)
        except Malformed:
            raise SendLater(platform=NAME, reason="its answer was not understood", after=5.0) from None
        except SendRefused:
            return ""

    async def _search_pages(self, channel: str, message: Outgoing, at: float) -> str:
        after, others = id_at(at - _CLOCK_SLACK), self._sent.receipts()
        for _ in range(_PAGES):
            found = await read_page(self._rest, channel, after)
            for each in found:
                if self._is_same(each, message) and each.get("id") not in others:
                    return snowflake(each, "id")
            if len(found) < PAGE_SIZE:
                break
            after = age(found[-1])
        return ""

    def _is_same(self, found: Fields, message: Outgoing) -> bool:
        names = [each.text("filename") for each in found.objects("attachments")]
        return (
            found.inner("author").get("id") == self._me()
            and found.text("content").strip() == message.text.strip()
            and names == ([file_name(message.file)] if message.file else [])
        )


def nonce(where: Place, key: str) -> str:
    """How Discord knows a key: 24 characters, the same for the same key and place."""
    digest = hashlib.sha256(f"{where.key}\n{key}".encode(errors="surrogatepass")).digest()
    return base64.urlsafe_b64encode(digest[:18]).decode()


def render_message(message: Outgoing, once: str) -> dict[str, object]:
    """A new message. For a second one with the same `once` within a few minutes Discord returns the first."""
    body = {**render_edit(message), "nonce": once, "enforce_nonce": True}
    if message.file is not None:
        body["attachments"] = [{"id": "0", "filename": file_name(message.file)}]
    return body


def render_edit(message: Outgoing) -> dict[str, object]:
    """What an edit replaces: the text and the buttons. `SendRefused` for a text that Discord would not take."""
    if len(message.text) > LIMIT:
        raise SendRefused(platform=NAME, reason=f"{len(message.text)} characters are more than the {LIMIT} allowed")
    return {
        "content": storable(message.text),
        "flags": _NO_PREVIEWS,
        "allowed_mentions": {"parse": []},
        "components": _render_buttons(message.buttons),
    }


def render_thread(title: str) -> Mapping[str, object]:
    return {"name": thread_name(title), "auto_archive_duration": _WEEK}


def thread_name(title: str) -> str:
    """One line, neither empty nor too long."""
    line = " ".join(storable(title).split())
    return (line if len(line) <= _TITLE_LIMIT else f"{line[: _TITLE_LIMIT - 1]}…") or "Baton"


def file_name(file: Upload) -> str:
    return os.path.basename(file.name) or "file"


def _render_buttons(buttons: tuple[Button, ...]) -> list[object]:
    rows = [buttons[start : start + _IN_A_ROW] for start in range(0, len(buttons), _IN_A_ROW)]
    return [{"type": _ROW, "components": [_render_button(each) for each in row]} for row in rows[:_ROWS]]


def _render_button(button: Button) -> Mapping[str, object]:
    label = button.label[:_LABEL_LIMIT] or button.choice
    return {"type": _BUTTON, "style": _PLAIN_STYLE, "label": label, "custom_id": button.choice}


@value
class Attempt:
    """A message first tried `at` (Unix seconds), and its receipt if it is known."""

    at: float
    receipt: str = ""


class SentMessages:
    """Remembers which message was sent with which key, for the last hundred."""

    def __init__(self, state: PlatformState, now: Callable[[], float]) -> None:
        self._state = state
        self._now = now
        self._attempts: dict[str, Attempt] = {}
        self._state_lock = asyncio.Lock()

    async def load(self) -> None:
        text = await in_thread(self._state.get, _LIST)
        self._attempts = _parse_attempts(text or "{}")

    def get(self, nonce: str) -> Attempt | None:
        return self._attempts.get(nonce)

    def receipts(self) -> frozenset[str]:
        """The receipts whose keys are known."""
        return frozenset(each.receipt for each in self._attempts.values() if each.receipt)

    async def begin(self, nonce: str) -> None:
        await self._put(nonce, Attempt(self._now()))

    async def complete(self, nonce: str, receipt: str) -> None:
        known = self._attempts.get(nonce)
        await self._put(nonce, Attempt(known.at if known else self._now(), receipt))

    async def _put(self, nonce: str, each: Attempt) -> None:
        self._attempts[nonce] = each
        while len(self._attempts) > _MOST_ATTEMPTS:
            del self._attempts[next(iter(self._attempts))]
        async with self._state_lock:
            body = {nonce: [each.at, each.receipt] for nonce, each in self._attempts.items()}
            await in_thread(self._state.put, _LIST, json.dumps(body))


def _parse_attempts(text: str) -> dict[str, Attempt]:
    try:
        kept = cast("dict[str, tuple[float, str]]", json.loads(text))
        return {str(nonce): Attempt(float(at), str(receipt)) for nonce, (at, receipt) in kept.items()}
    except (ValueError, TypeError, AttributeError):
        return {}
