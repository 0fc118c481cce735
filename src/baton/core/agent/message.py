"""What a model is sent and what it answers, in Baton's own form: adapters translate it for each provider."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from baton.core.value import field, value


@value
class Image:
    """`data` is base64; `name` is the file it came from, if it has one."""

    media_type: str
    data: str
    name: str = ""


@value
class Link:
    """A file that an editor attached, by its name and address."""

    name: str
    uri: str


@value
class Call:
    """A tool call the model asks for. `args` may be anything a model can write; tools check it."""

    id: str
    name: str
    args: Mapping[str, Any]


@value
class UserMessage:
    text: str
    images: tuple[Image, ...] = ()


@value
class AssistantMessage:
    text: str
    calls: tuple[Call, ...] = ()


@value
class ToolMessage:
    """The result of one call. Every call of an assistant message is followed by exactly one."""

    call_id: str
    name: str
    text: str
    ok: bool = True


Message = UserMessage | AssistantMessage | ToolMessage


@value
class ToolSpec:
    """A tool as a model is told of it. `parameters` is a JSON schema of an object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@value
class Usage:
    """Tokens as the provider counted them; 0 where it said nothing. `cost` is in US dollars, None where unknown."""

    input: int = 0
    output: int = 0
    cached: int = 0
    cost: float | None = None

    def plus(self, other: Usage) -> Usage:
        costs = [cost for cost in (self.cost, other.cost) if cost is not None]
        cost = sum(costs) if costs else None
        return Usage(self.input + other.input, self.output + other.output, self.cached + other.cached, cost)


@value
class Prompt:
    """One request: the context, the tools, and limits."""

    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    max_output: int | None = None
    metadata: Mapping[str, str] = field(default_factory=dict)
