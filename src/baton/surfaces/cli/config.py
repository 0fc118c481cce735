"""`baton config show`, `check` and `schema`."""

from __future__ import annotations

import argparse
import json

from baton.core.errors import BadInput
from baton.surfaces.cli.app import App

ALL_RIGHT = "The configuration is right: {files}."
NO_FILES = "there are no files, the defaults hold"


def show(app: App, options: argparse.Namespace) -> int:
    from baton.config import render

    loaded = app.load_config()
    rows = [row for row in render.rows(loaded) if row.key.startswith(options.key or "")]
    if not rows:
        raise BadInput(reason=f"There is no key {options.key!r}. `baton config show` lists all.")
    if options.json:
        app.terminal.json(render.to_dict(loaded))
        return 0
    width = max(len(row.key) for row in rows)
    value_width = min(40, max(len(row.value) for row in rows))
    for row in rows:
        source = app.terminal.style(row.source, "dim" if row.source == "default" else "yellow")
        app.terminal.line(f"{app.terminal.style(f'{row.key:<{width}}', 'cyan')}  {row.value:<{value_width}}  {source}")
    return 0


def check(app: App, options: argparse.Namespace) -> int:
    loaded = app.load_config()
    locations = loaded.locations
    files = [str(file) for file in (locations.user, locations.project) if file is not None and file.exists()]
    if options.json:
        app.terminal.json({"ok": True, "files": files, "ignored": list(loaded.ignored)})
        return 0
    for line in loaded.ignored:
        app.terminal.line(app.terminal.style(line, "yellow"))
    app.terminal.line(ALL_RIGHT.format(files=", ".join(files) or NO_FILES))
    return 0


def schema(app: App, _: argparse.Namespace) -> int:
    from baton.config.render import json_schema

    app.terminal.line(json.dumps(json_schema(), indent=2))
    return 0
