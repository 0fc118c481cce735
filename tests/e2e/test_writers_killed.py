"""Writers that are killed at any moment lose nothing they acknowledged, and nobody has to repair anything."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from baton.core.entry import NewEntry
from baton.core.errors import OwnedElsewhere, StaleEpoch
from baton.core.lease import Ownership
from baton.core.session import HANDOFF
from baton.ports.store import Store
from tests.support.workers.crew import Crew, Worker
from tests.support.workers.picture import CHANGES, Lane, Picture, look
from tests.support.workers.stores import gone, open_at

KILLS = 300
LANES = 3
CALLS = 30
LEASE = 0.03
PATIENCE = 30.0
SEED = 20260527


@contextmanager
def opened(location: str) -> Iterator[Store]:
    store = open_at(location)
    try:
        yield store
    finally:
        store.close()


@dataclass
class Track:
    """A lane with the writer that is on it now, and what is known to be stored."""

    lane: Lane
    worker: Worker
    owner: str
    picture: Picture


def start_writer(crew: Crew, location: str, lane: Lane, number: int, picture: Picture) -> Track:
    owner = f"writer-{number}"
    worker = crew.start(
        "write_a_bit_of_everything",
        location=location,
        lane=[lane.conversation_id, lane.platform],
        owner=owner,
        seed=SEED + number,
        ttl=LEASE,
        calls=CALLS,
    )
    return Track(lane, worker, owner, picture)


def kill_at_a_random_moment(track: Track, moments: random.Random) -> list[list[Any]]:
    """Everything the writer said before it died: sometimes while it opens the store, mostly in the middle of work."""
    said: list[list[Any]] = []
    acknowledged, wanted = 0, moments.randrange(CALLS)
    while acknowledged < wanted:
        words = track.worker.hear()
        assert words is not None
        said.append(words)
        acknowledged += words[0] == "did"
    time.sleep(moments.uniform(0, 0.02 if wanted == 0 else 0.003))
    track.worker.kill()
    said += track.worker.rest()
    track.worker.close()
    return said


def possible(picture: Picture, said: list[list[Any]]) -> tuple[Picture, ...]:
    """The picture after everything acknowledged, and the one with the call under way done too."""
    for tried, _ in zip(said[::2], said[1::2], strict=False):
        picture = CHANGES[tried[1]](picture, *tried[2:])
    if len(said) % 2 == 0:
        return (picture,)
    tried = said[-1]
    return picture, CHANGES[tried[1]](picture, *tried[2:])


def take_over(store: Store, lane: Lane) -> Ownership:
    """The next owner gets the conversation as soon as the dead one's lease is over."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with suppress(OwnedElsewhere):
            return store.conversations.claim(lane.conversation_id, "heir", PATIENCE)
        time.sleep(LEASE / 10)
    raise AssertionError("the dead writer's lease never ended")


def assert_refused(store: Store, lane: Lane, proof: Ownership) -> None:
    head_id = store.conversations.get(lane.conversation_id).head_id
    with pytest.raises(StaleEpoch):
        store.entries.append(proof, head_id, [NewEntry("user", {"text": "from the grave"})])
    with pytest.raises(StaleEpoch):
        store.sessions.advance(proof, head_id, edge=HANDOFF, end_reason=HANDOFF)


def check_and_inherit(location: str, track: Track, said: list[list[Any]]) -> Picture:
    with opened(location) as store:
        seen = look(store, track.lane)
        assert seen in possible(track.picture, said)
        proof = take_over(store, track.lane)
        assert_refused(store, track.lane, Ownership("conversation", track.lane.conversation_id, track.owner, seen.epoch))
        assert look(store, track.lane) == replace(seen, epoch=seen.epoch + 1)
        store.conversations.release(proof)
    return replace(seen, epoch=seen.epoch + 1)


def new_lanes(location: str) -> list[Lane]:
    with opened(location) as store:
        return [Lane(store.conversations.start(f"lane {n}")[0].id, f"lane{n}") for n in range(LANES)]


@pytest.mark.timeout(180)
def test_a_killed_writer_loses_nothing_acknowledged_and_at_most_one_call_is_in_doubt(location: str, crew: Crew) -> None:
    moments = random.Random(SEED)
    tracks = [start_writer(crew, location, lane, n, Picture()) for n, lane in enumerate(new_lanes(location))]
    for kill in range(KILLS):
        track = tracks[kill % LANES]
        said = kill_at_a_random_moment(track, moments)
        gone(location, track.owner)
        picture = check_and_inherit(location, track, said)
        tracks[kill % LANES] = start_writer(crew, location, track.lane, LANES + kill, picture)
    for track in tracks:
        track.worker.kill()
    with opened(location) as store:
        assert [finding.level for finding in store.upkeep.check()] == ["ok"]
