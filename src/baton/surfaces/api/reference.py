"""docs/reference/json.md, made from the shapes: `python -m baton.surfaces.api.reference > docs/reference/json.md`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from baton.core.value import fields
from baton.surfaces.api.app import OPERATIONS
from baton.surfaces.shared.events_json import EVENTS
from baton.surfaces.words import api_fields as docs

if TYPE_CHECKING:
    from baton.surfaces.shared.shapes import Shape


def page() -> str:
    """The whole page."""
    return "\n".join([docs.INTRODUCTION, *_answers(), *_events()]) + "\n"


def _answers() -> Iterator[str]:
    """A table for each shape, under the requests that are answered with it."""
    found: dict[str, tuple[Shape[Any], list[str]]] = {}
    for operation in OPERATIONS:
        for answer in operation.answers:
            if answer.shape is not None:
                _, requests = found.setdefault(answer.shape.name, (answer.shape, []))
                requests.append(f"`{operation.method} {operation.path}`")
    for shape, requests in found.values():
        yield f"## {shape.name[0].upper()}{shape.name[1:]}\n"
        yield f"{', '.join(dict.fromkeys(requests))}\n"
        yield from _table(shape)


def _table(shape: Shape[Any]) -> Iterator[str]:
    """The fields of a shape, those of objects in it below their own."""
    yield "| field | type | |"
    yield "|---|---|---|"
    yield from _rows(shape, "")
    yield ""


def _rows(shape: Shape[Any], above: str) -> Iterator[str]:
    for field in shape.fields:
        doc = docs.OPTIONAL.format(about=field.doc) if field.optional else field.doc
        yield f"| `{above}{field.name}` | {field.type.label} | {doc} |"
        if field.type.shape is not None:
            yield from _rows(field.type.shape, f"{above}{field.name}{'[]' if field.type.many else ''}.")


def _events() -> Iterator[str]:
    yield docs.EVENTS
    for name, kind in EVENTS.items():
        about = " ".join((kind.__doc__ or "").split())
        names = ", ".join(f"`{field.name}`" for field in fields(kind))
        yield f"| `{name}` | {names} | {about} |"


if __name__ == "__main__":
    sys.stdout.write(page())
