"""The check of a narrative: a sentence goes only for a claim that the record contradicts, or that would have to be in
the record and is not.

Each objection looks for one kind of claim and says in plain words what is wrong with it. What nobody can check stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from baton.core.handoff.narration.acts import object_to_acts, object_to_references
from baton.core.handoff.narration.claims import HEDGE, code_spans, is_hedged
from baton.core.handoff.narration.narrative import Narrative, Struck
from baton.core.handoff.narration.paths import named_paths
from baton.core.handoff.narration.record import Record, kinds_of
from baton.core.handoff.narration.results import object_to_results
from baton.core.handoff.rules.sentences import split_sentences
from baton.core.risk.line import words
from baton.core.value import replace

_SHOWN = 240
_LONGEST = 1000
_MARKER = re.compile(r"[ \t]*(?:(?:[-*+•>]|[0-9]{1,3}[.)])[ \t]+){0,4}")
_WRAPPED = 60

_ARTICLE = r"(?:(?:a|an|the|new|file|module|test|script|small|existing|old)\s+){0,4}"
_CHANGED = re.compile(
    rf"\b(?P<verb>created|wrote|added|edited|changed|updated|rewrote|modified|ported|fixed|deleted|removed)\s+"
    rf"{_ARTICLE}`?(?P<path>[\w./@+-]{{2,300}})",
    re.IGNORECASE,
)
_CHANGED_INSIDE = re.compile(
    r"\b(?:added|implemented|introduced|renamed|replaced|refactored)\s(?:(?!\w{0,30}ed\b)[\w`'.()*-]{1,40}\s){1,6}?(?:in|to|into)\s`?"
    r"(?P<path>[\w./@+-]{2,300}\.(?:py|tsx?|jsx?|go|rs|java|kt|cc?|cpp|hpp|cs|rb|php|swift|scala|vue|svelte|sh))\b",
    re.IGNORECASE,
)
_GONE = ("deleted", "removed")
_RAN = re.compile(r"\b(?:ran|re-?ran|executed|after running|by running)\b", re.IGNORECASE)
_WAS_RUN = re.compile(
    r"^\s*(?:(?:was|were|has been|have been|is|are)\s+)?(?:run|executed|pass\w*|succe\w+|green|clean)\b"
    r"|^\s*(?:lief|läuft|wurde \w{0,20} ?ausgeführt|a été exécuté|se ejecutó|è stato eseguito|foi executado)\b",
    re.IGNORECASE,
)
_OPERATING = re.compile(
    r"\b(?:sent|restarted|started|stopped|installed|deployed|applied|migrated|deleted|removed|built|compiled|formatted|"
    r"pulled|cloned|fetched|downloaded|uploaded|published)\b",
    re.IGNORECASE,
)
_FLAG = re.compile(r"\s-{1,2}\w")
_BY_MEANS_OF = re.compile(r"\b(?:with|using|via|by means of|through)\s*$", re.IGNORECASE)
_PROGRAMS = words(
    "alembic ansible ansible-playbook apt aws az brew bun bundle cargo chmod cmake composer cp curl deno docker "
    "dotnet flyway gcloud gh git glab go gradle helm kill kubectl make mkdir mv mvn mysql node npm npx php pip "
    "pnpm podman poetry prisma psql python python3 rails rake rm rsync ruby scp sed sqlite3 ssh sudo systemctl "
    "terraform tofu uv vercel wget yarn"
)
_COMMAND = re.compile(r"(?:\./)?[a-z][\w.-]{0,40}(?= |$)")


def check(narrative: Narrative, record: Record) -> Narrative:
    """Without what the record does not support; `struck` has it, each with the reason. Proposals are no claims."""
    completed, first = _strike(narrative.completed, record)
    decisions, second = _strike(narrative.decisions, record)
    return replace(narrative, completed=completed, decisions=decisions, struck=(*narrative.struck, *first, *second))


def objection_to(sentence: str, record: Record) -> str:
    """Why the record does not bear a sentence; empty if it does, or if nobody can tell."""
    for part in _parts(sentence):
        for objection in _OBJECTIONS:
            if found := objection(part, record):
                return found
    return ""


def _parts(sentence: str) -> Iterator[str]:
    """A sentence without an end is looked at part by part: each look costs more the longer its text is."""
    while len(sentence) > _LONGEST:
        cut = sentence.rfind(" ", _LONGEST // 2, _LONGEST) + 1 or _LONGEST
        yield sentence[:cut]
        sentence = sentence[cut:]
    yield sentence


def _strike(text: str, record: Record) -> tuple[str, list[Struck]]:
    lines: list[str] = []
    struck: list[Struck] = []
    for block in _blocks(text):
        marker = _MARKER.match(block)
        start = marker.end() if marker else 0
        kept: list[str] = []
        for sentence in _sentences(block[start:]):
            if reason := objection_to(sentence, record):
                struck.append(Struck(_shorten(sentence), reason))
            else:
                kept.append(sentence)
        if kept or not block.strip():
            lines.append(block[:start] + " ".join(kept))
    return "\n".join(line.rstrip() for line in lines).strip("\n"), struck


def _blocks(text: str) -> Iterator[str]:
    """Lines, a wrapped one joined to what it continues."""
    held = ""
    for line in text.splitlines():
        if held and len(held) >= _WRAPPED and line.lstrip()[:1].islower() and held.rstrip()[-1:] not in ".!?:":
            held = f"{held.rstrip()} {line.lstrip()}"
            continue
        if held:
            yield held
        held = line
        if not line.strip():
            yield line
            held = ""
    if held:
        yield held


def _sentences(text: str) -> list[str]:
    """The sentences of a line; a dot between backticks ends none."""
    found: list[str] = []
    for sentence in split_sentences(text):
        if found and found[-1].count("`") % 2:
            found[-1] = f"{found[-1]} {sentence}"
        else:
            found.append(sentence)
    return found


def _shorten(sentence: str) -> str:
    flat = " ".join(sentence.split())
    return flat if len(flat) <= _SHOWN else f"{flat[: _SHOWN - 1]}…"


def _object_to_files(sentence: str, record: Record) -> str:
    if HEDGE.search(sentence):
        return ""
    for path in named_paths(sentence, record.has_folder, record.has_place):
        if not record.has_file(path):
            return f"no file {path} was touched, read, listed or named"
    return ""


def _object_to_changes(sentence: str, record: Record) -> str:
    """The file that a verb of change governs was at least worked on, not only looked at."""
    for match in _CHANGED.finditer(sentence):
        path = match["path"].rstrip(".")
        if is_hedged(sentence[: match.start()]) or not named_paths(path, record.has_folder, record.has_place):
            continue
        if not record.has_file(path):
            return f"no file {path} was touched, read, listed or named"
        deleted = match["verb"].lower() in _GONE
        if not record.has_changed(path, deleted=deleted):
            return f"nothing shows that {path} was {'deleted' if deleted else 'changed'}"
    inside = _CHANGED_INSIDE.search(sentence)
    if inside and not is_hedged(sentence[: inside.start()]) and not record.has_changed(inside["path"]):
        return f"nothing shows that {inside['path']} was changed"
    return ""


def _object_to_commands(sentence: str, record: Record) -> str:
    for command in _claimed_runs(sentence, record):
        if not record.has_run(command):
            return f"`{_shorten(command)}` was never run"
    return ""


def _claimed_runs(sentence: str, record: Record) -> Iterator[str]:
    """Commands between backticks that a sentence says were run."""
    ran = _RAN.search(sentence)
    for span, start, end in code_spans(sentence):
        if not _COMMAND.match(span) or not (" " in span or kinds_of(span)):
            continue
        rest = sentence[end:]
        after = bool(ran and ran.end() <= start and not is_hedged(sentence[: ran.start()]))
        was_run = _WAS_RUN.match(rest) and not is_hedged(rest.partition(",")[0])
        if after or was_run or _is_means(span, sentence[:start], record):
            yield span


def _is_means(span: str, before: str, record: Record) -> bool:
    """Whether something is said to have been done with a command: "restarted it with `systemctl …`"."""
    if not _BY_MEANS_OF.search(before) or is_hedged(before):
        return False
    program = span.partition(" ")[0]
    if program in _PROGRAMS or record.has_used(program):
        return re.search(r"\b(?:\w{3,20}ed|sent|built)\b", before) is not None
    return bool(_FLAG.search(span) and _OPERATING.search(before))


_OBJECTIONS: tuple[Callable[[str, Record], str], ...] = (
    _object_to_files,
    _object_to_changes,
    _object_to_commands,
    object_to_acts,
    object_to_references,
    object_to_results,
)
