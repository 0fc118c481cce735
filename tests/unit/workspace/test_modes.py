"""What a restore brings back has the permissions it had."""

from __future__ import annotations

import shutil
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from baton.adapters.workspace.directory import DirectoryWorkspace
from tests.support.repos import Repo
from tests.unit.workspace.conftest import SESSION

Open = Callable[[Path], DirectoryWorkspace]
MODES = (0o600, 0o644, 0o640, 0o660, 0o666, 0o400, 0o444, 0o700, 0o755, 0o750, 0o500, 0o711, 0o777, 0o604)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def remove(path: Path) -> None:
    path.unlink()


def replace(path: Path) -> None:
    """As an editor does, with the system's usual permissions."""
    path.unlink()
    path.write_text("other\n")


def overwrite(path: Path) -> None:
    path.chmod(0o644)
    path.write_text("other\n")


def open_up(path: Path) -> None:
    path.chmod(0o666)


def close(path: Path) -> None:
    path.chmod(0o400)


DEEDS = (remove, replace, overwrite, open_up, close)


@pytest.fixture(params=["tracked", "changed", "new", "outside git"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, str]:
    root = tmp_path / "place"
    if request.param == "outside git":
        root.mkdir()
    else:
        Repo(root).commit(seed="1\n")
    return root, request.param


def fill(root: Path, sort: str) -> dict[str, int]:
    """A file of each mode, where the checkpoint finds it as this sort; something else makes the work tree dirty."""
    wanted = {f"m{bits:o}": bits for bits in MODES}
    for name in wanted:
        (root / name).write_text("as it was\n" if sort != "changed" else "committed\n")
    if sort in ("tracked", "changed"):
        repo = Repo.__new__(Repo)
        repo.root = root
        for name, bits in wanted.items():
            (root / name).chmod(bits | 0o600)
        repo.commit("modes")
    for name, bits in wanted.items():
        (root / name).write_text("as it was\n")
        (root / name).chmod(bits)
    (root / "dirty").write_text("x")
    return wanted


@pytest.mark.parametrize("deed", DEEDS)
def test_a_restored_file_has_its_mode(place: tuple[Path, str], deed: Callable[[Path], None], open_: Open) -> None:
    root, sort = place
    wanted = fill(root, sort)
    workspace = open_(root)
    kept = workspace.checkpoint("m", SESSION)
    assert kept is not None
    for name in wanted:
        deed(root / name)
    restored = workspace.restore(kept.name)
    assert {name: oct(mode(root / name)) for name in wanted} == {name: oct(bits) for name, bits in wanted.items()}
    assert restored.left_out == ()
    assert all((root / name).read_text() == "as it was\n" for name in wanted)


@pytest.mark.parametrize("bits", [0o700, 0o750, 0o711, 0o777, 0o755])
def test_directories_come_back_with_their_modes(place: tuple[Path, str], bits: int, open_: Open) -> None:
    root, sort = place
    (root / "private" / "deeper").mkdir(parents=True)
    (root / "other").mkdir()
    for name in ("private/a", "private/deeper/b", "other/c"):
        (root / name).write_text("1\n")
    if sort == "tracked":
        repo = Repo.__new__(Repo)
        repo.root = root
        repo.commit("folders")
    (root / "private").chmod(bits)
    (root / "private" / "deeper").chmod(0o700)
    (root / "private" / "a").chmod(0o600)
    (root / "dirty").write_text("x")
    workspace = open_(root)
    kept = workspace.checkpoint("m", SESSION)
    assert kept is not None
    shutil.rmtree(root / "private")
    workspace.restore(kept.name)
    found = [mode(root / name) for name in ("private", "private/deeper", "private/a", "other")]
    assert found == [bits, 0o700, 0o600, mode(root / "other")]


def test_where_everything_is_private_everything_comes_back_private(tmp_path: Path, open_: Open) -> None:
    """Though the system's usual permissions are others now."""
    repo = Repo(tmp_path / "work")
    names = [f"f{number}" for number in range(30)]
    repo.commit(**dict.fromkeys(names, "1\n"))
    for name in names:
        (repo.root / name).chmod(0o600)
    repo.write(f1="2\n", new="n\n")
    (repo.root / "new").chmod(0o600)
    workspace = open_(repo.root)
    kept = workspace.checkpoint("m", SESSION)
    assert kept is not None
    for name in (*names, "new"):
        (repo.root / name).unlink()
    workspace.restore(kept.name)
    assert {mode(repo.root / name) for name in (*names, "new")} == {0o600}


def test_a_link_in_the_place_of_a_file_keeps_its_target_as_it_is(tmp_path: Path, open_: Open) -> None:
    victim = tmp_path / "victim"
    victim.write_text("x")
    victim.chmod(0o640)
    repo = Repo(tmp_path / "work")
    repo.commit(a="1\n", b="1\n")
    (repo.root / "a").chmod(0o600)
    repo.write(b="2\n")
    workspace = open_(repo.root)
    kept = workspace.checkpoint("m", SESSION)
    assert kept is not None
    (repo.root / "a").unlink()
    (repo.root / "a").symlink_to(victim)
    workspace.restore(kept.name)
    assert (mode(victim), mode(repo.root / "a"), (repo.root / "a").is_symlink()) == (0o640, 0o600, False)


def test_new_files_and_files_the_checkpoint_does_not_know_stay_as_they_are(tmp_path: Path, open_: Open) -> None:
    repo = Repo(tmp_path / "work")
    repo.commit(a="1\n")
    (repo.root / "a").chmod(0o600)
    repo.write(b="2\n")
    workspace = open_(repo.root)
    kept = workspace.checkpoint("m", SESSION)
    assert kept is not None
    repo.write(later="x\n")
    (repo.root / "later").chmod(0o604)
    workspace.restore(kept.name)
    assert mode(repo.root / "later") == 0o604


def test_the_same_state_with_other_modes_is_another_checkpoint(tmp_path: Path, open_: Open) -> None:
    repo = Repo(tmp_path / "work")
    repo.commit(a="1\n", c="1\n")
    repo.write(b="2\n")
    workspace = open_(repo.root)
    first, again = (workspace.checkpoint("m", SESSION) for _ in range(2))
    (repo.root / "b").chmod(0o600)
    other = workspace.checkpoint("m", SESSION)
    assert first is not None
    assert again is not None
    assert other is not None
    assert first.name == again.name != other.name


def test_in_a_very_large_repository_changed_files_have_their_modes(
    tmp_path: Path, open_: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Asking for each of very many files would take longer than the checkpoint."""
    monkeypatch.setattr("baton.adapters.workspace.checkpoint_source.MOST", 3)
    repo = Repo(tmp_path / "work")
    repo.commit(a="1\n", b="1\n", c="1\n", d="1\n")
    (repo.root / "private").mkdir(mode=0o700)
    (repo.root / "private" / "new").write_text("1\n")
    repo.write(b="2\n")
    for name in ("b", "private/new"):
        (repo.root / name).chmod(0o600)
    workspace = open_(repo.root)
    kept = workspace.checkpoint("m", SESSION)
    assert kept is not None
    shutil.rmtree(repo.root / "private")
    (repo.root / "b").unlink()
    (repo.root / "a").unlink()
    workspace.restore(kept.name)
    assert [mode(repo.root / name) for name in ("b", "private", "private/new")] == [0o600, 0o700, 0o600]
    assert (repo.root / "a").read_text() == "1\n"


def test_a_tampered_note_of_modes_is_ignored() -> None:
    from baton.adapters.workspace import modes

    assert modes.read(None) is modes.read([]) is modes.read({"usual": {"file": 420}}) is None
    told = modes.read(
        {"usual": {"file": "644", "evil": "777"}, "odd": {"a": "4755", "b": "9", "c": ["600"], "d": "600"}}
    )
    assert told is not None
    assert (told.usual, told.odd, told.whole) == ({"file": 0o644}, {"d": 0o600}, False)
