"""A file that the agent shows to people: what was meant, so that nothing else is sent in its name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from baton.core.value import asdict, value

MOST = 8 * 1024 * 1024
"""Bytes of a file that can be shown: as much as the outbox keeps of one."""


@value
class ShownFile:
    """`path` is where it lies, `sha256` what it held when it was shown, `caption` is the agent's."""

    path: str
    name: str
    media_type: str
    size: int
    sha256: str
    caption: str = ""

    @property
    def is_picture(self) -> bool:
        return self.media_type.startswith("image/")

    def details(self) -> dict[str, Any]:
        """As the result of a call keeps it."""
        return {"shown": asdict(self)}


def shown_file(details: Mapping[str, Any]) -> ShownFile | None:
    """The file that a call showed; None for other calls."""
    given: object = details.get("shown")
    if not isinstance(given, dict):
        return None
    held = cast("dict[str, object]", given)
    path, name, kind, digest, caption = (
        str(held.get(field) or "") for field in ("path", "name", "media_type", "sha256", "caption")
    )
    size = held.get("size")
    return ShownFile(path, name, kind, size, digest, caption) if path and isinstance(size, int) else None
