"""Everything that can be wrong with a configuration, in the words users read, and the list it is gathered in."""

from __future__ import annotations

from baton.config.masking import printable
from baton.core.errors import BadConfig

WRONG_VALUE = "{where}: {key}: found {found}; allowed: {allowed}."
UNKNOWN_KEY = "{where}: there is no key {key}; the nearest is {nearest}."
UNKNOWN_KEY_ALONE = "{where}: there is no key {key}; allowed here: {allowed}."
DOTTED_KEY = "{where}: {key} is written with dots; in a file, write each part on its own line, indented below the last."
NOT_A_NAME = "{where}: found {found} as a key; allowed: a name."
TWICE = "{where}: {key} is given a second time; the first is on line {line}."
NOT_IN_PROJECT = (
    "{where}: {key} is ignored: a project file, which can come from anybody, may not set it; "
    "set it in the user file {user_file}, in {variable} or by a flag."
)
WRONG_IN_PROJECT = "{problem} It is ignored, because a project file can come from anybody."
MORE_IGNORED = "The project file has {count} more lines that are ignored; `baton config check` shows them."

NOT_YAML = "{where}: not valid YAML: {reason}."
TAB = "{where}: found a tab in the indentation; allowed: spaces."
REFERENCE = "{where}: found {found}; anchors, aliases and tags are not allowed."
TOO_DEEP = "{where}: nested more than {limit} levels deep."
SECOND_DOCUMENT = "{where}: a second document begins; allowed: one."
NOT_UTF8 = "{where}: not UTF-8; save the file as UTF-8 text."
CONTROL_CHARACTER = "{where}: found the control character {found}; remove it."
NOT_A_SECTION = "{where}: found {found}; allowed: the keys {allowed}."

DIRECTORY = "{where}: found a directory; allowed: a file."
LEADS_OUT = "{where}: a link leads out of the project; it is not followed."
NOT_A_FILE = "{where}: not a regular file."
UNREADABLE = "{where}: cannot be read: {reason}."
TOO_LARGE = "{where}: larger than {limit} bytes."

UNKNOWN_VARIABLE = "{where}: no key has this variable; the nearest is {nearest}."
UNKNOWN_VARIABLE_ALONE = "{where}: no key has this variable."
TWO_VARIABLES = "{where}: {key} is also given by {other}; set only one of them."
BAD_HOME = "{where}: found {found}; allowed: the absolute path of a directory."
NO_HOME = "The home directory of this user is not known; set BATON_HOME to the absolute path of a directory."
NO_CWD = "The current directory cannot be found ({reason}); change to one that exists."

NOT_A_PAIR = "{where}: found {found}; allowed: key=value, such as ui.color=never."
WHOLE_SECTION = "{where}: {key} is a section; set one of its keys: {allowed}."

_MORE = "… and {count} more."
_LISTED = 100


class Problems:
    """Gathers what is wrong while the layers are read. Each problem is one printable line, and so is each warning."""

    def __init__(self) -> None:
        self.warnings: list[str] = []
        self._lines: list[str] = []
        self._count = 0

    @property
    def count(self) -> int:
        return self._count

    @property
    def full(self) -> bool:
        """Whether further problems are only counted, not listed."""
        return len(self._lines) >= _LISTED

    def add(self, text: str, **facts: object) -> None:
        self._count += 1
        if not self.full:
            self._lines.append(printable(text.format_map(facts)))

    def warn(self, text: str, **facts: object) -> None:
        """For what is ignored, so that the rest can be used."""
        self._warn(printable(text.format_map(facts)))

    def _warn(self, line: str) -> None:
        if len(self.warnings) < _LISTED:
            self.warnings.append(line)

    def warn_of(self, others: Problems) -> None:
        """Takes over what was gathered about a file that can come from anybody: as warnings."""
        for line in others.warnings:
            self._warn(line)
        for line in others._lines:
            self.warn(WRONG_IN_PROJECT, problem=line)
        if rest := others._count - len(others._lines):
            self._warn(_MORE.format(count=rest))

    def raise_any(self) -> None:
        """Raises one `BadConfig` with everything gathered, or returns when there is nothing."""
        if not self._count:
            return
        rest = self._count - len(self._lines)
        more = [_MORE.format(count=rest)] if rest else []
        raise BadConfig(count=self._count, problems="\n".join(self._lines + more))


def nearest(name: str, known: list[str]) -> str | None:
    """The known name that was most likely meant: the same last part elsewhere, or a similar spelling."""
    last = name.rpartition(".")[2]
    for each in known:
        if each.rpartition(".")[2] == last:
            return each
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, known, n=1, cutoff=0.6)), None)
