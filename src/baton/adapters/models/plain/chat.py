"""Chat Completions, as OpenAI defined them and most servers speak them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import cast

from baton.adapters.models.failure import Refusal
from baton.adapters.models.plain.chat_reader import Beside, ChatReader
from baton.adapters.models.plain.dialect import Ask, Kept
from baton.adapters.models.plain.fields import write
from baton.adapters.models.plain.manner import Manner
from baton.adapters.models.plain.reported import reported
from baton.adapters.models.plain.schemas import inlined, with_properties
from baton.adapters.models.plain.turns import Answered, Asked, result_text, turns
from baton.adapters.models.replies import Replies
from baton.core.agent.message import Call, Image, Prompt, ToolSpec
from baton.core.value import field, value

_CACHED = {"type": "ephemeral", "ttl": "5m"}

Message = dict[str, object]


@value
class ChatDialect:
    """`extra` goes into each body."""

    model: str
    base: str
    headers: Mapping[str, str]
    manner: Manner = Manner()
    extra: Mapping[str, object] = field(default_factory=dict[str, object])

    def ask(self, prompt: Prompt, replies: Replies[Kept], *, images: bool) -> Ask:
        manner = self.manner
        messages: list[Message] = []
        repeats = False
        if prompt.system.strip():
            messages.append({"role": "system", "content": prompt.system})
        for turn in turns(prompt, images=images):
            if isinstance(turn, Asked):
                messages += self._asked(turn)
            else:
                messages.append(self._answered(turn, replies))
                repeats = repeats or any(replies.of(message) is not None for message in turn.messages)
        body: dict[str, object] = {"model": self.model, "stream": True, "messages": messages}
        body |= {"stream_options": {"include_usage": True}} if manner.usage else {}
        if prompt.max_output is not None:
            body[manner.limit] = prompt.max_output
        tools = [self._tool(spec) for spec in prompt.tools]
        if tools:
            body |= {"tool_choice": "auto", "tools": tools}
        if manner.caches:
            _mark(messages, tools)
        return Ask("/chat/completions", body | dict(self.extra), repeats)

    def reader(self) -> ChatReader:
        return ChatReader()

    def refusal(self, status: int, body: object, after: float | None) -> Refusal:
        return reported(body, status, after)

    def _asked(self, turn: Asked) -> Iterator[Message]:
        for result in turn.results:
            yield {"role": "tool", "tool_call_id": self._id(result.call_id), "content": result_text(result)}
        if turn.results and turn.content and self.manner.bridges:
            yield {"role": "assistant", "content": "OK"}
        if turn.content:
            alone = turn.content[0] if len(turn.content) == 1 else None
            content = alone if isinstance(alone, str) else [_part(each) for each in turn.content]
            yield {"role": "user", "content": content}

    def _answered(self, turn: Answered, replies: Replies[Kept]) -> Message:
        texts, calls, more = list[str](), list[object](), dict[str, object]()
        for message in turn.messages:
            kept = replies.of(message)
            beside = kept if isinstance(kept, Beside) else Beside({}, {})
            if not self.manner.tags:
                more |= beside.thoughts
            elif beside.text:
                texts.append(f"<think>{beside.text}</think>")
            texts += [message.text] if message.text.strip() else []
            calls += [self._call(call) | dict(beside.calls.get(call.id, {})) for call in message.calls]
        made: Message = {"role": "assistant"}
        made |= {"content": "\n\n".join(texts)} if texts or not calls else {"content": None}
        made |= {"tool_calls": calls} if calls else {}
        if calls and self.manner.needs and self.manner.needs not in more:
            more[self.manner.needs] = ""
        return _with_thinking(made | more)

    def _call(self, call: Call) -> dict[str, object]:
        function = {"name": call.name, "arguments": write(call.args).decode()}
        return {"id": self._id(call.id), "type": "function", "function": function}

    def _id(self, given: str) -> str:
        """A call and its result get the same."""
        wanted = self.manner.ids
        if not wanted or (len(given) == wanted and given.isascii() and given.isalnum()):
            return given
        return hashlib.sha256(given.encode("utf-8", "replace")).hexdigest()[:wanted]

    def _tool(self, spec: ToolSpec) -> dict[str, object]:
        """The schema as the tool gave it: the strict forms of some providers would change it."""
        schema = inlined(spec.parameters) if self.manner.inlines else spec.parameters
        function = {"name": spec.name, "description": spec.description, "parameters": with_properties(schema)}
        return {"type": "function", "function": function}


def _part(given: str | Image) -> dict[str, object]:
    if isinstance(given, str):
        return {"type": "text", "text": given}
    return {"type": "image_url", "image_url": {"url": f"data:{given.media_type};base64,{given.data}"}}


def _with_thinking(message: Message) -> Message:
    """Mistral's thoughts are a part of the content."""
    thought = message.pop("thinking", None)
    if not thought:
        return message
    text = message["content"]
    said = [{"type": "text", "text": text}] if text else []
    message["content"] = [{"type": "thinking", "thinking": [{"type": "text", "text": thought}]}, *said]
    return message


def _mark(messages: list[Message], tools: list[dict[str, object]]) -> None:
    """The ends of the prefixes to keep in the cache: tools, system, and all of the conversation."""
    system = messages[:1] if messages and messages[0]["role"] == "system" else []
    for message in [*system, *messages[len(system) :][-1:]]:
        content = message["content"]
        parts = cast("list[Message]", content) if isinstance(content, list) else [{"type": "text", "text": content}]
        message["content"] = [*parts[:-1], {**parts[-1], "cache_control": _CACHED}]
    if tools:
        tools[-1]["cache_control"] = _CACHED
