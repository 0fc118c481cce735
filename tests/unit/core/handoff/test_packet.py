from __future__ import annotations

import hashlib

import pytest

from baton.core.errors import BadInput, BadText, BadTransition, DraftStale
from baton.core.handoff.packet import (
    CANCELLED,
    CONFIRMED,
    OPEN,
    STALE,
    Draft,
    Packet,
    cancel,
    check_written_for,
    confirm,
    digest,
    edit,
    open_draft,
    outrun,
    write,
)
from baton.core.log.conversation import Conversation
from baton.core.value import replace

HERE = Conversation("c_0123456789ab", "work", "", "20260527_123456_abcdef", 3, 1, 1)
DRAFT = Draft("d_0123456789ab", HERE.id, 3, "p_0123456789ab", OPEN, 10, 10)


def test_a_written_packet_fits_its_digest() -> None:
    packet = write("20260527_123456_abcdef", "# Ä", {"facts": []}, 4, 10)
    assert packet == Packet(packet.id, "20260527_123456_abcdef", packet.sha256, "# Ä", '{"facts":[]}', 4, 10)
    assert packet.sha256 == hashlib.sha256('# Ä\0{"facts":[]}'.encode()).hexdigest()
    assert packet.intact()
    assert not replace(packet, markdown="# A").intact()
    assert not replace(packet, ledger='{"facts":[1]}').intact()
    assert not replace(packet, sha256=digest("# A")).intact()


def test_an_older_packet_fits_the_digest_of_its_markdown() -> None:
    packet = write("20260527_123456_abcdef", "# Ä", {"facts": []}, 4, 10)
    assert replace(packet, sha256=hashlib.sha256("# Ä".encode()).hexdigest()).intact()


def test_a_packet_that_cannot_be_stored_is_not_written() -> None:
    for arguments, error in (
        (("a\0", {}, 0), BadText),
        (("a", {"x": object()}, 0), BadText),
        (("a", {}, -1), BadInput),
        (("a", {}, 2**62), BadInput),
    ):
        with pytest.raises(error):
            write("20260527_123456_abcdef", *arguments, 10)


def test_a_packet_belongs_to_one_conversation() -> None:
    packet = write("20260527_123456_abcdef", "#", {}, 0, 1)
    check_written_for(packet, HERE.id, HERE.id)
    with pytest.raises(BadInput):
        check_written_for(packet, "c_zzzzzzzzzzzz", HERE.id)


def test_a_draft_opens_for_the_version_of_now() -> None:
    draft = open_draft(HERE, 3, "p_0123456789ab", 10)
    assert draft == replace(DRAFT, id=draft.id)
    for version in (2, 4):
        with pytest.raises(DraftStale):
            open_draft(HERE, version, "p_0123456789ab", 10)


def test_the_four_arrows_of_an_open_draft() -> None:
    assert confirm(DRAFT, HERE, 20) == replace(DRAFT, state=CONFIRMED, updated_at=20)
    assert cancel(DRAFT, 20) == replace(DRAFT, state=CANCELLED, updated_at=20)
    assert outrun(DRAFT, 20) == replace(DRAFT, state=STALE, updated_at=20)
    assert edit(DRAFT, 3, "p_zzzzzzzzzzzz", 20) == replace(DRAFT, packet_id="p_zzzzzzzzzzzz", updated_at=20)


@pytest.mark.parametrize("state", [CONFIRMED, CANCELLED, STALE])
def test_a_draft_that_ended_goes_nowhere(state: str) -> None:
    ended = replace(DRAFT, state=state)
    stale = DraftStale if state == STALE else BadTransition
    for act, error in (
        (lambda: confirm(ended, HERE, 20), stale),
        (lambda: edit(ended, 3, "p", 20), stale),
        (lambda: cancel(ended, 20), BadTransition),
        (lambda: outrun(ended, 20), BadTransition),
    ):
        with pytest.raises(error):
            act()


def test_a_draft_of_an_earlier_version_is_stale() -> None:
    for act in (lambda: confirm(DRAFT, replace(HERE, version=4), 20), lambda: edit(DRAFT, 4, "p", 20)):
        with pytest.raises(DraftStale) as caught:
            act()
        assert caught.value.facts == {"draft": DRAFT.id, "conversation": HERE.id}
    assert cancel(DRAFT, 20).state == CANCELLED


def test_a_draft_confirms_only_its_own_conversation() -> None:
    with pytest.raises(BadInput, match="was not written for"):
        confirm(DRAFT, replace(HERE, id="c_zzzzzzzzzzzz"), 20)
