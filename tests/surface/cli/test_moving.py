"""`baton handoff --to`, `baton transfers`, `baton gateway status`, `baton pair`, `baton people`, `baton watch`."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from baton.core.log.entry import NewEntry
from baton.core.transfer import transfer as rules
from baton.core.transfer.place import Place, platform_name
from baton.core.value import replace
from baton.engine.mail.delivery import now
from baton.engine.transfer.people import Appointed, Directory
from baton.engine.transfer.targets import CONNECTED, GatewayRow, Targets
from baton.ports.store import Store
from baton.surfaces.shared import wording
from tests.surface.cli.conftest import Cli, Told

THREAD = Place("telegram", "777", "42")


@pytest.fixture
def gateway(store: Store) -> Callable[..., None]:
    """A gateway that lives, as far as the store knows."""

    def announce(**platforms: str) -> None:
        row = GatewayRow(
            "g1", platforms or {"telegram": CONNECTED}, {"telegram": "@bot"}, "", "host", 7, now(), now(), {}
        )
        Targets(store.register, now, dict, {}, ()).announce(row)
        store.register.put("person/telegram:777", {"role": "owner", "name": "Ann", "at": 0})
        store.register.put("home/telegram", {"place": "telegram:777", "by": "telegram:777"})

    return announce


@contextmanager
def worker(store: Store, act: Callable[[Store], None]) -> Iterator[None]:
    """Somebody who takes the transfer and does something with it."""
    thread = threading.Thread(target=act, args=(store,))
    thread.start()
    yield
    thread.join(20)


def claimed(store: Store) -> tuple[rules.Transfer, object]:
    while not (found := store.transfers.claim_next(["telegram"], "worker", 30)):
        time.sleep(0.01)
    return found


def complete(store: Store) -> None:
    _, proof = claimed(store)
    for step in ("opened", "bound", "greeted"):
        store.transfers.reach(proof, step, {"place": THREAD.key})  # type: ignore[arg-type]
    store.transfers.complete(proof)  # type: ignore[arg-type]


def fail(store: Store) -> None:
    _, proof = claimed(store)
    store.transfers.fail(proof, "the bot was blocked")  # type: ignore[arg-type]


def test_there_must_be_a_gateway_that_reaches_the_place(cli: Cli, told: Told, store: Store, gateway) -> None:
    refused = cli("handoff", told.id, "--to", "telegram")
    assert (refused.code, "baton gateway" in refused.err) == (1, True)
    gateway(telegram="does not accept our credentials", slack=CONNECTED)
    refused = cli("handoff", told.id, "--to", "telegram")
    assert "not connected to telegram (does not accept our credentials)" in refused.err
    assert "Connected are: slack" in refused.err
    assert "There is no place called 'icq'" in cli("handoff", told.id, "--to", "icq").err
    assert "no home channel yet" in cli("handoff", told.id, "--to", "slack").err
    assert "baton resume" in cli("handoff", told.id, "--to", "terminal").err
    assert "exclude each other" in cli("handoff", told.id, "--to", "slack", "--yes").err
    assert store.transfers.of(told.id) == []


def test_it_says_when_it_is_there(cli: Cli, told: Told, store: Store, gateway) -> None:
    gateway()
    with worker(store, complete):
        done = cli("handoff", told.id, "--to", "telegram")
    assert (done.code, "now lives in Telegram" in done.out) == (0, True)
    assert "greeting delivered" in done.err
    assert "terminal → telegram" in cli("sessions", "tree", told.id).out


def test_it_says_where_it_is_to_a_script(cli: Cli, told: Told, store: Store, gateway) -> None:
    gateway()
    with worker(store, complete):
        done = cli("handoff", told.id, "--to", "telegram", "--json")
    assert (done.json["state"], done.json["place"]) == ("completed", THREAD.key)


def test_one_that_is_there_already_does_not_move_again(cli: Cli, told: Told, store: Store, gateway) -> None:
    gateway()
    with worker(store, complete):
        cli("handoff", told.id, "--to", "telegram")
    again = cli("handoff", told.id, "--to", "telegram")
    assert (again.code, "lives in Telegram already" in again.err) == (1, True)
    assert f"baton resume {told.id}" in again.err
    assert len(store.transfers.of(told.id)) == 1


@pytest.mark.parametrize(
    ("target", "place", "words"),
    [("whatsapp", "whatsapp:15550100", "channel found"), ("telegram", THREAD.key, "thread")],
)
def test_only_a_thread_is_called_one(target: str, place: str, words: str) -> None:
    transfer = rules.request("c_1", "terminal:local", target, now())
    opened = replace(transfer, step="opened", journal=json.dumps({"opened": {"place": place}}))
    assert words in wording.describe_step(opened)


def test_platforms_are_called_by_their_names(cli: Cli) -> None:
    assert "the bot on WhatsApp" in cli("pair", "whatsapp").out
    assert platform_name("terminal") == "Terminal"


def test_it_says_why_it_failed_and_can_be_tried_again(cli: Cli, told: Told, store: Store, gateway) -> None:
    gateway()
    with worker(store, fail):
        failed = cli("handoff", told.id, "--to", "telegram")
    assert (failed.code, "the bot was blocked" in failed.out) == (1, True)
    [row] = cli("transfers", "list", "--json").json
    assert (row["state"], row["error"]) == ("failed", "the bot was blocked")
    retried = cli("transfers", "retry", row["transfer_id"], "--json").json
    assert (retried["state"], retried["conversation_id"]) == ("pending", told.id)
    assert (
        "is pending. Only one that failed can be asked for again"
        in cli("transfers", "retry", retried["transfer_id"]).err
    )
    assert "being transferred" in cli("handoff", told.id, "--to", "telegram").err


def test_who_waits_only_looks(cli: Cli, told: Told, store: Store, gateway) -> None:
    gateway()
    with worker(store, lambda store: (claimed(store), None)[1]):
        waiting = cli("handoff", told.id, "--to", "telegram", "--wait", "0.5", "--json")
    assert (waiting.code, waiting.json["state"]) == (3, "running")
    transfer = store.transfers.get(waiting.json["transfer_id"])
    assert (transfer.state, transfer.error, transfer.cancel_asked) == (rules.RUNNING, "", 0)
    assert "Asked the gateway" in cli("transfers", "cancel", transfer.id).out
    assert store.transfers.get(transfer.id).state == rules.RUNNING
    shown = cli("transfers", "show", transfer.id)
    assert "running · the gateway has it · 1 attempt\n" in shown.out
    assert "baton transfers retry" not in shown.out


def test_who_leaves_is_told_that_it_goes_on(cli: Cli, told: Told, store: Store, gateway) -> None:
    def leave(self: object) -> None:
        raise KeyboardInterrupt

    gateway()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("baton.surfaces.cli.move._Wait.run", leave)
        left = cli("handoff", told.id, "--to", "telegram")
    [transfer] = store.transfers.of(told.id)
    assert (left.code, transfer.state) == (130, rules.PENDING)
    assert "continues without you" in left.err
    assert f"baton transfers cancel {transfer.id}" in left.err


def test_one_that_nobody_took_is_cancelled_at_once(cli: Cli, told: Told, store: Store, gateway) -> None:
    gateway()
    waiting = cli("handoff", told.id, "--to", "telegram", "--wait", "0")
    assert waiting.code == 3
    assert "Still on its way to Telegram after 0 s" in waiting.out
    assert "slow" not in waiting.out
    [transfer] = store.transfers.of(told.id)
    assert "Cancelled." in cli("transfers", "cancel", transfer.id).out
    assert store.transfers.get(transfer.id).error == "cancelled"
    assert f"baton transfers retry {transfer.id}" in cli("transfers", "show", transfer.id).out
    for command in ("show", "cancel", "retry"):
        missing = cli("transfers", command, "t_nonsense")
        assert (missing.code, "`baton transfers list`" in missing.err) == (1, True)


def test_not_in_the_middle_of_a_turn(cli: Cli, told: Told, store: Store, gateway) -> None:
    gateway()
    proof = store.conversations.claim(told.id, "terminal:9", 60)
    refused = cli("handoff", told.id, "--to", "telegram")
    assert (refused.code, "A terminal is at work on conversation" in refused.err) == (1, True)
    assert store.transfers.of(told.id) == []
    store.conversations.release(proof)


def test_the_status_of_gateways(cli: Cli, gateway) -> None:
    assert cli("gateway", "status").code == 1
    gateway()
    shown = cli("gateway", "status")
    assert shown.code == 0
    assert "telegram  connected as @bot · home telegram:777" in shown.out
    assert "silent" not in shown.out
    assert cli("gateway", "status", "--json").json["gateways"][0]["platforms"] == {"telegram": "connected"}


def test_the_status_doubts_a_gateway_that_is_silent(cli: Cli, store: Store, gateway) -> None:
    gateway(telegram="telegram does not accept our credentials: no.")
    record = store.register.get("gateway/g1")
    assert record is not None
    store.register.put("gateway/g1", {**record.data, "beat": now() - 15_000_000})
    shown = cli("gateway", "status").out
    assert "silent for 15 s" in shown
    assert "telegram  does not accept our credentials: no." in shown


def test_pairing_prints_a_code_that_works_once(cli: Cli, store: Store) -> None:
    told = cli("pair", "telegram", "--json").json
    assert (told["role"], len(told["code"])) == ("owner", 9)
    people = Directory(store.register, now, Appointed())
    room = Place("telegram", "9")
    assert people.pair("telegram", "WRONGONE", "telegram:8", "", room) == ""
    assert people.pair("telegram", told["code"], "telegram:9", "Ann", room) == "owner"
    assert people.pair("telegram", told["code"], "telegram:8", "", room) == ""
    assert "telegram:9" in cli("people").out
    assert cli("people", "--forget", "telegram:9").code == 0
    assert cli("people", "--forget", "telegram:9").code == 1
    assert "Nobody is paired yet" in cli("people").err
    assert told["code"] not in str(store.register.list(""))
    assert cli("pair", "icq").code == 2


def test_pairing_says_why_the_code_cannot_be_used_yet(cli: Cli, gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BATON_TELEGRAM_TOKEN", "123:abc")
    assert "No gateway is running" in cli("pair", "telegram").err
    gateway(telegram="does not accept our credentials: no.")
    assert "not connected to Telegram (does not accept our credentials: no)" in cli("pair", "telegram").err
    monkeypatch.setenv("BATON_SLACK_BOT_TOKEN", "xoxb-1")
    monkeypatch.setenv("BATON_SLACK_APP_TOKEN", "xapp-1")
    assert "does not host Slack" in cli("pair", "slack").err


def test_pairing_without_a_token_says_which_line_sets_it(cli: Cli, gateway) -> None:
    said = cli("pair", "telegram").err
    assert "Telegram is not set up here" in said
    assert "export BATON_TELEGRAM_TOKEN=…" in said
    gateway(telegram="does not accept our credentials: no.")
    assert "Nothing here" not in cli("pair", "telegram").err
    assert "export BATON_MATRIX_USER=… BATON_MATRIX_PASSWORD=…" in cli("pair", "matrix").err


def test_whoever_waits_with_a_code_is_told_of_strangers_who_guess_and_of_a_code_that_was_shown(
    cli: Cli, store: Store, gateway
) -> None:
    gateway()
    people, invite, count = Directory(store.register, now, Appointed()), Directory.invite, Directory.count_strangers
    given: list[str] = []

    def invite_and_guess(self: Directory, platform: str, role: str) -> str:
        given.append(invite(self, platform, role))
        for _ in range(5):
            assert people.pair(platform, "AAAAAAAA", "telegram:666", "", Place("telegram", "666")) == ""
        return given[0]

    def count_and_show(self: Directory, platform: str) -> int:
        found = count(self, platform)
        people.expose(platform, given[0], "telegram:9")
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Directory, "invite", invite_and_guess)
        patch.setattr(Directory, "count_strangers", count_and_show)
        waited = cli("pair", "telegram")
    assert waited.code == 1
    assert "One stranger sent wrong codes and will not be listened to; yours stays valid." in waited.err
    assert "sent where others could read it" in waited.err


def test_pairing_again_says_who_it_is_and_what_comes_next(cli: Cli, store: Store, gateway) -> None:
    gateway()
    people = Directory(store.register, now, Appointed())
    room, invite = Place("telegram", "9"), Directory.invite
    people.pair("telegram", people.invite("telegram", "owner"), "telegram:9", "Ann", room)

    def send_at_once(self: Directory, platform: str, role: str) -> str:
        code = invite(self, platform, role)
        assert people.find_role(platform, code, "telegram:9") == role
        assert people.pair(platform, code, "telegram:9", "Ann", room) == role
        return code

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Directory, "invite", send_at_once)
        paired = cli("pair", "telegram")
    assert (paired.code, "Ann (telegram:9) is the owner" in paired.out) == (0, True)
    assert "baton handoff --to telegram" in paired.out


def test_a_code_that_nobody_sent_does_not_wait_for_ever(store: Store) -> None:
    clock = [now()]
    people = Directory(store.register, lambda: clock[0], Appointed())
    code = people.invite("telegram", "owner")
    assert people.has_invitation("telegram")
    clock[0] += 601_000_000
    assert not people.has_invitation("telegram")
    assert people.find_role("telegram", code, "telegram:9") == ""


def test_watching_shows_what_is_said_and_changes_nothing(cli: Cli, told: Told, store: Store) -> None:
    before = store.conversations.get(told.id)
    proof = store.conversations.claim(told.id, "gateway:1", 60)
    store.entries.append(proof, before.head_id, [NewEntry("user", {"text": "from my phone", "place": THREAD.key})])
    refused = {"id": "1", "name": "shell", "text": "[refused: the user said no]", "ok": False}
    store.entries.append(proof, before.head_id, [NewEntry("tool_result", refused)])
    store.entries.append(proof, before.head_id, [NewEntry("note", {"turn": "u_1", "end": "cancelled", "error": ""})])
    store.conversations.release(proof)
    shown = cli("watch", told.id, "--once")
    assert "› from my phone" in shown.out
    assert "✗ shell: [refused: the user said no]\n◆ Stopped." in shown.out
    assert ("lives in the terminal" in shown.err, "Ctrl-C" in shown.err) == (True, False)
    assert "\x1b]0;" not in shown.out
    lines = [json.loads(line) for line in cli("watch", told.id, "--once", "--json").out.splitlines()]
    assert (lines[-3]["kind"], lines[-3]["text"]) == ("user", "from my phone")
    assert store.conversations.get(told.id).owner is None


def test_watching_shows_why_the_conversation_goes_on_in_a_fresh_session(cli: Cli, told: Told, store: Store) -> None:
    head = store.conversations.get(told.id).head_id
    proof = store.conversations.claim(told.id, "gateway:1", 60)
    packet = {"text": "the packet", "path": ".baton/handoffs/p.md", "because": "Session compressed 2 times\x1b[31m"}
    first = [NewEntry("packet", packet)]
    store.sessions.advance(proof, head, edge="handoff", end_reason="compression_handoff", entries=first)
    store.conversations.release(proof)
    shown = cli("watch", told.id, "--once", "--last", "1").out
    assert (
        shown
        == "◆ Session compressed 2 times. The conversation continues in a fresh session. Packet: .baton/handoffs/p.md\n"
    )
    (line,) = cli("watch", told.id, "--once", "--last", "1", "--json").out.splitlines()
    assert json.loads(line)["because"] == packet["because"]
