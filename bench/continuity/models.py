"""Real models for the lanes that ask one, by the names that `baton --model` takes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from baton.adapters.models.open import open_model as open_by_name
from baton.core.agent.message import Prompt, UserMessage
from baton.core.errors import BatonError
from baton.ports.model import Model, Text

LOCAL = Path(os.environ.get("BATON_HOME", Path.home() / ".local" / "share" / "baton")) / "models"
NOT_CONFIGURED = "No model is configured for {name!r}: {reason} Nothing was asked, and no figure of a model is given."


class NotConfigured(Exception):
    """The model cannot be asked; its message says why."""


def open_model(name: str, directory: Path | None = None) -> Model:
    """`provider:name`; `local:NAME` runs from `directory`, or where Baton keeps its models. Nothing is downloaded."""
    try:
        return open_by_name(name, dict(os.environ), embedded=lambda model: _local(model, directory or LOCAL))
    except BatonError as error:
        raise NotConfigured(NOT_CONFIGURED.format(name=name, reason=str(error))) from None


def _local(name: str, directory: Path) -> Any:
    from baton.adapters.models.local.catalogue import find
    from baton.adapters.models.local.model import LocalModel

    weights = find(name)
    if not (directory / weights.file).is_file():
        reason = f"{weights.file} is not in {directory}; `baton model pull {weights.name}` fetches it."
        raise NotConfigured(NOT_CONFIGURED.format(name=f"local:{name}", reason=reason))
    return LocalModel(str(directory), weights)


async def ask(model: Model, system: str, text: str) -> str:
    """The words of one answer."""
    said = ""
    async for piece in model.stream(Prompt(system, (UserMessage(text),), ())):
        if isinstance(piece, Text):
            said += piece.text
    return said
