"""The accounts Baton has on messaging platforms. A project file may set none of them: they are the owner's own."""

from __future__ import annotations

from baton.config.keys import key
from baton.config.kinds import Text
from baton.core.value import value

_TOKEN = Text(r"[^\s\x00-\x1f\x7f]+", "a token without spaces", longest=2_000, opaque=True)
_ADDRESS = Text(r"https?://[^\s\x00-\x1f\x7f?#]+", "an http or https address", longest=2_000)
_SOCKET = Text(r"wss?://[^\s\x00-\x1f\x7f?#]+", "a ws or wss address", longest=2_000)
_LISTEN = Text(r"(?:[^\s:]+|\[[0-9a-f:]+\]):[0-9]{1,5}", "HOST:PORT, such as 127.0.0.1:8788", longest=200)
_MXID = Text(r"@[^\s:]+:[^\s]+", "a Matrix id such as @baton:example.org", longest=255)
_ACCOUNT = Text(r"\+[0-9]{5,20}", "a telephone number such as +15550100", longest=21)
_DIGITS = Text(r"[0-9]{1,40}", "digits", longest=40)
_WORD = Text(r"[^\s\x00-\x1f\x7f]{1,200}", "a word without spaces", longest=200, opaque=True)


@value
class TelegramSettings:
    """A Telegram bot, from @BotFather. It is used when `token` is set."""

    token: str | None = key(None, _TOKEN, doc="The bot's token.", secret=True, variable="BATON_TELEGRAM_TOKEN")
    api: str = key("https://api.telegram.org", _ADDRESS, doc="The Bot API server.")


@value
class DiscordSettings:
    """A Discord bot with the message content intent. It is used when `token` is set."""

    token: str | None = key(None, _TOKEN, doc="The bot's token.", secret=True, variable="BATON_DISCORD_TOKEN")
    api: str = key("https://discord.com/api/v10", _ADDRESS, doc="The REST API.")
    gateway: str = key("wss://gateway.discord.gg", _SOCKET, doc="Where events come from.")


@value
class SlackSettings:
    """A Slack app in Socket Mode. It is used when both tokens are set."""

    bot_token: str | None = key(
        None, _TOKEN, doc="The bot token, `xoxb-…`.", secret=True, variable="BATON_SLACK_BOT_TOKEN"
    )
    app_token: str | None = key(
        None, _TOKEN, doc="The app-level token, `xapp-…`.", secret=True, variable="BATON_SLACK_APP_TOKEN"
    )
    api: str = key("https://slack.com/api/", _ADDRESS, doc="The Web API.")


@value
class MatrixSettings:
    """A Matrix account of its own. It is used when `user` and `password` are set.

    Its device and keys are kept under `BATON_HOME`.
    """

    homeserver: str = key("https://matrix.org", _ADDRESS, doc="The account's server.")
    user: str | None = key(None, _MXID, doc="The account's id.", variable="BATON_MATRIX_USER")
    password: str | None = key(
        None,
        _TOKEN,
        doc="The account's password; used to log in once.",
        secret=True,
        variable="BATON_MATRIX_PASSWORD",
    )


@value
class SignalSettings:
    """A running signal-cli daemon (`signal-cli daemon --http`). It is used when `account` is set."""

    account: str | None = key(None, _ACCOUNT, doc="The number Baton speaks from.", variable="BATON_SIGNAL_ACCOUNT")
    daemon: str = key("http://127.0.0.1:8080", _ADDRESS, doc="The daemon's address; it has no password.")


@value
class WhatsAppSettings:
    """A number on the WhatsApp Business Cloud API. It is used when all of number, token and secret are set."""

    number_id: str | None = key(None, _DIGITS, doc="The phone number id.", variable="BATON_WHATSAPP_NUMBER_ID")
    token: str | None = key(None, _TOKEN, doc="The access token.", secret=True, variable="BATON_WHATSAPP_TOKEN")
    app_secret: str | None = key(
        None,
        _TOKEN,
        doc="The app's secret, which signs every webhook call.",
        secret=True,
        variable="BATON_WHATSAPP_APP_SECRET",
    )
    verify_token: str | None = key(
        None,
        _WORD,
        doc="The word Meta shows when it verifies the webhook.",
        secret=True,
        variable="BATON_WHATSAPP_VERIFY_TOKEN",
    )
    listen: str = key(
        "127.0.0.1:8788",
        _LISTEN,
        doc="Where webhook calls arrive; a reverse proxy with TLS stands before it.",
    )
    api: str = key("https://graph.facebook.com/v23.0", _ADDRESS, doc="The Graph API.")
