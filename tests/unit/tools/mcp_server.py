"""An MCP server over standard input and output, in plain Python: as good or as bad as a test wants it."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import Any

NAMES = ("echo", "slow", "crash", "big", "fail", "where", "picture", "wedge", "wrong", "odd name\x1b[31m")
TEXT = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}


def tool(name: str) -> dict[str, Any]:
    special = {"annotations": {"readOnlyHint": True}, "inputSchema": TEXT} if name == "echo" else {}
    return {"name": name, "description": f"Does {name}.", "inputSchema": {"type": "object"}, **special}


def send(message: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
    sys.stdout.flush()


def text(body: str, error: bool = False) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": body}], "isError": error}


def call(request: dict[str, Any]) -> None:
    name, args = request["params"]["name"], request["params"].get("arguments") or {}
    if name == "crash":
        sys.stderr.write("boom: the disk is on fire\n")
        sys.stderr.flush()
        os._exit(3)
    if name == "wedge":
        time.sleep(120)
    if name == "wrong":
        return send({"id": request["id"], "error": {"code": -32000, "message": "that does not work"}})
    if name == "slow":
        token = request["params"].get("_meta", {}).get("progressToken")
        threading.Thread(target=slowly, args=(request["id"], token), daemon=True).start()
        return None
    results = {
        "echo": lambda: text(args.get("text", "")),
        "big": lambda: text("x" * 3_000_000),
        "fail": lambda: text("it failed", error=True),
        "where": lambda: text(json.dumps({"cwd": os.getcwd(), "env": dict(os.environ)})),
        "picture": lambda: {"content": [{"type": "image", "data": "aGk=", "mimeType": "image/png"}]},
    }
    return send({"id": request["id"], "result": results.get(name, lambda: text("\x1b[31mred"))()})


def slowly(id_: Any, token: Any) -> None:
    for done in range(1, 4):
        send({"method": "notifications/progress", "params": {"progressToken": token, "progress": done, "total": 3}})
        time.sleep(0.1)
    time.sleep(60)


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        method = request.get("method")
        if method == "initialize":
            result = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}}
            send({"id": request["id"], "result": {**result, "serverInfo": {"name": "test", "version": "1"}}})
        elif method == "tools/list":
            send({"id": request["id"], "result": {"tools": [tool(name) for name in NAMES]}})
        elif method == "tools/call":
            call(request)
        elif "id" in request and method:
            send({"id": request["id"], "error": {"code": -32601, "message": f"no {method}"}})


if __name__ == "__main__":
    main()
