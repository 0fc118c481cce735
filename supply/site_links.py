"""A hook of the site: links that leave the documentation become plain words, except the one to the README's page."""

from __future__ import annotations

import posixpath
import re
from typing import Any

LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)#\s]+)(#[^)\s]*)?\)")


def on_page_markdown(markdown: str, *, page: Any, **_: object) -> str:
    folder = posixpath.dirname(page.file.src_uri)
    return LINK.sub(lambda found: stay_inside(found, folder), markdown)


def stay_inside(found: re.Match[str], folder: str) -> str:
    """A link as the site can follow it."""
    words, target = found[1], found[2]
    if "://" in target or target.startswith("mailto:"):
        return found[0]
    path = posixpath.normpath(posixpath.join(folder, target))
    if path == "../README.md":
        return f"[{words}]({posixpath.relpath('index.md', folder or '.')})"
    is_page = path.endswith((".md", ".svg")) and not path.startswith("..")
    return found[0] if is_page else words
