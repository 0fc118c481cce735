"""An MCP server made with the official SDK: `python -m tests.support.mcp_server [PORT]`, over pipes or over HTTP."""

from __future__ import annotations

import os
import sys

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


if __name__ == "__main__":
    if len(sys.argv) > 1:
        server.run("streamable-http", port=int(sys.argv[1]), host="127.0.0.1")
    else:
        server.run("stdio")
