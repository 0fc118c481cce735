"""Asking a model for the narrative of a packet, and taking of it what the record bears.

The model may take its time as long as it shows signs of life: a local one reads for minutes before it writes. It is
given up when it is silent for too long, or when it is slower than any model that is of use.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Collection, Sequence

from baton.core.agent.message import Usage
from baton.core.agent.tokens import estimate
from baton.core.errors import ModelError
from baton.core.handoff.ledger.fact import Ledger
from baton.core.handoff.narration import narrative
from baton.core.handoff.narration.check import check
from baton.core.handoff.narration.input import narrative_input, room_for
from baton.core.handoff.narration.narrative import Narrative
from baton.core.handoff.narration.record import Record
from baton.core.log.context import to_messages
from baton.core.log.entry import Entry
from baton.core.value import value
from baton.engine.aio import in_thread
from baton.engine.handoff.cleaner import Cleaner
from baton.engine.prompts import ask, prompt_text
from baton.ports.model import Finished, Model, Piece, Text

ASKING = "asking the model for the narrative"
WRITING = "asking the model for the narrative, {words:,} words so far"
ANSWER = 1500
"""Tokens of an answer: 400 words are asked for."""

_EVERY = 5.0


@value
class Pace:
    """How slow a model may be: `silence` without any sign of life, plus what reading and writing take at the speeds of
    the slowest machine that is of use, in tokens per second. Never longer than `most` seconds in all.

    Measured with the embedded model of 1.5 billion parameters on two busy cores: 2,709 tokens read at 6 and 312 written
    at 5 tokens per second, 521 seconds in all; with a load of eleven 3,428 and 270 tokens, 1,044 seconds.
    """

    silence: float = 120.0
    reading: float = 6.0
    writing: float = 3.0
    most: float = 1200.0

    def limit(self, prompt_tokens: int) -> float:
        """Seconds for reading a prompt of this size and writing the longest answer."""
        return min(self.most, self.silence + prompt_tokens / self.reading + ANSWER / self.writing)


class Narrator:
    """`say` hears what is being done, in words for the person who waits."""

    def __init__(self, model: Model, prompt: str, pace: Pace, say: Callable[[str], None]) -> None:
        self.spent = Usage()
        self._model = model
        self._system = prompt or prompt_text("handoff")
        self._pace = pace
        self._say = say

    async def tell(
        self, entries: Sequence[Entry], ledger: Ledger, known: Collection[str], cleaner: Cleaner
    ) -> Narrative:
        """The narrative without what the record does not bear; `missing` says why there is none. Raises nothing but a
        cancellation. `known` are paths that the workspace has, besides those of the record.
        """
        self._say(ASKING)
        text = await in_thread(self._prepare, entries, ledger, cleaner)
        try:
            answer = await self._ask(text)
        except TimeoutError as error:
            return Narrative(missing=str(error))
        except ModelError as error:
            return Narrative(missing=f"the model failed ({cleaner.clean(error.parts()[0])})")
        except Exception as error:  # noqa: BLE001, whatever a model's adapter raises: the packet still has its facts
            return Narrative(missing=f"the model failed ({type(error).__name__})")
        if not answer.strip():
            return Narrative(missing="the model answered with nothing")
        return await in_thread(_judge, cleaner.clean(answer), entries, ledger, known)

    def _prepare(self, entries: Sequence[Entry], ledger: Ledger, cleaner: Cleaner) -> str:
        return cleaner.clean(narrative_input(to_messages(entries), ledger, room_for(self._model.window)))

    async def _ask(self, text: str) -> str:
        """The answer; a `TimeoutError` that says what was waited for. Every sign of life starts the clock again."""
        loop = asyncio.get_running_loop()
        limit = self._pace.limit(estimate(text) + estimate(self._system))
        end = loop.time() + limit
        progress = _Progress(self._say)
        try:
            async with asyncio.timeout(self._pace.silence) as clock:

                def hear(piece: Piece) -> None:
                    clock.reschedule(min(end, loop.time() + self._pace.silence))
                    progress.hear(piece)
                    self.spent = self.spent.plus(piece.usage) if isinstance(piece, Finished) else self.spent

                return await ask(self._model, self._system, text, ANSWER, hear)
        except TimeoutError:
            if loop.time() >= end:
                raise TimeoutError(f"the model was not done after {limit:.0f} s") from None
            raise TimeoutError(f"the model said nothing for {self._pace.silence:.0f} s") from None


class _Progress:
    """Tells now and then how much has come."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self._say = say
        self._words = 0
        self._told = time.monotonic()

    def hear(self, piece: Piece) -> None:
        if not isinstance(piece, Text):
            return
        self._words += piece.text.count(" ") + piece.text.count("\n")
        if self._words and time.monotonic() - self._told >= _EVERY:
            self._told = time.monotonic()
            self._say(WRITING.format(words=self._words))


def _judge(answer: str, entries: Sequence[Entry], ledger: Ledger, known: Collection[str]) -> Narrative:
    return check(narrative.parse(answer), Record(entries, ledger, known))
