from __future__ import annotations

import json
from pathlib import Path

import pytest
from bench.continuity import __main__ as command
from bench.continuity import score as score_command
from bench.continuity.ask import as_json, as_text, ask_all, holds, questions
from bench.continuity.corpus.claude import claude_lines
from bench.continuity.corpus.fixture import LAST, TEST, fixture
from bench.continuity.truth import truth

from baton.core.agent.message import Prompt
from baton.testing.model import FakeModel
from tests.unit.bench.continuity_kit import Talk


def talk() -> Talk:
    made = Talk().user("Move the importer off the old queue.").says("Shall I take the new queue first?").user("yes")
    made.tool("shell", False, "[refused: the user said no: not before Thursday]", command="git push", refused=True)
    return made.edit("src/importer.py").run("pytest -q", 1, "1 failed").plan(move_it="doing")


DOCUMENT = """- Shall I take the new queue first? → yes
- refused `git push`: not before Thursday
- Fails: `pytest -q`
"""


def test_questions_are_made_from_the_probes() -> None:
    asked = {question.name: question for question in questions(truth(talk().entries))}
    assert set(asked) == {"L", "1", "R", "Q", "A", "P", "E", "F"}
    assert "`git push`" in asked["R"].text
    assert asked["R"].is_right("They said: not before Thursday.")
    assert not asked["R"].is_right("It is not in the document.")
    assert asked["F"].is_right("It changed src/importer.py")


def test_an_answer_is_right_if_it_holds_most_of_the_words() -> None:
    assert holds("It was the new queue that you should take first", "Shall I take the new queue first?")
    assert not holds("the queue", "Shall I take the new queue first?")
    assert not holds("anything", "")


def test_the_model_sees_the_document_and_nothing_else() -> None:
    def echo(prompt: Prompt) -> list[str]:
        text = prompt.messages[0].text
        return ["not before Thursday" if "refused to let" in text else "not in it"]

    model = FakeModel(echo)
    result = as_json("fake:model", ask_all(model, [(DOCUMENT, truth(talk().entries))], 50))
    assert result["by_class"]["R"] == {"questions": 1, "present": 1, "right": 1}
    assert result["by_class"]["Q"] == {"questions": 1, "present": 1, "right": 0}
    assert result["by_class"]["F"]["present"] == 0
    assert all(DOCUMENT in prompt.messages[0].text and len(prompt.messages) == 1 for prompt in model.prompts)
    assert "1 of 8 answers are right" in as_text(result)


def test_a_small_sample_has_something_of_each_class() -> None:
    held = [(DOCUMENT, truth(talk().entries))] * 3
    assert len({each.question.name for each in ask_all(FakeModel([["x"]]), held, 8)}) == 8


def test_no_model_is_said_clearly(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("local:qwen2.5-coder-1.5b", "nonsense"):
        assert command.main([str(tmp_path), "--ask", name, "--models", str(tmp_path)]) == 2
        assert "No model is configured" in capsys.readouterr().err


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "planted.jsonl"
    path.write_text("".join(f"{line}\n" for line in claude_lines(fixture(), 1)))
    return path


def test_any_document_can_be_scored(transcript: Path, capsys: pytest.CaptureFixture[str]) -> None:
    document = transcript.with_name("summary.md")
    document.write_text(f"{LAST}\n\n## Open\n- Fails: `{TEST}` → exit 1\n")
    assert score_command.main(["--transcript", str(transcript), "--document", str(document)]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["recall"]["L"]["share"] == 1.0
    assert found["recall"]["1"]["share"] == 0.0
    assert (found["recall"]["E"]["hits"], found["claims"]["blockers"]) == (1, 1)
    assert found["recall"]["P"]["missed"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--cut", "0", "--document", "x"], "--cut '0' is not allowed: 1 to"),
        (["--cut", "abc", "--document", "x"], "--cut 'abc' is not allowed"),
        ([], "--document is missing"),
        (["--document", "no-such-file.md"], "no-such-file.md"),
    ],
)
def test_what_cannot_be_scored_is_said(
    transcript: Path, capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    assert score_command.main(["--transcript", str(transcript), *options]) == 2
    assert said in capsys.readouterr().err


def test_the_sources_own_cuts_are_listed(transcript: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert score_command.main(["--transcript", str(transcript), "--cut", "sources"]) == 0
    assert json.loads(capsys.readouterr().out) == []
