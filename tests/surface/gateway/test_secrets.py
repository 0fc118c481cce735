"""Sixty secrets are told in a conversation, each once in a way that shows what it is. Then the model, tools, names and
errors repeat them bare. Whatever leaves holds none of them; each way out is a check of its own.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.redaction.redactor import open_redactor
from baton.core.agent.message import Prompt
from baton.core.display import one_line
from baton.core.errors import ModelError
from baton.core.log.entry import NewEntry
from baton.engine.handoff.handoff import Cause, Handoff
from baton.engine.secret_memory import SecretMemory
from baton.ports.platform import Outgoing
from baton.surfaces.gateway import preview
from baton.surfaces.shared.events_json import event_line
from baton.testing.model import FakeModel
from baton.testing.platform import FakePlatform
from baton.wiring.redaction import clean_logs
from tests.support import small_gateway
from tests.support.api_bed import ApiBed
from tests.support.handoffs import git
from tests.support.secrets import secret
from tests.support.small_gateway import HOME, SmallAgent, SmallHost, soon

pytestmark = pytest.mark.anyio

SPOKEN = (
    "the database password is {}",
    "export ACME_API_KEY={}",
    "client_secret: {}",
    "psql postgres://app:{}@db.example.com/shop",
    "curl -H 'Authorization: Bearer {}' https://api.example.com",
    '{{"db_password": "{}"}}',
)
KINDS = ("user", "assistant", "shell", "read", "error", "mcp", "call", "details", "summary", "picture")


class Planted:
    """The secrets, and the entries and names that tell them."""

    def __init__(self, seed: int) -> None:
        dice = random.Random(f"sixty {seed}")
        self.secrets = [secret("<A18>", dice) for _ in range(60)]
        self.in_names = self.secrets[:3]

    def entries(self) -> Iterator[NewEntry]:
        for number, held in enumerate(self.secrets):
            told = SPOKEN[number % len(SPOKEN)].format(held)
            yield from _entries(KINDS[number % len(KINDS)], str(number), told, held)

    def standing_in(self, text: str) -> list[str]:
        return [held for held in self.secrets if held in text or json.dumps(held)[1:-1] in text]


def _entries(kind: str, number: str, told: str, held: str) -> Iterator[NewEntry]:
    def result(text: str, *, ok: bool = True, **details: Any) -> NewEntry:
        return NewEntry("tool_result", {"id": number, "name": "shell", "text": text, "ok": ok, "details": details})

    def call(args: Mapping[str, Any]) -> NewEntry:
        calls = [{"id": number, "name": "shell", "args": args}]
        return NewEntry("assistant", {"text": "", "calls": calls, "model": "m", "stop": "calls"})

    if kind in ("user", "picture"):
        yield NewEntry("user", {"text": f"{told}\nNever print {held} anywhere."})
    elif kind in ("assistant", "summary"):
        yield NewEntry("assistant", {"text": told, "calls": [], "model": "m", "stop": "stop"})
    elif kind == "call":
        yield call({"command": "deploy", "password": held})
        yield result(f"deployed with {held}", command=f"deploy {held}", exit=0)
    else:
        yield call({"command": f"show {number}"})
        shown = f"| user | password |\n| app | {held} |\n{told}" if kind == "mcp" else told
        details = {"command": f"show {held}", "exit": 1 if kind == "error" else 0, "diff": f"+{told}"}
        yield result(shown, ok=kind != "error", **details)


class Stage:
    """A gateway with the real redactor and its memory, whose model repeats everything it should not."""

    def __init__(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.planted = Planted(1)
        cache = str(tmp_path / "cache")
        self.redactor = open_redactor(str(tmp_path), {}, [], cache)
        self.memory = SecretMemory(lambda: self.bed.store)
        self.sent: list[str] = []
        self.previewed: asyncio.Event | None = None
        self._patch(monkeypatch)
        self.model = FakeModel(self._says, window=200_000)
        self.bed = ApiBed(tmp_path, self.model)
        self.bed.small.host.handoff = small_kit(self.bed, self)
        self.store = self.bed.store

    def clean(self, text: str, conversation_id: str = "") -> str:
        return self.memory.clean(self.redactor, text, conversation_id)

    def _patch(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(preview, "FIRST_PREVIEW", 0.01)
        monkeypatch.setattr(preview, "NEXT_PREVIEW", 0.01)
        for place in (SmallHost, SmallAgent):
            monkeypatch.setattr(place, "clean", lambda _, text, conversation_id="": self.clean(text, conversation_id))
        for name in ("send", "edit"):
            monkeypatch.setattr(FakePlatform, name, _recording(getattr(FakePlatform, name), self))

    def _says(self, prompt: Prompt) -> Sequence[Any]:
        last = prompt.messages[-1].text if prompt.messages else ""
        if "FAIL" in last:
            return [ModelError(model="fake", reason=f"401, key {self.planted.secrets[7]} is invalid")]
        if "Completed work" in prompt.system or "narrative" in prompt.system.lower():
            told = "\n".join(f"- used {held}" for held in self.planted.secrets[:20])
            return [f"## Completed work\n{told}\n## Next recommended action\nlog in with {self.planted.secrets[30]}"]
        return [*self._in_pieces()]

    def _in_pieces(self) -> Iterator[Any]:
        """Each secret across two pieces, with time for previews between them; one is waited for, if `previewed`."""
        for number, held in enumerate(self.planted.secrets[:12]):
            yield f"I used {held[:9]}"
            yield self.previewed if self.previewed and number == 6 else 0.03
            yield f"{held[9:]} there. "
        yield " ".join(self.planted.secrets)

    def begin(self) -> str:
        entries = [*self.planted.entries()]
        first = str(entries[0].data["text"])
        conversation, session = self.store.conversations.start(one_line(self.clean(first), 60), str(self.bed.workspace))
        proof = self.store.conversations.claim(conversation.id, "test", 60)
        self.store.entries.append(proof, session.id, entries)
        self.store.conversations.release(proof)
        self.store.bindings.bind(HOME, conversation.id)
        return conversation.id

    def name_things(self) -> None:
        """A branch, a commit, a remote, a folder and files with secrets in their names."""
        root, (first, second, third) = self.bed.workspace, self.planted.in_names
        git(root, "checkout", "-qb", f"fix/{first}")
        (root / second).mkdir()
        (root / second / "notes.txt").write_text("x")
        (root / f"{third}.txt").write_text("y")
        git(root, "commit", "--allow-empty", "-qm", f"Rotate {self.planted.secrets[4]}")
        git(root, "remote", "add", "origin", f"https://app:{self.planted.secrets[5]}@git.example.com/shop.git")


def _recording(act: Any, stage: Stage) -> Any:
    async def record(self: FakePlatform, *given: Any) -> Any:
        stage.sent.extend(repr(each) for each in given if isinstance(each, Outgoing))
        if stage.previewed and "▌" in "".join(stage.sent):
            stage.previewed.set()
        return await act(self, *given)

    return record


def small_kit(bed: ApiBed, stage: Stage) -> Any:
    from baton.core.value import replace
    from tests.support.handoffs import kit

    made = kit(bed.workspace, bed.workspace.parent / "home")
    return replace(made, redactor=lambda conversation_id: stage.memory.redactor(stage.redactor, conversation_id))


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stage:
    return Stage(tmp_path, monkeypatch)


async def test_letters_previews_and_errors_hold_none(stage: Stage) -> None:
    stage.previewed = asyncio.Event()
    async with stage.bed as bed:
        stage.begin()
        bed.small.telegram.says(HOME, "what did we use?")
        await soon(lambda: any("there." in text and "▌" not in text for text in bed.small.telegram.texts(HOME)))
        await soon(lambda: any("▌" in text for text in stage.sent), "a preview")
        bed.small.telegram.says(HOME, "FAIL")
        await soon(lambda: any("401" in text for text in bed.small.telegram.texts(HOME)), "the error")
        waiting = [json.dumps(mail.body) for mail in stage.store.outbox.list_waiting()]
        for text in (*stage.sent, *bed.small.telegram.texts(HOME), *waiting):
            assert stage.planted.standing_in(text) == [], text[:300]


async def test_packets_and_what_is_told_of_them_hold_none(stage: Stage) -> None:
    async with stage.bed as bed:
        conversation_id = stage.begin()
        stage.name_things()
        events: list[Any] = []
        runtime = bed.small.gateway.parts.runtime
        runtime.watch(conversation_id).put = events.append  # type: ignore[method-assign]

        async def act(handoff: Handoff) -> Any:
            offered = await handoff.offer(Cause("user", f"You asked: {stage.planted.secrets[9]}"), "sure?")
            packet = stage.store.packets.get(offered.packet_id)
            await handoff.edit(offered.draft_id, f"{packet.markdown}\nuse {stage.planted.secrets[11]}\n")
            return await handoff.confirm(offered.draft_id)

        session = await runtime.hand_off(conversation_id, act)
        packets = stage.store.packets.of(conversation_id)
        outputs = {
            "text": "\n".join(packet.markdown for packet in packets),
            "twin": "\n".join(packet.ledger for packet in packets),
            "files": "\n".join(path.read_text() for path in (bed.workspace / ".baton").rglob("*.*") if path.is_file()),
            "fresh session": "\n".join(e.body for e in stage.store.entries.load(session.id) if not e.copied),
            "events": "\n".join(event_line(event) for event in events),
        }
        assert all(outputs.values())
        for place, text in outputs.items():
            assert stage.planted.standing_in(text) == [], place
        assert "[redacted: " in outputs["text"]
        assert not [event for event in events if getattr(event, "code", "") == "drift"], "names without secrets drift"


async def test_the_api_and_titles_hold_none(stage: Stage) -> None:
    async with stage.bed as bed:
        conversation_id = stage.begin()
        stage.store.conversations.rename(
            conversation_id, stage.clean(f"use {stage.planted.secrets[3]}", conversation_id)
        )
        await bed.post(
            f"/v1/conversations/{conversation_id}/rules", 201, text=f"never print {stage.planted.secrets[8]}"
        )
        for path in ("/v1/conversations", f"/v1/conversations/{conversation_id}", "/v1/drafts", "/v1/transfers"):
            assert stage.planted.standing_in(json.dumps(await bed.get(path))) == [], path
        listed = await bed.get(f"/v1/conversations/{conversation_id}/rules")
        assert stage.planted.standing_in(json.dumps(listed)) == [], "rules"


async def test_lines_of_the_log_hold_none(stage: Stage, capfd: pytest.CaptureFixture[str]) -> None:
    async with stage.bed:
        stage.clean("", stage.begin())
        before = logging.getLogger("baton").handlers[:]
        try:
            clean_logs(stage.clean)
            logging.getLogger("baton.gateway").warning("failed: %s", " ".join(stage.planted.secrets))
        finally:
            logging.getLogger("baton").handlers[:] = before
        written = capfd.readouterr().err
        assert "failed: [redacted: " in written
        assert stage.planted.standing_in(written) == []


def test_the_transcript_holds_all_of_them() -> None:
    """Otherwise nothing here would be tested."""
    planted = Planted(1)
    whole = "\n".join(json.dumps(entry.data) for entry in planted.entries())
    assert len(planted.standing_in(whole)) == 60
    assert small_gateway.clean("hunter2") != "hunter2"
