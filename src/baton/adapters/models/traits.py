"""What is known of a model before it is asked."""

from __future__ import annotations

from baton.core.value import value


@value
class Traits:
    """`settled` windows are not corrected by what a price list knows. `secrets` must not be shown. A model that is
    `unable` has no choice of how much it thinks, though that was asked for.
    """

    window: int
    images: bool
    settled: bool
    thinking: bool | str | None
    timeout: float
    secrets: tuple[str, ...]
    unable: bool = False
