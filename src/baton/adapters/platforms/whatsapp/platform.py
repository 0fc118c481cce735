"""WhatsApp as a platform. Imports httpx2, Starlette and uvicorn: the registry imports it only if it is configured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from pathlib import Path

from baton.adapters.platforms.addresses import check_private
from baton.adapters.platforms.http_calls import new_client, read_call, write_call
from baton.adapters.platforms.json_fields import Json, first, parse_json, table, text
from baton.adapters.platforms.whatsapp.api import (
    PAIR_LIMIT,
    Answer,
    Graph,
    code_of,
    explain,
    says_closed,
    window_closed,
)
from baton.adapters.platforms.whatsapp.inbound import Receiver
from baton.adapters.platforms.whatsapp.outbound import LONGEST, fetch_file, render, render_message, upload_file
from baton.adapters.platforms.whatsapp.place import NAME, place, recipient
from baton.adapters.platforms.whatsapp.webhook import listen, make_webhook
from baton.config.platform_settings import WhatsAppSettings
from baton.core.errors import BadCredentials, SendLater, SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.core.value import value
from baton.engine.aio import in_thread
from baton.ports.platform import Abilities, File, Greeting, Outgoing, Platform, PlatformState, Sink

PASSED = "that number has passed to somebody else; run `baton pair whatsapp` from the one you have now"
_RESERVED = 40
"""Characters kept free in each message for the mark that it may be a repetition."""

_LONGEST_KEY = 512
_REMEMBERED = 200


def open_platform(settings: WhatsAppSettings, state: PlatformState, home: Path) -> Platform:  # noqa: ARG001 - keeps no files
    """`BadCredentials` if one of number, token and secret is not set, or the API's address is not encrypted."""
    number, token, secret = settings.number_id, settings.token, settings.app_secret
    if number is None or token is None or secret is None:
        wanted = {"number_id": number, "token": token, "app_secret": secret}
        missing = ", ".join(f"`{name}`" for name, given in wanted.items() if given is None)
        raise BadCredentials(platform=NAME, reason=f"{missing} must be set too")
    return WhatsApp(Account(number, token, secret, settings.verify_token, settings.listen, settings.api), state)


@value
class Account:
    """What Meta gives out for one number, and where its calls arrive."""

    number_id: str
    token: str
    app_secret: str
    verify_token: str | None
    listen: str
    api: str


class WhatsApp:
    """One business number."""

    name = NAME
    abilities = Abilities(limit=LONGEST - _RESERVED, unit="chars", once="none", typing=True, files=True, buttons=True)

    def __init__(self, account: Account, state: PlatformState) -> None:
        check_private(NAME, account.api, "anybody on the way could read the access token")
        self._account = account
        self._http = new_client(reuse=True)
        self._graph = Graph(self._http, account.api, account.number_id, account.token)
        self._receiver = Receiver(state, account.number_id)
        self._limits: Counter[str] = Counter()
        self._begun: dict[str, int] = {}

    def size(self, text: str) -> int:
        return len(render(text))

    def room(self, text: str) -> Place:
        return place(text)

    async def connect(self, commands: Greeting) -> str:  # noqa: ARG002 - WhatsApp lists none
        async with read_call(NAME):
            answer = await self._graph.about()
        if answer.status != 200:
            raise _explain_login(answer)
        said = table(parse_json(answer.content))
        return text(said.get("verified_name")) or text(said.get("display_phone_number")) or self._account.number_id

    async def run(self, sink: Sink) -> None:
        app = make_webhook(
            lambda body: self._receiver.take_call(body, sink), self._account.app_secret, self._account.verify_token
        )
        await listen(app, self._account.listen)

    async def send(self, place: Place, message: Outgoing, key: str) -> str:
        if await in_thread(self._receiver.window.is_closed, place.room):
            raise window_closed()
        uploaded = await upload_file(self._graph, message.file) if message.file else ""
        parts = list(render_message(message, uploaded))
        for at in range(self._begun.get(key, 0), len(parts) - 1):
            await self._send(place, parts[at])
            self._begin(key, at + 1)
        receipt = await self._send(place, {**parts[-1], "biz_opaque_callback_data": key[:_LONGEST_KEY]})
        self._begun.pop(key, None)
        return receipt

    def _begin(self, key: str, parts: int) -> None:
        """Notes how many parts of this message were sent, in case the rest is tried again."""
        self._begun[key] = parts
        while len(self._begun) > _REMEMBERED:
            del self._begun[next(iter(self._begun))]

    async def _send(self, place: Place, content: Json) -> str:
        async with write_call(NAME):
            answer = await self._graph.message({**recipient(place), **content})
        if answer.status != 200:
            await self._raise_refusal(place.room, answer)
        self._limits.pop(place.room, None)
        ident = text(first(table(parse_json(answer.content)).get("messages")).get("id"))
        if not ident:
            raise SendUnsure(platform=NAME, reason="the answer names no message")
        return ident

    async def _raise_refusal(self, room: str, answer: Answer) -> None:
        tries = self._limits[room]
        if code_of(answer) == PAIR_LIMIT:
            self._limits[room] += 1
        if says_closed(answer):
            await in_thread(self._receiver.window.close, room)
        raise explain(answer, tries)

    async def find(self, place: Place, key: str) -> str | None:  # noqa: ARG002 - a key is of one place
        """Knows only what a status reported; see the package's docstring on `once`."""
        return await in_thread(self._receiver.receipt, key[:_LONGEST_KEY])

    async def edit(self, place: Place, receipt: str, message: Outgoing) -> None:  # noqa: ARG002
        raise SendRefused(platform=NAME, reason="a message cannot be changed once it is sent")

    async def show_typing(self, place: Place) -> None:
        """Shown as an answer to their last message, which is marked as read by it."""
        last = await in_thread(self._receiver.window.last_message, place.room)
        if not last:
            return
        async with read_call(NAME):
            answer = await self._graph.message(
                {"status": "read", "message_id": last, "typing_indicator": {"type": "text"}}
            )
        if answer.status != 200 and isinstance(error := explain(answer), SendLater):
            raise error

    async def open_thread(self, room: Place, title: str, key: str) -> Place:  # noqa: ARG002 - no threads
        return place(room.room)

    async def check_reader(self, room: Place, people: Collection[str]) -> None:  # noqa: ARG002 - a room is a person
        """Of a number that somebody else has written from, nobody knows who reads there."""
        if await in_thread(self._receiver.has_passed, room.room):
            raise SendRefused(platform=NAME, reason=PASSED)

    async def fetch(self, file: File) -> bytes:
        return await fetch_file(self._graph, self._account.api, file)

    async def close(self) -> None:
        await self._http.aclose()


def _explain_login(answer: Answer) -> Exception:
    """The error for a question about our own number: any definite no means that it is not ours."""
    error = explain(answer)
    if isinstance(error, SendUnsure):
        return SendLater(**error.facts)
    return BadCredentials(**error.facts) if isinstance(error, SendRefused) else error
