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

    def cost(self, model: str, tokens: Tokens) -> float | None:
        """In US dollars; None where it is not known."""
        if self._list is None:
            return None
        usage = self._list.Usage(
            input_tokens=tokens.input,
            output_tokens=tokens.output,
            cache_read_tokens=tokens.cached,
            cache_write_tokens=tokens.written,
        )
        try:
            try:
                found = self._list.calc_price(usage, model, provider_api_url=self._url)
            except LookupError:
                found = self._list.calc_price(usage, model, provider_id=self._provider)
        except (LookupError, ValueError, AssertionError):
            return None
        return float(found.total_price)

    def window(self, model: str) -> int | None:
        """Tokens of context the model takes; None where it is not known."""
        if self._list is None:
            return None
        from genai_prices.data_snapshot import get_snapshot

        for where in ((None, self._url), (self._provider, None)):
            try:
                return get_snapshot().find_provider_model(model, None, *where)[1].context_window
            except LookupError:
                continue
        return None


def _price_list() -> Any:
    try:
        import genai_prices
    except ImportError:
        return None
    return genai_prices
