"""Every text field of the store takes a text exactly, or refuses it with a clear error and keeps nothing of it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest

from baton.core.errors import BadInput
from baton.core.log.entry import NewEntry
from baton.core.transfer.place import Place, parse_place
from baton.ports.store import Store
from tests.contract.store.kit import begin, unchanged, whole
from tests.contract.store.naughty import NAUGHTY, longest
from tests.contract.store.test_upkeep import target as target

ROOM = Place("telegram", "1")


def started(store: Store, **options: str) -> Any:
    return store.conversations.get(store.conversations.start(**{"title": "text", **options})[0].id)


def rename(store: Store, text: str) -> str:
    conversation = started(store)
    store.conversations.rename(conversation.id, text)
    return store.conversations.get(conversation.id).title


def fork_title(store: Store, text: str) -> str:
    conversation, _ = store.conversations.fork(begin(store).head.id, 0, text)
    return store.conversations.get(conversation.id).title


def owner(store: Store, text: str) -> str | None:
    conversation = started(store)
    store.conversations.claim(conversation.id, text, 60)
    return store.conversations.get(conversation.id).owner


def child(store: Store, **options: str) -> Any:
    return store.sessions.get(begin(store).advance(**options).id)


def entry_text(store: Store, text: str) -> str:
    work = begin(store)
    work.say(text)
    return store.entries.load(work.head.id)[0].data["text"]


def entry_key(store: Store, text: str) -> str:
    work = begin(store)
    store.entries.append(work.proof, work.head.id, [NewEntry("user", {text: 1})])
    return next(iter(store.entries.last(work.head.id, 1)[0].data))


def packet(store: Store, text: str) -> str:
    made = store.packets.add(begin(store).head.id, text, {})
    return store.packets.get(made.id).markdown


def ledger(store: Store, text: str) -> str:
    import json

    made = store.packets.add(begin(store).head.id, "# Packet", {"facts": [text]})
    return json.loads(store.packets.get(made.id).ledger)["facts"][0]


def transfer(store: Store, **options: str) -> Any:
    places = {"origin": "terminal:1", "target": "telegram", **options}
    made = store.transfers.request(started(store).id, places["origin"], places["target"])
    return store.transfers.get(made.id)


def claimed(store: Store, name: str = "worker") -> Any:
    return store.transfers.claim(transfer(store).id, name, 60)[1]


def transfer_owner(store: Store, text: str) -> str | None:
    return store.transfers.get(claimed(store, text).id).owner


def notes(store: Store, text: str) -> str:
    proof = claimed(store)
    store.transfers.reach(proof, "opened", {"place": text})
    return store.transfers.get(proof.id).notes["opened"]["place"]


def transfer_error(store: Store, text: str) -> str:
    proof = claimed(store)
    store.transfers.fail(proof, text)
    return store.transfers.get(proof.id).error


def bound(store: Store, place: Place) -> Place:
    conversation = started(store)
    store.bindings.bind(place, conversation.id)
    [binding] = store.bindings.of(conversation.id)
    assert store.bindings.at(place) == binding
    assert store.bindings.unbind(place, conversation.id)
    return parse_place(binding.place)


def mail_key(store: Store, text: str) -> str:
    assert store.inbox.put(text, ROOM, {}) is True
    assert store.inbox.put(text, ROOM, {}) is False
    return store.inbox.get(text).key


COUNT = iter(range(10**9))


def mail(store: Store, body: dict[str, str], conversation_id: str = "") -> Any:
    key = f"key {next(COUNT)}"
    store.outbox.put(key, ROOM, body, conversation_id)
    return store.outbox.get(key)


def mail_body(store: Store, text: str) -> str:
    import json

    return json.loads(mail(store, {"text": text}).body)["text"]


def settled(store: Store, **options: str) -> Any:
    key, place = f"key {next(COUNT)}", Place("slack", f"{next(COUNT)}")
    store.inbox.put(key, place, {})
    taken = store.inbox.take(["slack"], "worker", 60)
    assert taken is not None
    try:
        store.inbox.settle(taken[1], "done", **options)
    except BadInput:
        store.inbox.settle(taken[1], "done")
        raise
    return store.inbox.get(key)


def found_again(store: Store, text: str) -> str:
    """A title is also a name to find the conversation by."""
    conversation, _ = store.conversations.start(f"{next(COUNT)} {text}")
    assert store.conversations.find(conversation.title).id == conversation.id
    return conversation.title.partition(" ")[2]


def listed(store: Store, text: str) -> str:
    conversation = started(store, workspace=text)
    assert conversation.id in [row.conversation.id for row in store.conversations.page(workspace=text).rows]
    return conversation.workspace


def kept(limit: int) -> Callable[[str], bool]:
    return lambda text: len(text) <= limit and re.search("[\0\ud800-\udfff]", text) is None


def in_json(text: str) -> bool:
    return re.search("[\ud800-\udbff][\udc00-\udfff]", text) is None


def as_title(text: str) -> bool:
    title = text.strip()
    joined = title.replace("\u200c", "").replace("\u200d", "")
    breaks = {"Cc", "Cf", "Cs", "Zl", "Zp"} & {unicodedata.category(character) for character in joined}
    return 1 <= len(title) <= 200 and not breaks


FIELDS: dict[str, tuple[Callable[[Store, str], Any], Callable[[str], bool]]] = {
    "title": (lambda store, text: started(store, title=text).title, as_title),
    "title by rename": (rename, as_title),
    "title of a fork": (fork_title, as_title),
    "workspace": (lambda store, text: started(store, workspace=text).workspace, kept(4096)),
    "workspace in a list": (listed, kept(4096)),
    "model": (lambda store, text: store.sessions.get(started(store, model=text).head_id).model, kept(200)),
    "model of a child": (lambda store, text: child(store, model=text).model, kept(200)),
    "reason": (lambda store, text: child(store, reason=text).reason, kept(4096)),
    "owner": (owner, kept(200)),
    "entry": (entry_text, in_json),
    "key in an entry": (entry_key, in_json),
    "packet": (packet, kept(16 * 1024 * 1024)),
    "ledger": (ledger, in_json),
    "origin": (lambda store, text: transfer(store, origin=text).origin, kept(4096)),
    "target": (lambda store, text: transfer(store, target=text).target, kept(4096)),
    "owner of a transfer": (transfer_owner, kept(200)),
    "notes of a transfer": (notes, in_json),
    "error of a transfer": (transfer_error, kept(4096)),
    "room": (lambda store, text: bound(store, Place("web", text)).room, lambda text: text != "" and kept(512)(text)),
    "thread": (lambda store, text: bound(store, Place("web", "1", text)).thread, kept(512)),
    "key of a message": (mail_key, kept(500)),
    "body of a message": (mail_body, in_json),
    "conversation of a message": (lambda store, text: mail(store, {}, text).conversation_id, kept(500)),
    "error of a message": (lambda store, text: settled(store, error=text).error, kept(4096)),
    "receipt of a message": (lambda store, text: settled(store, receipt=text).receipt, kept(4096)),
}
STRIPPED = ("title", "title by rename", "title of a fork")
LIMITS = {
    "title": 200,
    "title by rename": 200,
    "workspace": 4096,
    "workspace in a list": 4096,
    "model": 200,
    "reason": 4096,
    "owner": 200,
    "origin": 4096,
    "target": 4096,
    "owner of a transfer": 200,
    "error of a transfer": 4096,
    "room": 166,  # of twelve characters each in the key, which has at most 2,000
    "thread": 166,
    "key of a message": 500,
    "conversation of a message": 500,
    "error of a message": 4096,
    "receipt of a message": 4096,
}


@pytest.mark.parametrize("field", sorted(FIELDS))
def test_a_text_comes_back_exactly_or_is_refused(store: Store, field: str) -> None:
    keep, allowed = FIELDS[field]
    outcomes: dict[str, object] = {}
    expected: dict[str, object] = {}
    for name, text in NAUGHTY.items():
        exact = text.strip() if field in STRIPPED else text
        if field == "model of a child" and text == "":
            continue
        expected[name] = "kept" if allowed(text) else "refused"
        try:
            outcomes[name] = "kept" if keep(store, text) == exact else "changed"
        except BadInput:
            outcomes[name] = "refused"
    assert outcomes == expected
    assert set(outcomes.values()) == {"kept", "refused"}


@pytest.mark.parametrize("field", sorted(LIMITS))
def test_the_longest_text_that_is_allowed_fits(store: Store, field: str) -> None:
    keep, _ = FIELDS[field]
    for seed in range(3):
        text = longest(LIMITS[field], seed)
        assert keep(store, text) == text
    with pytest.raises(BadInput):
        keep(store, longest(LIMITS[field] + 1))


def test_every_text_that_makes_a_title_finds_its_conversation(store: Store) -> None:
    for text in NAUGHTY.values():
        if as_title(f"1 {text}") and len(text) < 190:
            assert found_again(store, text) == text.rstrip()


def test_a_refused_text_changes_nothing(store: Store) -> None:
    work = begin(store)
    draft = work.draft()
    for text in (text for text in NAUGHTY.values() if not kept(4096)(text)):
        with unchanged(store), pytest.raises(BadInput):
            work.advance(reason=text, draft_id=draft.id)
    for text in (text for text in NAUGHTY.values() if not as_title(text)):
        with unchanged(store), pytest.raises(BadInput):
            store.conversations.rename(work.id, text)


def test_all_of_them_travel_between_stores_exactly(store: Store, target: Store) -> None:
    work = begin(store)
    texts = [text for text in NAUGHTY.values() if in_json(text)]
    work.say(*texts)
    for text in texts:
        if kept(10_000)(text):
            store.packets.add(work.head.id, text, {"text": text})
    assert target.upkeep.insert(store.upkeep.bundle(work.id)) is True
    assert whole(target, work.id) == whole(store, work.id)
    assert [entry.data["text"] for entry in target.entries.load(work.head.id)] == texts
