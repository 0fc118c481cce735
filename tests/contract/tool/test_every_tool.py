"""What holds for each tool of the registry, whatever it does."""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from baton.core.errors import ToolError
from baton.ports.tool import EFFECTS, Intent, Outcome, Tool
from tests.contract.tool.conftest import Late, told
from tests.contract.tool.kit import ENDLESS, LIMIT, LOUD, ORDINARY, hostile

pytestmark = pytest.mark.anyio
NAMES = sorted(ORDINARY)


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
async def tool(every: Late, name: str) -> Tool:
    return await every.get_tool(name)


def outside(root: Path) -> dict[str, tuple[int, int]]:
    """Every file beside the workspace, with size and time."""
    found: dict[str, tuple[int, int]] = {}
    for directory, _, names in os.walk(root.parent):
        if not Path(directory).is_relative_to(root):
            for each in names:
                status = os.lstat(os.path.join(directory, each))
                found[os.path.join(directory, each)] = (status.st_size, status.st_mtime_ns)
    return found


async def allowed_inside(tool: Tool, args: dict[str, object], shown: list[str]) -> Outcome | Intent:
    """What a session in `unattended` mode does: everything but what leaves the workspace."""
    intent = await tool.intent(args)
    assert intent.effect in EFFECTS
    return intent if intent.outside else await tool.run(args, shown.append)


def test_the_suite_covers_the_registry(root: Path) -> None:
    from baton.adapters.files.workspace import Workspace
    from baton.adapters.tools.registry import tools

    names = {tool.spec.name for tool in tools(Workspace(root), past=told())}
    tables = {"ORDINARY": ORDINARY, "LOUD": LOUD, "ENDLESS": ENDLESS}
    lacking = {name: [table for table, held in tables.items() if name not in held] for name in sorted(names)}
    lacking = {name: where for name, where in lacking.items() if where}
    assert lacking == {}, (
        "give each of these tools arguments in tests/contract/tool/kit.py: in ORDINARY and LOUD, "
        "and in ENDLESS too if others make it run long"
    )
    for table, held in tables.items():
        unknown = {name for name in held if "__" not in name} - names
        assert unknown == set(), f"the registry does not have these tools of {table} in tests/contract/tool/kit.py"
    assert set(LOUD) == set(ORDINARY), "LOUD and ORDINARY of tests/contract/tool/kit.py are about different tools"


async def test_its_schema_is_a_valid_one_for_an_object(tool: Tool, name: str) -> None:
    Draft202012Validator.check_schema(tool.spec.parameters)
    json.dumps(tool.spec.parameters)
    assert tool.spec.name == name
    assert tool.spec.parameters["type"] == "object"
    assert tool.spec.description
    Draft202012Validator(tool.spec.parameters).validate(ORDINARY[name])


async def test_it_does_what_it_is_for(tool: Tool, name: str) -> None:
    args = ORDINARY[name]
    intent = await tool.intent(args)
    outcome = await tool.run(args, lambda _: None)
    assert outcome.ok, outcome.text
    assert intent.title
    assert intent.outside == ()
    assert "\n" not in intent.title
    json.dumps(dict(outcome.details))


async def test_hostile_arguments_are_refused_or_harmless(tool: Tool, name: str, root: Path) -> None:
    before, shown = outside(root), []
    cases = hostile(tool.spec.parameters, ORDINARY[name], 200, seed=len(name))
    errors: list[str] = []
    for args in cases:
        try:
            await allowed_inside(tool, args, shown)
        except ToolError as error:
            errors.append(str(error))
    assert errors
    assert [error for error in errors if "\x1b" in error or len(error) > 3_000] == []
    assert outside(root) == before
    assert not os.path.exists("/tmp/escaped")


async def test_its_output_is_bounded_and_free_of_escapes(tool: Tool, name: str) -> None:
    args, shown = LOUD[name], []
    intent = await tool.intent(args)
    outcome = await tool.run(args, shown.append)
    assert len(outcome.text) < LIMIT * 1.3 + 500 or name == "plan"
    details = json.dumps(dict(outcome.details), ensure_ascii=False)
    assert "\\u001b" not in details
    for text in (outcome.text, intent.title, intent.preview, details, *shown):
        assert not set("\x1b\x9b\x07\r\u202e") & set(text)


async def test_a_cancel_ends_it_within_a_second(tool: Tool, name: str, root: Path) -> None:
    args = ENDLESS[name]
    if name == "read":
        (root / "large.txt").write_text("x\n" * 6_000_000)
    await tool.intent(args)
    task = asyncio.create_task(tool.run(args, lambda _: None))
    await asyncio.wait([task], timeout=0.4)
    begun = time.monotonic()
    task.cancel()
    await asyncio.wait([task], timeout=10)
    assert time.monotonic() - begun < 1
    assert task.cancelled() or task.result().ok


@pytest.mark.parametrize("name", [name for name in NAMES if name not in ("write", "edit")])
async def test_two_calls_at_once_do_not_mix(every: Late, name: str) -> None:
    tool, args = await every.get_tool(name), ORDINARY[name]
    await tool.intent(args)
    first, second = await asyncio.gather(tool.run(args, lambda _: None), tool.run(args, lambda _: None))
    assert first.ok
    assert second.ok
