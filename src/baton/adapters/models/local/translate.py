"""A prompt in the form a local model is used to: every turn of its own is one JSON object, every result a message.

The system text and the tools come first and never change within a session, so that the model reads them once.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from typing import Any, cast

from baton.adapters.models.local.schema import ANSWER, grammar, offered_properties
from baton.core.agent.message import AssistantMessage, Call, Message, Prompt, ToolMessage, ToolSpec, UserMessage
from baton.engine.prompts import prompt_text

MAX_OUTPUT = 1024
REPEAT_WITHIN = 256
RESULT_LIMIT = 3000
_UNSEEN = "[an image, which this model cannot see]"


def request(prompt: Prompt, repeat_penalty: float = 1.0) -> dict[str, Any]:
    """The body of one request. Without tools it is plain text in and out."""
    body: dict[str, Any] = {
        "temperature": 0,
        "repeat_penalty": repeat_penalty,
        "repeat_last_n": REPEAT_WITHIN,
        "max_tokens": min(prompt.max_output or MAX_OUTPUT, MAX_OUTPUT),
        "stream": True,
        "stream_options": {"include_usage": True},
        "return_progress": True,
        "messages": messages(prompt),
    }
    return {**body, "grammar": grammar(prompt.tools)} if prompt.tools else body


def messages(prompt: Prompt) -> list[dict[str, str]]:
    found = [_message("system", _system(prompt))] if prompt.system or prompt.tools else []
    for at, message in enumerate(prompt.messages):
        found += _translate(message, prompt.messages[at + 1 :], bare=not prompt.tools)
    return found


def tool_line(tool: ToolSpec) -> str:
    """A tool in one line: the call as it is to be written, and what it does."""
    properties = offered_properties(tool.parameters)
    required = cast("Sequence[str]", tool.parameters.get("required") or ())
    args = ", ".join(
        f'"{name}"{"" if name in required else "?"}: {_kind(schema)}' for name, schema in properties.items()
    )
    return f'{{"tool": "{tool.name}", "args": {{{args}}}}}  // {_first_sentence(tool.description)}'


def _system(prompt: Prompt) -> str:
    if not prompt.tools:
        return prompt.system
    own = prompt.system.replace(
        prompt_text("system").strip(), ""
    ).strip()  # said shorter in the prompt for local models
    parts = {"tools": "\n".join(tool_line(tool) for tool in prompt.tools), "system": own}
    return re.sub(r"\{(tools|system)\}", lambda match: parts[match[1]], prompt_text("local")).strip()


def _translate(message: Message, following: Sequence[Message], *, bare: bool) -> list[dict[str, str]]:
    match message:
        case UserMessage(text, images):
            return [_message("user", "\n".join([text, *(_UNSEEN for _ in images)]))]
        case AssistantMessage(text, calls) if calls:
            results = {each.call_id: each for each in takewhile(_is_result, following) if isinstance(each, ToolMessage)}
            return [each for call in calls for each in _exchange(call, results.get(call.id))]
        case AssistantMessage(text):
            return [_message("assistant", text if bare else _reply(ANSWER, {"text": text}))] if text else []
        case ToolMessage():
            return []  # said with its call


def _exchange(call: Call, result: ToolMessage | None) -> list[dict[str, str]]:
    """A call and its result side by side, even if a stronger model made several calls at once."""
    said = _message("assistant", _reply(call.name, call.args))
    if result is None:
        return [said]
    return [said, _message("user", f"{'Tool result' if result.ok else 'Error'}:\n{shorten(result.text)}")]


def _is_result(message: Message) -> bool:
    return isinstance(message, ToolMessage)


def _reply(name: str, args: Mapping[str, Any]) -> str:
    return json.dumps({"tool": name, "args": dict(args)}, ensure_ascii=False, default=str)


def shorten(text: str, limit: int = RESULT_LIMIT) -> str:
    """Head and tail of a long result: reading is what a local model takes longest for."""
    if len(text) <= limit:
        return text
    head = limit * 2 // 3
    return f"{text[:head]}\n[… {len(text) - limit:,} characters left out …]\n{text[head - limit :]}"


def _message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


def _kind(schema: Any) -> str:
    if not isinstance(schema, Mapping):
        return "any"
    known = cast("Mapping[str, Any]", schema)
    if known.get("default") is not None:
        return json.dumps(known["default"])  # models fill in whatever they see: then let it be what it would be anyway
    if "enum" in known:
        return " or ".join(json.dumps(each) for each in known["enum"])
    if known.get("type") == "array":
        return f"[{_kind(known.get('items'))}, …]"
    if known.get("type") == "object" and isinstance(known.get("properties"), Mapping):
        inside = cast("Mapping[str, Any]", known["properties"])
        return "{" + ", ".join(f'"{name}": {_kind(each)}' for name, each in inside.items()) + "}"
    return str(known.get("type", "any"))


def _first_sentence(text: str) -> str:
    flat = " ".join(text.split())
    return re.split(r"(?<=[.!?]) ", flat, maxsplit=1)[0][:160]
