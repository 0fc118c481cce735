"""The transcripts of a directory, and what is known about them beside: planted secrets."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

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


def canaries(path: Path, beside: Path | None) -> list[str]:
    """Secrets planted into a transcript, from its sidecar; none if it has none."""
    for place in _sidecars(path, beside):
        if place.is_file():
            return list(json.loads(place.read_text())["canaries"])
    return []


def _sidecars(path: Path, beside: Path | None) -> Iterator[Path]:
    name = f"{path.stem}{SIDECAR}"
    yield path.with_name(name)
    yield path.parent.with_name(f"{path.parent.name}.truth") / name
    if beside:
        yield beside / name
