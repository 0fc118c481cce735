"""The prefilter: one pass over the text that tells every layer where to look."""

from __future__ import annotations

import os
import threading
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, cast

from baton.adapters.redaction.expression import compile_rule, re2
from baton.adapters.redaction.layer import Anchor, Hit


class Prefilter(Protocol):
    def ends(self, data: bytes) -> Mapping[int, Sequence[int]]:
        """For each anchor that occurs the places where it ends."""
        ...


def hits(prefilter: Prefilter, data: bytes) -> list[Hit]:
    """Every place where an anchor ends, in no order."""
    return [(number, end) for number, ends in prefilter.ends(data).items() for end in ends]


def open_prefilter(anchors: Sequence[Anchor], cache: Cache) -> Prefilter:
    """Hyperscan where it can be imported, else google-re2: the same finds, several times slower."""
    try:
        import hyperscan
    except ImportError:
        return Re2Prefilter(anchors)
    return HyperscanPrefilter(anchors, cache, cast("Any", hyperscan))


class HyperscanPrefilter:
    """All anchors in one automaton, kept compiled in a file because compiling takes several seconds."""

    def __init__(self, anchors: Sequence[Anchor], cache: Cache, hyperscan: Any) -> None:
        self._anchors = anchors
        self._cache = cache
        self._hyperscan = hyperscan
        self._turn = threading.Lock()

    def ends(self, data: bytes) -> Mapping[int, Sequence[int]]:
        found: defaultdict[int, list[int]] = defaultdict(list)

        def add_end(number: int, _start: int, end: int, _flags: int, _context: object = None) -> None:
            found[number].append(end)

        with self._turn:
            self._database.scan(data, match_event_handler=add_end)
        return found

    @cached_property
    def _database(self) -> Any:
        key = self._cache.key([f"{each.caseless}{each.pattern}" for each in self._anchors], self._hyperscan.__version__)
        held = self._cache.read(key)
        database = None if held is None else self._load(held)
        if database is None:
            database = self._compile()
            self._cache.write(key, self._hyperscan.dumpb(database))
        return database

    def _load(self, held: bytes) -> Any | None:
        """None if the file is of another version or processor."""
        try:
            database = self._hyperscan.loadb(held, self._hyperscan.HS_MODE_BLOCK)
            database.scratch = self._hyperscan.Scratch(database)
        except self._hyperscan.HyperscanError:
            return None
        return database

    def _compile(self) -> Any:
        database = self._hyperscan.Database(mode=self._hyperscan.HS_MODE_BLOCK)
        caseless = self._hyperscan.HS_FLAG_CASELESS
        database.compile(
            expressions=[each.pattern.encode("ascii") for each in self._anchors],
            ids=list(range(len(self._anchors))),
            flags=[caseless if each.caseless else 0 for each in self._anchors],
        )
        return database


class Re2Prefilter:
    """A set tells which anchors occur at all; then each of those is searched for."""

    def __init__(self, anchors: Sequence[Anchor]) -> None:
        self._patterns = [("(?i)" if each.caseless else "") + each.pattern for each in anchors]

    def ends(self, data: bytes) -> Mapping[int, Sequence[int]]:
        present: list[int] = self._set.Match(data) or []
        return {
            number: [found.end() for found in compile_rule(self._patterns[number]).finditer(data)] for number in present
        }

    @cached_property
    def _set(self) -> Any:
        library = re2()
        options = library.Options()
        options.max_mem = 1 << 28
        options.encoding = library.Options.Encoding.LATIN1
        options.log_errors = False
        made = library.Set.SearchSet(options)
        for pattern in self._patterns:
            made.Add(pattern.encode("ascii"))
        made.Compile()
        return made


_LARGEST = 64 << 20
_DIGEST = 32


class Cache:
    """Compiled patterns in a file that only its owner can read.

    A damaged, foreign or unreadable file is as good as none; without a directory nothing is kept.
    """

    def __init__(self, directory: str = "") -> None:
        self._directory = directory

    def key(self, patterns: Iterable[str], version: str) -> str:
        """A name for the file: another rule, library version or processor gives another."""
        told = "\0".join([version, os.uname().machine, _processor(), *patterns])
        return sha256(told.encode()).hexdigest()[:32]

    def read(self, key: str) -> bytes | None:
        if not self._directory:
            return None
        try:
            digest, body = _read(self._path(key))
        except OSError:
            return None
        return body if sha256(body).digest() == digest else None

    def write(self, key: str, body: bytes) -> None:
        """Writes all or nothing. A directory that cannot be written only costs some seconds at each start."""
        if not self._directory:
            return
        path = self._path(key)
        part = path.with_suffix(f".{os.getpid()}-{os.urandom(4).hex()}")
        try:
            for directory in (path.parent.parent, path.parent):
                directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600), "wb") as file:
                file.write(sha256(body).digest() + body)
            part.replace(path)
        except OSError:
            with suppress(OSError):
                part.unlink()

    def _path(self, key: str) -> Path:
        return Path(self._directory) / f"redaction-{key}.hs"


def _read(path: Path) -> tuple[bytes, bytes]:
    """The digest and the body, if the file belongs to this user and nobody else can write it. Raises `OSError`."""
    with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as file:
        about = os.fstat(file.fileno())
        if about.st_size > _LARGEST or about.st_uid != os.getuid() or about.st_mode & 0o022:
            raise PermissionError(path)
        return file.read(_DIGEST), file.read(max(0, about.st_size - _DIGEST))


def _processor() -> str:
    """The processor's features, where the system tells them: a database is compiled for them."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines():
            if line.lower().startswith(("flags", "features")):
                return line
    from platform import processor

    return processor()
