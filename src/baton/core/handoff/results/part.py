"""One command of a script: what it is for, and which tool it runs on what."""

from __future__ import annotations

import re
from collections.abc import Sequence

from baton.core.value import value

LOOK, CHECK, CHANGE, OTHER = "look", "check", "change", "other"
"""Reads and tells; says something about the work (tests, linters, builds); changes something; none of these."""

_INSISTING = frozenset(
    """
    --timeout --wait --retry --retries --force --force-with-lease --yes -y --legacy-peer-deps --no-cache --verbose -v
    --debug --no-verify --prefer-offline --network-timeout --wait-for-jobs --break-system-packages
    """.split()  # noqa: SIM905
)
"""Options that change how hard something is tried, not what."""
_PATIENCE = frozenset(
    """
    --timeout --wait --retry --retries --retry-delay --retry-max-time --max-time --connect-timeout --request-timeout
    --network-timeout --wait-timeout
    """.split()  # noqa: SIM905
)
"""Options whose amount says how long or how often something is tried."""
_AMOUNT = re.compile(r"\d{1,6}(?:ms|s|m|h)?")
_BARE = (("push",), ("pull",))
_INSIDE = ("/", "::", "[")


@value
class Part:
    """`targets` are what the tool was pointed at, empty for all there is; `selection` narrows them (`-k name`).

    `where` is the folder or project it was sent to, `reader` who reads its output, `text` how it was written. It is
    `quiet` if its output goes to a file.
    """

    kind: str
    tool: str
    targets: tuple[str, ...] = ()
    selection: tuple[str, ...] = ()
    where: str = ""
    reader: str = ""
    text: str = ""
    quiet: bool = False

    @property
    def key(self) -> str:
        """The same for runs of the same tool on the same targets, however they were written."""
        place = f" in {self.where}" if self.where else ""
        return " ".join((self.tool, *self.targets, *self.selection)) + place


def covers(later: Part, earlier: Part) -> bool:
    """Whether a pass of `later` says that what `earlier` found wrong is right now: the same tool in the same folder, on
    the same targets, on what holds them, or on everything.
    """
    if (later.tool, later.kind) != (earlier.tool, earlier.kind) or not _is_same_place(later.where, earlier.where):
        return False
    if later.kind != CHECK:
        return _insists(later.targets, earlier.targets)
    if later.selection and later.selection != earlier.selection:
        return False
    if not later.targets or later.targets == earlier.targets:
        return True
    return bool(earlier.targets) and all(is_within(each, later.targets) for each in earlier.targets)


def _insists(later: tuple[str, ...], earlier: tuple[str, ...]) -> bool:
    """Whether a change was tried again in the same words, or with more patience or force; a push without a name also
    with one.
    """
    if later == earlier or (earlier in _BARE and later[:1] == earlier):
        return True
    added = list(later)
    for word in earlier:
        if word not in added:
            return False
        added.remove(word)
    return all(word in _INSISTING or word.partition("=")[0] in _INSISTING or _AMOUNT.fullmatch(word) for word in added)


def drop_patience(words: Sequence[str]) -> list[str]:
    """The words of a command without how long and how often it is tried: with another limit it is the same command."""
    kept: list[str] = []
    for word in words:
        name, _, amount = word.partition("=")
        if name in _PATIENCE and _AMOUNT.fullmatch(amount):
            continue
        if kept and kept[-1] in _PATIENCE and _AMOUNT.fullmatch(word):
            kept.pop()
        else:
            kept.append(word)
    return kept


def is_within(target: str, targets: tuple[str, ...]) -> bool:
    """Whether a test, a file or a folder is one of these or inside one of them."""
    return any(
        target == each or (target.startswith(each) and target.startswith(_INSIDE, len(each))) for each in targets
    )


def _is_same_place(later: str, earlier: str) -> bool:
    """A command without a folder runs in the whole workspace, or where an earlier one in the same shell went. A folder
    named by its whole path may be the one that commands without a folder run in.
    """
    return later == earlier or not later or (not earlier and _is_absolute(later))


def _is_absolute(path: str) -> bool:
    return path.startswith(("/", "~", "$"))
