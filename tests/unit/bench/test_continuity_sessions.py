from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from bench.continuity import figures, page, sessions
from bench.continuity.arms import HANDOFF
from bench.continuity.chain import Conversation
from bench.continuity.corpus.series import series
from bench.continuity.metrics import Count

from tests.unit.bench.continuity_kit import Talk


def chain(*talks: Talk) -> list[sessions.Step]:
    held = [Conversation(talk.imported()) for talk in talks]
    return list(sessions.Chain(str).run(held, range(1, len(talks) + 1)))


def test_the_sessions_of_a_project_share_its_files_and_differ_in_what_is_said() -> None:
    first, second = series(2, 3)
    assert first.workspace == second.workspace
    assert first.branch == second.branch
    assert first.said != second.said
    assert [story.said for story in series(2, 3)] == [first.said, second.said]


def test_each_session_is_a_generation_and_the_last_one_is_counted_apart() -> None:
    one = Talk().user("Move the importer off the old queue.").says("It is moved.")
    two = Talk().user("Now write the notes of the release.").says("The notes are written.")
    steps = chain(one, two)
    assert [(step.n, step.entries) for step in steps] == [(1, 2), (2, 4)]
    last = steps[-1].scores[HANDOFF]
    assert last.recall["U"].facts == 2
    assert sessions._fresh(last, "U") == Count(last.recall["U"].hits - last.older["U"].hits, 1)


def test_the_products_own_gate_is_asked() -> None:
    [step] = chain(Talk().user("Move the importer.").says("Done."))
    assert step.shortfalls == []
    result = sessions.as_json([[step]])
    assert result["by_n"]["1"]["automatic_mode"] == 1
    step.shortfalls.append("a reason")
    assert sessions.as_json([[step]])["by_n"]["1"]["automatic_mode"] == 0


def test_a_folder_of_sessions_is_one_chain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert sessions.main([str(tmp_path)]) == 2
    assert "there is no transcript" in capsys.readouterr().err


def test_one_command_fills_the_page_and_the_other_half_stays(tmp_path: Path) -> None:
    """The tables have dashes until both labels have figures, and text around the marks is kept."""
    (tmp_path / "continuity.md").write_text("# Page\n<!-- claims -->\nold\n<!-- end -->\nend of page\n")
    assert figures.main(["after", "--small", "--docs", str(tmp_path)]) == 0
    text = (tmp_path / "continuity.md").read_text()
    assert text.startswith("# Page\n<!-- claims -->\n| claim | before | after |")
    assert "| same bytes on a rerun | – | yes |" in text
    assert text.endswith("<!-- end -->\nend of page\n")
    held = json.loads((tmp_path / "continuity" / "after.json").read_text())
    assert set(held) == {"handoffs", "situations", "labels", "labels_nominated", "sessions"}
    for name in ("handoffs.svg", "sessions.svg"):
        ElementTree.fromstring((tmp_path / "continuity" / name).read_text())
    page.fill(tmp_path)
    assert (tmp_path / "continuity.md").read_text() == text
