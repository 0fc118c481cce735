"""What may be answered to "may this tool do exactly this?", and how far each yes reaches.

| choice   | allows                                                                                  |
|----------|-----------------------------------------------------------------------------------------|
| `yes`    | this call                                                                               |
| `always` | exactly this call, in this workspace, from now on                                       |
| `begins` | every single plain command that begins with the same words, in this workspace           |
| `edits`  | edits inside the workspace, until the mode is changed; not of what makes programs act   |
| `no`     | nothing; what is said with it goes to the model                                         |

What is offered depends on the call. Nothing else is taken for an answer.
"""

from __future__ import annotations

from collections.abc import Collection

from baton.core.agent.approval import ASK, READ_ONLY
from baton.core.display import one_line

YES, ALWAYS, BEGINS, EDITS, NO = "yes", "always", "begins", "edits", "no"
CHOICES = (YES, ALWAYS, BEGINS, EDITS, NO)
USUAL = (YES, ALWAYS, NO)
ONCE_ONLY = (YES, NO)
_EDIT = "edit"
_EXECUTE = "execute"
_EXACTLY = {_EXECUTE: "always this command"}
_SAID = {
    YES: "allowed",
    ALWAYS: "allowed, and always for exactly this here",
    EDITS: "allowed, and edits are accepted from now on",
    NO: "refused",
}


def offer(mode: str, effect: str, outside: Collection[str], begins: str, risk: str) -> tuple[str, ...]:
    """The answers that make sense for a call. `begins` are the words it begins with, if that can be allowed; `risk` is
    why it is asked about whatever was allowed before.
    """
    if mode == READ_ONLY or risk:
        return ONCE_ONLY
    more = [BEGINS] if begins and not outside else []
    more += [EDITS] if effect == _EDIT and mode == ASK and not outside else []
    return (YES, ALWAYS, *more, NO)


def describe_choice(choice: str, *, begins: str = "", effect: str = _EXECUTE) -> str:
    """A choice as a person reads it before deciding."""
    return {
        YES: "once",
        ALWAYS: _EXACTLY.get(effect, "always exactly this"),
        BEGINS: f"always commands that begin `{one_line(begins, 40)}`",
        EDITS: "accept edits from now on",
        NO: "no",
    }[choice]


def describe_decision(choice: str, begins: str = "") -> str:
    """What was decided, in words: `allowed`."""
    said = _SAID.get(choice)
    return said or f"allowed, and always commands that begin `{one_line(begins, 40)}`"
