from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from bench import texts
from bench.corpus import FillTooSlow, Share, fill, shares_of
from bench.peers.hermes_probe import Sizes, short_sessions
from bench.plan import MESSAGE_BYTES, Size

from baton.adapters.stores.open import open_store
from baton.ports.store import Store

SIZE = Size(sessions=7, entries=60, long=20)


def opened(folder: Path) -> Store:
    return open_store(str(folder / "baton.db"), busy_timeout=5, backup_dir=str(folder))


def test_a_filled_store_holds_the_texts_in_order_and_finds_them(tmp_path: Path) -> None:
    with closing(opened(tmp_path)) as store:
        corpus = fill(store, SIZE, index=True, seconds=60)
        long = store.entries.load(corpus.long[1])
        assert [entry.data["text"] for entry in long] == [texts.message(i, MESSAGE_BYTES) for i in range(SIZE.long)]
        stored = [entry for _, session_id in corpus.short for entry in store.entries.load(session_id)]
        assert len(long) + len(stored) == SIZE.entries
        assert store.conversations.count() == SIZE.sessions
        assert corpus.text_bytes == sum(len(entry.data["text"]) for entry in long + stored)
        assert len(store.search.find(texts.RARE_WORD, 20)) == texts.rare_hits(SIZE.entries)


def test_a_fill_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    with closing(opened(tmp_path)) as store, pytest.raises(FillTooSlow):
        fill(store, SIZE, index=True, seconds=-1)


def test_peers_are_filled_with_the_same_layout() -> None:
    sizes = Sizes(sessions=SIZE.sessions, messages=SIZE.entries, long_session=SIZE.long)
    theirs = [Share(0, 0, SIZE.long)]
    theirs += [Share(j, *session["messages"]) for j, session in enumerate(short_sessions(sizes), 1)]
    assert shares_of(SIZE) == theirs
