"""`baton setup`: a choice is tried before it is kept."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from baton.config.credentials import read_credentials
from baton.surfaces.cli import setup as command
from tests.support.model_servers import AnthropicServer, OpenAIServer, fail, say
from tests.support.model_servers.http import KEY as CODE
from tests.surface.cli.conftest import Cli, Result


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str, key: str = CODE) -> None:
    monkeypatch.setattr(command, "can_ask", lambda: True)
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    monkeypatch.setattr("getpass.getpass", lambda *_, **__: key)


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """No server of this machine is found."""
    monkeypatch.setattr("baton.wiring.setup.list_served", lambda _: None)
    for name in ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


async def run(cli: Cli, *words: str) -> Result:
    import asyncio

    return await asyncio.to_thread(cli, *words)


def test_without_a_terminal_it_says_what_there_is_and_what_a_script_does(cli: Cli, alone: None) -> None:
    told = cli("setup")
    assert told.code == 1
    assert told.err.index("An API key") < told.err.index("A local server") < told.err.index("A small demo")
    assert "export ANTHROPIC_API_KEY=…" in told.err


@pytest.mark.anyio
async def test_a_key_that_works_is_kept_and_used(
    cli: Cli, alone: None, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AnthropicServer([say("hello")]) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.environ["ANTHROPIC_BASE_URL"])
        typed(monkeypatch, "1", "1")
        told = await run(cli, "setup")
    assert "anthropic:claude-sonnet-5-5 answered." in told.err
    assert CODE not in told.err + told.out
    assert read_credentials(home) == {"ANTHROPIC_API_KEY": CODE}
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert cli("config", "get", "model").out == "anthropic:claude-sonnet-5-5\n"
    assert "ANTHROPIC_API_KEY is set" in cli("models").out


@pytest.mark.anyio
async def test_a_key_that_is_refused_is_not_kept(
    cli: Cli, alone: None, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AnthropicServer([fail(401)]) as server:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.environ["ANTHROPIC_BASE_URL"])
        typed(monkeypatch, "1", "1", "n")
        told = await run(cli, "setup")
    assert told.code == 1
    assert "did not answer:" in told.err
    assert (read_credentials(home), cli("config", "get", "model").out) == ({}, "null\n")


@pytest.mark.anyio
async def test_a_server_that_answers_is_asked_for_its_models(
    cli: Cli, alone: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {"11434": ["qwen3", "gpt-oss"]}
    monkeypatch.setattr("baton.wiring.setup.list_served", lambda url: found.get(url.split(":")[-1].split("/")[0]))
    async with OpenAIServer([say("hello")]) as server:
        typed(monkeypatch, "2", "2")
        monkeypatch.setenv("OLLAMA_API_KEY", CODE)
        monkeypatch.setattr(
            "baton.adapters.models.plain.dialects.address", lambda *_: server.environ["OPENAI_BASE_URL"]
        )
        told = await run(cli, "setup")
    assert "ollama:gpt-oss answered." in told.err
    assert cli("config", "get", "model").out == "ollama:gpt-oss\n"


def test_the_end_of_the_terminal_chooses_nothing(cli: Cli, alone: None, monkeypatch: pytest.MonkeyPatch) -> None:
    typed(monkeypatch)
    assert cli("setup").code == 130
    assert cli("config", "get", "model").out == "null\n"
