"""What the agent said last (A): the first characters of the last sentence of it."""

from __future__ import annotations

import re

from bench.continuity.dialogue import Dialogue
from bench.continuity.fact import Fact
from bench.continuity.folding import MESSAGE, bare, probe

_END = re.compile(r"(?<=[.!?。！？])[\"'»”)*_`]*(?:\s+|(?<=[。！？]))")
_WORDS = re.compile(r"\w", re.UNICODE)


def last_sentence(text: str) -> str:
    """The last line that has words, and of it the last sentence; a dot inside a word ends none."""
    lines = [line for line in text.splitlines() if len(_WORDS.findall(line)) >= 2] or [text]
    sentences = [each for each in _END.split(bare(lines[-1])) if len(_WORDS.findall(each)) >= 2]
    return sentences[-1].strip() if sentences else bare(lines[-1])


def last(before: Dialogue, secrets: tuple[str, ...]) -> list[Fact]:
    if not before.spoke:
        return []
    reply = before.spoke[-1]
    return [Fact(reply.text[-240:], probe(last_sentence(reply.text), MESSAGE, secrets), reply.index)]
