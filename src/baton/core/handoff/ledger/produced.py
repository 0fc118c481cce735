"""What work produced beyond files: commits, branches, tags, and the pages of pull requests and issues it made.

Read from the output of the command that made them, so that a link that was only looked at is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from baton.core.handoff.results.chain import read_chain
from baton.core.value import value

_START = (
    r"(?:[A-Za-z_]\w{0,60}=[\"']?\$\(|[A-Za-z_]\w{0,60}=[^\s(]{0,200} |(?:sudo|command|time|env|timeout \S{1,8}) ){0,4}"
)
_GIT = rf"{_START}git (?:-\S{{1,60}} (?:\S{{1,200}} )?){{0,3}}?"
_COMMITTING = re.compile(rf"{_GIT}(?:commit|merge|cherry-pick|revert|am|rebase)\b")
_COMMIT = re.compile(r"^\[([^\]\n]{1,120}?)(?: \(root-commit\))? ([0-9a-f]{7,40})\] ([^\n]{1,200})", re.MULTILINE)
_SUBJECT = re.compile(
    r"\bgit\b[^|;&\n]{0,200}\bcommit\b[^|;&\n\"']{0,200}(?:-\w{0,6}m|--message)[ =]?"
    r"(?:\"\$\(cat <<-?[ \"']{0,2}\w{1,20}[\"']?\n([^\n]{1,200})|\"([^\"\n$`]{1,200})|'([^'\n]{1,200}))"
)
_NO_COMMIT = re.compile(r"nothing to commit|no changes added|nothing added to commit|--dry-run", re.IGNORECASE)
_MAKING = re.compile(
    rf"{_START}(?:gh|glab|hub|tea|jira|linear|az repos|az boards) "
    r"(?:-\S{1,30} \S{1,200} ){0,2}(?:[\w-]{2,30} ){0,2}?"
    r"(?:create|new|open|comment|note|close|merge|ready|reopen|edit|review|fork|upload)\b"
    rf"|{_START}(?:gh|glab) api (?!graphql\b(?!.{{0,4000}}\bmutation\b)).{{0,400}}?"
    r"(?:-X ?(?:POST|PUT|PATCH)|--method[ =]?(?:POST|PUT|PATCH)|-f |-F |--field|--raw-field)"
    rf"|{_START}git push\b|{_START}curl\b.{{0,400}}?(?:-X ?POST|--data|-d )",
    re.DOTALL,
)
_URL = re.compile(r"https?://[^\s<>\"'`)\]}\\]{6,300}")
_PAGE = re.compile(r"/(?:pull|pulls|issues|merge_requests|pullrequest|browse|releases|discussions|gist|-/)")
_NEW_PAGE = re.compile(r"/(?:pull/new|compare|merge_requests/new)\b")
_BRANCH = re.compile(rf"{_GIT}(?:checkout -[bB]|switch -[cC]|branch) (?!-)([\w./-]{{2,100}})")
_TAG = re.compile(
    rf"{_GIT}tag (?:-[afs] |-[mu] (?:\"[^\"]{{0,200}}\"|'[^']{{0,200}}'|\S{{1,100}}) ?){{0,4}}(?!-)([\w./-]{{2,100}})"
)
_MAKING_TOOL = re.compile(r"(?:^|_|-|\.)(?:create|open|submit|add|merge|publish)(?:_|-|$|[A-Z])", re.IGNORECASE)
_LOOK = 40_000
_TOLD = 6_000
_MOST = 12


def find_produced(command: str, output: str) -> list[str]:
    """What a command that ended well made: by its own output, or by its words if it was told to be quiet. A text that
    the command only writes or quotes makes nothing.
    """
    told, seen = command[:_LOOK], output[-_LOOK:]
    making = _read_making(told)
    commits = (list(_commits(seen)) or _told_commits(told, seen)) if making.commits else ()
    pages = _pages(seen) if making.pages else ()
    return list(dict.fromkeys((*commits, *making.names, *pages)))[:_MOST]


@value
class _Making:
    """What a command makes by its words: whether commits and pages, and the branches and tags it names."""

    commits: bool
    pages: bool
    names: tuple[str, ...]


@lru_cache(maxsize=2048)
def _read_making(command: str) -> _Making:
    parts = [part.text for part in read_chain(command).parts]
    branches = [f"branch {made[1]}" for part in parts if (made := _BRANCH.match(part))]
    tags = [f"tag {made[1]}" for part in parts if (made := _TAG.match(part))]
    return _Making(any(map(_COMMITTING.match, parts)), any(map(_MAKING.match, parts)), (*branches, *tags))


def find_linked(tool: str, output: str) -> list[str]:
    """Pages that a tool made, where its name says that it makes something."""
    return list(dict.fromkeys(_pages(output[-_LOOK:])))[:3] if _MAKING_TOOL.search(tool) else []


def _commits(output: str) -> Iterator[str]:
    for branch, digest, subject in _COMMIT.findall(output):
        yield f"commit {digest[:12]} “{subject.strip()}” on {branch.split()[-1] if branch else '?'}"


def _told_commits(command: str, output: str) -> list[str]:
    """Subjects of commits whose output was silenced or cut."""
    if _NO_COMMIT.search(output) or _NO_COMMIT.search(command):
        return []
    told = [each[1] or each[2] or each[3] for each in _SUBJECT.finditer(command[:_TOLD])]
    return [f"commit “{subject.strip()}”" for subject in told]


def _pages(output: str) -> Iterator[str]:
    for url in _URL.findall(output):
        if _PAGE.search(url) and not _NEW_PAGE.search(url):
            yield url.rstrip(".,;:")
