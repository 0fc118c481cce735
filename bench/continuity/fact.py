"""One thing a document can hold or lack."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Fact:
    """`probes` must all be in a document, or one of `others`; `born` is the index of its entry.

    `near` is a word list, one of which must stand beside the probe: a refused command is there only *as refused*.
    """

    text: str
    probes: tuple[str, ...]
    born: int
    others: tuple[str, ...] = ()
    status: str = ""
    near: str = ""

    def within(self, document: str) -> bool:
        return all(each in document for each in self.probes) or any(each in document for each in self.others)


def once(facts: Iterable[Fact]) -> list[Fact]:
    """Each probe once: a message said three times is one fact."""
    found: dict[tuple[str, ...], Fact] = {}
    for fact in facts:
        found.setdefault(fact.probes, fact)
    return list(found.values())
