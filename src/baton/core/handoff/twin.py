"""The twin of a packet: what programs read of it, as JSON beside the text that people and models read.

It is written once, with its packet. A draft that you edit gets a packet with a twin of its own, marked `edited`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from baton.core.agent.message import Usage
from baton.core.handoff import score as scores
from baton.core.handoff.checkpoint import Checkpoint
from baton.core.handoff.ledger import fact as facts
from baton.core.handoff.ledger.fact import Ledger
from baton.core.handoff.narration.narrative import Narrative, Struck
from baton.core.handoff.packet import Packet
from baton.core.handoff.score import Score
from baton.core.handoff.workspace import Snapshot
from baton.core.log.payload_json import read_usage
from baton.core.value import asdict, value

VERSION = 1


@value
class Twin:
    """`entries` is how many of the session's entries the packet covers; `removed` are the kinds of secrets taken out.
    `score` stays in its JSON form: it is shown and never computed with. Ledger and snapshot are read when asked for.
    """

    session: str
    because: str
    entries: int
    path: str
    edited: bool
    removed: tuple[str, ...]
    score: Mapping[str, Any]
    data: Mapping[str, Any]

    @property
    def ledger(self) -> Ledger:
        return facts.from_json(self.data["ledger"])

    @property
    def snapshot(self) -> Snapshot:
        return Snapshot.from_dict(self.data["snapshot"])

    @property
    def struck(self) -> tuple[Struck, ...]:
        """What was taken out of the narrative; packets of 0.1 only have the number."""
        rows: object = self.data.get("struck")
        if not isinstance(rows, list):
            return ()
        held = cast("list[Mapping[str, Any]]", rows)
        return tuple(Struck(str(row.get("sentence", "")), str(row.get("reason", ""))) for row in held)

    @property
    def usage(self) -> Usage | None:
        """What the narrative cost; None if nobody counted."""
        found = read_usage(self.data.get("usage"))
        return found if found != Usage() else None

    @property
    def refused(self) -> str:
        """What the model suggested as rules and could not be taken, in a sentence."""
        return str(self.data.get("refused") or "")


def twin_of(packet: Packet) -> Twin:
    data = json.loads(packet.ledger)
    return Twin(
        session=str(data.get("session", "")),
        because=str(data.get("because") or ""),
        entries=int(data.get("entries", 0)),
        path=str(data.get("path", "")),
        edited=bool(data.get("edited")),
        removed=tuple(map(str, data.get("removed", ()))),
        score=data.get("score") or {},
        data=data,
    )


def twin_json(
    *,
    session: str,
    because: str,
    entries: int,
    ledger: Ledger,
    snapshot: Snapshot,
    score: Score,
    checkpoint: Checkpoint | None,
    narrative: Narrative,
    usage: Usage,
    removed: Sequence[str],
) -> dict[str, Any]:
    """The JSON of a new packet's twin, before secrets are taken out of it and its path is known."""
    return {
        "version": VERSION,
        "session": session,
        "because": because,
        "ledger": facts.to_json(ledger),
        "snapshot": snapshot.as_dict(),
        "score": scores.to_json(score),
        "checkpoint": checkpoint.as_dict() if checkpoint else None,
        "struck": [{"sentence": each.sentence, "reason": each.reason} for each in narrative.struck],
        "refused": narrative.refused,
        "usage": asdict(usage),
        "removed": list(removed),
        "entries": entries,
    }
