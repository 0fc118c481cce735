"""What takes secrets out of text before it is written, shown or sent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from baton.core.value import value


@value
class Found:
    """How often one kind of secret was taken out. Never the secret, nor anything derived from it."""

    kind: str
    count: int


@value
class Redacted:
    """The text with a placeholder such as `[redacted: github-token]` where each secret was."""

    text: str
    found: tuple[Found, ...] = ()


class Redactor(Protocol):
    """Deterministic, and linear in the length of the text. Any string is taken; no call raises because of its text."""

    def redact(self, text: str) -> Redacted:
        """The text without secrets. What was redacted stays as it is: a second call changes nothing."""
        ...

    def leaks(self, text: str) -> tuple[str, ...]:
        """The kinds of known values and vendors' tokens that are in text about to be written; empty if it may be.

        For the last check of final bytes: a caller that gets anything but an empty answer must not write.
        """
        ...

    def with_known(self, values: Mapping[str, str]) -> Redactor:
        """A redactor that also knows these values, by the names they are kept under."""
        ...
