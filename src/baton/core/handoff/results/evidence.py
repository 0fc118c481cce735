"""Whose output is whose: what readers find in the one output of a command, given to the parts it is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from baton.core.handoff.results.chain import Chain, Link
from baton.core.handoff.results.part import CHANGE, CHECK, LOOK, Part
from baton.core.handoff.results.reader import FAILED, PASSED, UNKNOWN, Evidence, Reader, telling_lines
from baton.core.handoff.results.readers import find_readers, generic, trouble
from baton.core.handoff.results.script import AND

_OPEN = frozenset({"any", "make"})
_SHOWING = frozenset({"tail", "head", "cat", "tee", "less", "more"})


def collect_evidence(chain: Chain, lines: Sequence[str], *, sure: frozenset[int]) -> dict[int, Evidence]:
    """By the position of the part. Parts in `sure` have a code of their own, so no filter can hide their failure."""
    parts = chain.parts
    acting = [at for at, part in enumerate(parts) if part.kind != LOOK]
    checks = [at for at in acting if parts[at].kind == CHECK]
    if not checks:
        return _find_trouble(acting, telling_lines(lines))
    finding = _Finding(chain, parts, lines, sure)
    found = finding.collect(checks)
    if not lines and len(acting) == 1:
        found.update(finding.accept_silence(acting[0]))
    return found


def _find_trouble(acting: Sequence[int], told: Sequence[str]) -> dict[int, Evidence]:
    """Of commands that are no checks, only one that stands alone can be what a line of trouble is about."""
    found = trouble().read(told) if len(acting) == 1 else []
    return {acting[0]: found[-1]} if found else {}


def find_passed_before(chain: Chain, evidence: Mapping[int, Evidence]) -> frozenset[int]:
    """Whatever stands with `&&` before a part that has said how it went: that one ran because they passed. What may run
    any tool may have said it itself, so nothing follows behind it.
    """
    passed: set[int] = set()
    before: list[int] = []
    start = 0
    for link in chain.links if len(chain.links) > 1 else ():
        before = before if link.joined == AND else []
        parts = [part for element in link.elements for part in _parts(element)]
        said = [evidence[at] for at in range(start, start + len(parts)) if at in evidence and evidence[at].firm]
        passed.update(before if said else ())
        stops = any(each.verdict == FAILED for each in said) or link.negated or link.background
        if stops or not all(map(_speaks_for_itself, parts)):
            break
        start += len(parts)
        before.append(start - 1)
    return frozenset(passed)


def _speaks_for_itself(part: Part) -> bool:
    return part.kind in (LOOK, CHANGE) or (part.kind == CHECK and part.reader not in _OPEN)


class _Finding:
    def __init__(self, chain: Chain, parts: Sequence[Part], lines: Sequence[str], sure: frozenset[int]) -> None:
        self._parts = parts
        self._lines = lines
        self._told = telling_lines(lines)
        self._sure = sure
        looks = frozenset(part.tool for part in parts if part.kind == LOOK)
        self._filters = {at: each | looks if parts[at].quiet else each for at, each in _filters(chain.links, 0)}
        self._stops = all(link.joined == AND for link in chain.links[1:])

    def collect(self, checks: Sequence[int]) -> dict[int, Evidence]:
        """Readers of one tool come first; what is left is for scripts that may run anything."""
        groups: dict[str, list[int]] = {}
        for at in checks:
            groups.setdefault(self._parts[at].reader, []).append(at)
        found: dict[int, Evidence] = {}
        named = [name for name in groups if name not in _OPEN]
        for name in named:
            found.update(self._share(groups[name], self._ask(find_readers(name)[:1], groups[name])))
        self._ask_anybody(groups, named, found)
        if len(checks) == 1 and checks[0] not in found and checks[0] not in self._open(groups):
            found.update(self._first(checks[0], find_readers(self._parts[checks[0]].reader)[1:]))
        return found

    def _open(self, groups: Mapping[str, list[int]]) -> list[int]:
        return [at for name in _OPEN for at in groups.get(name, [])]

    def _ask_anybody(self, groups: Mapping[str, list[int]], named: Sequence[str], found: dict[int, Evidence]) -> None:
        """What may run any tool is judged by all readers but those of its neighbours."""
        open_ = self._open(groups)
        if len(open_) != 1:
            told = self._by_sections(sorted(open_))
            found.update(told)
            if open_ and not any(each.verdict == FAILED for each in told.values()):
                self._doubt([at for at in open_ if at not in told], self._say(open_[0]), found)
            return
        others = {reader for name in named for reader in find_readers(name)[:1]}
        readers = [each for each in find_readers(self._parts[open_[0]].reader) if each not in others]
        if sum(part.kind != LOOK for part in self._parts) > 1:
            others = {generic(), find_readers("npm")[0]}
            readers = [each for each in readers if each not in others]
        found.update(self._first(open_[0], readers))

    def _by_sections(self, open_: Sequence[int]) -> dict[int, Evidence]:
        """Packagers name each script before they run it. In a chain of `&&` the next one runs only if it passed. What
        follows the last name may be of a script whose name a filter cut off.
        """
        begins = {at: line for at in open_ if (line := self._find_header(self._parts[at])) is not None}
        found: dict[int, Evidence] = {}
        for at, begin in begins.items():
            later = [each for each in begins.values() if each > begin]
            told = telling_lines(self._lines[begin : min(later, default=len(self._lines))])
            if later or not any(self._filters.get(each) for each in open_ if each > at and each not in begins):
                found.update(self._first(at, find_readers(self._parts[at].reader), told))
            if later and self._stops:
                found[at] = Evidence(PASSED, found[at].line if at in found and found[at].verdict == PASSED else "")
        return found

    def _find_header(self, part: Part) -> int | None:
        """Where `> shop@1.0.0 test` or `> test` stands, for the script of this part."""
        script = part.tool.removeprefix("npm ")
        for at, line in enumerate(self._lines):
            if line.startswith("> ") and script in line:
                words = line.split()[1:4]
                if words[0] == script or ("@" in words[0] and words[1:2] == [script]):
                    return at
        return None

    def _first(self, at: int, readers: Iterable[Reader], told: Sequence[str] | None = None) -> dict[int, Evidence]:
        """A failure that one of them is sure of, else a pass, else a hint."""
        said = [each for reader in readers for each in self._heard(reader, at, told)]
        for wanted in ((FAILED, True), (PASSED, True), (FAILED, False)):
            for each in said:
                if (each.verdict, each.firm) == wanted:
                    return {at: each}
        return {}

    def _heard(self, reader: Reader, at: int, told: Sequence[str] | None = None) -> list[Evidence]:
        return reader.read(
            self._told if told is None else told,
            frozenset() if at in self._sure else self._filters.get(at, frozenset()),
        )

    def _ask(self, readers: Sequence[Reader], group: Sequence[int]) -> list[Evidence]:
        return [each for reader in readers for at in group[:1] for each in self._heard(reader, at)]

    def _share(self, group: Sequence[int], said: Sequence[Evidence]) -> Iterable[tuple[int, Evidence]]:
        """One run for each part, in order; where there are fewer, a chain of `&&` stopped after them."""
        if len(group) == 1:
            failed = [each for each in said if each.verdict == FAILED and each.firm]
            passed = [each for each in said if each.verdict == PASSED]
            return [(group[0], each) for each in (*failed, *passed, *said)[:1]]
        if len(said) == len(group) or (len(said) < len(group) and self._stops):
            return list(zip(group, said, strict=False))
        doubted: dict[int, Evidence] = {}
        self._doubt(group, said, doubted)
        return doubted.items()

    def _say(self, at: int) -> list[Evidence]:
        return [each for reader in find_readers(self._parts[at].reader) for each in self._heard(reader, at)]

    def _doubt(self, group: Sequence[int], said: Iterable[Evidence], found: dict[int, Evidence]) -> None:
        """A failure that one of these had, nobody knows which: none of them is taken for passed."""
        failed = next((each for each in said if each.verdict == FAILED and each.firm), None)
        if failed is not None:
            found.update({at: Evidence(UNKNOWN, failed.line, firm=False) for at in group})

    def accept_silence(self, at: int) -> dict[int, Evidence]:
        """A tool that prints what is wrong, and printed nothing through filters that only cut, found nothing."""
        reader = find_readers(self._parts[at].reader)[0] if self._parts[at].kind == CHECK else generic()
        shown = self._filters.get(at, frozenset()) <= _SHOWING and not self._parts[at].quiet
        return {at: Evidence(PASSED, "")} if reader.silent and shown else {}


def _filters(links: Iterable[Link], start: int) -> Iterable[tuple[int, frozenset[str]]]:
    """For each part, the programs that its output goes through."""
    for link in links:
        for position, element in enumerate(link.elements):
            after = frozenset(part.tool for each in link.elements[position + 1 :] for part in _parts(each))
            if isinstance(element, Part):
                yield start, after
                start += 1
            else:
                for at, inside in _filters(element.links, start):
                    yield at, inside | after
                start += len(element.parts)


def _parts(element: Part | Chain) -> Sequence[Part]:
    return element.parts if isinstance(element, Chain) else (element,)
