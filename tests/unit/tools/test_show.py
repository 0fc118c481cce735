"""A file that is shown: what may be, and what is said of it."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.show import Show
from baton.core.agent.shown import MOST, shown_file
from baton.core.errors import ToolError
from tests.unit.tools.kit import intended, used

pytestmark = pytest.mark.anyio
PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)


@pytest.mark.parametrize(
    ("name", "data", "kind"),
    [
        ("plot.png", PNG, "image/png"),
        ("plot.txt", PNG, "image/png"),
        ("no-picture.png", b"words", "application/octet-stream"),
        ("table.csv", b"a,b\n", "text/csv"),
        ("what", b"words", "application/octet-stream"),
        ("a.webp", b"RIFF0000WEBPVP8 ", "image/webp"),
    ],
    ids=["picture", "picture-by-content", "no-picture", "table", "anything", "webp"],
)
async def test_what_is_shown_is_named_by_what_it_holds(workspace: Workspace, name: str, data: bytes, kind: str) -> None:
    Path(workspace.root, name).write_bytes(data)
    outcome = await used(Show(workspace), path=name, caption="look\nhere")
    shown = shown_file(outcome.details)
    assert shown is not None
    assert (shown.name, shown.media_type, shown.size) == (name, kind, len(data))
    assert (shown.sha256, shown.caption) == (sha256(data).hexdigest(), "look here")


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"", "it is empty"), (b"\x7fELF\x02", "it is a program"), (bytes(MOST + 1), "can be shown"), (None, "directory")],
    ids=["empty", "program", "large", "directory"],
)
async def test_what_cannot_be_shown_is_refused_with_the_reason(
    workspace: Workspace, data: bytes | None, reason: str
) -> None:
    path = Path(workspace.root, "it")
    if data is None:
        path.mkdir()
    else:
        path.write_bytes(data)
    with pytest.raises(ToolError, match=reason):
        await used(Show(workspace), path="it")


async def test_a_file_outside_of_the_workspace_is_asked_for(workspace: Workspace, tmp_path: Path) -> None:
    outside = tmp_path.parent / f"{tmp_path.name}-outside.png"
    outside.write_bytes(PNG)
    Path(workspace.root, "link.png").symlink_to(outside)
    Path(workspace.root, "own.png").write_bytes(PNG)
    assert (await intended(Show(workspace), path="own.png")).outside == ()
    for path in (str(outside), "link.png"):
        assert (await intended(Show(workspace), path=path)).outside, path
