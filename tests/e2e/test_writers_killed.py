"""Writers that are killed at any moment lose nothing they acknowledged, and nobody has to repair anything."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import pytest

from baton.core.errors import OwnedElsewhere, StaleEpoch
from baton.core.log.entry import NewEntry
from baton.core.log.lease import Ownership
from baton.core.log.session import HANDOFF
from baton.core.value import replace
from baton.ports.store import Store
from tests.support.patience import PATIENCE
from tests.support.workers.crew import Crew, Worker
from tests.support.workers.picture import CHANGES, Lane, Picture, look
from tests.support.workers.stores import await_end, opened

GENERATIONS = 15
ROUNDS = 5
LANES = 4
CALLS = 60
BOUNDARIES = 40
BIRTHS = 25
LEASE = 0.03
SEED = 20260527


def new_lanes(location: str, count: int, name: str) -> list[Lane]:
    with opened(location) as store:
        return [Lane(store.conversations.start(f"lane {n}")[0].id, f"{name}_{n}") for n in range(count)]


@dataclass
class Track:
    """A lane with what is known to be stored in it, and the writer that is on it now."""

    lane: Lane
    picture: Picture = field(default_factory=Picture)
    owner: str = ""
    worker: Worker | None = None

    def start(self, crew: Crew, location: str, owner: str, seed: int, die: str = "", die_at: int = 0) -> Worker:
        self.owner = owner
        self.worker = crew.start(
            "write_a_bit_of_everything",
            location=location,
            lane=[self.lane.conversation_id, self.lane.platform],
            owner=owner,
            seed=seed,
            ttl=LEASE,
            calls=CALLS,
            die=die,
            die_at=die_at,
        )
        return self.worker


def killed_at_a_random_moment(worker: Worker, moments: random.Random) -> list[list[Any]]:
    """Everything the writer said before it died: sometimes while it opens the store, mostly in the middle of work."""
    said: list[list[Any]] = []
    acknowledged, wanted = 0, moments.randrange(CALLS // 3)
    while acknowledged < wanted:
        words = worker.hear()
        assert words is not None
        said.append(words)
        acknowledged += words[0] == "did"
    time.sleep(moments.uniform(0, 0.02 if wanted == 0 else 0.002))
    worker.kill()
    return said + worker.rest()


def pictures(picture: Picture, said: list[list[Any]]) -> tuple[Picture, ...]:
    """The picture after everything acknowledged; and, if a call was under way, the one with that call done too."""
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


def assert_refused(store: Store, proof: Ownership) -> None:
    head_id = store.conversations.get(proof.id).head_id
    with pytest.raises(StaleEpoch):
        store.entries.append(proof, head_id, [NewEntry("user", {"text": "from the grave"})])
    with pytest.raises(StaleEpoch):
        store.sessions.advance(proof, head_id, edge=HANDOFF, end_reason=HANDOFF)


def inherit(store: Store, track: Track, seen: Picture) -> None:
    """Somebody else goes on where the dead writer stopped, and the dead one's proof is worth nothing."""
    proof = take_over(store, track.lane)
    assert_refused(store, Ownership("conversation", track.lane.conversation_id, track.owner, seen.epoch))
    store.conversations.release(proof)
    track.picture = replace(seen, epoch=seen.epoch + 1)


@pytest.mark.timeout(180)
def test_a_killed_writer_loses_nothing_acknowledged_and_at_most_one_call_is_in_doubt(location: str, crew: Crew) -> None:
    moments = random.Random(SEED)
    for generation in range(GENERATIONS):
        tracks = [Track(lane) for lane in new_lanes(location, LANES, f"g{generation}")]
        for number in range(ROUNDS):
            kill_all(crew, location, tracks, moments, f"{generation}-{number}")
    with opened(location) as store:
        assert [finding.level for finding in store.upkeep.check()] == ["ok"]


def kill_all(crew: Crew, location: str, tracks: list[Track], moments: random.Random, name: str) -> None:
    """All write at once; each is killed while the others go on, and then looked after."""
    workers = [track.start(crew, location, f"{name}-{n}", moments.getrandbits(32)) for n, track in enumerate(tracks)]
    said = [killed_at_a_random_moment(worker, moments) for worker in workers]
    for track, worker, words in zip(tracks, workers, said, strict=True):
        worker.close()
        await_end(location, track.owner)
        with opened(location) as store:
            seen = look(store, track.lane)
            assert seen in pictures(track.picture, words)
            inherit(store, track, seen)


@pytest.mark.timeout(180)
@pytest.mark.parametrize("die", ["before commit", "after commit"])
def test_a_writer_killed_at_a_commit_has_done_its_call_wholly_or_not_at_all(
    location: str, crew: Crew, die: str
) -> None:
    """At each of its first commits in turn; the seed is the same, so that the calls are."""
    for die_at, lane in enumerate(new_lanes(location, BOUNDARIES, "boundary"), 1):
        track = Track(lane)
        worker = track.start(crew, location, f"writer-{die_at}", SEED, die, die_at)
        said = worker.rest()
        assert os.WTERMSIG(worker.finish()) == signal.SIGKILL
        await_end(location, track.owner)
        without, done = pictures(track.picture, said)
        with opened(location) as store:
            seen = look(store, track.lane)
            assert seen == (without if die == "before commit" else done)
            inherit(store, track, seen)


@pytest.mark.timeout(120)
def test_a_store_whose_maker_was_killed_opens_as_if_nothing_had_happened(
    new_location: Callable[[], str], crew: Crew
) -> None:
    moments = random.Random(SEED)
    for _ in range(BIRTHS):
        location = new_location()
        worker = crew.start("open_and_die", location=location)
        worker.hear()
        time.sleep(moments.uniform(0, 0.02))
        worker.kill()
        await_end(location, "maker")
        started = [words[1] for words in worker.rest() if words[0] == "opened"]
        with opened(location) as store:
            found = list(store.upkeep.ids())
        assert found[: len(started)] == started
        assert len(found) <= 1
