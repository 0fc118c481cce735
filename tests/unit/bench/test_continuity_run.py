from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

import pytest
from bench.continuity import __main__ as command
from bench.continuity.arms import ARMS, Compression, Handoff, Truncation
from bench.continuity.chain import SOURCE, Conversation, Runner, longest
from bench.continuity.corpus.claude import claude_lines
from bench.continuity.corpus.fixture import DB_PASSWORD, EARLY, FIRST, LAST, LATE, PLAN, PUSH, TEST, fixture
from bench.continuity.plot import PANELS, STYLES
from bench.continuity.report import LIMIT
from bench.continuity.sources import transcripts

from baton.core.log.entry import NewEntry
from baton.ports.importer import Imported
from tests.unit.bench.continuity_kit import Talk


def hide(text: str) -> str:
    """Takes the fixture's secrets out: what is tested here is the benchmark, not the redactor."""
    for secret in fixture().canaries:
        text = text.replace(secret, "[redacted: secret]")
    return text


@contextmanager
def hiding() -> Iterator[object]:
    yield hide


@pytest.fixture
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(command, "product_clean", hiding)
    where = tmp_path / "transcripts"
    (where / "below").mkdir(parents=True)
    (where / "planted.jsonl").write_text("".join(f"{line}\n" for line in claude_lines(fixture(), 1)))
    (where / "planted.truth.json").write_text(json.dumps(fixture().truth()))
    (where / "below" / "unseen.jsonl").write_text("{}")
    (where / "notes.txt").write_text("not a transcript")
    return where


def test_one_command_writes_packets_figures_and_a_chart(
    directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    options = ["--handoffs", "3", "--json", f"{out}/r.json", "--packets", f"{out}/packets", "--plot", f"{out}/r.svg"]
    assert command.main([str(directory), *options]) == 0
    packets = {path.name: path for path in (out / "packets").iterdir()}
    assert sorted(packets) == ["planted.1.md", "planted.2.md", "planted.3.md"]
    assert packets["planted.3.md"].stat().st_mode & 0o777 == 0o600
    result = json.loads((out / "r.json").read_text())
    assert (result["sessions"], result["handoffs"], list(result["arms"])) == (1, 3, list(ARMS))
    assert len(result["arms"]["handoff"]["recall"]["U"]["by_n"]) == 3
    assert result["limit"] == LIMIT
    printed = capsys.readouterr()
    assert LIMIT in printed.out
    assert "1/1 planted.jsonl" in printed.err


def test_the_planted_facts_are_all_there_after_ten_handoffs_and_no_secret_is(directory: Path, tmp_path: Path) -> None:
    assert command.main([str(directory), "--packets", str(tmp_path / "p"), "--json", str(tmp_path / "r.json")]) == 0
    packet = " ".join((tmp_path / "p" / "planted.10.md").read_text().split())
    for fact in (FIRST, EARLY, LATE, LAST, PLAN[2], PLAN[3], TEST, PUSH, "src/importer.py", "src/queue_adapter.py"):
        assert fact in packet
    assert f"[ ] {PLAN[0]}" not in packet
    assert not any(secret in packet for secret in fixture().canaries)
    arms = json.loads((tmp_path / "r.json").read_text())["arms"]
    assert arms["handoff"]["core"][-1] == 1.0
    assert (arms["handoff"]["leaks"], arms["handoff"]["stale"], arms["handoff"]["unsupported"]) == (0, 0, 0)
    assert arms["truncation"]["leaks"] > 0
    assert all(arms[arm]["same_bytes"] for arm in ARMS)


def test_a_secret_that_gets_through_is_counted(
    directory: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def nothing() -> Iterator[object]:
        yield str

    monkeypatch.setattr(command, "product_clean", nothing)
    assert command.main([str(directory), "--handoffs", "2", "--json", str(tmp_path / "r.json")]) == 0
    arms = json.loads((tmp_path / "r.json").read_text())["arms"]
    assert arms["handoff"]["leaks"] > 0
    assert DB_PASSWORD in fixture().canaries


def test_the_chart_is_well_formed_and_stays_inside_the_picture(directory: Path, tmp_path: Path) -> None:
    assert command.main([str(directory), "--handoffs", "4", "--plot", str(tmp_path / "r.svg")]) == 0
    root = ElementTree.fromstring((tmp_path / "r.svg").read_text())
    texts = {each.text for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert set(PANELS.values()) <= texts
    assert {style.label for style in STYLES.values()} <= texts
    _, _, width, height = map(float, (root.get("viewBox") or "").split())
    for line in root.iter("{http://www.w3.org/2000/svg}polyline"):
        for x, y in re.findall(r"([-\d.]+),([-\d.]+)", line.get("points") or ""):
            assert 0 <= float(x) <= width
            assert 0 <= float(y) <= height


def test_files_that_cannot_be_read_are_named_and_left_out(
    directory: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (directory / "broken.jsonl").write_text("hello\n")
    assert command.main([str(directory), "--handoffs", "1", "--json", str(tmp_path / "r.json")]) == 0
    assert "broken.jsonl: left out" in capsys.readouterr().err
    assert list(json.loads((tmp_path / "r.json").read_text())["failed"]) == ["broken.jsonl"]


def test_nothing_to_read_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "product_clean", hiding)
    assert command.main([str(tmp_path)]) == 1
    assert command.main([str(tmp_path / "absent")]) == 2


@pytest.mark.parametrize("count", ["0", "101", "x", "-1"])
def test_the_number_of_handoffs_is_bounded(count: str) -> None:
    with pytest.raises(SystemExit):
        command.parser().parse_args(["x", "--handoffs", count])


def test_only_transcripts_at_the_top_are_taken(directory: Path) -> None:
    assert [path.name for path in transcripts(directory)] == ["planted.jsonl"]
    assert transcripts(directory / "planted.jsonl") == [directory / "planted.jsonl"]


def test_the_cuts_are_equal_and_never_between_a_call_and_its_result() -> None:
    talk = Talk().user("go")
    for number in range(30):
        talk.run(f"make {number}")
    conversation = Conversation(talk.imported())
    cuts = conversation.equal_cuts(7)
    assert cuts[-1] == len(talk.entries)
    assert all(talk.entries[cut].kind == "assistant" for cut in cuts[:-1])
    sizes = [end - start for start, end in zip([0, *cuts], cuts, strict=False)]
    assert max(sizes) - min(sizes) <= 6


def test_more_handoffs_than_entries_are_still_a_chain() -> None:
    done = Runner(10).run("x", Talk().user("Never push.").imported())
    assert [scores.recall["K"].share for scores in done.scores["handoff"]][-1] == 1.0
    assert len(done.packets) == 10


def test_packets_and_summaries_of_the_source_are_no_help() -> None:
    entries = (
        NewEntry("user", {"text": "one"}),
        NewEntry("compression", {"outcome": "compressed", "foreign": True, "summary": "about one"}),
        NewEntry("packet", {"text": "# Handoff packet"}),
        NewEntry("user", {"text": "two"}),
    )
    conversation = Conversation(Imported("id", "t", "/w", entries, cuts=(1,)))
    assert [each.data["text"] for each in conversation.entries] == ["one", "two"]
    assert (conversation.cuts, conversation.summaries) == ([1], {1: "about one"})


def test_the_sources_own_summary_is_scored_at_its_own_cut() -> None:
    summary = NewEntry(
        "compression", {"outcome": "compressed", "foreign": True, "summary": "The user said: keep it small."}
    )
    before, after = Talk().user("keep it small").user("never push").entries, Talk().user("go on").entries
    done = Runner(2).run("x", Imported("id", "t", "/w", (*before, summary, *after), cuts=(2,)))
    [source] = done.real[SOURCE]
    assert source.recall["U"].share == 0.5
    assert done.real["handoff"][0].recall["U"].share == 1.0


def test_truncation_is_as_long_as_it_may_be() -> None:
    arm = Truncation(lambda: 100)
    arm.start(Talk().imported())
    conversation = Conversation(Talk().user("x" * 500).user("y" * 500).imported())
    document = arm.hand_off(conversation.generation(1, 0, 2))
    assert document.startswith("User: xx")
    assert document.endswith("yy")
    assert len(document) < 110


def test_compression_protects_what_it_protects_and_starts_afresh() -> None:
    talk = Talk().user("Move the queue.").user("Never push to main.")
    for number in range(60):
        talk.run(f"make target-{number}", 0, "output " * 40)
    conversation = Conversation(talk.imported())
    arm = Compression()
    first, second = (arm.hand_off(conversation.generation(n, 91 * (n - 1), 91 * n)) for n in (1, 2))
    assert "Never push to main." in first
    assert "Never push to main." in second
    assert "make target-5'" not in second
    arm.start(talk.imported())
    assert "target-3" not in arm.hand_off([])


def test_the_handoff_arm_starts_afresh() -> None:
    arm = Handoff()
    conversation = Conversation(Talk().user("Never push to main.").imported())
    assert "Never push" in arm.hand_off(conversation.generation(1, 0, 1))
    assert "Never push" in arm.hand_off([])
    arm.start(Talk().imported())
    assert "Never push" not in arm.hand_off([])


def test_of_one_session_in_several_files_the_longest_counts() -> None:
    runner = Runner(1)
    early = runner.run("early", Talk().user("one").imported())
    late = runner.run("late", Talk().user("one").user("two").imported())
    other = runner.run("other", Talk().user("else").imported())
    assert [each.name for each in longest([early, late, other])] == ["late", "other"]
