"""What can be chosen for a session, in both of the protocol's forms: always complete, and the same in both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from baton.core.agent.approval import MODES
from baton.surfaces.acp.frames import Json
from baton.surfaces.acp.params import wrong
from baton.surfaces.words import editor as words
from baton.surfaces.words import protocol

if TYPE_CHECKING:
    from baton.surfaces.shared.chat import Chat


class Choices:
    """The mode, the model and the effort of a session, before and after its agent exists."""

    def __init__(self, mode: str, model: str, models: Sequence[str]) -> None:
        self._mode = mode
        self._model = model
        self._models = models
        self._effort = ""
        self._chat: Chat | None = None

    def apply(self, chat: Chat) -> None:
        """The agent exists now: from here on its own values count."""
        chat.agent.mode = self._mode
        chat.agent.effort = self._effort
        self._chat = chat

    @property
    def mode(self) -> str:
        return self._chat.agent.mode if self._chat else self._mode

    @property
    def model(self) -> str:
        return self._chat.agent.model if self._chat else self._model

    @property
    def effort(self) -> str:
        return (self._chat.agent.effort if self._chat else self._effort) or "default"

    def use_mode(self, mode: str) -> None:
        if mode not in MODES:
            raise wrong(protocol.NO_MODE.format(mode=repr(mode[:80]), modes=", ".join(MODES)))
        self._mode = mode
        if self._chat:
            self._chat.use_mode(mode)

    def use_model(self, name: str) -> None:
        """Needs the agent, which raises at once if the model cannot be used."""
        assert self._chat is not None
        self._chat.agent.use_model(name)
        self._model = name

    def use_effort(self, effort: str) -> None:
        if effort not in words.EFFORTS:
            raise wrong(protocol.NO_EFFORT.format(effort=repr(effort[:80]), efforts=", ".join(words.EFFORTS)))
        self._effort = "" if effort == "default" else effort
        if self._chat:
            self._chat.agent.effort = self._effort

    def modes(self) -> Json:
        available = [{"id": each, "name": name, "description": about} for each, (name, about) in words.MODES.items()]
        return {"currentModeId": self.mode, "availableModes": available}

    def options(self) -> list[Json]:
        """The complete list, as every message about options repeats it."""
        modes = [{"value": each, "name": name, "description": about} for each, (name, about) in words.MODES.items()]
        models = [{"value": each, "name": each} for each in dict.fromkeys([self.model, *self._models])]
        efforts = [{"value": each, "name": name} for each, name in words.EFFORTS.items()]
        return [
            _select("mode", words.MODE, words.MODE_ABOUT, "mode", self.mode, modes),
            _select("model", words.MODEL, words.MODEL_ABOUT, "model", self.model, models),
            _select("effort", words.EFFORT, words.EFFORT_ABOUT, "thought_level", self.effort, efforts),
        ]

    def state(self) -> Json:
        return {"modes": self.modes(), "configOptions": self.options()}


def _select(option_id: str, name: str, description: str, category: str, current: str, values: list[Json]) -> Json:
    return {
        "id": option_id,
        "name": name,
        "description": description,
        "category": category,
        "type": "select",
        "currentValue": current,
        "options": values,
    }
