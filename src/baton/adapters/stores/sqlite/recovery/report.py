"""What a repair did, in numbers and in sentences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from baton.adapters.stores.sqlite.recovery.rebuild import Return
from baton.core.value import asdict, value


@value
class Repair:
    """`quarantine` is the copy of what was found, None if nothing had to be changed. A rebuilt conversation is one
    whose own row was lost or damaged.
    """

    quarantine: str | None = None
    conversations_whole: int = 0
    conversations_with_losses: int = 0
    conversations_rebuilt: int = 0
    entries_kept: int = 0
    entries_lost: int = 0
    sentences: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def report(
    quarantine: str, reason: object, returned: Iterable[Return], refused: list[str], unplaced: list[str]
) -> Repair:
    """`refused` are sentences on conversations that could not be stored, `unplaced` names of other lost rows."""
    back = list(returned)
    whole = [each for each in back if each.whole]
    rebuilt = [each for each in back if each.rebuilt]
    losses = [each for each in back if not each.whole and not each.rebuilt]
    kept, lost = sum(each.count.kept for each in back), sum(each.count.lost for each in back)
    sentences = [
        f"The database was damaged: {reason}.",
        f"{many(len(whole), 'conversation')} came back whole, {len(losses)} with losses, {len(rebuilt)} rebuilt.",
        f"{many(kept, 'entry', 'entries')} kept, {lost} known to be lost."
        + (" A note stands in place of each." if lost else ""),
        *(_sentence(each) for each in back if not each.whole),
        *refused,
    ]
    if unplaced:
        sentences.append(f"Lost, or without a conversation they belong to: {', '.join(unplaced)}.")
    sentences.append(f"What was found is kept at {quarantine} and is never removed by Baton.")
    return Repair(quarantine, len(whole), len(losses), len(rebuilt), kept, lost, tuple(sentences))


def _sentence(each: Return) -> str:
    conversation = each.bundle.conversation
    gaps = [f"{_range(gap)} of session {session_id}" for session_id, found in each.count.gaps.items() for gap in found]
    lost = [*gaps, *each.lost]
    verb = "was rebuilt" if each.rebuilt else "has losses"
    return f"Conversation {conversation.id} ({conversation.title}) {verb}" + (f": {', '.join(lost)}." if lost else ".")


def _range(gap: list[int]) -> str:
    first, last = gap
    return f"entry {first}" if first == last else f"entries {first} to {last}"


def many(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"
