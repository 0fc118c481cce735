"""What a handoff needs: a real git repository, real packet files, and a redactor that knows one secret."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from baton.adapters.artifacts import PacketFiles
from baton.adapters.workspace.directory import DirectoryWorkspace
from baton.core.handoff.policy import Policy
from baton.engine.handoff.packets import HandoffKit
from baton.ports.redactor import Found, Leak, Redacted, Secret

SECRET = "hunter2-plain-secret"
PLACEHOLDER = "[redacted: password]"


class OneSecret:
    """Takes out one known value."""

    def redact(self, text: str) -> Redacted:
        count = text.count(SECRET)
        return Redacted(text.replace(SECRET, PLACEHOLDER), (Found("password", count),) if count else ())

    def recognise(self, text: str) -> tuple[Secret, ...]:
        return ()

    def remember(self, secrets: Iterable[Secret]) -> OneSecret:
        return self

    def leaks(self, text: str) -> tuple[Leak, ...]:
        return (Leak("password", 1),) if SECRET in text else ()

    def with_known(self, values: Mapping[str, str]) -> OneSecret:
        raise NotImplementedError


def git(root: Path, *args: str) -> str:
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main"]
    done = subprocess.run(["git", *identity, "-C", str(root), *args], check=True, capture_output=True, text=True)
    return done.stdout.strip()


def repository(root: Path) -> Path:
    """A repository with one commit and one change."""
    root.mkdir(parents=True, exist_ok=True)
    git(root, "init", "-q")
    (root / "a.py").write_text("print(1)\n")
    git(root, "add", "a.py")
    git(root, "commit", "-qm", "first")
    (root / "a.py").write_text("print(2)\n")
    return root


def kit(root: Path, home: Path, policy: Policy | None = None, **more: Any) -> HandoffKit:
    return HandoffKit(
        workspace=DirectoryWorkspace(str(root), str(home)),
        redactor=more.pop("redactor", lambda _: OneSecret()),
        artifacts=PacketFiles(str(root), ".baton/handoffs"),
        risk=more.pop("risk", lambda text: "a forced push" if "push --force" in text else ""),
        policy=policy or Policy(),
        **more,
    )
