"""What handoffs of a workspace need; the costly parts are made when the first packet is written."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from baton.core.handoff.policy import Policy
from baton.core.handoff.retention import Retention
from baton.engine.handoff.packets import HandoffKit

if TYPE_CHECKING:
    from baton.config import Settings
    from baton.ports.redactor import Redactor
    from baton.ports.workspace import LiveWorkspace


def handoff_kit(workspace: str, home: str, settings: Settings, tools: tuple[str, ...]) -> HandoffKit:
    given = settings.agent.auto_handoff_on_compression
    environ = dict(os.environ)

    from baton.adapters.artifacts import PacketFiles

    return HandoffKit(
        workspace=live_workspace(workspace, home),
        redactor=lambda: open_kit_redactor(workspace, home, settings, environ),
        artifacts=PacketFiles(workspace, given.handoff_artifact_dir),
        risk=_risk,
        policy=Policy(
            given.enabled,
            given.after_compressions,
            given.max_prompt_tokens,
            given.on_compression_failure,
            given.mode,
            given.max_auto_handoffs,
            given.require_clean_checkpoint,
        ),
        prompt=given.prompt,
        tools=tools,
        retention=Retention(settings.checkpoint.keep, settings.checkpoint.keep_days),
    )


def open_kit_redactor(workspace: str, home: str, settings: Settings, environ: Mapping[str, str]) -> Redactor:
    """With the secrets that are known now: the environment, `.env` files, the configuration."""
    from baton.adapters.redaction.redactor import open_redactor
    from baton.config.schema import secret_values

    return open_redactor(workspace, environ, secret_values(settings), os.path.join(home, "cache"))


def live_workspace(workspace: str, home: str) -> LiveWorkspace:
    from baton.adapters.workspace.directory import DirectoryWorkspace

    return DirectoryWorkspace(workspace, home)


def _risk(text: str) -> str:
    """What is risky about a next action in words, if anything."""
    from baton.adapters.bash_syntax import BashSyntax
    from baton.core.risk import assess_text

    found = assess_text(text, BashSyntax().parse)
    return found.sentence if found else ""
