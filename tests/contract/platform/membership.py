"""Checks of who is in a room: what a platform declares of its direct chats, and what it tells of its groups."""

from __future__ import annotations

from contextlib import suppress

import pytest

from baton.adapters.platforms.registry import FIXED_CHATS
from baton.core.errors import SendRefused
from tests.contract.platform.kit import CannotBeChecked, Check, connected, living
from tests.contract.platform.stage import Stage


async def fixed(stage: Stage) -> None:
    """A direct chat whose members never change has one person in it: whatever anybody else tries, they are not heard
    there as somebody who is alone with us.
    """
    async with living(stage) as bot:
        if not bot.platform.abilities.fixed_chats:
            assert stage.name not in FIXED_CHATS
            raise CannotBeChecked("the members of its direct chats can change")
        chat = getattr(stage, "chat", stage.room)
        with suppress(Exception):  # a service that keeps its promise does not let them
            await stage.says(chat, "I am in your chat", sender=stage.stranger)
        await stage.says(chat, "I am too")
        assert (await bot.hears("I am too")).direct
        alone = {message.sender for message in bot.ears.heard if message.place.room == chat.room and message.direct}
        assert alone == {stage.owner}
        assert stage.name in FIXED_CHATS, "it is known without the adapter too"


async def reader(stage: Stage) -> None:
    """Where the platform tells who is in a room, it tells that the owner has left it."""
    leaves = getattr(stage, "leaves", None)
    if leaves is None or stage.group is None:
        raise CannotBeChecked("nobody can leave a room there")
    async with connected(stage) as platform:
        for room in (stage.room, getattr(stage, "chat", stage.room), stage.group):
            await platform.check_reader(room, [stage.owner])
        await leaves(stage.group, stage.owner)
        await platform.check_reader(stage.group, [stage.owner, stage.stranger])
        with pytest.raises(SendRefused, match="you are not in that room now"):
            await platform.check_reader(stage.group, [stage.owner])


CHECKS: dict[str, Check] = {check.__name__: check for check in (fixed, reader)}
