"""Handoffs let old checkpoints go: of their own work tree and store, never what is needed, and never at a price."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NoReturn

import pytest

from baton.adapters.workspace.directory import DirectoryWorkspace
from baton.core.errors import CheckpointFailed
from baton.core.handoff.checkpoint import Checkpoint
from baton.core.handoff.retention import DAY, Retention
from baton.core.value import replace
from baton.engine.handoff.packets import HandoffKit, PacketWriter, Written
from baton.engine.handoff.pruning import plan
from baton.ports.store import Store
from tests.support import repos
from tests.support.handoffs import kit
from tests.support.repos import Repo

pytestmark = pytest.mark.anyio
Keep = Callable[..., Checkpoint]
STRANGER = "20200101_000000_abcdef"
TWO = Retention(2, 90)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = repos.stashed(tmp_path / "repo")
    repo.trap()
    return repo


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def keep(repo: Repo, home: Path) -> Keep:
    """Makes a checkpoint so many days ago."""

    def make(session_id: str, days: float, root: Path | None = None) -> Checkpoint:
        where = root or repo.root
        (where / "new").write_text(f"{session_id} {days}\n")
        kept = DirectoryWorkspace(str(where), str(home), lambda: time.time() - days * DAY).checkpoint("m", session_id)
        assert kept is not None
        return kept

    return make


@pytest.fixture
def session(store: Store) -> str:
    return store.conversations.start("the work")[1].id


async def written(store: Store, given: HandoffKit, session_id: str) -> Written:
    (Path(given.workspace.top()) / "new").write_text("as it is now\n")
    return await PacketWriter(store, given, None).write(session_id, "asked for")


def names(root: Path, home: Path) -> set[str]:
    return {each.name for each in DirectoryWorkspace(str(root), str(home)).checkpoints()}


async def test_a_handoff_prunes_its_work_tree_and_nothing_else(
    store: Store, repo: Repo, home: Path, keep: Keep, session: str
) -> None:
    for days in (6, 5, 4, 3):
        keep(session, days)
    other = store.conversations.start("done long ago")[1].id
    keep(other, 300)
    keep(other, 200)
    keep(STRANGER, 400)
    keep(STRANGER, 300)
    linked = repo.root.parent / "linked"
    repo.git("worktree", "add", "--quiet", "-b", "linked", str(linked))
    elsewhere = store.conversations.start("in the linked work tree")[1].id
    keep(elsewhere, 400, linked)
    keep(elsewhere, 300, linked)
    repo.ran.unlink(missing_ok=True)
    before = repo.fingerprint()
    done = await written(store, kit(repo.root, home, retention=TWO), session)
    assert done.checkpoint == f"refs/baton/checkpoints/{session}/5"
    gone = {f"{session}/1", f"{session}/2", f"{session}/3", f"{other}/1"}
    kept = {f"{session}/4", f"{session}/5", f"{other}/2"}
    left_alone = {f"{STRANGER}/1", f"{STRANGER}/2", f"{elsewhere}/1", f"{elsewhere}/2"}
    assert names(repo.root, home) == kept | left_alone
    assert not names(repo.root, home) & gone
    assert {**repo.fingerprint(), "files": ()} == {**before, "files": ()}
    found = DirectoryWorkspace(str(linked), str(home))
    seen = plan(store, found.checkpoints(), found.top(), TWO, time.time())
    assert ([each.name for each in seen.outdated], seen.elsewhere) == ([f"{elsewhere}/1"], 5)


async def test_all_sessions_of_a_conversation_count_together(
    store: Store, repo: Repo, home: Path, keep: Keep, session: str
) -> None:
    conversation = store.sessions.get(session).conversation_id
    chain = [session]
    for _ in range(3):
        proof = store.conversations.claim(conversation, "test", 60)
        chain.append(store.sessions.advance(proof, chain[-1], edge="handoff", end_reason="handoff").id)
        store.conversations.release(proof)
    for days, each in enumerate(reversed(chain), 2):
        keep(each, days)
    await written(store, kit(repo.root, home, retention=TWO), chain[-1])
    assert names(repo.root, home) == {f"{chain[-1]}/1", f"{chain[-1]}/2"}


async def test_what_a_draft_or_the_newest_packet_tells_of_stays(
    store: Store, repo: Repo, home: Path, keep: Keep, session: str
) -> None:
    conversation = store.conversations.get(store.sessions.get(session).conversation_id)
    kept = [keep(session, days) for days in (9, 8, 7, 6, 5, 4)]
    drafted, *_ = [store.packets.add(session, "# Scope", {"checkpoint": each.as_dict()}) for each in kept[:3]]
    draft = store.drafts.open(conversation.id, conversation.version, drafted.id)
    found = DirectoryWorkspace(str(repo.root), str(home))

    def going() -> list[str]:
        return [each.name for each in plan(store, found.checkpoints(), found.top(), TWO, time.time()).outdated]

    assert going() == [f"{session}/4", f"{session}/2"]
    store.drafts.cancel(draft.id)
    assert going() == [f"{session}/4", f"{session}/2", f"{session}/1"]


async def test_a_handoff_does_not_fail_by_its_pruning(
    store: Store, repo: Repo, home: Path, keep: Keep, session: str
) -> None:
    class Stubborn(DirectoryWorkspace):
        def forget(self, checkpoints: Iterable[Checkpoint]) -> NoReturn:
            tried.extend(checkpoints)
            raise CheckpointFailed(verb="removed", reason="the disk is read-only")

    tried: list[Checkpoint] = []
    for days in (6, 5, 4):
        keep(session, days)
    given = replace(kit(repo.root, home, retention=TWO), workspace=Stubborn(str(repo.root), str(home)))
    done = await written(store, given, session)
    assert store.packets.get(done.packet.id) == done.packet
    assert [each.name for each in tried] == [f"{session}/2", f"{session}/1"]
    assert len(names(repo.root, home)) == 4


async def test_a_lock_that_another_git_left_only_puts_it_off(
    store: Store, repo: Repo, home: Path, keep: Keep, session: str
) -> None:
    for days in (6, 5, 4):
        keep(session, days)
    lock = repo.root / ".git" / "refs" / "baton" / "checkpoints" / session / "1.lock"
    lock.write_bytes(b"")
    await written(store, kit(repo.root, home, retention=TWO), session)
    assert len(names(repo.root, home)) == 4
    lock.unlink()
    await written(store, kit(repo.root, home, retention=TWO), session)
    assert names(repo.root, home) == {f"{session}/{number}" for number in (3, 4)}


async def test_no_limit_keeps_all(store: Store, repo: Repo, home: Path, keep: Keep, session: str) -> None:
    for days in (900, 800, 700):
        keep(session, days)
    await written(store, kit(repo.root, home, retention=Retention(0, 0)), session)
    assert len(names(repo.root, home)) == 4


async def test_outside_of_git_too(store: Store, tmp_path: Path, home: Path, keep: Keep, session: str) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    for days in (6, 5, 4):
        keep(session, days, plain)
    await written(store, kit(plain, home, retention=TWO), session)
    assert names(plain, home) == {f"{session}/3", f"{session}/4"}
