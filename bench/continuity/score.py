"""`python -m bench.continuity.score`: scores any text as a handoff document for a transcript cut at an entry.

Text in, scores out: the document may come from any tool, or from a person. Nothing of the product is asked.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from baton.adapters.importers import registry
from baton.core.errors import BadInput
from bench.continuity.chain import Conversation
from bench.continuity.dialogue import dialogue
from bench.continuity.metrics import Score, score
from bench.continuity.report import LIMIT
from bench.continuity.sources import planted
from bench.continuity.truth import AHEAD, CLASSES, truth
from bench.progress import say

EPILOG = """
The transcript is read by Baton's importers: an export of Baton, Claude Code's JSON lines, a rollout of Codex, an export
of OpenCode. N counts the entries that the document stands for (messages, calls and results; not summaries); without
--cut the document is for the whole transcript, with --cut sources it prints where the source itself cut its context.
The JSON: `recall` by class (hits, facts, share, missed), `claims` that the transcript contradicts, size, and the limit
that belongs to every figure.

examples:
  python -m bench.continuity.score --transcript session.jsonl --cut 412 --document summary.md
  python -m bench.continuity.score --transcript session.jsonl --cut sources
  some-tool summarise session.jsonl | python -m bench.continuity.score --transcript session.jsonl --document -
"""


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="python -m bench.continuity.score",
        description="Scores a handoff document of any tool against the transcript it stands for.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--transcript", type=Path, required=True, metavar="FILE")
    made.add_argument("--cut", default="", metavar="N", help="entries before the cut, or: sources; default: all")
    made.add_argument("--document", default="", metavar="FILE", help="the text to score; - is standard input")
    made.add_argument("--format", choices=(registry.AUTO, *registry.names()), default=registry.AUTO)
    made.add_argument("--truth", type=Path, metavar="DIR", help="where the .truth.json files of a made-up corpus are")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """0; 2 if something given cannot be used."""
    options = parser().parse_args(arguments)
    try:
        conversation = Conversation(registry.read(options.transcript, options.format))
        if options.cut == "sources":
            print(json.dumps(conversation.cuts))
            return 0
        cut = _cut(options.cut, len(conversation.entries))
        markdown = _text(options.document)
    except (BadInput, OSError, UnicodeDecodeError) as error:
        say(str(error))
        return 2
    known = planted(options.transcript, options.truth)
    after = conversation.entries[cut:]
    facts = truth(conversation.entries[:cut], known.canaries, after)
    scored = score(markdown, facts, 0, known, dialogue(after[:AHEAD]))
    print(
        json.dumps({"transcript": options.transcript.name, "cut": cut} | as_json(scored), indent=1, ensure_ascii=False)
    )
    return 0


def _cut(given: str, entries: int) -> int:
    if not given:
        return entries
    if not given.isdecimal() or not 1 <= int(given) <= entries:
        raise BadInput(reason=f"--cut {given!r} is not allowed: 1 to {entries}, or: sources.")
    return int(given)


def _text(document: str) -> str:
    if not document:
        raise BadInput(reason="--document is missing: the file with the text to score, or - for standard input.")
    return sys.stdin.read() if document == "-" else Path(document).read_text()


def as_json(scored: Score) -> dict[str, Any]:
    """One document's scores. Classes without a fact are left out."""
    recall = {
        name: {
            "meaning": CLASSES[name],
            "hits": count.hits,
            "facts": count.facts,
            "share": count.share,
            "missed": list(scored.missed[name]),
        }
        for name, count in scored.recall.items()
        if count.facts
    }
    return {
        "characters": scored.characters,
        "tokens": scored.tokens,
        "recall": recall,
        "claims": {
            "unsupported": list(scored.unsupported),
            "stale": list(scored.stale),
            "false_green": list(scored.shown.false_green),
            "shown_as_passed": scored.shown.passed,
            "stale_blockers": list(scored.shown.stale),
            "look_ups_as_blockers": list(scored.shown.lookups),
            "blockers": scored.shown.blockers,
            "decisions_cut": list(scored.decisions.wrong),
            "doubtful_rules": list(scored.rules.wrong),
            "secrets": scored.leaks,
        },
        "next_action": {
            "kind": scored.advice.kind,
            "text": scored.advice.text,
            "names_a_command": scored.advice.named,
            "it_was_run_next": scored.advice.run,
            "it_was_refused": scored.advice.refused,
            "it_is_risky": scored.advice.risky,
            "already_answered": scored.advice.answered,
        },
        "limit": LIMIT,
    }


if __name__ == "__main__":
    sys.exit(main())
