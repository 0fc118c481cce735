"""The settings: which keys exist, what they mean and what they may be."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

from baton.config.gateway_settings import GatewaySettings
from baton.config.keys import Section, key, lazy_key, section, tree_of
from baton.config.kinds import Choice, Flag, Seconds, Share, Text, Whole
from baton.config.tool_settings import ToolsSettings
from baton.core.agent.approval import MODES
from baton.core.value import value

CompressionMode = Literal["in_place", "split"]
Color = Literal["auto", "always", "never"]
Mode = Literal["fresh_session", "fresh_process", "prompt_user"]
Permission = Literal["ask", "accept_edits", "unattended", "read_only"]

_MODEL = Text(r"[a-z][a-z0-9_-]*:(?!//)[^\s\x00-\x1f\x7f]+", "provider:name, such as openai:gpt-5", longest=200)

_STORE_URL = Text(
    r"postgres(?:ql)?://[^\s\x00-\x1f\x7f]+|(?!~)(?![A-Za-z_]+ *=)(?!.*://)(?=.*\S)[^\x00-\x1f\x7f]+",
    "postgresql://… or the path of a SQLite file, without ~",
    longest=2_000,
)

_MIRROR = Text(r"(?:https?://[^\s/]|file:///)[^\s\x00-\x1f\x7f]*", "https://…, http://… or file:///…", longest=2_000)

_INSIDE_WORKSPACE = Text(
    r"(?![~/])(?!(?:.*/)?(?:\.\.|\.[gG][iI][tT])(?:/|$))(?=.*\S)[^\x00-\x1f\x7f\\:]+",
    "a path below the workspace, without .., .git, ~, : and \\",
    longest=200,
)

_PROSE = Text(
    r"(?=[\s\S]*\S)[^\x00-\x08\x0b\x0c\x0e-\x1f\x7f]+",
    "text that is not blank and has no control characters",
    longest=20_000,
)


@cache
def handoff_prompt() -> str:
    """The packet instructions that ship with Baton."""
    return (Path(__file__).parent.parent / "core" / "prompts" / "handoff.md").read_text(encoding="utf-8")


@value
class CompressionSettings:
    """How a context that grows too large is shrunk."""

    mode: CompressionMode = key(
        "in_place",
        Choice("in_place", "split"),
        doc="`in_place` continues in the same session, `split` ends it and continues in a new one. Either way the "
        "transcript stays whole.",
    )
    threshold: float = key(
        0.8, Share(0.2, 0.95), doc="How much of the model's window may be used before the context is compressed."
    )
    deadline: float = key(60.0, Seconds(1, 3_600), doc="How long a compression may take, all tries together.")
    tries: int = key(2, Whole(1, 10), doc="How often the model is asked for a summary before the compression failed.")
    cool_down: float = key(300.0, Seconds(0, 86_400), doc="How long after a failure the next compression is put off.")


@value
class LocalModelSettings:
    """How the model that runs inside Baton uses this machine."""

    window: int | None = key(
        None,
        Whole(1_024, 131_072),
        doc="Its context in tokens. More needs more memory. Null is what the model was chosen for.",
    )
    threads: int | None = key(None, Whole(1, 256), doc="How many threads it computes with. Null suits the machine.")
    keep_warm: float = key(600.0, Seconds(0, 86_400), doc="How long it stays loaded after its last answer.")
    mirror: str | None = key(
        None,
        _MIRROR,
        doc="A mirror of the hub that is asked for its weights after the hub itself and before the package index; it "
        "has the hub's paths. A directory is written as `file:///…`. Whatever it gives must have the sha256 that Baton "
        "knows. A password in it is never shown.",
        secret=True,
    )


@value
class StoreSettings:
    """Where and how conversations are kept."""

    url: str | None = key(
        None,
        _STORE_URL,
        doc="Where conversations are kept. Null means a SQLite file under `BATON_HOME`; a relative path starts from "
        "the directory Baton is started in. The password in a URL is never shown.",
        secret=True,
        variable="BATON_DATABASE_URL",
    )
    busy_timeout: float = key(
        10.0,
        Seconds(0.1, 600),
        doc="How long a write waits for another process that holds the database, before it gives up.",
    )
    lease: float = key(
        15.0,
        Seconds(1, 600),
        doc="How long an owner keeps a conversation without a heartbeat. After that another process may take it over.",
    )


@value
class SessionsSettings:
    """How long conversations are kept."""

    retention_days: int | None = key(
        None,
        Whole(1, 36_500),
        doc="How many days a conversation is kept after its last entry. Null keeps it forever.",
    )


@value
class CheckpointSettings:
    """How long checkpoints are kept."""

    keep: int = key(
        50,
        Whole(0, 100_000),
        doc="How many checkpoints of a conversation are kept; older ones are pruned when the next one is made. 0 sets "
        "no limit. In any case the newest stays, and so do those of the last day, of the newest packet and of open "
        "drafts.",
    )
    keep_days: int = key(
        90,
        Whole(0, 36_500),
        doc="How many days a checkpoint is kept, with the same exceptions. 0 sets no limit.",
    )


@value
class UiSettings:
    """How the terminal looks."""

    color: Color = key(
        "auto",
        Choice("auto", "always", "never"),
        doc="Whether the terminal output has colors. `auto` colors only what goes to a terminal.",
    )
    pager: bool = key(True, Flag(), doc="Whether output longer than the screen goes through the pager.")


@value
class AutoHandoffSettings:
    """When and how a long task continues in a fresh session."""

    enabled: bool = key(
        False,
        Flag(),
        doc="Whether Baton hands off to a fresh session without being asked. `/handoff` works either way.",
    )
    after_compressions: int = key(
        2,
        Whole(1),
        doc="How many compressions a session may go through before it is handed off.",
    )
    max_prompt_tokens: int | None = key(
        None,
        Whole(1_000),
        doc="The size of the next prompt, in tokens, above which the session is handed off. Null derives the threshold "
        "from the model's window.",
    )
    on_compression_failure: bool = key(
        True,
        Flag(),
        doc="Whether a compression that failed, so that context was lost or may be, leads to a handoff.",
    )
    mode: Mode = key(
        "fresh_session",
        Choice("fresh_session", "fresh_process", "prompt_user"),
        doc="How the work continues. `fresh_session` stays in the same process, `fresh_process` starts a new one and "
        "ends the old one, `prompt_user` asks first.",
    )
    handoff_artifact_dir: str = key(
        ".baton/handoffs",
        _INSIDE_WORKSPACE,
        doc="The directory, below the workspace, that packets are written to. It is created when needed.",
    )
    max_auto_handoffs: int = key(
        3,
        Whole(0),
        doc="How many automatic handoffs may follow one another before Baton asks. 0 asks every time; more than 100 "
        "count as 100.",
    )
    require_clean_checkpoint: bool = key(
        True,
        Flag(),
        doc="Whether a handoff needs a clean work tree or a checkpoint under `refs/baton/`. Failing both, Baton asks.",
    )
    prompt: str = lazy_key(
        handoff_prompt,
        _PROSE,
        doc="The instructions by which a model writes the narrative of a packet. The facts come from the record and "
        "the repository, whatever this says.",
    )


@value
class AgentSettings:
    """How the agent works."""

    mode: Permission = key(
        "ask",
        Choice(*MODES),
        doc="What tools may do unasked. `ask` asks before every change and every command that does more than "
        "read, `accept_edits` only before commands, `unattended` asks for neither inside the workspace, "
        "`read_only` allows no change.",
    )
    max_steps: int = key(100, Whole(1, 10_000), doc="How many model calls one turn may take before it is stopped.")
    model_timeout: float = key(
        120.0, Seconds(1, 3_600), doc="How long a model may say nothing before it is asked again."
    )
    model_tries: int = key(4, Whole(1, 20), doc="How often a model that cannot be reached is asked.")
    compression: CompressionSettings = section(CompressionSettings, doc="How a context that grows too large is shrunk.")
    auto_handoff_on_compression: AutoHandoffSettings = section(
        AutoHandoffSettings,
        doc="When and how Baton hands a long task to a fresh session before compression degrades it.",
    )


@value
class Settings:
    """Everything that can be configured, checked. `Settings()` is what holds when nothing is."""

    model: str | None = key(
        None,
        _MODEL,
        doc="The model to work with. Null picks the provider whose key is set, or else the embedded model.",
    )
    store: StoreSettings = section(StoreSettings, doc="Where and how conversations are kept.")
    sessions: SessionsSettings = section(SessionsSettings, doc="How long conversations are kept.")
    checkpoint: CheckpointSettings = section(CheckpointSettings, doc="How long checkpoints of a work tree are kept.")
    ui: UiSettings = section(UiSettings, doc="How the terminal looks.")
    agent: AgentSettings = section(AgentSettings, doc="How the agent works.")
    tools: ToolsSettings = section(ToolsSettings, doc="What the agent's tools may use.")
    local_model: LocalModelSettings = section(
        LocalModelSettings, doc="How the model that runs inside Baton uses this machine."
    )
    gateway: GatewaySettings = section(
        GatewaySettings, doc="Who may speak to Baton on messaging platforms, and where conversations may go."
    )


@cache
def tree() -> Section:
    """Every key of `Settings`, as a tree."""
    return tree_of(Settings)


def secret_values(settings: Settings) -> list[str]:
    """Every text that is set under a secret key."""
    found: list[str] = []
    for path, each in tree().every_key().items():
        if each.secret:
            value: object = settings
            for name in path.split("."):
                value = getattr(value, name)
            found += [value] if isinstance(value, str) else []
    return found
