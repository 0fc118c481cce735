"""The tools that change a file, write and edit: what would change is shown first, and only that change is made."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from baton.adapters.files import opening
from baton.adapters.files.workspace import Target, Workspace, outside_paths
from baton.adapters.tools import specs
from baton.adapters.tools.arguments import check, refuse
from baton.adapters.tools.diff import count_changes, unified_diff
from baton.adapters.tools.file_text import CAP, Buffers, KnownFiles, describe_non_text
from baton.adapters.tools.intents import Intended, require_intended
from baton.core.agent.message import ToolSpec
from baton.core.display import one_line, plain, spell_out
from baton.core.errors import ToolError
from baton.core.value import value
from baton.engine.aio import finish_in_thread
from baton.ports.editor import Editor
from baton.ports.tool import EDIT, Intent, Outcome, Output

DIFF_LIMIT = 200_000
CONTENT_LIMIT = 2_000_000


@value
class Change:
    """`before` is None where there is no file yet."""

    target: Target
    before: opening.Content | None
    after: bytes
    diff: str


@value
class Decision:
    """What was shown to whoever decides: the path, and the file's content at that time."""

    target: Target
    digest: str


class ChangeTool(ABC):
    """A tool that changes one file. A subclass says what the file becomes.

    The change is refused if the file is no longer what the model last read, or no longer what the intent showed.
    """

    spec: ToolSpec

    def __init__(self, workspace: Workspace, known: KnownFiles, editor: Editor | None = None) -> None:
        self._workspace = workspace
        self._known = known
        self._buffers = Buffers(editor)
        self._intended = Intended[Decision]()

    @abstractmethod
    def after(self, checked: Mapping[str, Any], before: opening.Content | None, shown: str) -> bytes:
        """The file's new content. Raises `ToolError` or `BadArguments`."""

    async def intent(self, args: Mapping[str, Any]) -> Intent:
        checked = check(self.spec, args)
        change = await finish_in_thread(lambda: self._change(checked))
        self._intended.put(args, _decision(change))
        verb = "Change" if change.before else "Create"
        return Intent(
            f"{verb} {one_line(change.target.shown, 200)}",
            EDIT,
            preview=spell_out(change.diff) or "no change",
            paths=(change.target.shown,) if change.target.inside else (),
            outside=outside_paths(change.target, writes=True),
            asks=f"{'Allow this edit to' if change.before else 'Create'} {one_line(change.target.shown, 200)}?",
        )

    async def run(self, args: Mapping[str, Any], output: Output) -> Outcome:
        del output
        checked = check(self.spec, args)
        return await finish_in_thread(lambda: self._make(self._change(checked), self._intended.take(args)))

    def _change(self, checked: Mapping[str, Any]) -> Change:
        target = self._workspace.locate(self.spec.name, checked["path"])
        before = self._before(target)
        after = self.after(checked, before, target.shown)
        return Change(target, before, after, _diff(before, after, target.shown))

    def _before(self, target: Target) -> opening.Content | None:
        with opening.as_tool_errors(self.spec.name, target.shown):
            try:
                before = self._buffers.newer(target, opening.read(target.real, CAP))
            except FileNotFoundError:
                return None
        if not before.whole:
            reason = f"{target.shown} has {before.size:,} bytes; at most {CAP:,} can be changed"
            raise ToolError(tool=self.spec.name, reason=reason)
        if self._known.stale(target.real, before.digest):
            reason = f"{target.shown} changed since you last read it; read it again first"
            raise ToolError(tool=self.spec.name, reason=reason)
        return before

    def _make(self, change: Change, decided: Decision | None) -> Outcome:
        shown = change.target.shown
        require_intended(self.spec.name, change.target, decided.target if decided else None, writes=True)
        if decided and decided != _decision(change):
            reason = f"{shown} changed while the decision was open; nothing was written. Read it again"
            raise ToolError(tool=self.spec.name, reason=reason)
        with opening.as_tool_errors(self.spec.name, shown):
            if not self._buffers.write(change.target, change.before, change.after):
                opening.replace(change.target.real, change.after, change.before)
        self._known.note(change.target.real, opening.digest(change.after))
        return _outcome(change, shown)


def _decision(change: Change) -> Decision:
    return Decision(change.target, change.before.digest if change.before else "")


def _diff(before: opening.Content | None, after: bytes, name: str) -> str:
    old = before.data if before else b""
    if describe_non_text(old) or describe_non_text(after):
        return f"{name}: {len(old):,} bytes that are not text become {len(after):,} bytes\n"
    return unified_diff(old.decode("utf-8", "replace"), after.decode("utf-8", "replace"), name)


def _outcome(change: Change, shown: str) -> Outcome:
    added, removed = count_changes(change.diff)
    details = {"path": shown, "diff": _clip_diff(plain(change.diff)), "created": change.before is None}
    if change.before is None:
        return Outcome(f"Created {shown} ({added} lines).", details=details)
    if change.before.data == change.after:
        return Outcome(f"{shown} was already so; nothing changed.", details=details)
    return Outcome(f"Changed {shown}: {added} lines added, {removed} removed.", details=details)


def _clip_diff(diff: str) -> str:
    left = len(diff) - DIFF_LIMIT
    return diff if left <= 0 else f"{diff[:DIFF_LIMIT]}\n[… {left:,} more characters]"


class Write(ChangeTool):
    """Atomic: the file is the old one or the new one, never part of one. Directories are made; the mode is kept."""

    spec = specs.spec(
        "write",
        "Write a file whole, creating it and its directories where missing. To change part of a file use edit.",
        ["path", "content"],
        path=specs.path("The file, relative to the workspace."),
        content=specs.text("Everything the file shall contain.", most=CONTENT_LIMIT),
    )

    def after(self, checked: Mapping[str, Any], before: opening.Content | None, shown: str) -> bytes:
        del before, shown
        try:
            return checked["content"].encode()
        except UnicodeEncodeError:
            raise refuse(self.spec, "content holds a lone surrogate, which no file can") from None


class Edit(ChangeTool):
    """Replaces exact text. Everything else in the file, including line ends, stays byte for byte."""

    spec = specs.spec(
        "edit",
        "Replace text in a file. old must stand in the file exactly as given, and only once unless all is true.",
        ["path", "old", "new"],
        path=specs.path("The file, relative to the workspace."),
        old=specs.text("The text to replace, without line numbers.", least=1, most=CONTENT_LIMIT),
        new=specs.text("What to put in its place.", most=CONTENT_LIMIT),
        all=specs.flag("Replace every occurrence."),
    )

    def after(self, checked: Mapping[str, Any], before: opening.Content | None, shown: str) -> bytes:
        old, new = checked["old"], checked["new"]
        if old == new:
            raise refuse(self.spec, "old and new are the same")
        text = self._text(before, shown)
        if "\r\n" in text and old not in text:
            old, new = (part.replace("\r\n", "\n").replace("\n", "\r\n") for part in (old, new))
        count = text.count(old)
        if count == 0:
            raise self._failure(f"the text to replace is not in {shown}{_hint(text, checked['old'])}")
        if count > 1 and not checked["all"]:
            raise self._failure(f"the text to replace stands {count} times in {shown}; give more of it, or all")
        try:
            return text.replace(old, new).encode()
        except UnicodeEncodeError:
            raise refuse(self.spec, "new holds a lone surrogate, which no file can") from None

    def _text(self, before: opening.Content | None, shown: str) -> str:
        if before is None:
            raise self._failure(f"{shown}: there is no such file")
        try:
            return before.data.decode()
        except UnicodeDecodeError:
            raise self._failure(f"{shown} is not UTF-8 text") from None

    def _failure(self, reason: str) -> ToolError:
        return ToolError(tool=self.spec.name, reason=reason)


def _hint(text: str, old: str) -> str:
    """Where the file has a line that differs only in white space."""
    wanted = next(filter(None, (" ".join(line.split()) for line in old.split("\n"))), "")
    for number, line in enumerate(text.split("\n"), 1):
        if wanted and " ".join(line.split()) == wanted:
            return f"; line {number} is like it but for white space or what follows"
    return ""
