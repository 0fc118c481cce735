"""Sending a message once, whatever happens to the answer."""

from __future__ import annotations

from collections.abc import Callable

from baton.adapters.platforms.discord.fields import Fields, Malformed, fields, inner, listed, snowflake, text
from baton.adapters.platforms.discord.history import PAGE, age, first_id, page
from baton.adapters.platforms.discord.outbound import file_name, fresh, nonce
from baton.adapters.platforms.discord.place import NAME, address
from baton.adapters.platforms.discord.receipts import Receipts
from baton.adapters.platforms.discord.rest import Rest
from baton.core.errors import SendLater, SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.ports.platform import Outgoing

_WINDOW = 60.0
"""Seconds for which we rely on Discord to know a nonce. It says "a few minutes"."""

_SLACK = 120.0
"""By how much the clocks may differ."""

_PAGES = 10


class Sender:
    """`me` is our own id: the messages of others are never taken for ours."""

    def __init__(self, rest: Rest, receipts: Receipts, now: Callable[[], float], me: Callable[[], str]) -> None:
        self._rest = rest
        self._receipts = receipts
        self._now = now
        self._me = me

    async def send(self, where: Place, message: Outgoing, key: str) -> str:
        """The id of the message: a new one, or the one that was sent with this key before."""
        once = nonce(where, key)
        receipt = await self._earlier(where, message, once)
        if not receipt:
            receipt = await self._post(address(where), message, once)
            await self._receipts.done(once, receipt)
        return receipt

    def receipt(self, where: Place, key: str) -> str:
        """The id of a message that is known to have been sent with this key; empty if there is none."""
        known = self._receipts.of(nonce(where, key))
        return known.receipt if known else ""

    async def _earlier(self, where: Place, message: Outgoing, once: str) -> str:
        """What an earlier try with the same key left, as far as Discord will not see to it by itself."""
        known = self._receipts.of(once)
        if known is None:
            await self._receipts.begin(once)
            return ""
        if known.receipt or self._now() - known.at < _WINDOW:
            return known.receipt
        receipt = await self._search(address(where), message, known.at)
        if receipt:
            await self._receipts.done(once, receipt)
        return receipt

    async def _post(self, channel: str, message: Outgoing, once: str) -> str:
        path, body = f"channels/{channel}/messages", fresh(message, once)
        if message.file is None:
            answer = await self._rest.tell("POST", path, body)
        else:
            answer = await self._rest.upload(path, body, message.file)
        try:
            return snowflake(fields(answer), "id")
        except Malformed:
            raise SendUnsure(platform=NAME, reason="its answer was not understood") from None

    async def _search(self, channel: str, message: Outgoing, at: float) -> str:
        """A message of ours since then that says the same and of which no key is known; none if we may not look."""
        try:
            return await self._found(channel, message, at)
        except Malformed:
            raise SendLater(platform=NAME, reason="its answer was not understood", after=5.0) from None
        except SendRefused:
            return ""

    async def _found(self, channel: str, message: Outgoing, at: float) -> str:
        after, others = first_id(at - _SLACK), self._receipts.known()
        for _ in range(_PAGES):
            found = await page(self._rest, channel, after)
            for each in found:
                if self._same(each, message) and each.get("id") not in others:
                    return snowflake(each, "id")
            if len(found) < PAGE:
                break
            after = age(found[-1])
        return ""

    def _same(self, found: Fields, message: Outgoing) -> bool:
        names = [text(each, "filename") for each in listed(found, "attachments")]
        return (
            inner(found, "author").get("id") == self._me()
            and text(found, "content").strip() == message.text.strip()
            and names == ([file_name(message.file)] if message.file else [])
        )
