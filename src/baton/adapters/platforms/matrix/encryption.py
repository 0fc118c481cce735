"""nio's view of our rooms and its encryption. Every request it makes goes through our own `Api`.

Trust: no device has to be verified. Keys are shared with every device of every member, as the homeserver lists them. So
encryption keeps out everybody but the members and whoever runs the homeserver.
"""

# pyright: reportMissingTypeStubs=false
from __future__ import annotations

import logging
from collections.abc import Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any, cast

from nio import AsyncClient, AsyncClientConfig
from nio.events import Event, MegolmEvent
from nio.events.to_device import ToDeviceEvent
from nio.exceptions import EncryptionError
from nio.responses import Response, SyncResponse
from nio.store import SqliteStore

from baton.adapters.platforms.json_fields import Json, table
from baton.adapters.platforms.matrix.api import Api, send_later
from baton.adapters.platforms.matrix.login import Login
from baton.adapters.platforms.matrix.place import NAME
from baton.core.display import one_line
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendUnsure

_log = logging.getLogger("baton.platforms")
_failed: ContextVar[list[PlatformError] | None] = ContextVar("failed", default=None)
"""The failures of requests whose errors nio swallows."""


class Machine(AsyncClient):
    """One device's encryption, with its keys in a file."""

    def __init__(self, api: Api, login: Login, folder: Path) -> None:
        logging.getLogger("nio").setLevel(logging.CRITICAL + 1)  # it logs what people wrote
        self._api = api
        config = AsyncClientConfig(max_limit_exceeded=0, max_timeouts=0, store=SqliteStore, store_name=login.keys)
        super().__init__("", login.account, login.device, str(folder), config)
        self.restore_login(login.account, login.device, login.token)
        for each in folder.glob(f"{login.keys}*"):
            each.chmod(0o600)

    async def receive_sync(self, answer: Json) -> SyncResponse | None:
        """Learns rooms, members and keys from an answer of `/sync`. None if it does not have the form of one."""
        response = cast("Any", SyncResponse).from_dict(answer)
        if not isinstance(response, SyncResponse):
            return None
        try:
            await self.receive_response(response)
        except Exception as error:  # noqa: BLE001 - the answer is foreign input: whatever it does, we continue
            _log_error("an answer of the server could not be used whole", error)
        return response

    async def exchange_keys(self) -> None:
        """Uploads our missing keys, asks for those of others and sends what waits for their devices."""
        if self.should_upload_keys:
            await self.keys_upload()
        if self.should_query_keys:
            await self.keys_query()
        if self.should_claim_keys:
            await self.keys_claim(cast("Any", self.get_users_for_key_claiming()))
        await self.send_to_device_messages()

    async def share_key(self, room_id: str) -> None:
        """Gives everybody in the room the key to what we say next. If anybody could not be given it, raises a
        `PlatformError`, and the key will not be used.
        """
        assert self.olm is not None
        failed: list[PlatformError] = []
        mark = _failed.set(failed)
        try:
            if not self.rooms[room_id].members_synced:
                await self.joined_members(room_id)
            if self.should_query_keys:
                await self.keys_query()
            if self.olm.should_share_group_session(room_id):
                await self.share_group_session(room_id, ignore_unverified_devices=True)
            if failed:
                self.invalidate_outbound_session(room_id)
                raise send_later(str(failed[0].facts.get("reason", "")), getattr(failed[0], "after", 1.0))
        except SendUnsure as unsure:  # it concerns a key: the message itself was not sent
            raise SendLater(**unsure.facts) from None
        except PlatformError:
            raise
        except Exception as error:  # noqa: BLE001 - the keys are foreign input, and nio trusts their form
            _log_error("keys could not be exchanged", error)
            raise send_later("keys could not be exchanged") from None
        finally:
            self.sharing_session.pop(room_id, None)
            _failed.reset(mark)

    def seal(self, room_id: str, content: dict[str, object]) -> dict[str, object]:
        """The content of an encrypted event; call `share_key` before."""
        return cast("dict[str, object]", self.encrypt(room_id, "m.room.message", content)[1])

    def unseal(self, event: Json, room_id: str) -> Json | None:
        """The event as its sender wrote it; None if it is encrypted and we do not have the key."""
        if event.get("type") != "m.room.encrypted":
            return event
        parsed = Event.parse_event(dict(event))
        if not isinstance(parsed, MegolmEvent):
            return None
        parsed.room_id = room_id
        try:
            return table(self.decrypt_event(parsed).source)
        except (EncryptionError, ValueError, AssertionError):
            return None

    async def request_key(self, event: Json, room_id: str) -> None:
        """Asks our other devices for the key to an event."""
        parsed = Event.parse_event(dict(event))
        if isinstance(parsed, MegolmEvent) and parsed.session_id not in self.outgoing_key_requests:
            parsed.room_id = room_id
            await self.request_room_key(parsed)

    def mark_encrypted(self, room_id: str) -> None:
        """From now on the room counts as encrypted, whatever anybody says later."""
        self.rooms[room_id].encrypted = True
        self.encrypted_rooms.add(room_id)
        if self.store is not None:
            cast("Any", self.store).save_encrypted_rooms({room_id})
        if self.olm is not None:
            cast("Any", self.olm).update_tracked_users(self.rooms[room_id])

    async def close(self) -> None:
        await super().close()
        if self.store is not None:
            self.store.database.close()

    async def _send(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        response_class: type[Response],
        method: str,
        path: str,
        data: str | None = None,
        response_data: Sequence[object] | None = None,
        **_: object,
    ) -> Response:
        at = path.partition("?")[0]
        try:
            if method == "GET":
                answer = await self._api.ask(at)
            else:
                answer = await self._api.put(method, at, data or "", "application/json")
        except PlatformError as error:
            if (failed := _failed.get()) is not None:
                failed.append(error)
            raise
        response = cast("Any", response_class).from_dict(answer, *(response_data or ()))
        await self.receive_response(response)
        return response

    def _handle_decrypt_to_device(self, to_device_event: ToDeviceEvent) -> ToDeviceEvent | None:
        try:
            return super()._handle_decrypt_to_device(to_device_event)
        except Exception as error:  # noqa: BLE001 - anybody on any server can send one, and nio trusts its form
            _log_error("a message to our device could not be used", error)
            return None


def open_machine(api: Api, login: Login, folder: Path) -> Machine:
    """`BadCredentials` if the keys of the device can no longer be read."""
    try:
        return Machine(api, login, folder)
    except Exception as error:  # noqa: BLE001 - a damaged file fails in the database, in the keys or in between
        reason = (
            f"the keys of its device cannot be read ({type(error).__name__}); without {login.keys} it gets a new one"
        )
        raise BadCredentials(platform=NAME, reason=reason) from None


def _log_error(what: str, error: Exception) -> None:
    _log.warning("matrix: %s: %s", what, one_line(f"{type(error).__name__}: {error}", 200))
