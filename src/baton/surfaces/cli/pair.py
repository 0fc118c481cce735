"""`baton pair PLATFORM`: a one-time code that makes whoever sends it known; `baton people` lists and forgets them."""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from baton.core.errors import NotFound
from baton.core.transfer.authority import CODE_SECONDS, GUEST, OWNER
from baton.core.transfer.place import platform_name
from baton.engine.transfer.people import Directory
from baton.engine.transfer.targets import CONNECTED, GatewayRow
from baton.surfaces.cli.app import App
from baton.surfaces.words import moving as words


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
        words.CODE_SEND.format(
            name=name or words.THE_BOT, platform=platform_name(platform), minutes=CODE_SECONDS // 60, code=code
        )
    )
    app.terminal.flush()
    if not rows:
        app.terminal.note(_explain(living, platform, app.describe_missing(platform)))
        return 0
    app.terminal.note(words.CODE_WAITING)
    _wait(app, directory, platform)
    paired = directory.find_paired(platform, began)
    if paired is None:
        app.terminal.note(words.CODE_ENDED[directory.why_ended(platform)])
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
            app.terminal.note((words.GUESS if count == 1 else words.GUESSES).format(count=count))
        time.sleep(0.3)


def _explain(living: Sequence[GatewayRow], platform: str, missing: str) -> str:
    name = platform_name(platform)
    if missing and not any(platform in row.platforms for row in living):
        return words.NOT_SET.format(platform=name, line=missing)
    if not living:
        return words.NO_GATEWAY.format(platform=name)
    state = next((row.platforms[platform] for row in living if platform in row.platforms), "")
    if not state:
        return words.NOT_HOSTED.format(platform=name)
    return words.NOT_CONNECTED.format(platform=name, reason=state.removeprefix(f"{platform} ").rstrip("."))


def _describe_pairing(paired: tuple[str, str, str], platform: str, home: str) -> str:
    identity, role, name = paired
    who = words.PERSON.format(name=name, identity=identity) if name else identity
    if role == GUEST:
        return words.PAIRED_GUEST.format(who=who)
    return (words.PAIRED_HOME if home else words.PAIRED).format(who=who, place=home, platform=platform)


def people(app: App, options: argparse.Namespace) -> int:
    directory = app.directory()
    if options.forget:
        if not directory.forget(options.forget):
            raise NotFound(noun="person", value=options.forget, suggestion=words.LIST_PEOPLE)
        app.terminal.line(words.FORGOTTEN.format(who=options.forget))
        return 0
    rows = directory.list()
    if options.json:
        app.terminal.json([{"identity": each[0], "role": each[1], "name": each[2]} for each in rows])
        return 0
    for identity, role, name in rows:
        app.terminal.line(f"{identity:<40} {role:<6} {name}".rstrip())
    if not rows:
        app.terminal.note(words.NOBODY)
    return 0
