"""What takes secrets out of text before it is written, shown or sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from baton.core.value import field, value


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


@value
class Secret:
    """A value that was recognised as a secret. It is kept in memory only, and is shown nowhere."""

    kind: str
    value: str = field(repr=False)


@value
class Leak:
    """A kind of secret that stands in a text, and on which line; lines count from 1."""

    kind: str
    line: int


class Redactor(Protocol):
    """Deterministic, and linear in the length of the text. Any string is taken; no call raises because of its text."""

    def redact(self, text: str) -> Redacted:
        """The text without secrets. What was redacted stays as it is: a second call changes nothing.

        A secret that is recognised anywhere in the text is taken out of all of it.
        """
        ...

    def recognise(self, text: str) -> tuple[Secret, ...]:
        """What rules would take out of the text, as values that can be told from other text; without those that are
        known already.
        """
        ...

    def remember(self, secrets: Iterable[Secret]) -> Redactor:
        """A redactor that also takes out these, wherever they come again."""
        ...

    def leaks(self, text: str) -> tuple[Leak, ...]:
        """What `redact` would take out of a text that is about to be written; empty if it may be.

        For the last check of final bytes: a caller that gets anything but an empty answer must not write.
        """
        ...

    def with_known(self, values: Mapping[str, str]) -> Redactor:
        """A redactor that also knows these values, by the names they are kept under."""
        ...
