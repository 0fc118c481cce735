"""Google's Gemini API, `streamGenerateContent`.

Its names are spelled as Google's own client spells them on the wire, some in one manner and some in the other; the API
takes both.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from urllib.parse import quote

from baton.adapters.models.answer import WrittenCall
from baton.adapters.models.failure import Refusal
from baton.adapters.models.plain.dialect import Ask, BrokenOff, Ending, Kept, Refused, Tokens
from baton.adapters.models.plain.events import Event
from baton.adapters.models.plain.fields import Json, at, count_at, object_at, objects_at, parse, text_at
from baton.adapters.models.plain.reported import reported
from baton.adapters.models.plain.schemas import for_google
from baton.adapters.models.plain.turns import EMPTY, Answered, Asked, result_text, turns
from baton.adapters.models.replies import Replies
from baton.core.agent.message import AssistantMessage, Image, Prompt, ToolMessage
from baton.core.value import field, value
from baton.ports.model import Reasoning, Text

_NOT_SIGNED = "c2tpcF90aG91Z2h0X3NpZ25hdHVyZV92YWxpZGF0b3I="
"""What Google takes for a signature that is not there: of a call that another model or another process made."""
_FAILED = ("LANGUAGE", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "NO_IMAGE")
_STOPS = {
    "MAX_TOKENS": "length",
    "CONTINUATION": "length",
    **dict.fromkeys(("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "MODEL_ARMOR"), "refusal"),
    **dict.fromkeys(("IMAGE_SAFETY", "IMAGE_PROHIBITED_CONTENT"), "refusal"),
}


@value
class GoogleDialect:
    """`thinking` goes into each request's configuration."""

    model: str
    base: str
    headers: Mapping[str, str]
    thinking: Mapping[str, object] = field(default_factory=dict[str, object])

    def ask(self, prompt: Prompt, replies: Replies[Kept], *, images: bool) -> Ask:
        contents: list[dict[str, object]] = []
        repeats = False
        for turn in turns(prompt, images=images):
            if isinstance(turn, Asked):
                contents += _asked(turn)
                continue
            if not contents:
                contents.append({"role": "user", "parts": [{"text": EMPTY}]})
            contents.append({"role": "model", "parts": _answered(turn, replies)})
            repeats = repeats or any(replies.of(message) is not None for message in turn.messages)
        limit = {"maxOutputTokens": prompt.max_output} if prompt.max_output is not None else {}
        config = {"responseModalities": ["TEXT"], **limit, **self.thinking}
        body: dict[str, object] = {"contents": contents, "generationConfig": config}
        if prompt.system.strip():
            body["systemInstruction"] = {"role": "user", "parts": [{"text": prompt.system}]}
        if prompt.tools:
            body |= {"tools": [{"functionDeclarations": _tools(prompt)}], "toolConfig": _CHOICE}
        named = self.model if self.model.startswith(("models/", "tunedModels/")) else f"models/{self.model}"
        return Ask(f"/v1/{quote(named)}:streamGenerateContent?alt=sse", body, repeats)

    def reader(self) -> GoogleReader:
        return GoogleReader()

    def refusal(self, status: int, body: object, after: float | None) -> Refusal:
        return reported(body, status, after)


_CHOICE = {"functionCallingConfig": {"mode": "AUTO"}}


def _tools(prompt: Prompt) -> list[object]:
    return [
        {
            "name": spec.name,
            "description": spec.description,
            "parameters_json_schema": for_google(spec.parameters),
        }
        for spec in prompt.tools
    ]


def _asked(turn: Asked) -> Iterator[dict[str, object]]:
    """Results and words apart: what stands beside a result is taken for the model's own."""
    if turn.results:
        yield {"role": "user", "parts": [_result(message) for message in turn.results]}
    if turn.content:
        yield {"role": "user", "parts": [_part(each) for each in turn.content]}


def _result(message: ToolMessage) -> dict[str, object]:
    said = result_text(message)
    response = {"return_value": said} if message.ok else {"error": said}
    return {"functionResponse": {"id": message.call_id, "name": message.name, "response": response}}


def _part(given: str | Image) -> dict[str, object]:
    if isinstance(given, str):
        return {"text": given}
    return {"inlineData": {"mime_type": given.media_type, "data": given.data}}


def _answered(turn: Answered, replies: Replies[Kept]) -> list[object]:
    parts: list[object] = []
    for message in turn.messages:
        kept = replies.of(message)
        parts += kept.parts if isinstance(kept, _Parts) else _plain(message)
    return parts


def _plain(message: AssistantMessage) -> Iterator[dict[str, object]]:
    """The first call of an answer needs a signature."""
    if message.text.strip():
        yield {"text": message.text}
    for place, call in enumerate(message.calls):
        made: dict[str, object] = {"functionCall": {"id": call.id, "name": call.name, "args": call.args}}
        yield made if place else {**made, "thoughtSignature": _NOT_SIGNED}


@value
class _Parts:
    """An answer as it came, its texts put together again."""

    parts: tuple[Mapping[str, object], ...]


class _Written:
    """One part of an answer: a call, or text and thought that come piece by piece."""

    def __init__(self, part: Json, call: WrittenCall | None) -> None:
        self.call = call
        self.thought = at(part, "thought") is True
        self.texts: list[str] = []
        self.signature = ""

    def goes_on_with(self, part: Json) -> bool:
        """A signature closes its part. One that comes with an empty text belongs to the part before."""
        if self.signature or self.call or object_at(part, "functionCall"):
            return False
        return self.thought == (at(part, "thought") is True) or not text_at(part, "text")

    def add(self, part: Json) -> None:
        self.texts.append(text_at(part, "text"))
        self.signature = text_at(part, "thoughtSignature")

    def as_it_came(self) -> dict[str, object] | None:
        signed = {"thoughtSignature": self.signature} if self.signature else {}
        if self.call:
            return {"functionCall": {"id": self.call.id, "name": self.call.name, "args": self.call.args}, **signed}
        text = "".join(self.texts)
        thought = {"thought": True} if self.thought else {}
        return {"text": text, **thought, **signed} if text.strip() else None


class GoogleReader:
    def __init__(self) -> None:
        self._parts: list[_Written] = []
        self._usage: dict[str, int] = {}
        self._finish = ""
        self._refusal = ""
        self._model = ""

    def read(self, event: Event) -> Iterator[Text | Reasoning]:
        chunk = parse(event.data)
        if at(chunk, "error"):
            raise Refused(reported(chunk, 0, None, in_stream=True))
        self._model = text_at(chunk, "modelVersion") or self._model
        counted = object_at(chunk, "usageMetadata")
        self._usage |= {name: number for name in counted if (number := count_at(counted, name))}
        if blocked := text_at(chunk, "promptFeedback", "blockReason"):
            self._finish = self._finish or blocked
            said = text_at(chunk, "promptFeedback", "blockReasonMessage")
            self._refusal = said or f"Google blocked the prompt ({blocked.lower().replace('_', ' ')})."
        for candidate in objects_at(chunk, "candidates")[:1]:
            self._finish = text_at(candidate, "finishReason") or self._finish
            if _STOPS.get(self._finish) == "refusal":
                self._refusal = text_at(candidate, "finishMessage") or self._refusal
            for part in objects_at(candidate, "content", "parts"):
                yield from self._add(part)

    def end(self) -> Ending:
        if not self._finish or self._finish in _FAILED:
            raise BrokenOff
        came = tuple(each for written in self._parts if (each := written.as_it_came()))
        signed = any("thoughtSignature" in each or "thought" in each for each in came)
        return Ending(
            calls=tuple(written.call for written in self._parts if written.call),
            tokens=self._tokens(),
            stop="refusal" if self._refusal else _STOPS.get(self._finish, "stop"),
            refusal=self._refusal,
            kept=_Parts(came) if signed else None,
            model=self._model,
        )

    def _add(self, part: Json) -> Iterator[Text | Reasoning]:
        last = self._parts[-1] if self._parts else None
        called = object_at(part, "functionCall")
        if last is None or not last.goes_on_with(part):
            last = _Written(part, _call(called) if called else None)
            self._parts.append(last)
        last.add(part)
        if called:
            yield Reasoning("")
        elif text := text_at(part, "text"):
            yield Reasoning(text) if last.thought else Text(text)

    def _tokens(self) -> Tokens:
        """Thoughts are counted apart from the answer, and so is what the provider's own tools put into the prompt."""
        used = self._usage.get
        asked = used("promptTokenCount", 0) + used("toolUsePromptTokenCount", 0)
        said = used("candidatesTokenCount", 0) + used("thoughtsTokenCount", 0)
        return Tokens(asked, said, used("cachedContentTokenCount", 0))


def _call(given: Json) -> WrittenCall:
    """An id of our own where none was given: it is how result and call find each other."""
    id_ = text_at(given, "id") or f"call_{secrets.token_hex(6)}"
    return WrittenCall(id_, text_at(given, "name"), object_at(given, "args"))
