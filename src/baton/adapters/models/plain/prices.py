"""What answers cost and how much context models take, by the price list. It takes a tenth of a second to import, so
that it is read in a thread while an answer comes. An installation without it tells no costs, and takes models that our
own table of windows does not have for ones of the usual size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baton.adapters.models.loading import import_alone

if TYPE_CHECKING:
    from baton.adapters.models.plain.dialect import Tokens


class Prices:
    """The price list for one provider, found by its address or else by its name."""

    def __init__(self, provider: str, url: str) -> None:
        with import_alone():
            self._list = _price_list()
        self._provider = provider
        self._url = url
        self._found: dict[str, dict[str, str] | None] = {}

    def cost(self, model: str, tokens: Tokens) -> float | None:
        """In US dollars; None where it is not known."""
        where = self._where(model) if self._list is not None else None
        if self._list is None or where is None:
            return None
        usage = self._list.Usage(
            input_tokens=tokens.input,
            output_tokens=tokens.output,
            cache_read_tokens=tokens.cached,
            cache_write_tokens=tokens.written,
        )
        try:
            return float(self._list.calc_price(usage, model, **where).total_price)
        except (LookupError, ValueError, AssertionError):
            return None

    def window(self, model: str) -> int | None:
        """Tokens of context the model takes; None where it is not known."""
        where = self._where(model) if self._list is not None else None
        if where is None:
            return None
        named = where.get("provider_id"), where.get("provider_api_url")
        return _snapshot().find_provider_model(model, None, *named)[1].context_window

    def _where(self, model: str) -> dict[str, str] | None:
        """By what the list knows the model's provider; None if it is not listed. The list itself only remembers what it
        found, and goes through all of its models each time for one that it does not know.
        """
        if model not in self._found:
            self._found[model] = self._look_up(model)
        return self._found[model]

    def _look_up(self, model: str) -> dict[str, str] | None:
        for where in ({"provider_api_url": self._url}, {"provider_id": self._provider}):
            try:
                _snapshot().find_provider_model(model, None, where.get("provider_id"), where.get("provider_api_url"))
            except LookupError:
                continue
            return where
        return None


def _snapshot() -> Any:
    from genai_prices.data_snapshot import get_snapshot

    return get_snapshot()


def _price_list() -> Any:
    try:
        import genai_prices
    except ImportError:
        return None
    return genai_prices
