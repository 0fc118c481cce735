"""From packet to packet: what a session showed, merged by id with what was known before it.

Exchanges, rules and changed files stay. What is finished is reported once, in the packet of its generation, and left
out of the next one; a failed check stays until it passes; a rule stays until you take it back or its task is done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache

from baton.core.handoff.ledger import fact as facts
from baton.core.handoff.ledger.dialogue import mark_allowed, settle_earlier
from baton.core.handoff.ledger.exchange import Exchange
from baton.core.handoff.ledger.fact import Fact, Ledger, fact_id
from baton.core.handoff.ledger.identifiers import identifiers
from baton.core.handoff.ledger.observe import Observed, observe
from baton.core.handoff.ledger.rulebook import Rulebook
from baton.core.handoff.ledger.runs import FAILED, PASSED, UNKNOWN, Run, closing_lines, covers_text
from baton.core.handoff.ledger.words import keep_ends
from baton.core.handoff.rules.rule import Rule
from baton.core.log.entry import Entry
from baton.core.text import fold_spaces
from baton.core.value import replace

Clean = Callable[[str], str]
COMMAND_LIMIT = 300
LINE_LIMIT = 200
KEY_LIMIT = 2000
MOST = {facts.COMMAND: 40, facts.DECISION: 16, facts.IDENTIFIER: 60, facts.READ: 24, facts.ERROR: 40}
"""How many of a kind are carried; the newest stay."""
_TOLD = 12
"""Of how many runs it is told how their output ended."""
_SHORT_WORD, _HIDDEN = 4, "[redacted: value]"
MOST_EXCHANGES = 400
_FULL = 40
_OLD_ASKED = 600
_OLD_REPLY = 240
"""How many exchanges are carried, how many of them in full, and how much of the older ones."""


def gather(
    entries: Iterable[Entry], carried: Ledger | None = None, clean: Clean = str, nominated: Sequence[Rule] | None = None
) -> Ledger:
    """The ledger of a conversation whose newest session has these entries and began from `carried`.

    `clean` takes secrets out of a text; it is applied before anything is kept or an id is made. `nominated` are rules
    that a model named and that were admitted; None if no model was asked.
    """
    known, clean = carried or Ledger(), lru_cache(maxsize=4096)(clean)
    return _Merge(known, clean).take(observe(entries, known.generation + 1, known.last), nominated)


class _Merge:
    def __init__(self, carried: Ledger, clean: Clean) -> None:
        self._generation = carried.generation + 1
        self._clean = clean
        self._carried = carried
        self._facts = {fact.id: fact for fact in carried.facts if self._stays(fact)}
        self._failures = [fact for fact in self._facts.values() if fact.kind == facts.ERROR]

    def _stays(self, fact: Fact) -> bool:
        return fact.open and fact.kind != facts.PENDING

    def take(self, seen: Observed, nominated: Sequence[Rule] | None) -> Ledger:
        exchanges, messages = self._exchanges(seen), [(self._clean(text), at) for text, at in seen.messages]
        rulebook = Rulebook(self._carried, self._generation, self._clean)
        exchanges = rulebook.take(messages, exchanges, seen.pins, nominated)
        for text, at in messages:
            for name in identifiers([fold_spaces(text)]):
                self._keep(facts.IDENTIFIER, name, name, at)
        self._take_work(seen)
        left = max(0, len(exchanges) - MOST_EXCHANGES)
        return Ledger(
            generation=self._generation,
            facts=tuple(self._within_limits()),
            exchanges=tuple(exchanges[left:]),
            rules=rulebook.rules,
            ended=rulebook.ended,
            steps=tuple(map(self._clean, seen.list_steps())),
            folded=self._carried.folded + left,
            first=self._carried.first or (exchanges[0].asked if exchanges else ""),
        )

    def _exchanges(self, seen: Observed) -> list[Exchange]:
        """The carried ones, shorter the older they are, and those of this session."""
        new = seen.dialogue.exchanges(self._clean)
        carried = list(self._carried.exchanges[:-1] if seen.dialogue.carries else self._carried.exchanges)
        old = max(0, len(carried) + len(new) - _FULL)
        return mark_allowed(settle_earlier([*map(_shorten, carried[:old]), *carried[old:], *new]), seen.ran)

    def _take_work(self, seen: Observed) -> None:
        for path, (state, at) in seen.files.items():
            self._keep(facts.FILE, path, path, at, data={"last": state})
        for path, at in seen.reads.items():
            if path not in seen.files:
                self._keep(facts.READ, path, path, at)
        told = len(seen.runs.by_key) - _TOLD
        for number, (key, run) in enumerate(seen.runs.by_key.items()):
            self._run(key, run, told=number >= told)
        self._plan(seen)
        for text, at in seen.decisions.items():
            self._keep(facts.DECISION, text.lower(), text, at)
        for call_id, call in seen.pending.items():
            if call.question:
                continue
            purpose = self._clean(call.purpose)[:COMMAND_LIMIT]
            data = {"started": call.started, "changes": call.changes}
            self._keep(facts.PENDING, call_id, purpose, call.at, data=data)

    def _keep(
        self, kind: str, key: str, text: str, at: str, state: str = facts.OPEN, data: Mapping[str, object] | None = None
    ) -> None:
        """A new fact, or a known one seen again: it keeps its birth and takes the newest of everything else."""
        key, text = self._clean(key), self._clean(text)
        fact = Fact(fact_id(kind, key), kind, key, text, self._generation, at, state, None, data or {})
        if (known := self._facts.pop(fact.id, None)) is not None:
            fact = replace(fact, born=known.born)
        closed = None if state == facts.OPEN else self._generation
        self._facts[fact.id] = replace(fact, closed=closed)

    def _close(self, id_: str, state: str) -> None:
        if (known := self._facts.get(id_)) is not None and known.open:
            self._facts[id_] = replace(known, state=state, closed=self._generation)

    def _run(self, key: str, run: Run, *, told: bool) -> None:
        """A failure is an open error until the same check passes; a run that shows nothing does not close it. A pass
        that proves something is a fact of its own. One that is `told` comes with how its output ended.
        """
        text = self._clean(run.text)[:COMMAND_LIMIT]
        key = self._clean_key(key, run)[:KEY_LIMIT]
        data = self._run_data(run)
        failed = self._facts.get(fact_id(facts.ERROR, key))
        if run.verdict == UNKNOWN and failed and failed.open and failed.data.get("verdict") == FAILED:
            known = {**failed.data, "seen": self._generation, "again": run.again or run.at}
            self._keep(facts.ERROR, key, failed.text, failed.at, data=known)
            return
        if run.fails:
            self._keep(facts.ERROR, key, text, run.at, data=data)
            self._facts.pop(fact_id(facts.COMMAND, key), None)
            return
        if run.verdict == PASSED:
            self._close_failures(key, run)
        elif not run.timed_out and (before := self._facts.get(fact_id(facts.COMMAND, key))) is not None:
            data |= {name: held for name, held in before.data.items() if name == "timed_out"}
        ended = closing_lines(self._clean(run.end), LINE_LIMIT) if told and run.end else ""
        self._keep(facts.COMMAND, key, text, run.at, data=data | ({"ended": ended} if ended else {}))

    def _clean_key(self, key: str, run: Run) -> str:
        """A key has lost the flags and names by which a secret is known: where the command held one, only those words
        of the key stay that the cleaned command still has.
        """
        for written in dict.fromkeys((run.text, run.whole, run.part.text)):
            if (cleaned := self._clean(written)) != written:
                words = key.split(" ")
                key = " ".join(word if len(word) < _SHORT_WORD or word in cleaned else _HIDDEN for word in words)
        return self._clean(key)

    def _close_failures(self, key: str, run: Run) -> None:
        self._close(fact_id(facts.ERROR, key), facts.DONE)
        for fact in self._failures:  # those of this session were closed when they were read
            if covers_text(run, fact.text):
                self._close(fact.id, facts.DONE)

    def _run_data(self, run: Run) -> dict[str, object]:
        data: dict[str, object] = {
            "verdict": run.verdict,
            "seen": self._generation,
            "exit": run.exit,
            "log": self._clean(run.log),
            "line": self._clean(run.line)[:LINE_LIMIT],
            "runs": run.runs,
            "check": run.is_check,
            "change": run.is_change,
            "again": run.again,
            "timed_out": run.timed_out,
            "whole": self._clean(run.whole)[:COMMAND_LIMIT],
            "tests": [self._clean(name)[:LINE_LIMIT] for name in run.tests],
        }
        return {name: held for name, held in data.items() if held or name in ("verdict", "exit", "check")}

    def _plan(self, seen: Observed) -> None:
        for text, at in seen.finished.items():
            if not seen.plan or text not in seen.plan:
                self._keep(facts.PLAN, text.lower(), text, at, facts.DONE)
        if seen.plan is None:
            return
        now = {fact_id(facts.PLAN, self._clean(text.lower())) for text in seen.plan}
        for fact in [each for each in self._facts.values() if each.kind == facts.PLAN and each.open]:
            if fact.id not in now:
                self._close(fact.id, facts.SUPERSEDED)
        for text, (state, at) in seen.plan.items():
            done = facts.DONE if state == "done" else facts.OPEN
            self._keep(facts.PLAN, text.lower(), text, at, done, {"doing": state == "doing"})

    def _within_limits(self) -> Iterable[Fact]:
        left = {kind: sum(fact.kind == kind for fact in self._facts.values()) - most for kind, most in MOST.items()}
        for fact in self._facts.values():
            if left.get(fact.kind, 0) > 0:
                left[fact.kind] -= 1
            else:
                yield fact


def _shorten(exchange: Exchange) -> Exchange:
    """An old exchange: its words, its outcome and what was decided in it stay; the details go."""
    return replace(
        exchange,
        asked=keep_ends(exchange.asked, _OLD_ASKED),
        reply=keep_ends(exchange.reply, _OLD_REPLY, 0.8),
        plan="",
        files=(),
    )
