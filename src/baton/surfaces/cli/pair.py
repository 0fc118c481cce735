"""`baton pair PLATFORM`: a one-time code that makes whoever sends it known; `baton people` lists and forgets them."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from baton.core.errors import NotFound
from baton.core.transfer.authority import CODE_SECONDS, GUESSED, GUEST, OWNER, SHOWN
from baton.core.transfer.place import platform_name
from baton.engine.transfer.people import Directory
from baton.engine.transfer.targets import CONNECTED, GatewayRow
from baton.surfaces.cli.app import App

SEND = "Send this code to {name} on {platform}, in a direct message, within {minutes} minutes:\n\n    {code}\n"
WAITING = "Waiting for it; Ctrl-C leaves; the code stays valid."
DONE = "Paired: {who} is the {role}.{home}"
HOME = " Home channel: {place}.\nMove a conversation there with /handoff {platform}, or: baton handoff --to {platform}"
GUEST_DONE = "Paired: {who} is a guest, and may talk where a conversation of yours speaks."
ENDED = {
    "": "The code was not used in time. Run it again for a new one.",
    GUESSED: "Too many people sent wrong codes, so this one is no longer valid. Run it again for a new one.",
    SHOWN: (
        "The code was sent where others could read it, so it is no longer valid. "
        "Run it again, and send the new one in a direct message, with nobody else in the room."
    ),
}
GUESSES = "{count} sent wrong codes and will not be listened to; yours stays valid."
NOT_SET = "{platform} is not set up here, and no running gateway is connected to it. First: {line}, then: baton gateway"
NO_GATEWAY = "No gateway runs now; the code works once one is connected to {platform}: baton gateway"
NOT_HOSTED = (
    "The gateway that runs does not host {platform}; the code works once one does. `baton doctor` says what is missing."
)
NOT_CONNECTED = "The gateway is not connected to {platform} ({reason}); the code works once it is."
NOBODY = "Nobody is paired yet. To pair yourself: baton pair telegram"


def pair(app: App, options: argparse.Namespace) -> int:
    directory, platform = app.directory(), options.platform
    role = GUEST if options.guest else OWNER
    began = time.time_ns() // 1000
    code = directory.invite(platform, role)
    living = app.targets().gateways()
    rows = [row for row in living if row.platforms.get(platform) == CONNECTED]
    if options.json:
        app.terminal.json({"platform": platform, "role": role, "code": code, "seconds": CODE_SECONDS})
        return 0
    name = rows[0].names.get(platform, "") if rows else ""
    app.terminal.line(
        SEND.format(name=name or "the bot", platform=platform_name(platform), minutes=CODE_SECONDS // 60, code=code)
    )
    app.terminal.flush()
    if not rows:
        app.terminal.note(_explain(living, platform, app.describe_missing(platform)))
        return 0
    app.terminal.note(WAITING)
    _wait(app, directory, platform)
    paired = directory.find_paired(platform, began)
    if paired is None:
        app.terminal.note(ENDED[directory.why_ended(platform)])
        return 1
    app.terminal.line(_describe_pairing(paired, platform, directory.homes().get(platform, "")))
    return 0


def _wait(app: App, directory: Directory, platform: str) -> None:
    """Until the code is used or no longer good. Whoever waits is told of others who try."""
    told = 0
    while directory.has_invitation(platform):
        count = directory.count_strangers(platform)
        if count > told:
            told = count
            app.terminal.note(GUESSES.format(count="One stranger" if count == 1 else f"{count} strangers"))
        time.sleep(0.3)


def _explain(living: Sequence[GatewayRow], platform: str, missing: str) -> str:
    name = platform_name(platform)
    if missing and not any(platform in row.platforms for row in living):
        return NOT_SET.format(platform=name, line=missing)
    if not living:
        return NO_GATEWAY.format(platform=name)
    state = next((row.platforms[platform] for row in living if platform in row.platforms), "")
    if not state:
        return NOT_HOSTED.format(platform=name)
    return NOT_CONNECTED.format(platform=name, reason=state.removeprefix(f"{platform} ").rstrip("."))


def _describe_pairing(paired: tuple[str, str, str], platform: str, home: str) -> str:
    identity, role, name = paired
    who = f"{name} ({identity})" if name else identity
    if role == GUEST:
        return GUEST_DONE.format(who=who)
    return DONE.format(who=who, role=role, home=HOME.format(place=home, platform=platform) if home else "")


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
