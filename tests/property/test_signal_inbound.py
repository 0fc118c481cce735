"""Whatever comes from the Signal daemon is a message or none."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from baton.adapters.platforms.signal.inbound import translate

OURS = "+15550000000"
ANN = "11111111-aaaa-4aaa-8aaa-111111111111"

_anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=10), inner, max_size=3),
    max_leaves=8,
)
_field = st.sampled_from(["message", "timestamp", "groupInfo", "quote", "mentions", "attachments", "reaction"])


@given(st.dictionaries(_field, _anything), _anything)
def test_whatever_comes_is_a_message_or_none(data: dict[str, Any], name: Any) -> None:
    envelope = {"sourceUuid": ANN, "sourceName": name, "timestamp": 1700000000001, "dataMessage": data}
    found = translate({"envelope": envelope, "account": OURS}, OURS)
    if found is not None:
        assert (found.sender, "\0" in found.text) == (f"signal:{ANN}", False)
        found.text.encode()
