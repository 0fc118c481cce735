"""The models that run inside Baton, for `baton model`."""

from __future__ import annotations

from baton.adapters.models.local.catalogue import find
from baton.adapters.models.local.holdings import Held, list_models, remove
from baton.adapters.models.local.pull import pull
from baton.adapters.models.local.sources import find_sources, plan_pull
from baton.config.extras import require_extra
from baton.core.errors import NotFound
from baton.ports.model import Pull
from baton.ports.store import Progress
from baton.surfaces.cli.app import LocalModel


class EmbeddedModels:
    """Implements `surfaces.cli.app.LocalModels`."""

    def __init__(self, directory: str, mirror: str = "") -> None:
        self._directory = directory
        self._mirror = mirror

    def list_models(self) -> list[LocalModel]:
        return [_describe(held) for held in list_models(self._directory)]

    def plan_pull(self, name: str) -> Pull | None:
        return plan_pull(find(name), self._directory, find_sources(self._mirror))

    def pull(self, name: str, progress: Progress) -> LocalModel:
        require_extra("local")
        weights, sources = find(name), find_sources(self._mirror)
        path = pull(weights, self._directory, lambda done, total, _: progress(done, total), sources=sources)
        return LocalModel(weights.name, weights.size, True, weights.note, path)

    def remove(self, name: str) -> int:
        weights = find(name)
        freed = remove(weights, self._directory)
        if not freed:
            raise NotFound(
                noun="model here called", value=weights.name, suggestion="`baton model list` shows what is here."
            )
        return freed


def _describe(held: Held) -> LocalModel:
    weights = held.weights
    return LocalModel(weights.name, weights.size, held.state == "ready", f"{weights.title}. {weights.note}", held.path)
