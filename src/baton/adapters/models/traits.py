"""What is known of a model before it is asked."""

from __future__ import annotations

from baton.core.value import value


@value
class Traits:
    """`settled` windows are not corrected by what a price list knows. `secrets` must not be shown."""

    window: int
    images: bool
    settled: bool
    thinking: bool | str | None
    timeout: float
    secrets: tuple[str, ...]
