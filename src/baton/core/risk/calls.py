"""What cannot be taken back about a tool's call."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from baton.core.risk.assess import assess
from baton.core.risk.clouds import CHANGES
from baton.core.risk.line import OUTSIDE, Risk
from baton.core.risk.rows import DESTROYS, READS
from baton.core.shell import Parse

SHELL = "shell"
_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_UNKNOWN = "what a tool of another program does cannot be told from here"


def assess_call(tool: str, args: Mapping[str, Any], title: str, parse: Parse) -> Risk | None:
    """A command is judged by its words. Any other tool that executes something belongs to another program: its name
    has to say that it reads, and must not say that it changes anything.
    """
    if tool == SHELL:
        return assess(str(args.get("command", "")), parse)
    said = {word.lower() for word in _WORD.findall(tool)}
    calm = said & READS and not said & (DESTROYS | CHANGES)
    return None if calm else Risk(OUTSIDE, _UNKNOWN, title)
