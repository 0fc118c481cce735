"""Whole sessions of one workspace, one after the other: a project over weeks, not one day cut into slices."""

from __future__ import annotations

from collections.abc import Iterator

from bench.continuity.corpus import phrases
from bench.continuity.corpus.author import Author
from bench.continuity.corpus.story import Said, Spoke, Story

RULES = 0.12
LEAVES_OPEN = 0.1
"""So many sessions leave a failure behind that nobody mends; most end with everything green."""


class Colleague(Author):
    """One session of a project whose files and branch are the same in all of them."""

    def __init__(self, seed: int, number: int, project: int) -> None:
        super().__init__(seed, project)
        self._dice.seed(seed * 1_000_003 + project * 1009 + number)
        self._number = number
        self._turns = self._dice.choice((2, 3, 4, 6))
        self._length = self._dice.randint(30, 120)
        self.story.name = f"s{number:03d}-{self.story.name.split('-')[-1]}"

    def _sets_rule(self, turn: int) -> bool:
        """Real sessions have few rules: of 600 labelled sentences 4 were standing ones and 58 of a task."""
        del turn
        return self._dice.random() < RULES

    def _get_stuck(self) -> None:
        if self._dice.random() < LEAVES_OPEN:
            super()._get_stuck()

    def _huge_output(self) -> None:
        """Long outputs cost time here and show nothing: the long stories have them."""

    def _compacted(self) -> None:
        pass

    def _last(self) -> None:
        """Most sessions end with the work done and said so; the last words are the agent's."""
        for command in [*self.story.failing]:
            if self._dice.random() > LEAVES_OPEN / 4:
                self._shell(command, "12 passed in 3.1s")
        for item in self.story.plan:
            item["state"] = "done"
        self._show_plan()
        if self._dice.random() < LEAVES_OPEN:
            self._say_exactly(f"One more thing: look at {self._file()} before you stop. Ticket OPS-{self._number}.")
        else:
            self._add(Spoke(self._fill(self._dice.choice(phrases.CLOSING))))


def series(count: int, seed: int, project: int = 1) -> Iterator[Story]:
    """`count` sessions of one project; the same for the same seed."""
    for number in range(count):
        story = Colleague(seed, number, project).write()
        assert isinstance(story.events[-1], Said | Spoke)
        yield story
