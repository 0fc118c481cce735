"""Secrets come into a real `baton acp` by every way there is, and come out of none: packet, twin, store, titles, lists,
notices, status, letters, previews, log.
"""

from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx2
import pytest

from baton.adapters.stores.sqlite.open import open_sqlite
from baton.config import Settings
from baton.core.transfer.letter import Letter
from baton.core.transfer.place import Place
from baton.engine.mail.outbox import OutboxWriter
from baton.engine.secret_memory import SecretMemory
from baton.wiring.redaction import open_workspace_redactor
from tests.e2e.chat import MODELS
from tests.support.acp.client import Client, Program
from tests.support.acp.schema import IN
from tests.support.gateway_bed import Gateway, PlatformServer, until
from tests.support.model_servers import Failure, OpenAIServer, Reply, Request, Use, Wait, fail, say
from tests.support.patience import PATIENCE
from tests.support.repos import Repo
from tests.support.spread_secrets import Spread
from tests.support.warm import warm

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240)]
RULE = "Never push to main without a review."
INNOCENT = (
    *("src/billing.py", "tests/test_orders.py", "test_orders_retry", "Add retry to the orders client", RULE),
    *("the retry of the orders client", "docs/password-rules.md"),
)
PROJECT = Path(__file__).parents[2]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Scene:
    """A workspace, a home and a model that are full of secrets."""

    def __init__(self, work: Path, seed: int) -> None:
        self.spread = Spread(seed)
        self.work = work
        self.home = warm(Path(os.environ["BATON_HOME"]))
        self.replies: list[Reply | Failure] = []
        self.outs: dict[str, str] = {}
        self._build(Repo(work))

    def _build(self, repo: Repo) -> None:
        spread = self.spread
        for place, text in {
            **spread.env_files,
            "src/orders.py": "x = 1\n",
            "docs/password-policy.md": "Long.\n",
        }.items():
            (self.work / place).parent.mkdir(parents=True, exist_ok=True)
            (self.work / place).write_text(text)
        repo.write(**{".gitignore": ".env*\n.baton/\n"})
        (self.work / "settings.txt").write_text("\n".join((*spread.file, *spread.keys)) + "\n")
        (self.work / "out.txt").write_text("\n".join(spread.output) + "\n")
        repo.commit("Add retry to the orders client")
        for each in spread.commits:
            repo.commit(each)
        repo.git("branch", spread.other_branch)
        repo.git("checkout", "--quiet", "-b", spread.branch)
        repo.git("remote", "add", "origin", f"https://bob:{spread.remote}@git.example.com/shop.git")
        repo.git("config", "http.extraheader", f"X-Auth: {spread.header}")
        repo.git("config", "shop.pin", "4821")
        (self.work / "notes").mkdir()
        for name in spread.names:
            (self.work / name).write_text("see there\n")

    def answer(self, request: Request) -> Reply | Failure:
        """The next of the script; asked for a narrative, it tells everything bare."""
        if not request.body.get("tools"):
            told = "\n".join(f"- used {held} there" for held in self.spread.repeated[::2])
            return say(f"## Completed work\n{told}\n## Next recommended action\nFinish the retry of the orders client.")
        return self.replies.pop(0) if self.replies else say("All done.")

    def environ(self, server: OpenAIServer) -> dict[str, str]:
        chosen = {"BATON_MODEL": MODELS[server.variables[0]], "BATON_TOOLS__SANDBOX": "off"}
        return {**server.environ, **chosen, "BATON_AGENT__MODEL_TRIES": "1", **self.spread.environ}

    def servers(self) -> list[dict[str, Any]]:
        env = [{"name": name, "value": held} for name, held in self.spread.server_env.items()]
        env.append({"name": "PYTHONPATH", "value": str(PROJECT)})
        return [{"name": "shop", "command": sys.executable, "args": ["-m", "tests.support.mcp_server"], "env": env}]

    def standing(self) -> list[str]:
        return [found for place, text in self.outs.items() for found in self.spread.standing_in(place, text)]

    @asynccontextmanager
    async def talk(self) -> AsyncIterator[tuple[Client, str, Program]]:
        async with OpenAIServer(self.answer) as server:
            program = Program(self.environ(server), "--mode", "unattended")
            async with program as client:
                await client.hello()
                yield client, await client.new(self.work, self.servers()), program


def call(number: int, name: str, args: dict[str, Any], said: str = "I look.") -> Reply:
    return say(said, Use(f"c{number}", name, args))


async def tell(scene: Scene, client: Client, session: str) -> None:
    """Every secret comes once, by its own way."""
    spread = scene.spread
    await client.say(session, f"Fix {INNOCENT[5]}. {spread.user[0]}\n{RULE}")
    for told in spread.user[1:]:
        await client.say(session, told)
    scene.replies += [
        call(1, "shell", {"command": "cat out.txt"}),
        call(2, "read", {"path": "settings.txt"}),
        call(3, "shell", {"command": f'echo "{spread.errors[0]}" >&2; exit 3'}),
        call(4, "shell", {"command": f'echo "{spread.errors[1]}" >&2; exit 3'}),
        call(5, "shell", {"command": "git log --oneline -5; git branch; git remote -v; ls notes docs"}),
        call(6, "write", {"path": "tests/test_orders.py", "content": "def test_orders_retry():\n    assert 1\n"}),
        call(7, "write", {"path": "src/billing.py", "content": "x = 2\n"}),
        call(15, "write", {"path": "docs/password-rules.md", "content": "At least twelve letters.\n"}),
        *(call(8 + at, "shop__stock", {"item": each}) for at, each in enumerate(spread.server)),
        *(call(10 + at, "shell", {"command": each}) for at, each in enumerate(spread.commands)),
        call(14, "shell", {"command": "echo 'tests/test_orders.py::test_orders_retry PASSED'; echo 1 passed"}),
        say(" ".join(spread.model)),
    ]
    await client.say(session, "Look around and go on.")
    for asked, said in spread.answers:
        scene.replies.append(say(asked))
        await client.say(session, "go on")
        await client.say(session, said)


async def repeat(scene: Scene, client: Client, session: str) -> None:
    """And once more, bare."""
    bare = [f"then {held} again" for held in scene.spread.repeated]
    (scene.work / "bare.txt").write_text("\n".join(bare) + "\n")
    scene.replies += [
        call(20, "shell", {"command": "cat bare.txt"}),
        call(21, "read", {"path": "bare.txt"}),
        call(22, "shell", {"command": "grep -n again bare.txt; exit 4"}),
        call(
            23, "plan", {"items": [{"text": f"try {held} first", "state": "pending"} for held in scene.spread.all[:8]]}
        ),
        say("I tried:\n" + "\n".join(bare)),
    ]
    await client.say(session, "once more, with " + ", ".join(scene.spread.repeated[1::2]))
    scene.replies.append(fail(400, scene.spread.refusal))
    try:
        await client.say(session, "and now?")
    except Exception as error:  # noqa: BLE001, how it fails is looked at below
        scene.outs["error of a prompt"] = str(error)


async def listen(scene: Scene, client: Client, session: str, program: Program) -> None:
    """What the process itself shows: commands, notices, the handoff with its packet, what it logs."""
    mark = len(client.frames)
    for command in (
        "/status",
        f"/title then {scene.spread.all[0]} {scene.spread.all[20]}",
        "/status",
        "/pins",
        "/handoff",
    ):
        await client.say(session, command)
    scene.outs["shown by commands"] = json.dumps(
        [m for side, m in client.frames[mark:] if side == IN], ensure_ascii=False
    )
    scene.outs["titles"] = json.dumps(client.updates("session_info_update"), ensure_ascii=False)
    scene.outs["notices"] = json.dumps(
        [each for each in client.updates() if "notice" in each["sessionUpdate"]], ensure_ascii=False
    )
    scene.outs["session/list"] = json.dumps(await client.call("session/list", cwd=str(scene.work)), ensure_ascii=False)
    _, scene.outs["stderr"] = await program.end()


def kept(scene: Scene) -> Iterator[tuple[str, str]]:
    """What lies in files and in the store, and what a gateway would send."""
    for path in sorted((scene.work / ".baton").rglob("*.*")):
        if path.suffix in (".md", ".json"):
            yield f"file {path.suffix}", path.read_text()
    with closing(sqlite3.connect(scene.home / "baton.db")) as db:
        for table in ("packet", "draft", "conversation", "mail", "record"):
            for row in db.execute(f"SELECT * FROM {table}"):
                yield f"table {table}", "\n".join(str(each) for each in row)
    for options in ((), ("--json",)):
        done = subprocess.run(
            [sys.executable, "-m", "baton", "sessions", "list", *options], capture_output=True, text=True, check=False
        )
        yield "sessions list", done.stdout + done.stderr


def letters(scene: Scene) -> Iterator[tuple[str, str]]:
    """By the one door that leads out of a gateway, from a process that has seen nothing yet."""
    store = open_sqlite(str(scene.home / "baton.db"))
    try:
        conversation = next(store.upkeep.ids())
        memory = SecretMemory(lambda: store)
        environ = {**scene.spread.environ, **scene.spread.server_env}
        redactor = open_workspace_redactor(str(scene.work), str(scene.home), Settings(), environ)
        door = OutboxWriter(store, {}, lambda text, id_: memory.clean(redactor, text, id_))
        for number, held in enumerate(scene.spread.repeated):
            key = door.put_now(Place("telegram", "7"), f"k{number}", Letter(f"then {held} again"), conversation)
            yield "letter", store.outbox.get(key).body
    finally:
        store.close()


async def outside(scene: Scene) -> None:
    """A gateway of the same home: its HTTP API, letters and previews as a platform gets them, its log."""
    async with (
        OpenAIServer(scene.answer) as model,
        PlatformServer("telegram") as server,
        Gateway(scene.home, scene.work, scene.environ(model)) as gateway,
    ):
        gateway.configure(server)
        await gateway.start()
        (row,) = (await gateway.json("gateway", "status"))["gateways"]
        bearer = {"authorization": f"Bearer {(await gateway.json('gateway', 'token'))['token']}"}
        async with httpx2.AsyncClient(base_url=row["api"], headers=bearer, timeout=PATIENCE, trust_env=False) as api:
            place = await move(scene, api)
            await read_letters(scene, server, place)
            await read_api(scene, api)
        assert await gateway.stop() == 0
        scene.outs["log of a gateway"] = "\n".join(gateway.output)


async def move(scene: Scene, api: httpx2.AsyncClient) -> str:
    """The conversation to the platform; where it is then."""
    (each,) = (await api.get("/v1/conversations")).json()["conversations"]
    asked = await api.post(f"/v1/conversations/{each['id']}/transfers", json={"to": "telegram"})
    assert asked.status_code == 202, asked.text

    async def arrived() -> dict[str, Any] | None:
        shown = (await api.get(asked.headers["location"])).json()
        return shown if shown["state"] in ("completed", "failed") else None

    moved = await until(arrived, "the end of the transfer")
    assert moved["state"] == "completed", moved
    return str(moved["place"])


async def read_letters(scene: Scene, server: PlatformServer, place: str) -> None:
    """The model tells everything bare, slowly enough for previews, and fails then."""
    bare = "\n".join(f"then {held} again" for held in scene.spread.told)
    scene.replies += [say(bare, Wait(3.0), f"\n{bare}\nthat was all"), fail(400, scene.spread.refusal)]
    seen: dict[str, None] = {}

    async def told() -> bool:
        seen.update(dict.fromkeys(await server.texts(place)))
        return any("that was all" in text for text in seen)

    await server.says(place, "and what did we use?")
    await until(told, "the answer")
    await server.says(place, "and now?")
    await server.text_with(place, "(400)")
    seen.update(dict.fromkeys(await server.texts(place)))
    assert any("▌" in text for text in seen), "a preview"
    scene.outs["letters and previews"] = "\n".join(seen)


async def read_api(scene: Scene, api: httpx2.AsyncClient) -> None:
    """All but entries and live events, which are the person's own transcript."""
    (each,) = (await api.get("/v1/conversations")).json()["conversations"]
    one = f"/v1/conversations/{each['id']}"
    ruled = await api.post(f"{one}/rules", json={"text": f"never print {scene.spread.all[3]}"})
    assert ruled.status_code == 201, ruled.text
    for path in ("/v1/conversations", one, f"{one}/rules", "/v1/drafts", "/v1/transfers", "/v1/approvals", "/metrics"):
        scene.outs[f"api {path.replace(one, '…')}"] = (await api.get(path)).text


@pytest.mark.parametrize("seed", os.environ.get("BATON_TEST_SPREAD_SEED", "1 2").split())
async def test_secrets_come_in_by_every_way_and_out_by_none(isolated: Path, seed: str) -> None:
    scene = Scene(isolated, int(seed))
    assert len(scene.spread.all) >= 60
    async with scene.talk() as (client, session, program):
        await tell(scene, client, session)
        await repeat(scene, client, session)
        await listen(scene, client, session, program)
    await outside(scene)
    for number, (place, text) in enumerate(kept(scene)):
        scene.outs[f"{place} {number}"] = text
    for number, (place, text) in enumerate(letters(scene)):
        scene.outs[f"{place} {number}"] = text
    packet = next(text for place, text in scene.outs.items() if place.startswith("file .md"))
    found = scene.standing()
    assert not found, "\n".join(found)
    assert [each for each in INNOCENT if each not in packet] == []
    twin = next(text for place, text in scene.outs.items() if place.startswith("file .json"))
    assert "shop.pin" in twin
    assert [pin for pin in range(10_000) if sha256(f"{pin:04}".encode()).hexdigest()[:16] in twin] == []
