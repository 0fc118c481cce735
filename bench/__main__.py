"""`python -m bench`: measures, prints tables, writes JSON and the growth chart."""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from bench import comparison, plan, report, run, server, targets
from bench.peers import hermes
from bench.peers.environment import PeerUnavailable
from bench.progress import say

TAKING_TURNS = {"acp"}
"""The peer is measured together with Baton, not by its probe."""

RESULTS = Path(__file__).resolve().parent / "results"
EXAMPLES = """
examples:
  python -m bench --quick                      a few minutes, small stores
  python -m bench --peer hermes --check        everything, beside Hermes Agent; fails if a target is missed
  python -m bench --only append load           two operations at every size
  python -m bench --only acp --peer hermes     `baton acp` and the peer's, by turns
  python -m bench --postgres postgresql://…    with a server of yours; its own schemas are dropped afterwards
"""


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m bench",
        description="Measures Baton's store and command line as multiples of the bare database and interpreter.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--quick", action="store_true", help="small stores and few repetitions")
    made.add_argument("--only", nargs="+", choices=run.NAMES, default=[], metavar="NAME", help=", ".join(run.NAMES))
    made.add_argument("--peer", choices=["hermes"], help="measure it too, in the same run (installed on first use)")
    made.add_argument(
        "--postgres", default=server.AUTO, metavar="URL|auto|none", help="default: auto, a private server"
    )
    made.add_argument("--json", type=Path, default=RESULTS / "latest.json", metavar="OUT", help="default: %(default)s")
    made.add_argument("--plot", type=Path, metavar="SVG", help="write the growth chart there")
    made.add_argument("--work", type=Path, metavar="DIR", help="the disk to measure; default: the temporary directory")
    made.add_argument("--check", action="store_true", help="exit with 1 if a target is missed")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """0, or 1 with `--check` if a target was missed."""
    options = parser().parse_args(arguments)
    chosen = replace(plan.QUICK if options.quick else plan.FULL, peer=options.peer)
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="baton-bench-", dir=options.work) as work:
        with server.postgres(options.postgres) as url:
            figures = run.measure(chosen, options.only, url, Path(work))
        probed = not options.only or set(options.only) - TAKING_TURNS
        peers = _peers(options.peer if probed else None, chosen, Path(work))
    verdicts = targets.judge(figures)
    lines = comparison.compare(figures, peers[-1]) if peers else []
    result = report.as_json(chosen.mode, figures, verdicts, peers, lines, time.monotonic() - began)
    _write(options.json, json.dumps(result, indent=1, ensure_ascii=False))
    if options.plot:
        from bench.plot import growth_chart

        _write(options.plot, growth_chart(result))
    print(_title(chosen), report.as_text(figures, verdicts, lines), sep="\n\n")
    missed = any(verdict.met is False for verdict in verdicts)
    return 1 if options.check and missed else 0


def _peers(name: str | None, chosen: plan.Plan, work: Path) -> list[dict[str, Any]]:
    """The peer's figures, smaller size first; none, after saying why, if it cannot be measured."""
    if name is None:
        return []
    try:
        return [hermes.measure(work, asked, _tell) for asked in comparison.asked_of_peer(chosen)]
    except PeerUnavailable as reason:
        say(f"without {name}: {reason}")
        return []


def _tell(line: str) -> None:
    say(f"hermes: {line}")


def _title(chosen: plan.Plan) -> str:
    sizes = ", ".join(map(str, chosen.sizes))
    lines = [f"Baton's benchmark, {chosen.mode}: stores of {sizes} sessions/entries; medians."]
    if chosen.quick:
        lines.append("Quick: small stores and few repetitions, so growth is seen over less.")
    load, cores = os.getloadavg()[1], os.cpu_count() or 1
    if load > cores:
        lines.append(
            f"The machine was busy (load {load:.1f} on {cores} cores): trust the fastest runs more than medians."
        )
    return "\n".join(lines)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n")
    say(f"wrote {path}")


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # stopped either way, it cleans up
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        say("stopped; nothing is left behind")
        sys.exit(130)
