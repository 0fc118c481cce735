"""What a person refused: the words that came with it (R), and the command, *as refused* (N)."""

from __future__ import annotations

from bench.continuity.dialogue import Dialogue
from bench.continuity.fact import Fact, once
from bench.continuity.folding import COMMAND, MESSAGE, probe

REFUSED = r"refus|denied|declin|reject|said no|not allowed|forbid|forbad|not approved|turned down|no to\b"
"""Words one of which must stand beside a command for a reader to know that it may not simply be run."""


def words(before: Dialogue, secrets: tuple[str, ...]) -> list[Fact]:
    told = [(call.refusal, call.ended) for call in before.calls if call.refusal]
    return once(Fact(text, probe(text, MESSAGE, secrets), born) for text, born in told)


def commands(before: Dialogue, secrets: tuple[str, ...]) -> list[Fact]:
    """A command that was run after all, later, is not refused any more."""
    last = {call.command: call for call in before.shell if call.result is not None}
    refused = [call for call in last.values() if call.refusal is not None]
    return once(Fact(call.command, probe(call.command, COMMAND, secrets), call.ended, near=REFUSED) for call in refused)
