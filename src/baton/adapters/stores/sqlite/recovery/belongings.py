"""Packets, drafts, transfers, bindings and mail of a damaged database, each with the conversation it belongs to; and
records, which belong to none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import TypeVar

from baton.adapters.stores.sqlite.recovery.fields import CHECKS, Facts
from baton.adapters.stores.sqlite.recovery.salvage import Found
from baton.core.handoff.packet import Draft, Packet
from baton.core.ids import quote
from baton.core.transfer.mail import Mail
from baton.core.transfer.place import Binding
from baton.core.transfer.record import Record
from baton.core.transfer.transfer import ACTIVE, FAILED, Transfer
from baton.core.value import replace

T = TypeVar("T")

NOBODY = ""
NOT_ALONE = "another transfer of this conversation was active in a damaged database"


class Belongings:
    """By conversation. `lost` names what could not be read or belongs to nothing that is left; all leases are over.

    `homes` tells the conversation of each session.
    """

    def __init__(self, found: Found, homes: Mapping[str, str], now: int) -> None:
        self._found = found
        self._known = {*found.keys("conversation"), *homes.values()}
        self.lost: dict[str, list[str]] = defaultdict(list)
        self.packets: dict[str, list[Packet]] = defaultdict(list)
        self.drafts: dict[str, list[Draft]] = defaultdict(list)
        self.transfers: dict[str, list[Transfer]] = defaultdict(list)
        self.bindings: dict[str, list[Binding]] = defaultdict(list)
        self.mail: list[Mail] = []
        self.records: list[Record] = []
        self._take_packets(homes)
        self._take_drafts()
        self._take_transfers()
        self._take_bindings(now)
        self._take_mail()
        self._take_records(now)

    def _take_packets(self, homes: Mapping[str, str]) -> None:
        for key in self._found.keys("packet"):
            facts = self._found.facts("packet", key)
            packet = _make_value(Packet, "packet", facts)
            home = homes.get(facts.get("session_id", ""), NOBODY)
            self._put(self.packets, home, packet if packet and packet.intact() else None, f"packet {key}")

    def _take_drafts(self) -> None:
        for key in self._found.keys("draft"):
            facts = self._found.facts("draft", key)
            home = self._home(facts)
            written = any(packet.id == facts.get("packet_id") for packet in self.packets[home])
            self._put(self.drafts, home, _make_value(Draft, "draft", facts) if written else None, f"draft {key}")

    def _take_transfers(self) -> None:
        for key in self._found.keys("transfer"):
            facts = self._found.facts("transfer", key)
            transfer = _make_value(Transfer, "transfer", facts)
            home = self._home(facts)
            if transfer and transfer.state in ACTIVE and any(each.state in ACTIVE for each in self.transfers[home]):
                transfer = replace(transfer, state=FAILED, error=NOT_ALONE)
            value = replace(transfer, lease_until=0) if transfer else None
            self._put(self.transfers, home, value, f"transfer {key}")

    def _take_bindings(self, now: int) -> None:
        """A binding whose time is lost is kept: the index knows the rest."""
        for key in self._found.keys("binding"):
            facts = {"bound_at": now, **self._found.facts("binding", key)}
            self._put(self.bindings, self._home(facts), _make_value(Binding, "binding", facts), f"binding {key}")

    def _take_mail(self) -> None:
        for number in self._found.keys("mail"):
            facts = self._found.facts("mail", number)
            mail = _make_value(Mail, "mail", facts)
            if mail:
                self.mail.append(replace(mail, lease_until=0))
            else:
                key = quote(facts["key"]) if "key" in facts else f"number {number}"
                self.lost[NOBODY].append(f"message {key} of the {facts.get('box', 'mail')}")

    def _take_records(self, now: int) -> None:
        for key in self._found.keys("record"):
            record = _make_value(Record, "record", {"updated_at": now, **self._found.facts("record", key)})
            if record:
                self.records.append(record)
            else:
                self.lost[NOBODY].append(f"record {quote(key)}")

    def _home(self, facts: Facts) -> str:
        conversation_id = facts.get("conversation_id", NOBODY)
        return conversation_id if conversation_id in self._known else NOBODY

    def _put(self, kept: dict[str, list[T]], home: str, value: T | None, name: str) -> None:
        if value is None or home == NOBODY:
            self.lost[home].append(name)
        else:
            kept[home].append(value)


def _make_value(kind: type[T], table: str, facts: Facts) -> T | None:
    """The value, if every field of it is known."""
    names = [name for name in CHECKS[table] if name != "n"]
    return kind(**{name: facts[name] for name in names}) if facts.keys() >= set(names) else None
