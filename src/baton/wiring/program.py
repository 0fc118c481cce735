"""One process's parts, each made when it is first asked for."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from baton.core.errors import BatonError
from baton.surfaces.cli.terminal import Terminal

if TYPE_CHECKING:
    from baton.config import Loaded
    from baton.engine.secret_memory import SecretMemory
    from baton.engine.transfer.people import Directory
    from baton.engine.transfer.targets import Targets
    from baton.ports.approver import Approver
    from baton.ports.model import Consent
    from baton.ports.redactor import Redactor
    from baton.ports.store import Finding, Store
    from baton.ports.workspace import LiveWorkspace
    from baton.surfaces.cli.app import Exchange, LocalModels, RepairReport
    from baton.surfaces.shared.chat import Chat, ModelOffer
    from baton.surfaces.shared.setup import Setup


class Program:
    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._loaded: Loaded | None = None
        self._store: Store | None = None
        self._redactor: Redactor | None = None
        self._secrets: SecretMemory | None = None
        self.terminal = Terminal(sys.stdout, sys.stderr, getattr(options, "color", None) or "auto")

    @property
    def flags(self) -> Sequence[str]:
        """What `--set` was given on the command line."""
        return getattr(self._options, "flags", ())

    def load_config(self) -> Loaded:
        if self._loaded is None:
            from baton.config import load_here

            self._loaded = load_here(self.flags)
            self._lend_keys(self._loaded.locations.home)
            ui = self._loaded.settings.ui
            self.terminal.configure(getattr(self._options, "color", None) or ui.color, pager=ui.pager)
        return self._loaded

    def _lend_keys(self, home: Path) -> None:
        """What `baton setup` keeps stands in for what the environment lacks."""
        from baton.config.credentials import lend

        try:
            lend(home, os.environ)
        except BatonError as error:
            self.terminal.note(str(error))

    def store(self) -> Store:
        if self._store is None:
            from baton.adapters.stores.open import open_store

            timeout = self.load_config().settings.store.busy_timeout
            self._store = open_store(self._url(), busy_timeout=timeout, backup_dir=self._below_home("backups"))
        return self._store

    def repair(self) -> RepairReport:
        from baton.adapters.stores.open import repair_store

        return repair_store(self._url(), self.load_config().settings.store.busy_timeout)

    def store_location(self) -> str:
        from baton.config.masking import mask_url

        return mask_url(self._url())

    def models(self) -> tuple[Sequence[ModelOffer], str]:
        from baton.adapters.models.registry import default_model, usable

        return usable(os.environ), default_model(os.environ, self.load_config().settings.model)

    def checkup(self) -> Iterable[Finding]:
        from baton.wiring.checkup import checkup

        return checkup(self.load_config(), self.store)

    def local_models(self) -> LocalModels:
        from baton.wiring.local_models import EmbeddedModels

        return EmbeddedModels(self._below_home("models"), self.load_config().settings.local_model.mirror or "")

    def setup(self) -> Setup:
        from baton.wiring.setup import HereSetup

        return HereSetup(self)

    def workspace(self) -> LiveWorkspace:
        from baton.wiring.handoffs import open_live_workspace

        return open_live_workspace(os.getcwd(), str(self.load_config().locations.home))

    async def chat(
        self, approver: Approver, *, surface: str, model: str | None, mode: str | None, workspace: str | None = None
    ) -> Chat:
        from baton.wiring.build import begin_agent, make_chat, make_spec

        spec = make_spec(self.load_config(), workspace or os.getcwd(), model, mode)
        agent = begin_agent(spec, approver, self.store, secrets=self.secrets)
        agent.ask_before_pull(self._pull_consent())
        progress = self.terminal.progress("Pulling the model")
        agent.watch_model(lambda done, total, _: progress(done, total))
        lease = self.load_config().settings.store.lease
        return make_chat(self.store(), agent, surface=surface, lease=lease, targets=self.targets())

    def _pull_consent(self) -> Consent:
        from baton.surfaces.cli.question import PullConsent, can_ask

        told = getattr(self._options, "json", False) or getattr(self._options, "yes", False)
        return PullConsent(asks=not told and can_ask())

    def targets(self) -> Targets:
        from baton.wiring.people import open_targets

        return open_targets(self.store(), self.load_config().settings)

    def directory(self) -> Directory:
        from baton.wiring.people import open_directory

        return open_directory(self.store(), self.load_config().settings)

    def describe_missing(self, platform: str) -> str:
        from baton.wiring.checkup import describe_missing

        return describe_missing(self.load_config(), platform)

    def gateway(self, *, model: str | None, mode: str | None) -> int:
        import asyncio

        from baton.wiring.gateway import run_gateway
        from baton.wiring.redaction import clean_logs

        clean_logs(self.clean)
        return asyncio.run(run_gateway(self, model, mode, self.terminal.note))

    def tui(self, resume: str | None, *, model: str | None, mode: str | None, go_on: bool = False) -> int:
        from baton.wiring.tui import run_tui

        return run_tui(self, resume, model, mode, go_on=go_on)

    def acp(self, *, model: str | None, mode: str | None, unstable: bool) -> int:
        from baton.config.layers import locate_here
        from baton.surfaces.acp.serve import serve_stdio
        from baton.wiring.acp import EditorHost
        from baton.wiring.redaction import clean_logs

        clean_logs(self.clean)
        self._lend_keys(locate_here().home)
        return serve_stdio(EditorHost(self, model, mode, self.flags), unstable=unstable)

    def check_acp(self, *, model: str | None, mode: str | None) -> Sequence[Exchange]:
        from baton.surfaces.acp.check import check
        from baton.surfaces.shared.process import agent_words

        return check(agent_words(model, mode, self.flags))

    @property
    def secrets(self) -> SecretMemory:
        """What conversations have shown: one memory for all surfaces of the process."""
        if self._secrets is None:
            from baton.engine.secret_memory import SecretMemory

            self._secrets = SecretMemory(self.store)
        return self._secrets

    def clean(self, text: str, conversation_id: str = "") -> str:
        """For what is logged or named; the secrets are those known at the first line, and those that conversations have
        shown since.
        """
        if self._redactor is None:
            from baton.wiring.redaction import open_workspace_redactor

            loaded = self.load_config()
            home = str(loaded.locations.home)
            self._redactor = open_workspace_redactor(os.getcwd(), home, loaded.settings, dict(os.environ))
        return self.secrets.clean(self._redactor, text, conversation_id)

    def close(self) -> None:
        if self._store is not None:
            self._store.close()

    def _below_home(self, name: str) -> str:
        return os.path.join(self.load_config().locations.home, name)

    def _url(self) -> str:
        return self.load_config().settings.store.url or self._below_home("baton.db")
