"""What a local model writes, read while it is written: the text of an answer as it grows, a call once it is whole."""

from __future__ import annotations

import json
import re
from typing import Any, cast

from baton.adapters.models.local.schema import ANSWER

_TOOL = re.compile(r'\s*\{\s*"tool"\s*:\s*"([^"\\]*)"')
_TEXT = re.compile(r'\s*\{\s*"tool"\s*:\s*"[^"\\]*"\s*,\s*"args"\s*:\s*\{\s*"text"\s*:\s*"')
_PIECE = re.compile(
    r"(?P<plain>[^\"\\]+)"
    r"|\\u(?P<high>[dD][89abAB][0-9a-fA-F]{2})\\u(?P<low>[dD][c-fC-F][0-9a-fA-F]{2})"
    r"|\\u(?P<lone>[dD][89abAB][0-9a-fA-F]{2})(?=\\[^u]|\\u[^dD]|\\u[dD][^c-fC-F]|[^\\])"
    r"|\\u(?P<unit>(?![dD][89abAB])[0-9a-fA-F]{4})"
    r"|\\(?P<short>[\"\\/bfnrt])"
)
_SHORT = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_LOST = "�"


class NoReply(Exception):
    """What the model wrote is neither an answer nor a whole call."""


class JsonString:
    """Decodes a JSON string that comes in any pieces after its opening quote."""

    def __init__(self) -> None:
        self._pending = ""
        self.ended = False

    def feed(self, piece: str) -> str:
        """The text that is certain by now. Half an escape, or half a surrogate pair, waits for the rest."""
        if self.ended:
            return ""
        data, at, found = self._pending + piece, 0, list[str]()
        while match := _PIECE.match(data, at):
            found.append(_text(match))
            at = match.end()
        self._pending = data[at:]
        self.ended = self._pending.startswith('"')
        return "".join(found)


class Reply:
    """`feed` takes what the model writes and returns the text to show; `call` returns the call after the end, if it was
    one.

    A `bare` reply is text and nothing else, and so is one that does not begin like an object.
    """

    def __init__(self, *, bare: bool = False) -> None:
        self._raw = ""
        self._name: str | None = None
        self._string: JsonString | None = None
        self._bare = bare

    def feed(self, piece: str) -> str:
        self._raw += piece
        if self._bare:
            return piece
        if self._string:
            return self._string.feed(piece)
        return self._begin()

    def call(self) -> tuple[str, dict[str, Any]] | None:
        """Name and arguments; None if it was an answer. Raises `NoReply`, which says how far it came."""
        if self._bare or self._string:
            return None
        try:
            found = json.loads(self._raw)
            return str(found["tool"]), cast("dict[str, Any]", _encodable(found["args"]))
        except (ValueError, KeyError, TypeError):
            raise NoReply(f"its call of {self._name}" if self._name else "its reply") from None

    def _begin(self) -> str:
        """Decides what this is as soon as it can be known."""
        if self._raw.strip() and not self._raw.lstrip().startswith("{"):
            self._bare = True
            return self._raw
        if self._name is None and (named := _TOOL.match(self._raw)):
            self._name = named[1]
        if self._name == ANSWER and (opened := _TEXT.match(self._raw)):
            self._string = JsonString()
            return self._string.feed(self._raw[opened.end() :])
        return ""


def _text(match: re.Match[str]) -> str:
    kind, found = match.lastgroup, match[0]
    if kind == "plain":
        return found
    if kind == "low":
        return chr(0x10000 + ((int(match["high"], 16) & 0x3FF) << 10) + (int(match["low"], 16) & 0x3FF))
    if kind == "unit":
        unit = int(match["unit"], 16)
        return _LOST if 0xDC00 <= unit <= 0xDFFF else chr(unit)
    return _LOST if kind == "lone" else _SHORT.get(match["short"], match["short"])


def _encodable(found: Any) -> Any:
    """The same, with lone surrogates replaced: nothing else could store or send them."""
    if isinstance(found, str):
        return re.sub("[\ud800-\udfff]", _LOST, found)
    if isinstance(found, list):
        return [_encodable(each) for each in cast("list[Any]", found)]
    if isinstance(found, dict):
        return {_encodable(name): _encodable(each) for name, each in cast("dict[Any, Any]", found).items()}
    return found
