"""A model is given the time it needs for a narrative, as long as it shows signs of life."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

import pytest

from baton.core.handoff.ledger.merge import gather
from baton.core.handoff.narration.narrative import Narrative, Nomination, Struck
from baton.engine.handoff import narrator
from baton.engine.handoff.cleaner import Cleaner
from baton.engine.handoff.narrator import ASKING, Narrator, Pace
from baton.ports.model import Reasoning, Text
from baton.testing.model import FakeModel, Line
from tests.support.handoffs import SECRET, OneSecret
from tests.unit.core.handoff.ledger.talk import Talk

pytestmark = pytest.mark.anyio

TALE = """## Completed work
Changed src/pay.py. All tests pass.
## Design decisions
None recorded.
## Next recommended action
Run `pytest -q`.
## Rules
standing: "Ask before you deploy."
"""
LIFE = Reasoning("")


def talk() -> Talk:
    return Talk().say("Ask before you deploy. Fix the rounding.").write("src/pay.py").run("pytest -q", 1)


async def tell(lines: Sequence[Line], pace: Pace, said: list[str] | None = None) -> Narrative:
    entries = talk().entries
    asked = Narrator(FakeModel([lines]), "", pace, (said if said is not None else []).append)
    return await asked.tell(entries, gather(entries), (), Cleaner(OneSecret()))


async def test_the_answer_is_checked_against_the_record() -> None:
    told = await tell([TALE], Pace())
    assert told.completed == "Changed src/pay.py."
    assert told.struck == (Struck("All tests pass.", "the last run of `pytest -q` failed"),)
    assert told.rules == (Nomination("Ask before you deploy.", "standing"),)


async def test_a_slow_model_that_lives_is_waited_for() -> None:
    slow: list[Line] = [each for _ in range(8) for each in (LIFE, 0.1)]
    told = await tell([*slow, TALE], Pace(silence=0.3))
    assert not told.missing


async def test_a_silent_model_is_given_up() -> None:
    start = time.monotonic()
    told = await tell([LIFE, 30.0, TALE], Pace(silence=0.2))
    assert told.missing == "the model said nothing for 0 s"
    assert time.monotonic() - start < 5


async def test_signs_of_life_do_not_keep_a_model_for_ever() -> None:
    forever: list[Line] = [each for _ in range(200) for each in (LIFE, 0.05)]
    start = time.monotonic()
    told = await tell(forever, Pace(silence=5, most=0.5))
    assert "was not done after" in told.missing
    assert time.monotonic() - start < 5


async def test_a_longer_prompt_is_given_more_time() -> None:
    pace = Pace(silence=60, reading=10, writing=10, most=10_000)
    assert pace.limit(4000) - pace.limit(1000) == 300
    assert Pace().limit(10**9) == Pace().most


async def test_progress_is_shown_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(narrator, "_EVERY", 0.0)
    said: list[str] = []
    await tell([Text("one two three "), Text("four five ")], Pace(), said)
    assert said == [ASKING, f"{ASKING}, 3 words so far", f"{ASKING}, 5 words so far"]


async def test_the_request_can_be_cancelled() -> None:
    waiting = asyncio.create_task(tell([LIFE, 30.0], Pace()))
    await asyncio.sleep(0.1)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting


async def test_no_secret_reaches_what_is_shown_of_a_struck_sentence() -> None:
    told = await tell([TALE.replace("All tests pass.", f"Wrote src/ghost.py with {SECRET}.")], Pace())
    (struck,) = told.struck
    assert SECRET not in struck.sentence
