"""Files people send: kept in the workspace, below `.baton/inbox`, and named to the agent; pictures are shown to it."""

from __future__ import annotations

import asyncio
import base64
import os
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from baton.core.errors import PlatformError
from baton.ports.platform import File
from baton.surfaces import images
from baton.surfaces.gateway import texts

if TYPE_CHECKING:
    from baton.ports.platform import Platform

FOLDER = os.path.join(".baton", "inbox")
LARGEST = 20_000_000
_ODD = re.compile(r"[^A-Za-z0-9._-]+")


async def receive(
    platform: Platform, given: Sequence[Mapping[str, Any]], workspace: str, key: str
) -> tuple[list[str], list[Mapping[str, str]]]:
    """Lines that name the files, and the pictures among them as a message carries them."""
    lines: list[str] = []
    pictures: list[Mapping[str, str]] = []
    for number, each in enumerate(given):
        file = File(str(each["ref"]), str(each["name"]), str(each["media_type"]), int(each["size"]))
        try:
            data = await platform.fetch(file)
            path = await asyncio.to_thread(_keep, data, workspace, f"{_ODD.sub('-', key)[-40:]}-{number}", file.name)
        except (PlatformError, OSError) as error:
            reason = error.parts()[0] if isinstance(error, PlatformError) else error.strerror or "it cannot be kept"
            lines.append(texts.FILE_LOST.format(name=_plain(file.name), reason=reason))
            continue
        lines.append(texts.FILE_KEPT.format(path=path))
        kind = images.media_type(data[:16])
        if kind and len(data) <= images.LARGEST:
            encoded = base64.b64encode(data).decode()
            pictures.append({"media_type": kind, "data": encoded, "name": path})
    return lines, pictures


def _keep(data: bytes, workspace: str, prefix: str, name: str) -> str:
    """Written once under a name of ours; the sender's name is only its end. Never through a link."""
    folder = workspace
    for part in FOLDER.split(os.sep):
        folder = os.path.join(folder, part)
        if os.path.islink(folder):
            raise OSError(0, "the folder for files is a link")
        os.makedirs(folder, mode=0o700, exist_ok=True)
    path = os.path.join(folder, f"{prefix}-{_plain(name)}")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o600), "wb") as out:
        out.write(data[:LARGEST])
    return os.path.relpath(path, workspace)


def _plain(name: str) -> str:
    """A file's name that is only a name."""
    return _ODD.sub("_", os.path.basename(name.replace("\\", "/"))).strip("._")[-80:] or "file"
