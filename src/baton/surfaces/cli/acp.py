"""`baton acp`: the agent for editors, and its self-test."""

from __future__ import annotations

import argparse
import sys

from baton.surfaces.cli.app import App
from baton.surfaces.cli.successor import agent_words

NOBODY = "This is for editors, which speak JSON to it. `baton acp --check` shows that it works; Ctrl-D leaves."


def acp(app: App, options: argparse.Namespace) -> int:
    if options.check:
        from baton.surfaces.acp.check import check

        return check(app.terminal, agent_words(options.model, options.mode), as_json=options.json)
    if sys.stdin.isatty():
        app.terminal.note(NOBODY)
    return app.acp(model=options.model, mode=options.mode, unstable=options.unstable)
