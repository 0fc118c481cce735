"""Models that nominate rules: a scripted one that knows the labels and errs on purpose, or a real one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from baton.core.agent.message import Prompt, Usage
from baton.ports.model import Finished, Model, Piece, Text
from bench.continuity.labels.sentences import STANDING, Message

SECTIONS = """## Completed work
None recorded.

## Design decisions
None recorded.

## Next recommended action
None recorded.

## Rules
{rules}
"""


class Scripted:
    """Nominates what the labels call rules, word for word. An erring one also names what it must not: something nobody
    said, a sentence in other words, a pasted line. Those have to be refused by program.
    """

    name = "scripted:nominations"
    window = 32_000
    images = False

    def __init__(self, message: Message, *, errs: bool = True) -> None:
        quotes = [f'{_scope(each.label)}: "{each.text}"' for each in message.sentences if each.is_rule]
        if errs:
            quotes.append('standing: "Nobody ever said this sentence to the agent."')
            quotes += [f'standing: "{each.text.upper()} ALWAYS"' for each in message.sentences[:1]]
            quotes += [f'task: "{each.text}"' for each in message.sentences if each.pasted][:1]
        self._text = SECTIONS.format(rules="\n".join(quotes) or "None recorded.")

    async def stream(self, prompt: Prompt) -> AsyncIterator[Piece]:
        del prompt
        await asyncio.sleep(0)
        yield Text(self._text)
        yield Finished(Usage(), "stop")

    async def close(self) -> None:
        pass


def _scope(label: str) -> str:
    return "standing" if label == STANDING else "task"


def scripted(message: Message) -> Model:
    return Scripted(message)


def nobody(message: Message) -> None:
    del message
