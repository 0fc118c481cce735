"""What is compared: Baton's handoff, its own compression without a model, and plain truncation."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Protocol

from baton.core.agent.message import AssistantMessage, Message, ToolMessage
from baton.core.handoff import compression as rules
from baton.core.handoff import score as quality
from baton.core.handoff.compression_text import render as render_kept
from baton.core.handoff.ledger.fact import Ledger, from_json, to_json
from baton.core.handoff.ledger.merge import gather
from baton.core.handoff.narration.narrative import Narrative
from baton.core.handoff.packet_text import BUDGET, Rendered, Scene, render
from baton.core.log import context as contexts
from baton.core.log import entry as kinds
from baton.core.log import payloads
from baton.core.log.entry import Entry, encode_body, entry
from baton.ports.importer import Imported

HANDOFF = "handoff"
COMPRESSION = "compression"
TRUNCATION = "truncation"
ARMS = (HANDOFF, COMPRESSION, TRUNCATION)

Clean = Callable[[str], str]


class Arm(Protocol):
    name: str

    def start(self, imported: Imported) -> None:
        """Forgets everything: another conversation begins."""
        ...

    def hand_off(self, entries: Sequence[Entry]) -> str:
        """The document after one more handoff, at the end of these entries."""
        ...


class Handoff:
    """A chain of packets: each is made from the ledger before it and the entries since."""

    name = HANDOFF

    def __init__(self, clean: Clean = str) -> None:
        self._clean = clean
        self.start(Imported("", "", "", ()))

    def start(self, imported: Imported) -> None:
        self._carried: Ledger | None = None
        self._rendered: Rendered | None = None
        self._chain: list[str] = []
        self._workspace = imported.workspace
        self._repo = (f"Branch {imported.branch}",) if imported.branch else ()

    def hand_off(self, entries: Sequence[Entry]) -> str:
        if entries:
            self._chain.append(entries[0].session_id)
        self._carried = _stored(gather(entries, self._carried, self._clean))
        scene = Scene(
            workspace=self._clean(self._workspace),
            repo=tuple(map(self._clean, self._repo)),
            session_id=self._chain[-1] if self._chain else "",
            chain=tuple(self._chain),
        )
        self._rendered = render(self._carried, scene, Narrative(missing="no model takes part in this measurement"))
        return self._rendered.markdown

    def shortfalls(self) -> list[str]:
        """Why the product itself would not hand off automatically with its last packet; empty if it would."""
        if self._carried is None or self._rendered is None:
            return []
        made = self._rendered
        return quality.measure(self._carried, made.markdown, made.tokens, BUDGET).shortfalls()


def _stored(ledger: Ledger) -> Ledger:
    """As the next session finds it: through the packet's machine-readable twin."""
    return from_json(json.loads(json.dumps(to_json(ledger))))


class Compression:
    """The same conversation in one session, compressed in place at each cut by the fallback that needs no model.

    The document is what the model would be sent: what stands for the past, and the tail that is kept. The window is
    as large as makes this compression due, or larger where that would leave it less room than `tokens`.
    """

    name = COMPRESSION

    def __init__(self, tokens: Callable[[], int] = int, clean: Clean = str) -> None:
        self._tokens = tokens
        self._clean = clean
        self.start(Imported("", "", "", ()))

    def start(self, imported: Imported) -> None:
        del imported
        self._entries: list[Entry] = []
        self._seq = 0

    def hand_off(self, entries: Sequence[Entry]) -> str:
        for each in entries:
            self._add(each.kind, each.body)
        due = contexts.project(self._entries).tokens / rules.THRESHOLD
        window = int(max(2_000, due, self._tokens() / (rules.TAIL + rules.SUMMARY)))
        plan = rules.plan(self._entries, window)
        if plan is not None:
            summary = rules.fallback(self._entries, plan, window)
            self._add(kinds.COMPRESSION, encode_body(payloads.to_json(_compression(plan, summary))))
            self._entries = [each for each in self._entries if each.seq >= plan.keep_from]
        return self._clean("\n\n".join(map(spoken, contexts.project(self._entries).messages)))

    def _add(self, kind: str, body: str) -> None:
        self._seq += 1
        self._entries.append(entry("20260101_000000_000000", self._seq, kind, 0, 0, body))


def _compression(plan: rules.Plan, summary: str) -> payloads.Compression:
    """As the engine records it."""
    return payloads.Compression(
        outcome=rules.LOSSY,
        error="",
        seconds=0.0,
        keep_from=plan.keep_from,
        first=plan.kept.first,
        constraints=plan.kept.constraints,
        summary=summary,
        text=render_kept(plan.kept, summary),
        before=plan.before,
        messages=plan.kept.messages,
        dropped=plan.kept.dropped,
    )


class Truncation:
    """Beginning and end of everything so far, as long as Baton's packet at the same cut."""

    name = TRUNCATION

    def __init__(self, size: Callable[[], int], clean: Clean = str) -> None:
        self._size = size
        self._clean = clean
        self._kept = ""

    def start(self, imported: Imported) -> None:
        del imported
        self._kept = ""

    def hand_off(self, entries: Sequence[Entry]) -> str:
        text = "\n\n".join(filter(None, [self._kept, *map(spoken, contexts.to_messages(entries))]))
        half = max(1, self._size() // 2)
        self._kept = text if len(text) <= 2 * half else f"{text[:half]}\n[…]\n{text[-half:]}"
        return self._clean(self._kept)


def spoken(message: Message) -> str:
    """A message as a transcript shows it."""
    if isinstance(message, ToolMessage):
        return f"{message.name} ({'ok' if message.ok else 'failed'}): {message.text}"
    if isinstance(message, AssistantMessage):
        calls = [f"{call.name} {dict(call.args)}" for call in message.calls]
        return "\n".join([*([f"Assistant: {message.text}"] if message.text else []), *calls])
    return f"User: {message.text}"
