"""The walk of OpenAI's SDK that is left out would have changed nothing."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from openai import Omit, omit
from openai._utils import async_maybe_transform
from openai.types.chat.completion_create_params import CompletionCreateParamsStreaming
from openai.types.responses.response_create_params import ResponseCreateParamsStreaming

from baton.adapters.models.loading import make_lean

pytestmark = pytest.mark.anyio
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
IMAGE = "data:image/png;base64,aGk="
PICTURE, INPUT_PICTURE = {"type": "image_url", "image_url": {"url": IMAGE}}, {"type": "input_image", "image_url": IMAGE}
CALL = {"id": "c1", "type": "function", "function": {"name": "read", "arguments": '{"path": "a"}'}}
CHAT: dict[str, Any] = {
    "model": "m",
    "stream": True,
    "stream_options": {"include_usage": True},
    "tools": [{"type": "function", "function": {"name": "read", "description": "Reads", "parameters": SCHEMA}}],
    "tool_choice": "auto",
    "max_tokens": omit,
    "messages": [
        {"role": "system", "content": "Be short."},
        {
            "role": "user",
            "content": [{"type": "text", "text": "Look"}, {"type": "image_url", "image_url": {"url": IMAGE}}],
        },
        {"role": "assistant", "content": "I look.", "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "c1", "content": "nothing"},
    ],
}
RESPONSES: dict[str, Any] = {
    "model": "m",
    "stream": True,
    "store": False,
    "instructions": "Be short.",
    "temperature": omit,
    "tools": [{"type": "function", "name": "read", "description": "Reads", "parameters": SCHEMA, "strict": False}],
    "input": [
        {
            "role": "user",
            "content": [{"type": "input_text", "text": "Look"}, {"type": "input_image", "image_url": IMAGE}],
        },
        {"type": "reasoning", "id": "r1", "summary": [], "encrypted_content": "x"},
        {"type": "function_call", "call_id": "c1", "name": "read", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": "nothing"},
    ],
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize(
    ("module", "body", "kind"),
    [
        ("openai.resources.chat.completions.completions", CHAT, CompletionCreateParamsStreaming),
        ("openai.resources.responses.responses", RESPONSES, ResponseCreateParamsStreaming),
    ],
)
async def test_a_body_goes_out_as_the_walk_would_have_left_it(module: str, body: dict[str, Any], kind: Any) -> None:
    make_lean()
    walked = await async_maybe_transform(body, kind)
    assert isinstance(walked, dict)
    lean = await importlib.import_module(module).async_maybe_transform(body, kind)
    assert lean == {name: each for name, each in walked.items() if not isinstance(each, Omit)}
    assert lean["tools"] is body["tools"], "it was walked"
