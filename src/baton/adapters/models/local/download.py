"""One file from the network: resumed where it was cut, asked for with patience, checked before it has its name."""

from __future__ import annotations

import errno
import hashlib
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPResponse
from typing import Any, TypeVar
from urllib.error import HTTPError

from baton.adapters.models.local.web import NETWORK_ERRORS, Web

T = TypeVar("T")
SILENCE = 20.0
_CHUNK = 1 << 18
TRIES = 4
_FIRST_WAIT = 0.5
_BUSY = (408, 425, 429, 500, 502, 503, 504)


class Stopped(Exception):
    """Somebody asked for the end; what was written is kept."""


class WrongBytes(Exception):
    """What came is not what was asked for; it was removed."""


class Meter:
    """Bytes that are here, counted from many threads, and the one switch that stops them all."""

    def __init__(self, done: int = 0) -> None:
        self.done = done
        self.stop = threading.Event()
        self._lock = threading.Lock()

    def add(self, count: int) -> None:
        with self._lock:
            self.done += count

    def check(self) -> None:
        if self.stop.is_set():
            raise Stopped


def partial(path: str) -> str:
    return f"{path}.partial"


def create(path: str, flags: int = 0) -> int:
    """A file descriptor for writing: a file of this user only, and never one behind a link."""
    return os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | flags, 0o600)


def hashed(path: str, length: int = -1) -> Any:
    """The sha256 object over the first `length` bytes of a file, or over all of it."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while length and (data := file.read(_CHUNK if length < 0 else min(_CHUNK, length))):
            digest.update(data)
            length -= len(data) if length > 0 else 0
    return digest


def patiently(
    meter: Meter, attempt: Callable[[], T], *, tries: int = TRIES, progress: Callable[[], int] = lambda: 0
) -> T:
    """What `attempt` gives. Network errors that may pass are tried again; only `tries` in a row may bring nothing."""
    fruitless = 0
    while True:
        before = progress()
        try:
            return attempt()
        except NETWORK_ERRORS as error:
            fruitless = 0 if progress() > before else fruitless + 1
            if fruitless >= tries or not _may_pass(error):
                raise
            meter.stop.wait(_FIRST_WAIT * 2**fruitless)
            meter.check()


def download(web: Web, url: str, path: str, *, sha256: str, limit: int, meter: Meter, tries: int = TRIES) -> None:
    """Leaves the file at `path`, of at most `limit` bytes and with that `sha256` if one is given.

    A cut is resumed. The meter has to know already what is here. Raises `WrongBytes`, `Stopped`, or `NETWORK_ERRORS`
    after the last try.
    """
    if os.path.exists(path):
        if not sha256 or hashed(path).hexdigest() == sha256:
            return
        _remove(path, meter)
    half = partial(path)
    begun = size_of(half)
    patiently(meter, lambda: _receive(web, url, half, limit, meter), tries=tries, progress=lambda: size_of(half))
    if not sha256 or hashed(half).hexdigest() == sha256:
        os.replace(half, path)
        return
    _remove(half, meter)
    if not begun:
        raise WrongBytes("what came does not have the sha256 it must have")
    download(web, url, path, sha256=sha256, limit=limit, meter=meter)  # what was kept may have been the wrong half


def _receive(web: Web, url: str, path: str, limit: int, meter: Meter) -> None:
    """Appends what is missing; raises when the connection ends early."""
    held = size_of(path)
    try:
        answer = web.open(url, start=held, timeout=SILENCE)
    except HTTPError as error:
        if error.code == 416 and held:  # nothing comes after what is here: it is whole, and the hash will tell
            return
        raise
    with answer, os.fdopen(create(path), "r+b") as file:
        meter.check()
        if held and not _continues(answer, held):
            meter.add(-held)
            held = 0
            file.truncate(0)
        file.seek(held)
        stated = answer.headers.get("Content-Length")
        expected = held + int(stated) if stated and stated.isdigit() else None
        held = _copy(answer, file, held, limit, meter)
    if expected is not None and held < expected:
        raise ConnectionResetError(errno.ECONNRESET, f"the connection was cut after {held:,} of {expected:,} bytes")


def _copy(answer: HTTPResponse, file: Any, held: int, limit: int, meter: Meter) -> int:
    last = time.monotonic()
    while data := answer.read1(_CHUNK):
        meter.check()
        held += len(data)
        if held > limit:
            file.truncate(0)
            meter.add(len(data) - held)
            raise WrongBytes("more came than this file can have")
        file.write(data)
        meter.add(len(data))
        if time.monotonic() - last > 1:  # others look at the file's size to see how far it is
            file.flush()
            last = time.monotonic()
    return held


def _continues(answer: HTTPResponse, held: int) -> bool:
    return answer.status == 206 and (answer.headers.get("Content-Range") or "").startswith(f"bytes {held}-")


def _may_pass(error: BaseException) -> bool:
    if isinstance(error, HTTPError):
        return error.code in _BUSY
    return not is_full(error)


def is_full(error: BaseException) -> bool:
    """Whether the disk or the quota is used up."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def size_of(path: str) -> int:
    try:
        return os.path.getsize(path)
    except (FileNotFoundError, NotADirectoryError):
        return 0


def _remove(path: str, meter: Meter) -> None:
    meter.add(-size_of(path))
    with suppress(FileNotFoundError):
        os.remove(path)
