"""An editor and a gateway are told what a pull would fetch, and it begins."""

from __future__ import annotations

import pytest

from baton.ports.model import Pull
from baton.surfaces.cli.question import PullConsent, is_yes
from baton.wiring.acp import _tell_through

pytestmark = pytest.mark.anyio
PLAN = Pull("tiny", "Tiny", 1_500_000_000, 400_000_000, ("hub.test", "your mirror m.test"), "/models", "ab" * 32, "MIT")
TOLD = "1.1 GB would be fetched from hub.test; 400.0 MB are here already. If that fails, from your mirror m.test."


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def test_an_editor_is_shown_it_with_the_pull() -> None:
    shown: list[str] = []
    assert await _tell_through(shown.append)(PLAN)
    assert [TOLD in words for words in shown] == [True]


async def test_without_a_terminal_it_is_told_once_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    consent = PullConsent(asks=False)
    assert await consent(PLAN)
    assert await consent(PLAN)
    out, err = capsys.readouterr()
    assert (out, err.count(TOLD)) == ("", 1)


@pytest.mark.parametrize(("line", "yes"), [("\n", True), ("y\n", True), ("n\n", False), ("NO\n", False), ("", False)])
def test_enter_is_yes_and_a_closed_terminal_is_no(line: str, yes: bool) -> None:
    assert is_yes(line) is yes
