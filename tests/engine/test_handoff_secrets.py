"""With the redactor as it is shipped: no secret that was said, run, named or known comes out with a packet."""

from __future__ import annotations

import json

import pytest

from baton.core.handoff.drift import compare
from baton.core.handoff.ledger.merge import gather
from baton.core.handoff.seal import seal_snapshot
from baton.core.handoff.workspace import CONFIG, RepoFacts, Setup, Snapshot
from baton.core.log.entry import NewEntry
from baton.engine.handoff.cleaner import Cleaner
from baton.engine.handoff.sealing import seal, seal_alike
from baton.testing.memory import MemoryStore
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


COMMANDS = {
    "Ziegenbart": "smbclient -U bob%Ziegenbart //files/share -c ls",
    "Rotkehlchen": "PGPASSWORD=Rotkehlchen psql -h db -c 'drop table x'",
    "Amsel_Nest": "mysqladmin -u root --password=Amsel_Nest create shop",
    "blaue.meise": "curl -u admin:blaue.meise -X POST https://shop.example.com/orders",
    "Wiesen-Grund": "cd app && docker login -u bob --password 'Wiesen-Grund' reg.example.com && make deploy",
}


@pytest.mark.parametrize("held", COMMANDS)
def test_the_form_under_which_a_command_is_known_holds_no_secret(cache: str, held: str) -> None:
    """It has lost the flags by which a rule knows one."""
    store = MemoryStore()
    conversation, session = store.conversations.start("run")
    proof = store.conversations.claim(conversation.id, "test", 60)
    details = {"command": COMMANDS[held], "exit": 1}
    store.entries.append(
        proof,
        session.id,
        [
            NewEntry("user", {"text": "go on"}),
            NewEntry("tool_result", {"id": "1", "name": "shell", "text": "refused", "ok": False, "details": details}),
        ],
    )
    clean = Cleaner(Hoard(3, cache, cache).redactor).clean
    ledger = gather(store.entries.load(session.id), None, clean)
    assert [fact for fact in ledger.facts if held in fact.key] == []
    assert "[redacted" in "".join(fact.text for fact in ledger.facts)


def configured(digest: str) -> Snapshot:
    return Snapshot(RepoFacts("/src/shop", True, "main", "c" * 40, setup=(Setup(CONFIG, "shop.pin", digest),)), ())


def test_a_digest_of_a_setting_says_nothing_without_the_store_s_key() -> None:
    """Four digits are found by trying all of them."""
    store, other = MemoryStore(), MemoryStore()
    sealed = seal(store, configured("0123456789abcdef"))
    assert "0123456789abcdef" not in json.dumps(sealed.as_dict())
    assert sealed == seal(store, configured("0123456789abcdef"))
    assert sealed != seal(other, configured("0123456789abcdef"))


def test_a_setting_that_was_changed_is_drift_under_the_seal_too() -> None:
    store = MemoryStore()
    claimed = Snapshot.from_dict(json.loads(json.dumps(seal(store, configured("0123456789abcdef")).as_dict())))
    same = seal_alike(store, configured("0123456789abcdef"), claimed)
    changed = seal_alike(store, configured("fedcba9876543210"), claimed)
    assert not compare(claimed, same)
    assert [each.path for each in compare(claimed, changed).differences] == ["shop.pin"]


def test_a_packet_of_an_earlier_version_is_compared_as_it_was() -> None:
    store, claimed = MemoryStore(), configured("0123456789abcdef")
    assert not compare(claimed, seal_alike(store, configured("0123456789abcdef"), claimed))
    assert compare(claimed, seal_alike(store, configured("fedcba9876543210"), claimed))


def test_a_packet_of_another_store_shows_no_change_of_settings() -> None:
    claimed = seal_snapshot(configured("0123456789abcdef"), b"one key")
    assert not compare(claimed, seal_snapshot(configured("0123456789abcdef"), b"another key"))
