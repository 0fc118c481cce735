"""Places on Matrix."""

from __future__ import annotations

import pytest

from baton.adapters.platforms.matrix.place import place, room_of
from baton.core.errors import BadPlace
from baton.core.transfer.place import parse_place


@pytest.mark.parametrize("room", ["!abc:server", "!abc:server:8448", "!only_a_hash-as-in-rooms-of-version-12"])
def test_a_room_is_named_by_its_id(room: str) -> None:
    assert room_of(room) == place(room)
    assert parse_place(place(room, "$thread").key) == place(room, "$thread")


@pytest.mark.parametrize("text", ["", "!", "#alias:server", "@ann:server", "room", "!a b", "!a\nb", "!" + "x" * 300])
def test_what_is_no_id_of_a_room_is_refused(text: str) -> None:
    with pytest.raises(BadPlace, match="begins with '!'"):
        room_of(text)
