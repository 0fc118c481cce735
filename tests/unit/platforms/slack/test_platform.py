from __future__ import annotations

from pathlib import Path

import pytest

from baton.adapters.platforms.slack.platform import open_platform
from baton.config.platform_settings import SlackSettings
from baton.core.errors import BadCredentials, BadPlace
from baton.core.transfer.place import Place
from tests.support.platforms.state import MemoryState


@pytest.mark.parametrize("settings", [SlackSettings(), SlackSettings(bot_token="xoxb-1"), SlackSettings(app_token="x")])
def test_both_tokens_are_needed(settings: SlackSettings) -> None:
    with pytest.raises(BadCredentials, match="must both be set"):
        open_platform(settings, MemoryState(), Path())


def test_tokens_do_not_travel_in_the_open() -> None:
    settings = SlackSettings("xoxb-1", "xapp-1", "http://slack.example/api/")
    with pytest.raises(BadCredentials, match="not encrypted"):
        open_platform(settings, MemoryState(), Path())


def test_a_room_of_the_configuration() -> None:
    platform = open_platform(SlackSettings("xoxb-1", "xapp-1"), MemoryState(), Path())
    assert platform.room("C012") == Place("slack", "C012")
    with pytest.raises(BadPlace, match="C012 or D034"):
        platform.room("U012")
