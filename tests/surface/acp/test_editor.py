"""What an editor lends: its unsaved files, and its MCP servers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from baton.core.agent.message import Call
from tests.support.acp.client import EVERYTHING, Refused, allow
from tests.support.mcp_http import mcp_over_http
from tests.surface.acp.conftest import OpenEditor

pytestmark = pytest.mark.anyio
PROJECT = Path(__file__).parents[3]


class Buffers:
    """An editor with files open. What it does not know it reads from nowhere."""

    def __init__(self, **files: str) -> None:
        self.files = files
        self.asked: list[tuple[str, str]] = []

    def __call__(self, method: str, params: dict[str, Any]) -> Any:
        if not method.startswith("fs/"):
            return allow(method, params)
        name = Path(params["path"]).name.replace(".", "_")
        self.asked.append((method, name))
        if method == "fs/write_text_file":
            self.files[name] = params["content"]
            return {}
        if name not in self.files:
            raise Refused({"code": -32002, "message": "not open"})
        return {"content": self.files[name]}


async def test_what_is_not_saved_is_what_is_read_and_changed(editor: OpenEditor, isolated: Path) -> None:
    (isolated / "a.txt").write_text("saved\n")
    buffers = Buffers(a_txt="not saved yet\n")
    script = [
        [Call("c1", "read", {"path": "a.txt"})],
        [Call("c2", "edit", {"path": "a.txt", "old": "not saved", "new": "changed"})],
        [Call("c3", "write", {"path": "new.txt", "content": "made\n"})],
        ["Done."],
    ]
    async with editor(script, answer=buffers, can=EVERYTHING) as client:
        assert await client.say(await client.new(isolated), "go") == "end_turn"
        assert "not saved yet" in client.model.prompts[1].messages[-1].text
        assert buffers.files == {"a_txt": "changed yet\n", "new_txt": "made\n"}
        assert (isolated / "a.txt").read_text() == "saved\n", "saving is the editor's"
        assert not (isolated / "new.txt").exists()
        assert len(client.asked("session/request_permission")) == 2, "an editor's files are asked for like any other"


async def test_without_an_editor_that_writes_the_disk_is_written(editor: OpenEditor, isolated: Path) -> None:
    (isolated / "a.txt").write_text("saved\n")
    buffers = Buffers()
    can = {"fs": {"readTextFile": True}}
    script = [[Call("c2", "edit", {"path": "a.txt", "old": "saved", "new": "changed"})], ["Done."]]
    async with editor(script, answer=buffers, can=can) as client:
        await client.say(await client.new(isolated), "go")
        assert (isolated / "a.txt").read_text() == "changed\n"
        assert {method for method, _ in buffers.asked} == {"fs/read_text_file"}


async def test_files_outside_and_links_are_not_the_editors(editor: OpenEditor, isolated: Path, tmp_path: Path) -> None:
    (tmp_path / "outside.txt").write_text("outside\n")
    (isolated / "link.txt").symlink_to(tmp_path / "outside.txt")
    buffers = Buffers(outside_txt="from the editor")
    async with editor(
        [[Call("c1", "read", {"path": "link.txt"})], ["Done."]], answer=buffers, can=EVERYTHING
    ) as client:
        await client.say(await client.new(isolated), "go")
        assert buffers.asked == []
        assert "outside" in client.model.prompts[1].messages[-1].text
        assert len(client.asked("session/request_permission")) == 1


@pytest.mark.timeout(120)
async def test_a_clients_server_serves_its_session_and_is_kept_nowhere(
    editor: OpenEditor, isolated: Path, tmp_path: Path
) -> None:
    env = [{"name": "PYTHONPATH", "value": str(PROJECT)}, {"name": "TOKEN", "value": "CANARY-${HOME}-TOKEN"}]
    server = {"name": "My Shop", "command": sys.executable, "args": ["-m", "tests.support.mcp_server"], "env": env}
    script = [[Call("c1", "my-shop__stock", {"item": "apples"})], ["Done."]]
    async with editor(script, mode="unattended") as client:
        session_id = await client.new(isolated, [server])
        assert await client.say(session_id, "how many?") == "end_turn"
        assert "7 apples" in client.model.prompts[1].messages[-1].text
        assert client.updates("tool_call")[0]["kind"] == "other"
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"CANARY-" not in kept


@pytest.mark.timeout(120)
async def test_a_clients_server_over_http_is_called_with_its_headers(
    editor: OpenEditor, isolated: Path, tmp_path: Path
) -> None:
    script = [[Call("c1", "my-shop__stock", {"item": "pears"})], ["Done."]]
    with mcp_over_http("CANARY-TOKEN") as address:
        headers = [{"name": "Authorization", "value": "Bearer CANARY-TOKEN"}]
        server = {"type": "http", "name": "My Shop", "url": address, "headers": headers}
        async with editor(script, mode="unattended") as client:
            assert await client.say(await client.new(isolated, [server]), "how many?") == "end_turn"
            assert "7 pears" in client.model.prompts[1].messages[-1].text
    kept = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert b"CANARY-" not in kept


@pytest.mark.timeout(120)
async def test_a_clients_server_that_refuses_is_named_and_holds_nothing_up(editor: OpenEditor, isolated: Path) -> None:
    with mcp_over_http("CANARY-TOKEN") as address:
        server = {"type": "http", "name": "My Shop", "url": address, "headers": []}
        async with editor() as client:
            assert await client.say(await client.new(isolated, [server]), "how many?") == "end_turn"
            assert "my-shop" in client.text()
            assert client.text().endswith("Hello.")
            assert not [spec for spec in client.model.prompts[0].tools if spec.name.startswith("my-shop")]


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ({"message": "Internal error", "data": {"details": "the file is locked"}}, "the file is locked"),
        ({"message": "Internal error", "data": "the file is locked"}, "the file is locked"),
        ({"message": "Internal error"}, "it does not say why"),
        ({"message": "It is locked"}, "it is locked"),
    ],
)
async def test_a_write_the_editor_refuses_is_told_with_the_editors_reason(
    editor: OpenEditor, isolated: Path, error: dict[str, Any], reason: str
) -> None:
    def refuse(method: str, params: dict[str, Any]) -> Any:
        if method == "fs/write_text_file":
            raise Refused({"code": -32603, **error})
        return allow(method, params)

    script = [[Call("c1", "write", {"path": "new.txt", "content": "made\n"})], ["Then not."]]
    async with editor(script, answer=refuse, can=EVERYTHING) as client:
        assert await client.say(await client.new(isolated), "go") == "end_turn"
        told = client.model.prompts[1].messages[-1].text
        assert told == f"write failed: new.txt: the editor refused: {reason}."
        assert not (isolated / "new.txt").exists()
