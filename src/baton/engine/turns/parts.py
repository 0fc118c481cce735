"""What a turn is made of: the model, the tools, and how patient it is."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import lru_cache

from baton.core.agent.event import Noticed
from baton.core.agent.message import ToolSpec
from baton.core.agent.tokens import estimate
from baton.core.handoff.compression import Limits
from baton.core.value import value
from baton.engine.handoff.packets import HandoffKit
from baton.engine.turns.step import Patience
from baton.engine.turns.toolbox import Toolbox
from baton.ports.model import Model


@value
class TurnSettings:
    system: str
    patience: Patience = Patience()
    limits: Limits = Limits()
    max_steps: int = 100
    handoff: HandoffKit | None = None


@value
class Parts:
    """What a turn is made of; made anew for each turn, so that a change of model or mode takes effect at once.

    `notices` are for people, and are emitted once, when the turn begins.
    """

    model: Model
    toolbox: Toolbox
    settings: TurnSettings
    notices: tuple[Noticed, ...] = ()

    @property
    def overhead(self) -> int:
        """Tokens that are sent in addition to the entries."""
        return _estimate_system(self.settings.system) + sum(map(_estimate_tool, self.toolbox.specs))


_MOST_TOOLS = 1000
_measured: dict[int, tuple[ToolSpec, int]] = {}
"""By identity: a tool is told to every model in the same words, turn after turn."""
_estimate_system = lru_cache(maxsize=16)(estimate)


def _estimate_tool(spec: ToolSpec) -> int:
    held = _measured.get(id(spec))
    if held is None:
        if len(_measured) >= _MOST_TOOLS:
            _measured.clear()
        held = _measured[id(spec)] = spec, estimate(f"{spec.name} {spec.description} {spec.parameters}")
    return held[1]


MakeParts = Callable[[], Awaitable[Parts]]
"""May take its time: a turn waits for its parts, and can be cancelled meanwhile."""
