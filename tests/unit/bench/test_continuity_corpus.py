from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from bench.continuity.chain import Conversation
from bench.continuity.corpus.__main__ import FORMATS, main, write
from bench.continuity.corpus.author import Author
from bench.continuity.corpus.claude import claude_lines
from bench.continuity.corpus.export import baton_lines
from bench.continuity.corpus.fixture import fixture
from bench.continuity.folding import folded
from bench.continuity.probes.replies import last_sentence
from bench.continuity.sources import planted, transcripts
from bench.continuity.truth import truth

from baton.adapters.importers import registry
from baton.engine.archive import import_lines
from baton.testing.memory import MemoryStore

COUNT = 7
STATE = ("refusals", "answers", "links", "commits")
SHORT = "questions_of_short_replies"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("corpus")
    write(out, COUNT, 3)
    return out


def digest(directory: Path) -> dict[str, str]:
    files = sorted(path for path in directory.rglob("*") if path.is_file())
    return {str(path.relative_to(directory)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_a_seed_always_gives_the_same_bytes(corpus: Path, tmp_path: Path) -> None:
    assert main([str(tmp_path / "again"), "--count", str(COUNT), "--seed", "3"]) == 0
    assert digest(tmp_path / "again") == digest(corpus)
    write(tmp_path / "other", COUNT, 4)
    assert digest(tmp_path / "other") != digest(corpus)


@pytest.mark.parametrize("format_", FORMATS)
def test_what_was_planted_is_what_is_found(corpus: Path, format_: str) -> None:
    """The importer and the metric's own extraction against what the author of each story wrote down."""
    paths = transcripts(corpus / format_)
    assert len(paths) == COUNT
    for path in paths:
        imported = registry.read(path)
        assert imported.format == format_
        told = json.loads((corpus / f"{format_}.truth" / f"{path.stem}.truth.json").read_text())
        assert list(planted(path).canaries) == told["canaries"]
        found = truth(Conversation(imported).entries, told["canaries"])
        assert found.said == told["user_messages"]
        assert set(found.touched) == set(told["files"])
        assert found.open_plan == [folded(text) for text in told["plan_open"]]
        assert sorted(found.done) == sorted(folded(text) for text in told["plan_done"])
        assert {fact.text for fact in found.facts["E"]} == set(told["open_errors"])
        assert all(text not in found.haystack for text in told["absent"])
        assert [call.refusal for call in found.dialogue.calls if call.refusal is not None] == told["refusals"]
        assert [answer for call in found.dialogue.calls for _, answer in call.answers] == told["answers"]
        assert [call.approved_plan for call in found.dialogue.calls if call.approved_plan] == told["approved_plans"]
        assert {fact.text for fact in found.facts["W"]} == set(told["links"])
        assert {fact.text for fact in found.facts["H"]} == set(told["commits"])
        asked = [fact.text for fact in found.facts["Q"]]
        assert all(any(text.startswith(last_sentence(each)) for text in asked) for each in told[SHORT])


def test_the_sessions_are_long_and_have_everything_in_them(corpus: Path) -> None:
    told = [json.loads(path.read_text()) for path in sorted((corpus / "claude-code.truth").iterdir())]
    lines = [len(path.read_bytes().splitlines()) for path in transcripts(corpus / "claude-code")]
    assert max(lines) > 1_000
    for name in ("canaries", "revoked", "mended_errors", "open_errors", "plan_open", "plan_done", "absent", *STATE):
        assert sum(bool(each[name]) for each in told) >= 3, name
    assert any(state == "deleted" for each in told for state in each["files"].values())
    assert any(not text.isascii() for each in told for text in each["user_messages"])
    read = [registry.read(path) for path in transcripts(corpus / "claude-code")]
    seen = {reason for imported in read for reason in imported.skipped}
    assert {"sidechain", "meta", "noise", "progress"} <= seen
    assert sum(imported.dead for imported in read) > 10
    assert sum(len(imported.cuts) for imported in read) >= 4


def test_the_exports_are_real_exports(corpus: Path) -> None:
    store = MemoryStore()
    for path in transcripts(corpus / "baton"):
        with path.open("rb") as file:
            assert len(import_lines(store, file, path.name).added) == 1


def test_both_formats_tell_the_same_facts() -> None:
    story = Author(5, 2).write()
    made = {name: list(lines(story, 9)) for name, lines in (("a", claude_lines), ("b", baton_lines))}
    assert len(made["a"]) > len(story.events)
    assert len(made["b"]) > len(story.said)


def test_the_fixture_has_ninety_three_records() -> None:
    assert len(list(claude_lines(fixture(), 1))) == 93
