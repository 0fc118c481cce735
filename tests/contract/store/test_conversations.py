from __future__ import annotations

import pytest

from baton.core.errors import Ambiguous, BadTitle, NotFound
from baton.ports.store import Store


def test_a_started_conversation_is_found_by_id_session_title_and_their_beginnings(store: Store) -> None:
    conversation, session = store.conversations.start("Fix the Checkout race", "/src/shop", "openai:x")
    for text in (conversation.id, conversation.id[:6], session.id, session.id[:17], "fix the checkout RACE", "Fix the"):
        assert store.conversations.find(text) == conversation


def test_an_ambiguous_title_names_the_candidates(store: Store) -> None:
    first, _ = store.conversations.start("same")
    second, _ = store.conversations.start("Same")
    with pytest.raises(Ambiguous) as caught:
        store.conversations.find("same")
    assert first.id in str(caught.value)
    assert second.id in str(caught.value)


def test_an_unknown_name_is_not_found(store: Store) -> None:
    with pytest.raises(NotFound):
        store.conversations.find("nothing like this")


def test_a_title_with_control_characters_is_refused(store: Store) -> None:
    with pytest.raises(BadTitle):
        store.conversations.start("a\x1b[31mred")
    assert store.conversations.count() == 0
