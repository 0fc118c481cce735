"""Sentences a document takes from the transcript: decisions that end where they ended, rules that are not questions."""

from __future__ import annotations

import re

from bench.continuity.document import Document
from bench.continuity.folding import bare
from bench.continuity.truth import Truth

_POINTER = re.compile(r"\s*[(\[][^()\[\]]{0,60}#\d{1,7}[)\]]\W*$")
_DECISIONS = re.compile(r"decision", re.IGNORECASE)
RULES = re.compile(r"\brules?\b|constraint|demand", re.IGNORECASE)
NOT_RULES = re.compile(r"no longer|lifted|dropped|may be|candidate|else|not a rule", re.IGNORECASE)
_LOG = re.compile(
    r"^\W*(?:\d{4}-\d\d-\d\d|\d\d:\d\d|\+{1,3} |-{3} |@@|at \w+[.(]|Traceback|\$ |INFO|WARN|ERROR|DEBUG|\|)"
)
_LABEL = re.compile(r"^(?:[-*] )?(?:\d+[.)] )?")
_BEGINNING = 40
_STOPS = ".!?。！？:;"


def decisions(document: Document, truth: Truth) -> tuple[int, list[str]]:
    """How many decisions are shown, and those of them that stop in the middle of a sentence the agent wrote."""
    lines = [bare(line) for spoke in truth.dialogue.spoke for line in spoke.text.splitlines() if line.strip()]
    shown = [
        _strip(line.text) for line in document.lines if _DECISIONS.search(line.heading) and line.text.startswith("-")
    ]
    known = [(text, [line for line in lines if text.rstrip(" …") in line]) for text in shown if len(text) > 12]
    cut = [text for text, found in known if found and not any(_ends(text.rstrip(" …"), line) for line in found)]
    return sum(bool(found) for _, found in known), cut


def _ends(text: str, line: str) -> bool:
    """Begins and ends where a sentence does."""
    before, rest = line[: line.index(text)].rstrip(), line[line.index(text) + len(text) :]
    begins = not before or (before[-1] in f"{_STOPS}*-)>#…" and line[len(before) : len(before) + 1].isspace())
    ends = not rest.strip() or (text[-1] in _STOPS and rest[0].isspace())
    return begins and (ends or (rest[0] in _STOPS and not rest[1:2].strip()))


def _strip(text: str) -> str:
    return bare(_LABEL.sub("", _POINTER.sub("", text)))


def rules(document: Document) -> list[str]:
    """The lines that a document shows as rules: under a heading that says so, without pointer and bullet."""
    lines = [line for line in document.lines if RULES.search(line.heading) and not NOT_RULES.search(line.heading)]
    return [_strip(line.text) for line in lines if re.match(r"(?:[-*>] |\d+[.)] )", line.text)]


def doubtful_rules(document: Document, truth: Truth) -> tuple[int, list[str]]:
    """How many rules are shown, and those that no reader would call one: questions, logs, diffs, pasted blocks."""
    shown = rules(document)
    pasted = bare("\n".join(part for text in truth.said for part in text.split("```")[1::2]))
    return len(shown), [text for text in shown if _is_doubtful(text, pasted)]


def _is_doubtful(text: str, pasted: str) -> bool:
    return text.endswith(("?", "？")) or _LOG.match(text) is not None or text[:_BEGINNING] in pasted
