"""A working session before it has a format: events in order, and what is true at its end."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Said:
    """The user."""

    text: str


@dataclass(slots=True)
class Noise:
    """In the user's place, but not said by the user. `meta` noise is marked as such in the source."""

    text: str
    meta: bool = False


@dataclass(slots=True)
class Spoke:
    """The agent, without calling a tool."""

    text: str


@dataclass(slots=True)
class Used:
    """The agent called a tool: `tool` is Baton's name for it."""

    tool: str
    args: dict[str, Any]
    output: str
    ok: bool = True
    exit: int | None = None
    created: bool = False
    text: str = ""
    beside: Used | None = None
    """A second call of the same message, running at the same time."""
    lost: bool = False
    """No result came back: the process died, or the record ends here."""


@dataclass(slots=True)
class Refused:
    """The person said no to a call, mostly with words."""

    used: Used
    words: str = ""


@dataclass(slots=True)
class Asked:
    """A form with questions: each with its options and what was chosen or typed."""

    questions: list[tuple[str, list[str], str]]


@dataclass(slots=True)
class Approved:
    """The agent presented a plan, and the person said yes to it."""

    plan: str


@dataclass(slots=True)
class Planned:
    """The whole plan as it is now. `by_task` says that the source tells it item by item."""

    items: list[dict[str, str]]


@dataclass(slots=True)
class Interrupted:
    """The user stopped the agent."""


@dataclass(slots=True)
class Compacted:
    """The source shrank its context and wrote this summary."""

    summary: str


@dataclass(slots=True)
class Moved:
    """The working directory changed."""

    folder: str


@dataclass(slots=True)
class Aside:
    """A subagent's conversation, which is not this one."""

    events: list[Any]


@dataclass(slots=True)
class Left:
    """A branch the user rewound: it happened, and does not count."""

    events: list[Any]


@dataclass(slots=True)
class Story:
    """`truth` is what the sidecar says; the lists only grow or shrink as the story goes on."""

    name: str
    workspace: str
    branch: str
    brief: bool = False
    """Without the records that only a long file has: thinking, progress."""
    events: list[Any] = field(default_factory=list)
    canaries: list[str] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    demands: list[str] = field(default_factory=list)
    revoked: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    failing: dict[str, None] = field(default_factory=dict)
    mended: dict[str, None] = field(default_factory=dict)
    plan: list[dict[str, str]] = field(default_factory=list)
    absent: list[str] = field(default_factory=list)
    refusals: list[str] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    approved: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)
    commits: list[str] = field(default_factory=list)
    short_replies: list[str] = field(default_factory=list)
    """The questions under them."""

    def truth(self) -> dict[str, Any]:
        return {
            "canaries": self.canaries,
            "user_messages": self.said,
            "constraints": [text for text in self.demands if text not in self.revoked],
            "revoked": self.revoked,
            "files": self.files,
            "open_errors": list(self.failing),
            "mended_errors": list(self.mended),
            "plan_open": [item["text"] for item in self.plan if item["state"] != "done"],
            "plan_done": [item["text"] for item in self.plan if item["state"] == "done"],
            "absent": self.absent,
            "branch": self.branch,
            "refusals": self.refusals,
            "answers": self.answers,
            "approved_plans": self.approved,
            "links": self.links,
            "commits": self.commits,
            "questions_of_short_replies": self.short_replies,
        }
