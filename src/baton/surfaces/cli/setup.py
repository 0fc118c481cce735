"""`baton setup`: what there is to work with, one choice, tried before it is kept."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import sys
from collections.abc import Sequence

from baton.core.errors import BadInput
from baton.surfaces.cli.app import App
from baton.surfaces.cli.question import can_ask, may_pull
from baton.surfaces.shared.formats import shorten_home
from baton.surfaces.shared.setup import DEMO, KEY, KeyProvider, Setup, Way
from baton.surfaces.words import setup as words


def setup(app: App, _: argparse.Namespace) -> int:
    found = app.setup()
    ways = found.list_ways()
    if not can_ask():
        _list(app, words.HOW, ways)
        raise BadInput(reason=words.NO_TERMINAL.format(variable=found.list_providers()[0].variable))
    open_ways = [way for way in ways if way.models]
    way = open_ways[_choose(app, words.HOW, ways, open_ways)]
    if way.kind == KEY:
        return _with_key(app, found)
    if way.kind == DEMO:
        return _with_demo(app, found, way.models[0])
    at = _pick(app, words.WHICH_MODEL, way.models) if len(way.models) > 1 else 0
    return _try_and_keep(app, found, way.models[at])


def _with_key(app: App, found: Setup) -> int:
    providers = found.list_providers()
    rows = [f"{each.name:<12} {app.terminal.style_err(each.variable, 'dim')}" for each in providers]
    chosen = providers[_pick(app, words.WHICH, rows)]
    key = _read_key(app, chosen)
    if not key:
        app.terminal.note(words.LATER)
        return 1
    return _try_and_keep(app, found, chosen.model, chosen.variable, key)


def _with_demo(app: App, found: Setup, model: str) -> int:
    name = model.partition(":")[2]
    plan = app.local_models().plan_pull(name)
    if plan is not None:
        if not may_pull(plan, asks=True):
            app.terminal.note(words.LATER)
            return 1
        app.local_models().pull(name, app.terminal.progress(words.PULLING.format(name=name)))
    found.keep(model)
    app.terminal.line(words.CHOSEN.format(model=model))
    return 0


def _try_and_keep(app: App, found: Setup, model: str, variable: str = "", key: str = "") -> int:
    app.terminal.note(words.TESTING.format(model=model))
    why = asyncio.run(found.try_model(model, variable, key))
    if why:
        app.terminal.note(words.FAILED.format(model=model, why=why))
        app.terminal.err.write(words.ALL_THE_SAME)
        app.terminal.err.flush()
        if sys.stdin.readline().strip().lower() not in ("y", "yes"):
            app.terminal.note(words.LATER)
            return 1
    else:
        app.terminal.note(words.WORKS.format(model=model))
    if path := found.keep(model, variable, key):
        app.terminal.line(words.KEPT_KEY.format(path=shorten_home(path)))
    app.terminal.line(words.CHOSEN.format(model=model))
    return 0


def _read_key(app: App, provider: KeyProvider) -> str:
    app.terminal.note(words.ASK_KEY.format(variable=provider.variable))
    try:
        return getpass.getpass(words.KEY_PROMPT, stream=app.terminal.err).strip()
    except EOFError:
        return ""


def _list(app: App, question: str, ways: Sequence[Way]) -> None:
    app.terminal.note(question)
    number = 0
    for way in ways:
        number += bool(way.models)
        sign = str(number) if way.models else "·"
        app.terminal.note(f"  {sign}  {app.terminal.style_err(f'{way.title:<15}', 'bold')} {way.about}")


def _choose(app: App, question: str, ways: Sequence[Way], open_ways: Sequence[Way]) -> int:
    """Enter takes the last one, which works without an account."""
    _list(app, question, ways)
    return _number(app, len(open_ways), len(open_ways)) - 1


def _pick(app: App, question: str, rows: Sequence[str]) -> int:
    app.terminal.note(question)
    for number, row in enumerate(rows, 1):
        app.terminal.note(f"  {number:>2}  {row}")
    return _number(app, len(rows), 1) - 1


def _number(app: App, last: int, usual: int) -> int:
    while True:
        app.terminal.err.write(words.CHOOSE.format(last=last, usual=usual))
        app.terminal.err.flush()
        line = sys.stdin.readline()
        if not line:
            raise KeyboardInterrupt
        if not line.strip():
            return usual
        if line.strip().isdecimal() and 1 <= int(line) <= last:
            return int(line)
