# ruff: noqa: E501 (a line of a text is easier to read in one line)
"""Redaction of what agents read all day, beside a plain scan by Hyperscan and by google-re2 of the same text.

The scans look for the same anchors and decide nothing: what they take is what no redactor on these libraries can save.
Source is the standard library's; the other texts are made up, seeded, and full of vendors' names and of words such as
`token`, which makes them slower to read than most real ones.
"""

from __future__ import annotations

import random
import sysconfig
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from baton.adapters.redaction.prefilter import Cache, Prefilter, Re2Prefilter, open_prefilter
from baton.adapters.redaction.redactor import layers
from baton.ports.redactor import Redactor
from bench import texts
from bench.figure import PROCESS, Figure, against_floor
from bench.secrets import damage
from bench.timing import Pair

SIZE = 100_000
ROUNDS = 3
FLOOR_IS = "a plain Hyperscan scan for the same anchors"
_WORDS = ("adapters", "auth", "engine", "handoff", "key", "models", "packet", "session", "stores", "surfaces", "token")


Peers = Mapping[str, Prefilter]


def plain_scans(work: Path) -> Peers:
    """By the library: what looks for the same anchors and decides nothing."""
    anchors = [anchor for layer in layers() for anchor in layer.anchors()]
    return {"hyperscan": open_prefilter(anchors, Cache(str(work / "plain"))), "re2": Re2Prefilter(anchors)}


def measure(redactor: Redactor, peers: Peers, rounds: int = ROUNDS) -> list[Figure]:
    return [_figure(f"redact_{name}", redactor, peers, make()[:SIZE], rounds) for name, make in TEXTS.items()]


def by_turns(redactor: Redactor, peers: Peers, text: str, rounds: int = ROUNDS) -> dict[str, list[float]]:
    """Milliseconds of CPU of each for the same text, one right after the other in each round."""
    data = text.encode()
    calls: dict[str, Callable[[], object]] = {"baton": lambda: redactor.redact(text)}
    for peer, prefilter in peers.items():
        calls[peer] = lambda prefilter=prefilter: prefilter.ends(data)
    taken: dict[str, list[float]] = {each: [] for each in calls}
    for _ in range(rounds):
        for each, call in calls.items():
            taken[each].append(_milliseconds(call))
    return taken


def _figure(name: str, redactor: Redactor, peers: Peers, text: str, rounds: int) -> Figure:
    by_turns(redactor, peers, text, rounds=1)
    taken = by_turns(redactor, peers, text, rounds)
    pairs = [([ours], [theirs]) for ours, theirs in zip(taken["baton"], taken["hyperscan"], strict=True)]
    megabytes = len(text.encode()) / 1e6
    facts = {
        "milliseconds_a_megabyte": min(taken["baton"]) / megabytes,
        "megabytes_per_second": {each: round(1000 * megabytes / min(times), 1) for each, times in taken.items()},
        "cuts": sum(found.count for found in redactor.redact(text).found),
    }
    return against_floor(name, PROCESS, None, Pair.of(pairs), FLOOR_IS, facts)


def _milliseconds(call: Callable[[], object]) -> float:
    began = time.process_time_ns()
    call()
    return max(1, time.process_time_ns() - began) / 1e6


def _source() -> str:
    modules = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    return "".join(module.read_text(encoding="utf-8", errors="replace") for module in modules[:60])


def _git_log() -> str:
    dice = random.Random(texts.SEED)
    path = lambda: "/".join(dice.choice(_WORDS) for _ in range(3)) + ".py"  # noqa: E731
    return "".join(
        f"commit {dice.randbytes(20).hex()}\nAuthor: Ada <ada{dice.randrange(99)}@example.org>\n"
        f"Date:   Wed May 27 12:34:{dice.randrange(10, 60)} 2026 +0200\n\n    {dice.choice(_WORDS)}: {texts.message(number, 120)}\n\n"
        + "".join(f" {path()} | {dice.randrange(90)} ++++--\n" for _ in range(4))
        + "\n"
        for number in range(700)
    )


def _yaml() -> str:
    dice = random.Random(texts.SEED)
    return "".join(
        f"- name: {dice.choice(_WORDS)}-{dice.choice(_WORDS)}\n  description: {texts.message(number, 90)}\n  image: registry.example.org/"
        f"{dice.choice(_WORDS)}:{dice.randrange(9)}.{dice.randrange(40)}\n  env:\n  - name: LOG_LEVEL\n"
        f"    value: {dice.choice(_WORDS)}\n  resources: {{cpu: {dice.randrange(900)}m, memory: {dice.randrange(900)}Mi}}\n"
        for number in range(1_200)
    )


def _made(name: str) -> Callable[[], str]:
    def make() -> str:
        dice = random.Random(texts.SEED)
        parts: list[str] = []
        while sum(map(len, parts)) < SIZE:
            parts.append(damage.FILES[name](dice))
        return "".join(parts)

    return make


TEXTS: dict[str, Callable[[], str]] = {
    "source": _source,
    "git_log": _git_log,
    "json": _made("gh api"),
    "yaml": _yaml,
    "package_lock": _made("package-lock.json"),
    "poetry_lock": _made("poetry.lock"),
    "go_sum": _made("go.sum"),
    "pnpm_lock": _made("pnpm-lock.yaml"),
    "cargo_lock": _made("Cargo.lock"),
}
