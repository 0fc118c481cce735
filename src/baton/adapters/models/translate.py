"""A prompt in the library's words. Imports the library: only `loading` imports this."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, cast

from pydantic_ai.messages import (
    BinaryContent,
    InstructionPart,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserContent,
    UserPromptPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from baton.adapters.models.replies import Replies
from baton.core.agent.message import AssistantMessage, Image, Prompt, ToolMessage, ToolSpec, UserMessage
from baton.core.value import value

EMPTY = "(empty)"
NO_IMAGES = "[an image was left out: this model takes none]"
_MARKS_ERRORS = ("anthropic", "google", "google-cloud", "bedrock")


@value
class Asked:
    """One request, as the library takes it."""

    messages: list[ModelMessage]
    settings: ModelSettings
    parameters: ModelRequestParameters


@value
class Manner:
    """How a model is asked: with images or not, how much it should reason, how long it may be silent."""

    images: bool
    thinking: bool | str | None
    timeout: float


def ask(prompt: Prompt, model: Model[Any], replies: Replies[ModelResponse], manner: Manner) -> Asked:
    """Roles alternate, each call is followed by its result in the same order, and nothing empty is sent: for each of
    these there is a provider that refuses anything else.
    """
    parameters = ModelRequestParameters(
        function_tools=[_tool(spec) for spec in prompt.tools],
        instruction_parts=[InstructionPart(content=_clean(prompt.system))] if prompt.system.strip() else [],
        allow_text_output=True,
    )
    messages = _Messages(model, replies, images=manner.images).of(prompt)
    return Asked(messages, _settings(prompt, model, manner), parameters)


def _settings(prompt: Prompt, model: Model[Any], manner: Manner) -> ModelSettings:
    """The retries are ours, and so is the record: nothing is stored at the provider."""
    settings: dict[str, Any] = {"max_retries": 0, "cache": True, "timeout": manner.timeout}
    if prompt.max_output is not None:
        settings["max_tokens"] = prompt.max_output
    if manner.thinking is not None:
        settings["thinking"] = manner.thinking
    if type(model).__name__ == "OpenAIResponsesModel":
        settings["openai_store"] = False
    return cast("ModelSettings", settings)


def _tool(spec: ToolSpec) -> ToolDefinition:
    """The schema as the tool gave it: the strict forms of some providers would change it."""
    schema = dict(spec.parameters)
    return ToolDefinition(name=spec.name, description=spec.description, parameters_json_schema=schema, strict=False)


class _Messages:
    """Collects requests and responses in turn; neighbours of the same kind become one."""

    def __init__(self, model: Model[Any], replies: Replies[ModelResponse], *, images: bool) -> None:
        self._replies = replies
        self._images = images
        self._marks_errors = model.system in _MARKS_ERRORS
        self._id_length = model.profile.get("tool_call_id_length")
        self._done: list[ModelMessage] = []

    def of(self, prompt: Prompt) -> list[ModelMessage]:
        for message in prompt.messages:
            if isinstance(message, AssistantMessage):
                self._answer(message)
            elif isinstance(message, ToolMessage):
                self._ask([self._result(message)])
            else:
                self._ask([self._user_part(message)])
        return self._done

    def _ask(self, parts: Sequence[ModelRequestPart]) -> None:
        last = self._done[-1] if self._done else None
        if isinstance(last, ModelRequest):
            parts = _join_user_parts([*last.parts, *parts])
            self._done.pop()
        self._done.append(ModelRequest(parts=parts))

    def _answer(self, message: AssistantMessage) -> None:
        parts: Sequence[ModelResponsePart] = []
        if known := self._replies.of(message):
            self._done.append(known)
            return
        if message.text.strip():
            parts = [TextPart(content=_clean(message.text))]
        parts = [*parts, *(self._call(call.id, call.name, call.args) for call in message.calls)]
        last = self._done[-1] if self._done else None
        if parts and isinstance(last, ModelResponse):
            self._done[-1] = ModelResponse(parts=[*last.parts, *parts])
        elif parts:
            self._done.append(ModelResponse(parts=parts))

    def _call(self, id_: str, name: str, args: Any) -> ToolCallPart:
        return ToolCallPart(tool_name=name, args=_clean_all(args), tool_call_id=self._id(id_))

    def _result(self, message: ToolMessage) -> ToolReturnPart:
        """A failure is marked if the provider has a flag for it; otherwise the text says it."""
        return ToolReturnPart(
            tool_name=message.name,
            content=_clean(message.text) or EMPTY,
            tool_call_id=self._id(message.call_id),
            outcome="failed" if self._marks_errors and not message.ok else "success",
        )

    def _user_part(self, message: UserMessage) -> UserPromptPart:
        content: list[UserContent] = [_clean(message.text)] if message.text.strip() else []
        content += [_image(each) if self._images else NO_IMAGES for each in message.images]
        return UserPromptPart(content=_simplify(content or [EMPTY]))

    def _id(self, id_: str) -> str:
        """Mistral wants ids of one length; a call and its result get the same."""
        if self._id_length is None or (len(id_) == self._id_length and id_.isalnum()):
            return id_
        return hashlib.sha256(id_.encode()).hexdigest()[: self._id_length]


def _join_user_parts(parts: Iterable[ModelRequestPart]) -> list[ModelRequestPart]:
    """Neighbouring user parts as one: templates of local models refuse two user messages in a row."""
    done: list[ModelRequestPart] = []
    for part in parts:
        last = done[-1] if done else None
        if isinstance(part, UserPromptPart) and isinstance(last, UserPromptPart):
            done[-1] = UserPromptPart(content=_simplify([*_parts(last), *_parts(part)]))
        else:
            done.append(part)
    return done


def _parts(part: UserPromptPart) -> Sequence[UserContent]:
    return [part.content] if isinstance(part.content, str) else part.content


def _simplify(content: Sequence[UserContent]) -> str | Sequence[UserContent]:
    """Text alone as text: not every compatible server takes a list."""
    texts = [each for each in content if isinstance(each, str)]
    return "\n\n".join(texts) if len(texts) == len(content) else content


def _image(image: Image) -> UserContent:
    return BinaryContent(data=base64.b64decode(image.data), media_type=image.media_type)


def _clean(text: str) -> str:
    """Half a surrogate pair cannot be sent."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def _clean_all(given: Any) -> Any:
    if isinstance(given, str):
        return _clean(given)
    if isinstance(given, dict):
        return {_clean(str(key)): _clean_all(held) for key, held in cast("dict[Any, Any]", given).items()}
    if isinstance(given, list | tuple):
        return [_clean_all(each) for each in cast("list[Any]", given)]
    return given
