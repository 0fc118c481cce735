"""Two gateways for one bot, where the platform serves one of them: the other stands by, and takes over."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton.core.transfer.letter import MARK
from tests.e2e.gateway.conftest import answers
from tests.support.gateway_bed import Gateway, PlatformServer, until
from tests.support.model_servers import OpenAIServer

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]


@pytest.mark.parametrize("platform", ["telegram", "matrix"])
async def test_one_receives_and_the_other_takes_over_when_it_dies(
    platform: str, isolated: Path, tmp_path: Path
) -> None:
    home = tmp_path / "home" / "baton"
    async with (
        OpenAIServer(answers) as model,
        PlatformServer(platform) as server,
        Gateway(home, isolated, model.environ) as first,
        Gateway(home, isolated, model.environ) as second,
    ):
        first.configure(server)
        second.configure(server)
        await first.start()
        await second.start(ready=False)
        await until(lambda: says(second, f"{platform}: standing by"), "the second to stand by")
        await server.says(server.room, "The code word is kingfisher.")
        await until(lambda: said(server, "You said: The code word is kingfisher."), "an answer")
        await first.kill()
        await until(lambda: says(second, f"{platform}: connected"), "the second to take over")
        await server.says(server.room, "What is the code word?")
        await until(lambda: said(server, "The code word is kingfisher."), "an answer of the second")
        texts = await server.texts(server.room)  # the first may have died before it knew that its answer was there
        assert len([text for text in texts if not text.startswith(MARK)]) == 2
        await first.start(ready=False)
        await until(lambda: says(first, f"{platform}: standing by"), "the first to stand by now")
        assert await second.stop() == 0
        await until(lambda: says(first, f"{platform}: connected"), "the first to go on")
        assert await first.stop() == 0
        assert (await server.get("violations"))["violations"] == []


async def says(gateway: Gateway, begin: str) -> bool:
    assert gateway.process is not None
    assert gateway.process.returncode is None, "\n".join(gateway.output)
    return any(line.startswith(begin) for line in gateway.output)


async def said(server: PlatformServer, text: str) -> bool:
    return (await server.texts(server.room))[-1:] == [text]
