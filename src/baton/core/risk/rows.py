"""How a row of a table of rules is written.

Each subject (`git`, `files`, `system`, `clouds`, `publish`, `services`, `database`, `powershell`) has one table from a
program to its rule. Most rules are a row of words:

    "crontab": does("it replaces scheduled jobs", unless="-l"),
    "pg_ctl": does("it stops a database", verbs="stop, restart"),

A program whose commands are verbs somewhere among its first words (`gcloud compute instances delete`) is judged by the
first verb that is known: one that only reads, or one that changes something.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from baton.core.risk.line import Line, Rule, words

READS = words(
    "list ls get describe show view status logs log tail info inspect help version search read whoami diff "
    "preview plan validate print watch wait top explain lint check test tests build history export download login "
    "logout doctor env can-i events usage cat head find query select stat du metrics dev serve emulators "
    "completion docs open outdated audit why graph tree template synth fmt format ps dry-run verify compare count "
    "exists has fetch console init new"
)
"""Verbs that change nothing elsewhere."""
DESTROYS = words(
    "delete destroy purge wipe erase drop publish unpublish deploy undeploy redeploy release promote rollback "
    "terminate uninstall yank revoke flush truncate reset undefine shutdown reboot poweroff push upload submit "
    "send transfer pay refund apply migrate prune evict decommission unregister deregister nuke teardown"
)
"""Verbs that are risky whatever program they are said to."""
_WORD = re.compile(r"[A-Za-z][\w:.-]*")
_DEEP = 5


def does(reason: str, *, verbs: str = "", flags: str = "", unless: str = "") -> Rule:
    """Risky if its words begin with one of the verbs or one of the flags is given; if neither is named, always. Never
    for a rehearsal, nor if one of the words or flags of `unless` is there.
    """
    wanted = _listed(verbs)
    given = tuple(flags.split())
    excused = _listed(unless)
    calm_flags = tuple(each for each in excused if each.startswith("-"))
    calm_verbs = tuple(each for each in excused if not each.startswith("-"))

    def rule(line: Line) -> str:
        if line.is_rehearsal or line.has(*calm_flags) or line.begins(*calm_verbs):
            return ""
        if not wanted and not given:
            return reason
        return reason if line.has(*given) or line.begins(*wanted) else ""

    return rule


def _listed(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in text.split(",") if each.strip())


def decides(line: Line, changes: Collection[str], reads: Collection[str] = READS) -> bool:
    """Whether the first of its words that is a known verb is one that changes something."""
    for text in line.commands[1][:_DEEP]:
        if not _WORD.fullmatch(text):
            return False
        for part in (text, *re.split(r"[:.]", text), text.partition("-")[0]):
            if part in changes or part in reads:
                return part in changes
    return False


def beyond(line: Line, reads: Collection[str]) -> bool:
    """Whether it is told to do anything but what these words say. Each is one word or two."""
    said = line.commands[1]
    if not said:
        return False
    return not ({said[0], " ".join(said[:2])} & {*reads}) and not line.is_rehearsal
