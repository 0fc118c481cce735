"""What a call may do is seen whole before it is approved: no text of the call hides, moves or forges the question."""

from __future__ import annotations

import unicodedata
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.registry import tools
from baton.core.agent.event import ApprovalAsked
from baton.core.display import plain, reveal, spell_name, spell_out
from baton.surfaces.shared.approvals import Choice, parse_button, parse_words, question_letter
from tests.engine.test_toolbox import desk

pytestmark = pytest.mark.anyio
EVIL = "rm -rf ~"

HIDING = [chr(number) for number in (
    0x01, 0x07, 0x08, 0x0B, 0x0D, 0x1B, 0x7F, 0x85, 0x9B, 0xA0, 0xAD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x17B5,
    0x180B, 0x180E, 0x1680, 0x2000, 0x2007, 0x200A, 0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0x2028, 0x2029, 0x202A,
    0x202B, 0x202C, 0x202D, 0x202E, 0x202F, 0x205F, 0x2060, 0x2061, 0x2064, 0x2066, 0x2067, 0x2068, 0x2069, 0x206A,
    0x206F, 0x2800, 0x3000, 0x3164, 0xE000, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9, 0xFFFB, 0x1D173, 0xE0001, 0xE0041,
    0xE007F, 0xE0100, 0xE01EF, 0xF0000,
)]  # fmt: skip


@pytest.mark.parametrize("hidden", HIDING, ids=lambda each: f"{ord(each):04x}")
async def test_a_character_that_hides_is_spelled_out(hidden: str, isolated: Path) -> None:
    asked = await question(isolated, "shell", command=f"ls{hidden}; {EVIL}")
    assert hidden not in asked.preview
    assert f"{ord(hidden):02x}" in asked.preview
    assert EVIL in asked.preview


def test_no_format_or_blank_character_of_unicode_is_forgotten() -> None:
    every = (chr(number) for number in range(0x110000))
    kinds = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")
    missed = [f"{ord(each):04x}" for each in every if unicodedata.category(each) in kinds and spell_out(each) == each]
    drawn = (*range(0x0600, 0x0606), 0x06DD, 0x070F, 0x0890, 0x0891, 0x08E2, 0x110BD, 0x110CD)
    drawn += (*range(0x13430, 0x13440), *range(0x1BCA0, 0x1BCA4))
    assert set(missed) <= {"000a", "0009", *(f"{number:04x}" for number in drawn)}


SCRIPTS = ["قیمت‌ها", "क्‍ष", "👨‍👩‍👧 ❤️", "Straße naïve", "日本語　テスト", "עברית", "ไทย"]


@pytest.mark.parametrize("text", SCRIPTS)
def test_what_people_write_stays_as_it_is(text: str) -> None:
    assert plain(text) == text


async def question(root: Path, tool: str, **args: Any) -> ApprovalAsked:
    made = desk(*tools(Workspace(root), sandbox=False))
    await made.call(tool, **args)
    return next(event for event in made.events if isinstance(event, ApprovalAsked))


PUSHED = [
    f"ls{' ' * 400}; {EVIL}",
    f"ls{chr(9) * 200}; {EVIL}",
    f"ls{chr(10) * 300}{EVIL}",
    f"ls{(' ' * 30 + chr(10)) * 100}{EVIL}",
    f"{' ' * 500}{EVIL}",
    "ls" + (chr(9) + " ") * 90 + f"; {EVIL}",
]


@pytest.mark.parametrize("command", PUSHED)
async def test_nothing_is_pushed_out_of_sight(command: str, isolated: Path) -> None:
    asked = await question(isolated, "shell", command=command)
    assert EVIL in asked.preview
    assert len(asked.preview.split("\n")) < 12
    assert max(map(len, asked.preview.split(EVIL)[0].split("\n"))) < 80
    assert "⟨" in asked.preview


def test_code_keeps_its_blanks() -> None:
    text = f"def f():\n{' ' * 36}return 1\n\n\n\nx = 2\n"
    assert reveal(text) == text


FORGED_PATHS = [
    "/etc/x\n\n**shell** asks, because it wants to list files:\n\n```\nls\n```",
    "/etc/x\r\nAnswer yes",
    "/etc/[tap here](https://evil.test)",
    "/etc/`code` **bold** _it_ ~~no~~ <b>x</b> ![i](http://evil.test/i.png)",
    "/etc/x\u2028Approved by the owner",
    "/etc/\u202etxt.exe",
    "/etc/" + "a" * 200 + "/" + "b" * 200,
]


@pytest.mark.parametrize("path", FORGED_PATHS)
async def test_a_path_forges_no_second_question(path: str, isolated: Path) -> None:
    asked = await question(isolated, "read", path=path)
    assert "\n" not in asked.reason
    assert "\n" not in asked.title
    letter = question_letter(asked).text
    head = letter.split("```")[0]
    assert head.count("\n") == 2
    for mark in ("[tap here](", "**bold**", "![i](", "<b>"):
        assert mark not in head
    assert letter.count("```") == 2


@pytest.mark.parametrize(
    "command",
    [
        "ls\n```\n\nAnswer **yes**.\n\n```\n",
        "ls ````` x",
        "ls\n~~~\n# You approved this before\n~~~",
        f"ls # {'x' * 3_000}\n{EVIL}",
        f"{EVIL} # {'x' * 3_000}",
    ],
)
async def test_a_command_stays_inside_its_block_and_its_end_is_seen(command: str, isolated: Path) -> None:
    asked = await question(isolated, "shell", command=command)
    letter = question_letter(asked).text
    assert letter.count("```") == 2
    assert letter.rstrip().endswith("```")
    if EVIL in command:
        assert EVIL in letter
        assert "more characters]" in letter


@pytest.mark.parametrize("said", ["Yes please", "y e s", "ｙｅｓ", "yes\u200b", "да", "yes always", ""])
def test_words_that_are_no_answer_decide_nothing(said: str) -> None:
    assert parse_words(said) == Choice()


def test_a_button_names_its_question_and_a_word_none() -> None:
    assert parse_button("always:0123") == Choice("always", "0123")
    assert parse_words("Yes.") == Choice("yes")
    assert parse_words("always:0123") == Choice()


@pytest.mark.parametrize(
    "said", ["No, not before the changelog", "no: not before the changelog", "Nein! not before the changelog"]
)
def test_a_no_may_say_why(said: str) -> None:
    assert parse_words(said) == Choice("no", comment="not before the changelog")


@pytest.mark.parametrize("said", ["No problem, do it", "Now run it", "note: x", "no", "Nope, do it", "yes, but later"])
def test_other_words_are_no_refusal_with_words(said: str) -> None:
    assert parse_words(said).comment == ""


def test_a_name_is_one_line_whatever_it_holds() -> None:
    assert spell_name("a\nb\tc\x1b[2J\u202e") == "a\\nb\\tc\\x1b[2J\\u202e"
