"""What every importer promises, whatever its format."""

from __future__ import annotations

import os
import random
import socket
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from baton.adapters.importers import registry
from baton.core.errors import BadInput
from baton.core.log import context
from baton.core.log import entry as kinds
from baton.core.log.entry import KINDS, encode_body, entry
from baton.ports.importer import Imported, Importer
from tests.contract.importer.kit import GOOD

EVERY = [pytest.param(each, id=each.name) for each in registry.importers()]
LINED = [param for param in EVERY if param.id != "opencode"]
every = pytest.mark.parametrize("importer", EVERY)
lined = pytest.mark.parametrize("importer", LINED)


@pytest.fixture
def good(importer: Importer, tmp_path: Path) -> Path:
    return GOOD[importer.name](tmp_path / "good.jsonl")


def check(imported: Imported) -> None:
    """The entries are in Baton's vocabulary and can be stored; every result has its call."""
    calls: dict[str, str] = {}
    answered: set[str] = set()
    held = []
    for seq, each in enumerate(imported.entries, 1):
        assert each.kind in KINDS
        held.append(
            entry("20260101_000000_000000", seq, each.kind, each.at or 0, each.tokens, encode_body(dict(each.data)))
        )
        if each.kind == kinds.ASSISTANT:
            calls.update({call["id"]: call["name"] for call in each.data.get("calls", ())})
        elif each.kind == kinds.TOOL_RESULT:
            assert imported.format == "baton" or calls[each.data["id"]] == each.data["name"]
            assert each.data["id"] not in answered
            assert isinstance(each.data["ok"], bool)
            answered.add(each.data["id"])
            if imported.format != "baton":
                check_details(each.data["name"], each.data["ok"], each.data["details"])
        elif each.kind == kinds.USER:
            assert each.data["text"].strip()
    assert list(imported.cuts) == sorted(set(imported.cuts))
    assert all(0 <= cut <= len(imported.entries) for cut in imported.cuts)
    assert all(count > 0 for count in imported.skipped.values())
    context.project(held)


def check_details(name: str, ok: bool, details: dict[str, Any]) -> None:
    """Facts are taken from these, so they are the same whatever the source."""
    assert isinstance(details["foreign"], str)
    if name == "shell":
        assert isinstance(details["command"], str)
        assert details["exit"] is None or type(details["exit"]) is int
        assert not (ok and details["exit"])
    elif name in ("edit", "write"):
        assert all(isinstance(path, str) for path in details.get("paths") or [details["path"]])
    elif name == "plan" and ok:
        assert all(set(item) == {"text", "state"} for item in details["items"])
        assert all(item["state"] in ("pending", "doing", "done") and item["text"] for item in details["items"])


def attempt(importer: Importer, path: Path) -> Imported | None:
    """What it reads, or None where it refuses; anything else is a failure."""
    importer.recognises(path)
    try:
        imported = importer.read(path)
    except BadInput:
        return None
    check(imported)
    return imported


def test_names_are_unique_and_each_has_a_good_file() -> None:
    assert sorted(registry.names()) == sorted(GOOD)


@every
def test_a_good_file_is_read_and_reading_it_again_gives_the_same(importer: Importer, good: Path) -> None:
    imported = importer.read(good)
    check(imported)
    assert imported.format == importer.name
    assert imported.source == str(good)
    assert any(each.kind == kinds.USER for each in imported.entries)
    assert (
        any(each.kind == kinds.TOOL_RESULT and not each.data["ok"] for each in imported.entries)
        or good.suffix == ".json"
    )
    assert importer.read(good) == imported


@every
def test_only_its_own_importer_recognises_a_file(importer: Importer, good: Path) -> None:
    assert [each.name for each in registry.importers() if each.recognises(good)] == [importer.name]
    assert registry.choose(good).name == importer.name
    assert registry.read(good).format == importer.name


@every
def test_the_source_is_not_changed(importer: Importer, good: Path) -> None:
    before, listed = good.read_bytes(), sorted(good.parent.iterdir())
    good.chmod(0o400)
    importer.read(good)
    assert good.read_bytes() == before
    assert sorted(good.parent.iterdir()) == listed


@lined
def test_a_torn_last_line_costs_only_itself(importer: Importer, good: Path) -> None:
    whole = importer.read(good)
    good.write_bytes(good.read_bytes() + good.read_bytes().splitlines()[-1][:-5])
    imported = attempt(importer, good)
    assert imported is not None
    assert imported.entries == whole.entries
    assert imported.skipped["torn line"] == 1


@every
def test_a_file_cut_anywhere_is_read_as_far_as_it_goes_or_refused(importer: Importer, good: Path) -> None:
    data = good.read_bytes()
    for end in range(0, len(data), max(1, len(data) // 60)):
        good.write_bytes(data[:end])
        attempt(importer, good)


@every
def test_damage_anywhere_never_raises_anything_else(importer: Importer, good: Path) -> None:
    data, dice = good.read_bytes(), random.Random(7)
    for _ in range(60):
        hurt = bytearray(data)
        for _ in range(dice.randint(1, 20)):
            hurt[dice.randrange(len(hurt))] = dice.randrange(256)
        good.write_bytes(bytes(hurt))
        attempt(importer, good)


@lined
def test_lines_in_any_order_are_survived(importer: Importer, good: Path) -> None:
    lines, dice = good.read_bytes().splitlines(keepends=True), random.Random(7)
    for _ in range(10):
        dice.shuffle(lines)
        good.write_bytes(b"".join(lines))
        attempt(importer, good)


HOSTILE = [
    b"",
    b"\n\n\n",
    b'null\n1\n[]\n"x"\ntrue\n',
    b"\xff\xfe\x00{\n" * 10,
    b"{" * 10_000,
    b'{"a":' * 5_000 + b"1" + b"}" * 5_000,
    b"[" * 100_000,
    b'{"type":1e999,"payload":NaN}\n',
    b'{"type":"user","uuid":["x"],"message":[[]]}\n',
    b'{"type":"user","uuid":"a","parentUuid":{"x":1},"message":{"content":{"type":"text"}}}\n',
    b'{"type":"user","uuid":"a","message":{"content":[{"type":"tool_result","content":[1,null]}]}}\n',
    b'{"type":"response_item","payload":[1]}\n{"type":"response_item","payload":{"type":"message","content":3}}\n',
    b'{"type":"baton-export","format":1}\n{"type":"entry","session_id":"s","kind":"user","body":{"text":"\\ud800"}}\n',
    b'{"info":[],"messages":{"a":1}}',
    b'{"info":{},"messages":[{"info":3,"parts":{"x":1}},null,{"info":{"role":"assistant"},"parts":[null,[],{"type":"tool"}]}]}',
]


@every
@pytest.mark.parametrize("data", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_files_are_read_or_refused(importer: Importer, tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "hostile.jsonl"
    path.write_bytes(data)
    attempt(importer, path)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from((
        "type", "uuid", "parentUuid", "message", "content", "payload", "role", "text", "id", "name", "input", "info",
        "parts", "state", "body", "kind", "session_id", "call_id", "output", "arguments", "attachment", "forkedFrom",
    )), inner, max_size=6),
    max_leaves=20,
)  # fmt: skip
TYPES = ("user", "assistant", "system", "attachment", "response_item", "event_msg", "session_meta", "entry", "session")


@every
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    records=st.lists(st.tuples(st.sampled_from(TYPES), st.dictionaries(st.just("message") | st.just("payload"), JSON)))
)
def test_records_of_any_shape_are_survived(
    importer: Importer, tmp_path: Path, records: list[tuple[str, dict[str, object]]]
) -> None:
    import json

    path = tmp_path / "odd.jsonl"
    lines = [json.dumps({"type": kind, "uuid": str(number % 3), **rest}) for number, (kind, rest) in enumerate(records)]
    path.write_text("\n".join(['{"type":"baton-export","format":1}', *lines]))
    attempt(importer, path)


@every
def test_what_is_no_file_is_refused(importer: Importer, tmp_path: Path) -> None:
    pipe, absent = tmp_path / "pipe", tmp_path / "absent"
    os.mkfifo(pipe)
    with socket.socket(socket.AF_UNIX) as listening:
        os.chdir(tmp_path)
        listening.bind("socket")
        for path in (tmp_path, pipe, absent, tmp_path / "socket", Path("/dev/zero"), Path("nul\0name")):
            assert importer.recognises(path) is False
            with pytest.raises(BadInput):
                importer.read(path)


@lined
def test_unknown_types_are_counted(importer: Importer, good: Path) -> None:
    head, *rest = good.read_bytes().splitlines()
    good.write_bytes(b"\n".join([head, b'{"type":"hologram","payload":{}}', *rest]))
    assert importer.read(good).skipped["unknown: hologram"] == 1


def test_a_hundred_thousand_lines_with_every_link_broken_are_read(tmp_path: Path) -> None:
    """Each parent has to be guessed, and no guess may cost more than the one before."""
    path = tmp_path / "long.jsonl"
    line = '{{"type":"user","uuid":"u{0}","parentUuid":"x{0}","message":{{"content":"line {0}"}}}}\n'
    path.write_text("".join(line.format(number) for number in range(100_000)))
    imported = registry.read(path)
    assert len(imported.entries) == 100_000
    assert imported.skipped == {"missing parent": 100_000}


def test_an_unknown_format_names_what_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("hello\n")
    with pytest.raises(BadInput, match="auto, baton, opencode, codex, claude-code"):
        registry.choose(path)
    with pytest.raises(BadInput, match=r"no format 'nothing'. Allowed: auto"):
        registry.choose(path, "nothing")
