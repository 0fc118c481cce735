"""Files that the agent shows arrive where the conversation is: once, and as they were meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.show import Show
from baton.core.agent.message import Call
from baton.core.agent.shown import ShownFile, shown_file
from baton.core.transfer import replies
from baton.core.transfer.letter import Letter
from baton.engine.mail.delivery import now
from baton.ports.store import Store
from baton.surfaces.gateway.shown_files import make_letter
from baton.testing.model import FakeModel
from baton.testing.service import Shown
from tests.support.small_gateway import HOME, SmallGateway, clean, soon
from tests.surface.gateway.conftest import Make
from tests.unit.tools.kit import used

pytestmark = pytest.mark.anyio
PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)
SCRIPT = [[Call("1", "show", {"path": "plot.png", "caption": "As of hunter2 today"})], ["There it is."]]


def sent(small: SmallGateway) -> list[Shown]:
    return [each for each in small.telegram.messages(HOME) if each.file]


async def test_a_picture_arrives_before_the_answer_with_a_clean_caption(make: Make, isolated: Path) -> None:
    (isolated / "plot.png").write_bytes(PNG)
    async with make(FakeModel(SCRIPT), tools=[Show(Workspace(str(isolated)))]) as small:
        small.telegram.says(HOME, "plot it")
        await soon(lambda: "There it is." in small.telegram.texts(HOME))
        (shown,) = sent(small)
        assert shown.file == ("plot.png", PNG)
        assert small.telegram.texts(HOME) == ["As of [redacted: password] today", "There it is."]


async def test_what_a_gateway_that_died_did_not_send_is_sent_once_by_the_next(
    make: Make, isolated: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    (isolated / "plot.png").write_bytes(PNG)
    async with make(FakeModel(SCRIPT), tools=[Show(Workspace(str(isolated)))]) as small:
        correspondence = small.gateway.parts.correspondence
        with monkeypatch.context() as patched:
            patched.setattr("baton.surfaces.gateway.correspondence.shown_file", lambda _: None)
            small.telegram.says(HOME, "plot it")
            await soon(lambda: "There it is." in small.telegram.texts(HOME))
        assert sent(small) == []
        for _ in range(2):
            await correspondence.catch_up(small.conversation().id, now() - 60_000_000)
        await soon(lambda: sent(small))
        await soon(lambda: not store.outbox.list_waiting())
        assert [each.file for each in sent(small)] == [("plot.png", PNG)]
        entries = small.entries(small.conversation())
        assert [reply.key.split("/")[1] for reply, _ in replies.shown_files(entries)] == ["show"]


async def test_a_file_that_changed_since_is_not_sent_in_its_name(make: Make, isolated: Path) -> None:
    (isolated / "plot.png").write_bytes(PNG)
    async with make(FakeModel(SCRIPT), tools=[Show(Workspace(str(isolated)))]) as small:
        small.telegram.says(HOME, "plot it")
        await soon(lambda: sent(small))
        ((_, shown),) = replies.shown_files(small.entries(small.conversation()))
    for change in (lambda path: path.write_bytes(b"other"), lambda path: path.unlink()):
        change(isolated / "plot.png")
        assert "is not shown" in make_letter(shown, clean).text
        assert make_letter(shown, clean).file is None


async def test_the_name_and_the_words_of_a_text_hold_no_secret(isolated: Path) -> None:
    path = isolated / "hunter2.txt"
    path.write_text("the password is hunter2\n")
    outcome = await _shown(isolated, path.name)
    letter: Letter = make_letter(outcome, clean)
    assert letter.file is not None
    assert "hunter2" not in letter.file.name
    assert b"hunter2" not in letter.file.data
    assert letter.file.data.startswith(b"the password is ")


async def _shown(root: Path, name: str) -> ShownFile:
    found = shown_file((await used(Show(Workspace(str(root))), path=name)).details)
    assert found is not None
    return found
