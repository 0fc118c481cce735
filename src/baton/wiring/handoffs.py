"""What handoffs of a workspace need; the costly parts are made when the first packet is written."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from baton.core.handoff.policy import Policy
from baton.core.handoff.retention import Retention
from baton.engine.handoff.narrator import Pace
from baton.engine.handoff.packets import HandoffKit
from baton.ports.tool import EXECUTE

if TYPE_CHECKING:
    from baton.config import Settings
    from baton.core.agent.message import Call
    from baton.ports.redactor import Redactor
    from baton.ports.tool import Intent
    from baton.ports.workspace import LiveWorkspace


def make_handoff_kit(
    workspace: str, home: str, settings: Settings, tools: tuple[str, ...], redactor: Callable[[str], Redactor]
) -> HandoffKit:
    given = settings.agent.auto_handoff_on_compression

    from baton.adapters.artifacts import PacketFiles

    return HandoffKit(
        workspace=open_live_workspace(workspace, home),
        redactor=redactor,
        artifacts=PacketFiles(workspace, given.handoff_artifact_dir),
        risk=_describe_risk,
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
        pace=Pace(silence=settings.agent.model_timeout),
        tools=tools,
        retention=Retention(settings.checkpoint.keep, settings.checkpoint.keep_days),
    )


def open_live_workspace(workspace: str, home: str) -> LiveWorkspace:
    from baton.adapters.workspace.directory import DirectoryWorkspace

    return DirectoryWorkspace(workspace, home)


def describe_call_risk(call: Call, intent: Intent) -> str:
    """What cannot be taken back about a call, in words; empty if nothing is known of that. Files that a tool edits in
    the workspace can be restored.
    """
    from baton.adapters.bash_syntax import BashSyntax
    from baton.core.risk import assess_call

    found = assess_call(call.name, call.args, intent.title, BashSyntax().parse) if intent.effect == EXECUTE else None
    return found.reason if found else ""


def _describe_risk(text: str) -> str:
    """What is risky about a next action, in words; empty if nothing is."""
    from baton.adapters.bash_syntax import BashSyntax
    from baton.core.risk import assess_text

    found = assess_text(text, BashSyntax().parse)
    return found.sentence if found else ""
