from __future__ import annotations

import shutil

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.registry import Description, describe, tools
from baton.engine.past import Past
from baton.testing.memory import MemoryStore
from tests.support.handoffs import OneSecret

NOWHERE = Past(MemoryStore, "c_nothing", OneSecret)


def test_the_tools_in_order(workspace: Workspace) -> None:
    """Their order is part of what models are sent, and another one would void what providers have cached."""
    names = ["shell", "read", "write", "edit", "list", "search", "plan", "fetch", "session_handoff", "show"]
    assert [tool.spec.name for tool in tools(workspace)] == names, "a new tool goes into this list too"
    assert [tool.spec.name for tool in tools(workspace, past=NOWHERE)] == [*names, "recall"]


def test_what_models_are_told_is_short(workspace: Workspace) -> None:
    assert len(str([tool.spec for tool in tools(workspace, past=NOWHERE)])) < 7_000


def test_describe_says_plainly_how_commands_run(workspace: Workspace) -> None:
    found = describe(tools(workspace, sandbox=False))
    off = "without a sandbox: it is switched off in the configuration"
    assert found[0] == Description("shell", "Run a command with bash in the workspace", off)
    if not shutil.which("bwrap"):
        assert "bwrap) is not installed" in describe(tools(workspace))[0].note
