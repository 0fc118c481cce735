"""The transcripts of a directory, and what is known about them beside: planted secrets."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from bench.continuity.planted import Planted, read_planted

SIDECAR = ".truth.json"
_SUFFIXES = (".jsonl", ".json")


def transcripts(directory: Path) -> list[Path]:
    """The transcript files at the top of a directory, by name; one file is taken as it is."""
    if directory.is_file():
        return [directory]
    return sorted(path for path in directory.iterdir() if _is_transcript(path))


def _is_transcript(path: Path) -> bool:
    named = path.suffix in _SUFFIXES and not path.name.endswith(SIDECAR) and not path.name.startswith(".")
    return named and path.is_file()


def planted(path: Path, beside: Path | None = None) -> Planted:
    """What was planted into a transcript, from its sidecar; nothing if it has none."""
    return next((read_planted(place) for place in _sidecars(path, beside) if place.is_file()), Planted())


def _sidecars(path: Path, beside: Path | None) -> Iterator[Path]:
    name = f"{path.stem}{SIDECAR}"
    yield path.with_name(name)
    yield path.parent.with_name(f"{path.parent.name}.truth") / name
    if beside:
        yield beside / name
