"""Every job a worker can be started with, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support.workers import claiming, contending, creating, gatewaying, handing, writing

JOBS: dict[str, Callable[..., Any]] = {
    job.__name__: job
    for job in (
        writing.write_a_bit_of_everything,
        contending.append_to_its_own,
        contending.append_in_turns,
        contending.append_and_search,
        contending.catch_up_at_once,
        contending.drop_the_index,
        creating.open_at_once,
        creating.open_and_die,
        claiming.claim_many,
        claiming.claim_transfers,
        claiming.hold_and_write_late,
        handing.hand_off,
        gatewaying.serve_gateway,
    )
}
