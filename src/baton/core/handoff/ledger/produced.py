"""What work produced beyond files: commits, branches, tags, and the pages of pull requests and issues it made.

Read from the output of the command that made them, so that a link that was only looked at is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_COMMITTING = re.compile(r"\bgit\b[^|;&\n]{0,200}\b(?:commit|merge|cherry-pick|revert|am|rebase)\b")
_COMMIT = re.compile(r"^\[([^\]\n]{1,120}?)(?: \(root-commit\))? ([0-9a-f]{7,40})\] ([^\n]{1,200})", re.MULTILINE)
_MAKING = re.compile(
    r"\b(?:gh|glab|hub|tea|az repos|az boards|jira|linear)\b[^|;&\n]{0,120}"
    r"\b(?:create|new|open|comment|close|merge|ready|reopen|edit|review|fork|upload)\b"
    r"|\b(?:gh|glab) api\b[^|;\n]{0,400}(?:-X ?(?:POST|PUT|PATCH)|--method ?(?:POST|PUT|PATCH)|-f |-F |--field)"
    r"|\bgit push\b|\bcurl\b[^|;\n]{0,400}(?:-X ?POST|--data|-d )"
)
_URL = re.compile(r"https?://[^\s<>\"'`)\]}\\]{6,300}")
_PAGE = re.compile(r"/(?:pull|pulls|issues|merge_requests|pullrequest|browse|releases|discussions|gist|-/)")
_NEW_PAGE = re.compile(r"/(?:pull/new|compare|merge_requests/new)\b")
_BRANCH = re.compile(r"\bgit (?:checkout -[bB]|switch -[cC]|branch(?! -)) ([\w./-]{2,100})")
_TAG = re.compile(r"\bgit tag (?:-[am] (?:\"[^\"\n]{0,200}\"|'[^'\n]{0,200}'|\S{1,100}) ?)*([\w./-]{2,100})")
_MAKING_TOOL = re.compile(r"(?:^|_|-|\.)(?:create|open|submit|add|merge|publish)(?:_|-|$|[A-Z])", re.IGNORECASE)
_LOOK = 40_000
_MOST = 12


def find_produced(command: str, output: str) -> list[str]:
    """What a command that ended well made, in the words of its own output."""
    told, seen = command[:_LOOK], output[-_LOOK:]
    found: dict[str, None] = {}
    if _COMMITTING.search(told):
        found |= dict.fromkeys(_commits(seen))
    found |= dict.fromkeys(f"branch {name}" for name in _BRANCH.findall(told))
    found |= dict.fromkeys(f"tag {name}" for name in _TAG.findall(told))
    if _MAKING.search(told):
        found |= dict.fromkeys(_pages(seen))
    return list(found)[:_MOST]


def find_linked(tool: str, output: str) -> list[str]:
    """Pages that a tool made, where its name says that it makes something."""
    return list(dict.fromkeys(_pages(output[-_LOOK:])))[:3] if _MAKING_TOOL.search(tool) else []


def _commits(output: str) -> Iterator[str]:
    for branch, digest, subject in _COMMIT.findall(output):
        yield f"commit {digest[:12]} “{subject.strip()}” on {branch.split()[-1] if branch else '?'}"


def _pages(output: str) -> Iterator[str]:
    for url in _URL.findall(output):
        if _PAGE.search(url) and not _NEW_PAGE.search(url):
            yield url.rstrip(".,;:")
