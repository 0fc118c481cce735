"""Files that the agent shows in a place: letters made of the transcript, each under a key of its own.

A crash between the call's result and its letter loses nothing: whoever takes the conversation over finds the call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from baton.core.transfer.letter import Attached, Letter
from baton.surfaces.shared.shown import read_shown
from baton.surfaces.words import channel as words

if TYPE_CHECKING:
    from baton.core.agent.shown import ShownFile


def make_letter(shown: ShownFile, clean: Callable[[str], str]) -> Letter:
    """The file with its caption; words if it has changed since. Name and text are cleaned of secrets. Blocks."""
    name, data = clean(shown.name), read_shown(shown)
    if data is None:
        return Letter(words.NOT_SHOWN.format(name=name.replace("`", "'")))
    return Letter(shown.caption, file=Attached(name, shown.media_type, _clean_text(data, clean)))


def _clean_text(data: bytes, clean: Callable[[str], str]) -> bytes:
    """A text without its secrets; anything else as it is."""
    if b"\0" in data:
        return data
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return data
    cleaned = clean(text)
    return data if cleaned == text else cleaned.encode()
