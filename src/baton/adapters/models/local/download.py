"""One file from the network: resumed where it was cut, retried, and checked before it gets its name.

HTTP as this machine is set up for it: `Web` obeys the proxies and certificates of the environment and of pip.
"""

from __future__ import annotations

import base64
import errno
import hashlib
import os
import ssl
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO, Any, TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit, urlunsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, ProxyHandler, Request, build_opener

from baton.config.masking import mask_url

T = TypeVar("T")
NETWORK_ERRORS = (OSError, HTTPException)
SILENCE = 20.0
"""Seconds a server may send nothing."""

TRIES = 4
_AGENT = "baton"
_CHUNK = 1 << 18
_FIRST_WAIT = 0.5
_BUSY = (408, 425, 429, 500, 502, 503, 504)


class Stopped(Exception):
    """The pull was cancelled; what was written is kept."""


class WrongBytes(Exception):
    """The bytes are not the expected ones; they were removed."""


class Meter:
    """Counts the bytes that are on disk, from many threads, and holds the one switch that stops them all."""

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


def partial_path(path: str) -> str:
    return f"{path}.partial"


def create(path: str, flags: int = 0) -> int:
    """A file descriptor for writing: the file is this user's only, and never behind a link."""
    return os.open(path, os.O_CREAT | os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | flags, 0o600)


def hash_file(path: str, length: int = -1) -> Any:
    """The sha256 object over the first `length` bytes of a file, or over all of it."""
    digest = hashlib.sha256()
    with open(path, "rb") as file:
        while length and (data := file.read(_CHUNK if length < 0 else min(_CHUNK, length))):
            digest.update(data)
            length -= len(data) if length > 0 else 0
    return digest


def retry(meter: Meter, attempt: Callable[[], T], *, tries: int = TRIES, progress: Callable[[], int] = lambda: 0) -> T:
    """What `attempt` returns. Network errors that may pass are retried, until `tries` in a row made no progress."""
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

    A cut download is resumed. The meter must already include what is on disk. Raises `WrongBytes`, `Stopped`, or
    `NETWORK_ERRORS` after the last try.
    """
    if os.path.exists(path):
        if not sha256 or hash_file(path).hexdigest() == sha256:
            return
        _remove(path, meter)
    half = partial_path(path)
    begun = size_of(half)
    retry(meter, lambda: _receive(web, url, half, limit, meter), tries=tries, progress=lambda: size_of(half))
    if not sha256 or hash_file(half).hexdigest() == sha256:
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
        if held and not _is_continuation(answer, held):
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


def _is_continuation(answer: HTTPResponse, held: int) -> bool:
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


class Web:
    """Opens URLs. Credentials in a URL are sent to its host only, never along a redirect to another."""

    def __init__(self, *, proxy: str = "", certificates: str = "") -> None:
        context = ssl.create_default_context()  # obeys SSL_CERT_FILE and SSL_CERT_DIR
        if certificates:
            context.load_verify_locations(*((None, certificates) if os.path.isdir(certificates) else (certificates,)))
        proxies = ProxyHandler({"http": proxy, "https": proxy} if proxy else None)  # None: HTTPS_PROXY, NO_PROXY
        self._opener = build_opener(proxies, HTTPSHandler(context=context), _Redirects())

    def open(self, url: str, *, start: int = 0, timeout: float) -> HTTPResponse:
        """The response, from byte `start` if the server can do that. `timeout` applies to each wait. Raises
        `NETWORK_ERRORS`.
        """
        request = _request(url)
        if start:
            request.add_header("Range", f"bytes={start}-")
        try:
            return self._opener.open(request, timeout=timeout)
        except HTTPError as error:
            error.close()  # only its status is of interest, and it holds the connection
            raise
        except ValueError as error:
            raise URLError(str(error)) from error


class _Redirects(HTTPRedirectHandler):
    """HTTP only; credentials stay with the host they were given for."""

    def redirect_request(
        self, req: Request, fp: IO[bytes], code: int, msg: str, headers: HTTPMessage, newurl: str
    ) -> Request | None:
        if urlsplit(newurl).scheme not in ("http", "https"):
            raise HTTPError(mask_url(newurl), code, "redirected to something that is not HTTP", headers, fp)
        following = super().redirect_request(req, fp, code, msg, headers, newurl)
        given = req.unredirected_hdrs.get("Authorization")
        if following and given and urlsplit(newurl).netloc == urlsplit(req.full_url).netloc:
            following.add_unredirected_header("Authorization", given)
        return following


def _request(url: str) -> Request:
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    request = Request(urlunsplit(parts._replace(netloc=host, fragment="")), headers={"User-Agent": _AGENT})  # noqa: S310
    if parts.username:
        pair = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
        request.add_unredirected_header("Authorization", f"Basic {base64.b64encode(pair.encode()).decode()}")
    return request


def reason(error: BaseException) -> str:
    """What went wrong, in a few words without secrets."""
    if isinstance(error, HTTPError):
        return f"the server answered {error.code} {error.reason}"
    if isinstance(error, TimeoutError) or isinstance(getattr(error, "reason", None), TimeoutError):
        return "no answer in time"
    inner = error.reason if isinstance(error, URLError) else error
    text = inner.strerror if isinstance(inner, OSError) and inner.strerror else str(inner)
    return mask_url(text) or type(error).__name__
