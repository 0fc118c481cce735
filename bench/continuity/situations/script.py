"""Writes a situation: small stories whose state at the end is known because it was put there."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from bench.continuity.corpus import phrases
from bench.continuity.corpus.desk import Desk
from bench.continuity.corpus.story import Approved, Asked, Interrupted, Planned, Refused, Said, Spoke, Story, Used
from bench.continuity.situations import words


@dataclass(frozen=True, slots=True)
class Expected:
    """What must hold of a document for a situation. Texts are looked for by their first 40 characters.

    `kinds` are the kinds of advice that are right; the advice names all of `advises` (or says it in general, where
    `general`), and none of `never_advises`. `tells` is anywhere in the document. `open` commands are shown as failing,
    `closed` ones are not among what is open, `not_validated` ones are not among the validations. `passes` were green.
    """

    kinds: frozenset[str]
    advises: tuple[str, ...] = ()
    never_advises: tuple[str, ...] = ()
    tells: tuple[str, ...] = ()
    never_tells: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    closed: tuple[str, ...] = ()
    not_validated: tuple[str, ...] = ()


@dataclass(slots=True)
class Situation:
    name: str
    family: str
    format: str
    language: str
    story: Story
    expected: Expected
    handoffs: int = 1
    history: int = 0
    notes: list[str] = field(default_factory=list)


class Script(Desk):
    """The words a family is written in. Every draw comes from one seed."""

    def __init__(self, seed: int, number: int, language: str) -> None:
        super().__init__(seed, number)
        self.language = language
        self.dice: random.Random = self._dice

    def pick(self, choices: dict[str, tuple[str, ...]]) -> str:
        return self._fill(self.dice.choice(choices.get(self.language) or choices["en"]))

    def say(self, text: str) -> str:
        self._add(Said(text))
        self.story.said.append(text)
        return text

    def request(self) -> str:
        return self.say(f"{self.pick(phrases.REQUESTS)} [{self.dice.randint(1000, 9999)}]")

    def reply(self, text: str) -> str:
        self._add(Spoke(text))
        return text

    def run(self, command: str, output: str = "", exit_: int = 0, text: str = "") -> str:
        self._add(Used("shell", {"command": command}, output, exit_ == 0, exit_, text=text))
        return command

    def lose(self, tool: str, **args: str) -> None:
        """A call whose result never came."""
        self._add(Used(tool, dict(args), "", lost=True))

    def refuse(self, command: str, said: str = "") -> str:
        self._add(Refused(Used("shell", {"command": command}, ""), said))
        return command

    def edit(self, text: str = "", path: str = "") -> str:
        target = path or self._file()
        change = {"path": target, "old": "pass", "new": self._code()}
        self._add(Used("edit", change, f"The file {target} has been updated.", text=text))
        return target

    def read(self) -> str:
        path = self._file()
        self._add(Used("read", {"path": path}, self._code()))
        return path

    def plan(self, *items: tuple[str, str]) -> None:
        self._add(Planned([{"text": text, "state": state} for text, state in items]))

    def ask(self, question: str, options: list[str], answer: str) -> None:
        self._add(Asked([(question, options, answer)]))

    def approve(self, plan: str) -> None:
        self._add(Approved(plan))

    def interrupt(self) -> None:
        self._add(Interrupted())

    def items(self) -> list[str]:
        return [self._fill(text) for text in self.dice.sample(phrases.PLAN_VERBS, 4)]

    def fill(self, text: str) -> str:
        return self._fill(text)

    def test(self) -> str:
        return self._fill(self.dice.choice(words.TESTS))

    def work(self, steps: int) -> None:
        """Some harmless steps: looks, edits, a green run."""
        for _ in range(steps):
            chosen = self.dice.random()
            if chosen < 0.4:
                self.edit()
            elif chosen < 0.7:
                self.read()
            elif chosen < 0.85:
                self.run(self._fill("grep -rn '{module}_limit' src"), "src/core/x.py:3: match")
            else:
                self.run(self._fill("ruff check {folder}"), "All checks passed!")

    def finish(self) -> str:
        return self.reply(self.pick(words.DONE))

    def earlier(self, tasks: int) -> None:
        """Tasks that are over: asked, worked on, answered."""
        for _ in range(tasks):
            self.request()
            self.work(self.dice.randint(1, 5))
            self.finish()
