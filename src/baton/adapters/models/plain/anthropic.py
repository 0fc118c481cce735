"""Anthropic's Messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from baton.adapters.models.answer import WrittenCall, arguments
from baton.adapters.models.failure import Refusal
from baton.adapters.models.plain.dialect import Ask, BrokenOff, Ending, Kept, Refused, Tokens
from baton.adapters.models.plain.events import Event
from baton.adapters.models.plain.fields import Json, at, count_at, object_at, objects_at, parse, text_at
from baton.adapters.models.plain.reported import reported
from baton.adapters.models.plain.turns import Answered, Asked, result_text, turns
from baton.adapters.models.replies import Replies
from baton.core.agent.message import AssistantMessage, Image, Prompt, ToolMessage
from baton.core.value import field, value
from baton.ports.model import Reasoning, Text

VERSION = "2026-10-21"
_CACHED = {"type": "ephemeral", "ttl": "5m"}
_STOPS = {"max_tokens": "length", "model_context_window_exceeded": "length", "refusal": "refusal"}
_LONGEST = (
    (("claude-fable-5", "claude-mythos-5", "claude-opus-4-6", "claude-opus-4-7", "claude-opus-4-8"), 128_000),
    (("claude-opus-5", "claude-sonnet-4-6", "claude-sonnet-5", "claude-haiku-5-5"), 128_000),
    (("claude-haiku-4-5", "claude-opus-4-5", "claude-sonnet-4-5"), 64_000),
    (("claude-3", "claude-4-", "claude-opus-4", "claude-sonnet-4"), 4_096),
)
"""The longest output of each family. The oldest refuse a request whose input and longest output exceed the window
together, so that theirs is small."""
_USUAL = 16_384


_SPARE = 4_096


@value
class AnthropicDialect:
    """`thinking` goes into each body."""

    model: str
    base: str
    headers: Mapping[str, str]
    thinking: Mapping[str, object] = field(default_factory=dict[str, object])

    def ask(self, prompt: Prompt, replies: Replies[Kept], *, images: bool) -> Ask:
        messages: list[dict[str, object]] = []
        repeats = False
        for turn in turns(prompt, images=images):
            if isinstance(turn, Asked):
                messages.append({"role": "user", "content": [*map(_result, turn.results), *map(_part, turn.content)]})
            else:
                messages.append({"role": "assistant", "content": _answered(turn, replies)})
                repeats = repeats or any(replies.of(message) is not None for message in turn.messages)
        thinking: Mapping[str, object] = self.thinking if self._may_think(messages) else {}
        body: dict[str, object] = {
            "model": self.model,
            "max_tokens": self._limit(prompt, count_at(thinking, "thinking", "budget_tokens")),
            "stream": True,
            "messages": messages,
            "cache_control": _CACHED,
            **thinking,
        }
        if prompt.system.strip():
            body["system"] = [{"type": "text", "text": prompt.system, "cache_control": _CACHED}]
        if prompt.tools:
            body |= {"tool_choice": {"type": "auto"}, "tools": _tools(prompt)}
        return Ask("/v1/messages", body, repeats)

    def reader(self) -> AnthropicReader:
        return AnthropicReader()

    def refusal(self, status: int, body: object, after: float | None) -> Refusal:
        return reported(body, status, after)

    def _limit(self, prompt: Prompt, budget: int) -> int:
        """Thoughts count as output, and the budget for them has to leave some of it."""
        if prompt.max_output is None:
            return max(_longest(self.model), budget + _SPARE if budget else 0)
        return prompt.max_output + (budget if prompt.max_output < budget + _SPARE else 0)

    def _may_think(self, messages: Sequence[Json]) -> bool:
        """Models with a budget go on thinking only where they thought before: calls that wait for the answer to their
        results have to begin with a signed thought. After a restart it is not there, and this answer comes without.
        """
        if not count_at(self.thinking, "thinking", "budget_tokens"):
            return True
        for message in reversed(messages):
            kinds = [text_at(block, "type") for block in objects_at(message, "content")]
            if message["role"] == "user" and kinds != ["tool_result"] * len(kinds):
                return True
            if message["role"] == "assistant" and kinds[0] not in ("thinking", "redacted_thinking"):
                return False
        return True


def _longest(model: str) -> int:
    return next((longest for families, longest in _LONGEST if model.startswith(families)), _USUAL)


def _tools(prompt: Prompt) -> list[dict[str, object]]:
    """The last one ends the prefix that is kept in the provider's cache."""
    tools: list[dict[str, object]] = [
        {"name": spec.name, "description": spec.description, "input_schema": dict(spec.parameters)}
        for spec in prompt.tools
    ]
    tools[-1]["cache_control"] = _CACHED
    return tools


def _result(message: ToolMessage) -> dict[str, object]:
    content = [{"type": "text", "text": result_text(message)}]
    return {"type": "tool_result", "tool_use_id": message.call_id, "content": content, "is_error": not message.ok}


def _part(given: str | Image) -> dict[str, object]:
    if isinstance(given, str):
        return {"type": "text", "text": given}
    source = {"type": "base64", "media_type": given.media_type, "data": given.data}
    return {"type": "image", "source": source}


def _answered(turn: Answered, replies: Replies[Kept]) -> list[object]:
    blocks: list[object] = []
    for message in turn.messages:
        kept = replies.of(message)
        blocks += kept.blocks if isinstance(kept, _Blocks) else _plain(message)
    return blocks


def _plain(message: AssistantMessage) -> Iterator[dict[str, object]]:
    if message.text.strip():
        yield {"type": "text", "text": message.text}
    for call in message.calls:
        yield {"type": "tool_use", "id": call.id, "name": call.name, "input": call.args}


@value
class _Blocks:
    """An answer as it came."""

    blocks: tuple[object, ...]


class _Block:
    """One block of an answer, which is written piece by piece."""

    def __init__(self, start: Json) -> None:
        self.kind = text_at(start, "type")
        self.start = start
        self.text = [text_at(start, "text") or text_at(start, "thinking")]
        self.written: list[str] = []
        self.signature = text_at(start, "signature")

    def add(self, delta: Json) -> Text | Reasoning | None:
        """What it says; an empty `Reasoning` for a piece of a call."""
        kind = text_at(delta, "type")
        if kind == "input_json_delta":
            self.written.append(text_at(delta, "partial_json"))
            return Reasoning("")
        if kind == "signature_delta":
            self.signature += text_at(delta, "signature")
            return None
        said = text_at(delta, "text") or text_at(delta, "thinking")
        self.text.append(said)
        return self._piece(said)

    def first(self) -> Text | Reasoning | None:
        return self._piece(self.text[0])

    def _piece(self, said: str) -> Text | Reasoning | None:
        if not said or self.kind not in ("text", "thinking"):
            return None
        return Text(said) if self.kind == "text" else Reasoning(said)

    def call(self) -> WrittenCall:
        whole = object_at(self.start, "input")
        args = whole if whole and not self.written else "".join(self.written)
        return WrittenCall(text_at(self.start, "id"), text_at(self.start, "name"), args)

    def as_it_came(self) -> dict[str, object] | None:
        said = "".join(self.text)
        if self.kind == "text":
            return {"type": "text", "text": said} if said.strip() else None
        if self.kind == "thinking":
            return {"type": "thinking", "thinking": said, "signature": self.signature} if self.signature else None
        if self.kind == "redacted_thinking":
            return {"type": "redacted_thinking", "data": text_at(self.start, "data")}
        if self.kind == "tool_use":
            call = self.call()
            return {"type": "tool_use", "id": call.id, "name": call.name, "input": arguments(call.args)}
        return None


class AnthropicReader:
    def __init__(self) -> None:
        self._blocks: dict[int, _Block] = {}
        self._usage: dict[str, int] = {}
        self._stop = ""
        self._refusal = ""
        self._model = ""

    def read(self, event: Event) -> Iterator[Text | Reasoning]:
        data = parse(event.data)
        match text_at(data, "type"):
            case "error":
                raise Refused(reported(data, 0, None, in_stream=True))
            case "message_start":
                self._model = text_at(data, "message", "model")
                self._count(object_at(data, "message", "usage"))
            case "content_block_start":
                block = self._blocks[count_at(data, "index")] = _Block(object_at(data, "content_block"))
                piece = block.first()
                yield from [piece] if piece else []
            case "content_block_delta":
                block = self._blocks.get(count_at(data, "index"))
                piece = block.add(object_at(data, "delta")) if block else None
                yield from [piece] if piece else []
            case "message_delta":
                self._stop = text_at(data, "delta", "stop_reason") or self._stop
                self._refusal = text_at(data, "delta", "stop_details", "explanation") or self._refusal
                self._count(object_at(data, "usage"))
            case _:
                pass

    def end(self) -> Ending:
        if not self._stop:
            raise BrokenOff
        blocks = [block for _, block in sorted(self._blocks.items())]
        came = tuple(each for block in blocks if (each := block.as_it_came()))
        thought = any(block.kind in ("thinking", "redacted_thinking") for block in blocks)
        used = self._usage
        cached, written = used.get("cache_read_input_tokens", 0), used.get("cache_creation_input_tokens", 0)
        whole = used.get("input_tokens", 0) + cached + written
        return Ending(
            calls=tuple(block.call() for block in blocks if block.kind == "tool_use"),
            tokens=Tokens(whole, used.get("output_tokens", 0), cached, written),
            stop=_STOPS.get(self._stop, "stop"),
            refusal=self._refusal,
            kept=_Blocks(came) if thought else None,
            model=self._model,
        )

    def _count(self, usage: Json) -> None:
        """Later counts replace earlier ones; what is not named again stays."""
        self._usage |= {name: count_at(usage, name) for name in usage if isinstance(at(usage, name), int)}
