"""The lines of a packet: each fact in words, in the lengths it may have, and how important each length is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Any

from baton.core.display import plain
from baton.core.handoff.fit import Piece
from baton.core.handoff.ledger import exchange as states
from baton.core.handoff.ledger.exchange import Answer, Exchange, Refusal
from baton.core.handoff.ledger.fact import Fact
from baton.core.handoff.ledger.words import keep_ends, keep_start, last_words, sentences
from baton.core.handoff.narrative import as_code, item, tame
from baton.core.handoff.rules.rule import PINNED, TASK, Rule

RECENT = 60
"""How many exchanges count as recent: their beginnings come before decisions and results."""


class Rank(IntEnum):
    """What is offered room first. A text may be offered short early and in full later."""

    FIXED = 0
    PINNED = 1
    NOW = 2
    RULES = 3
    OPEN = 4
    FILES = 5
    ASKED = 6
    DECIDED = 7
    NOW_IN_FULL = 8
    RESULTS = 9
    ASKED_MORE = 10
    PROSE = 11
    ASKED_IN_FULL = 12
    STEPS = 13


OUTCOMES = {
    states.OPEN: "not answered yet",
    states.ANSWERED: "answered",
    states.WAITING: "waits for the person's answer",
    states.INTERRUPTED: "interrupted",
    states.REFUSED: "stopped by a refusal",
}


class Writer:
    """Facts as pieces, with pointers into the lineage `chain`."""

    def __init__(self, chain: Sequence[str]) -> None:
        self.chain = tuple(chain)
        self._places = {session: f"g{number}" for number, session in enumerate(self.chain, 1)}

    def at(self, at: str) -> str:
        """Where it stands in the record, for `recall` and `baton sessions show`."""
        session, _, seq = at.rpartition("/")
        place = self._places.get(session)
        return f" ({place}#{seq})" if place else ""

    def rule(self, rule: Rule) -> Piece:
        mark = {PINNED: " (pinned)", TASK: " (this task)"}.get(rule.scope, "")
        short = f"- {begun(rule.text, 90)}{mark}"
        whole = f"- {quoted(rule.text, 2000)}{mark}{self.at(rule.at)}"
        if rule.scope == PINNED:
            return Piece((Rank.PINNED, whole))
        return Piece((Rank.RULES, short), (Rank.NOW_IN_FULL, whole))

    def first_request(self, text: str) -> Piece:
        return Piece(
            *_lengths("- First request: ", text, (Rank.OPEN, 200), (Rank.NOW_IN_FULL, 1200), (Rank.ASKED_IN_FULL, 6000))
        )

    def unanswered(self, exchange: Exchange) -> Piece:
        end = self.at(exchange.at)
        return Piece(
            *_lengths("- Also not answered yet: ", exchange.asked, (Rank.NOW, 1200), (Rank.NOW_IN_FULL, 6000), end=end)
        )

    def current(self, exchange: Exchange) -> list[Piece]:
        """The last exchange: what was asked, what it answers, what was decided, the agent's last words."""
        made = [
            Piece(
                *_lengths(
                    "- Current request: ",
                    exchange.asked,
                    (Rank.FIXED, 500),
                    (Rank.NOW, 1200),
                    (Rank.NOW_IN_FULL, 6000),
                    end=self.at(exchange.at),
                )
            )
        ]
        if exchange.question:
            made.append(Piece((Rank.NOW, f"- It answers: {quoted(exchange.question, 500)}")))
        if exchange.plan:
            short = f"- The person approved this plan: {quoted(exchange.plan, 600)}"
            made.append(
                Piece(
                    (Rank.OPEN, short),
                    (Rank.NOW_IN_FULL, f"- The person approved this plan:\n{_indent(exchange.plan)}"),
                )
            )
        made += self.decisions(exchange, Rank.NOW)
        if exchange.error:
            made.append(Piece((Rank.NOW, f"- The turn failed: {quoted(exchange.error, 200)}")))
        if exchange.reply:
            where = f"- The agent's last reply{self.at(exchange.reply_at)}:"
            short = f"{where} {quoted(last_words(exchange.reply, 320), 400)}"
            made.append(Piece((Rank.NOW, short), (Rank.NOW_IN_FULL, f"{where}\n{_indent(exchange.reply)}")))
        made.append(Piece((Rank.NOW, f"- State: {OUTCOMES[exchange.state]}.")))
        return made

    def decisions(self, exchange: Exchange, rank: Rank) -> list[Piece]:
        """What the person refused and answered in an exchange; the newest first when room is short."""
        refused = [self._refusal(each, rank) for each in exchange.refusals]
        return [*refused, *(self._answer(each, rank) for each in exchange.answers)]

    def _refusal(self, refusal: Refusal, rank: Rank) -> Piece:
        words = f": {quoted(refusal.words, 200)}" if refusal.words else ", without words"
        whole = f": {quoted(refusal.words, 1000)}" if refusal.words else ", without words"
        return Piece(
            (rank, f"- The person refused {code(refusal.call, 70)}{words}"),
            (Rank.NOW_IN_FULL, f"- The person refused {code(refusal.call, 300)}{whole}{self.at(refusal.at)}"),
        )

    def _answer(self, answer: Answer, rank: Rank) -> Piece:
        short = f"- Asked {begun(answer.question, 80)}, the person answered {quoted(answer.answer, 200)}"
        whole = f"- Asked {quoted(answer.question, 320)}, the person answered {quoted(answer.answer, 1000)}"
        return Piece((rank, short), (Rank.NOW_IN_FULL, f"{whole}{self.at(answer.at)}"))

    def exchange(self, exchange: Exchange, *, recent: bool) -> Piece:
        """An earlier exchange: a line, then more of it, then all."""
        closing = _last_sentence(exchange.reply)
        question = f" (to: {quoted(_last_sentence(exchange.question), 130)})" if exchange.question else ""
        outcome = f" → {OUTCOMES[exchange.state]}" if not exchange.closed else ""
        short = f"- {begun(exchange.asked, 70)}{question}{outcome}"
        came = f" → {OUTCOMES[exchange.state]}{': ' + quoted(closing, 240) if closing else ''}"
        asks = f" (to: {quoted(exchange.question, 500)})" if exchange.question else ""
        more = f"- {quoted(exchange.asked, 400)}{asks}{came}{self.at(exchange.at)}"
        whole = f"- {quoted(exchange.asked, 6000)}{asks}{came}{self.at(exchange.at)}"
        return Piece(
            (Rank.ASKED if recent else Rank.ASKED_MORE, short), (Rank.ASKED_MORE, more), (Rank.ASKED_IN_FULL, whole)
        )

    def produced(self, exchange: Exchange) -> Piece:
        return line(Rank.RESULTS, f"- Made: {flat('; '.join(exchange.produced), 900)}" if exchange.produced else "")

    def run(self, fact: Fact) -> Piece:
        """A command that ran, with what its output says of it."""
        return line(
            Rank.RESULTS, f"- {code(fact.text, 160)} → {_result(fact.data)}{_evidence(fact.data)}{self.at(fact.at)}"
        )

    def failure(self, fact: Fact) -> Piece:
        data = fact.data
        told = str(data.get("line", ""))
        tests = [str(name) for name in data.get("tests", ()) if str(name) not in told]
        said = "; ".join(filter(None, [told, *tests]))
        start = "May have failed" if data.get("verdict") == "unknown" else "Fails"
        short = f"- {start}: {code(fact.text, 70)}"
        full = f"{_result(data, with_line=False)}{': ' + quoted(said, 400) if said else ''}{_evidence(data)}"
        return Piece(
            (Rank.OPEN, short),
            (Rank.NOW_IN_FULL, f"- {start}: {code(fact.text, 300)}{_within(data)} → {full}{self.at(fact.at)}"),
        )


def line(rank: Rank, text: str) -> Piece:
    return Piece((rank, text))


def flat(text: str, limit: int) -> str:
    """Beginning and end of a text, on one line."""
    return keep_ends(" ".join(plain(text).split()), limit)


def quoted(text: str, limit: int) -> str:
    """Somebody's words on one line, which cannot begin a block of their own."""
    return item(flat(text, limit))


def begun(text: str, limit: int) -> str:
    """As `quoted`, but only the beginning."""
    return item(keep_start(" ".join(plain(text[: 4 * limit]).split()), limit))


def code(text: str, limit: int) -> str:
    return as_code(keep_start(" ".join(plain(text).split()), limit))


def prose(text: str) -> Piece:
    """Words of the model, which go before any fact does."""
    tamed = tame(text)
    return (
        Piece((Rank.PROSE, _clip_lines(tamed, 1200)), (Rank.ASKED_IN_FULL, _clip_lines(tamed, 3000)))
        if text
        else Piece()
    )


def files(title: str, changed: Sequence[Fact]) -> Piece:
    """Paths by folder; the newest of them if there are too many."""
    paths = [flat(fact.text, 300) for fact in changed]
    if not paths:
        return Piece()
    few = paths[-40:]
    left = f", {len(paths) - len(few)} older" if len(few) < len(paths) else ""
    return Piece(
        (Rank.FILES, f"- {title} ({len(paths)}{left}): {_group_by_folder(sorted(few))}"),
        (Rank.FILES, f"- {title} ({len(paths)}): {_group_by_folder(sorted(paths))}"),
    )


def reads(read: Sequence[Fact]) -> Piece:
    """Files that were read and not changed: the next step may need them."""
    paths = [flat(fact.text, 300) for fact in read]
    forms = [(Rank.RESULTS, paths[-8:]), (Rank.PROSE, paths)]
    return Piece(*((rank, f"- Files read lately: {_group_by_folder(sorted(some))}") for rank, some in forms if some))


def _lengths(start: str, text: str, *steps: tuple[Rank, int], end: str = "") -> Iterable[tuple[int, str]]:
    """One text in several lengths; what is whole is not offered longer again."""
    before = ""
    for rank, limit in steps:
        made = f"{start}{quoted(text, limit)}{end}"
        if made != before:
            yield rank, made
        before = made


def _last_sentence(text: str) -> str:
    return next(iter(sentences(text[-1200:])[-1:]), "")


def _indent(text: str) -> str:
    return "\n".join(f"  {line}" for line in tame(text).splitlines() if line.strip())


def _result(data: Mapping[str, Any], *, with_line: bool = True) -> str:
    verdict, exit_ = str(data.get("verdict", "")), data.get("exit")
    how = {"passed": "passed", "failed": "failed", "unknown": "result unknown"}.get(verdict, "ended")
    code_ = f" (exit {exit_})" if exit_ not in (None, 0) or verdict == "unknown" else ""
    told = f": {quoted(str(data['line']), 160)}" if with_line and data.get("line") else ""
    return f"{how}{code_}{told}"


def _within(data: Mapping[str, Any]) -> str:
    """The command that a part was run in."""
    return f" in {code(str(data['whole']), 200)}" if data.get("whole") else ""


def _evidence(data: Mapping[str, Any]) -> str:
    return f", evidence {flat(str(data['log']), 300)}" if data.get("log") else ""


def _clip_lines(text: str, limit: int) -> str:
    """Whole lines of a text up to a limit."""
    kept: list[str] = []
    spent = 0
    for each in text.splitlines():
        spent += len(each) + 1
        if spent > limit:
            return "\n".join([*kept, "…"])
        kept.append(each)
    return "\n".join(kept)


def _group_by_folder(paths: Iterable[str]) -> str:
    """Paths by directory, so that a hundred files in one folder name it once."""
    folders: dict[str, list[str]] = {}
    for path in paths:
        folder, _, name = path.rpartition("/")
        folders.setdefault(folder, []).append(name)
    return "; ".join(_folder(folder, names) for folder, names in folders.items())


def _folder(folder: str, names: Sequence[str]) -> str:
    if not folder:
        return ", ".join(names)
    return f"{folder}/{names[0]}" if len(names) == 1 else f"{folder}/: {', '.join(names)}"
