"""Before the first turn of a fresh session: is the workspace what the packet says?

Until this has run, tools that change anything are locked. What it finds is an entry of the session, for the model and
for people, so it is reported once and survives a restart.
"""

from __future__ import annotations

from baton.core.agent import approval
from baton.core.agent.event import Emit, Noticed
from baton.core.display import one_line
from baton.core.errors import BatonError, DriftFound
from baton.core.handoff import drift
from baton.core.handoff.drift import Drift
from baton.core.handoff.next_action import next_action
from baton.core.handoff.packet import Packet
from baton.core.handoff.twin import twin_of
from baton.core.handoff.workspace import Snapshot
from baton.core.log import entry as kinds
from baton.core.log.payloads import PacketOpening, WorkspaceVerified, payload
from baton.core.value import replace
from baton.engine.aio import in_thread
from baton.engine.handoff.cleaner import Cleaner, name_as_claimed
from baton.engine.handoff.packets import HandoffKit
from baton.engine.handoff.sealing import seal_alike
from baton.engine.turns.toolbox import Toolbox
from baton.engine.turns.writer import SessionWriter

UNVERIFIED = "the workspace could not be compared with the packet yet ({reason}); only reading is allowed"
LIKE = "The workspace is as the packet says. {match}"
NEXT = "Next: {step}"
VERIFIED = "verified"
_STEP = 300
INSTRUCTION = "Look at the live state of what changed before you edit anything."


def unverified_packet(writer: SessionWriter) -> PacketOpening | None:
    """The packet that the session began from, if nobody has compared it with the workspace yet."""
    opening = _packet_opening(writer)
    looks = (entry for entry in writer.entries if entry.kind in (kinds.WORKSPACE_VERIFIED, kinds.NOTE))
    return None if opening is None or any(isinstance(payload(entry), WorkspaceVerified) for entry in looks) else opening


def _packet_opening(writer: SessionWriter) -> PacketOpening | None:
    first = payload(writer.entries[0]) if writer.entries and writer.entries[0].kind == kinds.PACKET else None
    return first if isinstance(first, PacketOpening) else None


async def verify(writer: SessionWriter, kit: HandoffKit, toolbox: Toolbox, emit: Emit) -> None:
    """Compares once. Raises `DriftFound` if an unattended session finds differences: a person has to look first."""
    first = unverified_packet(writer)
    if first is None:
        return
    try:
        packet = await in_thread(writer.store.packets.get, first.packet)
        claimed, found = await in_thread(_compare, packet, kit, writer)
    except (BatonError, OSError) as error:
        toolbox.lock(UNVERIFIED.format(reason=one_line(str(error), 200)))
        emit(Noticed("unverified", UNVERIFIED.format(reason=one_line(str(error), 200))))
        return
    match = describe_match(claimed)
    text = f"{found.report()}\n{INSTRUCTION}" if found else LIKE.format(match=match)
    told = found.as_dict()
    await writer.record(WorkspaceVerified(packet.id, text, told["drift"], told["count"], tuple(told["differences"])))
    if found:
        emit(Noticed("drift", found.report()))
        if toolbox.mode == approval.UNATTENDED:
            raise DriftFound(reason="; ".join(each.sentence.rstrip(".") for each in found.differences[:5]))
    elif first.turn:  # a person who started the session has been told already
        emit(Noticed(VERIFIED, _with_next_step(match, packet)))


async def first_look(writer: SessionWriter, kit: HandoffKit) -> tuple[str, str]:
    """What a comparison finds now, as a notice's code and text; nothing is recorded."""
    opening = _packet_opening(writer)
    packet = await in_thread(writer.store.packets.get, opening.packet if opening else "")
    claimed, found = await in_thread(_compare, packet, kit, writer)
    return ("drift", found.report()) if found else (VERIFIED, _with_next_step(describe_match(claimed), packet))


def describe_match(claimed: Snapshot) -> str:
    """`HEAD 4f2c91a on main and the 7 changed files match the packet; the 2 logs it names are there.`"""
    facts, logs = claimed.facts, len(claimed.evidence)
    changed = len({*facts.dirty} & {mark.path for mark in claimed.marks}) if facts.is_git else len(claimed.marks)
    head = f"HEAD {facts.head[:7] or '(no commit)'} on {one_line(facts.branch, 100) or 'no branch'}"
    parts = [*([head] if facts.is_git else []), *([_name_files(changed, facts.is_git)] if changed else [])]
    many = len(parts) == 2 or (not facts.is_git and changed > 1)
    told = f"{' and '.join(parts) or 'the workspace'} {'match' if many else 'matches'} the packet"
    there = f"; the {f'{logs} logs it names are' if logs > 1 else 'log it names is'} there" if logs else ""
    return f"{told[0].upper()}{told[1:]}{there}."


def _name_files(count: int, changed: bool) -> str:
    files = f"{'changed ' if changed else ''}file"
    return f"the {files}" if count == 1 else f"the {count} {files}s"


def _with_next_step(text: str, packet: Packet) -> str:
    """What was compared, then what comes next according to the record."""
    step = one_line(next_action(twin_of(packet).ledger).for_you, _STEP)
    return f"{text}\n{NEXT.format(step=step)}" if step else text


def _compare(packet: Packet, kit: HandoffKit, writer: SessionWriter) -> tuple[Snapshot, Drift]:
    """Names that hold a secret are compared without it, as the packet has them, and reported without it."""
    claimed = twin_of(packet).snapshot
    live = kit.workspace.snapshot(*([mark.path for mark in marks] for marks in (claimed.marks, claimed.evidence)))
    live = seal_alike(writer.store, live, claimed)
    old, new = claimed.facts.head, live.facts.head
    between = kit.workspace.between(old, new) if old and new and old != new else None
    found = drift.compare(claimed, live, between)
    if not found:
        return claimed, found
    cleaner = Cleaner(kit.redactor(writer.conversation_id))
    named = between and replace(between, paths=tuple(map(cleaner.clean, between.paths)))
    then, now = cleaner.clean_snapshot(claimed), cleaner.clean_snapshot(live)
    return claimed, drift.compare(then, name_as_claimed(now, then), named)
