"""`python -m tests.support.platforms.telegram`: the server alone, until it is told to end."""

from __future__ import annotations

from tests.support.platforms.admin import main
from tests.support.platforms.telegram.stage import TelegramStage

_HELD = 600.0
"""A swallowed answer is held back until the client gives up, or is killed."""

if __name__ == "__main__":
    main(lambda: TelegramStage(_HELD))
