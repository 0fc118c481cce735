"""Undoes what a command did, without having been asked for, to files that make programs act.

A new file is moved below `.baton/aside`, where nothing looks for it; a changed one is put back as it was, and what it
had become is kept there too. Nothing is deleted.
"""

from __future__ import annotations

import os
import time
from collections.abc import Collection
from contextlib import suppress

from baton.adapters.files import opening
from baton.adapters.files.powerful import is_within
from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.guard.repository import is_inert_part
from baton.adapters.tools.guard.survey import Sight, Survey
from baton.core.value import value

ASIDE = os.path.join(".baton", "aside")


@value
class Undone:
    """Paths relative to the workspace. `kept_in` is where what was taken away is now; `stuck` could not be undone."""

    created: tuple[str, ...]
    changed: tuple[str, ...]
    stuck: tuple[str, ...]
    kept_in: str

    def __bool__(self) -> bool:
        return bool(self.created or self.changed or self.stuck)


class Guard:
    """What was there before a command. `granted` are paths that its approval named; `closed` are paths it could not
    write to, so that whatever happened there was somebody else's doing.
    """

    def __init__(
        self,
        workspace: Workspace,
        git: str | None,
        before: Survey,
        *,
        granted: Collection[str] = (),
        closed: Collection[str] = (),
    ) -> None:
        self._workspace = workspace
        self._git = git
        self._before = before
        self._granted = granted
        self._closed = closed

    def undo(self, after: Survey) -> Undone:
        folder = _Folder(self._workspace)
        found: dict[str, list[str]] = {"created": [], "changed": [], "stuck": []}
        for path in self._unwanted(after):
            before = self._before.files.get(path)
            how = ("changed" if before else "created") if folder.take(path, before) else "stuck"
            found[how].append(os.path.relpath(path, self._workspace.root))
        return Undone(**{how: tuple(paths) for how, paths in found.items()}, kept_in=folder.name)

    def _unwanted(self, after: Survey) -> list[str]:
        """What has to go. A directory that became a repository loses what makes it one, since its other files may be
        yours.
        """
        unwanted: list[str] = []
        for path, sight in sorted(after.files.items()):
            if not self._is_allowed(path, sight, after):
                made = next((each for each in self._newly_made(after) if is_within(path, each)), None)
                unwanted.append(os.path.join(made, "HEAD") if made else path)
        return list(dict.fromkeys(unwanted))

    def _newly_made(self, after: Survey) -> list[str]:
        new = [each for each in after.repositories if each not in self._before.repositories]
        return [each for each in new if os.path.basename(each) != ".git"]

    def _is_allowed(self, path: str, sight: Sight, after: Survey) -> bool:
        before = self._before.files.get(path)
        if before is not None and before.state == sight.state:
            return True
        if any(is_within(path, each) for each in (*self._granted, *self._closed)):
            return True
        if self._closed and sight.identity in self._moved():
            return True
        if os.path.basename(path) != ".git" and not any(is_within(path, each) for each in after.repositories):
            return False
        return is_inert_part(self._git, path, self._workspace.root, before.data if before else None)

    def _moved(self) -> set[tuple[int, int]]:
        """What could only be moved, together with the directory that it is in."""
        held = self._before.files.items()
        return {sight.identity for path, sight in held if any(is_within(path, each) for each in self._closed)}


class _Folder:
    """Where things are put, made when the first one is."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._number = 0
        self.name = ""

    def take(self, path: str, before: Sight | None) -> bool:
        """Moves the file here; puts back what was there `before`. False if that fails."""
        if before is not None and before.data is None:
            return False
        try:
            self._move(path)
            if before is not None:
                opening.replace(path, before.data or b"", None)
                os.chmod(path, before.mode)
        except OSError:
            return False
        return True

    def _move(self, path: str) -> None:
        real = self._prepare()
        self._number += 1
        shown = os.path.relpath(path, self._workspace.root).replace("/", "__")[-150:]
        name = f"{self._number}-{shown}.aside"
        with opening.open_directory(os.path.dirname(path)) as source, opening.open_directory(real) as target:
            os.rename(os.path.basename(path), name, src_dir_fd=source, dst_dir_fd=target)
            with suppress(OSError):
                os.chmod(name, 0o600, dir_fd=target, follow_symlinks=False)

    def _prepare(self) -> str:
        top = os.path.join(self._workspace.root, ASIDE)
        if not self.name:
            self.name = os.path.join(ASIDE, time.strftime("%Y%m%dT%H%M%SZ", time.gmtime()))
            with opening.open_directory(top, make=0o700) as parent, suppress(FileExistsError):
                descriptor = opening.create(".gitignore", parent, 0o600)
                os.write(descriptor, b"*\n")
                os.close(descriptor)
        real = os.path.join(self._workspace.root, self.name)
        with opening.open_directory(real, make=0o700):
            return real
