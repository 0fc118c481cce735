"""`baton handoff` as scripts and people run it: each call a process of its own, against a scripted server."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import sys
from asyncio.subprocess import PIPE
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from baton.core.log.entry import SEQ_BITS
from tests.e2e.chat import MODELS, chat, said_last, shell
from tests.support.handoffs import git, repository
from tests.support.model_servers import Hang, ModelServer, OpenAIServer, Reply, Request, say
from tests.support.patience import PATIENCE
from tests.support.screen import ENTER
from tests.support.secrets import secret

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(240), pytest.mark.usefixtures("warm_home")]
KEYS = {"packet_path", "session_id", "conversation_id", "tokens", "score"}
TALE = "## Completed work\nLooked at a.py.\n## Design decisions\nNone.\n## Next recommended action\nRun `make`."


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def work(isolated: Path) -> Path:
    return repository(isolated)


def answers(request: Request) -> Reply:
    return say(TALE) if closing_up(request) else say("Noted.")


def closing_up(request: Request) -> bool:
    return str(request.body["messages"][0]["content"]).startswith("You are closing")


async def run(server: ModelServer | None, *arguments: str, **more: str) -> tuple[int, str, str]:
    environ = {**os.environ, **(server.environ if server else {}), "BATON_STORE__LEASE": "1", **more}
    if server:
        environ["BATON_MODEL"] = MODELS[server.variables[0]]
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "baton",
        *arguments,
        env=environ,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=PIPE,
        stderr=PIPE,
    )
    async with asyncio.timeout(PATIENCE):
        out, err = await process.communicate()
    assert "Traceback" not in err.decode()
    return process.returncode or 0, out.decode(), err.decode()


async def told(server: ModelServer, *arguments: str) -> dict[str, Any]:
    code, out, err = await run(server, *arguments, "--json")
    assert code == 0, err
    assert err == ""
    return json.loads(out)


async def conversation(server: ModelServer, text: str = "Fix the race. Never touch migrations.") -> str:
    code, _, err = await run(server, "run", text)
    assert code == 0, err
    return err.split()[1]


async def shown(server: ModelServer, conversation_id: str) -> dict[str, Any]:
    return await told(server, "sessions", "show", conversation_id)


async def test_a_packet_for_a_script(work: Path) -> None:
    async with OpenAIServer(answers) as server:
        conversation_id = await conversation(server)
        before = await shown(server, conversation_id)
        data = await told(server, "handoff", "--packet-only")
        assert data.keys() >= KEYS
        assert (data["conversation_id"], data["session_id"]) == (conversation_id, before["head"])
        assert data["score"]["recall"]["rules"] == {"kept": 1, "total": 1}
        assert 0 < data["tokens"] <= 4000
        markdown = Path(data["packet_path"]).read_text()
        assert Path(data["packet_path"]).is_relative_to(work / ".baton/handoffs")
        assert "- Never touch migrations." in markdown
        assert "Looked at a.py." in markdown
        assert {**await shown(server, conversation_id), "epoch": 0} == {**before, "epoch": 0}
        plain = await told(server, "handoff", conversation_id, "--packet-only", "--no-narrative")
        assert "The narrative is missing: no model was asked." in Path(plain["packet_path"]).read_text()
        assert git(work, "status", "--porcelain") == "M a.py"
        code, out, err = await run(server, "handoff", "--packet-only")
    assert code == 0
    assert "packet       " in out
    assert "rules 1/1" in out
    assert "◆ " in err


async def test_at_once_a_fresh_session(work: Path) -> None:
    async with OpenAIServer(answers) as server:
        conversation_id = await conversation(server)
        data = await told(server, "handoff", "--yes")
        assert data.keys() >= {*KEYS, "new_session_id"}
        after = await shown(server, conversation_id)
        old, new = after["sessions"]
        assert (old["id"], old["end_reason"]) == (data["session_id"], "handoff")
        assert (new["id"], new["parent"], new["edge"]) == (data["new_session_id"], old["id"], "handoff")
        assert after["head"] == new["id"]
        code, out, _ = await run(server, "run", "-c", conversation_id, "go on")
        assert (code, out) == (0, "Noted.\n")
        first = str(server.requests[-1].body["messages"][1]["content"])
        assert "<<<packet-" in first
        assert Path(data["packet_path"]).read_text().strip() in first


async def test_a_draft_of_one_process_is_confirmed_by_another(work: Path) -> None:
    async with OpenAIServer(answers) as server:
        conversation_id = await conversation(server)
        data = await told(server, "handoff")
        assert (data["state"], data.keys() >= {*KEYS, "draft_id", "doubt"}) == ("waiting", True)
        assert (await shown(server, conversation_id))["drafts"] == [data["draft_id"]]
        assert data["draft_id"] in (await run(server, "sessions", "show", conversation_id))[1]
        started = await told(server, "handoff", "--confirm", data["draft_id"])
        assert (started["state"], started["session_id"]) == ("started", data["session_id"])
        after = await shown(server, conversation_id)
        assert (after["head"], after["drafts"]) == (started["new_session_id"], [])
        code, _, err = await run(server, "handoff", "--confirm", data["draft_id"])
        assert code == 1
        assert "was written for an earlier state" in err
        assert (await shown(server, conversation_id))["head"] == after["head"]


async def test_a_draft_survives_the_death_of_its_process(work: Path) -> None:
    """The process is killed after it has offered the draft, while a person still reads it."""
    async with OpenAIServer(answers) as server:
        conversation_id = await conversation(server)
        async with chat(server, work, "handoff", BATON_HOME=os.environ["BATON_HOME"]) as screen:
            await screen.shows("Continue in a fresh session? [Y]es, [e]dit, [n]o:")
            screen.kill()
            await screen.ended()
        (draft_id,) = (await shown(server, conversation_id))["drafts"]
        started = await told(server, "handoff", conversation_id, "--confirm", draft_id)
        assert (await shown(server, conversation_id))["head"] == started["new_session_id"]


async def test_a_person_edits_says_no_and_says_yes(work: Path, tmp_path: Path) -> None:
    editor = tmp_path / "editor.sh"
    editor.write_text('#!/bin/sh\necho "Mine: do X first." >> "$1"\n')
    editor.chmod(0o700)
    async with OpenAIServer(answers) as server:
        conversation_id = await conversation(server)
        home = os.environ["BATON_HOME"]
        async with chat(server, work, "handoff", BATON_HOME=home, EDITOR=str(editor)) as screen:
            await screen.shows("[n]o:")
            screen.type(f"n{ENTER}")
            assert await screen.ended() == 0
        assert len((await shown(server, conversation_id))["sessions"]) == 1
        async with chat(server, work, "handoff", BATON_HOME=home, EDITOR=str(editor)) as screen:
            await screen.shows("[n]o:")
            screen.type(f"e{ENTER}")
            await screen.shows("Mine: do X first.")
            screen.type(ENTER)
            assert await screen.ended() == 0
        after = await shown(server, conversation_id)
        assert len(after["sessions"]) == 2
        (packet,) = [entry["body"] for entry in after["entries"] if entry["kind"] == "packet"]
        assert "Mine: do X first." in packet["text"]


async def test_a_person_drops_a_rule_before_saying_yes(work: Path) -> None:
    async with OpenAIServer(answers) as server:
        conversation_id = await conversation(server)
        assert (await run(server, "pin", conversation_id, "Answer in German."))[0] == 0
        async with chat(server, work, "handoff", BATON_HOME=os.environ["BATON_HOME"]) as screen:
            await screen.shows("d N drops rule N.")
            await screen.shows("[n]o:")
            screen.type(f"d 99{ENTER}")
            await screen.shows("There is no rule 99.")
            screen.type(f"d 1{ENTER}")
            await screen.shows("Rule 1 is dropped: Answer in German.")
            screen.type(ENTER)
            assert await screen.ended() == 0
        after = await shown(server, conversation_id)
        assert len(after["sessions"]) == 2
        assert "Answer in German." not in (await run(server, "pins", conversation_id, "--json"))[1]


async def test_a_person_who_leaves_at_the_question_leaves_the_draft(work: Path) -> None:
    async with OpenAIServer(answers) as server:
        conversation_id = await conversation(server)
        async with chat(server, work, "handoff", BATON_HOME=os.environ["BATON_HOME"]) as screen:
            await screen.shows("[n]o:")
            screen.type("\x04")
            await screen.ended()
            assert b"Traceback" not in screen.raw
        assert len((await shown(server, conversation_id))["drafts"]) == 1


async def test_a_draft_is_stale_after_work_went_on(work: Path) -> None:
    async with OpenAIServer(answers) as server:
        conversation_id = await conversation(server)
        data = await told(server, "handoff")
        await run(server, "run", "-c", conversation_id, "one more thing")
        code, out, err = await run(server, "handoff", "--confirm", data["draft_id"])
        assert (code, out) == (1, "")
        assert "was written for an earlier state" in err
        assert len((await shown(server, conversation_id))["sessions"]) == 1


async def test_no_is_an_answer_once(work: Path) -> None:
    async with OpenAIServer(answers) as server:
        conversation_id = await conversation(server)
        data = await told(server, "handoff")
        cancelled = await told(server, "handoff", "--cancel", data["draft_id"])
        assert (cancelled["state"], cancelled["draft_id"]) == ("cancelled", data["draft_id"])
        assert (await shown(server, conversation_id))["drafts"] == []
        code, _, err = await run(server, "handoff", "--cancel", data["draft_id"])
        assert code == 1
        assert "cancelled" in err


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (["handoff"], 1, "There is no conversation"),
        (["handoff", "c_nothing"], 1, "c_nothing"),
        (["handoff", "--yes", "--packet-only"], 1, "exclude each other"),
        (["handoff", "--confirm", "d_0123456789ab"], 1, ""),
        (["handoff", "--confirm"], 2, "--confirm"),
        (["handoff", "--nonsense"], 2, "--nonsense"),
    ],
)
async def test_what_cannot_be_done_is_said(work: Path, arguments: list[str], code: int, word: str) -> None:
    async with OpenAIServer(answers) as server:
        found, out, err = await run(server, *arguments)
        assert (found, out) == (code, "")
        assert word in err
        assert server.requests == []
        assert not (work / ".baton").exists()


async def test_a_draft_of_another_conversation_is_refused(work: Path) -> None:
    async with OpenAIServer(answers) as server:
        one, two = await conversation(server, "one"), await conversation(server, "two")
        draft = (await told(server, "handoff", one))["draft_id"]
        for word in ("--confirm", "--cancel"):
            code, _, err = await run(server, "handoff", two, word, draft)
            assert code == 1
            assert "was not written for" in err
        assert (await shown(server, one))["drafts"] == [draft]


async def test_a_handoff_that_is_stopped_leaves_the_session_free(work: Path) -> None:
    def silent(request: Request) -> Reply:
        return say("## Completed", Hang()) if closing_up(request) else say("Noted.")

    async with OpenAIServer(silent) as server:
        conversation_id = await conversation(server)
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "baton", "handoff", "--yes",
            env={**os.environ, **server.environ, "BATON_MODEL": MODELS[server.variables[0]], "BATON_STORE__LEASE": "1"},
            stdin=asyncio.subprocess.DEVNULL, stdout=PIPE, stderr=PIPE,
        )  # fmt: skip
        assert process.stderr is not None
        async with asyncio.timeout(PATIENCE):
            while b"narrative" not in await process.stderr.readline():
                pass
            process.send_signal(signal.SIGINT)
            await process.wait()
        assert process.returncode == 130
        assert len((await shown(server, conversation_id))["sessions"]) == 1
        data = await told(server, "handoff", "--yes", "--no-narrative")
        assert (await shown(server, conversation_id))["head"] == data["new_session_id"]


async def test_no_secret_reaches_what_is_printed_kept_or_named(work: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the environment, an .env file, a message and a command's output, through the program as it is installed."""
    import random

    dice = random.Random(11)
    spoken, known, written, printed = (secret(form, dice) for form in ("ghp_<A36>", "<w40>", "<A32>", "sk_live_<A24>"))
    monkeypatch.setenv("ACME_API_TOKEN", known)
    (work / ".env").write_text(f"SHOP_SECRET={written}\n")
    (work / "out.txt").write_text(f"error: {printed} was refused\n")

    def script(request: Request) -> Reply:
        if closing_up(request):
            return say(TALE.replace("Looked", f"Used {known} and {written}; looked"))
        return shell("cat out.txt; false") if said_last(request) else say("Done.")

    canaries = (spoken, known, written, printed)
    async with OpenAIServer(script) as server:
        code, _, err = await run(server, "run", "--yes", f"Deploy with {spoken} and {known}. Never print {written}.")
        assert code == 0
        conversation_id = err.split("baton run -c ")[1].split()[0]
        texts: list[str] = []
        for arguments in (
            ["handoff", "--packet-only"],
            ["handoff", "--json"],
            ["handoff", "--yes"],
            ["sessions", "list"],
        ):
            code, out, err = await run(server, *arguments)
            assert code == 0
            texts += [out, err]
        sent = [str(request.body) for request in server.requests if closing_up(request)]
    assert len(sent) == 3
    texts += [
        path.read_text() for path in (work / ".baton").rglob("*") if path.is_file() and path.suffix in (".md", ".json")
    ]
    texts += stored(Path(os.environ["BATON_HOME"]) / "baton.db", conversation_id)
    for text in [*texts, *sent]:
        assert not [held for held in canaries if held in text], text[:2000]
    assert any("[redacted: github-token]" in text for text in texts)


WAYS = (
    "the database password is {}",
    "export ACME_API_KEY={}",
    "client_secret: {}",
    "psql postgres://app:{}@db.example.com/shop",
    "curl -H 'Authorization: Bearer {}' https://api.example.com",
    '{{"db_password": "{}"}}',
    "mysql -u root -p{}",
    "| app | {} |",
    "sshpass -p {} ssh deploy@example.com",
    "login with admin / {}",
)


async def test_sixty_secrets_told_in_every_way_stand_nowhere(work: Path) -> None:
    """Twenty in a message, twenty in what a command prints, eight in files, twelve in names, commits and a remote."""
    import random

    held = [secret("<A18>", random.Random(f"sixty {number}")) for number in range(60)]
    told = [WAYS[number % len(WAYS)].format(each) for number, each in enumerate(held)]
    (work / "out.txt").write_text(
        "| user | password |\n|---|---|\n" + "\n".join(sorted(told[20:40], reverse=True)) + "\n"
    )
    (work / ".env").write_text("".join(f"SERVICE_{number}_SECRET={each}\n" for number, each in enumerate(held[40:48])))
    git(work, "checkout", "-qb", f"fix/password-{held[48]}")
    git(work, "remote", "add", "origin", f"https://app:{held[49]}@git.example.com/shop.git")
    for each in held[50:55]:
        git(work, "commit", "--allow-empty", "-qm", f"Set the password to {each}")
    for each in held[55:]:
        (work / f"password={each}.txt").write_text("x")

    def script(request: Request) -> Reply:
        if closing_up(request):
            return say(TALE.replace("Looked", f"Used {' '.join(held)}; looked"))
        return shell("cat out.txt .env; git log -5; ls; git remote -v") if said_last(request) else say(" ".join(held))

    texts: list[str] = []
    async with OpenAIServer(script) as server:
        message = "| user | password |\n|---|---|\n" + "\n".join(sorted(told[:20], reverse=True))
        code, _, err = await run(server, "run", "--yes", message)
        assert code == 0
        conversation_id = err.split("baton run -c ")[1].split()[0]
        for arguments in (["handoff", "--packet-only"], ["handoff", "--yes"], ["sessions", "list"]):
            code, out, err = await run(server, *arguments)
            assert code == 0, err
            texts += [out, err]
    texts += [path.read_text() for path in (work / ".baton").rglob("*") if path.suffix in (".md", ".json")]
    texts += stored(Path(os.environ["BATON_HOME"]) / "baton.db", conversation_id)
    standing = [
        (held.index(each), text[max(0, text.find(each) - 90) :][:130])
        for each in held
        for text in texts
        if each in text
    ]
    assert standing == [], "\n".join(map(str, standing))
    assert any("[redacted: " in text for text in texts)


def stored(path: Path, conversation_id: str) -> list[str]:
    """Titles, packets, drafts and the fresh session; not the transcript of the old one, which stays whole."""
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT * FROM packet").fetchall()
        rows += connection.execute("SELECT * FROM draft").fetchall()
        rows += connection.execute("SELECT * FROM conversation WHERE id = ?", (conversation_id,)).fetchall()
        head = connection.execute("SELECT head_id FROM conversation WHERE id = ?", (conversation_id,)).fetchone()[0]
        number = connection.execute("SELECT n FROM session WHERE id = ?", (head,)).fetchone()[0]
        rows += connection.execute("SELECT body FROM entry WHERE id >> ? = ?", (SEQ_BITS, number)).fetchall()
    assert len(rows) >= 4
    return [str(row) for row in rows]
