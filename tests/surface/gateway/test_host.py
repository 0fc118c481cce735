"""What the gateway takes of the program around it: secrets of each workspace, and one process for everybody."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from baton.config import Settings
from baton.core.value import replace
from baton.ports.redactor import Redacted
from baton.surfaces.shared.approvals import Questions
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
    host = GatewayHost(program, Questions(), "test:model", None)
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


@pytest.mark.parametrize(
    ("given", "used"),
    [("fresh_process", "fresh_session"), ("fresh_session", "fresh_session"), ("prompt_user", "prompt_user")],
)
def test_no_conversation_of_a_gateway_goes_on_in_another_process(given: str, used: str) -> None:
    settings = Settings()
    automatic = replace(settings.agent.auto_handoff_on_compression, mode=given)
    settings = replace(settings, agent=replace(settings.agent, auto_handoff_on_compression=automatic))
    assert keep_in_one_process(settings).agent.auto_handoff_on_compression.mode == used
