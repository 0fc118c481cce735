"""Which revision of a message is the newest: an edit that names an older one is dropped by people's apps."""

from __future__ import annotations

_MOST = 500


class Revisions:
    """Of the messages edited by this process. After a restart the first edit names the message itself, as it must."""

    def __init__(self) -> None:
        self._newest: dict[str, str] = {}
        self._first: dict[str, str] = {}

    def newest(self, receipt: str) -> str:
        return self._newest.get(receipt, receipt)

    def receipt(self, revision: str) -> str:
        """The receipt of the message of which this is a revision."""
        return self._first.get(revision, revision)

    def add(self, receipt: str, revision: str) -> None:
        self._newest[receipt] = revision
        self._first[revision] = receipt
        for kept in (self._newest, self._first):
            while len(kept) > _MOST:
                del kept[next(iter(kept))]
