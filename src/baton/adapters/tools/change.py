"""Changing a file: what would change is shown first, and only that change is made."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from baton.adapters.tools.aim import Meant, held_to
from baton.adapters.tools.arguments import check
from baton.adapters.tools.files import opening
from baton.adapters.tools.files.buffers import Buffers
from baton.adapters.tools.files.diff import counts, unified
from baton.adapters.tools.files.lines import CAP
from baton.adapters.tools.files.media import not_text
from baton.adapters.tools.files.seen import Seen
from baton.adapters.tools.output.cleaner import visible
from baton.adapters.tools.settled import settled
from baton.adapters.tools.workspace import Target, Workspace, outside
from baton.core.agent.message import ToolSpec
from baton.core.display import one_line, plain
from baton.core.errors import ToolError
from baton.core.value import value
from baton.ports.editor import Editor
from baton.ports.tool import EDIT, Intent, Outcome, Output

DIFF_LIMIT = 200_000


@value
class Change:
    """`before` is None where there is no file yet."""

    target: Target
    before: opening.Content | None
    after: bytes
    diff: str


@value
class Decided:
    """What the one who decides was shown: the place, and the file as it was."""

    target: Target
    digest: str


class Changing(ABC):
    """A tool that changes one file. A subclass says what the file becomes.

    The change is refused when the file is no longer what the model last read, or no longer what the intent showed.
    """

    spec: ToolSpec

    def __init__(self, workspace: Workspace, seen: Seen, editor: Editor | None = None) -> None:
        self._workspace = workspace
        self._seen = seen
        self._buffers = Buffers(editor)
        self._meant = Meant[Decided]()

    @abstractmethod
    def after(self, checked: Mapping[str, Any], before: opening.Content | None, shown: str) -> bytes:
        """The file's new content. Raises `ToolError` or `BadArguments`."""

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        checked = check(self.spec, args)
        change = await settled(lambda: self._change(checked))
        self._meant.put(args, _decided(change))
        verb = "Change" if change.before else "Create"
        return Intent(
            f"{verb} {one_line(change.target.shown, 200)}",
            EDIT,
            preview=visible(change.diff) or "no change",
            paths=(change.target.shown,) if change.target.inside else (),
            outside=outside(change.target, writes=True),
        )

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        del output
        checked = check(self.spec, args)
        return await settled(lambda: self._make(self._change(checked), self._meant.take(args)))

    def _change(self, checked: Mapping[str, Any]) -> Change:
        target = self._workspace.locate(self.spec.name, checked["path"])
        before = self._before(target)
        after = self.after(checked, before, target.shown)
        return Change(target, before, after, _diff(before, after, target.shown))

    def _before(self, target: Target) -> opening.Content | None:
        with opening.reasons(self.spec.name, target.shown):
            try:
                before = self._buffers.newer(target, opening.read(target.real, CAP))
            except FileNotFoundError:
                return None
        if not before.whole:
            reason = f"{target.shown} has {before.size:,} bytes; at most {CAP:,} can be changed"
            raise ToolError(tool=self.spec.name, reason=reason)
        if self._seen.stale(target.real, before.digest):
            reason = f"{target.shown} changed since you last read it; read it again first"
            raise ToolError(tool=self.spec.name, reason=reason)
        return before

    def _make(self, change: Change, decided: Decided | None) -> Outcome:
        shown = change.target.shown
        held_to(self.spec.name, change.target, decided.target if decided else None, writes=True)
        if decided and decided != _decided(change):
            reason = f"{shown} changed while the decision was open; nothing was written. Read it again"
            raise ToolError(tool=self.spec.name, reason=reason)
        with opening.reasons(self.spec.name, shown):
            if not self._buffers.write(change.target, change.before, change.after):
                opening.replace(change.target.real, change.after, change.before)
        self._seen.note(change.target.real, opening.digest(change.after))
        return _outcome(change, shown)


def _decided(change: Change) -> Decided:
    return Decided(change.target, change.before.digest if change.before else "")


def _diff(before: opening.Content | None, after: bytes, name: str) -> str:
    old = before.data if before else b""
    if not_text(old) or not_text(after):
        return f"{name}: {len(old):,} bytes that are not text become {len(after):,} bytes\n"
    return unified(old.decode("utf-8", "replace"), after.decode("utf-8", "replace"), name)


def _outcome(change: Change, shown: str) -> Outcome:
    added, removed = counts(change.diff)
    details = {"path": shown, "diff": _bounded(plain(change.diff)), "created": change.before is None}
    if change.before is None:
        return Outcome(f"Created {shown} ({added} lines).", details=details)
    if change.before.data == change.after:
        return Outcome(f"{shown} was already so; nothing changed.", details=details)
    return Outcome(f"Changed {shown}: {added} lines added, {removed} removed.", details=details)


def _bounded(diff: str) -> str:
    left = len(diff) - DIFF_LIMIT
    return diff if left <= 0 else f"{diff[:DIFF_LIMIT]}\n[… {left:,} more characters]"
