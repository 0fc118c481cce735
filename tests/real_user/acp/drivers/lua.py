"""`python lua.py MODULE < CODE`: runs a Neovim configuration in a real Lua, with a plugin that only listens.

Prints what MODULE's `setup` was given, as JSON. An adapter that is a function is called, as the plugin does it; of all
other functions only that they are some is told.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from lupa import LuaRuntime, lua_type

ADAPTER = 3
"""How deep an adapter is: adapters, their kind, their name."""

_PLUGIN = """
function (name, heard)
  package.preload[name] = function () return { setup = heard } end
  package.preload[name .. ".adapters.acp.helpers"] = function ()
    return { form_messages = function () end }
  end
end
"""


def plain(given: Any, depth: int = 0) -> Any:
    kind = lua_type(given)
    if kind == "function":
        return plain(given(), depth + 1) if depth == ADAPTER else "function"
    if kind != "table":
        return given
    found = {key: plain(each, depth + 1) for key, each in given.items()}
    if found and set(found) == set(range(1, len(found) + 1)):
        return [found[number] for number in sorted(found)]
    return found


def main() -> None:
    lua = LuaRuntime(unpack_returned_tuples=True, register_eval=False, register_builtins=False)
    heard: list[Any] = []
    lua.eval(_PLUGIN)(sys.argv[1], heard.append)
    lua.execute(sys.stdin.read())
    [given] = heard
    sys.stdout.write(json.dumps(plain(given)))


main()
