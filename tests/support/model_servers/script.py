"""What a server is told to say, in words that are the same for every protocol."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.support.model_servers.http import Request


@dataclass(frozen=True)
class Say:
    text: str


@dataclass(frozen=True)
class Think:
    text: str
    signature: str = "signed"


@dataclass(frozen=True)
class Use:
    """A tool call. `args` as text is sent as it is, valid or not; `fragments` is how many pieces they come in, with a
    `pause` of so many seconds after each.
    """

    id: str
    name: str
    args: Mapping[str, Any] | str
    fragments: int = 3
    pause: float = 0.0

    @property
    def written(self) -> str:
        return self.args if isinstance(self.args, str) else json.dumps(self.args)

    def pieces(self) -> Iterator[str]:
        size = max(1, -(-len(self.written) // self.fragments))
        for start in range(0, len(self.written), size):
            yield self.written[start : start + size]


@dataclass(frozen=True)
class Together:
    """Calls whose fragments come in turn, where the protocol can do that."""

    uses: tuple[Use, ...]


@dataclass(frozen=True)
class Wait:
    seconds: float


@dataclass(frozen=True)
class Hang:
    """Nothing more comes, until the client closes the connection."""


@dataclass(frozen=True)
class Cut:
    """The connection is closed in the middle of the body."""


@dataclass(frozen=True)
class Stop:
    """The body ends as HTTP wants it, but the protocol's own end is missing."""


@dataclass(frozen=True)
class Raw:
    bytes: bytes


Control = Wait | Hang | Cut | Stop | Raw
Part = Say | Think | Use | Together | Control


@dataclass(frozen=True)
class Tokens:
    """`cached` is part of `input`."""

    input: int = 10
    output: int = 5
    cached: int = 0


@dataclass(frozen=True)
class Reply:
    """`stop` is stop, calls, length or refusal."""

    parts: tuple[Part, ...]
    usage: Tokens | None
    stop: str

    @property
    def uses(self) -> list[Use]:
        found: list[Use] = []
        for part in self.parts:
            found += [part] if isinstance(part, Use) else part.uses if isinstance(part, Together) else ()
        return found


@dataclass(frozen=True)
class Failure:
    """An error in place of a reply. `kind` is plain, overflow or quota; `body` replaces the provider's form."""

    status: int
    message: str
    kind: str = "plain"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


Answer = Reply | Failure
Script = Sequence[Answer] | Callable[["Request"], Answer]


def say(*parts: str | Part, usage: Tokens | None = Tokens(), stop: str | None = None) -> Reply:  # noqa: B008
    made = tuple(Say(part) if isinstance(part, str) else part for part in parts)
    calls = any(isinstance(part, Use | Together) for part in made)
    return Reply(made, usage, stop or ("calls" if calls else "stop"))


def flood(characters: int, piece: int = 64_000) -> Reply:
    """Much text: lines of eighty characters."""
    text = ("0123456789abcdef" * 5)[:79] + "\n"
    whole, rest = divmod(characters, piece)
    full = (text * (piece // len(text) + 1))[:piece]
    return say(*([full] * whole), *([full[:rest]] if rest else []))


def fail(
    status: int, message: str = "it went wrong", *, retry_after: float | str | None = None, body: bytes | None = None
) -> Failure:
    headers = {} if retry_after is None else {"retry-after": str(retry_after)}
    return Failure(status, message, headers=headers, body=body)


def overflow() -> Failure:
    """The context does not fit, in the provider's own words."""
    return Failure(400, "", "overflow")


def quota() -> Failure:
    """The account has nothing left, in the provider's own words."""
    return Failure(429, "", "quota")
