"""Who is asked when nobody is there."""

from __future__ import annotations

from typing import Any


class Nobody:
    """Approves nothing and remembers nothing: unattended work needs neither."""

    async def ask(self, asked: Any) -> Any:
        raise AssertionError(f"nobody is here to approve {asked}")

    def list_allowed(self) -> tuple[str, ...]:
        return ()

    def remember(self, fingerprint: str, title: str) -> None:
        raise AssertionError
