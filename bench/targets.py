"""The targets, and whether a run's figures meet them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from bench.figure import POSTGRES, PROCESS, SQLITE, Figure
from bench.plan import LISTED, SHOWN, short

Found = tuple[float, str]
"""What was measured, and where: at which size, or between which two."""


@dataclass(frozen=True, slots=True)
class Target:
    """A promise in words, the most that is allowed, and how to read what was found off the figures."""

    name: str
    promise: str
    limit: float
    find: Callable[[Sequence[Figure]], Found | None]


@dataclass(frozen=True, slots=True)
class Verdict:
    """`met` is None when the run did not measure it."""

    name: str
    promise: str
    limit: float
    found: float | None
    where: str

    @property
    def met(self) -> bool | None:
        return None if self.found is None else self.found <= self.limit

    def as_dict(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "promise": self.promise,
            "limit": self.limit,
            "found": self.found,
            "where": self.where,
            "met": self.met,
        }


def judge(figures: Sequence[Figure]) -> list[Verdict]:
    verdicts: list[Verdict] = []
    for target in TARGETS:
        found, where = target.find(figures) or (None, "")
        verdicts.append(Verdict(target.name, target.promise, target.limit, found, where))
    return verdicts


def _start(name: str) -> Callable[[Sequence[Figure]], Found | None]:
    """By the fastest run of each: a start-up can be disturbed, but not helped."""

    def find(figures: Sequence[Figure]) -> Found | None:
        for figure in _of(figures, name, PROCESS):
            if figure.ratio_of_minima and figure.ratio:
                return figure.ratio_of_minima, f"{figure.size}, by medians {figure.ratio:.2f}"
        return None

    return find


def _worst_ratio(name: str) -> Callable[[Sequence[Figure]], Found | None]:
    """At the size where it is worst; loads of a shorter session than the longest do not count."""

    def find(figures: Sequence[Figure]) -> Found | None:
        measured = _of(figures, name, SQLITE)
        longest = max((figure.facts.get("loaded", 0) for figure in measured), default=0)
        worst = [(f.ratio, str(f.size)) for f in measured if f.ratio and f.facts.get("loaded", 0) == longest]
        return max(worst, default=None)

    return find


def _growth(name: str, by: str, low: int, high: int) -> Callable[[Sequence[Figure]], Found | None]:
    """From `low` to `high` sessions or entries, or between the ends of what a quick run measured.

    A search that shows fewer hits than another does less work, so only those that show all `SHOWN` are compared.
    """

    def find(figures: Sequence[Figure]) -> Found | None:
        points = {
            getattr(figure.size, by): figure.baton.median
            for figure in _of(figures, name, SQLITE)
            if figure.baton and figure.facts.get("hits", SHOWN) == SHOWN
        }
        first, last = (
            (low, high) if low in points and high in points else (min(points, default=0), max(points, default=0))
        )
        if first == last or last > high:
            return None
        return points[last] / points[first], f"{short(first)} → {short(last)} {by}"

    return find


def _fact(name: str, store: str, *path: str, entries: int | None = None) -> Callable[[Sequence[Figure]], Found | None]:
    """A fact of the figure, at the size with `entries` entries or else at the largest."""

    def find(figures: Sequence[Figure]) -> Found | None:
        measured = _of(figures, name, store)
        if not measured:
            return None
        fit = [figure for figure in measured if figure.size and figure.size.entries == entries]
        figure = (fit or measured)[-1]
        value: Any = figure.facts
        for part in path:
            value = value[part]
        return float(value), str(figure.size or "")

    return find


def _p99(name: str) -> Callable[[Sequence[Figure]], Found | None]:
    return _p99_on(name, PROCESS)


def _p99_on(name: str, store: str) -> Callable[[Sequence[Figure]], Found | None]:
    def find(figures: Sequence[Figure]) -> Found | None:
        for figure in _of(figures, name, store):
            if figure.baton:
                return figure.baton.p99, f"median {figure.baton.median:.2f}"
        return None

    return find


def _slowest(name: str) -> Callable[[Sequence[Figure]], Found | None]:
    """By the fastest run, for others who sync their files can disturb it, at the size where that is slowest."""

    def find(figures: Sequence[Figure]) -> Found | None:
        timed = [(f.baton, f.size) for f in _of(figures, name, SQLITE) if f.baton]
        return max(((t.min, f"{size}, by medians {t.median:.3g}") for t, size in timed), default=None)

    return find


def _median(name: str) -> Callable[[Sequence[Figure]], Found | None]:
    def find(figures: Sequence[Figure]) -> Found | None:
        return next(((f.baton.median, "") for f in _of(figures, name, PROCESS) if f.baton), None)

    return find


def _slowest_start(prefix: str) -> Callable[[Sequence[Figure]], Found | None]:
    """Of all figures whose names begin so, by the fastest run: a start can be disturbed, but not helped."""

    def find(figures: Sequence[Figure]) -> Found | None:
        timed = [(f.baton, f) for f in figures if f.name.startswith(prefix) and f.baton]
        return max(((t.min, f"{f.name}, by medians {t.median:.0f}, {f.ratio:.1f} ×") for t, f in timed), default=None)

    return find


def _share(name: str) -> Callable[[Sequence[Figure]], Found | None]:
    """As a part of what the peer took, in percent; only where both took turns."""

    def find(figures: Sequence[Figure]) -> Found | None:
        for figure in _of(figures, name, PROCESS):
            if "share" in figure.facts:
                return figure.facts["share"] * 100, f"fastest {figure.facts['share_fastest'] * 100:.1f}"
        return None

    return find


def _lost(store: str) -> Callable[[Sequence[Figure]], Found | None]:
    def find(figures: Sequence[Figure]) -> Found | None:
        for figure in _of(figures, "writers", store):
            facts = figure.facts
            return float(facts["tried"] - facts["kept"] + facts["failed"]), f"{facts['kept']} of {facts['tried']} kept"
        return None

    return find


def _of(figures: Sequence[Figure], name: str, store: str) -> list[Figure]:
    return [figure for figure in figures if figure.name == name and figure.store == store]


def _shared(store: str) -> tuple[Target, ...]:
    """What both stores promise alike."""
    return (
        Target(
            f"writers_longest_{store}",
            f"8 writers on {store}: longest wait, ms",
            250,
            _fact("writers", store, "longest_ms"),
        ),
        Target(f"writers_lost_{store}", f"8 writers on {store}: appends failed or lost", 0, _lost(store)),
        Target(f"wake_{store}", f"wake-up on {store}: p99, ms", 50, _fact("wake", store, "since_return", "p99")),
        Target(
            f"claimed_{store}",
            f"a transfer on {store}: request to claim, p99, ms",
            50,
            _p99_on("transfer_claimed", store),
        ),
        Target(
            f"greeted_{store}",
            f"a transfer on {store}: to its greeting, p99, ms",
            1000,
            _p99_on("transfer_greeted", store),
        ),
        Target(
            f"recall_{store}",
            f"recall in 100k entries on {store}: slowest of 40 questions by its fastest run, ms",
            50,
            _fact("recall", store, "slowest_question_ms"),
        ),
        Target(f"idle_{store}", f"waiting on {store}: % of a CPU", 0.5, _fact("idle", store, "cpu_percent")),
    )


TARGETS = (
    Target("start_version", "`baton --version`, × `python -c pass`", 2.5, _start("start_version")),
    Target("start_sessions_list", "`baton sessions list`, × `python -c pass`", 6, _start("start_sessions_list")),
    Target("append", "append of one entry, × raw sqlite3", 1.5, _worst_ratio("append")),
    Target("load", "load of the long session, × raw select", 3, _worst_ratio("load")),
    Target("list_growth", f"list of {LISTED}: growth", 3, _growth("list", "sessions", 1_000, 10_000)),
    Target("list_growth_far", f"list of {LISTED}: growth, far", 3, _growth("list", "sessions", 1_000, 100_000)),
    Target("search_growth", "search, common word: growth", 3, _growth("search_common", "entries", 1_000, 100_000)),
    Target("search_growth_rare", "search, rare word: growth", 3, _growth("search_rare", "entries", 10_000, 100_000)),
    Target("size", "stored bytes, × text bytes", 2.5, _fact("size", SQLITE, "times_text", entries=100_000)),
    Target("redact_packet", "redaction of a 10 KB packet: p99, ms of CPU", 5, _p99("redact_packet")),
    Target(
        "redact_megabyte",
        "redaction of 1 MB, ms of CPU (50 is 20 MB/s)",
        50,
        _fact("redact_megabyte", PROCESS, "milliseconds"),
    ),
    Target(
        "redact_hostile",
        "redaction of 1 MB made to be slow, ms of CPU",
        1000,
        _fact("redact_hostile", PROCESS, "milliseconds"),
    ),
    *(
        Target(
            f"redact_{name}",
            f"redaction of {name.replace('_', ' ')}, ms of CPU a MB ({1000 // limit} MB/s)",
            limit,
            _fact(f"redact_{name}", PROCESS, "milliseconds_a_megabyte"),
        )
        for name, limit in (
            ("source", 50),
            ("git_log", 50),
            ("json", 125),
            ("yaml", 125),
            ("package_lock", 125),
            ("poetry_lock", 125),
            ("go_sum", 125),
            ("pnpm_lock", 125),
            ("cargo_lock", 125),
        )
    ),
    Target(
        "packet",
        "a packet of 10k entries without a model, ms of CPU",
        1000,
        _fact("packet", SQLITE, "milliseconds", entries=10_000),
    ),
    Target(
        "packet_command",
        "`baton handoff --packet-only` on 20k entries, the whole process, ms of CPU",
        3000,
        _fact("packet_command", SQLITE, "milliseconds"),
    ),
    Target("packet_growth", "a packet: cost per entry, 10k → 30k", 1.3, _fact("packet_growth", SQLITE, "growth")),
    Target("turn", "a turn beyond the model, ms", 30, _slowest("turn")),
    Target("turn_with_tool", "a turn with a tool call beyond the model, ms", 30, _slowest("turn_with_tool")),
    Target("turn_growth", "a turn: growth of its CPU, 10 to 10k entries", 1.3, _fact("turn_growth", SQLITE, "growth")),
    Target("first_frame", "`baton`: first frame, ms of CPU", 600, _median("first_frame")),
    Target("typing", "a key to the screen while an answer streams: p99, ms of CPU", 20, _p99("typing")),
    Target("streaming", "2,000 streamed lines, ms of CPU", 6000, _fact("typing", PROCESS, "stream_cpu")),
    Target("acp_initialize", "`baton acp` started and greeted, % of the peer's time", 40, _share("acp_initialize")),
    Target("acp_session", "its first thread opened, % of the peer's time", 5, _share("acp_session")),
    Target("acp_prompt", "a prompt beyond the model, % of the peer's time", 25, _share("acp_prompt")),
    Target("acp_first_prompt", "a first prompt, sent at once: CPU, % of the peer's", 50, _share("acp_first_prompt")),
    Target("next_answer", "the next answer after kill -9 begins, ms", 2000, _slowest_start("next_answer_after_kill")),
    Target("first_prompt", "a first prompt, sent at once: ms of CPU", 1200, _slowest_start("first_prompt_")),
    *_shared(SQLITE),
    *_shared(POSTGRES),
)
