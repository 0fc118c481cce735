"""A model that is spoken to over plain HTTP, in the dialect of its provider."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import partial
from typing import TYPE_CHECKING

from baton.adapters.models.address import host_of
from baton.adapters.models.answer import Beats, calls_of, can_be_repeated
from baton.adapters.models.background import Background
from baton.adapters.models.failure import Case, refusal_error, unreadable_error
from baton.adapters.models.plain.dialect import Ask, BrokenOff, Dialect, Ending, Kept, Refused
from baton.adapters.models.plain.events import events
from baton.adapters.models.plain.fields import Unreadable
from baton.adapters.models.plain.lines import Line, open_line
from baton.adapters.models.replies import Replies
from baton.core.agent.message import Usage
from baton.core.errors import EffortNotTaken, ModelUnavailable
from baton.core.value import value
from baton.ports.model import Called, Finished, Piece, Text

if TYPE_CHECKING:
    from baton.adapters.models.plain.prices import Prices
    from baton.adapters.models.traits import Traits
    from baton.core.agent.message import Prompt

_STALE = re.compile(r"thinking|thought|signature|reasoning", re.IGNORECASE)


@value
class Price:
    """Under what name and address the price list knows a provider; an empty name has no prices."""

    provider: str
    url: str


class PlainModel:
    """Used from one event loop. `line` is one that it shares with others and does not close."""

    def __init__(
        self, name: str, traits: Traits, dialect: Dialect, price: Price, line: Background[Line] | None = None
    ) -> None:
        self.name = name
        self._traits = traits
        self._dialect = dialect
        self._shares = line is not None
        self._line = line or Background(partial(open_line, traits.timeout))
        self._priced = bool(price.provider)
        self._prices = Background(lambda: _open_prices(price))
        self._replies: Replies[Kept] = Replies()

    @property
    def window(self) -> int:
        """For a model that is not in our table: what the price list knows, once it is loaded."""
        prices = None if self._traits.settled else self._prices.finished()
        known = prices.window(self._asked_model) if prices else None
        return known or self._traits.window

    @property
    def images(self) -> bool:
        return self._traits.images

    async def stream(self, prompt: Prompt) -> AsyncGenerator[Piece]:
        traits = self._traits
        if traits.unable:
            raise EffortNotTaken(model=self.name)
        case = Case(self.name, host_of(self._dialect.base), traits.timeout, traits.secrets, prompt)
        line = await self._line.get()
        if self._priced and not traits.settled:
            await self._prices.get()
        try:
            async with aclosing(self._answer_or_again(line, prompt, case)) as pieces:
                async for piece in pieces:
                    yield piece
        except Refused as refused:
            raise refusal_error(refused.refusal, case) from None
        except Unreadable:
            raise unreadable_error(case) from None
        except BrokenOff:
            raise ModelUnavailable(model=self.name, reason="the answer broke off before its end") from None

    async def close(self) -> None:
        if not self._shares and (line := self._line.take()):
            await line.close()

    async def _answer_or_again(self, line: Line, prompt: Prompt, case: Case) -> AsyncGenerator[Piece]:
        """A signed thought may be bound to what stood before it. Where that has changed since, the provider refuses
        the request, and it is sent once more without thoughts.
        """
        try:
            async with aclosing(self._answer(line, prompt, case)) as pieces:
                async for piece in pieces:
                    yield piece
                return
        except Refused as refused:
            told = refused.refusal
            if told.status != 400 or not _STALE.search(told.said) or not self._ask(prompt).repeats:
                raise
        self._replies.forget()
        async with aclosing(self._answer(line, prompt, case)) as pieces:
            async for piece in pieces:
                yield piece

    async def _answer(self, line: Line, prompt: Prompt, case: Case) -> AsyncGenerator[Piece]:
        said: list[str] = []
        reader, beats = self._dialect.reader(), Beats()
        async with line.ask(self._dialect, self._ask(prompt), case) as chunks:
            if self._priced:
                self._prices.begin()
            async with aclosing(events(chunks)) as found:
                async for event in found:
                    for piece in reader.read(event):
                        if beats.let_pass(piece):
                            said += [piece.text] if isinstance(piece, Text) else []
                            yield piece
        ending = reader.end()
        if ending.refusal and not said:
            yield Text(ending.refusal)
        calls = calls_of(ending.calls)
        if ending.kept is not None and can_be_repeated(ending.calls, calls):
            self._replies.keep("".join(said), calls, ending.kept)
        for call in calls:
            yield Called(call)
        yield Finished(await self._usage(ending), ending.stop if ending.stop != "stop" or not calls else "calls")

    def _ask(self, prompt: Prompt) -> Ask:
        return self._dialect.ask(prompt, self._replies, images=self._traits.images)

    async def _usage(self, ending: Ending) -> Usage:
        tokens, cost = ending.tokens, ending.cost
        if cost is None and self._priced and (tokens.input or tokens.output):
            prices = await self._prices.get()
            cost = prices.cost(ending.model or self._asked_model, tokens)
        return Usage(tokens.input, tokens.output, tokens.cached, cost)

    @property
    def _asked_model(self) -> str:
        return self.name.partition(":")[2]


def _open_prices(price: Price) -> Prices:
    from baton.adapters.models.plain.prices import Prices

    return Prices(price.provider, price.url)
