"""A question in the transcript: may this tool do exactly this?"""

from __future__ import annotations

from typing import ClassVar

from rich.console import Group
from rich.syntax import Syntax
from rich.text import Text
from textual.binding import BindingType
from textual.message import Message
from textual.widgets import Static

from baton.core.display import plain
from baton.core.event import ApprovalAsked
from baton.ports.approver import Answer


class ApprovalView(Static, can_focus=True):
    """y allows once, a allows exactly this in this workspace from now on, n refuses."""

    BINDINGS: ClassVar[list[BindingType]] = [
        ("y,enter", "answer('y')", "Allow"),
        ("a", "answer('a')", "Always here"),
        ("n", "answer('n')", "Refuse"),
    ]

    class Answered(Message):
        def __init__(self, call_id: str, answer: Answer) -> None:
            super().__init__()
            self.call_id = call_id
            self.answer = answer

    def __init__(self, asked: ApprovalAsked) -> None:
        self._asked = asked
        super().__init__(self._question(), classes="approval")

    def _question(self) -> Group:
        asked = self._asked
        head = Text.assemble((asked.tool, "bold"), f" asks, because {asked.reason}:")
        lexer = "diff" if asked.preview.startswith(("---", "@@")) else "bash"
        body = Syntax(plain(asked.preview), lexer, theme="ansi_dark", background_color="default", word_wrap=True)
        keys = Text.assemble(
            ("y", "bold"), " allow · ", ("a", "bold"), " always here · ", ("n", "bold"), " refuse · Esc stop"
        )
        return Group(head, body, keys)

    def action_answer(self, key: str) -> None:
        answer = Answer(allowed=key in "ya", remember=key == "a")
        self.post_message(self.Answered(self._asked.call_id, answer))
