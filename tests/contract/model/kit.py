"""What the model suites share: the models under test, each over a stage that plays a script."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass
from typing import Any, cast
from unittest.mock import patch

from baton.adapters.models.open import open_model
from baton.adapters.models.plain.lines import Lines
from baton.core.agent.message import Call, Prompt, ToolSpec, Usage, UserMessage
from baton.core.errors import (
    ContextOverflow,
    ModelError,
    ModelRefused,
    ModelUnavailable,
    RateLimited,
    UnknownModel,
)
from baton.ports.model import Called, Finished, Model, Piece, Reasoning, Text
from baton.testing.model import FakeModel, Line
from tests.support.model_servers import (
    AnthropicServer,
    Failure,
    GoogleServer,
    Hang,
    HerokuServer,
    ModelServer,
    OpenAIServer,
    Reply,
    Think,
    Use,
    Wait,
)
from tests.support.model_servers.script import Answer, Say, Together
from tests.support.patience import PATIENCE

READ = ToolSpec(
    "read",
    "Reads a file.",
    {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"], "additionalProperties": False},
)
HELLO = Prompt("Be brief.", (UserMessage("Hello, who are you?"),), (READ,))


@dataclass(frozen=True)
class Stage:
    """A model and who plays it: a server, or the fake itself."""

    model: Model
    server: ModelServer | None

    async def ask(self, prompt: Prompt = HELLO) -> list[Piece]:
        async with aclosing(cast("Any", self.model.stream(prompt))) as stream:
            return [piece async for piece in stream]

    async def stopped(self, within: float = PATIENCE) -> bool:
        """Whether the request was given up within so many seconds."""
        if self.server is None:
            return bool(cast("FakeModel", self.model).stopped)
        return await self.server.hung_up(within)


@dataclass(frozen=True)
class Backend:
    """A model of the `library` is led to its server by the variables of the process. One that is `shared` has the
    connections of a gateway.
    """

    name: str
    server: Callable[[Sequence[Answer]], ModelServer] | None = None
    library: bool = False
    shared: bool = False

    @asynccontextmanager
    async def play(self, *script: Answer, **options: Any) -> AsyncIterator[Stage]:
        if self.server is None:
            yield Stage(FakeModel([_lines(answer) for answer in script]), None)
            return
        async with self.server(script) as server:
            with patch.dict("os.environ", server.environ if self.library else {}):
                lines = Lines() if self.shared else None
                given: dict[str, Any] = {"http_timeout": 30.0, "lines": lines, **options}
                model = open_model(self.name, server.environ, **given)
                try:
                    yield Stage(model, server)
                finally:
                    await model.close()
                    if lines is not None:
                        await lines.close()


FAKE = Backend("fake:model")
CHAT = Backend("openai:gpt-4o-mini", OpenAIServer)
RESPONSES = Backend("openai-responses:gpt-5-mini", OpenAIServer)
ANTHROPIC = Backend("anthropic:claude-sonnet-5-5", AnthropicServer)
GOOGLE = Backend("google:gemini-3.8-flash", GoogleServer)

LIBRARY = Backend("heroku:gpt-4o-mini", HerokuServer, library=True)
"""A provider that only the model library knows: all that is promised of models holds for them too."""

SHARED = Backend("openai:gpt-4o-mini", OpenAIServer, shared=True)

REAL = {
    "chat": CHAT,
    "shared": SHARED,
    "responses": RESPONSES,
    "anthropic": ANTHROPIC,
    "google": GOOGLE,
    "library": LIBRARY,
}
ALL = {"fake": FAKE, **REAL}


def text_of(pieces: Sequence[Piece]) -> str:
    return "".join(piece.text for piece in pieces if isinstance(piece, Text))


def calls_of(pieces: Sequence[Piece]) -> list[Call]:
    return [piece.call for piece in pieces if isinstance(piece, Called)]


def end_of(pieces: Sequence[Piece]) -> Finished:
    """The end, which is last and only once."""
    ends = [piece for piece in pieces if isinstance(piece, Finished)]
    assert ends == [pieces[-1]]
    return ends[0]


_ERRORS: dict[int, type[ModelError]] = {401: ModelRefused, 403: ModelRefused, 404: UnknownModel, 429: RateLimited}


def _lines(answer: Answer) -> list[Line]:
    """The script in the fake's words."""
    if isinstance(answer, Failure):
        kind = ContextOverflow if answer.kind == "overflow" else _ERRORS.get(answer.status, ModelUnavailable)
        after = float(answer.headers["retry-after"]) if "retry-after" in answer.headers else None
        return [kind(model=FAKE.name, reason="it went wrong", after=after)]
    lines = [line for part in answer.parts for line in _line(part)]
    usage = Usage(answer.usage.input, answer.usage.output, answer.usage.cached) if answer.usage else Usage()
    return lines if any(isinstance(line, Exception) for line in lines) else [*lines, Finished(usage, answer.stop)]


def _line(part: Any) -> list[Line]:
    match part:
        case Say(text):
            return [text]
        case Think(text):
            return [Reasoning(text)]
        case Use(id_, name, args):
            return [Call(id_, name, cast("dict[str, Any]", args))]
        case Together(uses):
            return [line for use in uses for line in _line(use)]
        case Wait(seconds):
            return [seconds]
        case Hang():
            return [3600.0]
        case _:
            return [ModelUnavailable(model=FAKE.name, reason="it broke off")]


__all__ = [
    "ALL",
    "ANTHROPIC",
    "CHAT",
    "FAKE",
    "GOOGLE",
    "HELLO",
    "LIBRARY",
    "READ",
    "REAL",
    "RESPONSES",
    "Backend",
    "Reply",
    "Stage",
    "calls_of",
    "end_of",
    "text_of",
]
