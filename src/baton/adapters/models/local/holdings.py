"""What is here: the directory of models, its names, its locks, and how much room there is.

models/
  NAME.gguf           the model, whole and verified: it gets this name last
  NAME.pull/          a pull that is under way or was cut; may be deleted
  NAME.lock           held by the process that pulls or removes
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

from baton.adapters.models.local.catalogue import CATALOGUE, Weights
from baton.adapters.models.local.download import create, size_of
from baton.adapters.models.local.errors import PullFailed
from baton.adapters.models.local.joining import read_journal
from baton.core.value import value

_POLL = 0.2


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
        self.lock = os.path.join(self.directory, f"{weights.name}.lock")

    @property
    def ready(self) -> bool:
        """Whether the whole model is here. Its hash was checked before it got its name."""
        return size_of(self.file) == self.weights.size

    def prepare(self) -> None:
        """Makes the directory where it is missing, for this user only."""
        _make_private(self.directory)

    def begin(self) -> None:
        """Makes the folder of a pull; only the one who holds the lock does."""
        _make_private(self.folder)

    def kept(self) -> int:
        """Bytes that an unfinished pull has brought so far, as they were downloaded."""
        try:
            names = os.listdir(self.folder)
        except OSError:
            return 0
        halves = sum(size_of(os.path.join(self.folder, name)) for name in names if name.endswith((".partial", ".whl")))
        return halves + read_journal(os.path.join(self.folder, "joined.json")).fetched

    def free(self) -> int:
        found = os.statvfs(self.directory)
        return found.f_bavail * found.f_frsize

    def finish(self, path: str) -> None:
        """Gives the verified file its name, for good; what else a pull left is removed."""
        with open(path, "rb") as file:
            os.fsync(file.fileno())
        os.replace(path, self.file)
        folder = os.open(self.directory, os.O_RDONLY)
        os.fsync(folder)
        os.close(folder)
        shutil.rmtree(self.folder, ignore_errors=True)

    @contextmanager
    def locked(self, waiting: Callable[[], None]) -> Generator[None]:
        """Alone among all processes; `waiting` is called while another is, and may raise."""
        held = create(self.lock)
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
    return tuple(_held(Holding(weights, directory)) for weights in CATALOGUE)


def remove(weights: Weights, directory: str) -> int:
    """Removes the model and any unfinished pull; the bytes that were freed, 0 if nothing was here.

    Raises `PullFailed` while another process pulls it. A process that runs the model keeps it until it ends.
    """
    holding = Holding(weights, directory)
    held = _held(holding)
    if held.state == "absent" and not os.path.isdir(holding.folder):
        return 0

    def busy() -> None:
        raise PullFailed(model=weights.name, reason="another process is pulling it just now", held="")

    with holding.locked(busy):
        with suppress(FileNotFoundError):
            os.remove(holding.file)
        shutil.rmtree(holding.folder, ignore_errors=True)
    return held.bytes


def _held(holding: Holding) -> Held:
    if holding.ready:
        return Held(holding.weights, "ready", holding.weights.size, holding.file)
    kept = holding.kept()
    return Held(holding.weights, "partial" if kept else "absent", kept, holding.file)


def _make_private(path: str) -> None:
    """The directory and all that are missing above it, each 0700."""
    if not os.path.isdir(path):
        _make_private(os.path.dirname(path))
        with suppress(FileExistsError):
            os.mkdir(path, 0o700)
