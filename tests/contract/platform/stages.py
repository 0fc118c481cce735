"""Every platform's stage: its name, and the class as `module:name`. The contract suite runs over all of them."""

from __future__ import annotations

STAGES: dict[str, str] = {
    "fake": "tests.contract.platform.fake_stage:FakeStage",
    "fake-bare": "tests.contract.platform.fake_stage:BareStage",
    "fake-probing": "tests.contract.platform.fake_stage:ProbingStage",
    "discord": "tests.support.platforms.discord.stage:DiscordStage",
    "matrix": "tests.support.platforms.matrix.stage:MatrixStage",
    "slack": "tests.support.platforms.slack.stage:SlackStage",
    "signal": "tests.support.platforms.signal.stage:SignalStage",
    "telegram": "tests.support.platforms.telegram.stage:TelegramStage",
    "whatsapp": "tests.support.platforms.whatsapp.stage:WhatsAppStage",
}
