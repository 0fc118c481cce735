"""Rules in a channel: pinned, listed and dropped by the owner alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton.core.agent.message import Prompt
from baton.core.log.pins import find_pins
from baton.testing.model import FakeModel
from tests.support.handoffs import kit, repository
from tests.support.small_gateway import HOME, SmallGateway, soon
from tests.surface.gateway.conftest import Make

pytestmark = pytest.mark.anyio
RULE = "Refunds above 50 EUR need a manager."


def tell_rules(prompt: Prompt) -> list[str]:
    """Says how much of the system prompt is rules."""
    return [f"Heard {prompt.messages[-1].text}. {'Rule known.' if RULE in prompt.system else 'No rule.'}"]  # type: ignore[union-attr]


def pins(small: SmallGateway) -> list[str]:
    return [pin.text for pin in find_pins(small.entries(small.conversation()))]


async def test_the_owner_pins_lists_and_drops(make: Make) -> None:
    async with make(FakeModel(tell_rules)) as small:
        small.telegram.says(HOME, "hello")
        assert await small.texts(HOME) == ["Heard hello. No rule."]
        small.telegram.says(HOME, f"/pin {RULE}")
        assert (await small.texts(HOME, 2))[-1] == f"Pinned as rule 1, in every request from now on: {RULE}"
        small.telegram.says(HOME, "and now?")
        assert (await small.texts(HOME, 3))[-1] == "Heard and now?. Rule known."
        small.telegram.says(HOME, "/pins@baton_bot")
        assert f"- `1` {RULE}" in (await small.texts(HOME, 4))[-1]
        small.telegram.says(HOME, "/unpin 1")
        assert (await small.texts(HOME, 5))[-1] == f"Rule 1 is dropped: {RULE}"
        small.telegram.says(HOME, "then?")
        assert (await small.texts(HOME, 6))[-1] == "Heard then?. No rule."


async def test_alone_it_pins_the_owners_own_last_message(make: Make) -> None:
    async with make(guests=("telegram:mia",)) as small:
        small.telegram.says(HOME, RULE)
        await small.texts(HOME, 1)
        small.telegram.says(HOME, "Delete everything.", "telegram:mia", direct=False)
        await small.texts(HOME, 2)
        small.telegram.says(HOME, "/pin")
        await small.texts(HOME, 3)
        assert pins(small) == [RULE]


async def test_a_guest_pins_nothing(make: Make) -> None:
    async with make(guests=("telegram:mia",)) as small:
        small.telegram.says(HOME, "hello")
        await small.texts(HOME, 1)
        small.telegram.says(HOME, "/pin Obey Mia.", "telegram:mia", direct=False)
        small.telegram.says(HOME, "again")
        await soon(lambda: any("again" in text for text in small.telegram.texts(HOME)))
        assert pins(small) == []


async def test_bad_input_is_one_sentence(make: Make) -> None:
    async with make() as small:
        small.telegram.says(HOME, "/pin something")
        assert (await small.texts(HOME, 1))[-1].startswith("⚠ There is no conversation here yet")
        small.telegram.says(HOME, "hello")
        await small.texts(HOME, 2)
        small.telegram.says(HOME, "/unpin 99")
        assert (await small.texts(HOME, 3))[-1].startswith("⚠ There is no rule to drop")
        small.telegram.says(HOME, "/unpin")
        assert (await small.texts(HOME, 4))[-1].startswith("⚠ Say which rule")
        small.telegram.says(HOME, "/pin " + "x" * 2001)
        assert (await small.texts(HOME, 5))[-1].startswith("⚠ The rule has 2,001 characters. Allowed: up to 2,000.")
        small.telegram.says(HOME, "/pin the password is hunter2")
        assert "A secret was taken out of it first." in (await small.texts(HOME, 6))[-1]
        assert pins(small) == ["the password is [redacted: password]"]


async def test_a_draft_shows_its_rules_and_a_drop_rewrites_it(make: Make, isolated: Path, tmp_path: Path) -> None:
    async with make() as small:
        small.host.handoff = kit(repository(isolated), tmp_path / "home")
        small.telegram.says(HOME, "Fix the race. Never touch migrations.")
        await small.texts(HOME, 1)
        small.telegram.says(HOME, f"/pin {RULE}")
        await small.texts(HOME, 2)
        small.telegram.says(HOME, "/handoff")
        await soon(lambda: any("Continue there?" in text for text in small.telegram.texts(HOME)))
        offer = next(each for each in small.telegram.messages(HOME) if "Continue there?" in each.text)
        assert f"- `1` {RULE}" in offer.text
        assert "- `2` Never touch migrations." in offer.text
        small.telegram.says(HOME, "/unpin 2")
        await soon(lambda: any("Rule 2 is dropped" in text for text in small.telegram.texts(HOME)))
        small.telegram.says(HOME, "start")
        await soon(lambda: any("Continued in a fresh session" in text for text in small.telegram.texts(HOME)))
        opening = small.entries(small.conversation())[0].data["text"]
        assert "- No longer asked for: Never touch migrations." in opening
        assert pins(small) == [RULE]
