"""Shell completion: one small script per shell that asks Baton itself, so that it never lags behind the parser."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from baton.core.display import one_line
from baton.core.errors import BatonError
from baton.surfaces.cli.app import App
from baton.surfaces.words import moving as words

_SCRIPTS = {
    "bash": """\
_baton() {
  local IFS=$'\\n'
  COMPREPLY=($(baton __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
  if [ ${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")); fi
  COMPREPLY=("${COMPREPLY[@]@Q}")
  COMPREPLY=("${COMPREPLY[@]//\\'/}")
  COMPREPLY=("${COMPREPLY[@]// /\\\\ }")
}
complete -F _baton baton
""",
    "zsh": """\
_baton() {
  local -a found
  found=("${(@f)$(baton __complete "${words[@]:1:$((CURRENT-1))}" 2>/dev/null | sed 's/:/\\\\:/g; s/\\t/:/')}")
  if [[ -n "$found" ]]; then _describe baton found; else _files; fi
}
compdef _baton baton
""",
    "fish": """\
function __baton_complete
    set -l words (commandline -opc) (commandline -ct)
    baton __complete $words[2..-1] 2>/dev/null
end
complete -c baton -f -a '(__baton_complete)'
complete -c baton -n '__fish_seen_subcommand_from import backup export' -F
""",
}
RECENT = 40


def script(app: App, options: argparse.Namespace) -> int:
    app.terminal.line(_SCRIPTS[options.shell].rstrip())
    return 0


def complete(
    parser: argparse.ArgumentParser, words: Sequence[str], make_app: Callable[[argparse.Namespace], App]
) -> int:
    """Prints what may follow, one per line, with a description after a tab. Never fails: a shell is waiting."""
    *before, last = words or [""]
    here = _descend(parser, before)
    for value, about in _candidates(here, before, last, make_app):
        if value.startswith(last):
            sys.stdout.write(f"{value}\t{about}\n")
    return 0


def _descend(parser: argparse.ArgumentParser, words: Sequence[str]) -> argparse.ArgumentParser:
    for word in words:
        parser = _subparsers(parser).get(word, parser)
    return parser


def _actions(parser: argparse.ArgumentParser) -> list[argparse.Action]:
    """What is offered. Argparse has no public way to ask a parser what it takes."""
    return [action for action in cast("Any", parser)._actions if action.help != argparse.SUPPRESS]


def _subparsers(parser: argparse.ArgumentParser) -> dict[str, argparse.ArgumentParser]:
    found = [action.choices for action in _actions(parser) if action.nargs == argparse.PARSER]
    return cast("dict[str, argparse.ArgumentParser]", found[0]) if found else {}


def _candidates(
    parser: argparse.ArgumentParser,
    before: Sequence[str],
    last: str,
    make_app: Callable[[argparse.Namespace], App],
) -> Iterator[tuple[str, str]]:
    for action in _actions(parser):
        if before and before[-1] in action.option_strings and action.nargs != 0:
            yield from ((str(choice), "") for choice in action.choices or ())
            yield from _list_stored(str(action.metavar), make_app)
            return
    if last.startswith("-"):
        for action in _actions(parser):
            yield from ((option, action.help or "") for option in action.option_strings)
        return
    yield from ((name, sub.description or "") for name, sub in _subparsers(parser).items())
    for action in _actions(parser):
        if action.option_strings or action.nargs == argparse.PARSER:
            continue
        yield from ((str(choice), "") for choice in action.choices or ())
        yield from _list_stored(str(action.metavar), make_app)


def _list_stored(kind: str, make_app: Callable[[argparse.Namespace], App]) -> Iterator[tuple[str, str]]:
    """What there is of a kind of argument, by its name in the help."""
    find = _KINDS.get(kind)
    if find is None:
        return
    try:
        yield from find(make_app(argparse.Namespace(flags=[], color=None)))
    except BatonError:
        return


def _conversations(app: App) -> list[tuple[str, str]]:
    rows = [row.conversation for row in app.store().conversations.page(RECENT, begun=True).rows]
    return [*((row.title, row.id) for row in rows), *((row.id, row.title) for row in rows)]


def _drafts(app: App) -> list[tuple[str, str]]:
    store = app.store()
    return [(draft.id, store.conversations.get(draft.conversation_id).title) for draft in store.drafts.list_waiting()]


def _rules(app: App) -> list[tuple[str, str]]:
    """What is pinned in the newest conversation here."""
    from baton.core.log.pins import find_pins
    from baton.engine.turns.writer import live_entries
    from baton.surfaces.cli.handoff import find_conversation

    head = app.store().sessions.get(find_conversation(app, None).head_id)
    return [(str(pin.number), one_line(pin.text, 80)) for pin in find_pins(live_entries(app.store(), head))]


def _transfers(app: App) -> list[tuple[str, str]]:
    recent = app.store().transfers.recent(RECENT)
    return [(each.id, words.TRANSFER.format(state=each.state, target=each.target)) for each in recent]


def _places(app: App) -> list[tuple[str, str]]:
    from baton.core.transfer.place import PLATFORMS

    homes, named = app.directory().homes(), app.load_config().settings.gateway.targets
    return [*((name, homes.get(name, words.PAIR_FIRST.format(platform=name))) for name in PLATFORMS), *named.items()]


def _people(app: App) -> list[tuple[str, str]]:
    return [(identity, f"{role} {name}".strip()) for identity, role, name in app.directory().list()]


def _keys(_: App) -> list[tuple[str, str]]:
    from baton.config.schema import tree

    return [(path, key.doc.partition(". ")[0]) for path, key in tree().every_key().items()]


_KINDS: dict[str, Callable[[App], list[tuple[str, str]]]] = {
    "CONVERSATION": _conversations,
    "DRAFT": _drafts,
    "RULE": _rules,
    "TRANSFER": _transfers,
    "PLACE": _places,
    "PLATFORM:ID": _people,
    "KEY": _keys,
}
