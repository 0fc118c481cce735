"""What of a document fits into a budget of tokens: every piece is offered in several lengths, the most important first.

Offers are taken in the order of their rank, newest first within one; an offer that does not fit is passed over. So the
budget is used, nothing that counts waits for what counts less, and the result is the same on every run.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from baton.core.agent.tokens import estimate

LEFT_OUT = "- {count} older ones are left out; the archive has them."
_RESERVED = 12
_ROUNDS = 5
_SLACK = 40


class Piece:
    """One item of a document. `forms` are pairs of rank and text, each longer than the one before. One that is `told`
    elsewhere is not missed if it is left out.
    """

    __slots__ = ("_costs", "chosen", "forms", "told")

    def __init__(self, *forms: tuple[int, str], told: bool = False) -> None:
        self.told = told
        self.forms = tuple((rank, text) for rank, text in forms if text)
        self.chosen = -1
        self._costs: dict[int, int] = {}

    def cost(self, form: int) -> int:
        """Tokens of one of its forms; none for form -1."""
        if form not in self._costs:
            self._costs[form] = estimate(self.forms[form][1]) + 2 if form >= 0 else 0
        return self._costs[form]

    @property
    def text(self) -> str:
        return self.forms[self.chosen][1] if self.chosen >= 0 else ""


def rest_older(pieces: Iterable[Piece], newest: int, rank: int) -> list[Piece]:
    """Of pieces oldest first, all but the newest wait until `rank`."""
    every = [piece for piece in pieces if piece.forms]
    missed = [piece for piece in every if not piece.told]
    for piece in missed[: max(0, len(missed) - newest)]:
        piece.forms = tuple((max(each, rank), text) for each, text in piece.forms)
    return every


def hurry_newest(pieces: Sequence[Piece], form: int, room: int, rank: int) -> None:
    """Of pieces oldest first, the newest are offered in this form at `rank`, as many as `room` holds."""
    for piece in reversed(pieces):
        if len(piece.forms) <= form:
            continue
        room -= piece.cost(form)
        if room < 0:
            return
        piece.forms = tuple(
            (min(each, rank) if number == form else each, text) for number, (each, text) in enumerate(piece.forms)
        )


class Group:
    """Pieces under a title, oldest first. Of what is left out the number is told, if `counted`."""

    def __init__(self, title: str, pieces: Iterable[Piece], *, counted: bool = False) -> None:
        self.title = title
        self.pieces = [piece for piece in pieces if piece.forms]
        self.counted = counted

    def lines(self) -> list[str]:
        shown = [piece.text for piece in self.pieces if piece.chosen >= 0]
        if not shown:
            return []
        left = sum(piece.chosen < 0 and not piece.told for piece in self.pieces)
        told = [LEFT_OUT.format(count=left)] if left and self.counted else []
        return [*(["", self.title] if self.title else []), *told, *shown]

    @property
    def overhead(self) -> int:
        return (estimate(self.title) + 2 if self.title else 0) + (_RESERVED if self.counted else 0)


Section = tuple[str, Sequence[Group]]


def fill(sections: Sequence[Section], budget: int) -> None:
    """Chooses a form for each piece so that the whole is within the budget. What has rank 0 is always there."""
    groups = [group for _, each in sections for group in each if group.pieces]
    spent = sum(estimate(heading) + 3 for heading, _ in sections) + sum(group.overhead for group in groups)
    for rank, piece, form in sorted(_offers(groups), key=lambda offer: offer[0]):
        if form <= piece.chosen:
            continue
        more = piece.cost(form) - piece.cost(piece.chosen)
        if rank[0] == 0 or spent + more <= budget:
            piece.chosen = form
            spent += more


def _offers(groups: Sequence[Group]) -> Iterator[tuple[tuple[int, int, int], Piece, int]]:
    for number, group in enumerate(groups):
        for age, piece in enumerate(reversed(group.pieces)):
            for form, (rank, _) in enumerate(piece.forms):
                yield (rank, age, number), piece, form


def compose(sections: Sequence[Section], nothing: str) -> str:
    """The document as its pieces were chosen."""
    parts: list[str] = []
    for heading, groups in sections:
        lines = [line for group in groups for line in group.lines()]
        parts += ["", heading, *(lines or [nothing])]
    return "\n".join(parts)


def compose_within(sections: Sequence[Section], budget: int, nothing: str) -> str:
    """The fullest document within the budget; the shortest one if none is. What pieces cost alone is a little more than
    what they cost together, so the room that is left over is offered again.
    """
    room, best, text = budget, "", ""
    for _ in range(_ROUNDS):
        text = _compose_in(sections, room, nothing)
        left = budget - estimate(text)
        if left < 0:
            room += left - _RESERVED
            continue
        best = text
        if left < _SLACK:
            break
        room += left
    return best or text


def _compose_in(sections: Sequence[Section], room: int, nothing: str) -> str:
    for _, groups in sections:
        for group in groups:
            for piece in group.pieces:
                piece.chosen = -1
    fill(sections, room)
    return compose(sections, nothing)
