"""Checks of what happens when a platform does not do what we ask."""

from __future__ import annotations

import asyncio
import traceback
from contextlib import suppress

import pytest

from baton.core.errors import BadCredentials, BadPlace, SendLater, SendRefused, SendUnsure
from baton.ports.platform import Outgoing
from tests.contract.platform.kit import Check, connected, secrets
from tests.contract.platform.stage import Stage

_TEXT = "An answer"
_WAIT = 2.0


async def crash_retry(stage: Stage) -> None:
    """A send whose answer never came is unsure; what the platform can do about it leaves one message to be seen."""
    async with connected(stage) as platform:
        await stage.swallow(1)
        with pytest.raises(SendUnsure):
            await platform.send(stage.room, Outgoing(_TEXT), "c1/1/0")
        assert await stage.texts(stage.room) == [_TEXT]
    async with connected(stage) as platform:
        if platform.abilities.once == "probe":
            assert await platform.find(stage.room, "c1/1/0")
            assert await stage.texts(stage.room) == [_TEXT]
            return
        await platform.send(stage.room, Outgoing(_TEXT), "c1/1/0")
        assert await stage.texts(stage.room) == [_TEXT] * (1 if platform.abilities.once == "key" else 2)


async def rate(stage: Stage) -> None:
    """A send that comes too soon says when it may be tried again, is not tried again inside, and then goes out once."""
    async with connected(stage) as platform:
        await stage.limit(1, _WAIT)
        with pytest.raises(SendLater) as caught:
            await platform.send(stage.room, Outgoing(_TEXT), "c1/1/0")
        assert _WAIT <= caught.value.after <= 3 * _WAIT
        assert await stage.texts(stage.room) == []
        await platform.send(stage.room, Outgoing(_TEXT), "c1/1/0")
        assert await stage.texts(stage.room) == [_TEXT]


async def fail(stage: Stage) -> None:
    """A failure inside the platform is no refusal: it may be tried again."""
    async with connected(stage) as platform:
        await stage.fail(1)
        with pytest.raises((SendLater, SendUnsure)):
            await platform.send(stage.room, Outgoing(_TEXT), "c1/1/0")
        assert await stage.texts(stage.room) == []
        await platform.send(stage.room, Outgoing(_TEXT), "c1/1/0")
        assert await stage.texts(stage.room) == [_TEXT]


async def bad_auth(stage: Stage) -> None:
    """Wrong credentials are said so at once, and the error holds no secret."""
    platform = stage.imposter()
    try:
        with pytest.raises(BadCredentials) as caught:
            async with asyncio.timeout(60):
                await platform.connect([])
        said = "".join(traceback.format_exception(caught.value)) + repr(caught.value.facts)
        assert not [secret for secret in secrets(stage) if secret in said]
    finally:
        await platform.close()


async def bad_place(stage: Stage) -> None:
    """What is no room is refused before anything is sent."""
    platform = stage.platform()
    try:
        for text in ("", "\n", "no such room \x00"):
            with pytest.raises(BadPlace):
                platform.room(text)
    finally:
        await platform.close()


async def hostile_out(stage: Stage) -> None:
    """Any text is either sent or refused, and the next one goes out."""
    async with connected(stage) as platform:
        texts = ("nul \x00 bell \x07 esc \x1b[31m", "\u202ertl\u202c", "\ud800 half", "\u0301" * 300, "y" * 1_000_000)
        for number, text in enumerate((*texts, "**", "```", "[](", "&lt;<!channel>@everyone", "🏴󠁧󠁢󠁥󠁮󠁧󠁿")):
            with suppress(SendRefused):
                await platform.send(stage.room, Outgoing(text), f"c1/1/{number}")
        await platform.send(stage.room, Outgoing("the next one"), "c1/2/0")
        assert (await stage.texts(stage.room))[-1] == "the next one"


CHECKS: dict[str, Check] = {
    check.__name__: check for check in (crash_retry, rate, fail, bad_auth, bad_place, hostile_out)
}
