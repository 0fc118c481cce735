"""Prompts are files of core; they are read when first used."""

from __future__ import annotations

import os
from functools import cache

from baton import core


@cache
def prompt_text(name: str) -> str:
    with open(os.path.join(os.path.dirname(core.__file__), "prompts", f"{name}.md"), encoding="utf-8") as file:
        return file.read()
