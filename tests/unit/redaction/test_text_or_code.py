"""Whether the lines around are code: what chats, rulers and headings share with it does not make them code."""

from __future__ import annotations

import pytest

from baton.adapters.redaction.typed import is_code
from baton.ports.redactor import Redactor

TOLD = (
    "use the blue router (upstairs)\nfor guests the wifi password is «mossfern»\nif that fails call me",
    "let me know (any time)\ntype this on the tv, the password is «mossfern»\ntry twice",
    "<ann> hello (again)\n<joe> the wifi password is «mossfern»\n<ann> thanks",
    "====== Data ======\nKey         Value\n---         -----\npassword    «mossfern»\nuser        ann",
    "at org.a.B.c(B.java:95)\nat org.a.D.e(D.java:5)\nargs: [--mail.password=«quill_7», --x.y=z]\n",
    "3 4 * * * borg create ::a\n5 4 * * * borg prune ::b\nPASSPHRASE=«d0ppel»\n",
    "a: bW9zcw==\nb: ZmVybg==\nthe wifi password is «mossfern»\n",
    "Accesses (all)\n==============\n\nMail\n====\nthe password is «mossfern»\n",
)


@pytest.mark.parametrize("marked", TOLD)
def test_a_password_in_text_that_looks_a_little_like_code_goes(redactor: Redactor, marked: str) -> None:
    before, rest = marked.split("«")
    value, after = rest.split("»")
    assert redactor.redact(before + value + after).text == f"{before}[redacted: password]{after}"


CODE = (
    "import os\nfor name in (a, b):\n    pass\n",
    "use std::fmt;\nlet pin = read();\n",
    "<div class='x'>\n<p>ann</p>\n</div>\n{}",
    "if x == 3:\n    try:\n        y()\n",
    "type Pin struct {\n\tValue string\n}\n",
)


@pytest.mark.parametrize("text", CODE)
def test_code_is_still_code(text: str) -> None:
    assert is_code(text.encode())


KEPT = (
    "- Access by username/password (#417) [Ann]",
    "sudo LANG=abc123 \\\n  /home/ann/venv/bin/python3",
    "salt-cloud -f create_volume ec2 zone=us-east-1b size=10",
    "* **password** - _string_ - What to log in with.\n* **host** - _string_ - Where.",
)


@pytest.mark.parametrize("text", KEPT)
def test_numbers_of_issues_paths_other_names_and_types_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text
