"""Builds everything and starts one surface: the only place that knows adapters."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from baton.surfaces.cli.main import run
from baton.surfaces.cli.terminal import Terminal

if TYPE_CHECKING:
    from baton.config import Loaded
    from baton.ports.store import Store
    from baton.surfaces.cli.app import Mended


class Wiring:
    """One process's parts, each made when it is first asked for."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._loaded: Loaded | None = None
        self._store: Store | None = None
        self.terminal = Terminal(sys.stdout, sys.stderr, getattr(options, "color", None) or "auto")

    def loaded(self) -> Loaded:
        if self._loaded is None:
            from baton.config import load_here

            self._loaded = load_here(getattr(self._options, "flags", ()))
            ui = self._loaded.settings.ui
            self.terminal.configure(getattr(self._options, "color", None) or ui.color, pager=ui.pager)
        return self._loaded

    def store(self) -> Store:
        if self._store is None:
            from baton.adapters.stores.open import open_store

            loaded = self.loaded()
            backups = os.path.join(loaded.locations.home, "backups")
            timeout = loaded.settings.store.busy_timeout
            self._store = open_store(self._url(), busy_timeout=timeout, backup_dir=backups)
        return self._store

    def repair(self) -> Mended:
        from baton.adapters.stores.repair import repair_store

        return repair_store(self._url(), self.loaded().settings.store.busy_timeout)

    def store_location(self) -> str:
        from baton.config.masking import masked

        return masked(self._url())

    def close(self) -> None:
        if self._store is not None:
            self._store.close()

    def _url(self) -> str:
        loaded = self.loaded()
        return loaded.settings.store.url or os.path.join(loaded.locations.home, "baton.db")


def main(arguments: list[str]) -> int:
    made: list[Wiring] = []

    def make(options: argparse.Namespace) -> Wiring:
        made.append(Wiring(options))
        return made[-1]

    try:
        return run(arguments, make)
    finally:
        for wiring in made:
            wiring.close()
