"""A language as far as it takes to tell a risky next step from talk about one.

A row of a language names what is done (an `Act`), the verbs that say so, and what it is done to. Words are
separated by spaces; `*` stands for any ending, `_` for a space or a hyphen, `…` for a few words in between; `(?:…)` and
`|` work as in a regular expression.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import cache

from baton.core.risk.line import DATABASE, DELETES, OUTSIDE, REWRITES, SYSTEM
from baton.core.value import value


class Act(StrEnum):
    """What a next step may do that somebody else would notice."""

    PUSH = "push"
    MERGE = "merge"
    DEPLOY = "deploy"
    PUBLISH = "publish"
    DELETE = "delete"
    MIGRATE = "migrate"
    RUN = "run"
    PAY = "pay"
    SEND = "send"
    STOP = "stop"
    ACCESS = "access"
    DISCARD = "discard"
    FORGE = "forge"
    EXPOSE = "expose"


ACTS: Mapping[Act, tuple[str, str]] = {
    Act.PUSH: (OUTSIDE, "it speaks of a push"),
    Act.MERGE: (OUTSIDE, "it speaks of merging for others"),
    Act.DEPLOY: (OUTSIDE, "it speaks of a deployment"),
    Act.PUBLISH: (OUTSIDE, "it speaks of publishing"),
    Act.DELETE: (DELETES, "it speaks of deleting"),
    Act.MIGRATE: (DATABASE, "it speaks of a migration"),
    Act.RUN: (OUTSIDE, "it speaks of running something that deploys or pays"),
    Act.PAY: (OUTSIDE, "it speaks of a payment"),
    Act.SEND: (OUTSIDE, "it speaks of writing to people"),
    Act.STOP: (SYSTEM, "it speaks of stopping or scaling what runs"),
    Act.ACCESS: (SYSTEM, "it speaks of keys or rights"),
    Act.DISCARD: (REWRITES, "it speaks of discarding or rewriting work"),
    Act.FORGE: (OUTSIDE, "it speaks of what others see on the forge"),
    Act.EXPOSE: (OUTSIDE, "it speaks of making something public"),
}
"""What a next step may be about: its kind and the reason told to people."""


@value
class Said:
    """How a language says an act. With `objects` one of them has to be there too; with `but` none of those."""

    act: Act
    verbs: str
    objects: str = ""
    but: str = ""


@value
class Tongue:
    """`refuses` stand before a verb that is not to be done, `refuses_after` behind it; `talks` begin a step that only
    reads, writes or tests something; `code` names pieces of source, which may be deleted; `joins` separate steps.

    `leads`: a verb counts only where a step begins, because it may be a noun elsewhere. `ends`: verbs may stand at the
    end, so `talks` count anywhere in a step. `spaced`: there are spaces between words. `stops` end an object. `letters`
    are some that only this script has, `others` some that mean it is another language.
    """

    name: str
    rows: tuple[Said, ...]
    refuses: str
    talks: str
    joins: str
    code: str = ""
    refuses_after: str = ""
    stops: str = ""
    leads: str = ""
    ends: bool = False
    spaced: bool = True
    letters: str = ""
    others: str = ""


_ENDING = re.compile(r"(?<=[^\W\d_])(?<!\\w)(?<!\\S)\*")
_GAP = r"(?<=\w)\b.{0,60}?\b(?=\w)"


@cache
def compiled(listed: str, *, spaced: bool = True) -> re.Pattern[str]:
    """A pattern for any of the words; one that matches nothing if there is none.

    Made when it is first asked for: all of them together take a fifth of a second, and a process mostly meets one
    language.
    """
    parts = [part.replace("…", _GAP if spaced else ".{0,30}?").replace("_", r"[\s-]+") for part in listed.split()]
    either = "|".join(_ENDING.sub(r"\\w*", part) if spaced else part for part in parts) or r"(?!)"
    return re.compile(rf"(?<![\w/_.-])(?:{either})(?![\w/_(]|\.\w|-\w)" if spaced else f"(?:{either})", re.IGNORECASE)
