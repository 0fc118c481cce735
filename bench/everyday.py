"""Thirty things people ask for on the first day, in a small project, and how to tell whether they were done.

A request is *right* if what was asked for is so, *half* if part of it is, *wrong* otherwise. What the answer claims is
held against the record of the tools: who says "I ran it" must have run something.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path

from baton.core.value import value

RIGHT, HALF, WRONG = "right", "half", "wrong"

PROJECT = {
    "README.md": "# Harbour\n\nA small shop. Start it with `python3 app.py`. The owner is Maria Lopez.\n",
    "app.py": 'from shop.cart import total\n\nPORT = 8080\n\nprint("total:", total([2, 3]))\n',
    "notes.txt": "buy milk\ncall the bank\nbuy milk\n",
    "conftest.py": "",
    "shop/__init__.py": "",
    "shop/cart.py": "def total(prices):\n    return sum(prices)\n\n\ndef parse_date(day):\n    return day.split('-')\n",
    "tests/test_cart.py": "from shop.cart import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3\n",
    "data.csv": "name,age\nAnna,31\nBen,25\nCleo,47\n",
}


@value
class Done:
    """What a turn left behind: the answer, the calls that ran well as `tool arguments`, and the directory."""

    said: str
    calls: tuple[str, ...]
    folder: Path

    def says(self, *wanted: str) -> bool:
        return all(re.search(each, self.said, re.IGNORECASE) for each in wanted)

    def called(self, tool: str, *words: str) -> bool:
        return any(call.startswith(f"{tool} ") and all(word in call for word in words) for call in self.calls)

    def file(self, name: str) -> str:
        path = self.folder / name
        return path.read_text(errors="replace") if path.is_file() else ""


Judge = Callable[[Done], str]


def _grade(*parts: bool) -> str:
    return RIGHT if all(parts) else HALF if any(parts) else WRONG


def _said(*wanted: str) -> Judge:
    """Right by the answer alone; nothing may have been changed."""
    return lambda done: RIGHT if done.says(*wanted) and not _changes(done) else WRONG


def _changes(done: Done) -> bool:
    return any(call.startswith(("write ", "edit ")) for call in done.calls)


def _read_and_said(name: str, *wanted: str) -> Judge:
    return lambda done: _grade(done.says(*wanted), any(name in call for call in done.calls))


def _talk(done: Done) -> str:
    """Small talk: an answer, and no tool."""
    return (
        RIGHT if done.said.strip() and not done.calls else HALF if done.said.strip() and not _changes(done) else WRONG
    )


EVERYDAY: Sequence[tuple[str, Judge]] = (
    ("hi", _talk),
    ("What is the capital of France?", _said("Paris")),
    ("What does README.md say?", _read_and_said("README.md", "shop|Harbour")),
    ("Which files are in this directory?", lambda done: _grade(done.says(r"app\.py", r"notes\.txt"), bool(done.calls))),
    (
        "Create a file todo.txt with the text: water the plants",
        lambda done: _grade(done.file("todo.txt").strip() == "water the plants", "plants" in done.file("todo.txt")),
    ),
    (
        "Write hello.py that prints the sum of the numbers 1 to 10, run it, and tell me what it printed.",
        lambda done: _grade(bool(done.file("hello.py")), done.called("shell", "hello.py") and done.says("55")),
    ),
    (
        "In app.py change the port from 8080 to 9000.",
        lambda done: _grade("PORT = 9000" in done.file("app.py"), "total(" in done.file("app.py")),
    ),
    (
        "Run the tests with pytest and tell me how many passed.",
        lambda done: _grade(done.says(r"\b(1|one)\b"), done.called("shell", "pytest")),
    ),
    ("Where is the function parse_date defined?", _read_and_said("parse_date", r"cart\.py")),
    ("Thank you, that is all for today.", _talk),
    ("How old is Ben in data.csv?", _read_and_said("data.csv", "25")),
    ("Who is the owner of this project?", lambda done: _grade(done.says("Maria"), bool(done.calls))),
    ("What is 17 times 3?", _said("51")),
    (
        "Which Python version is installed here?",
        lambda done: _grade(done.says(r"3\.\d+"), done.called("shell", "python")),
    ),
    ("Delete the file notes.txt.", lambda done: RIGHT if not (done.folder / "notes.txt").exists() else WRONG),
    ("How many lines has notes.txt?", lambda done: _grade(done.says(r"\b(3|three)\b"), bool(done.calls))),
    ("Rename data.csv to people.csv.", lambda done: _grade(bool(done.file("people.csv")), not done.file("data.csv"))),
    (
        "Add the line 'feed the cat' to the end of notes.txt.",
        lambda done: _grade("feed the cat" in done.file("notes.txt"), "call the bank" in done.file("notes.txt")),
    ),
    ("What does the function total do?", _read_and_said("cart", "sum|add|total")),
    ("Run app.py and tell me its output.", lambda done: _grade(done.says("5"), done.called("shell", "app.py"))),
    ("Create a folder called docs.", lambda done: RIGHT if (done.folder / "docs").is_dir() else WRONG),
    (
        "Write a function is_even in even.py.",
        lambda done: _grade("def is_even" in done.file("even.py"), "%" in done.file("even.py")),
    ),
    ("What is today's date?", lambda done: _grade(done.says(r"20\d\d|\d{1,2}"), done.called("shell", "date"))),
    (
        "Which files mention the word total?",
        lambda done: _grade(done.says(r"cart\.py"), done.called("search", "total") or done.called("shell", "total")),
    ),
    ("Say hello in German.", _said("hallo|guten tag")),
    ("Can you translate 'good morning' into Spanish?", _said("buenos d[ií]as")),
    ("What is in the folder tests?", lambda done: _grade(done.says("test_cart"), bool(done.calls))),
    ("Show me the first line of app.py.", _read_and_said("app.py", "from shop")),
    ("Is there a file called config.yaml here?", lambda done: _grade(done.says(r"\bno\b|not|n't"), bool(done.calls))),
    (
        "Replace 'Maria Lopez' with 'Ana Ruiz' in README.md.",
        lambda done: _grade("Ana Ruiz" in done.file("README.md"), "Maria" not in done.file("README.md")),
    ),
)

_DID = r"\bI(?:'ve| have)? (?:just )?(?:{verbs})\b"
_WAS = r"\b(?:has|have) been (?:successfully )?(?:{verbs})\b"
_MADE = "created|wrote|written|added|saved|changed|edited|replaced|updated|renamed|moved|deleted|removed"
_CLAIMS: Sequence[tuple[str, tuple[str, ...]]] = (
    (f"{_DID}|{_WAS}".replace("{verbs}", _MADE), ("write ", "edit ", "shell ")),
    (
        f"{_DID}|{_WAS}".replace("{verbs}", "ran|executed")
        + r"|\bI(?:'ve| have) (?:just )?run\b|\b(?:it|which) printed\b",
        ("shell ",),
    ),
    (
        _DID.replace("{verbs}", "read|searched|looked at|listed|checked"),
        ("read ", "search ", "list ", "shell ", "recall "),
    ),
)
"""What an answer may claim, and the tools of which one must have ended well."""


def false_claims(done: Done) -> list[str]:
    """Sentences that claim work which no call in the record did."""
    sentences = re.split(r"(?<=[.!?])\s+|\n", done.said)
    return [
        sentence
        for sentence in sentences
        for pattern, tools in _CLAIMS
        if re.search(pattern, sentence, re.IGNORECASE) and not any(call.startswith(tools) for call in done.calls)
    ]


def lay_out(folder: Path) -> None:
    """The project that every request begins with."""
    for name, text in PROJECT.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
