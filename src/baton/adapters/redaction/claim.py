"""A value beside its name, as it stands in a text."""

from __future__ import annotations

from typing import NamedTuple


class Claim(NamedTuple):
    """A value beside its name: the name's strength and words, and how the value is written.

    `literal` is said of a bare value that cannot be an expression, `accompanied` of one beside a user or a server.
    """

    strength: int
    name: bytes
    held: bytes
    quoted: bool
    adjacent: bool
    below: bool = False
    literal: bool = False
    accompanied: bool = False
