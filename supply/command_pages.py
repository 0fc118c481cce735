"""The pages of the command line, made from its tables: for the site and as a manual page.

python -m supply.command_pages > docs/reference/cli.md
python -m supply.command_pages --man > docs/baton.1
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator, Sequence

from baton import __version__
from baton.surfaces.cli.command_groups import GROUPS
from baton.surfaces.cli.commands import COMMANDS
from baton.surfaces.cli.entry import Argument, Entry
from baton.surfaces.cli.global_flags import FLAGS

CODES = (
    ("0", "it was done"),
    ("1", "it was refused or failed; what happened, what is kept and what helps is on standard error"),
    ("2", "the command line is wrong"),
    ("3", "`handoff --to`: it was still on its way when the wait ended, and continues"),
    ("130", "it was stopped (Ctrl-C)"),
)
_HEAD = """\
<!--
Made from src/baton/surfaces/cli/commands.py and command_groups.py. Do not edit. To make it again:
python -m supply.command_pages > docs/reference/cli.md
-->

# The command line

`baton` alone is the chat in this directory. Every command has `--help`. Colours appear only on a terminal, and
`NO_COLOR` is honoured. With `--json` output and errors are for programs ([json.md](json.md)).

## Exit codes

| code | meaning |
|---|---|
{codes}

## Flags that hold wherever they stand

{flags}
"""


def list_entries() -> Iterator[tuple[str, Entry]]:
    """Every command with its words, those of groups after the others."""
    for name, entry in COMMANDS.items():
        yield f"baton {name}", entry
    for group, (_, entries) in GROUPS.items():
        for name, entry in entries.items():
            yield f"baton {group} {name}", entry


def render_page() -> str:
    codes = "\n".join(f"| {code} | {meaning} |" for code, meaning in CODES)
    parts = [_HEAD.format(codes=codes, flags=_table(list(FLAGS.values())))]
    for words, entry in list_entries():
        parts.append(f"## {words}\n\n{entry.summary}.\n")
        if entry.arguments:
            parts.append(f"{_table(entry.arguments)}\n")
        if entry.examples:
            parts.append("```sh\n" + "\n".join(entry.examples) + "\n```\n")
        if entry.notes:
            parts.append(f"```text\n{entry.notes}\n```\n")
    return "\n".join(parts)


def render_manual() -> str:
    """In the language of `man`."""
    lines = [
        f'.TH BATON 1 "" "Baton {__version__}" "Baton"',
        ".SH NAME",
        r"baton \- agent work that survives the end of any context window, process, device or tool",
        ".SH SYNOPSIS",
        ".B baton",
        r"[\fIoptions\fR] [\fIcommand\fR ...]",
        ".SH OPTIONS",
        *(line for argument in FLAGS.values() for line in _manual_argument(argument)),
        ".SH COMMANDS",
    ]
    for words, entry in list_entries():
        lines += [f".SS {words}", _escape(f"{entry.summary}.")]
        lines += [line for argument in entry.arguments for line in _manual_argument(argument)]
        if entry.examples:
            lines += [".PP", ".nf", *map(_escape, entry.examples), ".fi"]
    lines += [".SH EXIT STATUS"]
    for code, meaning in CODES:
        lines += [".TP", f".B {code}", _escape(meaning.replace("`", ""))]
    return "\n".join(lines) + "\n"


def _table(arguments: Sequence[Argument]) -> str:
    rows = [f"| `{_usage(each)}` | {_help(each).replace('|', '/')} |" for each in arguments]
    return "\n".join(["| argument | |", "|---|---|", *rows])


def _usage(argument: Argument) -> str:
    choices = argument.options.get("choices")
    shown = argument.options.get("metavar") or (",".join(map(str, choices)) if choices else "")
    if not argument.names[0].startswith("-"):
        return str(shown or argument.names[0])
    return ", ".join(argument.names) + (f" {shown}" if shown else "")


def _help(argument: Argument) -> str:
    return str(argument.options.get("help") or "").replace("%%", "%")


def _manual_argument(argument: Argument) -> Iterator[str]:
    yield from (".TP", rf"\fB{_escape(_usage(argument))}\fR", _escape(_help(argument)) or r"\&")


def _escape(text: str) -> str:
    """No line of a text is read as an instruction, and a hyphen stays one."""
    return re.sub(r"^(?=[.'])", r"\\&", text.replace("\\", r"\e").replace("-", r"\-"))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m supply.command_pages", description=__doc__)
    parser.add_argument("--man", action="store_true", help="the manual page instead")
    options = parser.parse_args(arguments)
    sys.stdout.write(render_manual() if options.man else render_page())
    return 0


if __name__ == "__main__":
    sys.exit(main())
