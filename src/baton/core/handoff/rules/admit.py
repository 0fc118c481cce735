"""Rules that a model nominates, admitted by program: what a person typed, word for word, whole, without secrets.

A quote cut out of a sentence may say the opposite of it, so a nomination becomes the sentences that hold it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from baton.core.handoff.rules.rule import LONGEST, STANDING, Rule, make_rule
from baton.core.handoff.rules.sentences import split_sentences
from baton.core.handoff.rules.typed import typed_lines
from baton.core.text import fold_spaces
from baton.core.value import value

MOST = 24
"""Nominations admitted in one session."""
EXAMINED = 200
"""Nominations looked at; a model that has more to say is not listened to."""

NOT_SAID = "nobody said it"
PASTED = "it was pasted, not typed"
TOO_LONG = f"longer than {LONGEST} characters"
TOO_SHORT = "too short to mean anything"
QUESTION = "a question"
SECRET = "it holds a secret"  # noqa: S105, a reason, not a password
KNOWN = "known already"
TOO_MANY = f"more than {MOST}"

Leaks = Callable[[str], bool]
_QUOTES = "\"'“”‘’«»„`「」『』 \t\n"
_SHORTEST = 4


@value
class Said:
    """A message of a person, and the entry it stands in (`session/seq`)."""

    text: str
    at: str


@value
class Refused:
    """A nomination that became no rule. The quote may hold a secret: show the reason, not the words."""

    quote: str
    reason: str


@value
class Admission:
    """What came of a model's nominations."""

    rules: tuple[Rule, ...] = ()
    refused: tuple[Refused, ...] = ()

    def tell(self) -> str:
        """One sentence on what was refused, for people; empty if nothing was."""
        if not self.refused:
            return ""
        counts = Counter(each.reason for each in self.refused)
        reasons = "; ".join(f"{count} × {reason}" for reason, count in counts.most_common())
        plural = "rule" if len(self.refused) == 1 else "rules"
        return f"{len(self.refused)} {plural} suggested by the model refused: {reasons}."


def admit(
    quote: str, messages: Sequence[Said], leaks: Leaks, *, scope: str = STANDING, born: int = 1
) -> Rule | Refused:
    """The rule that a quote names, or why it is none. The newest message that holds it counts."""
    return _Desk(messages, leaks, scope, born).admit(quote)


def admit_all(
    quotes: Iterable[str],
    messages: Sequence[Said],
    leaks: Leaks,
    *,
    scope: str = STANDING,
    born: int = 1,
    held: Iterable[Rule] = (),
) -> Admission:
    """All nominations of one session, in order; `held` are rules that hold already."""
    desk = _Desk(messages, leaks, scope, born)
    known = {rule.id for rule in held}
    rules: list[Rule] = []
    refused: list[Refused] = []
    for number, quote in enumerate(quotes):
        judged = desk.admit(quote) if len(rules) < MOST and number < EXAMINED else Refused(quote, TOO_MANY)
        if isinstance(judged, Refused):
            refused.append(judged)
        elif judged.id in known:
            refused.append(Refused(quote, KNOWN))
        else:
            known.add(judged.id)
            rules.append(judged)
    return Admission(tuple(rules), tuple(refused))


class _Desk:
    """Messages, folded once, for any number of nominations."""

    def __init__(self, messages: Sequence[Said], leaks: Leaks, scope: str, born: int) -> None:
        self._whole = [(fold_spaces(said.text), said) for said in reversed(messages)]
        self._leaks = leaks
        self._scope = scope
        self._born = born

    def admit(self, quote: str) -> Rule | Refused:
        words = fold_spaces(quote[: LONGEST * 4].strip(_QUOTES))
        if reason := self._refuse(quote, words):
            return Refused(quote, reason)
        holding = [said for whole, said in self._whole if words in whole]
        if not holding:
            return Refused(quote, NOT_SAID)
        for said in holding:
            if (text := _typed_around(words, said.text)) is not None:
                return self._check(quote, text, said.at)
        return Refused(quote, PASTED)

    def _refuse(self, quote: str, words: str) -> str:
        if len(quote) > LONGEST * 4 or len(words) > LONGEST:
            return TOO_LONG
        if len(words) < _SHORTEST:
            return TOO_SHORT
        return SECRET if self._leaks(quote) else ""

    def _check(self, quote: str, text: str, at: str) -> Rule | Refused:
        if len(text) > LONGEST:
            return Refused(quote, TOO_LONG)
        if text.rstrip(_QUOTES)[-1:] in ("?", "？", "؟"):
            return Refused(quote, QUESTION)
        if self._leaks(text):
            return Refused(quote, SECRET)
        return make_rule(text, self._scope, at, self._born)


def _typed_around(words: str, message: str) -> str | None:
    """The typed sentences that hold these words, whole; None if nothing that was typed does."""
    lines = [fold_spaces(line.text) for line in typed_lines(message)]
    for text in (*lines, " ".join(lines)):
        if (start := text.find(words)) >= 0:
            return _widen(text, start, start + len(words))
    return None


def _widen(line: str, start: int, end: int) -> str:
    kept: list[str] = []
    at = 0
    for sentence in split_sentences(line):
        at = line.find(sentence, at)
        if at < end and at + len(sentence) > start:
            kept.append(sentence)
        at += len(sentence)
    return " ".join(kept)
