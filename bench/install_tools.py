"""`python -m bench.install_tools`: runs the README's lines for pipx and uv, each in an empty home, and starts Baton.

Both tools are fetched into an environment of their own first. A line that fails, or a Baton that does not say its
version, ends it with an error.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from baton import __version__
from bench.progress import say

ROOT = Path(__file__).parents[1]
_LINE = re.compile(r"`((?:uv tool|pipx) install [^`]+)`")
_TABLE = "| line | seconds | MB in the home | says |\n|---|---|---|---|"


def read_lines() -> list[str]:
    """What the README tells people to type."""
    return _LINE.findall((ROOT / "README.md").read_text(encoding="utf-8"))


def run_line(line: str, tools: Path, home: Path) -> str:
    """A row of the table. Raises `CalledProcessError` where something fails."""
    kept = {name: given for name, given in os.environ.items() if not name.startswith(("PIPX_", "UV_TOOL_", "XDG_"))}
    environ = {**kept, "HOME": str(home), "PATH": f"{tools / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    began = time.monotonic()
    subprocess.run(shlex.split(line), cwd=ROOT, env=environ, check=True, stdout=sys.stderr)
    seconds = time.monotonic() - began
    baton = home / ".local" / "bin" / "baton"
    said = subprocess.run([baton, "--version"], env=environ, check=True, capture_output=True, text=True).stdout.strip()
    assert said == f"baton {__version__}", said
    files = (path.stat() for path in home.rglob("*") if path.is_file() and not path.is_symlink())
    size = sum({(each.st_dev, each.st_ino): each.st_size for each in files}.values())  # a cache may share its files
    return f"| `{line}` | {seconds:.0f} | {size / 1e6:.0f} | {said} |"


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="baton-tools-") as name:
        tools = Path(name) / "tools"
        say("fetching pipx and uv")
        venv.create(tools, with_pip=True)
        subprocess.run([tools / "bin" / "pip", "install", "--quiet", "pipx", "uv"], check=True, stdout=sys.stderr)
        rows = [_TABLE]
        for number, line in enumerate(read_lines()):
            say(line)
            home = Path(name) / f"home{number}"
            home.mkdir()
            rows.append(run_line(line, tools, home))
    print("\n".join(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
