"""One HTTP GET from a host that was checked, with everything bounded."""

from __future__ import annotations

import asyncio
import ssl
import zlib
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult, urljoin

from baton.adapters.tools.web.addresses import PORTS, Reach, fetch_error, parse_url
from baton.core.display import one_line
from baton.core.errors import ToolError
from baton.core.value import value

if TYPE_CHECKING:
    import httpx2

CAP = 2_000_000
_REDIRECTS = 5
_HEADERS = {"User-Agent": "baton", "Accept": "text/html,text/*;q=0.9,*/*;q=0.5", "Accept-Encoding": "gzip, identity"}


@value
class Page:
    """What an address answered. `cut` when there was more than `CAP` bytes."""

    url: str
    status: int
    media_type: str
    charset: str
    data: bytes
    cut: bool


async def get_page(url: str, reach: Reach, *, seconds: float) -> Page:
    """Follows a few redirects, each checked like the first, none to another scheme. Raises `ToolError`.

    The connection goes to exactly the address that was checked, whatever the name resolves to a moment later; proxies
    are not used, because they would look the name up themselves.
    """
    import httpx2

    try:
        async with asyncio.timeout(seconds):
            async with httpx2.AsyncClient(trust_env=False, follow_redirects=False, timeout=seconds) as client:
                return await _follow(client, url, reach)
    except TimeoutError:
        raise fetch_error(url, f"nothing came in {seconds:.0f} s") from None
    except (httpx2.HTTPError, httpx2.InvalidURL, ssl.SSLError, OSError, zlib.error, UnicodeError) as error:
        raise fetch_error(url, f"{type(error).__name__} {one_line(str(error), 200)}".strip()) from None


async def _follow(client: httpx2.AsyncClient, url: str, reach: Reach) -> Page:
    for _ in range(_REDIRECTS + 1):
        parts = parse_url(url)
        found = await _once(client, url, parts, reach)
        if isinstance(found, Page):
            return found
        following = urljoin(url, found)
        if parse_url(following).scheme != parts.scheme:
            raise fetch_error(
                url, f"it redirects to another scheme: {one_line(following, 300)}; fetch that if it is right"
            )
        url = following
    raise fetch_error(url, "it redirects too often")


async def _once(client: httpx2.AsyncClient, url: str, parts: SplitResult, reach: Reach) -> Page | str:
    """The page, or where it redirects to."""
    host = _ascii(url, parts)
    port = parts.port or PORTS[parts.scheme]
    address = await reach(host, port)
    netloc = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
    named = f"[{host}]" if ":" in host else host
    headers = {**_HEADERS, "Host": named if parts.port is None else f"{named}:{port}"}
    pinned = parts._replace(netloc=netloc, fragment="").geturl()
    extensions: dict[str, Any] = {"sni_hostname": host}
    async with client.stream("GET", pinned, headers=headers, extensions=extensions) as response:
        location = response.headers.get("location")
        if 300 <= response.status_code < 400 and location:
            return location
        data, cut = await _body(response)
        kind, _, rest = response.headers.get("content-type", "").partition(";")
        charset = rest.partition("charset=")[2].strip().strip("\"'") or "utf-8"
        return Page(url, response.status_code, kind.strip().lower(), charset, data, cut)


async def _body(response: httpx2.Response) -> tuple[bytes, bool]:
    """At most `CAP` bytes, unpacked; what a small answer unpacks to is bounded too."""
    packed = response.headers.get("content-encoding", "identity").lower()
    if packed not in ("identity", "gzip", ""):
        raise ToolError(tool="fetch", reason=f"the answer is packed as {one_line(packed, 40)}, which was not asked for")
    data = bytearray()
    async for piece in _unpack(response.aiter_raw(), packed == "gzip"):
        data += piece
        if len(data) > CAP:
            return bytes(data[:CAP]), True
    return bytes(data), False


async def _unpack(raw: AsyncIterator[bytes], gzip: bool) -> AsyncIterator[bytes]:
    unpack = zlib.decompressobj(wbits=31) if gzip else None
    async for piece in raw:
        if unpack is None:
            yield piece
            continue
        while piece:
            yield unpack.decompress(piece, 1 << 16)
            piece = unpack.unconsumed_tail


def _ascii(url: str, parts: SplitResult) -> str:
    host = parts.hostname or ""
    try:
        return host if host.isascii() else host.encode("idna").decode("ascii")
    except UnicodeError:
        raise fetch_error(url, "its host is not a name") from None
