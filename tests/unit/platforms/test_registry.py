"""The registry pays for a platform's library only if that platform is opened."""

from __future__ import annotations

import subprocess
import sys

LIBRARIES = (
    "aiohttp",
    "discord",
    "httpx",
    "httpx2",
    "markdown_it",
    "nio",
    "slack_sdk",
    "starlette",
    "telegram",
    "uvicorn",
)


def test_nothing_heavy_is_imported_before_a_platform_is_opened() -> None:
    heavy = f"print([name for name in {LIBRARIES} if name in sys.modules])"
    code = f"import sys, baton.adapters.platforms.registry; {heavy}"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"
