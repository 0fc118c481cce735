"""Stored entries as the widgets they were: a conversation that is resumed looks as it was left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text
from textual.widgets import Static

from baton.core.display import plain
from baton.core.log import entry as kinds
from baton.surfaces.tui.answer import AnswerView
from baton.surfaces.tui.fold import Fold
from baton.surfaces.tui.tool import ToolView
from baton.surfaces.tui.transcript import PlanView, UserView

if TYPE_CHECKING:
    from baton.core.log.entry import Entry
    from baton.surfaces.tui.app import ChatApp

CANCELLED = "cancelled"
STOPPED = "Stopped."
PACKET = "The session began from a packet: {path}"
COMPRESSED = "Compressed here ({outcome}). Everything is in the transcript (/transcript)."


async def replay(app: ChatApp, entries: Sequence[Entry]) -> None:
    titles: dict[str, str] = {}
    for entry in entries:
        data = entry.data
        if entry.kind == kinds.PACKET:
            label = PACKET.format(path=data.get("path") or "kept in the store")
            await app.add(
                Fold(
                    label,
                    Static(Text(plain(str(data.get("text", "")))), classes="output"),
                    folded=True,
                    classes="packet",
                )
            )
        elif entry.kind == kinds.USER and not data.get("synthetic"):
            await app.add(UserView(str(data.get("text", "")), image_names(data)))
        elif entry.kind == kinds.ASSISTANT:
            await _answer(app, data)
        elif entry.kind == kinds.TOOL_CALL:
            titles[str(data.get("id"))] = str(data.get("title", ""))
        elif entry.kind == kinds.TOOL_RESULT:
            await _tool(app, data, titles.get(str(data.get("id")), ""))
        elif entry.kind == kinds.COMPRESSION:
            await app.notice(COMPRESSED.format(outcome=str(data.get("outcome", "")).replace("_", " ")))
        elif entry.kind == kinds.NOTE:
            await _note(app, data)


def image_names(data: Any) -> list[str]:
    return [str(image.get("name") or image.get("media_type", "")) for image in data.get("images", ())]


async def _answer(app: ChatApp, data: dict[str, Any]) -> None:
    if text := str(data.get("text", "")):
        answer = AnswerView()
        await app.add(answer)
        answer.feed(text)
        answer.end()
        app.last_answer = text


async def _tool(app: ChatApp, data: dict[str, Any], title: str) -> None:
    details = data.get("details", {})
    if items := details.get("items"):
        await app.add(PlanView([(str(item["text"]), str(item["state"])) for item in items]))
        return
    view = ToolView(str(data["name"]), title)
    await app.add(view)
    await view.finish(str(data.get("text", "")), details, ok=bool(data.get("ok")))


async def _note(app: ChatApp, data: dict[str, Any]) -> None:
    """How turns ended that did not end well."""
    if data.get("end") == CANCELLED:
        await app.notice(STOPPED)
    elif "verified" in data and not data.get("drift"):
        return
    elif text := data.get("text") or data.get("error"):
        await app.notice(str(text), "warning")
