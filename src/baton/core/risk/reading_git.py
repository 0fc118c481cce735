"""git's verbs that only read, with the options that leave it at that.

No option stands before the verb but one against paging: `-c` and `--git-dir` choose what git runs. What writes a file
(`--output`), runs a program (`--ext-diff`, `--textconv`, `-O`) or reads beside the repository (`--no-index`) is missing
from the table on purpose. An operand may be a revision or a path, so each is held to be a path.
"""

from __future__ import annotations

from baton.core.risk.reading_options import NOTHING, PATTERN, Reader, read_arguments, reader, split_arguments

_UNPAGED = ("--no-pager", "-P")
_SIGNED = "%G"
"""In a format it has a signature verified, by a program."""
_DIFF_FLAGS = "pusbwzRaqMC"
_DIFF_VALUED = "SG"
_ATTACHED = "U"
"""Its value stands in the same word, or it has none."""
_DIFF_LONG = (
    "stat shortstat numstat dirstat summary name-only name-status patch no-patch raw cached staged color no-color "
    "word-diff color-words minimal patience histogram full-index abbrev no-renames find-renames find-copies "
    "ignore-all-space ignore-space-change ignore-space-at-eol ignore-blank-lines check exit-code quiet no-ext-diff "
    "no-textconv merge-base no-prefix text relative function-context compact-summary unified pickaxe-all "
    "pickaxe-regex cc"
)
_DIFF_LONG_VALUED = "diff-filter diff-algorithm inter-hunk-context"
_LOG_LONG = (
    "oneline graph all decorate no-decorate abbrev-commit reverse merges no-merges first-parent branches tags remotes "
    "left-right follow topo-order date-order author-date-order pretty format date regexp-ignore-case "
    "extended-regexp fixed-strings all-match invert-grep full-history simplify-merges parents children boundary "
    "relative-date no-abbrev-commit cherry-pick cherry-mark left-only right-only source walk-reflogs"
)
_LOG_LONG_VALUED = "since until after before author committer grep max-count skip"
_DIFF = reader(_DIFF_FLAGS, _DIFF_VALUED, _DIFF_LONG, _DIFF_LONG_VALUED, numbers=True, attached=_ATTACHED)
_LOG = reader(
    f"{_DIFF_FLAGS}giEFcm",
    f"{_DIFF_VALUED}n",
    f"{_DIFF_LONG} {_LOG_LONG}",
    f"{_DIFF_LONG_VALUED} {_LOG_LONG_VALUED}",
    numbers=True,
    attached=_ATTACHED,
)
_LISTING = reader(
    "arvlqi",
    "",
    "all remotes list verbose show-current color no-color column no-column merged no-merged ignore-case sort format",
    "",
    NOTHING,
)
_VERBS: dict[str, Reader] = {
    "status": reader(
        "sbuvz",
        "",
        "short branch porcelain long verbose untracked-files show-stash ahead-behind no-ahead-behind "
        "renames no-renames column no-column",
    ),
    "diff": _DIFF,
    "log": _LOG,
    "show": _LOG,
    "rev-list": reader("n", "", "count all reverse no-merges merges first-parent oneline", "max-count since until"),
    "shortlog": reader("sneg", "", "summary numbered email all no-merges", "since until group"),
    "blame": reader("wsefltbMC", "L", "show-name show-number show-email date porcelain line-porcelain root"),
    "ls-files": reader(
        "mocdstziv",
        "x",
        "modified others cached deleted stage ignored exclude-standard error-unmatch full-name directory unmerged eol",
        "exclude",
    ),
    "ls-tree": reader("rdtlz", "", "name-only name-status long full-name full-tree"),
    "cat-file": reader("pts"),
    "rev-parse": reader(
        "q",
        "",
        "abbrev-ref short show-toplevel show-prefix show-cdup git-dir is-inside-work-tree is-bare-repository verify "
        "quiet symbolic-full-name symbolic all branches tags remotes",
    ),
    "describe": reader("", "", "tags all always dirty long abbrev exact-match first-parent contains", "match exclude"),
    "merge-base": reader("a", "", "all is-ancestor octopus fork-point"),
    "name-rev": reader("", "", "name-only tags all always"),
    "grep": reader(
        "inlLcwvohHEFGPIapqW",
        "eABCm",
        "ignore-case line-number files-with-matches count word-regexp invert-match cached untracked heading break "
        "extended-regexp fixed-strings perl-regexp show-function function-context and or not all-match color",
        "max-depth max-count after-context before-context context",
        PATTERN,
        numbers=True,
        unpatterned="-e",
    ),
    "branch": _LISTING,
    "tag": reader(
        "liqn", "", "list column no-column merged no-merged sort format ignore-case", "", NOTHING, numbers=True
    ),
    "remote": reader("v", "", "verbose", "", NOTHING),
    "stash list": _LOG,
    "stash show": _DIFF,
    "worktree list": reader("vz", "", "porcelain verbose", "", NOTHING),
    "reflog": reader("n", "", "date format pretty oneline all", "max-count", NOTHING, numbers=True),
    "reflog show": _LOG,
}
_LISTED = ("branch", "tag")


def read_git(args: tuple[str, ...]) -> list[str] | None:
    """What may be paths; None if the command may do more than read."""
    while args and args[0] in _UNPAGED:
        args = args[1:]
    verb, rest = (" ".join(args[:2]), args[2:]) if " ".join(args[:2]) in _VERBS else (" ".join(args[:1]), args[1:])
    known = _VERBS.get(verb)
    if known is None or any(_SIGNED in text for text in rest):
        return None
    if verb in _LISTED and (split := split_arguments(rest, known)) and split[0] & {"-l", "--list"}:
        return []
    found = read_arguments(rest, known)
    return None if found is None else [each for each in found if not each.startswith(":")]
