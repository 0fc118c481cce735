"""The documentation as a site: `python -m supply.site` builds it in `.cache/site`, without a warning or not at all.

    python -m supply.site             # then open .cache/site/index.html
    python -m supply.site --serve     # and look at it while you write

mkdocs-material is installed by hash from docs/requirements-site.lock into an environment of its own, once.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from hashlib import sha256

from supply.lock import ROOT

LOCK = ROOT / "docs" / "requirements-site.lock"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m supply.site", description=__doc__)
    parser.add_argument("--serve", action="store_true", help="serve it on this machine, and build again at each change")
    options = parser.parse_args(arguments)
    folder = ROOT / ".cache" / f"site-{sha256(LOCK.read_bytes()).hexdigest()[:12]}"
    program = folder / "bin" / "mkdocs"
    if not program.exists():
        venv.create(folder, with_pip=True)
        pip = [str(folder / "bin" / "pip"), "install", "--quiet", "--require-hashes", "-r", str(LOCK)]
        subprocess.run(pip, check=True)
    command = [str(program), *(["serve"] if options.serve else ["build", "--strict"])]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"}
    return subprocess.run(command, cwd=ROOT, env=environ, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
