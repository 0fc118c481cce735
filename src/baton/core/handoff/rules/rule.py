"""One rule: the literal words of a person, for how long they hold, and where they were said.

A *pinned* rule was set by hand and holds until it is unpinned; a *standing* one until it is taken back; one *of a
task* ends with its task. The text is always a quote: no model words a rule.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from baton.core.errors import BadInput
from baton.core.text import fold_spaces
from baton.core.value import replace, value

PINNED = "pinned"
STANDING = "standing"
TASK = "task"
SCOPES = (PINNED, STANDING, TASK)
LONGEST = 400
"""Characters of a rule; a longer sentence is no rule but an argument."""


@value
class Rule:
    """`at` names the session and entry of the words (`session/seq`), `born` the generation they were said in. `doubt`
    names what the person said later that seems to speak against it: it still holds, but whoever follows it looks there.
    """

    id: str
    text: str
    scope: str
    at: str
    born: int
    doubt: str = ""

    @property
    def ends_with_task(self) -> bool:
        return self.scope == TASK

    @property
    def can_be_taken_back(self) -> bool:
        """By words in the conversation. What was pinned by hand ends by hand only."""
        return self.scope != PINNED


def make_rule(text: str, scope: str, at: str, born: int) -> Rule:
    """The rule with these words; the same words, however spaced or capitalised, have the same id."""
    quote = fold_spaces(text)
    return Rule(rule_id(quote), quote, scope, at, born)


def rule_id(text: str) -> str:
    """A letter and a digest of the words, which must hold no secret any more."""
    key = fold_spaces(text).lower()
    return f"K{hashlib.sha256(key.encode('utf-8', 'replace')).hexdigest()[:8]}"


def to_json(rule: Rule) -> dict[str, Any]:
    row = {"id": rule.id, "text": rule.text, "scope": rule.scope, "at": rule.at, "born": rule.born}
    return {**row, "doubt": rule.doubt} if rule.doubt else row


def from_json(data: Mapping[str, Any]) -> Rule:
    """`BadInput` unless it is a rule; its id is made from its words again."""
    try:
        text, scope = str(data["text"]), str(data["scope"])
        at, born = str(data["at"]), int(data["born"])
    except (KeyError, TypeError, ValueError) as error:
        raise BadInput(reason=f"The rule is damaged: {type(error).__name__} {error}.") from None
    if scope not in SCOPES:
        raise BadInput(reason=f"A rule is {', '.join(SCOPES[:-1])} or {SCOPES[-1]}, not {scope!r}.")
    return replace(make_rule(text, scope, at, born), doubt=str(data.get("doubt", "")))
