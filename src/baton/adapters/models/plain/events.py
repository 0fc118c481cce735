"""Server-sent events out of bytes as they come."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterable

from baton.adapters.models.plain.fields import Unreadable
from baton.core.value import value

LONGEST = 64 * 2**20


@value
class Event:
    name: str
    data: str


async def events(chunks: AsyncIterable[bytes]) -> AsyncGenerator[Event]:
    """Each event once it is whole; what the body ends in the middle of is not one. Raises `Unreadable` for text that
    is not UTF-8, and for a line without an end.
    """
    name, data = "", list[str]()
    async for line in _lines(chunks):
        if not line:
            if data:
                yield Event(name, "\n".join(data))
            name, data = "", []
            continue
        field, _, rest = line.partition(":")
        rest = rest.removeprefix(" ")
        if field == "data":
            data.append(rest)
        elif field == "event":
            name = rest


async def _lines(chunks: AsyncIterable[bytes]) -> AsyncGenerator[str]:
    begun: list[bytes] = []
    size = 0
    async for chunk in chunks:
        *whole, rest = chunk.split(b"\n")
        for line in whole:
            yield _decode(b"".join((*begun, line)))
            begun, size = [], 0
        begun.append(rest)
        size += len(rest)
        if size > LONGEST:
            raise Unreadable


def _decode(line: bytes) -> str:
    try:
        return line.removesuffix(b"\r").decode()
    except UnicodeDecodeError as error:
        raise Unreadable from error
