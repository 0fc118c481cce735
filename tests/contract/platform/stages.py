"""Every platform's stage: its name, and the class as `module:name`. The contract suite runs over all of them."""

from __future__ import annotations

STAGES: dict[str, str] = {
    "discord": "tests.support.platforms.discord.stage:DiscordStage",
    "slack": "tests.support.platforms.slack.stage:SlackStage",
}
