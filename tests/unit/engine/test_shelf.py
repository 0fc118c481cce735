from __future__ import annotations

from baton.engine.mail.platform_state import RegisterShelf, platform_shelf
from baton.ports.platform import Shelf
from baton.testing.memory import MemoryStore


def test_what_is_put_on_a_shelf_is_there_for_the_next_run() -> None:
    store = MemoryStore()
    shelf: Shelf = platform_shelf(store.register, "telegram")
    assert shelf.get("offset") is None
    shelf.put("offset", "41")
    shelf.put("offset", "42")
    shelf.put("empty", "")
    again = platform_shelf(MemoryStore(data=store.data).register, "telegram")
    assert (again.get("offset"), again.get("empty"), again.get("other")) == ("42", "", None)
    assert [record.key for record in store.register.list("")] == ["platform/telegram/empty", "platform/telegram/offset"]


def test_shelves_with_other_names_hold_other_things() -> None:
    register = MemoryStore().register
    platform_shelf(register, "telegram").put("offset", "1")
    assert platform_shelf(register, "tele").get("offset") is None
    assert RegisterShelf(register, "platform/telegram").get("offset") == "1"
