"""An MCP server that lists and answers what a file says, word for word."""

from __future__ import annotations

import json
import sys
from typing import Any


def main() -> None:
    with open(sys.argv[1], encoding="utf-8") as file:
        plan: dict[str, Any] = json.load(file)
    listed = 0
    for line in sys.stdin:
        request = json.loads(line)
        method = request.get("method")
        if method == "initialize":
            result: Any = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {"listChanged": True}}}
            result["serverInfo"] = {"name": "test", "version": "1"}
        elif method == "tools/list":
            listed += 1
            result = {"tools": plan["tools"] if listed == 1 else plan.get("later", plan["tools"])}
            if plan.get("endless"):
                result["nextCursor"] = f"more-{listed}"
        elif method == "tools/call":
            result = plan["result"]
            for said in plan.get("before", ()):
                sys.stdout.write(said + "\n")
        elif "id" in request:
            error = {"code": -32601, "message": f"no {method}"}
            sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": error}) + "\n")
            sys.stdout.flush()
            continue
        else:
            continue
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
