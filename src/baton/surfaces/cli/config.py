"""`baton config show`, `get`, `set`, `unset`, `edit`, `check` and `schema`."""

from __future__ import annotations

import argparse
import json

from baton.core.errors import BadInput, BatonError
from baton.surfaces.cli.app import App
from baton.surfaces.shared.formats import shorten_home
from baton.surfaces.words import config as words


def show(app: App, options: argparse.Namespace) -> int:
    from baton.config import render

    loaded = app.load_config()
    rows = [row for row in render.rows(loaded) if row.key.startswith(options.key or "")]
    if not rows:
        raise BadInput(reason=words.NO_KEY.format(key=options.key))
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
    text = words.NOT_ALL if loaded.ignored else words.ALL_RIGHT
    app.terminal.line(text.format(files=", ".join(files)) if files else words.NO_FILES)
    return 0


def get(app: App, options: argparse.Namespace) -> int:
    """A secret is shown as `baton config show` does: only what may be."""
    from baton.config import render
    from baton.config.schema import tree

    loaded = app.load_config()
    found = [row for row in render.rows(loaded) if row.key == options.key or row.key.startswith(f"{options.key}.")]
    if not found:
        raise BadInput(reason=words.NO_KEY.format(key=options.key))
    if options.json:
        values = {row.key: render.value_of(loaded, tree().every_key()[row.key]) for row in found}
        app.terminal.json(values.get(options.key, values))
    elif found[0].key == options.key:
        app.terminal.line(found[0].value)
    else:
        for row in found:
            app.terminal.line(f"{row.key}  {row.value}")
    return 0


def set_(app: App, options: argparse.Namespace) -> int:
    from baton.config import load_here, render
    from baton.config.edit import set_key
    from baton.config.schema import tree

    locations = app.load_config().locations
    set_key(locations, options.key, options.value)
    loaded = load_here(options.flags)
    file = shorten_home(str(locations.user))
    value = render.as_text(render.value_of(loaded, tree().every_key()[options.key]))
    source = loaded.sources[options.key]
    if source.layer == "user":
        app.terminal.line(words.SET.format(key=options.key, value=value, file=file))
    else:
        app.terminal.line(words.SET.format(key=options.key, value=options.value, file=file))
        app.terminal.note(words.OVERRIDDEN.format(source=source))
    return 0


def unset(app: App, options: argparse.Namespace) -> int:
    from baton.config import load_here, render
    from baton.config.edit import unset_key
    from baton.config.schema import tree

    locations = app.load_config().locations
    file = shorten_home(str(locations.user))
    if not unset_key(locations, options.key):
        app.terminal.line(words.NOT_SET.format(key=options.key, file=file))
        return 0
    loaded = load_here(options.flags)
    value = render.as_text(render.value_of(loaded, tree().every_key()[options.key]))
    app.terminal.line(words.UNSET.format(key=options.key, file=file, value=value, source=loaded.sources[options.key]))
    return 0


def edit(app: App, _: argparse.Namespace) -> int:
    """The file may be wrong already: an editor is how that is mended. What is wrong afterwards is told."""
    from baton.config.edit import write_text
    from baton.config.layers import locate_here
    from baton.surfaces.shared.editor import edit_text

    locations = locate_here()
    before = text = locations.user.read_text(encoding="utf-8") if locations.user.exists() else words.START
    while True:
        text = edit_text(text, name="config", suffix=".yaml")
        if text in (before, words.START):
            app.terminal.line(words.UNCHANGED)
            return 0
        try:
            write_text(locations, text)
            break
        except BatonError as error:
            app.terminal.note(str(error))
            if not app.terminal.ask(words.EDIT_AGAIN):
                app.terminal.note(words.UNCHANGED)
                return 1
    app.terminal.line(words.KEPT.format(file=shorten_home(str(locations.user))))
    return 0


def schema(app: App, _: argparse.Namespace) -> int:
    from baton.config.render import json_schema

    app.terminal.line(json.dumps(json_schema(), indent=2))
    return 0
