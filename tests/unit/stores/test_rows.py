"""Rows that damage has put together: whatever a column holds, the store says that it is damaged."""

from __future__ import annotations

from typing import Any

import pytest

from baton.adapters.stores.sql.entries import check_rows
from baton.core.errors import StoreDamaged
from baton.core.log.entry import entry

GOOD = entry("20261115_201133_a1b2c3", 1, "user", 5, 0, '{"text":"hello"}')
ROW = (1, GOOD.kind, GOOD.at, GOOD.tokens, GOOD.body, GOOD.checksum)


def test_a_whole_row_is_an_entry() -> None:
    assert check_rows([ROW], GOOD.session_id, "here") == [GOOD]


@pytest.mark.parametrize("column", range(1, 6))
@pytest.mark.parametrize("held", [None, b"\xff", 7, "\ud800"])
def test_a_column_that_holds_something_else_is_damage(column: int, held: Any) -> None:
    row = (*ROW[:column], held, *ROW[column + 1 :])
    with pytest.raises(StoreDamaged, match=f"entry 1 of session {GOOD.session_id}"):
        check_rows([row], GOOD.session_id, "here")
