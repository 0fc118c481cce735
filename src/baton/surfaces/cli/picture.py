"""Pictures in a terminal that can draw them, by kitty's graphics protocol. Elsewhere a path has to do.

Only PNG needs no decoding of ours. Inside tmux the sequences would be shown as text, so nothing is drawn there.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping

_PNG = b"\x89PNG\r\n\x1a\n"
_CHUNK = 4096
_PROGRAMS = ("ghostty", "wezterm")
LARGEST = 4_000_000


def can_draw(environ: Mapping[str, str]) -> bool:
    """Whether the terminal says that it speaks the protocol."""
    if environ.get("TMUX") or environ.get("STY"):
        return False
    named = environ.get("TERM_PROGRAM", "").casefold() in _PROGRAMS
    return named or bool(environ.get("KITTY_WINDOW_ID")) or "kitty" in environ.get("TERM", "")


def draw(data: bytes) -> str:
    """The sequences that draw a PNG where the cursor is; empty for anything else."""
    if not data.startswith(_PNG) or len(data) > LARGEST:
        return ""
    encoded = b64encode(data).decode()
    chunks = [encoded[at : at + _CHUNK] for at in range(0, len(encoded), _CHUNK)]
    parts: list[str] = []
    for number, chunk in enumerate(chunks):
        control = "a=T,f=100,q=2," if number == 0 else ""
        parts.append(f"\x1b_G{control}m={int(number < len(chunks) - 1)};{chunk}\x1b\\")
    return "".join(parts) + "\n"
