"""Files people send: kept in the workspace, below `.baton/inbox`, and named to the agent; pictures are shown to it."""

from __future__ import annotations

import base64
import errno
import os
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from baton.core.agent.message import Image
from baton.core.errors import PlatformError
from baton.engine.aio import in_thread
from baton.surfaces.shared import images
from baton.surfaces.words import channel as words

if TYPE_CHECKING:
    from baton.ports.platform import File, Platform

FOLDER = os.path.join(".baton", "inbox")
LARGEST = 20_000_000
MOST = 20
_ODD = re.compile(r"[^A-Za-z0-9._-]+")


async def receive(
    platform: Platform, files: Sequence[File], workspace: str, key: str
) -> tuple[list[str], tuple[Image, ...]]:
    """Lines that name the files, and the pictures among them as input carries them."""
    lines: list[str] = []
    pictures: list[Image] = []
    for number, file in enumerate(files[:MOST]):
        try:
            prefix = f"{_ODD.sub('-', key)[-40:]}-{number}"
            path, data = await _keep(platform, file, workspace, prefix)
        except (PlatformError, OSError) as error:
            reason = error.parts()[0] if isinstance(error, PlatformError) else error.strerror or words.FILE_UNKEPT
            lines.append(words.FILE_LOST.format(name=_plain(file.name), reason=reason))
            continue
        lines.append(words.FILE_KEPT.format(path=path))
        kind = images.media_type(data[:16])
        if kind and len(data) <= images.LARGEST:
            pictures.append(Image(kind, base64.b64encode(data).decode(), path))
    if len(files) > MOST:
        left = len(files) - MOST
        lines.append((words.FILE_LEFT if left == 1 else words.FILES_LEFT).format(count=left, limit=MOST))
    return lines, tuple(pictures)


async def _keep(platform: Platform, file: File, workspace: str, prefix: str) -> tuple[str, bytes]:
    """Its path and contents. A file that is here already is not fetched again, however often its message is tried."""
    path = await in_thread(_path, workspace, f"{prefix}-{_plain(file.name)}")
    if (data := await in_thread(_read, path)) is None:
        if file.size > LARGEST:
            raise _too_large()
        data = await platform.fetch(file)
        if len(data) > LARGEST:
            raise _too_large()
        await in_thread(_write, path, data)
    return os.path.relpath(path, workspace), data


def _too_large() -> OSError:
    return OSError(errno.EFBIG, words.FILE_TOO_LARGE.format(limit=LARGEST))


def _path(workspace: str, name: str) -> str:
    """Where a file of this name is kept. The folders are made; none of them may be a link."""
    folder = workspace
    for part in FOLDER.split(os.sep):
        folder = os.path.join(folder, part)
        if os.path.islink(folder):
            raise OSError(0, words.FOLDER_IS_LINK)
        os.makedirs(folder, mode=0o700, exist_ok=True)
    return os.path.join(folder, name)


def _read(path: str) -> bytes | None:
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as kept:
            return kept.read(LARGEST)
    except FileNotFoundError:
        return None


def _write(path: str, data: bytes) -> None:
    """Whole or not at all: a name that is there holds everything."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(f"{path}.part", flags, 0o600), "wb") as out:
        out.write(data)
    os.replace(f"{path}.part", path)


def _plain(name: str) -> str:
    """A file's name that is only a name."""
    return _ODD.sub("_", os.path.basename(name.replace("\\", "/"))).strip("._")[-80:] or "file"
