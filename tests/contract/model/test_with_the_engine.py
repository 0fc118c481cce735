"""The models under the engine's step, which is who retries."""

from __future__ import annotations

import pytest

from baton.core.agent.event import Retrying
from baton.core.agent.message import Call
from baton.core.errors import ModelError, ModelTimeout, ModelUnavailable
from baton.engine.turns.step import Patience, Step
from tests.contract.model.kit import HELLO, Backend
from tests.support.model_servers import Cut, Hang, Think, Use, fail, say

pytestmark = pytest.mark.anyio

QUICK = Patience(silence=20.0, tries=3, first=0.01, longest=0.05)


async def test_a_step_asks_again_until_it_is_answered(backend: Backend) -> None:
    events: list[object] = []
    script = (fail(500), fail(429, retry_after=0.02), say(Think("Hm."), "Hi", Use("c1", "read", {"path": "a"})))
    async with backend.play(*script) as stage:
        said = await Step(stage.model, HELLO, events.append, QUICK).run()
    assert (said.text, said.reasoning, said.calls) == ("Hi", "Hm.", (Call("c1", "read", {"path": "a"}),))
    assert [event.seconds for event in events if isinstance(event, Retrying)] == [0.01, 0.02]


async def test_a_step_that_said_something_is_not_repeated(backend: Backend) -> None:
    async with backend.play(say("Half", Cut()), say("whole")) as stage:
        step = Step(stage.model, HELLO, lambda _: None, QUICK)
        with pytest.raises(ModelUnavailable):
            await step.run()
        assert step.result().text == "Half"


async def test_a_step_gives_up_on_what_cannot_get_better(backend: Backend) -> None:
    async with backend.play(fail(401)) as stage:
        with pytest.raises(ModelError):
            await Step(stage.model, HELLO, lambda _: None, QUICK).run()
        assert stage.server is None or len(stage.server.requests) == 1


async def test_silence_ends_a_step_and_its_request(backend: Backend) -> None:
    async with backend.play(say("warm"), say("Hel", Hang())) as stage:
        await stage.ask()
        step = Step(stage.model, HELLO, lambda _: None, Patience(silence=0.5, tries=1))
        with pytest.raises(ModelTimeout):
            await step.run()
        assert await stage.stopped()


async def test_a_call_that_takes_long_to_write_is_no_silence(
    provider: Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of it can be passed on before it is whole, so that a sign of life stands in."""
    if provider.name.startswith("google"):
        pytest.skip("its calls come whole")
    monkeypatch.setattr("baton.adapters.models.answer._BEAT", 0.05)
    slow = Use("c1", "write", {"text": "x" * 30}, fragments=15, pause=0.2)
    async with provider.play(say("warm"), say(slow)) as stage:
        await stage.ask()
        said = await Step(stage.model, HELLO, lambda _: None, Patience(silence=2, tries=1)).run()
    assert said.calls == (Call("c1", "write", {"text": "x" * 30}),)
    assert said.reasoning == ""
