"""Configuration: YAML files, environment variables and flags, checked into one typed `Settings`.

`load_here()` serves a process, `load(...)` any caller with its own surroundings. What only some commands need stays in
its own module and is imported from there: `baton.config.render` has the rows of `baton config show`, the same for
`--json` and the JSON Schema for editors; `baton.config.reference` makes docs/reference/config.md.
"""

from baton.config.layers import Loaded, load, load_here
from baton.config.locations import Locations
from baton.config.schema import (
    AgentSettings,
    AutoHandoffSettings,
    CheckpointSettings,
    Color,
    Mode,
    SessionsSettings,
    Settings,
    StoreSettings,
    UiSettings,
)
from baton.config.sources import Layer, Source

__all__ = [
    "AgentSettings",
    "AutoHandoffSettings",
    "CheckpointSettings",
    "Color",
    "Layer",
    "Loaded",
    "Locations",
    "Mode",
    "SessionsSettings",
    "Settings",
    "Source",
    "StoreSettings",
    "UiSettings",
    "load",
    "load_here",
]
