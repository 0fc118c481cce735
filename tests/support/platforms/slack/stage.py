"""Slack's stage: people in a workspace, and our app among them."""

from __future__ import annotations

import html
import re
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from baton.adapters.platforms.markup.spans import to_plain
from baton.adapters.platforms.slack.platform import open_platform
from baton.config.platform_settings import SlackSettings
from baton.core.transfer.place import Place
from baton.ports.platform import Platform
from tests.support.platforms.slack import histories
from tests.support.platforms.slack.server import Server
from tests.support.platforms.slack.speech import called_by, shared_message
from tests.support.platforms.slack.workspace import APP, APP_ID, BOT, GENERAL, OWNER, STRANGER
from tests.support.platforms.state import MemoryState


class SlackStage:
    name = "slack"
    lacks: Mapping[str, str] = {"typing": "Slack shows it in threads only, where its own test looks"}

    def __init__(self) -> None:
        self.server = Server()
        self.state = MemoryState()
        self.room = self.group = Place("slack", GENERAL)
        self.owner = self.stranger = ""
        self.calls: list[str] = []

    async def __aenter__(self) -> SlackStage:
        try:
            await self.server.start()
            space = self.server.workspace
            opened = await space.call("conversations.open", {"users": space.users[OWNER]}, BOT)
            self.room = Place("slack", opened["channel"]["id"])
            self.calls = [f"<@{space.users[each]}>" for each in (OWNER, STRANGER)]
            self.owner, self.stranger = (f"slack:{space.team}:{space.users[each]}" for each in (OWNER, STRANGER))
        except BaseException:
            await self.server.stop()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.server.stop()

    def platform(self) -> Platform:
        return open_platform(SlackSettings(BOT, APP, f"{self.server.url}/api/"), self.state, Path())

    def imposter(self) -> Platform:
        settings = SlackSettings("xoxb-1-wrong", "xapp-1-wrong", f"{self.server.url}/api/")
        return open_platform(settings, MemoryState(), Path())

    def settings(self) -> Mapping[str, object]:
        return {"bot_token": BOT, "app_token": APP, "api": f"{self.server.url}/api/"}

    async def says(self, place: Place, text: str, *, sender: str = "", file: tuple[str, bytes] | None = None) -> str:
        token = STRANGER if sender == self.stranger else OWNER
        where = {"channel": place.room, **({"thread_ts": place.thread} if place.thread else {})}
        written = html.escape(text, quote=False)
        if file is not None:
            return await self._shares(place, written, file, token)
        answer = await self.server.act("chat.postMessage", {**where, "text": written}, token)
        assert answer["ok"], answer
        return f"{place.room}:{answer['ts']}"

    async def quotes(self, place: Place, quoted: str, text: str) -> str:
        """The owner shares the stranger's message, and writes something to it."""
        return await self._passes_on(place, quoted, text)

    async def forwards(self, place: Place, text: str) -> None:
        await self._passes_on(place, text, "")

    async def leaves(self, place: Place, sender: str) -> None:
        self.server.left.add(sender.rpartition(":")[2])

    async def called(self) -> list[str]:
        return [call for method, body in self.server.seen for call in called_by(method, body)]

    async def presses(self, place: Place, receipt: str, choice: str) -> None:
        message = next(each for each in await self._seen(place) if each["ts"] == receipt)
        actions = next(block for block in message["blocks"] if block["type"] == "actions")
        button = next(each for each in actions["elements"] if each["value"] == choice)
        space = self.server.workspace
        thread = {"thread_ts": message["thread_ts"]} if "thread_ts" in message else {}
        payload = {
            "type": "block_actions",
            "team": {"id": space.team, "domain": "emulate"},
            "user": {"id": space.users[OWNER], "username": "owner", "team_id": space.team},
            "api_app_id": APP_ID,
            "channel": {"id": place.room},
            "container": {"type": "message", "message_ts": receipt, "channel_id": place.room, **thread},
            "message": message,
            "actions": [{**button, "block_id": actions["block_id"], "action_ts": f"{time.time():.6f}"}],
        }
        await self.server.sockets.push("interactive", payload)

    async def commands(self, place: Place, command: str, text: str) -> None:
        """The owner types a slash command that our app has registered."""
        space = self.server.workspace
        payload = {
            "command": command,
            "text": text,
            "team_id": space.team,
            "channel_id": place.room,
            "user_id": space.users[OWNER],
            "user_name": "owner",
            "trigger_id": f"1.2.{uuid.uuid4().hex}",
            "api_app_id": APP_ID,
        }
        await self.server.sockets.push("slash_commands", payload)

    async def redeliver(self, message_id: str) -> None:
        await self.server.events.again(message_id)

    async def texts(self, place: Place) -> list[str]:
        return [_visible(each) for each in await self._ours(place)]

    async def files(self, place: Place) -> list[tuple[str, bytes]]:
        found: list[tuple[str, bytes]] = []
        for each in await self._ours(place):
            for file in each.get("files", []):
                path = "/" + file["url_private"].split("/", 3)[3]
                headers = {"Authorization": f"Bearer {OWNER}"}
                _, _, data = await self.server.workspace.raw("GET", path, headers, b"")
                found.append((file["name"], data))
        return found

    async def typed(self, place: Place) -> int:
        return self.server.statuses[place.room, place.thread]

    async def limit(self, times: int, after: float) -> None:
        self.server.limited, self.server.after = times, after

    async def fail(self, times: int) -> None:
        self.server.failing = times

    async def swallow(self, times: int) -> None:
        self.server.swallowed = times

    async def cut(self) -> None:
        await self.server.sockets.cut()

    async def restore(self) -> None:
        self.server.sockets.is_cut = False

    def violations(self) -> list[str]:
        return self.server.violations()

    async def _shares(self, place: Place, text: str, file: tuple[str, bytes], token: str) -> str:
        space = self.server.workspace
        name, data = file
        slot = await space.call("files.getUploadURLExternal", {"filename": name, "length": len(data)}, token)
        path = "/" + slot["upload_url"].split("/", 3)[3]
        await space.raw("POST", path, {"Content-Type": "application/octet-stream"}, data)
        body: dict[str, Any] = {"files": [{"id": slot["file_id"], "title": name}], "channel_id": place.room}
        if place.thread:
            body["thread_ts"] = place.thread
        if text:
            body["initial_comment"] = text
        answer = await self.server.act("files.completeUploadExternal", body, token)
        assert answer["ok"], answer
        shares = {**answer["files"][0]["shares"].get("public", {}), **answer["files"][0]["shares"].get("private", {})}
        return f"{place.room}:{shares[place.room][0]['ts']}"

    async def _passes_on(self, place: Place, theirs: str, text: str) -> str:
        space = self.server.workspace
        said = await space.call(
            "chat.postMessage", {"channel": GENERAL, "text": html.escape(theirs, quote=False)}, STRANGER
        )
        shared = shared_message(GENERAL, space.users[STRANGER], said["message"])
        body = {"channel": place.room, "text": html.escape(text, quote=False), "attachments": [shared]}
        answer = await self.server.act("chat.postMessage", body, OWNER)
        assert answer["ok"], answer
        assert answer["message"]["attachments"] == [shared]
        return f"{place.room}:{answer['ts']}"

    async def _seen(self, place: Place) -> list[dict[str, Any]]:
        return await histories.messages(self.server.workspace, place.room, place.thread, OWNER)

    async def _ours(self, place: Place) -> list[dict[str, Any]]:
        me = self.server.workspace.users[BOT]
        return [each for each in await self._seen(place) if each["user"] == me and each["ts"] != place.thread]


def _visible(message: dict[str, Any]) -> str:
    """The blocks where there are some, else the text."""
    blocks = message.get("blocks") or []
    if not blocks:
        unlinked = re.sub(r"<[^|>]*\|([^>]*)>", r"\1", message["text"])
        return html.unescape(re.sub(r"(?<!\w)([*_~`])(.+?)\1(?!\w)", r"\2", unlinked))
    shown = [to_plain(each["text"]) for each in blocks if each["type"] == "markdown"]
    shown += [each["text"]["text"] for each in blocks if each["type"] == "header"]
    return "\n".join(shown).replace("\u200b", "")
