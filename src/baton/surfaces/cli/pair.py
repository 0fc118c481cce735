"""`baton pair PLATFORM`: a one-time code that makes whoever sends it known; `baton people` lists and forgets them."""

from __future__ import annotations

import argparse
import time

from baton.core.authority import CODE_SECONDS, GUEST, OWNER
from baton.core.errors import NotFound
from baton.engine.targets import CONNECTED
from baton.surfaces.cli.app import App

SEND = "Send this code to {name} on {platform}, in a direct message, within {minutes} minutes:\n\n    {code}\n"
WAITING = "Waiting for it; Ctrl-C leaves, the code stays good."
DONE = "Paired: {identity} is the {role}.{home}"
ENDED = "The code was not used in time, or guessed wrongly too often. Run it again for a new one."
NO_GATEWAY = "No gateway is connected to {platform} now; the code works once one is: baton gateway"
NOBODY = "Nobody is known yet. `baton pair telegram` makes you known there."


def pair(app: App, options: argparse.Namespace) -> int:
    directory, platform = app.directory(), options.platform
    role = GUEST if options.guest else OWNER
    before = {identity for identity, _, _ in directory.list()}
    code = directory.invite(platform, role)
    rows = [row for row in app.targets().gateways() if row.platforms.get(platform) == CONNECTED]
    if options.json:
        app.terminal.json({"platform": platform, "role": role, "code": code, "seconds": CODE_SECONDS})
        return 0
    name = rows[0].names.get(platform, "") if rows else ""
    app.terminal.line(
        SEND.format(name=name or "the bot", platform=platform.capitalize(), minutes=CODE_SECONDS // 60, code=code)
    )
    app.terminal.flush()
    if not rows:
        app.terminal.note(NO_GATEWAY.format(platform=platform))
        return 0
    app.terminal.note(WAITING)
    while directory.waits(platform):
        time.sleep(0.3)
    new = [row for row in directory.list() if row[0] not in before and row[0].startswith(f"{platform}:")]
    if not new:
        app.terminal.note(ENDED)
        return 1
    home = directory.homes().get(platform, "")
    app.terminal.line(DONE.format(identity=new[0][0], role=new[0][1], home=f" Home channel: {home}." if home else ""))
    return 0


def people(app: App, options: argparse.Namespace) -> int:
    directory = app.directory()
    if options.forget:
        if not directory.forget(options.forget):
            raise NotFound(
                noun="person", value=options.forget, suggestion="`baton people` lists those who were paired."
            )
        app.terminal.line(f"{options.forget} is a stranger again.")
        return 0
    rows = directory.list()
    if options.json:
        app.terminal.json([{"identity": each[0], "role": each[1], "name": each[2]} for each in rows])
        return 0
    for identity, role, name in rows:
        app.terminal.line(f"{identity:<40} {role:<6} {name}".rstrip())
    if not rows:
        app.terminal.note(NOBODY)
    return 0
