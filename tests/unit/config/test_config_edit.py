"""One key of the user's file is changed, and nothing else in it."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from baton.config import load
from baton.config.edit import render_value, set_key, unset_key, with_value, without_value
from baton.config.locations import Locations
from baton.core.errors import BadInput, BatonError

WRITTEN = """\
# mine
model: anthropic:claude-sonnet-5-5  # the good one

store:
  # quick
  busy_timeout: 5
tools: {sandbox: off}
"""


@pytest.fixture
def locations(tmp_path: Path) -> Locations:
    home = tmp_path / "baton"
    home.mkdir()
    return Locations(home, home / "config.yaml", None)


def held(locations: Locations) -> str:
    return locations.user.read_text()


def test_a_value_takes_the_place_of_the_old_one_and_comments_stay(locations: Locations) -> None:
    locations.user.write_text(WRITTEN)
    assert set_key(locations, "model", "openai:gpt-6.1-sol") == "openai:gpt-6.1-sol"
    assert held(locations) == WRITTEN.replace("anthropic:claude-sonnet-5-5", "openai:gpt-6.1-sol")
    assert set_key(locations, "store.busy_timeout", "7.5") == 7.5
    assert "  # quick\n  busy_timeout: 7.5\n" in held(locations)


def test_a_key_is_added_to_its_section_or_with_it(locations: Locations) -> None:
    locations.user.write_text(WRITTEN)
    set_key(locations, "store.lease", "20")
    set_key(locations, "ui.color", "never")
    loaded = load(environ={"BATON_HOME": str(locations.home)}, cwd=locations.home, home=locations.home)
    assert (loaded.settings.store.lease, loaded.settings.store.busy_timeout) == (20, 5)
    assert (loaded.settings.ui.color, loaded.settings.model) == ("never", "anthropic:claude-sonnet-5-5")
    assert held(locations).count("store:") == 1
    assert "# mine\n" in held(locations)


def test_the_file_is_made_if_there_is_none_and_for_you_alone(locations: Locations) -> None:
    set_key(locations, "gateway.telegram.token", "123456:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
    assert stat.S_IMODE(locations.user.stat().st_mode) == 0o600
    assert [path.name for path in locations.home.iterdir()] == ["config.yaml"]


def test_what_is_taken_out_takes_its_empty_section_with_it(locations: Locations) -> None:
    locations.user.write_text(WRITTEN)
    assert unset_key(locations, "store.busy_timeout")
    assert not unset_key(locations, "store.busy_timeout")
    assert "store" not in held(locations)
    assert unset_key(locations, "model")
    assert held(locations) == "# mine\n\ntools: {sandbox: off}\n"


@pytest.mark.parametrize(
    ("key", "text"), [("modle", "x"), ("store", "x"), ("store.busy_timeout", "soon"), ("ui.color", "pink"), ("", "x")]
)
def test_what_is_wrong_changes_nothing(key: str, text: str, locations: Locations) -> None:
    locations.user.write_text(WRITTEN)
    with pytest.raises(BatonError):
        set_key(locations, key, text)
    assert held(locations) == WRITTEN
    assert [path.name for path in locations.home.iterdir()] == ["config.yaml"]


def test_a_file_that_is_wrong_already_is_not_touched(locations: Locations) -> None:
    locations.user.write_text("model: [\n")
    with pytest.raises(BatonError):
        set_key(locations, "model", "openai:gpt-6.1-sol")
    assert held(locations) == "model: [\n"


def test_a_section_in_braces_is_left_to_an_editor(locations: Locations) -> None:
    locations.user.write_text(WRITTEN)
    with pytest.raises(BadInput, match="baton config edit"):
        set_key(locations, "tools.output_chars", "9000")
    assert held(locations) == WRITTEN


@pytest.mark.parametrize(
    ("text", "key", "written", "result"),
    [
        ("", "a.b.c", "1", "a:\n  b:\n    c: 1\n"),
        ("x: 1", "y", "2", "y: 2\nx: 1"),
        ("# only words", "y", "2", "# only words\ny: 2\n"),
        ("a:\n    b: 1\n", "a.c", "2", "a:\n    c: 2\n    b: 1\n"),
        ("a:\n  b:\nx: 1\n", "a.b", "2", "a:\n  b: 2\nx: 1\n"),
        ("a: 'it''s'   # why\n", "a", "2", "a: 2   # why\n"),
        ("a: [1,\n  2]\nb: 3\n", "a", "[]", "a: []\nb: 3\n"),
        ("a:\n- 1\n- 2\nb: 3\n", "b", "4", "a:\n- 1\n- 2\nb: 4\n"),
    ],
)
def test_text_around_a_value_stays(text: str, key: str, written: str, result: str) -> None:
    assert with_value(text, key, written) == result


@pytest.mark.parametrize(
    ("text", "key", "result"),
    [
        ("a: 1\nb: 2\n", "a", "b: 2\n"),
        ("a:\n  - 1\n  - 2\nb: 2\n", "a", "b: 2\n"),
        ("a:\n  b: 1\n  c: 2\n", "a.b", "a:\n  c: 2\n"),
        ("a:\n  b: 1\nc: 2\n", "a.b", "c: 2\n"),
        ("a: 1", "b", "a: 1"),
    ],
)
def test_lines_of_a_value_go(text: str, key: str, result: str) -> None:
    assert without_value(text, key) == result


@pytest.mark.parametrize(
    "text", ["plain", "a b", "yes", "12", "it's", '"', "a: b", "#x", "~/x", "- a", "", "ä: ö", "x:"]
)
def test_a_text_comes_back_as_it_was(text: str) -> None:
    import yaml

    assert yaml.safe_load(f"k: {render_value(text)}\n") == {"k": text}
