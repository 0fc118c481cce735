"""What the documents promise is what is sent."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from baton.core.log.provenance import provenance
from baton.surfaces.acp import handoff
from baton.surfaces.acp.agent import Agent
from tests.unit.core.log.test_provenance import ACP, CASES

ROOT = Path(__file__).parents[3]
REFERENCE = (ROOT / "docs" / "reference" / "acp.md").read_text()
EXAMPLES = [json.loads(each) for each in re.findall(r"```json\n(.*?)```", REFERENCE, re.DOTALL)]


def test_the_example_of_provenance_has_the_fields_that_are_sent() -> None:
    example = next(each["_meta"] for each in EXAMPLES if "_meta" in each)
    sent = provenance(ACP, CASES["chain of three"][0])
    assert example["hermes"]["sessionProvenance"].keys() == sent["hermes"]["sessionProvenance"].keys()
    assert example["baton"].keys() - {"continue"} == sent["baton"].keys()
    assert example.keys() == sent.keys()


def test_the_example_of_a_handoffs_end_is_what_is_sent() -> None:
    [example] = (each for each in EXAMPLES if "packetPath" in each)
    sent = handoff.fresh_session_meta(example["continue"]["sessionId"], example["packetPath"])["baton"]
    assert example == sent


@pytest.mark.anyio
async def test_every_method_is_described() -> None:
    import asyncio
    from typing import Any

    nothing: Any = None
    agent = Agent(nothing, nothing, nothing, asyncio.Event(), unstable=False)
    for method in agent._methods:
        assert f"`{method}`" in REFERENCE
