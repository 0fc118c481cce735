"""What of a provider's words may be quote."""

from __future__ import annotations

import pytest

from baton.adapters.models.quoting import quote
from baton.core.agent.message import AssistantMessage, Call, Prompt, UserMessage

PROMPT = Prompt(
    "You run on gpt-4o-mini.",
    (UserMessage("my cat is Bubastis"), AssistantMessage("", (Call("c", "read", {"path": "/home/me/notes.txt"}),))),
)


@pytest.mark.parametrize(
    ("told", "left"),
    [
        ("The model is  busy,\n try later.", "The model is busy, try later"),
        ("Incorrect API key provided: sk-proj-abc***xyz.", "Incorrect API key provided: …"),
        ("bad key AIzaSyA1234567890 given", "bad key … given"),
        ("wrong hunter2 here", "wrong … here"),
        ("see https://me:pw@host/path?token=abc now", "see https://host/path now"),
        ("Authorization: Bearer abc.def", "Authorization: …"),
        ("<html><body>502</body></html>", ""),
        ("", ""),
        ("Invalid content: 'my cat is Bubastis'", ""),
        ("cannot find /home/me/notes.txt", ""),
        ("The model `gpt-4o-mini` does not exist", "The model `gpt-4o-mini` does not exist"),
    ],
)
def test_what_is_left_of_it(told: str, left: str) -> None:
    assert quote(told, ("hunter2",), PROMPT, "gpt-4o-mini") == left


def test_it_is_cut_short() -> None:
    assert quote("x" * 999, (), PROMPT) == "x" * 199 + "…"


def test_a_short_message_is_not_told_either() -> None:
    assert quote("Bad input: swordfish", (), Prompt("", (UserMessage("swordfish"),))) == ""
    assert quote("The key is not ok", (), Prompt("", (UserMessage("ok"),))) == "The key is not ok"
