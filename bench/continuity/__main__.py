"""`python -m bench.continuity DIR`: chains handoffs through transcripts and says what was carried."""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from baton.adapters.importers import registry
from baton.core.errors import BadInput
from bench.continuity import ask, report, tables
from bench.continuity.chain import Runner, Session, longest
from bench.continuity.models import NotConfigured, open_model
from bench.continuity.redaction import product_clean
from bench.continuity.sources import planted, transcripts
from bench.progress import say

EXAMPLES = """
DIR holds one transcript per file: its .jsonl and .json files at the top level, not in directories below. Files that end
in .truth.json are not transcripts: what was planted is read from them (beside a transcript, in DIR.truth, or --truth).

Each transcript is cut into N equal generations, and N handoffs are chained through them. The document after the k-th
handoff is scored against the facts of everything before the k-th cut. Where the source compacted its context itself,
the same is measured at those cuts, beside the summary it wrote. Of several files of one session the longest counts. No
model takes part, unless --ask names one.

examples:
  python -m bench.continuity.corpus corpus --count 40 --seed 1
  python -m bench.continuity corpus/claude-code --json out.json --packets packets --plot recall.svg
  python -m bench.continuity ~/.claude/projects/-home-me-project --handoffs 8
"""


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m bench.continuity",
        description="Measures what of a conversation is still there after n handoffs: recall, precision, staleness, "
        "leaks, size. Beside it: in-place compression without a model, and head-and-tail truncation.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("directory", type=Path, metavar="DIR", help="transcripts, one per file (or one file)")
    known = (registry.AUTO, *registry.names())
    made.add_argument("--format", choices=known, default=registry.AUTO, help="default: auto, by looking at each file")
    made.add_argument("--handoffs", type=_count, default=10, metavar="N", help="default: 10")
    made.add_argument("--json", type=Path, metavar="OUT", help="write every figure there")
    made.add_argument("--packets", type=Path, metavar="OUTDIR", help="write packets there, as <file stem>.<k>.md")
    made.add_argument("--plot", type=Path, metavar="SVG", help="write a chart of recall by n there")
    made.add_argument("--truth", type=Path, metavar="DIR", help="where the .truth.json files are")
    made.add_argument("--ask", metavar="MODEL", help="provider:name: put questions to it, the packet its only context")
    made.add_argument("--questions", type=int, default=30, metavar="N", help="how many of them; default: 30")
    made.add_argument("--models", type=Path, metavar="DIR", help="where local: models are")
    return made


def _count(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not allowed: 1 to 100")
    return int(text)


def main(arguments: Sequence[str] | None = None) -> int:
    """0; 1 if no transcript could be read, 2 if DIR is not there."""
    options = parser().parse_args(arguments)
    if not options.directory.exists():
        say(f"there is no {options.directory}")
        return 2
    model = None
    if options.ask:
        try:
            model = open_model(options.ask, options.models)
        except NotConfigured as error:
            say(str(error))
            return 2
    began = time.monotonic()
    with product_clean() as clean:
        sessions, failed = _run(options, Runner(options.handoffs, clean))
    if not sessions:
        say(f"no transcript could be read in {options.directory} (.jsonl and .json files at the top level)")
        return 1
    counted = longest(sessions)
    if len(counted) < len(sessions):
        say(f"{len(sessions) - len(counted)} files are earlier states of others and do not count")
    result = report.as_json(counted, options.handoffs, time.monotonic() - began, failed)
    if model is not None:
        documents = [(session.packets[-1], session.truth) for session in counted if session.truth]
        result["asked"] = ask.as_json(options.ask, ask.ask_all(model, documents, options.questions))
    if options.json:
        _write(options.json, json.dumps(result, indent=1, ensure_ascii=False))
    if options.plot:
        from bench.continuity.plot import continuity_chart

        _write(options.plot, continuity_chart(result))
    print(tables.as_text(result))
    if "asked" in result:
        print(f"\n{ask.as_text(result['asked'])}")
    return 0


def _run(options: argparse.Namespace, runner: Runner) -> tuple[list[Session], dict[str, str]]:
    sessions: list[Session] = []
    failed: dict[str, str] = {}
    paths = transcripts(options.directory)
    for number, path in enumerate(paths, 1):
        try:
            imported = registry.read(path, options.format)
        except BadInput as error:
            failed[path.name] = str(error)
            say(f"{number}/{len(paths)} {path.name}: left out: {error}")
            continue
        done = runner.run(path.stem, imported, planted(path, options.truth))
        sessions.append(done)
        if options.packets:
            _packets(options.packets, done)
        core = done.scores["handoff"][-1].core or 0.0
        say(f"{number}/{len(paths)} {path.name}: {done.entries:,} entries, {core:.1%} of the core facts carried")
    return sessions, failed


def _packets(directory: Path, done: Session) -> None:
    directory.mkdir(parents=True, exist_ok=True, mode=0o700)
    for number, packet in enumerate(done.packets, 1):
        target = directory / f"{done.name}.{number}.md"
        with os.fdopen(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
            file.write(packet)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text + "\n")
    say(f"wrote {path}")


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        say("stopped")
        sys.exit(130)
