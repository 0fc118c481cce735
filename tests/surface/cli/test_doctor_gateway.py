"""What `baton doctor` says of the gateway: platforms, what they lack, whether one lives; each with the exact line."""

from __future__ import annotations

import pytest

from baton.engine.mail.delivery import now
from baton.engine.transfer.targets import GatewayRow, Targets
from baton.ports.store import Store
from tests.surface.cli.conftest import Cli
from tests.surface.cli.test_doctor import findings

SECRET = "123456:" + "s" * 35


def lives(store: Store, **platforms: str) -> None:
    """A gateway that gave a sign of life just now."""
    names = {name: "@helper" if state == "connected" else "" for name, state in platforms.items()}
    row = GatewayRow("gateway:7:abc", platforms, names, "http://127.0.0.1:8787", "shop", 7, now(), now(), {})
    Targets(store.register, now, dict, {}, tuple(platforms)).announce(row)


@pytest.fixture
def telegram(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATON_TELEGRAM_TOKEN", SECRET)


def test_with_nothing_configured_one_line_says_how_to_begin(cli: Cli) -> None:
    found = findings(cli)
    assert (found["gateway"]["level"], found["gateway"]["text"]) == ("ok", "no messaging platform is configured")
    assert "export BATON_TELEGRAM_TOKEN=…" in found["gateway"]["todo"]
    assert "telegram" not in found


@pytest.mark.parametrize(
    ("given", "platform", "missing", "todo"),
    [
        ("BATON_SLACK_BOT_TOKEN", "slack", "gateway.slack.app_token", "export BATON_SLACK_APP_TOKEN=…"),
        ("BATON_MATRIX_PASSWORD", "matrix", "gateway.matrix.user", "export BATON_MATRIX_USER=…"),
        (
            "BATON_WHATSAPP_TOKEN",
            "whatsapp",
            "gateway.whatsapp.number_id, gateway.whatsapp.app_secret",
            "export BATON_WHATSAPP_NUMBER_ID=… BATON_WHATSAPP_APP_SECRET=…",
        ),
    ],
)
def test_of_a_platform_configured_in_part_the_missing_keys_are_named(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, given: str, platform: str, missing: str, todo: str
) -> None:
    monkeypatch.setenv(given, "some-secret-value")
    result = cli("doctor", "--quick", "--json")
    found = {each["subject"]: each for each in result.json["findings"]}
    assert found[platform] == {
        "level": "warning",
        "subject": platform,
        "text": f"configured in part, so it is not used. Not set: {missing}",
        "todo": todo,
    }
    assert found["gateway"]["text"] == "no messaging platform is configured"
    assert "some-secret-value" not in result.out


@pytest.mark.usefixtures("telegram")
def test_a_configured_platform_without_a_gateway_and_without_a_home(cli: Cli) -> None:
    found = findings(cli)
    assert (found["gateway"]["level"], found["gateway"]["todo"]) == ("warning", "baton gateway")
    assert found["telegram"]["text"].startswith("configured; it has no home channel")
    assert found["telegram"]["todo"] == "baton pair telegram"
    assert SECRET not in str(found)


@pytest.mark.usefixtures("telegram")
def test_a_gateway_that_lives_is_named_with_what_it_is_connected_as(cli: Cli, store: Store) -> None:
    lives(store, telegram="connected")
    store.register.put("person/telegram:777", {"role": "owner", "name": "Ann", "at": 0})
    store.register.put("home/telegram", {"place": "telegram:777", "by": "telegram:777"})
    found = findings(cli)
    assert found["gateway"]["text"] == "gateway:7:abc on shop (pid 7)"
    assert found["telegram"]["text"] == "connected as @helper; home telegram:777"
    assert (found["telegram"]["level"], found["telegram"]["todo"]) == ("ok", "")


@pytest.mark.usefixtures("telegram")
def test_a_platform_that_is_not_connected_says_why(cli: Cli, store: Store) -> None:
    reason = "telegram does not accept our credentials: the bot's token is not valid."
    lives(store, telegram=reason)
    found = findings(cli)["telegram"]
    assert (found["level"], found["text"]) == ("warning", f"not connected: {reason}")
    assert found["todo"] == "baton gateway status"


@pytest.mark.usefixtures("telegram")
def test_a_platform_configured_since_the_gateway_was_started(cli: Cli, store: Store) -> None:
    lives(store, slack="connected")
    found = findings(cli)
    assert "does not host it" in found["telegram"]["text"]
    assert "start the gateway again" in found["telegram"]["todo"]
    assert found["slack"]["text"].startswith("connected as @helper")


def test_a_number_whose_webhook_cannot_be_verified_yet(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    given = {"NUMBER_ID": "1", "TOKEN": "x" * 20, "APP_SECRET": "y" * 20}
    for name, text in given.items():
        monkeypatch.setenv(f"BATON_WHATSAPP_{name}", text)
    owned = ("--set", "gateway.owners=whatsapp:15550100")
    found = findings(cli, "--set", "gateway.home=whatsapp=15550100", *owned)["whatsapp"]
    assert found["text"] == "configured; home whatsapp:15550100"
    assert found["todo"] == "before Meta can verify the webhook: export BATON_WHATSAPP_VERIFY_TOKEN=…"


@pytest.mark.usefixtures("telegram")
def test_a_home_channel_where_nobody_is_known_is_no_silent_lock_out(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATON_MATRIX_USER", "@baton:example.org")
    monkeypatch.setenv("BATON_MATRIX_PASSWORD", SECRET)
    home = ("--set", "gateway.home=matrix=!den:example.org,telegram=777")
    found = findings(cli, *home)
    assert found["matrix"]["level"] == "warning"
    assert "nobody is known as you, so nobody is heard there" in found["matrix"]["text"]
    assert found["matrix"]["todo"] == "baton pair matrix"
    assert found["telegram"]["level"] == "ok"
    assert "only if it is your direct chat" in found["telegram"]["text"]
    found = findings(cli, *home, "--set", "gateway.owners=matrix:@ada:example.org,telegram:777")
    assert [found[name]["text"] for name in ("matrix", "telegram")] == [
        "configured; home matrix:%21den%3Aexample.org",
        "configured; home telegram:777",
    ]
