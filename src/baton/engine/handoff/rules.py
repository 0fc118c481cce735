"""The rules of a conversation: pinned by a person, or found in what they said; listed and dropped by number.

Pins are in every request and hold for good. What was found goes into packets, and `drop` keeps one out of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from baton.core.errors import BadInput
from baton.core.handoff.dropped_rule import drop_rule
from baton.core.handoff.ledger.fact import Ledger
from baton.core.handoff.ledger.merge import gather
from baton.core.handoff.rules.rule import PINNED, rule_id
from baton.core.handoff.twin import twin_of
from baton.core.log.entry import Entry
from baton.core.log.payloads import RuleDropped, RulePinned
from baton.core.log.pins import find_dropped, find_pins
from baton.core.value import value
from baton.engine.aio import in_thread
from baton.engine.handoff.handoff import Handoff, stands
from baton.engine.handoff.packets import history
from baton.engine.turns.writer import SessionWriter, live_entries
from baton.ports.store import Store

LONGEST = 2000
TOGETHER = 8000
"""Characters of one pinned rule, and of all together: they are sent with every request."""

NOTHING = "There is nothing to pin. Give the rule after the command; alone it pins your last message."
TOO_LONG = "The rule has {length:,} characters. Allowed: up to {longest:,}. Pin the sentence that matters."
TOO_MANY = "With this rule the pinned ones would have {length:,} characters. Allowed: up to {most:,}. Unpin one first."
NOT_THERE = "There is no rule {number}. Allowed: {allowed}."
NONE = "There is no rule to drop: none is pinned, and none was found in what you said."


@value
class ListedRule:
    """A rule with the number that people call it by. `scope` is pinned, standing or task."""

    number: int
    id: str
    text: str
    scope: str


@value
class Pinned:
    """A pin in force; `known` if it was pinned before."""

    rule: RulePinned
    known: bool = False


def check_rule(text: str) -> str:
    """The text as it is pinned; `BadInput` if that is nothing, or too long for every request."""
    text = text.strip()
    if not text:
        raise BadInput(reason=NOTHING)
    if len(text) > LONGEST:
        raise BadInput(reason=TOO_LONG.format(length=len(text), longest=LONGEST))
    return text


async def pin(writer: SessionWriter, text: str) -> Pinned:
    """Returns once the pin is stored. `BadInput` for nothing, or for more than fits into every request."""
    text = check_rule(text)
    pins = find_pins(writer.entries)
    if known := next((each for each in pins if each.id == rule_id(text)), None):
        return Pinned(known, known=True)
    length = len(text) + sum(len(each.text) for each in pins)
    if length > TOGETHER:
        raise BadInput(reason=TOO_MANY.format(length=length, most=TOGETHER))
    made = RulePinned(rule_id(text), max((each.number for each in pins), default=0) + 1, text)
    await writer.record(made)
    return Pinned(made)


async def drop(writer: SessionWriter, rule: ListedRule) -> None:
    """Returns once it is stored."""
    await writer.record(RuleDropped(rule.id, rule.text))


async def take_out_of_drafts(handoff: Handoff, store: Store, conversation_id: str, rule: ListedRule) -> None:
    """Rewrites the drafts that wait and still stand, without the rule."""
    for draft in await in_thread(store.drafts.list_waiting, conversation_id):
        if await handoff.usable(draft.id):
            packet = await in_thread(store.packets.get, draft.packet_id)
            markdown, ledger = drop_rule(packet.markdown, twin_of(packet).ledger, rule.id)
            if len(ledger.rules) < len(twin_of(packet).ledger.rules):
                await handoff.edit(draft.id, markdown, ledger)


def list_rules(store: Store, conversation_id: str, clean: Callable[[str], str]) -> list[ListedRule]:
    """The rules in force: pins by their numbers, then what was found in the words of the conversation. That is what a
    draft says that waits and still stands; without one all entries since the last packet are read.
    """
    head = store.sessions.get(store.conversations.get(conversation_id).head_id)
    for draft in reversed(store.drafts.list_waiting(conversation_id)):
        if stands(store, head.id, draft):
            return list_rules_of_draft(store, draft.id)
    past = history(store, head.id)
    return number_rules(find_pins(live_entries(store, head)), gather(past.entries, past.carried, clean), past.entries)


def list_rules_of_draft(store: Store, draft_id: str) -> list[ListedRule]:
    """As `list_rules`, with what was found when the draft was written."""
    draft = store.drafts.get(draft_id)
    twin = twin_of(store.packets.get(draft.packet_id))
    head = store.sessions.get(store.conversations.get(draft.conversation_id).head_id)
    pins = find_pins(live_entries(store, head))
    return number_rules(pins, twin.ledger, store.entries.load(head.id, after=twin.entries))


def number_rules(pins: Sequence[RulePinned], ledger: Ledger, entries: Iterable[Entry] = ()) -> list[ListedRule]:
    """Pins keep the number they were given; what was found is counted on from there. A rule that was dropped in these
    entries is left out.
    """
    listed = [ListedRule(pin.number, pin.id, pin.text, PINNED) for pin in pins]
    gone = {pin.id for pin in pins} | find_dropped(entries)
    found = (rule for rule in ledger.rules if rule.id not in gone and rule.scope != PINNED)
    start = max((each.number for each in listed), default=0) + 1
    return [*listed, *(ListedRule(number, rule.id, rule.text, rule.scope) for number, rule in enumerate(found, start))]


def find_rule(rules: Sequence[ListedRule], named: str) -> ListedRule:
    """The rule with this number or id; `BadInput` that says which there are."""
    wanted = named.strip().lstrip("#").rstrip(".")
    for each in rules:
        if wanted in (str(each.number), each.id):
            return each
    if not rules:
        raise BadInput(reason=NONE)
    allowed = ", ".join(str(each.number) for each in rules)
    raise BadInput(reason=NOT_THERE.format(number=wanted[:20] or "without a number", allowed=allowed))
