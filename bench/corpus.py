"""Filling a store: the texts of `bench.texts`, one long session and many short ones, the same for every store."""

from __future__ import annotations

import os
import random
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context

from baton.core.ids import new_id, new_session_id
from baton.core.log.bundle import Bundle
from baton.core.log.conversation import Conversation
from baton.core.log.entry import ASSISTANT, USER, Entry, encode_body, entry
from baton.core.log.session import ROOT, Session
from baton.ports.store import Store
from bench import texts
from bench.plan import MESSAGE_BYTES, Size
from bench.progress import say

BEGINNING = 1_780_000_000_000_000
SECOND = 1_000_000
PROJECTS = 40
CHUNK = 250
AHEAD = 8


class FillTooSlow(Exception):
    """The store was not full within the allowed time; it is of no use."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What was put in. `short` names some of the short conversations by (conversation, session), newest last."""

    size: Size
    long: tuple[str, str]
    short: tuple[tuple[str, str], ...]
    text_bytes: int
    fill_seconds: float
    index_seconds: float


@dataclass(frozen=True, slots=True)
class Share:
    """Messages `first` … `end - 1` go into session number `number`; number 0 is the long one."""

    number: int
    first: int
    end: int


def fill(store: Store, size: Size, *, index: bool, seconds: float) -> Corpus:
    """Every conversation by `upkeep.insert`, then the search index if wanted.

    `FillTooSlow` once it has used up `seconds` of CPU: a slow machine is left alone, a busy one is waited for.
    """
    began, used = time.monotonic(), time.process_time()
    text_bytes = 0
    named: deque[tuple[str, str]] = deque(maxlen=1000)
    for done, (bundle, length) in enumerate(_bundles(shares_of(size)), 1):
        store.upkeep.insert(bundle)
        text_bytes += length
        named.append((bundle.conversation.id, bundle.conversation.head_id))
        if done % (CHUNK * 20) == 0:
            say(f"  {done} of {size.sessions} conversations, {time.monotonic() - began:.0f} s")
            _in_time(used, seconds)
    filled = time.monotonic()
    if index:
        store.search.catch_up(lambda *_: _in_time(used, seconds))
    long = (_conversation_id(0), _session_id(0))
    short = tuple(each for each in named if each != long)
    return Corpus(size, long, short, text_bytes, filled - began, time.monotonic() - filled)


def shares_of(size: Size) -> list[Share]:
    """The long session first, then the others in order: the layout that peers are filled with too."""
    count, rest = size.sessions - 1, size.entries - size.long
    bounds = [size.long + rest * j // count for j in range(count + 1)]
    return [Share(0, 0, size.long), *(Share(j + 1, bounds[j], bounds[j + 1]) for j in range(count))]


def body(i: int) -> str:
    return encode_body({"text": texts.message(i, MESSAGE_BYTES)})


def _in_time(used: float, seconds: float) -> None:
    if time.process_time() - used > seconds:
        raise FillTooSlow(f"not filled after {seconds:.0f} s of CPU")


def _bundles(shares: list[Share]) -> Iterator[tuple[Bundle, int]]:
    """Made a few chunks ahead by another process: on two cores, making text would take as long as storing it."""
    chunks = (shares[i : i + CHUNK] for i in range(0, len(shares), CHUNK))
    with ProcessPoolExecutor(max(1, (os.cpu_count() or 2) - 1), mp_context=get_context("spawn")) as pool:
        made: deque[Future[list[tuple[Bundle, int]]]] = deque()
        try:
            for chunk in chunks:
                made.append(pool.submit(_make, chunk))
                if len(made) > AHEAD:
                    yield from made.popleft().result()
            while made:
                yield from made.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _make(shares: list[Share]) -> list[tuple[Bundle, int]]:
    return [_bundle(share) for share in shares]


def _bundle(share: Share) -> tuple[Bundle, int]:
    """A conversation of one live session, and the bytes of text in it."""
    at = BEGINNING + share.number * SECOND
    conversation_id, session_id = _conversation_id(share.number), _session_id(share.number)
    title, workspace = f"Session {share.number}", f"projects/{share.number % PROJECTS}"
    conversation = Conversation(conversation_id, title, workspace, session_id, 1, at, at)
    session = Session(
        id=session_id,
        conversation_id=conversation_id,
        parent_id=None,
        parent_seq=None,
        root_id=session_id,
        edge=ROOT,
        reason="",
        depth=0,
        model="bench",
        started_at=at,
        ended_at=None,
        end_reason=None,
        entries=share.end - share.first,
        tokens=0,
    )
    written = [texts.message(i, MESSAGE_BYTES) for i in range(share.first, share.end)]
    entries = [_entry(session_id, seq, at, text) for seq, text in enumerate(written, 1)]
    bundle = Bundle(conversation, (session,), (), (), (), (), entries)
    return bundle, sum(map(len, written))


def _entry(session_id: str, seq: int, at: int, text: str) -> Entry:
    return entry(session_id, seq, USER if seq % 2 else ASSISTANT, at, 0, encode_body({"text": text}))


def _conversation_id(number: int) -> str:
    return new_id("conversation", random.Random(number).randbytes(12))


def _session_id(number: int) -> str:
    return new_session_id(BEGINNING + number * SECOND, number.to_bytes(3, "big"))
