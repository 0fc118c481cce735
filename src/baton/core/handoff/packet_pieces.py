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
from baton.core.handoff.ledger.words import closing_words, keep_ends, keep_start, last_words, sentences
from baton.core.handoff.narration.narrative import as_code, item, tame
from baton.core.handoff.rules.rule import PINNED, TASK, Rule

RULES, LATELY = 1000, 600
"""How many tokens rules may take in many words, the newest first, before anything else that is open; and the newest
exchanges, each with its end and what came of it, before older ones are begun.
"""
BEGUN = 110
"""As long as there are no more exchanges than this, all are begun before the newest are told in full."""
LAST = 4
"""So many exchanges count as of the newest session, even if it has just begun."""
RECENT, KNOWN = 40, 160
"""How many exchanges are recent: their beginnings come before what was decided earlier. So many in all come before
results and details.
"""
LAST_CHECKS, LAST_PRODUCTS = 6, 8
"""How many checks of the newest session and products of earlier ones come before the newest messages in full."""
FIRST, NEWEST = 16, 24
"""How many refusals and answers come before what the newest messages say in full; how many of them, and of products
and failures, come before older messages; the rest wait.
"""
DETAILED = 8
"""How many failures are told in full before older messages are."""
_FEW, _MANY = 40, 80


class Rank(IntEnum):
    """What is offered room first. A text may be offered short early and in full later."""

    FIXED = 0
    PINNED = 1
    NOW = 2
    RULES = 3
    OPEN = 4
    FILES = 5
    RECENT = 6
    DECIDED = 7
    LATELY = 8
    ASKED = 9
    NOW_IN_FULL = 10
    RESULTS = 11
    ASKED_MORE = 12
    PROSE = 13
    ASKED_IN_FULL = 14
    STEPS = 15
    ENDINGS = 16


OUTCOMES = {
    states.OPEN: "not answered yet",
    states.ANSWERED: "answered",
    states.WAITING: "waits for the person's answer",
    states.INTERRUPTED: "interrupted",
    states.REFUSED: "stopped by a refusal",
}

_AT_WORK = (states.OPEN, states.INTERRUPTED, states.REFUSED)


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

    def rule(self, rule: Rule, *, asked: bool = False) -> Piece:
        """One that was `asked` as a message of its own waits: the message is told elsewhere."""
        mark = {PINNED: " (pinned)", TASK: " (this task)"}.get(rule.scope, "")
        later = self.at(rule.doubt)
        doubt = f", but see what the person said later{later}" if later else ""
        short, more = f"- {begun(rule.text, 72)}{mark}", f"- {quoted(rule.text, 240)}{mark}"
        whole = f"- {quoted(rule.text, 2000)}{mark}{self.at(rule.at)}{doubt}"
        if rule.scope == PINNED:
            return Piece((Rank.PINNED, whole))
        if asked:
            return Piece((Rank.ASKED_MORE, whole), told=True)
        return Piece((Rank.RULES, short), (Rank.DECIDED, more), (Rank.NOW_IN_FULL, whole))

    def first_request(self, text: str) -> Piece:
        return Piece(
            *_lengths("- First request: ", text, (Rank.OPEN, 200), (Rank.NOW_IN_FULL, 1200), (Rank.ASKED_IN_FULL, 6000))
        )

    def unanswered(self, exchange: Exchange) -> Piece:
        end = self.at(exchange.at)
        return Piece(
            *_lengths("- Also not answered yet: ", exchange.asked, (Rank.NOW, 1200), (Rank.NOW_IN_FULL, 6000), end=end)
        )

    def current(self, exchange: Exchange, replied: Exchange | None) -> list[Piece]:
        """The last exchange: what was asked, what it answers, what was decided, the agent's last words."""
        steps = ((Rank.FIXED, 500), (Rank.LATELY, 1200), (Rank.NOW_IN_FULL, 6000))
        made = [Piece(*_lengths("- Current request: ", exchange.asked, *steps, end=self.at(exchange.at)))]
        if exchange.question:
            made.append(Piece((Rank.NOW, f"- It answers: {quoted(exchange.question, 500)}")))
        made += self.decisions(exchange, Rank.NOW)
        if exchange.error:
            made.append(Piece((Rank.NOW, f"- The turn failed: {quoted(exchange.error, 200)}")))
        if replied:
            made.append(self._last_reply(replied, before=replied is not exchange))
        return [*made, Piece((Rank.NOW, f"- State: {OUTCOMES[exchange.state]}."))]

    def plan(self, exchange: Exchange, *, newest: bool) -> Piece:
        """A plan that the person approved: the newest one comes early, older ones if there is room."""
        if not exchange.plan:
            return Piece()
        start = f"- The person approved this plan{self.at(exchange.plan_at or exchange.at)}:"
        whole = f"{start}\n{_as_block(exchange.plan)}"
        if not newest:
            return Piece((Rank.ASKED_MORE, f"{start} {quoted(exchange.plan, 200)}"), (Rank.ASKED_IN_FULL, whole))
        return Piece((Rank.OPEN, f"{start} {quoted(exchange.plan, 600)}"), (Rank.NOW_IN_FULL, whole))

    def _last_reply(self, exchange: Exchange, *, before: bool) -> Piece:
        what = "last words" if exchange.state in _AT_WORK else "last reply"
        start = f"- The agent's {what}{', before this request' if before else ''}{self.at(exchange.reply_at)}:"
        short = f"{start} {quoted(last_words(exchange.reply, 320), 400)}"
        return Piece((Rank.NOW, short), (Rank.NOW_IN_FULL, f"{start}\n{_as_block(exchange.reply)}"))

    def decisions(self, exchange: Exchange, rank: Rank) -> list[Piece]:
        """What the person refused and answered in an exchange; the newest first when room is short."""
        refused = [self._refusal(each, rank) for each in exchange.refusals]
        return [*refused, *(self._answer(each, rank) for each in exchange.answers)]

    def _refusal(self, refusal: Refusal, rank: Rank) -> Piece:
        words = f": {quoted(refusal.words, 200)}" if refusal.words else ", without words"
        whole = f": {quoted(refusal.words, 1000)}" if refusal.words else ", without words"
        ran = "; such a call ran later" if refusal.ran else ""
        where = f"{self.at(refusal.at)}{ran}{self.at(refusal.ran)}"
        return Piece(
            (rank, f"- The person refused {code(refusal.call, 70)}{words}{ran}"),
            (_later(rank), f"- The person refused {code(refusal.call, 300)}{whole}{where}"),
        )

    def _answer(self, answer: Answer, rank: Rank) -> Piece:
        short = f"- Asked {begun(answer.question, 80)}, the person answered {quoted(answer.answer, 200)}"
        whole = f"- Asked {quoted(answer.question, 320)}, the person answered {quoted(answer.answer, 1000)}"
        return Piece((rank, short), (_later(rank), f"{whole}{self.at(answer.at)}"))

    def exchange(self, exchange: Exchange, *, ruled: bool = False) -> Piece:
        """An earlier exchange: a line, then more of it, then all. What is `ruled` stands under the rules already: only
        what came of it is told.
        """
        question = f" (to: {begun(_last_sentence(exchange.question), 90)})" if exchange.question else ""
        short = f"- {begun(exchange.asked, 62)}{question}"
        asks = f" (to: {quoted(exchange.question, 500)})" if exchange.question else ""
        start = f"{self.at(exchange.at)}{asks} → {OUTCOMES[exchange.state]}"
        short_end, end = _told(_last_sentence(exchange.reply)), _told(closing_words(exchange.reply, 240))
        if ruled:
            short = f"- {begun(exchange.asked, 62)}{start}{end}"
            return Piece((Rank.STEPS, short), told=True) if exchange.reply else Piece()
        ends, more, whole = (f"- {quoted(exchange.asked, limit)}{start}" for limit in (200, 600, 6000))
        return Piece(
            (Rank.RECENT, short),
            (Rank.ASKED_MORE, ends),
            (Rank.ASKED_MORE, f"{more}{short_end}"),
            (Rank.ASKED_IN_FULL, f"{whole}{short_end}"),
            (Rank.STEPS, f"{whole}{end}"),
        )

    def produced(self, exchange: Exchange) -> Piece:
        if not exchange.produced:
            return Piece()
        short = "; ".join(map(_shorten_product, exchange.produced))
        return Piece(
            (Rank.DECIDED, f"- Made: {flat(short, 900)}"),
            (Rank.RESULTS, f"- Made: {flat('; '.join(exchange.produced), 1500)}"),
        )

    def failed(self, fact: Fact, rank: Rank = Rank.DECIDED) -> Piece:
        """A command that failed and was not run again: known, but no blocker."""
        return Piece((rank, f"- {code(fact.text, 70)} → failed"), *self.run(fact).forms)

    def run(
        self, fact: Fact, *, newest: bool = False, rank: Rank = Rank.RESULTS, failed_since: Fact | None = None
    ) -> Piece:
        """A check that ran, with what its output says of it. How that ended is told early only of the `newest` run. A
        pass names the failure of something within it since.
        """
        start = f"- {code(fact.text, 160)} → {_result(fact.data)}"
        since = f", before {code(failed_since.text, 160)} failed{self.at(failed_since.at)}" if failed_since else ""
        rest = f"{_evidence(fact.data)}{self.at(fact.at)}{since}{self._unsettled(fact)}"
        told = (Rank.NOW_IN_FULL if newest else Rank.ENDINGS, f"{start}{_ending(fact.data)}{rest}")
        return Piece((rank, f"{start}{rest}"), *([told] if fact.data.get("ended") else []))

    def also_run(self, fact: Fact, *, newest: bool = False) -> Piece:
        """A command that is no check."""
        start = f"- Also run: {code(fact.text, 200)}{self._unsettled(fact)}"
        told = (Rank.NOW_IN_FULL if newest else Rank.ENDINGS, f"{start}{_ending(fact.data)}")
        return Piece((Rank.STEPS, start), *([told] if fact.data.get("ended") else []))

    def failure(self, fact: Fact, *, detailed: bool = True, changed: str = "") -> Piece:
        """A failure that is live. `changed` is a file it names that was changed since."""
        data = fact.data
        since = f"; not run since {code(changed, 160)} was changed" if changed else ""
        told = str(data.get("line", ""))
        tests = [str(name) for name in data.get("tests", ()) if str(name) not in told]
        said = "; ".join(filter(None, [told, *tests]))
        start = "May have failed" if data.get("verdict") == "unknown" else "Fails"
        short = f"- {start}: {code(fact.text, 70)}{', started again, result unknown' if data.get('again') else ''}"
        rest = f"{_result(data, with_line=False)}{': ' + quoted(said, 400) if said else ''}{_evidence(data)}"
        full = (
            f"- {start}: {code(fact.text, 300)}{_within(data)} → {rest}{self.at(fact.at)}{self._unsettled(fact)}{since}"
        )
        return Piece((Rank.OPEN, short), (Rank.NOW_IN_FULL if detailed else Rank.ASKED_MORE, full))

    def _unsettled(self, fact: Fact) -> str:
        """What is known of a run besides its result: that a later one showed nothing, that it was stopped."""
        again, stopped = str(fact.data.get("again", "")), str(fact.data.get("timed_out", ""))
        if again:
            return f"; started again later, result unknown{self.at(again)}"
        if stopped and stopped != fact.at:
            return f"; the run before it timed out{self.at(stopped)}"
        return "; the command timed out" if stopped else ""


def _later(rank: Rank) -> Rank:
    """When what is offered short at this rank is offered in full."""
    return Rank.NOW_IN_FULL if rank <= Rank.OPEN else Rank.ASKED_MORE


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
    few = paths[-_FEW:]
    left = f", {len(paths) - len(few)} older" if len(few) < len(paths) else ""
    return Piece(
        (Rank.FILES, f"- {title} ({len(paths)}{left}): {_group_by_folder(sorted(few))}"),
        (
            Rank.FILES if len(paths) <= _MANY else Rank.RESULTS,
            f"- {title} ({len(paths)}): {_group_by_folder(sorted(paths))}",
        ),
    )


def made_before(exchanges: Iterable[Exchange]) -> Piece:
    """What earlier sessions produced, on one line: the newest by name, then in full, then all."""
    every = [product for exchange in exchanges for product in exchange.produced]
    first, newest = every[-LAST_PRODUCTS:], every[-NEWEST:]
    forms = (
        (Rank.DECIDED, [*map(_shorten_product, first)]),
        (Rank.ASKED, [*map(_shorten_product, newest)]),
        (Rank.RESULTS, newest),
        (Rank.ASKED_MORE, every if len(every) > len(newest) else []),
    )
    return Piece(
        *((rank, f"- Made in earlier sessions: {'; '.join(map(_bound, some))}") for rank, some in forms if some)
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


def _shorten_product(product: str) -> str:
    """A commit by its hash alone; a link is only good whole."""
    words = product.split(" ", 2)
    return " ".join(words[:2]) if words[0] == "commit" and not words[1].startswith("“") else product


def _bound(product: str) -> str:
    return flat(product, 300)


def _told(closing: str) -> str:
    return f": {quoted(closing, 240)}" if closing else ""


def _last_sentence(text: str) -> str:
    return next(iter(sentences(text[-1200:])[-1:]), "")


def _as_block(text: str) -> str:
    """Lines as they are, as a block of code inside an item of a list: whatever they hold, they end where they end."""
    return "\n" + "\n".join(f"      {each}".rstrip() for each in plain(text).splitlines() if each.strip())


def _result(data: Mapping[str, Any], *, with_line: bool = True) -> str:
    verdict, exit_ = str(data.get("verdict", "")), data.get("exit")
    how = {"passed": "passed", "failed": "failed", "unknown": "result unknown"}.get(verdict, "ended")
    code_ = f" (exit {exit_})" if exit_ or (verdict == "unknown" and exit_ is not None) else ""
    told = f": {quoted(str(data['line']), 160)}" if with_line and data.get("line") else ""
    return f"{how}{code_}{told}"


def _ending(data: Mapping[str, Any]) -> str:
    """The last line of an output that has no summary: all there is to go by."""
    return f"; its output ended with: {quoted(str(data['ended']), 200)}" if data.get("ended") else ""


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
