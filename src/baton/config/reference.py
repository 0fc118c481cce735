"""docs/reference/config.md, made from the schema: `python -m baton.config.reference > docs/reference/config.md`."""

from __future__ import annotations

import sys

from baton.config.keys import Key, Section, tree_of
from baton.config.kinds import TableOf
from baton.config.render import as_text, to_json
from baton.config.schema import handoff_prompt, tree

_PAGE = """\
<!--
Made from src/baton/config/schema.py. Do not edit. To make it again:
python -m baton.config.reference > docs/reference/config.md
-->

# Configuration

Baton works without any configuration. Settings come from five layers; each one covers those above it:

| layer | where |
|---|---|
| default | this page |
| user | `config.yaml` in `BATON_HOME` |
| project | `.baton/config.yaml`, in the current directory or the nearest one above that has it |
| environment | `BATON_` and the path of the key in capitals, with `__` between its parts |
| flag | `--set key=value` on the command line, before or after the command; of two for the same key the later one \
holds |

`baton config show` prints the value of every key and the layer it came from, `baton config check` all problems at
once, and `baton config schema` a JSON Schema for your editor. In every layer of your own, an unknown key, a key given
twice or a value that is not allowed is an error, never a guess. In variables and flags, write `null` for null; an empty
value is not allowed.

A project file is looked for up to the repository root or your home directory, and outside both only in the current
directory. It comes with a repository, so it may be somebody else's. Therefore it may set these keys and no others:
{in_project}. They say how things look; everything that decides what runs, what you are asked, what a model is told,
where your data goes, how long it is kept or waited for, and how often work continues by itself is yours alone. Any
other key in a project file is ignored with a warning that names file, line and key and says where you may set it. So
is whatever else is wrong with that file: a value that is not allowed, an unknown key, broken YAML, a link that leads
out of the project. It is no error, because then any repository could keep you from working in it. `baton config check`
and `baton doctor` list these warnings, the gateway tells them when it starts, and the first turn of each process tells
them.

Files are plain YAML in UTF-8, at most 1 MB (a project file 100 KB), without anchors, aliases and tags. Where text is
expected, an unquoted word such as `no` stays text.

`BATON_HOME` is where Baton keeps its data, an absolute path. Without it:

| platform | directory |
|---|---|
| Linux | `$XDG_DATA_HOME/baton`, or `~/.local/share/baton` |
| macOS | `~/Library/Application Support/baton` |
| Windows | `%LOCALAPPDATA%\\baton` |

## All keys with their defaults

```yaml
{example}```

{keys}
## Key files

- `src/baton/config/schema.py`: every key, its default, meaning and limits; those of tools, gateway and platforms
  are in `tool_settings.py`, `gateway_settings.py` and `platform_settings.py` beside it
- `src/baton/config/project_file.py`: the list of keys that a project file may set
- `src/baton/config/locations.py`: where `BATON_HOME` is, and which files hold for a directory
- `src/baton/config/layers.py`: how the layers become one set of settings
- `src/baton/config/problems.py`: every error text
- `src/baton/core/prompts/handoff.md`: the default of `agent.auto_handoff_on_compression.prompt`
"""

_SECTION = """\
## {path}

{doc}
"""

_KEY = """\
### {path}

{doc}

| | |
|---|---|
| type | {kind} |
| default | {default} |
| allowed | {allowed} |
| variable | {variables} |
| project file | {project} |
"""


_RECORDS = """
Each has {one}:

| key | meaning | allowed | default |
|---|---|---|---|
{rows}"""

_ROW = "| `{name}` | {doc} | {allowed} | {default} |\n"


def reference() -> str:
    """The whole page, in Markdown. Every key of the schema is on it."""
    in_project = " and ".join(f"`{path}`" for path, key in tree().every_key().items() if key.in_project)
    keys = "\n".join(_entry(each) for each in tree().walk())
    return _PAGE.format(example=example(), keys=keys, in_project=in_project)


def example() -> str:
    """A configuration file that gives every key its default."""
    return "".join(_lines(tree(), ""))


def _entry(each: Key | Section) -> str:
    if isinstance(each, Section):
        return _SECTION.format(path=each.path, doc=each.doc)
    page = _KEY.format(
        path=each.path,
        doc=each.doc,
        kind=f"{each.kind.name} or null" if each.nullable else each.kind.name,
        default=_default(each),
        allowed=_allowed_cell(each),
        variables=", ".join(f"`{name}`" for name in each.variables),
        project="yes" if each.in_project else "no",
    )
    return page + _records(each.kind) if isinstance(each.kind, TableOf) else page


def _records(kind: TableOf) -> str:
    """The keys of a table's records. One of those that must be given has no default."""
    rows = "".join(
        _ROW.format(name=name, doc=key.doc, allowed=_allowed_cell(key), default=_default(key))
        for name, key in tree_of(kind.record).every_key().items()
    )
    return _RECORDS.format(one=kind.one, rows=rows)


def _allowed_cell(key: Key) -> str:
    return key.allowed.replace("|", "\\|")


def _default(key: Key) -> str:
    value = key.default()
    if value == "":
        return "-"
    if value == handoff_prompt():
        return "[the text that ships with Baton](../../src/baton/core/prompts/handoff.md)"
    return f"`{as_text(to_json(value))}`"


def _lines(section: Section, indent: str) -> list[str]:
    lines: list[str] = []
    for name, child in section.children.items():
        if isinstance(child, Section):
            lines += [f"{indent}{name}:\n", *_lines(child, indent + "  ")]
        else:
            lines.append(f"{indent}{name}: {_scalar(to_json(child.default()), indent + '  ')}\n")
    return lines


def _scalar(value: object, indent: str) -> str:
    lines = str(value).splitlines()
    if len(lines) <= 1:
        return as_text(value)
    return "|\n" + "\n".join(indent + line if line else "" for line in lines)


if __name__ == "__main__":
    sys.stdout.write(reference())
