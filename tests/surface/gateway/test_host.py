"""What the gateway takes of the program around it: secrets of each workspace, and one process for everybody."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from baton.adapters.models.plain import lines
from baton.adapters.models.plain.model import PlainModel
from baton.config import Settings
from baton.core.value import replace
from baton.ports.redactor import Redacted
from baton.wiring.gateway_host import GatewayHost, keep_in_one_process
from baton.wiring.program import Program
from baton.wiring.redaction import FRESH, Redactors

TOKEN = "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw1"


@pytest.fixture
def program(isolated: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Program]:
    monkeypatch.setenv("BATON_TELEGRAM_TOKEN", TOKEN)
    program = Program(argparse.Namespace(flags=()))
    yield program
    program.store().close()


def test_the_secrets_of_a_conversations_own_workspace_do_not_leave(program: Program, tmp_path: Path) -> None:
    for name in ("shop", "blog"):
        (tmp_path / name).mkdir()
        (tmp_path / name / ".env").write_text(f"API_KEY={name}-kingfisher-4711-secret\n")
    host = GatewayHost(program, "test:model", None)
    shop, _ = program.store().conversations.start("shop", str(tmp_path / "shop"))
    gone, _ = program.store().conversations.start("gone", str(tmp_path / "gone"))
    said = f"The key is shop-kingfisher-4711-secret and the bot's is {TOKEN}."
    assert host.clean(said, shop.id) == "The key is [redacted: api-key] and the bot's is [redacted: telegram-token]."
    for other in ("", gone.id):
        assert TOKEN not in host.clean(said, other)


class Known:
    """A redactor that knows one word."""

    def __init__(self, word: str) -> None:
        self.word = word

    def redact(self, text: str) -> Redacted:
        return Redacted(text.replace(self.word, "[gone]"), ())

    def leaks(self, text: str) -> tuple[str, ...]:
        return ()

    def with_known(self, values: Mapping[str, str]) -> Known:
        return self


def test_secrets_that_come_later_are_known_soon() -> None:
    words, now = {"shop": "one"}, [0.0]
    redactors = Redactors(lambda workspace: Known(words[workspace]), lambda: now[0])
    assert redactors.of("shop").redact("one two").text == "[gone] two"
    words["shop"] = "two"
    assert redactors.of("shop").redact("one two").text == "[gone] two"
    now[0] += FRESH + 1
    assert redactors.of("shop").redact("one two").text == "one [gone]"


async def forget(host: GatewayHost, *busy: str) -> None:
    await host.forget_idle(0.0, lambda conversation_id: conversation_id in busy)


@pytest.mark.anyio
async def test_what_was_chosen_for_a_conversation_outlives_its_agent(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    host = GatewayHost(program, "openai-chat:gpt-4o-mini", None)
    chosen, plain = (program.store().conversations.start(name)[0] for name in ("chosen", "plain"))
    first = host.agent(chosen)
    first.use_model("openai-chat:gpt-4o")
    first.mode, first.effort = "read-only", "low"
    untouched = host.agent(plain)
    await forget(host, plain.id)
    assert host.agent(plain) is untouched, "a busy one is left alone"
    await forget(host)
    again = host.agent(chosen)
    assert again is not first
    assert (again.model, again.mode, again.effort) == ("openai-chat:gpt-4o", "read-only", "low")
    assert host.agent(plain).model == "openai-chat:gpt-4o-mini"
    await host.close()


@pytest.mark.anyio
async def test_agents_share_their_connections_and_outlive_each_other(
    program: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Certificates are loaded once; closing one agent leaves the others connected."""
    opened: list[float] = []
    monkeypatch.setattr(lines, "open_shared_line", lambda timeout: opened.append(timeout) or FakeLine())
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    host = GatewayHost(program, "openai-chat:gpt-4o-mini", None)
    shared: set[object] = set()
    for name in ("one", "two", "three"):
        conversation, _ = program.store().conversations.start(name)
        model = (await host.agent(conversation).parts(conversation.id)).model
        assert isinstance(model, PlainModel)
        shared.add(await model._line.get())
        await forget(host)
    [line] = shared
    assert isinstance(line, FakeLine)
    assert (len(opened), line.closed) == (1, 0)
    await host.close()
    assert line.closed == 1


class FakeLine:
    def __init__(self) -> None:
        self.closed = 0

    async def close(self) -> None:
        self.closed += 1


@pytest.mark.parametrize(
    ("given", "used"),
    [("fresh_process", "fresh_session"), ("fresh_session", "fresh_session"), ("prompt_user", "prompt_user")],
)
def test_no_conversation_of_a_gateway_goes_on_in_another_process(given: str, used: str) -> None:
    settings = Settings()
    automatic = replace(settings.agent.auto_handoff_on_compression, mode=given)
    settings = replace(settings, agent=replace(settings.agent, auto_handoff_on_compression=automatic))
    assert keep_in_one_process(settings).agent.auto_handoff_on_compression.mode == used
