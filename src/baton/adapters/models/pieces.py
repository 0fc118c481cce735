"""The library's events as pieces of an answer. Imports the library: only `loading` imports this."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from pydantic_ai.messages import (
    ModelResponse,
    ModelResponseStreamEvent,
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ThinkingPart,
    ThinkingPartDelta,
    ToolCallPart,
    ToolCallPartDelta,
)
from pydantic_ai.models import StreamedResponse

from baton.adapters.models.answer import Beats, WrittenCall, calls_of, can_be_repeated
from baton.adapters.models.replies import Replies
from baton.core.agent.message import Call, Usage
from baton.core.errors import ModelUnavailable
from baton.ports.model import Called, Finished, Piece, Reasoning, Text

_STOPS = {"length": "length", "content_filter": "refusal"}


async def pieces(stream: StreamedResponse, name: str, replies: Replies[ModelResponse]) -> AsyncGenerator[Piece]:
    """Text and reasoning as they come, then the calls, whole and in order, then `Finished`.

    Raises `ModelUnavailable` when the answer breaks off.
    """
    said: list[str] = []
    beats = Beats()
    async for event in stream:
        piece = _piece(event)
        if piece is not None and beats.let_pass(piece):
            said += [piece.text] if isinstance(piece, Text) else []
            yield piece
    response = stream.get()
    _check_end(response, name)
    if refusal := _refusal(response, said):
        yield Text(refusal)
    written = [
        WrittenCall(part.tool_call_id, part.tool_name, part.args)
        for part in response.parts
        if isinstance(part, ToolCallPart)
    ]
    calls = calls_of(written)
    if can_be_repeated(written, calls):
        replies.keep("".join(said), calls, response)
    for call in calls:
        yield Called(call)
    yield Finished(_usage(response), _stop(response, calls))


def _piece(event: ModelResponseStreamEvent) -> Text | Reasoning | None:
    match event:
        case PartStartEvent(part=TextPart(content=text)) if text:
            return Text(text)
        case PartDeltaEvent(delta=TextPartDelta(content_delta=text)) if text:
            return Text(text)
        case PartStartEvent(part=ThinkingPart(content=text)) if text:
            return Reasoning(text)
        case PartDeltaEvent(delta=ThinkingPartDelta(content_delta=text)) if text:
            return Reasoning(text)
        case PartDeltaEvent(delta=ToolCallPartDelta()):
            return Reasoning("")
        case _:
            return None


def _check_end(response: ModelResponse, name: str) -> None:
    """A connection that breaks between two events looks like an end; only the provider's finish reason is one.

    Some servers never give a reason but report the usage, which comes last too.
    """
    reason = response.finish_reason
    given = "finish_reason" in (response.provider_details or {})
    if reason == "error":
        raise ModelUnavailable(model=name, reason="the provider ended the answer with an error")
    if (reason is None and not given) or (not given and response.usage.unmeasured_requests):
        raise ModelUnavailable(model=name, reason="the answer broke off before its end")


def _refusal(response: ModelResponse, said: list[str]) -> str:
    """Why the model refused, where it says so beside its text."""
    refused = response.finish_reason == "content_filter" and not said
    return str((response.provider_details or {}).get("refusal") or "") if refused else ""


def _stop(response: ModelResponse, calls: tuple[Call, ...]) -> str:
    return _STOPS.get(response.finish_reason or "") or ("calls" if calls else "stop")


def _usage(response: ModelResponse) -> Usage:
    used = response.usage
    return Usage(used.input_tokens, used.output_tokens, used.cache_read_tokens, _cost(response))


def _cost(response: ModelResponse) -> float | None:
    """In US dollars: what the provider says it was, else what the price list says."""
    told = (response.provider_details or {}).get("cost")
    if isinstance(told, int | float):
        return float(told)
    if not response.usage.has_values():
        return None
    try:
        return float(response.cost().total_price)
    except (LookupError, ValueError, AssertionError):
        return None
