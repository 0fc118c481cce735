"""With the redactor as it is shipped: no secret that was said, run, named or known comes out with a packet."""

from __future__ import annotations

import json

import pytest

from baton.core.handoff.drift import compare
from baton.core.handoff.workspace import Snapshot
from baton.engine.handoff.cleaner import Cleaner
from tests.support.packet_canaries import Hoard, SecretPlace, Seeded, leaks

PACKETS = 40


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Compiled rules, and an empty workspace."""
    return str(tmp_path_factory.mktemp("cache"))


def test_no_secret_comes_out_of_any_packet(cache: str) -> None:
    planted = 0
    for seed in range(4):
        hoard = Hoard(seed, cache, cache)
        for _ in range(PACKETS // 4):
            assert leaks(hoard) == []
            planted += len(hoard.planted)
    assert planted > PACKETS * 20


def test_the_canaries_would_be_seen(cache: str) -> None:
    """The transcript, which stays whole, holds every one of them."""
    hoard = Hoard(1, cache, cache)
    seeded = Seeded(hoard)
    head = seeded.store.conversations.get(seeded.id).head_id
    whole = "".join(entry.body for entry in seeded.store.entries.load(head))
    said = [held for held in hoard.planted if json.dumps(held)[1:-1] in whole]
    assert len(said) > 15


def test_names_with_secrets_are_compared_without_them(cache: str) -> None:
    """The same workspace is no drift, though the packet has it without its secrets."""
    hoard = Hoard(2, cache, cache)
    place = SecretPlace(hoard)
    kept = Cleaner(hoard.redactor).clean_snapshot(place.snapshot())
    told = json.dumps(kept.as_dict())
    assert not [held for held in hoard.planted if held in told]
    assert "[redacted: " in told
    claimed = Snapshot.from_dict(json.loads(told))
    assert not compare(claimed, Cleaner(hoard.redactor).clean_snapshot(place.snapshot()), None)
