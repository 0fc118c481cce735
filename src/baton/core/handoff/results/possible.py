"""What an exit code proves: which parts of a chain ran, and which of them can have failed.

Each part passes or fails. The outcomes that fit the operators, the exit code and what is known already are kept; what
all of them agree on is certain. A walk forth and one back over the links is enough, because a shell remembers one code.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from baton.core.handoff.results.chain import Chain, Link
from baton.core.handoff.results.part import Part
from baton.core.handoff.results.script import AND, MAYBE, OR

Codes = frozenset[int]
PASS: Codes = frozenset({0})
FAIL: Codes = frozenset({1})
EITHER: Codes = PASS | FAIL
NONE: Codes = frozenset()


class Possible:
    """`codes` holds for each part, by its position, the outcomes it can have had; `skipped` those that may not have
    run. A part with no outcome did not run. `feasible` is false where nothing fits what was assumed.
    """

    def __init__(self, chain: Chain, known: Mapping[int, Codes], final: Codes) -> None:
        self._known = known
        self.codes: dict[int, Codes] = {}
        self.skipped: set[int] = set()
        self.feasible = self._only_part(final) if _is_single(chain) else self._chain(chain, 0, final, sure=True)

    def _only_part(self, final: Codes) -> bool:
        self.codes[0] = self._known.get(0, EITHER) & final
        return bool(self.codes[0])

    def _chain(self, chain: Chain, first: int, final: Codes, *, sure: bool) -> bool:
        if chain.loose or not chain.ok:
            return self._unknown(chain, first)
        starts = _starts(chain.links, first)
        outcomes = [self._link_codes(link, start) for link, start in zip(chain.links, starts, strict=True)]
        before = _walk_forth(chain.links, outcomes)
        after = _walk_back(chain.links, outcomes, final)
        if not before[-1] & after[-1]:
            return False
        for position, (link, start) in enumerate(zip(chain.links, starts, strict=True)):
            reached = before[position] & after[position]
            codes = _codes_if_run(link, before[position], outcomes[position], after[position + 1])
            may_skip = not sure or any(not _must_run(link, code) and code in after[position + 1] for code in reached)
            self._settle(link, start, codes, sure=not may_skip)
        return True

    def _unknown(self, chain: Chain, first: int) -> bool:
        for position in range(first, first + len(chain.parts)):
            self.codes[position] = self._known.get(position, EITHER)
            self.skipped.add(position)
        return True

    def _element_codes(self, element: Part | Chain, start: int) -> Codes:
        if isinstance(element, Part):
            return self._known.get(start, EITHER)
        if element.loose or not element.ok:
            return EITHER
        starts = _starts(element.links, start)
        outcomes = [self._link_codes(link, at) for link, at in zip(element.links, starts, strict=True)]
        return _walk_forth(element.links, outcomes)[-1]

    def _link_codes(self, link: Link, start: int) -> Codes:
        if link.background or not link.elements:
            return PASS
        codes = [self._element_codes(each, at) for each, at in _with_starts(link.elements, start)]
        status = _join_pipefail(codes) if link.pipefail else codes[-1]
        return frozenset(1 - code for code in status) if link.negated else status

    def _settle(self, link: Link, start: int, codes: Codes, *, sure: bool) -> None:
        """From what a pipeline came to, to its elements. The code of a pipe is its last element's."""
        status = frozenset(1 - code for code in codes) if link.negated else codes
        pairs = _with_starts(link.elements, start)
        for at, (element, position) in enumerate(pairs):
            own = self._element_codes(element, position)
            if not codes:
                own = NONE
            elif link.background:
                pass
            elif link.pipefail and status == PASS:
                own = PASS
            elif link.pipefail:
                own = FAIL if status == FAIL and self._others_passed(pairs, at) else own
            elif at == len(pairs) - 1:
                own &= status
            self._settle_element(element, position, own, sure=sure and bool(codes))

    def _others_passed(self, pairs: Sequence[tuple[Part | Chain, int]], at: int) -> bool:
        return all(self._element_codes(each, start) == PASS for each, start in (*pairs[:at], *pairs[at + 1 :]))

    def _settle_element(self, element: Part | Chain, position: int, own: Codes, *, sure: bool) -> None:
        if isinstance(element, Part):
            self.codes[position] = own
            if not sure:
                self.skipped.add(position)
        elif not own:
            for inside in range(position, position + len(element.parts)):
                self.codes[inside] = NONE
        elif not self._chain(element, position, own, sure=sure):
            self._unknown(element, position)


def _is_single(chain: Chain) -> bool:
    if len(chain.links) != 1 or not chain.ok or chain.loose:
        return False
    link = chain.links[0]
    return len(link.elements) == 1 and isinstance(link.elements[0], Part) and not (link.negated or link.background)


def _join_pipefail(codes: Sequence[Codes]) -> Codes:
    failed = FAIL if any(1 in each for each in codes) else NONE
    return (PASS | failed) if all(0 in each for each in codes) else failed


def _starts(links: Iterable[Link], first: int) -> list[int]:
    found: list[int] = []
    for link in links:
        found.append(first)
        first += sum(_size(each) for each in link.elements)
    return found


def _with_starts(elements: Sequence[Part | Chain], start: int) -> list[tuple[Part | Chain, int]]:
    found: list[tuple[Part | Chain, int]] = []
    for element in elements:
        found.append((element, start))
        start += _size(element)
    return found


def _size(element: Part | Chain) -> int:
    return 1 if isinstance(element, Part) else len(element.parts)


def _may_run(link: Link, status: int) -> bool:
    return not (link.joined == AND and status) and not (link.joined == OR and not status)


def _must_run(link: Link, status: int) -> bool:
    return link.joined != MAYBE and _may_run(link, status)


def _walk_forth(links: Sequence[Link], outcomes: Sequence[Codes]) -> list[Codes]:
    """The codes that a shell can have before each link, and after the last."""
    found = [PASS]
    for link, codes in zip(links, outcomes, strict=True):
        stays = frozenset(code for code in found[-1] if not _must_run(link, code))
        found.append(stays | (codes if any(_may_run(link, code) for code in found[-1]) else NONE))
    return found


def _walk_back(links: Sequence[Link], outcomes: Sequence[Codes], final: Codes) -> list[Codes]:
    """The codes before each link, and after the last, from which the rest can come to `final`."""
    found = [final]
    for link, codes in zip(reversed(links), reversed(outcomes), strict=True):
        after = found[-1]
        runs = {code for code in EITHER if _may_run(link, code) and codes & after}
        skips = {code for code in after if not _must_run(link, code)}
        found.append(frozenset(runs | skips))
    return found[::-1]


def _codes_if_run(link: Link, before: Codes, outcome: Codes, after: Codes) -> Codes:
    return outcome & after if any(_may_run(link, code) for code in before) else NONE
