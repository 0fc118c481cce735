"""Meta's signature on a webhook call."""

from __future__ import annotations

import hashlib
import hmac


def is_signed(body: bytes, header: str, secret: str) -> bool:
    """Over the bytes as they came. No header is no signature."""
    wanted = "sha256=" + hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(wanted.encode(), header.encode("utf-8", "replace"))


def is_same(given: str, secret: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())
