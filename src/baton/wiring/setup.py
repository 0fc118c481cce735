"""What `baton setup` and a first start find here, and how their choice is kept."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from baton.adapters.models.local.catalogue import find
from baton.adapters.models.open import open_model
from baton.adapters.models.registry import EMBEDDED, PROVIDERS, address
from baton.adapters.models.served import list_served
from baton.config.credentials import keep_credential
from baton.config.edit import set_key, unset_key
from baton.config.extras import install_line, is_installed
from baton.core.agent.message import Prompt, UserMessage
from baton.core.errors import BatonError
from baton.surfaces.shared.formats import size as format_size
from baton.surfaces.shared.setup import DEMO, KEY, SERVER, KeyProvider, Way

if TYPE_CHECKING:
    from baton.ports.model import Pull
    from baton.wiring.agent import WorkspaceAgent
    from baton.wiring.program import Program

PATIENCE = 60.0
NAMES = {"ollama": "Ollama", "lmstudio": "LM Studio", "vllm": "vLLM"}
KEYS = "Anthropic, OpenAI, Google, OpenRouter … (or set its variable)"
ANSWERS = "{name} answers on this machine: {models}"
EMPTY = "{name} answers on this machine and has no model yet"
NO_SERVER = "none answers; Ollama, LM Studio and vLLM are looked for"
SMALL = "{title}, {size} from {source}, for a first try"
HERE = "{title}, here already, for a first try"
NEEDS = "{title}, for a first try; needs: {line}"
SLOW = "nothing came within {seconds:.0f} seconds"
_SHOWN = 3
_WORD = Prompt("Answer with one word.", (UserMessage("Say hello."),), ())


class HereSetup:
    """Implements `surfaces.shared.setup.Setup`."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def list_ways(self) -> Sequence[Way]:
        return [Way(KEY, "An API key", KEYS, ("",)), *_find_servers(), self._describe_demo()]

    def list_providers(self) -> Sequence[KeyProvider]:
        rows = [row for row in PROVIDERS.values() if row.keys and row.default and not row.local]
        return [KeyProvider(row.name, row.keys[0], f"{row.name}:{row.default}") for row in rows]

    async def try_model(self, model: str, variable: str = "", key: str = "") -> str:
        environ = {**os.environ, **({variable: key} if variable else {})}
        try:
            opened = open_model(model, environ, http_timeout=PATIENCE)
            try:
                async with asyncio.timeout(PATIENCE):
                    async for _ in opened.stream(_WORD):
                        pass
            finally:
                await opened.close()
        except TimeoutError:
            return SLOW.format(seconds=PATIENCE)
        except BatonError as error:
            return error.parts()[0].strip()
        return ""

    def keep(self, model: str, variable: str = "", key: str = "") -> str:
        locations = self._program.load_config().locations
        path = ""
        if variable:
            path = str(keep_credential(Path(locations.home), variable, key))
            os.environ[variable] = key
        if model == EMBEDDED:
            unset_key(locations, "model")  # what is used when nothing else is set up needs no line
        else:
            set_key(locations, "model", model)
        return path

    def _describe_demo(self) -> Way:
        title = find(EMBEDDED).title.partition("-Instruct")[0]
        if not is_installed("local"):
            return Way(DEMO, "A small demo", NEEDS.format(title=title, line=install_line("local")))
        plan = self._program.local_models().plan_pull(EMBEDDED.partition(":")[2])
        if plan is None:
            return Way(DEMO, "A small demo", HERE.format(title=title), (EMBEDDED,))
        about = SMALL.format(title=title, size=format_size(plan.bytes - plan.kept), source=plan.sources[0])
        return Way(DEMO, "A small demo", about, (EMBEDDED,))


class FirstSetup(HereSetup):
    """Of a chat: whoever chose the demo, with its size and source before their eyes, said yes to its pull. It begins at
    once.
    """

    def __init__(self, program: Program, agent: WorkspaceAgent) -> None:
        super().__init__(program)
        self._agent = agent
        self._loop = asyncio.get_running_loop()

    def keep(self, model: str, variable: str = "", key: str = "") -> str:
        path = super().keep(model, variable, key)
        if model == EMBEDDED:
            self._agent.ask_before_pull(_agree)
            self._loop.call_soon_threadsafe(self._agent.fetch_model)
        return path


async def _agree(_: Pull) -> bool:
    return True


def _find_servers() -> Sequence[Way]:
    found: list[Way] = []
    for name, shown in NAMES.items():
        served = list_served(address(PROVIDERS[name], os.environ))
        if served is None:
            continue
        models = tuple(f"{name}:{each}" for each in served)
        listed = ", ".join(served[:_SHOWN]) + (" …" if len(served) > _SHOWN else "")
        about = ANSWERS.format(name=shown, models=listed) if served else EMPTY.format(name=shown)
        found.append(Way(SERVER, "A local server", about, models))
    return found or [Way(SERVER, "A local server", NO_SERVER)]
