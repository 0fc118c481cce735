"""The real clients. `clients/` says which: npm's lock and pip's lock, each with the hashes of everything.

acpx runs on `@openclaw/fs-safe` 0.13.1 where it asks for 0.12, which the lock could name for one system only.
Where they cannot be had the tests are skipped and say why; with `BATON_CI=1` that is a failure.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.support import obtain

CLIENTS = Path(__file__).with_name("clients")
PYTHON = "0.12.1"


@dataclass(frozen=True)
class Node:
    """`bin` is the directory of a Node that is new enough; `modules` holds acpx and the TypeScript SDK."""

    bin: Path
    modules: Path

    @property
    def program(self) -> str:
        return str(self.bin / "node")

    @property
    def acpx(self) -> list[str]:
        return [self.program, str(self.modules / "acpx" / "dist" / "cli.js")]

    @property
    def sdk(self) -> Path:
        return self.modules / "@agentclientprotocol" / "sdk"

    @property
    def schema(self) -> Path:
        """The directory of the protocol's published schema."""
        return self.sdk / "schema" / "v1"


def node() -> Node:
    """Skips, or fails where it must not, if it cannot be had."""
    return obtain.obtained(_node)


def python() -> str:
    """An interpreter that has the Python SDK."""
    return obtain.obtained(_python)


@cache
def _node() -> Node:
    modules = obtain.npm_install("acp", CLIENTS)
    return Node(Path(obtain.node_program(modules)).parent, modules)


@cache
def _python() -> str:
    program = obtain.venv_install("acp", CLIENTS / "requirements.lock")
    name = "agent-client-protocol"
    found = obtain.run([program, "-c", f"import importlib.metadata as m; print(m.version('{name}'))"])
    if found != PYTHON:
        raise obtain.Unobtainable(f"pip gave {name} {found} where {PYTHON} was wanted")
    return program
