"""What a starting gateway says."""

from __future__ import annotations

from baton.core.value import replace
from baton.engine.mail.delivery import now
from baton.engine.transfer.people import Appointed, Directory
from baton.testing.memory import MemoryStore
from baton.testing.platform import ALL, FakePlatform
from baton.testing.service import FakeService
from baton.wiring.gateway import list_unowned

HOMES = {"matrix": "matrix:den", "telegram": "telegram:777"}


def test_a_home_in_which_nobody_would_be_heard_is_named_with_the_line_that_helps() -> None:
    register = MemoryStore().register
    platforms = {
        "matrix": FakePlatform(FakeService("matrix")),
        "telegram": FakePlatform(FakeService("telegram"), replace(ALL, fixed_chats=True)),
        "slack": FakePlatform(FakeService("slack")),
    }
    said = list_unowned(Directory(register, now, Appointed(homes=HOMES)), platforms)
    assert len(said) == 1
    assert "nobody is heard in its home channel matrix:den" in said[0]
    assert said[0].endswith("Run: baton pair matrix")
    assert list_unowned(Directory(register, now, Appointed(["matrix:ada"], homes=HOMES)), platforms) == []
    register.put("person/matrix:ada", {"role": "owner", "name": "", "at": 0})
    assert list_unowned(Directory(register, now, Appointed(homes=HOMES)), platforms) == []
