"""HTTP as this machine is set up for it: proxies and certificates of the environment and of pip."""

from __future__ import annotations

import base64
import os
import ssl
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit, urlunsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, ProxyHandler, Request, build_opener

from baton.config.masking import masked

NETWORK_ERRORS = (OSError, HTTPException)
_AGENT = "baton"


class Web:
    """Opens addresses. A name and password inside one are sent to that host only, never along a redirect elsewhere."""

    def __init__(self, *, proxy: str = "", certificates: str = "") -> None:
        context = ssl.create_default_context()  # obeys SSL_CERT_FILE and SSL_CERT_DIR
        if certificates:
            context.load_verify_locations(*((None, certificates) if os.path.isdir(certificates) else (certificates,)))
        proxies = ProxyHandler({"http": proxy, "https": proxy} if proxy else None)  # None: HTTPS_PROXY, NO_PROXY
        self._opener = build_opener(proxies, HTTPSHandler(context=context), _Redirects())

    def open(self, url: str, *, start: int = 0, timeout: float) -> HTTPResponse:
        """The answer, from byte `start` if the server can. `timeout` is for each wait. Raises `NETWORK_ERRORS`."""
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
            raise HTTPError(masked(newurl), code, "redirected to something that is not HTTP", headers, fp)
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
    return masked(text) or type(error).__name__
