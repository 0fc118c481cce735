"""Packets of conversations that are full of secrets, made by the real redactor, and every place one could come out."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from baton.adapters.redaction.redactor import open_redactor
from baton.core.agent.message import Prompt
from baton.core.handoff.checkpoint import Checkpoint
from baton.core.handoff.policy import Policy
from baton.core.handoff.workspace import FILE, Commit, FileMark, RepoFacts, Snapshot
from baton.core.log.entry import NewEntry
from baton.engine.handoff.handoff import Cause, Handoff
from baton.engine.handoff.packets import HandoffKit
from baton.engine.turns.parts import Parts, TurnSettings
from baton.engine.turns.runtime import Runtime
from baton.engine.turns.toolbox import Toolbox
from baton.ports.redactor import Redactor
from baton.ports.store import Store
from baton.surfaces.shared.events_json import event_line
from baton.testing.memory import MemoryStore
from baton.testing.model import FakeModel
from tests.support.secrets import CARRIERS, NEEDS_NO_NAME, SHAPES, carried, secret, tokens

NAMES = ("acme_api_key", "db_password", "client_secret", "access_token", "signing_secret", "smtp_password")
KNOWN = {f"ACME_{number}_TOKEN": shape for number, shape in enumerate(("<A32>", "<w40>", "<h64>", "<p24>"))}
_LONG = tuple(shape for shape in SHAPES if shape not in ("<A20>", "<a24>", "<p24>"))
"""What a name alone gives away is told from words by its look. A short random value looks like a word once in ten
thousand; how often is the redactor's own test's business, not that of the places looked at here."""
_NAMED = tuple(sorted(set(CARRIERS) - set(NEEDS_NO_NAME)))


class Hoard:
    """A redactor of a workspace with secrets in its environment, and ever new ones that nobody told it of."""

    def __init__(self, seed: int, cache: str, workspace: str) -> None:
        self._dice = random.Random(f"canaries {seed}")
        self.known = {name: secret(shape, self._dice) for name, shape in KNOWN.items()}
        self.redactor: Redactor = open_redactor(workspace, self.known, [], cache)
        self._forms = [each for number in range(3) for each in tokens(seed + number)]
        self.planted: list[str] = []

    def token(self) -> str:
        """One that is known by its form, or by heart: it is found wherever it stands."""
        held = (
            self._dice.choice(self._forms).value
            if self._dice.random() < 0.7
            else self._dice.choice([*self.known.values()])
        )
        self.planted.append(held)
        return held

    def told(self) -> str:
        """One that only its name gives away, in a sentence, a command, a file or a log."""
        held = secret(self._dice.choice(_LONG), self._dice)
        self.planted.append(held)
        return carried(self._dice.choice(_NAMED), held, self._dice.choice(NAMES))

    def phrase(self) -> str:
        return self.told() if self._dice.random() < 0.5 else f"use {self.token()} there"


class SecretPlace:
    """A workspace whose names hold secrets."""

    def __init__(self, hoard: Hoard) -> None:
        path = f"conf/{hoard.token()}.txt"
        commits = (Commit("a" * 40, f"Use {hoard.token()}", 1), Commit("b" * 40, hoard.told().replace("\n", " "), 1))
        self._snapshot = Snapshot(
            RepoFacts("/src/shop", True, f"fix/{hoard.token()}", "c" * 40, untracked=(path, "a.py"), commits=commits),
            (FileMark(path, FILE, "d" * 64, 3), FileMark("a.py", FILE, "e" * 64, 4)),
        )

    def snapshot(
        self, paths: Sequence[str] = (), evidence: Sequence[str] = (), mentioned: Sequence[str] = ()
    ) -> Snapshot:
        return self._snapshot

    def checkpoint(self, message: str, session_id: str) -> Checkpoint:
        facts = self._snapshot.facts
        return Checkpoint(f"{session_id}/1", "f" * 40, message, session_id, 1, facts.head, facts.branch, "", facts.root)

    def between(self, old: str, new: str) -> None:
        return None


class Kept:
    """Packets as files, in memory."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def write(self, session_id: str, markdown: str, twin: Mapping[str, Any]) -> str:
        self.texts += [markdown, json.dumps(dict(twin), ensure_ascii=False)]
        return f".baton/handoffs/{session_id}.md"


def entries(hoard: Hoard) -> Iterator[NewEntry]:
    """A short piece of work in which secrets are said, run, written and printed."""

    def call(number: int, name: str, args: Mapping[str, Any]) -> NewEntry:
        said = f"I chose this because {hoard.phrase()}."
        return NewEntry("assistant", {"text": said, "calls": [{"id": str(number), "name": name, "args": args}]})

    def result(number: int, name: str, shown: str, **more: Any) -> NewEntry:
        return NewEntry("tool_result", {"id": str(number), "name": name, "text": shown, "ok": True, **more})

    yield NewEntry("user", {"text": f"Deploy the shop. {hoard.phrase()}"})
    yield NewEntry("user", {"text": f"Never print this: {hoard.phrase()}\nAlways keep {hoard.token()} out of logs."})
    command = f"curl -H 'Authorization: Bearer {hoard.token()}' https://shop.example.com/{hoard.token()}"
    yield call(1, "shell", {"command": command})
    output = f"{hoard.phrase()}\nerror: refused {hoard.token()}"
    yield result(
        1, "shell", output, ok=False, details={"command": command, "exit": 1, "log": f"logs/{hoard.token()}.log"}
    )
    path = f"src/{hoard.token()}.py"
    yield call(2, "edit", {"path": path})
    yield result(2, "edit", hoard.phrase(), details={"path": path})
    yield call(3, "plan", {})
    yield result(3, "plan", "ok", details={"items": [{"text": f"rotate {hoard.token()}", "state": "pending"}]})
    proof = f"ACME_TOKEN={hoard.token()} pytest -q"
    yield call(4, "shell", {"command": proof})
    yield result(4, "shell", "ok", details={"command": proof, "exit": 0})
    yield call(5, "shell", {"command": f"deploy --token {hoard.token()}"})


class Seeded:
    """One conversation, and what is known of it after its handoffs."""

    def __init__(self, hoard: Hoard) -> None:
        hoard.planted.clear()
        self._hoard = hoard
        self.store: Store = MemoryStore()
        self.files = Kept()
        self.events: list[Any] = []
        kit = HandoffKit(
            workspace=SecretPlace(hoard),  # pyright: ignore[reportArgumentType]
            redactor=lambda _: hoard.redactor,
            artifacts=self.files,
            risk=lambda text: f"it speaks of {text[-60:]}",
            policy=Policy(enabled=True, after_compressions=1),
        )
        model = FakeModel(self._says, window=200_000)
        settings = TurnSettings(system="be good", handoff=kit)
        self._runtime = Runtime(
            self.store,
            lambda _: Parts(model, Toolbox([], None, None, "ask"), settings),  # pyright: ignore[reportArgumentType]
            surface="test",
        )
        conversation, session = self.store.conversations.start("seeded")
        proof = self.store.conversations.claim(conversation.id, "test", 60)
        self.store.entries.append(proof, session.id, list(entries(hoard)))
        self.store.conversations.release(proof)
        self.id = conversation.id

    def _says(self, _: Prompt) -> list[str]:
        told = f"Used {self._hoard.token()}.\n{self._hoard.told()}"
        return [f"## Completed work\n{told}\n## Design decisions\n{told}\n## Next recommended action\n{told}"]

    async def hand_off(self) -> None:
        """A draft, its edit by a person, and the fresh session."""
        self._runtime.watch(self.id).put = self.events.append  # type: ignore[method-assign]
        cause = Cause("model_request", f"The model asked for a fresh session: {self._hoard.phrase()}")

        async def act(handoff: Handoff) -> Any:
            offered = await handoff.offer(cause, "Continue in a fresh session?")
            packet = self.store.packets.get(offered.packet_id)
            await handoff.edit(offered.draft_id, f"{packet.markdown}\n{self._hoard.phrase()}\n")
            return await handoff.confirm(offered.draft_id)

        await self._runtime.hand_off(self.id, act)

    def written(self) -> Iterator[tuple[str, str]]:
        """Every text that may not hold a secret, by where it stands. The transcript itself stays whole."""
        for number, text in enumerate(self.files.texts):
            yield f"file {number}", text
        for packet in self.store.packets.of(self.id):
            yield "stored packet", packet.markdown
            yield "stored ledger", packet.ledger
        head = self.store.conversations.get(self.id).head_id
        for entry in self.store.entries.load(head):
            if not entry.copied:
                yield f"{entry.kind} of the fresh session", entry.body
        for event in self.events:
            yield type(event).__name__, event_line(event)


def leaks(hoard: Hoard) -> list[str]:
    """Where secrets of one more conversation came out, and which."""
    seeded = Seeded(hoard)
    asyncio.run(seeded.hand_off())
    found: list[str] = []
    for place, text in seeded.written():
        for held in hoard.planted:
            if held in text or json.dumps(held)[1:-1] in text:
                at = text.find(held)
                found.append(f"{place}: {held} in …{text[max(0, at - 60) : at + len(held) + 20]}…")
    return found
