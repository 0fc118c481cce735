"""What a repository's own file may set, and what becomes of the rest."""

from __future__ import annotations

import pytest
from tests.unit.config.conftest import Desk

from baton.config.project_file import FREELY, MAY_SET
from baton.config.schema import Settings, tree

HANDOFF = "agent.auto_handoff_on_compression"
YOURS = [path for path in tree().every_key() if path not in MAY_SET]


def test_the_list_names_keys_that_there_are() -> None:
    assert set(MAY_SET) <= set(tree().every_key())


def test_what_a_project_file_may_set_is_listed_here() -> None:
    """A new key is yours alone until somebody has thought about it."""
    assert [path for path in tree().every_key() if MAY_SET.get(path) is FREELY] == [
        "store.busy_timeout",
        "store.lease",
        "ui.color",
        "ui.pager",
        "agent.model_timeout",
        "agent.compression.mode",
        "agent.compression.threshold",
        "agent.compression.deadline",
        "agent.compression.tries",
        "agent.compression.cool_down",
        f"{HANDOFF}.enabled",
        f"{HANDOFF}.after_compressions",
        f"{HANDOFF}.max_prompt_tokens",
        f"{HANDOFF}.on_compression_failure",
    ]
    stricter = {path: each.words for path, each in MAY_SET.items() if each is not FREELY}
    assert stricter == {
        f"{HANDOFF}.mode": "not take away your being asked",
        f"{HANDOFF}.max_auto_handoffs": "only lower it",
        f"{HANDOFF}.require_clean_checkpoint": "only turn it on",
    }


@pytest.mark.parametrize("path", YOURS)
def test_what_is_yours_alone_is_ignored_with_a_warning(desk: Desk, path: str) -> None:
    loaded = desk.project("\n" + nested(path, "evil") + "\nui: {color: never}\n").load()
    (warning,) = loaded.ignored
    assert named(desk, warning) == (
        f"PROJECT:2: {path} is ignored: a project file, which can come from anybody, may not set it; "
        f"set it in the user file USER, in {tree().every_key()[path].variables[0]} or by a flag."
    )
    assert loaded.sources[path].layer == "default"
    assert loaded.settings.ui.color == "never"


@pytest.mark.parametrize("path", ["model", f"{HANDOFF}.prompt", f"{HANDOFF}.handoff_artifact_dir"])
def test_the_same_is_fine_in_the_user_file(desk: Desk, path: str) -> None:
    loaded = desk.user(nested(path, "a:b" if path == "model" else "mine")).load()
    assert loaded.ignored == ()
    assert loaded.sources[path].layer == "user"


ASKED, LIMIT, CLEAN = f"{HANDOFF}.mode", f"{HANDOFF}.max_auto_handoffs", f"{HANDOFF}.require_clean_checkpoint"


@pytest.mark.parametrize(
    ("path", "yours", "theirs", "holds"),
    [
        (LIMIT, None, "100000", 3),
        (LIMIT, None, "2", 2),
        (LIMIT, None, "3", 3),
        (LIMIT, "10", "9", 9),
        (LIMIT, "10", "11", 10),
        (LIMIT, "0", "1", 0),
        (CLEAN, None, "false", True),
        (CLEAN, None, "true", True),
        (CLEAN, "false", "true", True),
        (CLEAN, "false", "false", False),
        (ASKED, None, "fresh_process", "fresh_process"),
        (ASKED, "prompt_user", "fresh_session", "prompt_user"),
        (ASKED, "fresh_process", "prompt_user", "prompt_user"),
    ],
)
def test_some_keys_may_only_be_made_stricter(
    desk: Desk, path: str, yours: str | None, theirs: str, holds: object
) -> None:
    if yours is not None:
        desk.user(nested(path, yours))
    loaded = desk.project(nested(path, theirs)).load()
    handoff = loaded.settings.agent.auto_handoff_on_compression
    assert getattr(handoff, path.rpartition(".")[2]) == holds
    assert bool(loaded.ignored) == (str(holds).lower() != theirs)


def test_who_asked_for_less_is_told_what_holds_and_where_to_set_it(desk: Desk) -> None:
    (warning,) = desk.project(nested(LIMIT, "100000")).load().ignored
    assert named(desk, warning) == (
        f"PROJECT:1: {LIMIT}: 100000 is ignored and 3 holds: a project file, which can come from anybody, may only "
        f"lower it; set it in the user file USER, in BATON_{LIMIT.upper().replace('.', '__')} or by a flag."
    )


def test_you_may_set_in_any_other_way_what_a_project_may_not(desk: Desk) -> None:
    desk.project(nested(LIMIT, "100000"))
    assert desk.load(flags=[f"{LIMIT}=50"]).settings.agent.auto_handoff_on_compression.max_auto_handoffs == 50
    assert desk.load(environ={f"BATON_{LIMIT.upper().replace('.', '__')}": "60"}).sources[LIMIT].layer == "environment"


def test_a_bad_value_of_a_key_it_may_set_is_still_an_error(desk: Desk) -> None:
    assert desk.project(nested(LIMIT, "many")).problems() == [
        f"PROJECT:1: {LIMIT}: found many; allowed: a whole number from 0 to 1000000000."
    ]


def test_a_hostile_file_changes_nothing_and_its_warnings_are_bounded(desk: Desk) -> None:
    servers = "\n".join(f"    s{number}: {{command: evil}}" for number in range(500))
    loaded = desk.project(f"tools:\n  mcp_servers:\n{servers}\n").load()
    assert loaded.settings == Settings()
    assert len(loaded.ignored) == 1


def nested(path: str, text: str) -> str:
    """A file of one line that sets one key."""
    *sections, name = path.split(".")
    return "".join(f"{section}: {{" for section in sections) + f"{name}: {text}" + "}" * len(sections)


def named(desk: Desk, text: str) -> str:
    return text.replace(str(desk.user_file), "USER").replace(str(desk.project_file), "PROJECT")
