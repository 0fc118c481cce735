"""What the model knows of each file: the digest of what it last read or wrote."""

from __future__ import annotations

_KEPT = 10_000


class Seen:
    def __init__(self) -> None:
        self._digests: dict[str, str] = {}

    def note(self, real: str, digest: str) -> None:
        self._digests.pop(real, None)
        self._digests[real] = digest
        while len(self._digests) > _KEPT:
            del self._digests[next(iter(self._digests))]

    def stale(self, real: str, digest: str) -> bool:
        """Whether the model has read this file, and it was something else then."""
        return self._digests.get(real, digest) != digest
