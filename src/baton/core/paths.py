"""Paths as text that can be kept and shown: any name a file system allows, on one line, and back again.

A name that is not plain printable text is written as git and C write it, in double quotes with escapes. Inside Python a
byte that is no UTF-8 is a lone surrogate, as `os.fsdecode` makes it; no such thing ever leaves `quote_path`.
"""

from __future__ import annotations

import re
import unicodedata

_ESCAPED = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}
_BYTES = {letter: byte for byte, letter in _ESCAPED.items()}
_ESCAPE = re.compile(rb'\\([0-3][0-7]{2}|[abtnvfr"\\])')
_GIT = frozenset({".git", "git~1"})


def quote_path(path: str) -> str:
    """`path` as it is, or in quotes if it could not otherwise be read, kept or told apart."""
    if path and path.isprintable() and path[0] != '"' and path.strip() == path:
        return path
    return '"' + "".join(_escape(character) for character in path) + '"'


def unquote_path(text: str) -> str:
    """The path that `quote_path` was given. Text that it cannot have made is taken as it stands."""
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return text
    return _ESCAPE.sub(_byte, _raw(text[1:-1])).decode("utf-8", "surrogateescape")


def _escape(character: str) -> str:
    code = ord(character)
    if code in _ESCAPED:
        return f"\\{_ESCAPED[code]}"
    if character.isprintable():
        return character
    return "".join(f"\\{byte:03o}" for byte in _raw(character))


def _raw(text: str) -> bytes:
    """The bytes of a name. Surrogates that no file system gave have bytes too, so nothing here can fail."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def _byte(match: re.Match[bytes]) -> bytes:
    escape = match[1].decode()
    return bytes([_BYTES[escape] if escape in _BYTES else int(escape, 8)])


def is_beneath(path: str) -> bool:
    """Whether a relative path stays below where it starts and out of git's own directory, on any file system."""
    parts = path.split("/")
    return bool(path) and "\0" not in path and not any(part in ("", ".", "..") or _is_git(part) for part in parts)


def _is_git(name: str) -> bool:
    """Whether a file system that folds case, width or invisible characters would take this name for `.git`."""
    bare = "".join(each for each in unicodedata.normalize("NFKC", name) if unicodedata.category(each) != "Cf")
    return bare.casefold().rstrip(". ").partition(":")[0] in _GIT


def is_batons(path: str) -> bool:
    """Whether Baton itself keeps this file in a workspace."""
    return ".baton" in path.split("/")
