"""A story as Baton itself would export it: a lineage of sessions, one after each compaction."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any
from zlib import crc32

from baton.core.ids import new_id, new_session_id
from baton.core.log.conversation import Conversation
from baton.core.log.entry import ASSISTANT, COMPRESSION, TOOL_CALL, TOOL_RESULT, TURN_ENDED, USER, encode_body
from baton.core.log.session import COMPRESSION as SPLIT
from baton.core.log.session import ROOT, Session
from baton.core.value import asdict, replace
from baton.engine.archive import HEADER
from bench.continuity.corpus.claude import APPROVED, answered, form
from bench.continuity.corpus.story import (
    Approved,
    Asked,
    Compacted,
    Interrupted,
    Planned,
    Refused,
    Said,
    Spoke,
    Story,
    Used,
)

_START = 1_793_600_000_000_000
_SECOND = 1_000_000


def baton_lines(story: Story, seed: int) -> Iterator[str]:
    """The lines of the file, without line ends. `baton sessions import` takes them."""
    yield HEADER
    writer = _Writer(story, seed)
    checksum = 0
    for line in writer.lines():
        checksum = crc32(line.encode(), checksum)
        yield line
    end = {"type": "end", "conversation": writer.conversation_id, "entries": writer.count, "checksum": checksum}
    yield encode_body(end)


class _Writer:
    def __init__(self, story: Story, seed: int) -> None:
        self._story = story
        self._dice = random.Random(seed)
        self.conversation_id = new_id("conversation", self._dice.randbytes(12))
        self.count = 0
        self._at = _START
        self._sessions: list[Session] = []
        self._entries: list[str] = []
        self._seq = 0
        self._calls = 0
        self._turns = 0
        self._last: object = None

    def lines(self) -> Iterator[str]:
        self._begin()
        for event in self._story.events:
            self._event(event)
            self._last = event
        self._close_turn()
        self._end(None)
        self.count = len(self._entries)
        head = self._sessions[-1].id
        title = f"Work on {self._story.branch}"
        held = Conversation(
            self.conversation_id, title, self._story.workspace, head, len(self._sessions), _START, self._at
        )
        yield encode_body({"type": "conversation", **_shared(held)})
        for session in self._sessions:
            yield encode_body({"type": "session", **asdict(session)})
        yield from self._entries

    def _begin(self) -> None:
        before = self._sessions[-1] if self._sessions else None
        id_ = new_session_id(self._at, self._dice.randbytes(3))
        edge, reason = (SPLIT, "the context was full") if before else (ROOT, "")
        made = Session(
            id=id_,
            conversation_id=self.conversation_id,
            parent_id=before.id if before else None,
            parent_seq=None,
            root_id=before.root_id if before else id_,
            edge=edge,
            reason=reason,
            depth=len(self._sessions),
            model="test:model",
            started_at=self._at,
            ended_at=None,
            end_reason=None,
            entries=0,
            tokens=0,
        )
        self._sessions.append(made)
        self._seq = 0

    def _end(self, reason: str | None) -> None:
        ended = self._at if reason else None
        self._sessions[-1] = replace(self._sessions[-1], entries=self._seq, ended_at=ended, end_reason=reason)

    def _event(self, event: object) -> None:
        """Noise, subagents, dead branches and moves are Claude Code's: here they leave nothing."""
        match event:
            case Said(text):
                self._close_turn()
                self._turns += 1
                self._add(USER, {"text": text, "turn": f"turn_{self._turns}"})
            case Spoke(text):
                self._add(ASSISTANT, {"text": text, "calls": [], "model": "test:model", "stop": "stop"})
            case Used():
                self._used(event)
            case Planned(items):
                done = sum(each["state"] == "done" for each in items)
                shown = f"Plan: {done} of {len(items)} done."
                self._calling("", [("plan", {"items": items}, shown, True, {"items": items})])
            case Interrupted():
                self._add(TURN_ENDED, {"turn": f"turn_{self._turns}", "end": "cancelled", "error": ""})
            case Compacted(summary):
                self._end("compression")
                self._begin()
                data = {"outcome": "compressed", "summary": summary, "text": summary, "keep_from": 0}
                self._add(COMPRESSION, {**data, "first": self._story.said[0], "constraints": [], "before": 160_000})
            case Refused(used, words):
                self._refused(used, words)
            case Asked(questions):
                rows = [{"question": question, "answer": answer} for question, _, answer in questions]
                details = {"answers": rows, "foreign": "AskUserQuestion"}
                self._calling("", [("AskUserQuestion", form(questions), answered(questions), True, details)])
            case Approved(plan):
                details = {"approved_plan": plan, "foreign": "ExitPlanMode"}
                self._calling("", [("ExitPlanMode", {"plan": plan}, APPROVED, True, details)])
            case _:
                pass

    def _close_turn(self) -> None:
        """A turn ends with the agent's words; one that ends with a call is still open."""
        if isinstance(self._last, Spoke) and self._turns:
            self._add(TURN_ENDED, {"turn": f"turn_{self._turns}", "end": "completed", "error": ""})

    def _refused(self, used: Used, words: str) -> None:
        """As the engine records it: the call is in the message, and never started."""
        id_ = self._call_id()
        listed = [{"id": id_, "name": used.tool, "args": used.args}]
        self._add(ASSISTANT, {"text": used.text, "calls": listed, "model": "test:model", "stop": "tool"})
        details = {"refused": True, **({"words": words} if words else {}), "by": "user"}
        shown = f"[refused: the user said no{': ' + words if words else ''}]"
        self._add(TOOL_RESULT, {"id": id_, "name": used.tool, "text": shown, "ok": False, "details": details})

    def _used(self, used: Used) -> None:
        calls = [each for each in (used, used.beside) if each]
        if used.lost:
            id_ = self._call_id()
            listed = [{"id": id_, "name": used.tool, "args": used.args}]
            self._add(ASSISTANT, {"text": used.text, "calls": listed, "model": "test:model", "stop": "tool"})
            self._add(TOOL_CALL, {"id": id_, "name": used.tool, "args": used.args, "title": used.tool})
            return
        self._calling(used.text, [(each.tool, each.args, *_outcome(each)) for each in calls])

    def _calling(self, text: str, calls: list[tuple[str, dict[str, Any], str, bool, dict[str, Any]]]) -> None:
        ids = [self._call_id() for _ in calls]
        listed = [{"id": id_, "name": call[0], "args": call[1]} for id_, call in zip(ids, calls, strict=True)]
        self._add(ASSISTANT, {"text": text, "calls": listed, "model": "test:model", "stop": "tool"})
        for id_, (name, args, shown, ok, details) in zip(ids, calls, strict=True):
            self._add(TOOL_CALL, {"id": id_, "name": name, "args": args, "title": name})
            self._add(TOOL_RESULT, {"id": id_, "name": name, "text": shown, "ok": ok, "details": details})

    def _call_id(self) -> str:
        self._calls += 1
        return f"call_{self._calls}"

    def _add(self, kind: str, data: dict[str, Any]) -> None:
        self._at += self._dice.randint(1, 40) * _SECOND
        self._seq += 1
        head = {"type": "entry", "session_id": self._sessions[-1].id, "seq": self._seq, "kind": kind, "at": self._at}
        self._entries.append(f'{encode_body({**head, "tokens": 0})[:-1]},"body":{encode_body(data)}}}')


def _outcome(used: Used) -> tuple[str, bool, dict[str, Any]]:
    if used.tool == "shell":
        details = {"exit": used.exit, "command": used.args["command"], "log": None, "seconds": 1.0, "timed_out": False}
        return f"{used.output[:8_000]}\n[exit {used.exit}]", used.ok, details
    if used.tool in ("edit", "write"):
        return used.output, used.ok, {"path": used.args["path"], "created": used.created} if used.ok else {}
    return used.output[:8_000], used.ok, {}


def _shared(conversation: Conversation) -> dict[str, Any]:
    return {name: held for name, held in asdict(conversation).items() if name not in ("owner", "lease_until")}
