from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from bench.continuity.labels import __main__ as command
from bench.continuity.labels.nominating import Scripted
from bench.continuity.labels.packets import conversation, packets
from bench.continuity.labels.score import Found, judge
from bench.continuity.labels.sentences import Message, Sentence, messages, read

from baton.core.agent.message import Prompt
from baton.ports.model import Text


def sentence(number: int, label: str, text: str, *, pasted: bool = False, language: str = "en") -> Sentence:
    return Sentence(f"s{number}", language, "m1", label, pasted, text)


MESSAGE = Message(
    "m1",
    "en",
    (
        sentence(1, "none", "The export is slow."),
        sentence(2, "standing", "Ask me before you push."),
        sentence(3, "none", "ERROR must not be null", pasted=True),
        sentence(4, "task", "Hands off the billing module while you do this."),
        sentence(5, "requirement", "It has to finish in a minute."),
    ),
)


def test_a_message_is_rebuilt_with_pasted_lines_on_their_own() -> None:
    first, *_, last = MESSAGE.text.splitlines()
    assert first == "The export is slow. Ask me before you push."
    assert last == "Hands off the billing module while you do this. It has to finish in a minute."
    chinese = Message(
        "m", "zh", (sentence(1, "none", "好。", language="zh"), sentence(2, "task", "先问我。", language="zh"))
    )
    assert chinese.text == "好。先问我。"


def test_the_file_is_as_its_readme_says() -> None:
    held = read()
    assert len(held) >= 400
    assert len({each.language for each in held}) == 12
    assert len({each.id for each in held}) == len(held)
    assert all(each.label == "none" for each in held if each.pasted)
    assert sum(len(each.sentences) for each in messages(held)) == len(held)


def test_a_bad_row_is_named(tmp_path: Path) -> None:
    path = tmp_path / "x.tsv"
    path.write_text("id\tlanguage\tmessage_id\tlabel\tpasted\ttext\ne1\ten\tm1\tmaybe\tno\tHello.\n")
    with pytest.raises(ValueError, match="line 2: e1"):
        read(path)


@pytest.mark.parametrize(
    ("lines", "recall", "precision", "requirements"),
    [
        (["Ask me before you push.", "Hands off the billing module while you do this."], 1.0, 1.0, 0),
        (["Ask me before you push. (g1#1)"], 0.5, 1.0, 0),
        (["Ask me before you push.", "The export is slow."], 0.5, 0.5, 0),
        (["Ask me before you push.", "It has to finish in a minute."], 0.5, 1.0, 1),
        (["ERROR must not be null"], 0.0, 0.0, 0),
        (["Hands off"], 0.0, 0.0, 0),
        ([], 0.0, None, 0),
    ],
)
def test_recall_and_precision_are_of_the_heading(
    lines: list[str], recall: float, precision: float | None, requirements: int
) -> None:
    found = Found()
    shown = "\n".join(f"- {line}" for line in lines)
    judge(MESSAGE, f"### Rules the person set\n{shown}\n### What else\n- {MESSAGE.text}", found)
    assert (found.recall, found.precision, found.requirements) == (recall, precision, requirements)
    assert found.anywhere == 2


def test_the_scripted_model_nominates_rules_and_errs_on_purpose() -> None:
    async def said() -> str:
        prompt = Prompt("", (), ())
        return "".join([piece.text async for piece in Scripted(MESSAGE).stream(prompt) if isinstance(piece, Text)])

    text = asyncio.run(said())
    assert 'standing: "Ask me before you push."' in text
    assert 'task: "ERROR must not be null"' in text
    assert "Nobody ever said" in text


def test_packets_are_written_by_the_engine_and_the_task_is_still_open() -> None:
    [made] = packets([MESSAGE], lambda _: None)
    assert "Ask me before you push." in made
    assert [entry.kind for entry in conversation(MESSAGE)][-1] == "tool_result"


def test_one_command_prints_languages_and_all_of_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--language", "de", "--most", "3", "--json", str(tmp_path / "l.json")]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in printed] == ["language", "de", "all"]


def test_a_model_that_is_not_there_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert command.main(["--nominations", "local:no-such-model", "--most", "1"]) == 2
    assert "No model is configured" in capsys.readouterr().err
