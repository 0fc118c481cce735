"""One conversation taken through n handoffs by every arm, and each document scored."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from baton.core.agent.tokens import estimate
from baton.core.log import entry as kinds
from baton.core.log.entry import Entry, NewEntry, encode_body, entry
from baton.ports.importer import Imported
from bench.continuity.arms import ARMS, Arm, Clean, Compression, Handoff, Truncation
from bench.continuity.dialogue import dialogue
from bench.continuity.folding import MESSAGE
from bench.continuity.metrics import NOTHING, Score, score
from bench.continuity.planted import Planted
from bench.continuity.truth import AHEAD, Truth, truth

SOURCE = "source"
"""The summaries that the source itself wrote at its own cuts."""
_TURNS = (kinds.TURN_ENDED, kinds.TURN_INTERRUPTED)
_OURS = (kinds.USER, kinds.ASSISTANT, kinds.TOOL_CALL, kinds.TOOL_RESULT, kinds.NOTE, *_TURNS)


@dataclass(slots=True)
class Session:
    """The scores of one conversation: by arm, one a handoff. `real` are those at the source's own cuts."""

    name: str
    entries: int
    id: str = ""
    said: tuple[str, ...] = ()
    scores: dict[str, list[Score]] = field(default_factory=dict)
    real: dict[str, list[Score]] = field(default_factory=dict)
    same_bytes: dict[str, bool] = field(default_factory=dict)
    packets: list[str] = field(default_factory=list)
    truth: Truth | None = None
    """At the end."""
    skipped: dict[str, int] = field(default_factory=dict)


class Conversation:
    """What happened, without what any program wrote about it: no packet, no summary."""

    def __init__(self, imported: Imported) -> None:
        self.imported = imported
        self.entries: list[NewEntry] = []
        self.summaries: dict[int, str] = {}
        places: list[int] = []
        for each in imported.entries:
            places.append(len(self.entries))
            if each.kind in _OURS:
                self.entries.append(each)
            elif each.kind == kinds.COMPRESSION and each.data.get("foreign"):
                self.summaries[len(self.entries)] = str(each.data.get("summary", ""))
        places.append(len(self.entries))
        self.cuts = sorted({places[cut] for cut in imported.cuts if places[cut] > 0})

    def equal_cuts(self, count: int) -> list[int]:
        """`count` cuts, the last at the end, each moved on to where no call waits for its result."""
        return [self._boundary(len(self.entries) * number // count) for number in range(1, count + 1)]

    def _boundary(self, index: int) -> int:
        while index < len(self.entries) and self.entries[index].kind not in (kinds.USER, kinds.ASSISTANT):
            index += 1
        return index

    def generation(self, number: int, start: int, end: int) -> list[Entry]:
        session = f"20260101_{number:06d}_{number:06x}"
        return [
            entry(session, seq, each.kind, each.at or 0, each.tokens, encode_body(dict(each.data)))
            for seq, each in enumerate(self.entries[start:end], 1)
        ]


class Runner:
    """Takes conversations through the arms. `clean` is what takes secrets out of the product's packets."""

    def __init__(self, handoffs: int, clean: Clean = str, arms: Callable[[Clean], list[Arm]] | None = None) -> None:
        self._handoffs = handoffs
        self._arms = (arms or make_arms)(clean)

    def run(self, name: str, imported: Imported, planted: Planted = NOTHING) -> Session:
        conversation = Conversation(imported)
        said = tuple(str(each.data["text"])[:MESSAGE] for each in conversation.entries if each.kind == kinds.USER)
        done = Session(name, len(conversation.entries), imported.id, said, skipped=dict(imported.skipped))
        cuts = conversation.equal_cuts(self._handoffs)
        documents = self._documents(conversation, cuts)
        again = self._documents(conversation, cuts)
        done.scores = _scored(conversation, cuts, documents, planted)
        done.same_bytes = {arm: documents[arm] == again[arm] for arm in documents}
        done.packets = documents.get(ARMS[0], [])
        done.truth = truth(conversation.entries, planted.canaries)
        if conversation.cuts:
            real = self._documents(conversation, conversation.cuts)
            if all(cut in conversation.summaries for cut in conversation.cuts):
                real[SOURCE] = [conversation.summaries[cut] for cut in conversation.cuts]
            done.real = _scored(conversation, conversation.cuts, real, planted)
        return done

    def _documents(self, conversation: Conversation, cuts: Sequence[int]) -> dict[str, list[str]]:
        made: dict[str, list[str]] = {arm.name: [] for arm in self._arms}
        for arm in self._arms:
            arm.start(conversation.imported)
        start = 0
        for number, cut in enumerate(cuts, 1):
            entries = conversation.generation(number, start, cut)
            for arm in self._arms:
                made[arm.name].append(arm.hand_off(entries))
            start = cut
        return made


def longest(sessions: Sequence[Session]) -> list[Session]:
    """Of files that hold one session up to different moments, only the longest counts."""
    return [each for each in sessions if not any(_goes_on(other, each) for other in sessions)]


def _goes_on(longer: Session, shorter: Session) -> bool:
    begins = longer.said[: len(shorter.said)] == shorter.said
    return longer.id == shorter.id and begins and longer.entries > shorter.entries


def make_arms(clean: Clean) -> list[Arm]:
    """Baton's packet is cleaned as the product cleans it; the others carry what they carry."""
    handoff = _Measured(Handoff(clean))
    return [handoff, Compression(lambda: handoff.tokens), Truncation(lambda: handoff.size)]


class _Measured:
    """An arm that remembers how long its last document was."""

    def __init__(self, arm: Arm) -> None:
        self._arm = arm
        self.name = arm.name
        self.size = self.tokens = 0

    def start(self, imported: Imported) -> None:
        self._arm.start(imported)

    def hand_off(self, entries: Sequence[Entry]) -> str:
        document = self._arm.hand_off(entries)
        self.size, self.tokens = len(document), estimate(document)
        return document


def _scored(
    conversation: Conversation, cuts: Sequence[int], documents: dict[str, list[str]], planted: Planted
) -> dict[str, list[Score]]:
    scores: dict[str, list[Score]] = {arm: [] for arm in documents}
    generations = [
        conversation.generation(number, start, end) for number, (start, end) in enumerate(pairwise([0, *cuts]), 1)
    ]
    for number, cut in enumerate(cuts):
        after = conversation.entries[cut:]
        known = truth(conversation.entries[:cut], planted.canaries, after)
        before = cuts[number - 1] if number else 0
        then = dialogue(after[:AHEAD])
        for arm, made in documents.items():
            sources = generations[: number + 1] if arm == ARMS[0] else ()
            scores[arm].append(score(made[number], known, before, planted, then, sources))
    return scores
