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
from baton.core.handoff.packet import Packet
from baton.core.handoff.twin import twin_of
from baton.core.handoff.workspace import Snapshot
from baton.core.log import entry as kinds
from baton.core.log.payloads import PacketOpening, WorkspaceVerified, payload
from baton.core.value import replace
from baton.engine.aio import in_thread
from baton.engine.handoff.cleaner import Cleaner, name_as_claimed
from baton.engine.handoff.packets import HandoffKit
from baton.engine.turns.toolbox import Toolbox
from baton.engine.turns.writer import SessionWriter

UNVERIFIED = "the workspace could not be compared with the packet yet ({reason}); only reading is allowed"
LIKE = "The workspace is as the packet says: {what}."
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
        claimed, found = await in_thread(_compare, packet, kit, writer.conversation_id)
    except (BatonError, OSError) as error:
        toolbox.lock(UNVERIFIED.format(reason=one_line(str(error), 200)))
        emit(Noticed("unverified", UNVERIFIED.format(reason=one_line(str(error), 200))))
        return
    text = f"{found.report()}\n{INSTRUCTION}" if found else LIKE.format(what=_what(claimed))
    told = found.as_dict()
    await writer.record(WorkspaceVerified(packet.id, text, told["drift"], told["count"], tuple(told["differences"])))
    if found:
        emit(Noticed("drift", found.report()))
        if toolbox.mode == approval.UNATTENDED:
            raise DriftFound(reason="; ".join(each.sentence.rstrip(".") for each in found.differences[:5]))


async def first_look(writer: SessionWriter, kit: HandoffKit) -> tuple[str, str]:
    """What a comparison finds now, as a notice's code and text; nothing is recorded."""
    opening = _packet_opening(writer)
    packet = await in_thread(writer.store.packets.get, opening.packet if opening else "")
    claimed, found = await in_thread(_compare, packet, kit, writer.conversation_id)
    return ("drift", found.report()) if found else ("verified", LIKE.format(what=_what(claimed)))


def _what(claimed: Snapshot) -> str:
    """`branch main at 4f2c91a03b, 7 changed files, 2 files of evidence`"""
    facts = claimed.facts
    where = (
        f"branch {one_line(facts.branch, 100) or '(detached)'} at {facts.head[:10] or 'no commit'}"
        if facts.is_git
        else "no repository"
    )
    changed = len({*facts.dirty} & {mark.path for mark in claimed.marks}) if facts.is_git else len(claimed.marks)
    files, evidence = ("file" if count == 1 else "files" for count in (changed, len(claimed.evidence)))
    told = [f"{changed} {'changed ' if facts.is_git else ''}{files}"] if changed else []
    return ", ".join([where, *told, *([f"{len(claimed.evidence)} {evidence} of evidence"] if claimed.evidence else [])])


def _compare(packet: Packet, kit: HandoffKit, conversation_id: str) -> tuple[Snapshot, Drift]:
    """Names that hold a secret are compared without it, as the packet has them, and reported without it."""
    claimed = twin_of(packet).snapshot
    live = kit.workspace.snapshot(*([mark.path for mark in marks] for marks in (claimed.marks, claimed.evidence)))
    old, new = claimed.facts.head, live.facts.head
    between = kit.workspace.between(old, new) if old and new and old != new else None
    found = drift.compare(claimed, live, between)
    if not found:
        return claimed, found
    cleaner = Cleaner(kit.redactor(conversation_id))
    named = between and replace(between, paths=tuple(map(cleaner.clean, between.paths)))
    then, now = cleaner.clean_snapshot(claimed), cleaner.clean_snapshot(live)
    return claimed, drift.compare(then, name_as_claimed(now, then), named)
