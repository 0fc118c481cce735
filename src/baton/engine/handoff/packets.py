"""Writing a packet: facts by program, a narrative by the model if it can, secrets removed, measured, stored.

Nothing here changes the conversation. A packet is complete without a model, and is refused rather than leak a secret.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from baton.core.agent.message import Usage
from baton.core.agent.tokens import estimate
from baton.core.errors import BatonError
from baton.core.handoff import packet_text, policy, score
from baton.core.handoff.checkpoint import Checkpoint
from baton.core.handoff.ledger import fact as facts
from baton.core.handoff.ledger.fact import Ledger
from baton.core.handoff.ledger.merge import gather
from baton.core.handoff.narration.narrative import Narrative
from baton.core.handoff.narration.rules import admit_nominations
from baton.core.handoff.next_action import next_action
from baton.core.handoff.packet import Packet
from baton.core.handoff.packet_text import Rendered, Scene
from baton.core.handoff.policy import Findings, Policy
from baton.core.handoff.retention import Retention
from baton.core.handoff.score import Score
from baton.core.handoff.twin import twin_json, twin_of
from baton.core.handoff.workspace import Snapshot, repo_lines
from baton.core.log import entry as kinds
from baton.core.log.entry import Entry
from baton.core.log.payloads import PacketOpening, payload
from baton.core.log.pins import PIN_KINDS
from baton.core.log.session import Session
from baton.core.value import replace, value
from baton.engine.aio import in_thread
from baton.engine.handoff.cleaner import Cleaner
from baton.engine.handoff.narrator import Narrator, Pace
from baton.engine.handoff.pruning import prune_quietly
from baton.engine.handoff.sealing import seal
from baton.ports.artifacts import Artifacts
from baton.ports.model import Model
from baton.ports.redactor import Redactor
from baton.ports.store import Store
from baton.ports.workspace import LiveWorkspace

Say = Callable[[str], None]
NO_MODEL = "no model was asked"
_LEAST = 800


@value
class HandoffKit:
    """What a handoff needs besides the model and the store. `redactor` knows what a conversation has shown; `risk` says
    what is risky about a text, if anything.
    """

    workspace: LiveWorkspace
    redactor: Callable[[str], Redactor]
    artifacts: Artifacts
    risk: Callable[[str], str]
    policy: Policy = Policy()
    prompt: str = ""
    budget: int = packet_text.BUDGET
    pace: Pace = Pace()
    tools: tuple[str, ...] = ()
    retention: Retention = Retention()


@value
class Written:
    """A packet that is stored and saved. `doubts` are the reasons not to continue from it unless you say yes, `usage`
    is what its narrative cost.
    """

    packet: Packet
    score: Score
    path: str
    findings: Findings
    doubts: tuple[str, ...]
    secrets: int = 0
    checkpoint: str = ""
    usage: Usage = Usage()


@value
class _Material:
    """Everything a packet is made from."""

    past: History
    ledger: Ledger
    snapshot: Snapshot
    checkpoint: Checkpoint | None
    unsaved: str
    because: str
    told: Narrative = Narrative(missing=NO_MODEL)
    spent: Usage = Usage()


class PacketWriter:
    """`model` may be None: then the narrative is missing and says so."""

    def __init__(self, store: Store, kit: HandoffKit, model: Model | None, say: Say = lambda _: None) -> None:
        self._store = store
        self._kit = replace(kit, budget=_budget(kit.budget, model))
        self._model = model
        self._say = say

    async def write(self, session_id: str, because: str, held: Sequence[Entry] = ()) -> Written:
        """A packet of the conversation as it is now. Raises `HandoffError` or what the store raises. `held` are the
        session's entries as far as whoever owns the conversation has them in memory.
        """
        self._say("taking the facts")
        cleaner = Cleaner(await in_thread(self._redactor, session_id))
        found = await in_thread(self._look, session_id, because, cleaner, held)
        if self._model is not None:
            told, spent = await self._narrative(self._model, found, cleaner)
            found = replace(await in_thread(_take_narrative, found, told, cleaner), spent=spent)
        self._say("writing the packet")
        written = await in_thread(self._keep, found, cleaner)
        if found.checkpoint is not None:
            await in_thread(prune_quietly, self._store, self._kit.workspace, self._kit.retention)
        return written

    def _redactor(self, session_id: str) -> Redactor:
        return self._kit.redactor(self._store.sessions.get(session_id).conversation_id)

    def _look(self, session_id: str, because: str, cleaner: Cleaner, held: Sequence[Entry]) -> _Material:
        past = history(self._store, session_id, held)
        checkpoint, unsaved = self._checkpoint(session_id, because)
        ledger = gather(past.entries, past.carried, cleaner.clean)
        evidence = [str(fact.data["log"]) for fact in ledger.facts if fact.data.get("log")]
        changed = [fact.text for fact in ledger.of(facts.FILE)]
        live = self._kit.workspace.snapshot(evidence=evidence, mentioned=changed)
        snapshot = cleaner.clean_snapshot(seal(self._store, live))
        return _Material(past, ledger, snapshot, checkpoint, cleaner.clean(unsaved), because)

    def _checkpoint(self, session_id: str, because: str) -> tuple[Checkpoint | None, str]:
        try:
            return self._kit.workspace.checkpoint(f"Handoff: {because}", session_id), ""
        except BatonError as error:
            return None, error.parts()[0]

    async def _narrative(self, model: Model, found: _Material, cleaner: Cleaner) -> tuple[Narrative, Usage]:
        narrator = Narrator(model, self._kit.prompt, self._kit.pace, self._say)
        told = await narrator.tell(found.past.entries, found.ledger, _present_paths(found.snapshot), cleaner)
        return told, narrator.spent

    def _keep(self, found: _Material, cleaner: Cleaner) -> Written:
        drawn = packet_text.render(found.ledger, _scene(found, self._kit, cleaner), found.told, self._kit.budget)
        rendered = _clean_again(drawn, cleaner)
        scored = score.measure(
            found.ledger if rendered is drawn else cleaner.clean_ledger(found.ledger),
            rendered.markdown,
            rendered.tokens,
            self._kit.budget,
            len(found.told.struck),
            narrative=not found.told.missing,
        )
        head = found.past.chain[-1]
        twin = _twin(found, scored, cleaner)
        rendered = _clean_again(rendered, cleaner)
        cleaner.check(rendered.markdown)
        path = self._kit.artifacts.write(head.id, rendered.markdown, twin)
        packet = self._store.packets.add(head.id, rendered.markdown, {**twin, "path": path}, rendered.tokens)
        findings = _findings(found, scored, self._kit.risk)
        doubts = policy.objections(self._kit.policy, findings)
        kept = found.checkpoint.ref if found.checkpoint else ""
        return Written(packet, scored, path, findings, doubts, len(cleaner.kinds()), kept, found.spent)


def _budget(tokens: int, model: Model | None) -> int:
    """A packet is at most a third of a small model's window: the work needs the rest."""
    return min(tokens, max(_LEAST, model.window // 3)) if model else tokens


def _clean_again(rendered: Rendered, cleaner: Cleaner) -> Rendered:
    """As a whole: parts that are clean may hold a secret together, or one that was recognised only in a later part."""
    if not cleaner.leaks(rendered.markdown):
        return rendered
    markdown = cleaner.clean(rendered.markdown)
    return Rendered(markdown, estimate(markdown))


def _scene(found: _Material, kit: HandoffKit, cleaner: Cleaner) -> Scene:
    head, facts_ = found.past.chain[-1], found.snapshot.facts
    kept = f"{found.checkpoint.ref} ({found.checkpoint.sha[:12]})" if found.checkpoint else ""
    return Scene(
        workspace=cleaner.clean(facts_.root),
        repo=tuple(cleaner.clean(line) for line in repo_lines(facts_)),
        model=head.model,
        tools=kit.tools,
        conversation_id=head.conversation_id,
        session_id=head.id,
        chain=tuple(session.id for session in found.past.chain),
        checkpoint=cleaner.clean(kept or (f"none: {found.unsaved}" if found.unsaved else "")),
        reason=cleaner.clean(found.because.replace("You asked", "The person asked", 1)),
        removed=cleaner.kinds(),
    )


def _twin(found: _Material, scored: Score, cleaner: Cleaner) -> dict[str, Any]:
    head = found.past.chain[-1]
    made = twin_json(
        session=head.id,
        because=found.because,
        entries=head.entries,
        ledger=found.ledger,
        snapshot=found.snapshot,
        score=scored,
        checkpoint=found.checkpoint,
        narrative=found.told,
        usage=found.spent,
        removed=cleaner.kinds(),
    )
    return cleaner.clean_all(made)


def _findings(found: _Material, scored: Score, assess: Callable[[str], str]) -> Findings:
    waits = (fact.text for fact in found.ledger.of(facts.PENDING) if not fact.data.get("started"))
    risk = assess(next_action(found.ledger).asks) or assess(found.told.next_action)
    return Findings(tuple(scored.shortfalls()), next(waits, ""), risk, found.unsaved)


def _take_narrative(found: _Material, told: Narrative, cleaner: Cleaner) -> _Material:
    """With the rules that the model named and the person really said: the ledger is taken again, so that one that was
    dropped by hand stays dropped.
    """
    entries, carried = found.past.entries, found.past.carried
    admission = admit_nominations(told.rules, entries, lambda text: bool(cleaner.leaks(text)), carried)
    ledger = gather(entries, carried, cleaner.clean, admission.rules) if told.names_rules else found.ledger
    return replace(found, ledger=ledger, told=replace(told, refused=admission.tell()))


def _present_paths(snapshot: Snapshot) -> set[str]:
    """Changed files that the workspace shows: a narrative may speak of them."""
    facts_ = snapshot.facts
    changed = (*facts_.staged, *facts_.unstaged, *facts_.untracked, *facts_.conflicted)
    return {*changed, *(mark.path for mark in snapshot.marks)}


@value
class History:
    """`carried` is the ledger of the packet the work began from, `entries` are those since, oldest first."""

    carried: Ledger
    packet: Packet | None
    entries: tuple[Entry, ...]
    chain: tuple[Session, ...]


def history(store: Store, session_id: str, held: Sequence[Entry] = ()) -> History:
    """Walks the lineage back to the last packet, through splits and forks. What is `held` of the newest session is not
    read again if it is all of it: entries never change.
    """
    chain = store.sessions.chain(session_id)
    gathered: list[list[Entry]] = []
    upto: int | None = None
    packet: Packet | None = None
    for session in reversed(chain):
        known = session.id == session_id and len(held) == session.entries
        entries = list(held) if known else store.entries.load(session.id, limit=upto)
        upto = session.parent_seq
        gathered.append(_own(session, entries))
        opening = payload(entries[0]) if entries and entries[0].kind == kinds.PACKET and not entries[0].copied else None
        if isinstance(opening, PacketOpening):
            packet = store.packets.get(opening.packet)
            break
    carried = twin_of(packet).ledger if packet else Ledger()
    return History(carried, packet, tuple(_join(gathered)), tuple(chain))


def _own(session: Session, entries: list[Entry]) -> list[Entry]:
    """Without copies of what an earlier session holds; the first session of all has none."""
    if session.parent_id is None:
        return entries
    return [entry for entry in entries if entry.kind in PIN_KINDS or not entry.copied]


def _join(newest_first: list[list[Entry]]) -> Iterator[Entry]:
    for entries in reversed(newest_first):
        yield from entries
