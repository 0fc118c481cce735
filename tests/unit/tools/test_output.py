from __future__ import annotations

import os
import random
import re
import stat
from pathlib import Path

import pytest

from baton.adapters.tools.output import LOG_CAP, SHOWN, Capture, Cleaner, Logs, clip_output
from baton.core.display import plain, spell_out

COLOURED = "a\x1b[31mred\x1b[0m b\x1b]0;title\x07c\x1bP1;2|data\x1b\\d \x9b1mx\u202ey\r\nend\x1b(B"


def test_pieces_give_what_the_whole_gives() -> None:
    for seed in range(300):
        chance = random.Random(seed)
        cleaner, out, text = Cleaner(), "", COLOURED * 3
        while text:
            size = chance.randint(1, 7)
            out += cleaner.clean(text[:size])
            text = text[size:]
        assert out + cleaner.rest() == plain((COLOURED * 3).replace("\r\n", "\n"))


def test_a_carriage_return_overwrites_its_line() -> None:
    cleaner = Cleaner()
    assert cleaner.clean("10%\r20%\r30%\ndone\r\n") + cleaner.rest() == "30%\ndone\n"
    assert cleaner.clean("10%") + cleaner.clean("\r20%\n") == "10%\n20%\n"


def test_a_sequence_that_never_ends_is_not_held_for_ever() -> None:
    cleaner = Cleaner()
    assert cleaner.clean("\x1b]0;" + "x" * 100_000 + "\n") == ""
    assert cleaner.clean("y" * 10) + cleaner.rest() == "y" * 10


@pytest.mark.timeout(10)
def test_cleaning_takes_no_longer_than_the_text_is_long() -> None:
    for text in (
        "x" * 2_000_000 + "\r",
        "\x1b" * 2_000_000,
        "\x1b[" * 1_000_000,
        "\x1b]" * 1_000_000,
        "\r" * 2_000_000,
    ):
        cleaner = Cleaner()
        for start in range(0, len(text), 1 << 16):
            cleaner.clean(text[start : start + (1 << 16)])


def test_visible_hides_nothing() -> None:
    assert spell_out("ls\x1b[8m; rm -rf ~\r\u202e\ud800\n\tx") == "ls\\x1b[8m; rm -rf ~\\x0d\\u202e\\ud800\n\tx"


def test_short_output_is_whole_and_has_no_log(logs: Logs, root: Path) -> None:
    assert clip_output(logs, "shell", 1000, "x" * 1000) == ("x" * 1000, None)
    assert not (root / ".baton").exists()


def test_long_output_is_head_tail_and_the_path_of_the_whole(logs: Logs, root: Path) -> None:
    whole = "".join(f"line {number}\n" for number in range(10_000))
    text, log = clip_output(logs, "shell", 1000, whole)
    assert log
    assert re.fullmatch(r"\.baton/logs/\d{8}T\d{6}Z-shell-1\.log", log)
    assert (root / log).read_text() == whole
    assert re.fullmatch(rf"line 0\n[\s\S]*{re.escape(log)}[\s\S]*line 9999\n", text)
    assert len(text) < 1200


def test_logs_are_private_and_ignored_by_git(logs: Logs, root: Path) -> None:
    _, log = clip_output(logs, "shell", 200, "x" * 1000)
    assert log
    assert stat.S_IMODE(os.stat(root / log).st_mode) == 0o600
    assert stat.S_IMODE(os.stat(root / ".baton/logs").st_mode) == 0o700
    assert (root / ".baton/logs/.gitignore").read_text() == "*\n"


@pytest.mark.parametrize("link", [".baton", ".baton/logs"])
def test_a_planted_link_gets_no_log(logs: Logs, root: Path, tmp_path: Path, link: str) -> None:
    (tmp_path / "elsewhere").mkdir()
    if link != ".baton":
        (root / ".baton").mkdir()
    os.symlink(tmp_path / "elsewhere", root / link)
    text, log = clip_output(logs, "shell", 200, "x" * 1000)
    assert log is None
    assert "it could not be kept: not a directory" in text
    assert os.listdir(tmp_path / "elsewhere") == []


def test_a_log_ends_at_its_cap_and_says_so(logs: Logs, root: Path) -> None:
    capture = Capture(logs, "shell", 200)
    piece = b"x" * (1 << 20)
    for _ in range(LOG_CAP // len(piece) + 3):
        capture.feed(piece)
    capture.close()
    assert capture.log
    assert LOG_CAP < os.path.getsize(root / capture.log) < LOG_CAP + 200


def test_a_character_split_between_pieces_stays_one(logs: Logs) -> None:
    capture = Capture(logs, "shell")
    for byte in "zwölf €\n".encode() + b"\xff":
        capture.feed(bytes([byte]))
    capture.close()
    assert capture.text() == "zwölf €\n\ufffd"


def test_what_is_shown_while_it_runs_is_bounded(logs: Logs) -> None:
    shown: list[str] = []
    capture = Capture(logs, "shell", 200, shown.append)
    for _ in range(5_000):
        capture.feed(b"y" * 1000)
    capture.close()
    assert sum(map(len, shown)) < SHOWN + 5_000
