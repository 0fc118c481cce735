"""Pictures a person names in a message: `@shot.png`, `@"my shot.png"`, or a file given to `baton run --image`.

A file's content decides what it is, never its name.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Sequence

from baton.core.agent.message import Image
from baton.core.errors import BadImage
from baton.core.value import value
from baton.surfaces.words import files as words

LARGEST = 5_000_000
LARGEST_TOGETHER = 10_000_000
ALLOWED = words.IMAGES_ALLOWED.format(each=LARGEST // 1_000_000, together=LARGEST_TOGETHER // 1_000_000)
_NAMED = re.compile(r'(?<!\S)@(?:"([^"\n]+)"|([^\s"]+))')
AFTER = ".,:;!?)]}'"
"""What may follow a name in a sentence."""
_OPEN = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY


@value
class Picture:
    name: str
    media_type: str
    data: bytes

    def image(self) -> Image:
        """As input carries it."""
        import base64

        return Image(self.media_type, base64.b64encode(self.data).decode(), self.name)


def media_type(start: bytes) -> str:
    """What an image is by its first bytes, or an empty string."""
    if start.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if start.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if start[:6] in (b"GIF87a", b"GIF89a"):
        return "image/gif"
    if start[:4] == b"RIFF" and start[8:12] == b"WEBP":
        return "image/webp"
    return ""


def read(path: str, base: str) -> Picture:
    """The picture at `path`, relative to `base` unless it is absolute. Raises `BadImage` for everything else."""
    try:
        start, data = _content(_full(path, base))
    except (OSError, ValueError) as error:
        raise _bad(path, getattr(error, "strerror", None) or words.IMAGE_UNREADABLE) from None
    kind = media_type(start)
    if not kind:
        raise _bad(path, words.IMAGE_UNKNOWN)
    if len(data) > LARGEST:
        raise _bad(path, words.IMAGE_TOO_LARGE.format(most=LARGEST // 1_000_000))
    return Picture(path, kind, data)


def find_pictures(text: str, base: str) -> list[Picture]:
    """The pictures named in a message; other files and plain words are left alone. `BadImage` if one is too large."""
    names = (name if is_image(name, base) else name.rstrip(AFTER) for name in named_files(text))
    return check_total_size([read(name, base) for name in dict.fromkeys(names) if name and is_image(name, base)])


def named_files(text: str) -> list[str]:
    """What stands behind each at sign of a message, in order."""
    return [quoted or bare for quoted, bare in _NAMED.findall(text)]


def check_total_size(pictures: Sequence[Picture]) -> list[Picture]:
    if sum(len(picture.data) for picture in pictures) > LARGEST_TOGETHER:
        raise _bad(", ".join(picture.name for picture in pictures), words.IMAGES_TOO_LARGE)
    return list(pictures)


def is_image(path: str, base: str) -> bool:
    try:
        return bool(media_type(_content(_full(path, base), 16)[0]))
    except (OSError, ValueError):
        return False


def dropped_path(text: str) -> str:
    """The path, if a paste is nothing but a path, as terminals write a file that is dragged into them."""
    path = text.strip()
    if path.startswith("file://"):
        from urllib.parse import unquote

        path = unquote(path.removeprefix("file://").removeprefix("localhost"))
    elif len(path) > 1 and path[0] == path[-1] and path[0] in "'\"":
        path = path[1:-1]
    else:
        path = path.replace("\\ ", " ")
    return path if path and "\n" not in path and len(path) < 4096 else ""


def mention(path: str) -> str:
    """How a message names a file."""
    return f'@"{path}"' if any(c.isspace() for c in path) else f"@{path}"


def _full(path: str, base: str) -> str:
    return os.path.join(base, os.path.expanduser(path))


def _content(path: str, most: int = LARGEST + 1) -> tuple[bytes, bytes]:
    """The first bytes of a regular file, and as much of it as was asked for."""
    descriptor = os.open(path, _OPEN)
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise ValueError(words.NO_FILE)
        data = file.read(most)
    return data[:16], data


def _bad(path: str, reason: str) -> BadImage:
    return BadImage(path=path, reason=reason, allowed=ALLOWED)
