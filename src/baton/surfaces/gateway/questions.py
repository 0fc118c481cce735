"""Questions to the owner that a turn waits for: may this tool do exactly this?"""

from __future__ import annotations

from hashlib import sha256

from baton.core.display import one_line, plain
from baton.core.event import ApprovalAsked
from baton.core.letter import Letter
from baton.ports.approver import Answer
from baton.surfaces.approvals import PendingApprover
from baton.surfaces.gateway import texts

_PREVIEW = 1500
_WORDS = {
    "yes": "yes", "y": "yes", "ok": "yes", "allow": "yes", "ja": "yes", "always": "always",
    "no": "no", "n": "no", "refuse": "no", "deny": "no", "nein": "no",
}  # fmt: skip


class Questions:
    """Open questions by conversation; at most one each, because a turn asks and waits."""

    def __init__(self, approver: PendingApprover) -> None:
        self._approver = approver
        self._open: dict[str, ApprovalAsked] = {}

    def ask(self, conversation_id: str, asked: ApprovalAsked) -> Letter:
        """The question as a message."""
        if self._approver.waits(asked.call_id):
            self._open[conversation_id] = asked
        handle = _handle(asked)
        preview = plain(asked.preview).strip("\n").replace("```", "'''")
        text = texts.ASKED.format(tool=one_line(asked.tool, 60), reason=plain(asked.reason), preview=preview[:_PREVIEW])
        buttons = ((texts.ALLOW, "yes"), (texts.ALWAYS, "always"), (texts.REFUSE, "no"))
        return Letter(text, tuple((label, f"{word}:{handle}") for label, word in buttons))

    def close(self, conversation_id: str, call_id: str = "") -> None:
        """Whatever it is, or only the question of this call."""
        asked = self._open.get(conversation_id)
        if asked is not None and call_id in ("", asked.call_id):
            del self._open[conversation_id]

    def of(self, conversation_id: str) -> ConversationApprover:
        return ConversationApprover(self, self._approver, conversation_id)

    def begin(self, conversation_id: str, asked: ApprovalAsked) -> None:
        self._open[conversation_id] = asked

    def waiting(self) -> list[tuple[str, str, ApprovalAsked]]:
        """Every open question: its conversation, its handle, and what is asked."""
        return [(conversation_id, _handle(asked), asked) for conversation_id, asked in self._open.items()]

    def open(self, conversation_id: str) -> bool:
        return conversation_id in self._open

    def answer(self, conversation_id: str, choice: str) -> str:
        """What a button or a word decided (yes, always, no), or an empty string if it decides nothing."""
        asked = self._open.get(conversation_id)
        if asked is None:
            return ""
        word, _, handle = choice.strip().partition(":")
        decided = _WORDS.get(word.lower().rstrip("."), "")
        if not decided or (handle and handle != _handle(asked)):
            return ""
        answered = self._approver.answer(asked.call_id, Answer(decided != "no", remember=decided == "always"))
        self.close(conversation_id)
        return decided if answered else ""


class ConversationApprover:
    """The approver of one conversation: its question is open exactly as long as its turn waits."""

    def __init__(self, questions: Questions, approver: PendingApprover, conversation_id: str) -> None:
        self._questions = questions
        self._approver = approver
        self._conversation_id = conversation_id

    async def ask(self, asked: ApprovalAsked) -> Answer:
        self._questions.begin(self._conversation_id, asked)
        try:
            return await self._approver.ask(asked)
        finally:
            self._questions.close(self._conversation_id, asked.call_id)


def _handle(asked: ApprovalAsked) -> str:
    """Names the question in a button, which must be short."""
    return sha256(asked.call_id.encode()).hexdigest()[:16]
