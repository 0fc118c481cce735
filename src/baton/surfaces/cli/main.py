"""From arguments to an exit code: parse, run one handler, turn every error into words."""

from __future__ import annotations

import argparse
import importlib
import os
import sys
from collections.abc import Callable, Sequence

from baton.core.errors import BatonError, MissingExtra
from baton.surfaces.cli.app import App
from baton.surfaces.cli.parser import build, parse
from baton.surfaces.cli.terminal import Terminal

OK = 0
FAILED = 1
USAGE = 2
INTERRUPTED = 130

MakeApp = Callable[[argparse.Namespace], App]


def run(arguments: Sequence[str], make_app: MakeApp) -> int:
    """The exit code: 0 done, 1 refused or failed (with what happened on standard error), 2 wrong usage, 130 Ctrl-C."""
    if arguments[:1] == ["__complete"]:
        from baton.surfaces.cli.completion import complete

        return complete(build(), arguments[1:], make_app)
    options = parse(arguments)
    if not options.handler:
        options.used.print_help()
        return OK
    return _run_handler(options, make_app, arguments)


def _run_handler(options: argparse.Namespace, make_app: MakeApp, arguments: Sequence[str]) -> int:
    try:
        app = make_app(options)
        code = _import_handler(options.handler)(app, options)
        app.terminal.flush()
    except BatonError as error:
        as_json = getattr(options, "json", False)
        _explain(error, as_json=as_json)
        if isinstance(error, MissingExtra) and not as_json:
            _add_missing(error, arguments)
        return FAILED
    except KeyboardInterrupt:
        sys.stderr.write("\n")
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    return code


def _add_missing(error: MissingExtra, arguments: Sequence[str]) -> None:
    """Installed on a yes, the command begins anew, in a process that knows the packages; otherwise returns."""
    from baton.surfaces.cli.missing_extra import offer_install

    if offer_install(error, Terminal(sys.stdout, sys.stderr)):
        os.execv(sys.executable, [sys.executable, "-m", "baton", *arguments])  # noqa: S606, the same command again


def _import_handler(name: str) -> Callable[[App, argparse.Namespace], int]:
    module, _, function = name.partition(":")
    return getattr(importlib.import_module(f"baton.surfaces.cli.{module}"), function)


def _explain(error: BatonError, *, as_json: bool) -> None:
    terminal = Terminal(sys.stdout, sys.stderr)
    if as_json:
        import json

        terminal.note(json.dumps({"error": error.as_dict()}, ensure_ascii=False))
        return
    what, kept, todo = error.parts()
    terminal.note(f"{terminal.style_err('baton:', 'red', 'bold')} {what}")
    for text in (kept, todo):
        if text:
            terminal.note(f"  {text}")
