"""The model of an agent: opened when a turn first needs it, and kept open when another one is chosen."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from baton.adapters.models.open import open_model, warm
from baton.core.errors import BatonError

if TYPE_CHECKING:
    from baton.adapters.models.plain.lines import Lines
    from baton.config.schema import LocalModelSettings
    from baton.core.agent.message import Prompt
    from baton.ports.model import Consent, Model, Pull

Progress = Callable[[int, int, float], None]
"""Bytes or tokens so far, of how many, after how many seconds."""


class AgentModel:
    """`consent` is asked before the embedded model is pulled; by default the pull is told on standard error and begins.
    `on_pull` and `on_read` hear of its progress, from any thread. An `effort` is how much a model
    thinks before it speaks: low, medium, high, or empty for as much as it does by itself. `lines` are connections that
    it shares with other agents.
    """

    def __init__(self, name: str, home: str, settings: LocalModelSettings, lines: Lines | None = None) -> None:
        self._name = name
        self._directory = os.path.join(home, "models")
        self._settings = settings
        self._lines = lines
        self._opened: dict[str, Model] = {}
        self.consent: Consent | None = None
        self.on_pull: Progress | None = None
        self.on_read: Progress | None = None

    @property
    def name(self) -> str:
        return self._name

    @property
    def embedded(self) -> bool:
        return self._name.startswith("local:")

    def warm(self) -> None:
        """Starts importing what the model needs, in the background."""
        warm(self._name)

    def use(self, name: str, effort: str) -> None:
        """`UnknownModel` or `MissingKey` if it cannot be used; then the one before stays."""
        self._open(name, effort)
        self._name = name
        self.warm()

    def current(self, effort: str = "") -> Model:
        return self._open(self._name, effort)

    def is_here(self) -> bool:
        """Whether it can be asked without being pulled first."""
        if not self.embedded:
            return True
        from baton.adapters.models.local.catalogue import find

        return os.path.exists(os.path.join(self._directory, find(self._name).file))

    async def rehearse(self, prompt: Prompt) -> None:
        """Has the embedded model, if it is here, read the prompt ahead of the first turn."""
        from baton.adapters.models.local.model import LocalModel

        model = self.current()
        if isinstance(model, LocalModel):
            with suppress(BatonError):
                await model.rehearse(prompt)

    async def fetch(self) -> None:
        """Pulls and loads the embedded model. What fails is told by the first turn, which tries again."""
        from baton.adapters.models.local.model import LocalModel

        model = self.current()
        if isinstance(model, LocalModel):
            with suppress(BatonError):
                await model.prepare()

    async def close(self) -> None:
        for model in self._opened.values():
            await model.close()

    def _open(self, name: str, effort: str) -> Model:
        key = f"{name} {effort}" if effort else name
        if key not in self._opened:
            self._opened[key] = open_model(
                name, os.environ, thinking=effort or None, embedded=self._open_embedded, lines=self._lines
            )
        return self._opened[key]

    def _open_embedded(self, name: str) -> Model:
        from baton.adapters.models.local.catalogue import find
        from baton.adapters.models.local.model import LocalModel, Tuning
        from baton.adapters.models.local.sources import find_sources
        from baton.config.extras import require_extra

        require_extra("local")

        def on_pull(done: int, total: int, seconds: float) -> None:
            if self.on_pull is not None:
                self.on_pull(done, total, seconds)

        def on_read(done: int, total: int, seconds: float) -> None:
            if self.on_read is not None:
                self.on_read(done, total, seconds)

        async def consent(plan: Pull) -> bool:
            from baton.surfaces.cli.question import PullConsent

            if self.consent is None:
                self.consent = PullConsent(asks=False)
            return await self.consent(plan)

        given = self._settings
        tuning = Tuning(given.window, given.threads, given.keep_warm)
        sources = find_sources(given.mirror or "")
        return LocalModel(
            self._directory, find(name), tuning, sources=sources, consent=consent, on_pull=on_pull, on_read=on_read
        )
