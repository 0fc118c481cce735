"""The content of a prompt: text, pictures, files and links, as one message for the model.

A file's content is data: it stands between two marks that nothing inside it can imitate. The text only names the file,
and a replay shows the text as it was typed.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Any, cast
from urllib.parse import unquote, urlsplit

from baton.core.agent.message import Link
from baton.core.log.payloads import UserInput
from baton.core.value import value
from baton.surfaces.acp.frames import Json
from baton.surfaces.acp.params import text, wrong
from baton.surfaces.shared import images
from baton.surfaces.shared.attachments import frame
from baton.surfaces.words import editor as words
from baton.surfaces.words import protocol

_HALF = re.compile("[\ud800-\udfff]")


@value
class PromptContent:
    """`shown` is what the person sees, `text` what the model gets; `links` are attached files by name and address."""

    shown: str
    text: str
    links: tuple[tuple[str, str], ...]
    pictures: tuple[images.Picture, ...]

    def to_input(self, *, with_pictures: bool = True) -> UserInput:
        return UserInput(
            self.text,
            images=tuple(picture.image() for picture in self.pictures) if with_pictures else (),
            links=tuple(Link(name, uri) for name, uri in self.links),
            shown=self.shown if self.shown != self.text else "",
        )


def read(blocks: list[Any], workspace: str) -> PromptContent:
    """Reads the blocks of a prompt. `RpcError` names a block that cannot be accepted."""
    reader = _Reader(workspace)
    for block in blocks:
        if not isinstance(block, dict):
            raise wrong(protocol.NO_BLOCK)
        reader.take(cast("Json", block))
    return reader.finish()


class _Reader:
    def __init__(self, workspace: str) -> None:
        self._workspace = workspace
        self._words: list[str] = []
        self._bodies: list[str] = []
        self._links: list[tuple[str, str]] = []
        self._pictures: list[images.Picture] = []

    def finish(self) -> PromptContent:
        shown = "".join(self._words)
        if not shown.strip() and not self._pictures and not self._bodies:
            raise wrong(protocol.EMPTY)
        pictures = tuple(images.check_total_size(self._pictures))
        return PromptContent(shown, shown + "".join(self._bodies), tuple(self._links), pictures)

    def take(self, block: Json) -> None:
        takers = {
            "text": self._text,
            "image": self._image,
            "resource": self._resource,
            "resource_link": self._link,
        }
        kind = block.get("type")
        taker = takers.get(kind) if isinstance(kind, str) else None
        if taker is None:
            raise wrong(protocol.BLOCK_TYPE.format(kind=repr(kind), kinds=", ".join(takers)))
        taker(block)

    def _text(self, block: Json) -> None:
        self._words.append(whole(text(block, "text")))

    def _link(self, block: Json) -> None:
        self._name(whole(text(block, "uri")), whole(text(block, "name")))

    def _resource(self, block: Json) -> None:
        resource: Any = block.get("resource")
        if not isinstance(resource, dict):
            raise wrong(protocol.NO_RESOURCE)
        found = cast("Json", resource)
        uri = whole(text(found, "uri"))
        if "text" in found:
            name = self._name(uri)
            self._bodies.append(frame(name, whole(text(found, "text")), words.BY_EDITOR))
            return
        data = _bytes(text(found, "blob"), uri)
        if kind := images.media_type(data[:16]):
            self._pictures.append(images.Picture(self._name(uri), kind, data))
        else:
            self._bodies.append(words.NOT_SHOWN.format(name=self._name(uri), size=len(data)))

    def _image(self, block: Json) -> None:
        data = _bytes(text(block, "data"), words.THE_IMAGE)
        name = str(block.get("uri") or words.IMAGE.format(number=len(self._pictures) + 1))
        kind = images.media_type(data[:16])
        if not kind or len(data) > images.LARGEST:
            raise wrong(protocol.NO_ATTACHMENT.format(name=whole(name)[:200], allowed=images.ALLOWED))
        self._pictures.append(images.Picture(whole(name), kind, data))

    def _name(self, uri: str, name: str = "") -> str:
        """Mentions a file in the text, by its path if it has one."""
        shown = path_of(uri, self._workspace) or name or uri
        self._words.append(images.mention(shown) if path_of(uri, self._workspace) else f"[{shown}]({uri})")
        self._links.append((shown, uri))
        return shown


def path_of(uri: str, workspace: str) -> str:
    """The path of a `file:` URI, relative to the workspace if it is inside; empty for any other URI."""
    if not uri.startswith("file://"):
        return ""
    try:
        path = unquote(urlsplit(uri).path)
    except ValueError:
        return ""
    root = workspace.rstrip("/") + "/"
    return path.removeprefix(root) if "\n" not in path else ""


def whole(given: str) -> str:
    """Replaces lone surrogates, which neither a store nor a provider accepts."""
    return _HALF.sub("\ufffd", given)


def _bytes(data: str, what: str) -> bytes:
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise wrong(protocol.NO_BASE64.format(name=what[:200])) from None
