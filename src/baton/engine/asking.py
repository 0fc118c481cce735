"""One question to the model that is no part of the conversation: for a summary, or for a packet's narrative."""

from __future__ import annotations

from contextlib import aclosing
from typing import Any, cast

from baton.core.message import Prompt, UserMessage
from baton.ports.model import Model, Text

_LONGEST_TOKEN = 16
"""Characters. An answer that is longer than its tokens could be is of no use, and no more of it is waited for."""


async def ask(model: Model, system: str, material: str, tokens: int) -> str:
    """The model's answer about the material, cut off when it is longer than `tokens` allow."""
    prompt = Prompt(system, (UserMessage(f"---\n{material}\n---"),), max_output=tokens)
    pieces: list[str] = []
    length = 0
    async with aclosing(cast("Any", model.stream(prompt))) as stream:
        async for piece in stream:
            if isinstance(piece, Text):
                pieces.append(piece.text)
                length += len(piece.text)
                if length > tokens * _LONGEST_TOKEN:
                    break
    return "".join(pieces)
