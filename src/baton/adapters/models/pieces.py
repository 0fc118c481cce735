"""The library's events as pieces of an answer. Imports the library: only `loading` imports this."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Mapping
from typing import Any, cast

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

from baton.adapters.models.pydantic_model import Replies
from baton.core.agent.message import Call, Usage
from baton.core.errors import ModelUnavailable
from baton.ports.model import Called, Finished, Piece, Reasoning, Text

RAW = "_raw"
_BEAT = 5.0
_STOPS = {"length": "length", "content_filter": "refusal"}


async def pieces(stream: StreamedResponse, name: str, replies: Replies) -> AsyncGenerator[Piece]:
    """Text and reasoning as they come, then the calls, whole and in order, then `Finished`.

    While a call is being written there is nothing to show; an empty `Reasoning` every few seconds shows that the model
    is still there. Raises `ModelUnavailable` when the answer breaks off.
    """
    said: list[str] = []
    beat = time.monotonic()
    async for event in stream:
        piece = _piece(event)
        if piece is None and _writes_a_call(event) and time.monotonic() - beat > _BEAT:
            piece = Reasoning("")
        if piece is not None:
            beat = time.monotonic()
            said += [piece.text] if isinstance(piece, Text) else []
            yield piece
    response = stream.get()
    _check_end(response, name)
    if refusal := _refusal(response, said):
        yield Text(refusal)
    calls = _calls(response)
    if _fit_to_repeat(response, calls):
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
        case _:
            return None


def _writes_a_call(event: ModelResponseStreamEvent) -> bool:
    return isinstance(event, PartDeltaEvent) and isinstance(event.delta, ToolCallPartDelta)


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


def _calls(response: ModelResponse) -> tuple[Call, ...]:
    calls: dict[str, Call] = {}
    for part in response.parts:
        if isinstance(part, ToolCallPart):
            id_ = part.tool_call_id
            while not id_ or id_ in calls:
                id_ = f"{id_ or 'call'}-{len(calls) + 1}"
            calls[id_] = Call(id_, part.tool_name, arguments(part.args))
    return tuple(calls.values())


def _fit_to_repeat(response: ModelResponse, calls: tuple[Call, ...]) -> bool:
    """Whether the answer can be sent back as it came: nothing in its calls had to be repaired."""
    ids = [part.tool_call_id for part in response.parts if isinstance(part, ToolCallPart)]
    return ids == [call.id for call in calls] and not any(RAW in call.args for call in calls)


def arguments(given: str | Mapping[str, Any] | None) -> Mapping[str, Any]:
    """What the model wrote as arguments. What is not a JSON object becomes `{"_raw": …}`, for the tool to complain."""
    if not isinstance(given, str):
        return dict(given or {})
    if not given.strip():
        return {}
    try:
        found = json.loads(given)
    except ValueError:
        return {RAW: given}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {RAW: given}


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
