"""A whole gateway between a platform's stage, through its real adapter, and a scripted model."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path
from typing import Any

from baton.core.agent.message import Call, Prompt, Usage, UserMessage
from baton.core.handoff.policy import Policy
from baton.core.transfer.place import Place
from baton.ports.model import Finished, Piece, Text
from baton.ports.store import Store
from baton.testing.model import FakeModel
from tests.contract.platform.kit import squeezed
from tests.contract.platform.stage import Stage
from tests.support.handoffs import kit
from tests.support.patience import PATIENCE
from tests.support.small_gateway import Deploy, SmallGateway, soon

ARRIVAL = "This conversation has just moved to"
LONG = "\n\n".join(f"Paragraph {number}: " + "word " * 60 for number in range(40))


class Actor(FakeModel):
    """Answers what the tests ask; what is said `slowly` waits in its middle for `gate`."""

    def __init__(self) -> None:
        super().__init__(_answer)
        self.gate = asyncio.Event()

    async def stream(self, prompt: Prompt) -> AsyncIterator[Piece]:
        if _last(prompt) != "slowly":
            async for piece in super().stream(prompt):
                yield piece
            return
        yield Text("The first half")
        await self.gate.wait()
        yield Text(" and the second half.")
        yield Finished(Usage(), "stop")


def _answer(prompt: Prompt) -> list[Any]:
    said, last = _said(prompt), _last(prompt)
    if ARRIVAL in last:
        return [f"I am here. The code word is {_code_word(said)}."]
    answers: dict[str, list[Any]] = {
        "deploy": [Call(f"call-{len(prompt.messages)}", "deploy", {})],
        "fresh": [Call(f"call-{len(prompt.messages)}", "session_handoff", {"reason": "the work is long"})],
        "wait": ["Thinking", 600],
        "long": [LONG],
        "everybody": ["I tell you and @everyone and @here and @room and <!channel> and <@U123>."],
        "word?": [f"It is {_code_word(said)}."],
        "show both": [
            Call(f"picture-{len(prompt.messages)}", "show", {"path": "plot.png", "caption": "The curve"}),
            Call(f"file-{len(prompt.messages)}", "show", {"path": "table.csv"}),
        ],
    }
    if last in answers and isinstance(prompt.messages[-1], UserMessage):
        return answers[last]
    return ["Deployed." if last == "deploy" else f"Heard: {last}"]


def _said(prompt: Prompt) -> list[str]:
    """The words of people, without what a fresh session is told about its workspace."""
    said = [message.text for message in prompt.messages if isinstance(message, UserMessage)]
    return [text for text in said if not text.startswith("The workspace is")]


def _last(prompt: Prompt) -> str:
    return _said(prompt)[-1]


def _code_word(said: list[str]) -> str:
    return next((text.rpartition(" ")[2].strip(".") for text in said if "code word is" in text), "unknown")


class Scene:
    """Use as `async with`: the gateway runs. A second scene with the same store and stage is its successor."""

    def __init__(self, stage: Stage, store: Store, workspace: Path, **given: Any) -> None:
        from baton.adapters.files.workspace import Workspace
        from baton.adapters.tools.session_handoff import SessionHandoff
        from baton.adapters.tools.show import Show

        platform = given.pop("platform", None) or stage.platform()
        self.stage = stage
        self.abilities = platform.abilities
        self.model = Actor()
        self.deploy = Deploy()
        self._answered: set[str] = set()
        policy = given.pop("policy", Policy())
        self.small = SmallGateway(
            store,
            workspace,
            self.model,
            tools=[self.deploy, SessionHandoff(), Show(Workspace(str(workspace)))],
            platforms={stage.room.platform: platform},
            **{"home": {stage.room.platform: stage.room.room}, "owners": (stage.owner,), **given},
        )
        self.small.host.handoff = kit(workspace, workspace.parent / "home", policy)

    async def __aenter__(self) -> Scene:
        await self.small.__aenter__()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.small.stop()

    async def texts(self, place: Place) -> list[str]:
        return await self.stage.texts(place)

    async def sees(self, piece: str, place: Place | None = None, times: int = 1) -> str:
        """The newest of our messages with this piece, once there are so many."""
        place, wanted = place or self.stage.room, squeezed(piece)

        async def look() -> str:
            found = [text for text in await self.texts(place) if wanted in squeezed(text)]
            return found[-1] if len(found) >= times else ""

        try:
            return await soon(look, seconds=PATIENCE)
        except AssertionError:
            raise AssertionError(f"{piece!r} is not in {await self.texts(place)}") from None

    async def asks(self, text: str, answer: str, place: Place | None = None) -> str:
        """Somebody says something, and is answered."""
        await self.stage.says(place or self.stage.room, text)
        return await self.sees(answer, place)

    async def chooses(self, word: str, place: Place) -> None:
        """The owner presses the button of the newest question, or says its word where there are no buttons."""
        receipt, choices = await soon(lambda: self._question(place), "a question that waits", seconds=PATIENCE)
        self._answered.add(receipt)
        if not self.abilities.buttons:
            await self.stage.says(place, word)
            return
        await self.stage.presses(place, receipt, next(each for each in choices if each.startswith(f"{word}:")))

    def _question(self, place: Place) -> tuple[str, list[str]] | None:
        query = "SELECT receipt, body FROM mail WHERE box = 'outbox' AND state = 'sent' AND place = ? ORDER BY n DESC"
        with closing(sqlite3.connect(self.small.store.location)) as database:
            for receipt, body in database.execute(query, (place.key,)):
                if receipt not in self._answered and (buttons := json.loads(body).get("buttons")):
                    return receipt, [choice for _, choice in buttons]
        return None
