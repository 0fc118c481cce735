"""The secrets a configuration holds, for whoever must keep them out of what leaves."""

from __future__ import annotations

from baton.config.schema import Settings, tree


def secret_values(settings: Settings) -> list[str]:
    """Every text that is set under a secret key."""
    found: list[str] = []
    for path, key in tree().every_key().items():
        if key.secret:
            value: object = settings
            for name in path.split("."):
                value = getattr(value, name)
            found += [value] if isinstance(value, str) else []
    return found
