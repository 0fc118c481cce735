"""An exchange: what you asked, and what came of it.

A conversation is a list of them. Each keeps your words, the question they answer, the agent's own closing words,
written while its context was fresh, and what was refused, answered, approved and produced on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from baton.core.log.payload_json import write_value
from baton.core.value import value

OPEN = "open"
ANSWERED = "answered"
WAITING = "waiting"
INTERRUPTED = "interrupted"
REFUSED = "refused"
STATES = (OPEN, ANSWERED, WAITING, INTERRUPTED, REFUSED)
"""`open`: the agent is in the middle of it. `waiting`: it asked you something and you have not answered. `refused`: the
last thing that happened is that you said no to a call.
"""


@value
class Refusal:
    """A call you said no to, and the words you gave with it, if any. `ran` is where such a call ran later after all."""

    call: str
    words: str
    at: str
    ran: str = ""


@value
class Answer:
    """A question the agent put to you by a tool, and what you chose or wrote."""

    question: str
    answer: str
    at: str


@value
class Exchange:
    """`asked` are your words, `length` how long they were: more, if only their ends are kept. `question` is what a
    short reply of yours answers. `reply` are the agent's last words in it, `begun` says that it called a tool. `task`
    numbers the task it belongs to.
    """

    at: str
    born: int
    asked: str
    length: int
    task: int = 0
    state: str = OPEN
    question: str = ""
    reply: str = ""
    reply_at: str = ""
    plan: str = ""
    plan_at: str = ""
    refusals: tuple[Refusal, ...] = ()
    answers: tuple[Answer, ...] = ()
    produced: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    error: str = ""
    begun: bool = False

    @property
    def whole(self) -> bool:
        return len(self.asked) >= self.length


def is_since(at: str, earlier: str) -> bool:
    """Whether an entry came after another one. Names of sessions sort by time."""
    places = [
        (session, int(seq) if seq.isdigit() else 0) for session, _, seq in (at.rpartition("/"), earlier.rpartition("/"))
    ]
    return places[0] > places[1]


def to_rows(exchanges: Iterable[Exchange]) -> list[dict[str, Any]]:
    return [write_value(each) for each in exchanges]


def from_rows(rows: Iterable[Mapping[str, Any]]) -> tuple[Exchange, ...]:
    """Raises `KeyError`, `TypeError` or `ValueError` if they are damaged."""
    return tuple(map(_read, rows))


def _read(row: Mapping[str, Any]) -> Exchange:
    state = str(row.get("state", OPEN))
    if state not in STATES:
        raise ValueError(f"state {state!r}")
    return Exchange(
        at=str(row["at"]),
        born=int(row["born"]),
        asked=str(row["asked"]),
        length=int(row["length"]),
        task=int(row.get("task", 0)),
        state=state,
        question=str(row.get("question", "")),
        reply=str(row.get("reply", "")),
        reply_at=str(row.get("reply_at", "")),
        plan=str(row.get("plan", "")),
        plan_at=str(row.get("plan_at", "")),
        refusals=tuple(
            Refusal(str(each["call"]), str(each["words"]), str(each["at"]), str(each.get("ran", "")))
            for each in _list(row, "refusals")
        ),
        answers=tuple(
            Answer(str(each["question"]), str(each["answer"]), str(each["at"])) for each in _list(row, "answers")
        ),
        produced=tuple(map(str, _list(row, "produced"))),
        files=tuple(map(str, _list(row, "files"))),
        error=str(row.get("error", "")),
        begun=bool(row.get("begun", False)),
    )


def _list(row: Mapping[str, Any], name: str) -> list[Any]:
    return cast("list[Any]", row.get(name) or [])
