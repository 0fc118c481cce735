"""The small parts: places, errors, bodies of messages, what is kept between runs."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.adapters.platforms.discord.api import Refusal, explain
from baton.adapters.platforms.discord.channels import id_at
from baton.adapters.platforms.discord.outbound import SentMessages, nonce, render_edit, render_message, thread_name
from baton.adapters.platforms.discord.place import Channel, channel_of, read_channel, read_room
from baton.adapters.platforms.json_fields import Fields
from baton.core.errors import BadCredentials, BadPlace, PlatformError, SendLater, SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.ports.platform import Button, Outgoing, Upload
from tests.support.platforms.discord import posting
from tests.support.platforms.state import MemoryState

pytestmark = pytest.mark.anyio
ROOM = Place("discord", "10")


def test_a_channel_of_the_configuration_is_the_place_messages_there_come_from() -> None:
    assert read_room("10") == Channel("10", 0).place == ROOM


@pytest.mark.parametrize("text", ["", "general", "#10", "10 ", "１０", "-1", "1" * 21])
def test_what_is_no_channel_id_is_refused(text: str) -> None:
    with pytest.raises(BadPlace, match="id, a number"):
        read_room(text)


def test_a_thread_is_in_its_parent_and_messages_go_to_the_thread() -> None:
    place = read_channel(Fields({"id": "11", "type": 11, "parent_id": "10"})).place
    assert (place, channel_of(place), channel_of(ROOM)) == (Place("discord", "10", "11"), "11", "10")


def test_a_channel_in_a_category_is_no_thread() -> None:
    assert read_channel(Fields({"id": "11", "type": 0, "parent_id": "10"})).place == Place("discord", "11")


ANSWERS = [
    (400, {"code": 50035, "message": "Invalid Form Body"}, SendRefused),
    (403, {"code": 50013, "message": "Missing Permissions"}, SendRefused),
    (404, {"code": 10003, "message": "Unknown Channel"}, SendRefused),
    (413, {"code": 40005, "message": "Request entity too large"}, SendRefused),
    (302, None, SendRefused),
    (401, {"code": 0, "message": "401: Unauthorized"}, BadCredentials),
    (429, {"retry_after": 0.5, "global": False, "message": "You are being rate limited."}, SendLater),
    (429, None, SendLater),
    (500, {"code": 0, "message": "500: Internal Server Error"}, SendUnsure),
    (502, None, SendUnsure),
    (503, "<html>", SendUnsure),
    (520, None, SendUnsure),
]


@pytest.mark.parametrize(("status", "body", "kind"), ANSWERS)
def test_every_answer_is_one_of_the_known_errors(status: int, body: object, kind: type[PlatformError]) -> None:
    assert isinstance(explain(status, {}, body), kind)


PAUSES = [
    ({"retry_after": 1.5}, {"retry-after": "9"}, 1.5),
    (None, {"retry-after": "9"}, 9.0),
    ({"retry_after": "soon"}, {}, 1.0),
    ({"retry_after": float("nan")}, {}, 1.0),
    ({"retry_after": -4}, {}, 0.0),
    ({"retry_after": 1e300}, {}, 3600.0),
]


@pytest.mark.parametrize(("body", "headers", "after"), PAUSES)
def test_the_pause_discord_asks_for_is_kept(body: object, headers: dict[str, str], after: float) -> None:
    error = explain(429, headers, body)
    assert isinstance(error, SendLater)
    assert error.after == after


def test_a_refusal_says_what_discord_said() -> None:
    error = explain(403, {}, {"code": 50013, "message": "Missing Permissions"})
    assert isinstance(error, Refusal)
    assert error.number == 50013
    assert str(error) == "discord: Missing Permissions (HTTP 403, code 50013)."


@given(st.text(), st.text())
def test_keys_become_nonces_that_discord_takes(one: str, other: str) -> None:
    assert 0 < len(nonce(ROOM, one)) <= 25
    assert (nonce(ROOM, one) == nonce(ROOM, other)) == (one == other)


def test_the_same_key_elsewhere_is_another_message() -> None:
    assert nonce(ROOM, "k") != nonce(Place("discord", "10", "11"), "k")


def test_nobody_is_notified_and_nothing_is_fetched() -> None:
    body = render_message(Outgoing("@everyone https://example.org"), "n")
    assert (body["allowed_mentions"], body["flags"]) == ({"parse": []}, 4)


@given(st.lists(st.text(max_size=100), max_size=30))
def test_any_buttons_make_rows_discord_takes(labels: list[str]) -> None:
    buttons = tuple(Button(label, f"choice-{number}") for number, label in enumerate(labels))
    posting.check(render_message(Outgoing("x", buttons), "n"))


def test_an_edit_without_buttons_takes_them_away() -> None:
    assert render_edit(Outgoing("x"))["components"] == []


def test_a_file_is_named_without_its_folder() -> None:
    body = render_message(Outgoing("", file=Upload("../../etc/passwd", "text/plain", b"x")), "n")
    assert body["attachments"] == [{"id": "0", "filename": "passwd"}]


@given(st.text(max_size=300))
def test_names_of_threads_fit(title: str) -> None:
    assert 1 <= len(thread_name(title)) <= 100
    assert "\n" not in thread_name(title)


def test_ids_hold_the_time() -> None:
    assert id_at(1420070400.0) == 0
    assert id_at(0) == 0
    assert id_at(1462015105.796) == 175928847299117056 // 2**22 * 2**22


async def test_receipts_outlive_a_restart_and_a_damaged_state() -> None:
    state = MemoryState()
    first = SentMessages(state, lambda: 7.0)
    await first.begin("a")
    await first.complete("a", "100")
    await first.begin("b")
    second = SentMessages(state, lambda: 9.0)
    await second.load()
    assert (second.get("a"), second.get("b")) == (first.get("a"), first.get("b"))
    assert second.receipts() == {"100"}
    for damage in ("", "[", "[]", '{"a": 1}', '{"a": [null, "1"]}', json.dumps({"a": ["x", "1"]})):
        state.put("sent", damage)
        await second.load()
        assert second.get("a") is None


async def test_only_the_last_receipts_are_kept() -> None:
    state = MemoryState()
    receipts = SentMessages(state, lambda: 0.0)
    for number in range(150):
        await receipts.begin(str(number))
    assert receipts.get("49") is None
    assert receipts.get("50") is not None
    assert len(json.loads(state.texts["sent"])) == 100
