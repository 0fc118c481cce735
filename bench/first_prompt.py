"""The first prompt of a fresh process, sent at once: CPU of `baton acp`, `run` and `gateway` until it is answered.

For each provider a process of its own speaks its protocol and answers at once, so that what is measured is everything
beyond the model: the start, the imports, the request, the turn and its synced entries. The floor is a bare interpreter
that sends a request of the same size to the same server. Rounds and floors take turns; compiled files are there.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

import yaml

from bench.bot_service import BotService
from bench.editor import Editor
from bench.figure import PROCESS, Figure
from bench.gateway_growth import Watched, config, running
from bench.peers import hermes_turn
from bench.plan import Plan
from bench.progress import say
from bench.startup import baton, environment
from bench.timing import Timing

ASKED = "What is in the notes?"
ANSWER = "Milk."
TOPIC = 7
GIVE_UP = 60.0
PROVIDERS = {
    "chat": ("OpenAIServer", "openai:gpt-4o-mini"),
    "responses": ("OpenAIServer", "openai-responses:gpt-5-mini"),
    "anthropic": ("AnthropicServer", "anthropic:claude-sonnet-5-5"),
    "google": ("GoogleServer", "google:gemini-3.8-flash"),
    "ollama": ("OpenAIServer", "ollama:qwen3:8b"),
    "openrouter": ("OpenRouterServer", "openrouter:anthropic/claude-sonnet-5.5"),
    "mistral": ("MistralServer", "mistral:mistral-large-latest"),
    "zai": ("ZaiServer", "zai:glm-5.3"),
    "cerebras": ("CerebrasServer", "cerebras:gpt-oss-120b"),
}
FLOOR_IS = "a bare interpreter that sends a request of the same size to the same server"
BARE = """
import http.client, json, sys
host, path = sys.argv[1], sys.argv[2]
connection = http.client.HTTPConnection(host)
connection.request("POST", path, json.dumps({"rest": "x" * 40_000}), {"content-type": "application/json"})
connection.getresponse().read()
"""


@dataclass
class Lane:
    """One provider: CPU milliseconds of each round, of an editor's agent, `baton run`, a gateway, and the floor."""

    name: str
    variables: Mapping[str, str]
    home: Path
    acp: list[float] = field(default_factory=list[float])
    run: list[float] = field(default_factory=list[float])
    gateway: list[float] = field(default_factory=list[float])
    floor: list[float] = field(default_factory=list[float])

    def round(self) -> None:
        self.acp.append(self._prompt_in_an_editor())
        self.run.append(_cpu([*baton(), "run", ASKED], self.variables, self.home))
        self.gateway.append(asyncio.run(self._message_to_a_gateway()))
        host, path = self.variables["SERVER"].removeprefix("http://").partition("/")[::2]
        self.floor.append(_cpu([sys.executable, "-c", BARE, host, f"/{path}"], self.variables, self.home))

    def forget(self) -> None:
        for noted in (self.acp, self.run, self.gateway, self.floor):
            noted.clear()

    def figures(self) -> list[Figure]:
        floor = Timing.of(self.floor)
        return [
            Figure(f"first_prompt_{how}_{self.name}", PROCESS, None, Timing.of(noted), floor, FLOOR_IS)
            for how, noted in (("acp", self.acp), ("run", self.run), ("gateway", self.gateway))
        ]

    def _prompt_in_an_editor(self) -> float:
        with Editor([*baton(), "acp"], self.variables, self.home) as editor:
            editor.ask("initialize", protocolVersion=1, clientCapabilities={})
            made = editor.ask("session/new", cwd=str(self.home), mcpServers=[])
            prompt = [{"type": "text", "text": ASKED}]
            answer = editor.ask("session/prompt", sessionId=made["sessionId"], prompt=prompt)
            assert answer["stopReason"] == "end_turn", answer
            return editor.cpu()

    async def _message_to_a_gateway(self) -> float:
        """Sent as soon as it is connected; with the CPU of its start."""
        async with BotService(ANSWER) as service:
            Path(self.variables["BATON_HOME"], "config.yaml").write_text(yaml.safe_dump(config(service.url)))
            command = [*baton(), "gateway"]
            async with running(command, self.home, dict(self.variables), "telegram: connected") as pid:
                await service.ask([TOPIC], ASKED, GIVE_UP)
                return Watched(pid, service).cpu()


def measure(work: Path, plan: Plan) -> list[Figure]:
    """The first round of each, which compiles and makes its store, is not counted."""
    with hermes_turn.serving(_serve) as places:
        lanes = [_lane(name, places[name], work / f"first-{name}") for name in PROVIDERS]
        say(f"first prompts of {len(lanes)} providers, {plan.editors} rounds")
        for number in range(plan.editors + 1):
            for lane in lanes:
                lane.round()
                if number == 0:
                    lane.forget()
    return [figure for lane in lanes for figure in lane.figures()]


def _lane(name: str, place: Mapping[str, str], home: Path) -> Lane:
    home.mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet"], cwd=home, check=True)
    return Lane(name, environment(home) | place | {"BATON_MODEL": PROVIDERS[name][1]}, home)


def _cpu(command: list[str], variables: Mapping[str, str], cwd: Path) -> float:
    """Milliseconds of CPU of the process and the children it has waited for."""
    null = subprocess.DEVNULL
    process = subprocess.Popen(command, env=dict(variables), cwd=cwd, stdin=null, stdout=null, stderr=subprocess.PIPE)
    assert process.stderr
    told = process.stderr.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stderr.close()
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}: {told.decode()[-500:]}")
    return (used.ru_utime + used.ru_stime) * 1000


def _serve(ready: Connection) -> None:
    """Tells the variables that lead to each provider's server."""
    asyncio.run(_serve_all(ready))


async def _serve_all(ready: Connection) -> None:
    from tests.support import model_servers
    from tests.support.model_servers import say as answer

    async with contextlib.AsyncExitStack() as stack:
        places: dict[str, dict[str, str]] = {}
        for name, (kind, _) in PROVIDERS.items():
            server = await stack.enter_async_context(getattr(model_servers, kind)([answer(ANSWER)]))
            leading = {"OLLAMA_API_KEY": model_servers.KEY, "OLLAMA_BASE_URL": server.url}
            places[name] = (leading if name == "ollama" else server.environ) | {"SERVER": server.url}
        ready.send(places)
        await asyncio.Event().wait()
