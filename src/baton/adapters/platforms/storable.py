"""Text from a platform, as the store can keep it."""

from __future__ import annotations

import re

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


def storable(text: str) -> str:
    """NUL and half characters become the replacement character; everything else stays."""
    return text if text.isascii() and "\0" not in text else _UNSTORABLE.sub("\ufffd", text)
