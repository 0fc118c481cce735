"""Whole conversations in and out, pruning, backup and checks."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from baton.core.errors import AlreadyExists, StoreDamaged, StoreReadOnly
from baton.core.handoff.packet import OPEN, Draft
from baton.core.ids import quote
from baton.core.log import bundle as bundles
from baton.core.log.bundle import Bundle
from baton.core.log.conversation import Conversation
from baton.core.transfer import record as records
from baton.core.transfer.mail import FINAL, OUTBOX
from baton.core.transfer.transfer import ACTIVE, Transfer
from baton.core.value import asdict, replace
from baton.ports.clock import Clock
from baton.ports.store import LOG, Finding, Progress
from baton.testing.memory.data import MemoryData
from baton.testing.memory.entries import check_entries
from baton.testing.memory.handoffs import packets_of

_TODO = "A memory store cannot be repaired."


class MemoryUpkeep:
    def __init__(self, data: MemoryData, clock: Clock) -> None:
        self._data = data
        self._clock = clock

    def bundle(self, conversation_id: str) -> Bundle:
        data = self._data
        with data.lock():
            conversation, sessions = data.conversation(conversation_id), data.sessions_of(conversation_id)
            entries = [each for session in sessions for each in data.entries[session.id][: session.entries]]
            bindings = [each for each in data.bindings.values() if each.conversation_id == conversation_id]
            return bundles.pack(
                conversation,
                sessions,
                packets=packets_of(data, conversation_id),
                drafts=sorted(self._drafts(conversation_id), key=lambda each: (each.created_at, each.id)),
                transfers=sorted(self._transfers(conversation_id), key=lambda each: (each.requested_at, each.id)),
                bindings=sorted(bindings, key=lambda each: (each.bound_at, each.place)),
                entries=(entry for each in entries for entry in check_entries([each])),
            )

    def _drafts(self, conversation_id: str) -> list[Draft]:
        return [each for each in self._data.drafts.values() if each.conversation_id == conversation_id]

    def _transfers(self, conversation_id: str) -> list[Transfer]:
        return [each for each in self._data.transfers.values() if each.conversation_id == conversation_id]

    def insert(self, bundle: Bundle) -> bool:
        bundles.check(bundle)
        given = replace(bundle, entries=tuple(bundle.entries))
        with self._data.lock():
            if bundle.conversation.id in self._data.conversations:
                if bundles.is_same(self.bundle(bundle.conversation.id), given):
                    return False
                raise _exists("conversation", bundle.conversation.id)
            self._check_new(given)
            self._insert(replace(given, entries=tuple(bundles.checked_entries(given))))
        return True

    def _check_new(self, bundle: Bundle) -> None:
        data = self._data
        for noun, values, known in (
            ("session", bundle.sessions, data.sessions),
            ("packet", bundle.packets, data.packets),
            ("draft", bundle.drafts, data.drafts),
            ("transfer", bundle.transfers, data.transfers),
        ):
            for value in values:
                if value.id in known:
                    raise _exists(noun, value.id)

    def _insert(self, bundle: Bundle) -> None:
        data, conversation = self._data, bundle.conversation
        data.conversations[conversation.id] = replace(conversation, owner=None, lease_until=0)
        data.sessions.update((session.id, session) for session in bundle.sessions)
        data.packets.update((packet.id, packet) for packet in bundle.packets)
        data.drafts.update((draft.id, draft) for draft in bundle.drafts)
        data.transfers.update((transfer.id, transfer) for transfer in bundle.transfers)
        for binding in bundle.bindings:
            data.bindings.setdefault(binding.place, binding)
        for session in bundle.sessions:
            data.entries[session.id] = [entry for entry in bundle.entries if entry.session_id == session.id]
        data.wake(LOG)

    def ids(self) -> Iterator[str]:
        with self._data.lock():
            found = sorted(self._data.conversations.values(), key=lambda each: (each.created_at, each.id))
        return (each.id for each in found)

    def idle_since(self, before: int) -> list[Conversation]:
        with self._data.lock():
            found = [each for each in self._data.conversations.values() if self._idle(each, before)]
        return sorted(found, key=lambda each: (each.updated_at, each.id))

    def _idle(self, conversation: Conversation, before: int) -> bool:
        return (
            conversation.updated_at < before
            and not conversation.lease.live(self._clock.ticks())
            and not any(each.state in ACTIVE for each in self._transfers(conversation.id))
            and not any(each.state == OPEN for each in self._drafts(conversation.id))
            and not any(self._waits_for(conversation.id))
            and not any(self._forks_of(conversation.id))
        )

    def _waits_for(self, conversation_id: str) -> Iterator[bool]:
        for mail in self._data.mail.values():
            yield mail.conversation_id == conversation_id and mail.state not in FINAL[mail.box]

    def _forks_of(self, conversation_id: str) -> Iterator[bool]:
        own = {session.id for session in self._data.sessions_of(conversation_id)}
        for session in self._data.sessions.values():
            yield session.parent_id in own and session.conversation_id != conversation_id

    def remove(self, conversation_id: str, before: int) -> bool:
        data = self._data
        with data.lock():
            conversation = data.conversations.get(conversation_id)
            if conversation is None or not self._idle(conversation, before):
                return False
            bundle = self.bundle(conversation_id)
            for table, keys in (
                (data.bindings, [each.place for each in bundle.bindings]),
                (data.transfers, [each.id for each in bundle.transfers]),
                (data.drafts, [each.id for each in bundle.drafts]),
                (data.packets, [each.id for each in bundle.packets]),
                (data.words, [each.id for each in bundle.sessions]),
                (data.entries, [each.id for each in bundle.sessions]),
                (data.sessions, [each.id for each in bundle.sessions]),
                (data.conversations, [conversation_id]),
            ):
                for key in keys:
                    table.pop(key, None)
            for key, mail in [*data.mail.items()]:
                if mail.conversation_id == conversation_id and mail.box == OUTBOX:
                    del data.mail[key]
                elif mail.conversation_id == conversation_id:
                    data.mail[key] = replace(mail, body="{}", error="")
            data.wake(LOG)
        return True

    def prune_mail(self, before: int) -> int:
        with self._data.lock():
            mail = self._data.mail
            old = [key for key, each in mail.items() if each.state in FINAL[each.box] and each.updated_at < before]
            for key in old:
                del mail[key]
        return len(old)

    def backup(self, target: str) -> None:
        text = json.dumps(self._dump(), ensure_ascii=False, indent=1)
        try:
            file = os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        except OSError as error:
            raise StoreReadOnly(path=target, reason=error.strerror or str(error)) from error
        try:
            with os.fdopen(file, "w", encoding="utf-8") as opened:
                opened.write(text)
        except OSError as error:
            with suppress(OSError):
                os.unlink(target)
            raise StoreReadOnly(path=target, reason=error.strerror or str(error)) from error

    def _dump(self) -> dict[str, list[dict[str, Any]]]:
        data = self._data
        with data.lock():
            entries = [each for held in data.entries.values() for each in held]
            return {
                "conversations": _plain(data.conversations.values()),
                "sessions": _plain(data.sessions.values()),
                "entries": [each._asdict() for each in entries],
                "packets": _plain(data.packets.values()),
                "drafts": _plain(data.drafts.values()),
                "transfers": _plain(data.transfers.values()),
                "bindings": _plain(data.bindings.values()),
                "mail": _plain(data.mail.values()),
                "records": _plain(data.records.values()),
            }

    def check(self, progress: Progress | None = None) -> list[Finding]:
        ids = list(self.ids())
        findings: list[Finding] = []
        for done, conversation_id in enumerate(ids, 1):
            if reason := self._flaw(conversation_id):
                findings.append(Finding("error", conversation_id, reason, _TODO))
            if progress:
                progress(done, len(ids))
        damaged = [(each.key, records.damage(each)) for each in self._data.records.values()]
        findings += [Finding("error", f"record {quote(key)}", reason, _TODO) for key, reason in damaged if reason]
        return findings or [Finding("ok", "store", f"Every checksum matches. Conversations read: {len(ids)}.")]

    def _flaw(self, conversation_id: str) -> str:
        bundle = self.bundle(conversation_id)
        active = [each for each in self._transfers(conversation_id) if each.state in ACTIVE]
        if len(active) > 1:
            return f"it has {len(active)} active transfers"
        try:
            return bundles.flaw(bundle) or bundles.describe_missing(bundle)
        except StoreDamaged as damage:
            return str(damage.facts["reason"])

    def size(self) -> int:
        return len(json.dumps(self._dump()))


def _plain(values: Iterable[Any]) -> list[dict[str, Any]]:
    return [asdict(value) for value in values]


def _exists(noun: str, value: str) -> AlreadyExists:
    return AlreadyExists(noun=noun, value=value, suggestion="Import it into another store to compare.")
