"""Stored entries as the widgets they were: a resumed conversation looks as it was left."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text
from textual.widgets import Static

from baton.core.display import one_line, plain
from baton.core.log.payloads import (
    CANCELLED,
    AssistantStep,
    Compression,
    CompressionFailed,
    CompressionUndone,
    HandoffFailed,
    HandoffUndone,
    Note,
    PacketOpening,
    Payload,
    RuleDropped,
    RulePinned,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnInterrupted,
    UserInput,
    WorkspaceVerified,
    payload,
)
from baton.surfaces.shared.rules import WIDTH
from baton.surfaces.shared.story import image_names
from baton.surfaces.shared.wording import describe_turning_point
from baton.surfaces.tui.answer import AnswerView
from baton.surfaces.tui.earlier import EarlierView
from baton.surfaces.tui.tool_calls import ToolView
from baton.surfaces.tui.transcript import PlanView, UserView
from baton.surfaces.tui.widgets import Fold
from baton.surfaces.words import chat as words

if TYPE_CHECKING:
    from baton.core.log.entry import Entry
    from baton.surfaces.tui.app import ChatApp


async def replay(app: ChatApp, entries: Sequence[Entry]) -> None:
    titles: dict[str, str] = {}
    for entry in entries:
        match payload(entry):
            case PacketOpening() as opening:
                await app.add(EarlierView(app.controller.chat))
                label = words.PACKET.format(path=opening.path or words.PATH_UNKNOWN)
                text = Static(Text(plain(opening.text)), classes="output")
                await app.add(Fold(label, text, folded=True, classes="packet"))
            case UserInput(synthetic=False) as given:
                await app.add(UserView(given.words, image_names(given)))
            case AssistantStep(text=text) if text:
                await _add_answer(app, text)
            case ToolCall() as call:
                titles[call.id] = call.title
            case ToolResult() as result:
                await _add_tool(app, result, titles.get(result.id, ""))
            case Compression() | CompressionFailed():
                await app.notice(words.COMPRESSED_HERE)
            case CompressionUndone() | HandoffUndone():
                await app.notice(describe_turning_point(entry))
            case held:
                await _add_notice(app, held)


async def _add_answer(app: ChatApp, text: str) -> None:
    answer = AnswerView()
    await app.add(answer)
    answer.feed(text)
    answer.end()
    app.last_answer = text


async def _add_tool(app: ChatApp, result: ToolResult, title: str) -> None:
    if items := result.details.get("items"):
        await app.add(PlanView([(str(item["text"]), str(item["state"])) for item in items]))
        return
    view = ToolView(result.name, title)
    await app.add(view)
    await view.finish(result.text, result.details, ok=result.ok)


async def _add_notice(app: ChatApp, held: Payload) -> None:
    """How turns ended that did not end well, what was found out about the workspace, and what you said of rules."""
    match held:
        case RulePinned(number=number, text=text):
            await app.notice(words.PINNED.format(number=number, text=one_line(text, WIDTH)))
        case RuleDropped(text=text):
            await app.notice(words.DROPPED.format(text=one_line(text, WIDTH)))
        case TurnEnd(end=end) if end == CANCELLED:
            await app.notice(words.STOPPED)
        case WorkspaceVerified(drift=False):
            return
        case TurnInterrupted(text=text) | WorkspaceVerified(text=text) if text:
            await app.notice(text, "warning")
        case TurnEnd(error=error) | HandoffFailed(error=error) if error:
            await app.notice(error, "warning")
        case Note(text=text, error=error) if text or error:
            await app.notice(text or error, "warning")
        case _:
            return
