"""Baton's own long work as an editor shows it: a compression, a handoff, a model that is being pulled.

A compression is sent in the protocol's own form to clients that know it, and to others as a tool call of kind `think`.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from baton.core.agent import event as events
from baton.core.agent.message import Usage
from baton.surfaces.acp import updates
from baton.surfaces.shared.wording import describe_compression_end, describe_context, describe_cost, describe_kept
from baton.surfaces.words import editor as texts
from baton.surfaces.words.work import NARRATIVE_COST

if TYPE_CHECKING:
    from baton.surfaces.acp.client import Line


class LongWork:
    """`summary` is that of the last compression, for clients that show it."""

    def __init__(self, line: Line, summary: Callable[[], Awaitable[str]]) -> None:
        self._line = line
        self._summary = summary
        self._compression = ""
        self._handoff = ""
        self._pulling = ""
        self._words = ""
        self._narrative = Usage()

    def start_compression(self, event: events.CompressionStarted) -> None:
        self._compression = _new_id("compression")
        if self._line.can.compaction:
            self._line.send(updates.compaction(self._compression, "in_progress"))
        else:
            words = texts.COMPRESSING.format(tokens=event.tokens, window=event.window, kept=describe_kept(event.kept))
            self._line.send(updates.own_work(self._compression, texts.COMPRESS, "in_progress", words))

    def continue_compression(self) -> None:
        if not self._compression:
            return
        if self._line.can.compaction:
            self._line.send(updates.compaction(self._compression, "in_progress"))
        else:
            self._line.send(updates.own_work_update(self._compression, "in_progress"))

    async def end_compression(self, event: events.CompressionEnded) -> None:
        compression, self._compression = self._compression, ""
        if not compression:
            return
        if self._line.can.compaction:
            done = event.outcome in ("compressed", "lossy")
            summary = await self._summary() if done else ""
            self._line.send(updates.compaction(compression, event.outcome, summary=summary, error=event.error))
        else:
            self._line.send(describe_compression(compression, event, first=False))

    def start_handoff(self, event: events.HandoffStarted) -> None:
        self._handoff, self._words, self._narrative = (
            _new_id("handoff"),
            texts.HAND_OFF_BECAUSE.format(because=event.because),
            Usage(),
        )
        self._line.send(updates.own_work(self._handoff, texts.HAND_OFF, "in_progress", self._words))

    def continue_handoff(self, event: events.HandoffStep) -> None:
        if self._handoff:
            words = texts.HAND_OFF_STEP.format(because=self._words, step=event.step) if event.step else ""
            self._line.send(updates.own_work_update(self._handoff, "in_progress", words))

    def keep_cost(self, event: events.PacketWritten) -> None:
        """The packet is shown when it is reviewed or used; what it cost, with the end of the work."""
        self._narrative = event.usage

    def end_handoff(self, event: events.HandoffEnded) -> None:
        if self._handoff:
            words = event.error or texts.HANDED_OFF.format(because=self._words, path=event.path, tokens=event.tokens)
            if (cost := describe_cost(self._narrative)) and not event.error:
                words += f"\n{NARRATIVE_COST.format(cost=cost)}"
            output: dict[str, object] = {
                "outcome": event.outcome,
                "packetPath": event.path,
                "tokens": event.tokens,
                **usage_json(self._narrative),
            }
            if event.after:
                words += f"\n{describe_context(event.before, event.after)}"
                output |= {"preTokens": event.before, "postTokens": event.after}
            status = "failed" if event.outcome == "failed" else "completed"
            self._line.send(updates.own_work_update(self._handoff, status, words, output))
            self._handoff = ""

    def show_pull(self, words: str) -> None:
        """An empty text means that the model is here."""
        if words and not self._pulling:
            self._pulling = _new_id("pull")
            self._line.send(updates.own_work(self._pulling, texts.PULL, "in_progress", words))
        elif words:
            self._line.send(updates.own_work_update(self._pulling, "in_progress", words))
        elif self._pulling:
            self._line.send(updates.own_work_update(self._pulling, "completed"))
            self._pulling = ""

    def repeat(self) -> bool:
        """Repeats that what is shown still runs; False if nothing is shown."""
        for work_id in filter(None, (self._handoff, self._pulling)):
            self._line.send(updates.own_work_update(work_id, "in_progress"))
            return True
        if self._compression:
            self.continue_compression()
        return bool(self._compression)

    def close_open(self) -> None:
        """Shows what was cut off as cancelled or failed."""
        if self._compression and self._line.can.compaction:
            self._line.send(updates.compaction(self._compression, "cancelled"))
        elif self._compression:
            self._line.send(updates.own_work_update(self._compression, "failed"))
        for work_id in filter(None, (self._handoff, self._pulling)):
            self._line.send(updates.own_work_update(work_id, "failed"))
        self._compression = self._handoff = self._pulling = ""


def describe_compression(work_id: str, event: events.CompressionEnded, *, first: bool) -> dict[str, object]:
    """How a compression ended, for a client without `session.compaction`."""
    words = describe_compression_end(event)
    output = {
        "outcome": event.outcome,
        "preTokens": event.before,
        "postTokens": event.after,
        "durationMs": round(event.seconds * 1000),
        **usage_json(event.usage),
    }
    status = "completed" if event.outcome in ("compressed", "lossy") else "failed"
    if first:
        return updates.own_work(work_id, texts.COMPRESS, status, words, output)
    return updates.own_work_update(work_id, status, words, output)


def usage_json(usage: Usage) -> dict[str, object]:
    """What the provider counted, if it said so."""
    if not (usage.input or usage.output):
        return {}
    counted = {"inputTokens": usage.input, "cachedReadTokens": usage.cached, "outputTokens": usage.output}
    return {"usage": {**counted, **({} if usage.cost is None else {"cost": usage.cost})}}


def _new_id(noun: str) -> str:
    return f"{noun}-{os.urandom(6).hex()}"
