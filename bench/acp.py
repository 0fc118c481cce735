"""An agent as an editor meets it: started and greeted, the first thread opened, and a prompt on a model that answers at
once.

Every round starts a process of its own, over real pipes, with compiled files but nothing else warm. The first prompt,
before which agents load what they put off, is counted apart from those that follow, and by the CPU since the start
of its process. With a peer both take turns, round by round, on the same model server.
"""

from __future__ import annotations

import http.client
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import after_kill, first_prompt
from bench.editor import TICK, Editor
from bench.figure import PROCESS, Figure
from bench.peers import hermes_acp, hermes_turn
from bench.peers.environment import PeerUnavailable
from bench.plan import Plan
from bench.progress import say
from bench.startup import baton, environment
from bench.timing import Timing

PROMPT = [{"type": "text", "text": hermes_turn.ASKED}]
FOLLOWING = 5
MODEL = "openai-chat:gpt-4o-mini"
NAMES = ("acp_initialize", "acp_session", "acp_prompt")
FIRST = "acp_first_prompt"
BESIDE = ("first_prompt", "cpu")
FLOORS = (
    "`python -c pass` by the same interpreter",
    "`python -c pass` by the same interpreter",
    "a bare request of the same size to the same model server",
)


@dataclass
class Lane:
    """One agent, over all rounds: milliseconds by the clock of each step, and of CPU until the first thread is open."""

    command: Sequence[str]
    variables: dict[str, str]
    workspace: Path
    steps: dict[str, list[float]] = field(default_factory=lambda: {name: [] for name in (*NAMES, FIRST, *BESIDE)})

    def round(self) -> None:
        with Editor(self.command, self.variables, self.workspace) as editor:
            editor.ask("initialize", protocolVersion=1, clientCapabilities={})
            greeted = time.perf_counter_ns()
            made = editor.ask("session/new", cwd=str(self.workspace), mcpServers=[])
            opened = time.perf_counter_ns()
            self._note("cpu", editor.cpu())
            self._note("acp_initialize", (greeted - editor.began) / 1e6)
            self._note("acp_session", (opened - greeted) / 1e6)
            self._note("first_prompt", _prompted(editor, made["sessionId"]))
            self._note(FIRST, editor.cpu())
            self._note("acp_prompt", statistics.median(_prompted(editor, made["sessionId"]) for _ in range(FOLLOWING)))

    def _note(self, name: str, milliseconds: float) -> None:
        self.steps[name].append(milliseconds)

    def forget(self) -> None:
        for noted in self.steps.values():
            noted.clear()

    def facts(self) -> dict[str, Any]:
        return {name: statistics.median(self.steps[name]) for name in BESIDE}


def measure(work: Path, plan: Plan) -> list[Figure]:
    """The first round of each, which compiles and makes its store, is not counted."""
    with hermes_turn.serving() as port:
        ours = _baton(work / "acp", port)
        peer = _peer(work / "acp-peer", port) if plan.peer else None
        lanes = [ours, *([peer] if peer else [])]
        say(f"opening {len(lanes)} agents as an editor does, {plan.editors} rounds")
        floors: list[tuple[float, float]] = []
        for number in range(plan.editors + 1):
            for lane in lanes if number % 2 else reversed(lanes):
                lane.round()
            floors.append((_nothing(), _bare(port)))
            if number == 0:
                for lane in lanes:
                    lane.forget()
                floors.clear()
    return [*_figures(ours, peer, floors), *after_kill.measure(work, plan), *first_prompt.measure(work, plan)]


def _figures(ours: Lane, peer: Lane | None, floors: Sequence[tuple[float, float]]) -> list[Figure]:
    nothing, bare = ([each[side] for each in floors] for side in (0, 1))
    made: list[Figure] = []
    for name, floor, floor_is in zip(NAMES, (nothing, nothing, bare), FLOORS, strict=True):
        facts = ours.facts() | (_beside(name, ours, peer) if peer else {})
        made.append(Figure(name, PROCESS, None, Timing.of(ours.steps[name]), Timing.of(floor), floor_is, facts))
    facts = _beside(FIRST, ours, peer) if peer else {}
    return [*made, Figure(FIRST, PROCESS, baton=Timing.of(ours.steps[FIRST]), facts=facts)]


def _beside(name: str, ours: Lane, peer: Lane) -> dict[str, Any]:
    """`share` is the median over all rounds of Baton's time as a part of the peer's; `share_fastest` of the fastest."""
    mine, theirs = ours.steps[name], peer.steps[name]
    shares = [one / max(other, TICK) for one, other in zip(mine, theirs, strict=True)]
    told = {"median": statistics.median(theirs), "min": min(theirs), **peer.facts()}
    return {"peer": told, "share": statistics.median(shares), "share_fastest": min(mine) / max(min(theirs), TICK)}


def _prompted(editor: Editor, session_id: str) -> float:
    started = time.perf_counter_ns()
    answer = editor.ask("session/prompt", sessionId=session_id, prompt=PROMPT)
    spent = (time.perf_counter_ns() - started) / 1e6
    assert answer["stopReason"] == "end_turn", answer
    return spent


def _baton(home: Path, port: int) -> Lane:
    workspace = _workspace(home)
    model = {"OPENAI_API_KEY": "none", "OPENAI_BASE_URL": _url(port), "BATON_MODEL": MODEL}
    return Lane([*baton(), "acp"], environment(home) | model, workspace)


def _peer(home: Path, port: int) -> Lane | None:
    workspace = _workspace(home)
    try:
        return Lane(*hermes_acp.agent(home, _url(port), lambda line: say(f"hermes: {line}")), workspace)
    except PeerUnavailable as reason:
        say(f"without the peer: {reason}")
        return None


def _workspace(home: Path) -> Path:
    place = home / "workspace"
    place.mkdir(parents=True)
    subprocess.run(["git", "init", "--quiet"], cwd=place, check=True)
    return place


def _url(port: int) -> str:
    return f"http://127.0.0.1:{port}/v1"


def _nothing() -> float:
    started = time.perf_counter_ns()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return (time.perf_counter_ns() - started) / 1e6


def _bare(port: int) -> float:
    body = json.dumps({"stream": True, "messages": PROMPT, "rest": "x" * 12_000})
    started = time.perf_counter_ns()
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("POST", "/v1/chat/completions", body, {"content-type": "application/json"})
    connection.getresponse().read()
    connection.close()
    return (time.perf_counter_ns() - started) / 1e6
