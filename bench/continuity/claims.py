"""Claims of a document that its transcript does not support, and finished things that it shows as open."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bench.continuity import commands
from bench.continuity.document import Document, Line
from bench.continuity.folding import COMMAND, MESSAGE, folded, pieces, probe
from bench.continuity.truth import Truth

_PATH = re.compile(
    r"(?<![\w:/.@-])(?:[\w.@+-]+/)+[\w@+-][\w.@+-]*\.[A-Za-z]\w{0,7}(?![\w/])"
    r"|(?<![\w:/.@-])[\w-]+\.(?:py|js|ts|tsx|go|rs|java|rb|c|h|cpp|md|toml|yaml|yml|json|sql|sh|css|html)(?![\w/])"
)
_CHANGES = re.compile(r"^- Files (?:created|edited|deleted|changed|modified)\b", re.IGNORECASE)
_STATUS = re.compile(
    r"\bexit(?:ed)?(?: code| status)?:? *(\d+)|\b(passe[sd]|ended well|succeeded)\b|\b(fail(?:s|ed)?)\b", re.I
)
_GREEN = re.compile(
    r"\b(?:all )?(?:tests?|suite|checks?|build) (?:all )?(?:pass(?:es|ed)?|are green|is green)\b", re.IGNORECASE
)
_NEGATED = re.compile(r"\b(?:not|no|never|until|make|should|must|if|when|once|after)\b", re.IGNORECASE)
_OPEN = re.compile(r"open|block|fail|error|plan|next|pending|todo|to do|remaining|unfinished", re.IGNORECASE)
_TICKED = re.compile(r"\[x\]|\bdone\b|\bcompleted\b|passes again|ended well|exit 0\b|\bno longer\b", re.IGNORECASE)
_UNTICKED = re.compile(r"\[ \]|\[>\]")
_HOLDS = re.compile(r"constraint|demand|rule|hold|requirement", re.IGNORECASE)
_GONE = re.compile(r"no longer|revoked|taken back|superseded|was lifted", re.IGNORECASE)
OURS = (".baton/",)
"""Where Baton's own files are: naming them is no claim about the work."""


def claims(document: Document, truth: Truth) -> list[tuple[str, bool]]:
    """Each claim of a document, and whether the transcript supports it. Quotations claim nothing."""
    found: list[tuple[str, bool]] = []
    for line in document.lines:
        if not line.quoted:
            found += [*_paths(line, truth), *_commands(line, truth), *_success(line, truth)]
    return found


def _paths(line: Line, truth: Truth) -> Iterator[tuple[str, bool]]:
    changed = _CHANGES.match(line.text) is not None
    names = {path.rsplit("/", 1)[-1] for path in truth.touched}
    for found in _PATH.finditer(line.text):
        path = found[0]
        if path.startswith(OURS):
            continue
        if changed:
            yield f"changed: {path}", path in truth.touched or path.rsplit("/", 1)[-1] in names
        else:
            yield f"path: {path}", path in truth.haystack or path in truth.touched


def _commands(line: Line, truth: Truth) -> Iterator[tuple[str, bool]]:
    """A span in code marks with a result beside it says that a command was run, and how it ended last."""
    said = _STATUS.search(_outside(line.text))
    if said is None or re.match(r"- Also named|Make ", line.text):
        return
    good = said[1] == "0" or bool(said[2])
    for span in line.spans():
        runs = _matching(span, truth)
        if runs is None:
            continue
        yield f"run: {span}", bool(runs)
        if runs:
            yield f"{'passed' if good else 'failed'}: {span}", any(run_ok == good for run_ok in runs)


def _outside(text: str) -> str:
    return re.sub(r"`[^`]*`", "``", text)


def _matching(span: str, truth: Truth) -> list[bool] | None:
    """How the runs ended that a span may mean; None if it names no command at all."""
    parts = pieces(span)
    if not parts or _PATH.fullmatch(span):
        return None
    found = [run.ok for run in truth.runs.values() if all(part in folded(run.command) for part in parts)]
    return found or ([] if " " in span else None)


def _success(line: Line, truth: Truth) -> Iterator[tuple[str, bool]]:
    found = _GREEN.search(_outside(line.text))
    if found and not _NEGATED.search(line.text[: found.start()][-60:]) and line.text not in truth.haystack:
        beginning = folded(line.text).lstrip("- ")[:MESSAGE]
        if not any(beginning in folded(text) for text in truth.said):
            yield f"success: {found[0]}", truth.green


def stale(document: Document, truth: Truth) -> tuple[list[str], int]:
    """Finished plan items and mended failures that are shown as open, and how many there could be."""
    open_items = [folded(text)[:MESSAGE] for text in truth.open_plan]
    done = [text for text in truth.done if not any(folded(text)[:MESSAGE] in each for each in open_items)]
    failing = [folded(run.command)[:COMMAND] for run in truth.runs.values() if not run.ok]
    closed = [truth.runs[key].command for key in truth.closed if not commands.reads_only(truth.runs[key].command)]
    closed = [text for text in closed if not any(folded(text)[:COMMAND] in each for each in failing)]
    found = [text for text in done if _shown_open(document, probe(text, MESSAGE, truth.secrets))]
    found += [text for text in closed if _shown_open(document, probe(text, COMMAND, truth.secrets))]
    return found, len(done) + len(closed)


def _shown_open(document: Document, probes: tuple[str, ...]) -> bool:
    return any(
        all(each in line.text for each in probes)
        and not line.quoted
        and (_UNTICKED.search(line.text) or (_OPEN.search(line.heading) and not _TICKED.search(line.text)))
        for line in document.lines
    )


def still_demanded(document: Document, demand: str) -> bool:
    """Whether a document makes a demand: among those that hold, not among those it says are gone."""
    wanted = folded(demand)[:MESSAGE]
    return any(
        wanted in line.text and _HOLDS.search(line.heading) and not _GONE.search(line.text) for line in document.lines
    )


def denied(document: Document, demand: str) -> bool:
    """Whether a document says that a demand is gone, and nowhere makes it."""
    wanted = folded(demand)[:MESSAGE]
    gone = any(wanted in line.text and _GONE.search(line.text) for line in document.lines)
    return gone and not still_demanded(document, demand)
