"""The checks are not in test files, and yet say what they compared when they fail."""

from __future__ import annotations

import pytest

pytest.register_assert_rewrite(
    *(f"tests.contract.platform.{name}" for name in ("kit", "perform", "receiving", "sending", "trouble"))
)
