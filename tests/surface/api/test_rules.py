"""Rules over HTTP."""

from __future__ import annotations

import pytest

from tests.support.api_bed import ApiBed
from tests.support.small_gateway import soon

pytestmark = pytest.mark.anyio
RULE = "Ask me before you push."


async def test_a_rule_is_pinned_listed_and_dropped(bed: ApiBed) -> None:
    path = f"/v1/conversations/{await bed.begin('Fix it. Never touch the migrations.')}/rules"
    made = await bed.post(path, 201, text=RULE)
    assert (made["number"], made["text"], made["scope"], made["known"]) == (1, RULE, "pinned", False)
    assert (await bed.post(path, 201, text=RULE))["known"] is True
    listed = (await bed.get(path))["rules"]
    assert [each["text"] for each in listed] == [RULE, "Never touch the migrations."]
    assert await bed.post(f"{path}/{made['id']}/drop") == listed[0]
    assert (await bed.post(f"{path}/99/drop", 400))["what"] == "There is no rule 99. Allowed: 1."
    assert (await bed.post(path, 400, text="x" * 2001))["code"] == "bad-text"
    assert (await bed.post(path, 400, text=" "))["what"].startswith("There is nothing to pin.")
    assert (await bed.post(path, 201, text="say hunter2"))["cleaned"] is True


async def test_a_rule_is_pinned_beside_a_turn(bed: ApiBed) -> None:
    conversation = await bed.begin()
    await bed.post(f"/v1/conversations/{conversation}/turns", 202, text="think")
    await soon(lambda: bed.context.runtime.busy(conversation))
    assert (await bed.post(f"/v1/conversations/{conversation}/rules", 201, text=RULE))["number"] == 1
    await bed.post(f"/v1/conversations/{conversation}/stop")
    await soon(lambda: not bed.context.runtime.busy(conversation))


async def test_a_draft_has_its_rules(bed: ApiBed) -> None:
    conversation = await bed.begin("Fix it. Never touch the migrations.")
    made = await bed.post(f"/v1/conversations/{conversation}/handoffs", 201, kind="draft")
    (rule,) = (await bed.get(f"/v1/drafts/{made['draft_id']}"))["rules"]
    assert rule["text"] == "Never touch the migrations."
    await bed.post(f"/v1/conversations/{conversation}/rules/1/drop")
    after = await bed.get(f"/v1/drafts/{made['draft_id']}")
    assert (after["rules"], "No longer asked for: Never touch the migrations." in after["markdown"]) == ([], True)
