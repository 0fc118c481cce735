"""The door: the token, where a request comes from, how large it is; and the token's file."""

from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path

import httpx2
import pytest

from baton.core.errors import CannotListen, NotFound, UnsafeToken
from baton.surfaces.api.app import OPERATIONS
from baton.surfaces.api.guard import TRIES, WITHIN, Guard
from baton.surfaces.api.operation import Id, Operation
from baton.surfaces.api.server import bind
from baton.surfaces.shared.api_token import load_token
from tests.support.api_bed import BEARER, TOKEN, ApiBed

pytestmark = pytest.mark.anyio
PLACES = {"id": "c_000000000000", "handle": "x", "rule": "1"}
JSON = {"content-type": "application/json"}


def request_of(operation: Operation) -> httpx2.Request:
    return httpx2.Request(operation.method, "http://localhost" + operation.path.format(**PLACES))


async def inner(scope, receive, send) -> None:
    await send({"type": "http.response.start", "status": 204, "headers": []})
    await send({"type": "http.response.body", "body": b""})


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def door(clock: Clock | None = None, **headers: str) -> httpx2.AsyncClient:
    guard = Guard(inner, TOKEN, "127.0.0.1", {"/healthz"}, clock or Clock())
    return httpx2.AsyncClient(
        transport=httpx2.ASGITransport(app=guard), base_url="http://127.0.0.1:8787", headers=headers
    )


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
async def test_every_operation_but_health_needs_the_token(operation: Operation) -> None:
    async with door() as client:
        request = request_of(operation)
        answer = await client.request(request.method, request.url.path)
        assert answer.status_code == (204 if operation.name == "health" else 401)
        if answer.status_code == 401:
            assert answer.headers["www-authenticate"].startswith("Bearer")
            assert answer.json()["error"]["code"] == "no-token"


@pytest.mark.parametrize(
    "given",
    ["", TOKEN, f"Basic {TOKEN}", f"Bearer {TOKEN}x", f"Bearer {TOKEN[:-1]}", f"Bearer x {TOKEN}", "Bearer", "Bearer "],
)
async def test_a_wrong_token_is_refused(given: str) -> None:
    async with door(authorization=given) as client:
        assert (await client.get("/v1/drafts")).status_code == 401


async def test_two_tokens_are_none_and_a_token_in_the_url_is_none() -> None:
    async with door() as client:
        twice = await client.get("/v1/drafts", headers=[("authorization", f"Bearer {TOKEN}")] * 2)
        assert twice.status_code == 401
        assert (await client.get(f"/v1/drafts?token={TOKEN}&access_token={TOKEN}")).status_code == 401


async def test_wrong_tokens_are_slowed_down_and_the_right_one_is_not_kept_out() -> None:
    clock = Clock()
    async with door(clock) as client:
        statuses = [(await client.get("/v1/drafts")).status_code for _ in range(TRIES + 2)]
        assert statuses == [401] * TRIES + [429] * 2
        answer = await client.get("/v1/drafts")
        assert int(answer.headers["retry-after"]) == WITHIN
        assert (await client.get("/v1/drafts", headers=BEARER)).status_code == 204
        clock.now += WITHIN
        assert (await client.get("/v1/drafts")).status_code == 401


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.1:1", "localhost:8787", "LOCALHOST", "[::1]:8787", "[::1]"])
async def test_names_of_this_machine_are_ours(host: str) -> None:
    async with door(host=host, **BEARER) as client:
        assert (await client.get("/v1/drafts")).status_code == 204


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8787", "127.0.0.1.evil.example", "localhost.evil.example", "", "127.0.0.1:x"]
)
async def test_a_page_under_a_name_of_its_own_is_refused_also_for_health(host: str) -> None:
    async with door(host=host, **BEARER) as client:
        for path in ("/v1/drafts", "/healthz"):
            answer = await client.get(path)
            assert (answer.status_code, answer.json()["error"]["code"]) == (403, "foreign-request")


@pytest.mark.parametrize(
    ("header", "given", "status"),
    [
        ("origin", "http://127.0.0.1:8787", 204),
        ("origin", "https://127.0.0.1:8787", 204),
        ("origin", "http://127.0.0.1:3000", 403),
        ("origin", "http://localhost:8787", 403),
        ("origin", "https://evil.example", 403),
        ("origin", "null", 403),
        ("origin", "", 403),
        ("sec-fetch-site", "same-origin", 204),
        ("sec-fetch-site", "none", 204),
        ("sec-fetch-site", "same-site", 403),
        ("sec-fetch-site", "cross-site", 403),
    ],
)
async def test_web_pages_of_elsewhere_are_refused(header: str, given: str, status: int) -> None:
    async with door(**BEARER, **{header: given}) as client:
        assert (await client.get("/v1/drafts")).status_code == status


async def test_answers_are_kept_by_no_cache(bed: ApiBed) -> None:
    for path in ("/healthz", "/v1/drafts", "/v1/nothing"):
        headers = (await bed.client.get(path)).headers
        assert (headers["cache-control"], headers["x-content-type-options"]) == ("no-store", "nosniff")
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "path", ["/", "/v1", "/v1/", "/v1/conversations/", "/v2/conversations", "//v1/drafts", "/%2e%2e"]
)
async def test_what_is_not_there(bed: ApiBed, path: str) -> None:
    answer = await bed.client.get(f"{bed.url}{path}")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "no-such-page")


async def test_a_method_that_is_not_taken_is_told_with_those_that_are(bed: ApiBed) -> None:
    answer = await bed.client.request("DELETE", "/v1/conversations")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, POST")
    assert (await bed.client.request("OPTIONS", "/v1/conversations")).status_code == 405


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'"text"',
        b"null",
        b'{"text": "a", "text": "b"}',
        b'{"text": "a", "more": 1}',
        b'{"text": NaN}',
        b'{"text": "\xff"}',
        b"[" * 100_000,
        b'{"text": ' + b"[" * 100_000,
        b'{"text": "a"} {"text": "b"}',
    ],
    ids=range(12),
)
async def test_only_one_json_object_is_a_body(bed: ApiBed, body: bytes) -> None:
    answer = await bed.client.post("/v1/conversations", content=body, headers=JSON)
    assert answer.status_code == 400, answer.text


@pytest.mark.parametrize("kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
async def test_only_json_is_taken(bed: ApiBed, kind: str) -> None:
    answer = await bed.client.post("/v1/conversations", content=b'{"text": "a"}', headers={"content-type": kind})
    assert (answer.status_code, answer.json()["error"]["code"]) == (415, "not-json")


async def test_a_body_that_is_too_large_is_refused_however_it_is_sent(bed: ApiBed) -> None:
    async def pieces():
        for _ in range(11):
            yield b"x" * 100_000

    for content in (b"x" * 1_000_001, pieces()):
        answer = await bed.client.post("/v1/conversations", content=content, headers=JSON)
        assert (answer.status_code, answer.json()["error"]["code"]) == (413, "body-too-large")


async def test_a_body_that_does_not_come_is_not_waited_for(bed: ApiBed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("baton.surfaces.api.call.SLOWEST", 0.05)
    host, port = bed.url.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    lines = ["POST /v1/conversations HTTP/1.1", f"host: {host}", f"authorization: Bearer {TOKEN}"]
    lines += ["content-type: application/json", "content-length: 10", "", "{"]
    writer.write("\r\n".join(lines).encode())
    assert (await reader.readline()).startswith(b"HTTP/1.1 408")
    writer.close()
    await writer.wait_closed()


@pytest.mark.parametrize("given", ["", "c_", "c_00000000000\0", "c_00000000000i", "d_000000000000", "c_000000000000\n"])
def test_what_cannot_be_an_id_never_reaches_the_store(given: str) -> None:
    with pytest.raises(NotFound):
        Id("id", "conversation").read(given)


def test_the_token_is_made_once_strong_and_private(tmp_path: Path) -> None:
    home = tmp_path / "new" / "home"
    token = load_token(str(home))
    assert len(token) >= 43
    assert load_token(str(home)) == token
    assert (home / "gateway.token").stat().st_mode & 0o777 == 0o600
    assert [each.name for each in home.iterdir()] == ["gateway.token"]


@pytest.mark.parametrize("text", ["", "changeme", "undefined", "a" * 64, "x y" * 30])
def test_a_weak_token_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "gateway.token"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(UnsafeToken, match="256 bits"):
        load_token(str(tmp_path))


def test_a_token_that_others_can_read_or_that_is_a_link_is_refused(tmp_path: Path) -> None:
    load_token(str(tmp_path))
    path = tmp_path / "gateway.token"
    path.chmod(0o640)
    with pytest.raises(UnsafeToken, match="others may read it"):
        load_token(str(tmp_path))
    path.chmod(0o600)
    path.rename(tmp_path / "moved")
    path.symlink_to(tmp_path / "moved")
    with pytest.raises(UnsafeToken, match="cannot be opened"):
        load_token(str(tmp_path))
    path.unlink()
    os.mkfifo(path, 0o600)
    with pytest.raises(UnsafeToken, match="not a file"):
        load_token(str(tmp_path))


@pytest.mark.parametrize("address", ["0.0.0.0:0", "[::]:0", "192.168.1.1:0", "example.org:0", "8.8.8.8:80", "127.1:0"])
def test_only_this_machine_is_listened_to(address: str) -> None:
    with pytest.raises(CannotListen, match="only this machine may reach it"):
        bind(address)


def test_a_port_that_is_taken_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(CannotListen, match="another program listens there"):
            bind(f"127.0.0.1:{taken.getsockname()[1]}")
    with pytest.raises(CannotListen):
        bind("127.0.0.1:99999")


@pytest.mark.parametrize(
    ("address", "begin"), [("localhost:0", "http://127.0.0.1:"), ("127.0.0.2:0", "http://127.0.0.2:")]
)
def test_a_free_port_is_found(address: str, begin: str) -> None:
    listener = bind(address)
    listener.socket.close()
    assert listener.url.startswith(begin)
    assert listener.port > 0
