"""The slash commands that Telegram lists for people."""

from __future__ import annotations

import re

from telegram import BotCommand

from baton.core.display import one_line
from baton.ports.platform import Greeting

_NAME = re.compile(r"[a-z0-9_]{1,32}")
_MOST = 100
_LONGEST_SUMMARY = 200


def listed(commands: Greeting) -> list[BotCommand]:
    """Those whose names Telegram can list; the others work all the same."""
    named = [(name.removeprefix("/"), one_line(summary, _LONGEST_SUMMARY)) for name, summary in commands]
    fitting = [BotCommand(name, summary or name) for name, summary in named if _NAME.fullmatch(name)]
    return fitting[:_MOST]
