"""The settings of the gateway: who may speak, where conversations go, and how messages are delivered."""

from __future__ import annotations

from collections.abc import Mapping

from baton.config.keys import key, lazy_key, section
from baton.config.kinds import ListOf, MapOf, Seconds, Text, Whole
from baton.config.platform_settings import (
    DiscordSettings,
    MatrixSettings,
    SignalSettings,
    SlackSettings,
    TelegramSettings,
    WhatsAppSettings,
)
from baton.core.transfer.place import PLATFORMS
from baton.core.value import value

_PLATFORM = Text("|".join(PLATFORMS), f"one of {', '.join(PLATFORMS)}", longest=20)
_ROOM = Text(r"[^\s\x00-\x1f\x7f]{1,255}", "the id of a room, chat, channel or person", longest=255)
_TARGET_NAME = Text(r"[a-z][a-z0-9_-]{0,31}", "a name in lower case", longest=32)
_TARGET = Text(
    rf"(?:{'|'.join(PLATFORMS)}):[^\s\x00-\x1f\x7f]{{1,255}}", "platform:room, such as slack:C012", longest=300
)
_PERSON = Text(
    rf"(?:{'|'.join(PLATFORMS)}):[^\s\x00-\x1f\x7f]{{1,255}}",
    "platform:id with the platform's stable id of a person, such as telegram:777",
    longest=300,
)
_LISTEN = Text(r"(?:[^\s:]+|\[[0-9a-f:]+\]):[0-9]{1,5}", "HOST:PORT, such as 127.0.0.1:8787", longest=200)
_DIRECTORY = Text(r"/[^\x00-\x1f\x7f]*", "an absolute path", longest=1_000)


@value
class GatewaySettings:
    """Who may speak to Baton on messaging platforms, and how."""

    workspace: str | None = key(
        None,
        _DIRECTORY,
        doc="The directory in which conversations begun in a channel work. Null means where the gateway was started.",
    )
    home: Mapping[str, str] = lazy_key(
        dict[str, str],
        MapOf(_PLATFORM, _ROOM, "names of platforms with a room each", most=len(PLATFORMS)),
        doc="The home channel of each platform. `baton pair` and `/sethome` set it too; what stands here wins.",
    )
    targets: Mapping[str, str] = lazy_key(
        dict[str, str],
        MapOf(_TARGET_NAME, _TARGET, "names with platform:room each", most=100),
        doc="Names for other places a conversation may go to, for `/handoff NAME`.",
    )
    owners: tuple[str, ...] = key(
        (),
        ListOf(_PERSON, "platform:id", most=50),
        doc="Who is you on each platform: may talk, command and approve tools. `baton pair` adds to them.",
    )
    guests: tuple[str, ...] = key(
        (),
        ListOf(_PERSON, "platform:id", most=500),
        doc="Who else may talk in places bound to a conversation. Guests cannot command or approve.",
    )
    recover_within: float = key(
        3_600.0,
        Seconds(1, 604_800),
        doc="How old a reply may be that is still delivered after a stop; of older ones only the number is told.",
    )
    send_tries: int = key(8, Whole(1, 100), doc="How often a message that a platform turns away for now is tried.")
    drain: float = key(
        20.0,
        Seconds(0, 600),
        doc="How long a stopping gateway waits for turns to end; the next start continues the others.",
    )
    listen: str = key(
        "127.0.0.1:8787",
        _LISTEN,
        doc="Where the gateway's HTTP API listens: an address of this machine alone; port 0 is any that is free.",
    )
    telegram: TelegramSettings = section(TelegramSettings, doc="A Telegram bot.")
    discord: DiscordSettings = section(DiscordSettings, doc="A Discord bot.")
    slack: SlackSettings = section(SlackSettings, doc="A Slack app.")
    matrix: MatrixSettings = section(MatrixSettings, doc="A Matrix account.")
    signal: SignalSettings = section(SignalSettings, doc="A Signal account.")
    whatsapp: WhatsAppSettings = section(WhatsAppSettings, doc="A WhatsApp Business number.")
