"""Conversations over HTTP: begun, listed, read page by page, searched."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton.core.transfer.place import Place
from tests.support.api_bed import ApiBed
from tests.surface.api.conftest import IN_MEMORY, Make

pytestmark = pytest.mark.anyio
STORES = ("memory", "postgres")
NOBODY = "c_000000000000"


async def test_a_conversation_begins_with_a_turn_and_is_named_after_it_without_its_secrets(bed: ApiBed) -> None:
    begun = await bed.post("/v1/conversations", 201, text="my password is hunter2")
    shown = await bed.get(f"/v1/conversations/{begun['conversation_id']}")
    assert shown["title"] == "my password is [redacted: password]"
    assert (shown["workspace"], shown["lives_in"]) == (str(bed.workspace), "terminal")
    assert shown["head"] == shown["sessions"][0]["id"]


async def test_a_conversation_works_where_it_is_told_to(bed: ApiBed, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    begun = await bed.post("/v1/conversations", 201, text="hi", workspace=str(elsewhere))
    assert (await bed.get(f"/v1/conversations/{begun['conversation_id']}"))["workspace"] == str(elsewhere)
    for workspace in ("relative", str(tmp_path / "absent"), str(bed.workspace / "a.py")):
        error = await bed.post("/v1/conversations", 400, text="hi", workspace=workspace)
        assert "is not a directory here" in error["what"]


async def test_the_list_comes_in_pages_and_by_workspace(make: Make, tmp_path: Path) -> None:
    async with make() as bed:
        ids = [await bed.begin(f"number {number}") for number in range(3)]
        first = await bed.get("/v1/conversations", limit=2)
        assert [row["id"] for row in first["conversations"]] == [ids[2], ids[1]]
        second = await bed.get("/v1/conversations", limit=2, after=first["after"])
        assert ([row["id"] for row in second["conversations"]], second["after"]) == ([ids[0]], None)
        assert len((await bed.get("/v1/conversations", workspace=str(bed.workspace)))["conversations"]) == 3
        assert (await bed.get("/v1/conversations", workspace=str(tmp_path)))["conversations"] == []


async def test_entries_come_in_order_over_all_sessions_and_a_reader_goes_on_where_it_was(bed: ApiBed) -> None:
    conversation = await bed.begin("one")
    path = f"/v1/conversations/{conversation}"
    await bed.post(f"{path}/handoffs", 201, kind="fresh")
    assert [event.name async for event in bed.turn(f"{path}/turns", text="two")][-1] == "turn_ended"
    whole = await bed.get(f"{path}/entries")
    assert not whole["more"]
    assert len({entry["session"] for entry in whole["entries"]}) == 2
    said = [entry["body"]["text"] for entry in whole["entries"] if entry["kind"] == "user"]
    assert said == ["one", "two"]
    (packet,) = [entry["body"] for entry in whole["entries"] if entry["kind"] == "packet"]
    assert packet["because"] == "You asked for a fresh session"
    assert (bed.workspace / packet["path"]).is_file()
    piecemeal, after, more = [], "", True
    while more:
        page = await bed.get(f"{path}/entries", limit=1, **({"after": after} if after else {}))
        piecemeal += page["entries"]
        after, more = page["after"], page["more"]
    assert piecemeal == whole["entries"]
    assert (await bed.get(f"{path}/entries", after=after))["entries"] == []


async def test_what_was_said_is_found(bed: ApiBed) -> None:
    conversation = await bed.begin("the kingfisher dives")
    hits = (await bed.get("/v1/search", q="kingfisher", limit=1))["hits"]
    assert [hit["conversation_id"] for hit in hits] == [conversation]
    assert (await bed.get("/v1/search", q="heron"))["hits"] == []
    assert "no word in it" in (await bed.get("/v1/search", 400, q="…"))["what"]


async def test_where_a_conversation_is_bound_is_told(bed: ApiBed) -> None:
    conversation = await bed.begin()
    bed.store.bindings.bind(Place("telegram", "777"), conversation)
    assert (await bed.get(f"/v1/conversations/{conversation}"))["bindings"] == ["telegram:777"]


HOSTILE = [
    NOBODY,
    "c_" + "0" * 500,
    "..",
    "%2e%2e%2f%2e%2e%2fetc",
    "c_00000000000%00",
    "%F0%9F%92%A3",
    "%ff",
    "' OR 1=1 --",
    "C_000000000000",
    "t_000000000000",
    "20261115_201133_a1b2c3",
]


@IN_MEMORY
@pytest.mark.parametrize("path", ["", "/entries", "/events"])
async def test_hostile_ids_are_not_there(bed: ApiBed, path: str) -> None:
    await bed.begin()
    for hostile in HOSTILE:
        assert (await bed.get(f"/v1/conversations/{hostile}{path}", 404))["code"] in ("not-found", "no-such-page")
    assert bed.context.serving.readers.count == 0


@IN_MEMORY
@pytest.mark.parametrize(
    "query",
    [
        {"limit": "0"},
        {"limit": "1001"},
        {"limit": "-1"},
        {"limit": "1e3"},
        {"limit": "٣"},
        {"limit": ""},
        {"limit": ["1", "2"]},
        {"after": "x"},
        {"after": "1.c_0"},
        {"workspace": ""},
        {"token": "in-a-url"},
    ],
)
async def test_a_query_is_taken_exactly_or_not_at_all(bed: ApiBed, query: dict[str, str]) -> None:
    assert "Allowed" in (await bed.get("/v1/conversations", 400, **query))["what"]


@IN_MEMORY
@pytest.mark.parametrize("after", ["x", "20261115_201133_a1b2c3.1", "20261115_201133_a1b2c3.", ".1", "0.99999999999"])
async def test_a_position_of_elsewhere_is_refused(bed: ApiBed, after: str) -> None:
    conversation = await bed.begin()
    error = await bed.get(f"/v1/conversations/{conversation}/entries", 400, after=after)
    assert "Allowed: a session of this conversation and the number of an entry" in error["what"]
