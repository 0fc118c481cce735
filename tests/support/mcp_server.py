"""An MCP server made with the official SDK: `python -m tests.support.mcp_server [PORT [TOKEN]]`.

Over pipes, or over HTTP if there is a port, and then only for those who bear the token if there is one.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import uvicorn
from mcp.server import MCPServer

server = MCPServer("shop", log_level="CRITICAL")


@server.tool()
def stock(item: str) -> str:
    """How many there are."""
    return f"7 {item}, says process {os.getpid()}"


@server.tool()
def crash() -> str:
    """Ends the server."""
    os._exit(3)


def for_bearers_of(token: str, app: Any) -> Any:
    async def guarded(scope: Any, receive: Any, send: Any) -> None:
        given = dict(scope.get("headers", ())).get(b"authorization", b"")
        if scope["type"] == "http" and given != f"Bearer {token}".encode():
            await send({"type": "http.response.start", "status": 401, "headers": []})
            await send({"type": "http.response.body", "body": b"no"})
        else:
            await app(scope, receive, send)

    return guarded


def main(port: str = "", token: str = "") -> None:
    if not port:
        server.run("stdio")
    elif not token:
        server.run("streamable-http", port=int(port), host="127.0.0.1")
    else:
        app = for_bearers_of(token, server.streamable_http_app(host="127.0.0.1"))
        uvicorn.run(app, port=int(port), host="127.0.0.1", log_level="critical")


if __name__ == "__main__":
    main(*sys.argv[1:])
