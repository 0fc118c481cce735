"""Which models a server on this machine has, asked the way all of them can be asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, cast

from baton.adapters.models.address import answers

_PATIENCE = 2.0
_MOST = 1_000_000


def list_served(base: str) -> Sequence[str] | None:
    """Names of models; None if nobody answers there as a server of models does."""
    if not answers(base):
        return None
    import httpx2

    try:
        reply = httpx2.get(f"{base.rstrip('/')}/models", timeout=_PATIENCE)
        listed: Any = json.loads(reply.content[:_MOST]) if reply.status_code == 200 else None
    except (httpx2.HTTPError, ValueError):
        return None
    rows = cast("dict[str, Any]", listed).get("data") if isinstance(listed, dict) else None
    if not isinstance(rows, list):
        return None
    names = [cast("dict[str, Any]", row).get("id") for row in cast("list[Any]", rows) if isinstance(row, dict)]
    return [name for name in names if isinstance(name, str) and name.isprintable() and name.strip()]
