"""A question that a turn waits with: may this tool do exactly this? It is kept in the store, so every surface sees it.

    open ──a──▶ answered ──b──▶ taken
      └────c──▶ lapsed

    a  somebody answered, on any surface: the answer that is stored first is the answer
    b  the turn that asked acts on it
    c  nobody waits any more: the turn was stopped, or its process left

An answer is for the call that was shown and for no other: `digest` is taken over the tool, all its arguments and what
was shown of it. If the process that asked dies, an answer is kept for `KEPT` seconds for the same call asked again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from baton.core.agent.choice import USUAL, describe_decision
from baton.core.agent.event import ApprovalAsked
from baton.core.display import one_line
from baton.core.errors import AnsweredAlready, BadInput, QuestionGone
from baton.core.transfer.place import PLATFORMS, platform_name
from baton.core.value import asdict, field, fields, replace, value

OPEN, ANSWERED, TAKEN, LAPSED = "open", "answered", "taken", "lapsed"
KEPT = 900.0
SHOWN_FOR = 3_600.0
"""Seconds that a question which is no longer open can still be looked up, to tell how it ended."""
TERMINAL, EDITOR, API = "terminal", "editor", "api"
NO_LONGER_OPEN = "no longer open"
NOT_OFFERED = "This question does not take {choice} for an answer. It takes: {offers}."
_PREFIX = "question/"
_WHERE = {TERMINAL: "in a terminal", EDITOR: "in an editor", API: "through the API"}


@value
class Question:
    """`owner` and `epoch` are those of the turn that waits, `place` is where that turn came from. `where` names the
    surface or the place of the answer, `by` the person, if a name is known. `asks` is the question in words, `offers`
    are the answers that it takes, `begins` the words that one of them would allow. Texts are without secrets.
    """

    conversation_id: str
    handle: str
    call_id: str
    tool: str
    title: str
    reason: str
    preview: str
    digest: str
    owner: str
    epoch: int
    asked_at: int
    args: Mapping[str, Any] = field(default_factory=dict)
    place: str = ""
    state: str = OPEN
    choice: str = ""
    comment: str = ""
    where: str = ""
    by: str = ""
    asks: str = ""
    begins: str = ""
    offers: tuple[str, ...] = USUAL

    @property
    def key(self) -> str:
        return key_of(self.conversation_id, self.handle)

    def as_asked(self) -> ApprovalAsked:
        """The event with which it was asked, as far as it may be shown elsewhere."""
        return ApprovalAsked(
            self.call_id,
            self.tool,
            self.args,
            self.reason,
            self.preview,
            self.title,
            self.handle,
            self.asks,
            self.begins,
            self.offers,
        )


_FIELDS = frozenset(each.name for each in fields(Question))


def key_of(conversation_id: str, handle: str) -> str:
    return f"{prefix_of(conversation_id)}{handle}"


def prefix_of(conversation_id: str = "") -> str:
    """Of the keys of all questions of a conversation, or of all there are."""
    return f"{_PREFIX}{conversation_id}/" if conversation_id else _PREFIX


def digest_of(asked: ApprovalAsked) -> str:
    shown = [asked.tool, dict(asked.args), asked.preview, asked.title, asked.begins]
    return hashlib.sha256(json.dumps(shown, sort_keys=True, default=str).encode()).hexdigest()


def to_body(question: Question) -> dict[str, Any]:
    return {**asdict(question), "args": dict(question.args), "offers": list(question.offers)}


def from_body(body: Mapping[str, Any]) -> Question:
    """What a newer Baton has written besides is passed over."""
    known: dict[str, Any] = {name: held for name, held in body.items() if name in _FIELDS}
    known["offers"] = tuple(body.get("offers", USUAL))
    return Question(**known)


def answer(question: Question, choice: str, where: str, by: str = "", comment: str = "") -> Question:
    """Arrow a. `AnsweredAlready` or `QuestionGone` if it is not open, `BadInput` if it does not take this answer."""
    if question.state in (ANSWERED, TAKEN):
        raise AnsweredAlready(how=describe_answer(question))
    if question.state != OPEN:
        raise QuestionGone()
    if choice not in question.offers:
        raise BadInput(reason=NOT_OFFERED.format(choice=one_line(choice, 40), offers=", ".join(question.offers)))
    return replace(question, state=ANSWERED, choice=choice, where=where, by=by, comment=comment)


def lapse(question: Question) -> Question:
    """Arrow c; an answer stays an answer."""
    return replace(question, state=LAPSED) if question.state == OPEN else question


def answers_again(question: Question, digest: str, now: int, answered_at: int) -> bool:
    """Whether its answer, which nobody could act on, is for this call too: the same one, and soon after."""
    return question.state == ANSWERED and question.digest == digest and now - answered_at < KEPT * 1_000_000


def describe_answer(question: Question) -> str:
    """`allowed on Telegram by Ada`; `no longer open` if it has no answer."""
    if not question.choice:
        return NO_LONGER_OPEN
    by = f" by {one_line(question.by, 60)}" if question.by else ""
    said = describe_decision(question.choice, question.begins)
    words = f": {one_line(question.comment, 200)}" if question.comment else ""
    return f"{said} {describe_where(question.where)}{by}".strip() + words


def describe_where(where: str) -> str:
    """`in a terminal`, or `on Telegram` for a place there; empty where it is not known."""
    surface = where.partition(":")[0]
    return _WHERE.get(surface) or (f"on {platform_name(surface)}" if surface in PLATFORMS else "")
