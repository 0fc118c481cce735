"""Situations are labelled by how they are made; a document can be right or wrong in each."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.continuity.corpus.__main__ import WRITERS
from bench.continuity.dialogue import dialogue
from bench.continuity.next_action import ANSWER, FIX, PLAN, WAIT
from bench.continuity.situations.__main__ import CASES, conversation, main, situations
from bench.continuity.situations.grade import grade
from bench.continuity.situations.script import Expected, Situation


@pytest.fixture(scope="module")
def made() -> list[Situation]:
    return list(situations())


def test_there_are_enough_of_them_in_every_format_and_several_languages(made: list[Situation]) -> None:
    assert len(made) >= 200
    assert {each.format for each in made} == set(WRITERS)
    assert len({each.language for each in made}) >= 6
    assert {each.family for each in made} == set(CASES)
    assert len({each.name for each in made}) == len(made)


def test_a_seed_always_gives_the_same_situations(made: list[Situation]) -> None:
    assert [each.story for each in made] == [each.story for each in situations()]
    assert [each.story for each in made] != [each.story for each in situations(seed=2)]


def test_what_a_document_must_tell_is_in_the_transcript_as_its_importer_reads_it(
    made: list[Situation], tmp_path: Path
) -> None:
    """A label that the record does not hold could not be met by anybody."""
    for situation in made[::5]:
        entries = conversation(situation, tmp_path).entries
        held = json.dumps([entry.data for entry in entries], ensure_ascii=False)
        for text in situation.expected.tells:
            assert json.dumps(text, ensure_ascii=False)[1:-1][:40] in held, (situation.name, text)
        commands = {call.command for call in dialogue(entries).shell}
        assert set(situation.expected.open) <= commands, situation.name


EXPECTED = Expected(
    frozenset((WAIT,)),
    advises=("Which of the three?",),
    never_advises=("git push --force",),
    tells=("not before Thursday",),
    open=("pytest -q",),
    closed=("ruff check .",),
    not_validated=('git commit -m "make room"',),
)
RIGHT = """## Refused
- `git push --force`: not before Thursday
## Validation already run
- `ruff check .` → exit 0
## Open blockers
- Fails: `pytest -q` → 2 failed
## Next recommended action
Wait for the answer to “Which of the three?”. You refused `git push --force`.
"""


def test_a_right_document_is_right() -> None:
    assert grade(RIGHT, EXPECTED).right


@pytest.mark.parametrize(
    ("old", "new", "advice"),
    [
        ("Wait for the answer to", "Answer", True),
        ("Which of the three?", "Which?", True),
        ("You refused `git push --force`.", "Then run `git push --force` at once and all is well. " * 4, True),
        (": not before Thursday", "", False),
        ("- Fails: `pytest -q` → 2 failed", "", False),
        ("- Fails: `pytest -q` → 2 failed", "- `pytest -q` → exit 0", False),
        ("- Fails: `pytest -q`", "- Fails: `ruff check .` → exit 1\n- Fails: `pytest -q`", False),
        ("## Open", '- `git commit -m "make room"` → exit 0\n## Open', False),
    ],
)
def test_each_thing_that_is_wrong_is_found(old: str, new: str, advice: bool) -> None:
    found = grade(RIGHT.replace(old, new), EXPECTED)
    assert not found.right
    assert found.advice_right is not advice


def test_naming_the_plan_item_is_following_it_and_naming_words_is_not() -> None:
    plan = Expected(frozenset((PLAN,)), advises=("Write the test",))
    assert grade("## Next\nGo on with: Write the test", plan).right
    words = Expected(frozenset((ANSWER,)), advises=("show me first",))
    assert grade("## Next\nAnswer: “show me first”", words).right
    assert not grade("## Next\nMake `pytest` pass: “show me first”", Expected(words.kinds - {FIX}, words.advises)).right


def test_one_command_writes_the_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--each", "1", "--json", str(tmp_path / "s.json"), "--packets", str(tmp_path / "p")]) == 0
    result = json.loads((tmp_path / "s.json").read_text())
    assert (result["situations"], len(list((tmp_path / "p").iterdir()))) == (len(CASES), len(CASES))
    assert set(result["by_family"]) == set(CASES)
    assert "next right" in capsys.readouterr().out
    assert main(["--each", "1", "--floor", "1.01"]) == 1
