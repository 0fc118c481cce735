"""What a result no longer says, because something happened after it: a failure of less, a change of what it names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from baton.core.handoff.ledger import fact as facts
from baton.core.handoff.ledger.exchange import is_since
from baton.core.handoff.ledger.fact import Fact, Ledger
from baton.core.handoff.results.chain import read_chain
from baton.core.handoff.results.part import CHECK, Part, covers
from baton.core.handoff.results.reader import FAILED, PASSED

_PATH = re.compile(r"[\w.@/\\-]{0,200}[./][\w@/-]{1,200}")


def find_outdated(ledger: Ledger) -> Mapping[str, Fact]:
    """Passes that something within them has failed after, by their id, and the newest such failure: the whole suite
    passed, then one file of it failed.
    """
    failed = [(fact, part) for fact in ledger.of(facts.ERROR, facts.OPEN) for part in _checks(fact, FAILED)]
    passed = [(fact, part) for fact in ledger.of(facts.COMMAND) for part in _checks(fact, PASSED)] if failed else []
    return {
        before.id: after
        for after, narrow in failed
        for before, wide in passed
        if covers(wide, narrow) and is_since(after.at, before.at)
    }


def _checks(fact: Fact, verdict: str) -> list[Part]:
    """The check that a fact is of, if it came to this; none where it cannot be told from its text."""
    if not fact.data.get("check") or fact.data.get("verdict") != verdict:
        return []
    chain = read_chain(str(fact.data.get("whole") or fact.text))
    return [part for part in chain.parts if part.kind == CHECK and part.key == fact.key][:1]


def find_changed(fact: Fact, ledger: Ledger) -> str:
    """The file that was changed last since a check failed, of those it names: in its command, its evidence or its
    failed tests, or in a folder that it was pointed at. Empty if there is none.
    """
    said = " ".join((fact.text, str(fact.data.get("line", "")), *map(str, fact.data.get("tests", ()))))
    named = {name.removeprefix("./").rstrip("/") for name in _PATH.findall(said) if not name.startswith("-")}
    since = [file for file in ledger.of(facts.FILE) if is_since(file.at, str(fact.data.get("again") or fact.at))]
    return next((file.text for file in reversed(since) if any(_is_named(file.text, name) for name in named)), "")


def _is_named(path: str, name: str) -> bool:
    """A folder counts only by more than its own name: `src` holds nearly everything."""
    return f"/{path}".endswith(f"/{name}") or ("/" in name and f"/{name}/" in f"/{path}")
