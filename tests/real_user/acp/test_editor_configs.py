"""What `docs/howto/editors.md` tells people to write is taken apart, started, and talked to with a real client."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.real_user.acp import editors
from tests.real_user.acp.bed import Bed, Client
from tests.real_user.acp.editors import EDITORS, Wrong
from tests.real_user.acp.test_sdk_clients import CLIENTS, Thread

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]
CODE = {name: code for (name, _), (_, code) in zip(EDITORS.items(), editors.blocks(), strict=False)}


def test_every_configuration_of_the_page_is_known() -> None:
    assert [heading for heading, _ in editors.blocks()] == [heading for heading, _ in EDITORS.values()]


@pytest.mark.parametrize("editor", EDITORS)
async def test_a_configuration_starts_an_agent_that_answers(bed: Bed, editor: str) -> None:
    """The command as it is written, found on the path as an editor finds it, with the variables it is given."""
    launch = EDITORS[editor][1](CODE[editor])
    assert (Path(launch.command).name, launch.args) == ("baton", ["acp"])
    if os.path.isabs(launch.command):
        launch = editors.Launch("baton", launch.args, launch.env)
    path = f"{Path(sys.executable).parent}{os.pathsep}{bed.environ['PATH']}"
    bed.environ = {**bed.environ, **launch.env, "PATH": path}
    bed.agent = [*bed.agent[:4], launch.command, *launch.args]
    async with Client(bed, CLIENTS["typescript"]()) as client:
        thread = Thread(bed, client)
        await thread.begin()
        assert await thread.say("good morning") == ("end_turn", "You said 'good morning' in a context of 2.")
        await client.done("close")
    [run] = bed.wire.runs()
    assert run.ended == 0


SPOILT = [
    ("zed", '"custom"', '"registry"'),
    ("zed", '"args"', '"arguments"'),
    ("jetbrains", '"command"', '"cmd"'),
    ("vscode", '"acp.agents"', '"acp.agent"'),
    ("codecompanion", "commands =", "command ="),
    ("codecompanion", 'adapter = "baton"', 'adapter = "batten"'),
    ("codecompanion", "end,", "end"),
    ("avante", 'provider = "baton"', 'provider = "batten"'),
    ("agent-shell", ":client-maker", ":client"),
    ("agent-shell", ":command-params", ":params"),
    ("agent-shell", ")))))", "))))"),
]


@pytest.mark.parametrize(("editor", "word", "other"), SPOILT)
def test_a_spoilt_configuration_is_found_out(editor: str, word: str, other: str) -> None:
    assert word in CODE[editor]
    with pytest.raises((Wrong, ValueError)):
        EDITORS[editor][1](CODE[editor].replace(word, other))
