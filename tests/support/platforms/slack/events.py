"""Events that follow from what people and apps do."""

from __future__ import annotations

import time
import uuid
from typing import Any

from tests.support.platforms.slack import histories
from tests.support.platforms.slack.socket_mode import SocketMode
from tests.support.platforms.slack.workspace import APP_ID, BOT, Workspace


class Events:
    """Remembers every message's payload, so that it can be sent again."""

    def __init__(self, workspace: Workspace, sockets: SocketMode) -> None:
        self._workspace = workspace
        self._sockets = sockets
        self._payloads: dict[str, dict[str, Any]] = {}

    async def follow(self, method: str, body: dict[str, Any], answer: dict[str, Any], token: str) -> None:
        match method:
            case "chat.postMessage":
                await self._said(answer["channel"], answer["message"])
            case "chat.update":
                changed = {"subtype": "message_changed", "hidden": True, "message": answer["message"]}
                await self.event(answer["channel"], {"type": "message", "ts": answer["ts"], **changed})
            case "files.completeUploadExternal" if "channel_id" in body:
                await self._shared(body["channel_id"], body.get("thread_ts", ""), answer["files"][0]["id"], token)

    async def again(self, message_id: str, *, renamed: bool = False) -> None:
        """The same event once more, or the same message as a new event."""
        payload = self._payloads[message_id]
        renaming = {"event_id": _event_id()} if renamed else {}
        await self._sockets.push("events_api", {**payload, **renaming}, attempt=1)

    async def event(self, channel: str, event: dict[str, Any]) -> dict[str, Any]:
        """Any event of a channel; the payload it came in."""
        more = {"channel": channel, "event_ts": event.get("ts"), "team": self._workspace.team}
        if event.get("type") == "message":
            more["channel_type"] = "im" if channel.startswith("D") else "channel"
        payload = {
            "token": "verification",
            "team_id": self._workspace.team,
            "api_app_id": APP_ID,
            "type": "event_callback",
            "event_id": _event_id(),
            "event_time": int(time.time()),
            "event": {**event, **more},
            "authorizations": [
                {"team_id": self._workspace.team, "user_id": self._workspace.users[BOT], "is_bot": True}
            ],
        }
        await self._sockets.push("events_api", payload)
        return payload

    async def _said(self, channel: str, message: dict[str, Any]) -> None:
        me = self._workspace.users[BOT]
        if f"<@{me}>" in message["text"] and message["user"] != me:
            await self.event(channel, {**message, "type": "app_mention"})
        payload = await self.event(channel, message)
        self._payloads[f"{channel}:{message['ts']}"] = payload

    async def _shared(self, channel: str, thread: str, file: str, token: str) -> None:
        there = await histories.messages(self._workspace, channel, thread, token)
        message = next(each for each in there if any(one["id"] == file for one in each.get("files", [])))
        payload = await self.event(channel, message)
        self._payloads[f"{channel}:{message['ts']}"] = payload


def _event_id() -> str:
    return f"Ev{uuid.uuid4().hex[:12].upper()}"
