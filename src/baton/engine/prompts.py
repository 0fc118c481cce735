"""Prompts, which are files of core read when first used, and asking a model with one."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import aclosing
from functools import cache
from typing import Any, cast

from baton import core
from baton.core.agent.message import Prompt, UserMessage
from baton.ports.model import Model, Piece, Text


@cache
def prompt_text(name: str) -> str:
    with open(os.path.join(os.path.dirname(core.__file__), "prompts", f"{name}.md"), encoding="utf-8") as file:
        return file.read()


_LONGEST_TOKEN = 16
"""Characters. An answer longer than its tokens could be is of no use, so no more of it is awaited."""


def _ignore(_: Piece) -> None:
    pass


async def ask(model: Model, system: str, material: str, tokens: int, hear: Callable[[Piece], None] = _ignore) -> str:
    """The model's answer about the material, cut off when it is longer than `tokens` allow. `hear` gets every piece as
    it comes, signs of life too.
    """
    prompt = Prompt(system, (UserMessage(f"---\n{material}\n---"),), max_output=tokens)
    pieces: list[str] = []
    length = 0
    async with aclosing(cast("Any", model.stream(prompt))) as stream:
        async for piece in stream:
            hear(piece)
            if isinstance(piece, Text):
                pieces.append(piece.text)
                length += len(piece.text)
                if length > tokens * _LONGEST_TOKEN:
                    break
    return "".join(pieces)
