"""What the platform in memory offers beyond the suite: trouble on demand, and a slow service."""

from __future__ import annotations

import asyncio

import pytest

from baton.core.errors import SendLater, SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.ports.platform import Outgoing
from baton.testing.platform import FakePlatform
from baton.testing.service import FakeService

DEN = Place("fake", "den")


@pytest.mark.anyio
async def test_trouble_is_used_up_in_order_one_for_each_send() -> None:
    service = FakeService()
    platform = FakePlatform(service)
    service.trouble(SendLater(platform="fake", reason="busy", after=3), times=2)
    service.trouble(SendRefused(platform="fake", reason="never"))
    service.swallow()
    happened: list[str] = []
    for number in range(5):
        try:
            happened.append(await platform.send(DEN, Outgoing(f"text {number}"), f"key {number}"))
        except (SendLater, SendRefused, SendUnsure) as error:
            happened.append(error.code)
    assert happened == ["send-later", "send-later", "send-refused", "send-unsure", "r2"]
    assert service.texts(DEN) == ["text 3", "text 4"]
    assert service.sent == [(DEN, "key 3"), (DEN, "key 4")]


@pytest.mark.anyio
async def test_a_slow_service_shows_a_message_only_after_its_delay() -> None:
    service = FakeService()
    service.delay = 0.02
    sending = asyncio.create_task(FakePlatform(service).send(DEN, Outgoing("slow"), "key"))
    await asyncio.sleep(0)
    assert service.texts(DEN) == []
    await sending
    assert service.texts(DEN) == ["slow"]
