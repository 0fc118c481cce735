"""The files of a message."""

from __future__ import annotations

from baton.adapters.platforms.json_fields import Fields
from baton.core.display import one_line
from baton.core.value import value
from baton.ports.platform import File

_LONGEST_NAME = 120


@value
class _Kind:
    field: str
    name: str
    media_type: str


_KINDS = (
    _Kind("animation", "animation.mp4", "video/mp4"),
    _Kind("document", "document", ""),
    _Kind("audio", "audio.mp3", "audio/mpeg"),
    _Kind("video", "video.mp4", "video/mp4"),
    _Kind("video_note", "video.mp4", "video/mp4"),
    _Kind("voice", "voice.ogg", "audio/ogg"),
)


def files_of(message: Fields) -> tuple[File, ...]:
    """One file as a rule; an animation, which is sent as a document too, counts once."""
    found = {each.ref: each for each in _files(message)}
    return tuple(found.values())


def _files(message: Fields) -> list[File]:
    photo = message.objects("photo")
    found = [_photo(photo)] if photo else []
    for kind in _KINDS:
        held = message.optional_object(kind.field)
        if held is not None and held.text("file_id"):
            found.append(_file(held, kind))
    return [each for each in found if each.ref]


def _photo(sizes: list[Fields]) -> File:
    """The largest of the sizes a photo comes in."""
    best = max(sizes, key=lambda each: (each.optional_number("width") or 0) * (each.optional_number("height") or 0))
    return _file(best, _Kind("photo", "photo.jpg", "image/jpeg"))


def _file(held: Fields, kind: _Kind) -> File:
    return File(
        ref=held.text("file_id"),
        name=_safe_name(held.text("file_name")) or kind.name,
        media_type=one_line(held.text("mime_type"), 100) or kind.media_type,
        size=max(0, held.optional_number("file_size") or 0),
    )


def _safe_name(name: str) -> str:
    """The last part of a path, without anything that could lead elsewhere."""
    last = one_line(name.replace("\\", "/").rsplit("/", 1)[-1], _LONGEST_NAME)
    return "" if last.strip(". ") == "" else last
