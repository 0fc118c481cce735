"""What an installation costs: packages, megabytes and seconds, of the base and of each extra.

    python -m bench.install                     # every kind, in environments of their own
    python -m bench.install base local
    python -m bench.install --write docs/reference/install.md

Each kind is installed from this checkout into an empty environment, with pip's cache of this machine; the seconds are
therefore those of a second installation. Bytecode counts, because an installation has it. Then `baton --version` is run
in it beside the bare interpreter, by turns.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from pathlib import Path

from baton.core.value import value
from bench.progress import say

ROOT = Path(__file__).parents[1]
KINDS = ("base", "local", "telegram", "discord", "slack", "matrix", "gateway", "postgres", "providers", "all")
_TOOLS = ("pip", "setuptools", "wheel")
_STARTS = 7
_TABLE = "| kind | packages | MB | seconds | `--version` × bare Python |\n|---|---|---|---|---|"
_PAGE = """\
# What an installation costs

Measured by `python -m bench.install` on Python {python}, with pip's cache warm: what an empty environment holds after
`pip install .` and `pip install '.[NAME]'`, Baton itself and compiled bytecode included, pip not.

{table}
"""


@value
class Installed:
    kind: str
    packages: int
    megabytes: float
    seconds: float
    start: float

    def __str__(self) -> str:
        return f"| {self.kind} | {self.packages} | {self.megabytes:.0f} | {self.seconds:.0f} | {self.start:.2f} |"


def measure(kind: str, directory: Path) -> Installed:
    """Raises `CalledProcessError` where pip fails."""
    venv.create(directory, with_pip=True)
    python = str(directory / "bin" / "python")
    wanted = str(ROOT) if kind == "base" else f"{ROOT}[{kind}]"
    began = time.monotonic()
    subprocess.run([python, "-m", "pip", "install", "--quiet", wanted], check=True, stdout=sys.stderr)
    seconds = time.monotonic() - began
    packages = next((directory / "lib").glob("python3*/site-packages"))
    found = [path for path in packages.glob("*.dist-info") if path.name.partition("-")[0] not in _TOOLS]
    size = sum(
        path.stat().st_size
        for path in packages.rglob("*")
        if path.is_file() and path.relative_to(packages).parts[0].partition("-")[0] not in _TOOLS
    )
    return Installed(kind, len(found), size / 1e6, seconds, _start_ratio(directory))


def _start_ratio(directory: Path) -> float:
    """The fastest `baton --version` beside the fastest bare interpreter."""
    commands = ([str(directory / "bin" / "baton"), "--version"], [str(directory / "bin" / "python"), "-c", "pass"])
    spent: list[list[float]] = [[], []]
    for _ in range(_STARTS):
        for command, times in zip(commands, spent, strict=True):
            times.append(_cpu(command))
    return min(spent[0]) / min(spent[1])


def _cpu(command: Sequence[str]) -> float:
    environ = {name: given for name, given in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    before = _spent()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=environ)
    return _spent() - before


def _spent() -> float:
    """Seconds of CPU of all programs that ended, in microseconds: an interpreter that starts takes a tick or two."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.install", description=__doc__)
    parser.add_argument("kinds", nargs="*", default=KINDS, metavar="KIND", help=", ".join(KINDS))
    parser.add_argument("--write", metavar="PAGE", type=Path, help="write the page of docs/reference")
    options = parser.parse_args(arguments)
    if unknown := set(options.kinds) - set(KINDS):
        parser.error(f"there is no kind {', '.join(sorted(unknown))}; allowed are {', '.join(KINDS)}")
    rows: list[Installed] = []
    for kind in options.kinds:
        say(f"installing {kind}")
        with tempfile.TemporaryDirectory(prefix="baton-install-") as name:
            rows.append(measure(kind, Path(name)))
    table = "\n".join([_TABLE, *map(str, rows)])
    print(table)
    if options.write:
        options.write.write_text(_PAGE.format(python=sys.version.split()[0], table=table))
    return 0


if __name__ == "__main__":
    sys.exit(main())
