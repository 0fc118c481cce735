from __future__ import annotations

from baton.engine.mail.platform_state import StoredPlatformState, open_platform_state
from baton.ports.platform import PlatformState
from baton.testing.memory import MemoryStore


def test_what_is_put_into_a_state_is_there_for_the_next_run() -> None:
    store = MemoryStore()
    state: PlatformState = open_platform_state(store.register, "telegram")
    assert state.get("offset") is None
    state.put("offset", "41")
    state.put("offset", "42")
    state.put("empty", "")
    again = open_platform_state(MemoryStore(data=store.data).register, "telegram")
    assert (again.get("offset"), again.get("empty"), again.get("other")) == ("42", "", None)
    assert [record.key for record in store.register.list("")] == ["platform/telegram/empty", "platform/telegram/offset"]


def test_states_with_other_names_hold_other_things() -> None:
    register = MemoryStore().register
    open_platform_state(register, "telegram").put("offset", "1")
    assert open_platform_state(register, "tele").get("offset") is None
    assert StoredPlatformState(register, "platform/telegram").get("offset") == "1"
