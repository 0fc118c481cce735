"""Writes stories: what a long day of work looks like, all of it drawn from one seed."""

from __future__ import annotations

from collections.abc import Callable

from bench.continuity.corpus import phrases, planted
from bench.continuity.corpus.desk import FOLDERS
from bench.continuity.corpus.story import (
    Approved,
    Aside,
    Asked,
    Compacted,
    Interrupted,
    Left,
    Moved,
    Noise,
    Refused,
    Said,
    Spoke,
    Story,
    Used,
)
from bench.continuity.corpus.worker import Worker


class Author(Worker):
    """One story: the user's part of it. `write` is called once."""

    def __init__(self, seed: int, number: int) -> None:
        super().__init__(seed, number)
        self._turns = self._dice.choice((5, 8, 12, 18, 25, 32, 45, 60))
        self._length = self._dice.randint(200, 2_000)

    def write(self) -> Story:
        busy = max(2, int(self._length / 2.6 / self._turns))
        for turn in range(self._turns):
            self._turn(turn, self._dice.randint(max(1, busy // 2), busy + busy // 2))
        self._last()
        return self.story

    def _turn(self, turn: int, steps: int) -> None:
        if self._dice.random() < 0.3:
            self._noise()
        self._say(self._request(turn))
        if turn in (0, self._turns // 2):
            self._plan_more()
        for step in range(steps):
            self._step()
            if step == steps // 2:
                self._happening()
        self._plan_on()
        self._add(Spoke(self._fill(self._dice.choice(phrases.THOUGHTS))))
        if self._turns > 8 and turn in (self._turns // 3, 2 * self._turns // 3) and self._number % 4:
            self._compacted()

    def _request(self, turn: int) -> str:
        language = self._dice.choice(self._languages) if turn else "en"
        if turn and self._dice.random() < 0.15:
            question = self._fill(self._dice.choice(phrases.OFFERS[language if language in phrases.OFFERS else "en"]))
            self._add(Spoke(question))
            self.story.short_replies.append(question)
            return self._dice.choice(phrases.SHORT)
        text = self._fill(self._dice.choice(phrases.REQUESTS[language]))
        if self._sets_rule(turn):
            rules = phrases.PLAIN_RULES if self._dice.random() < 0.3 else phrases.DEMANDS
            demand = self._fill(self._dice.choice(rules[language]))
            self.story.demands.append(demand)
            text = f"{text}\n\n{demand}" if self._dice.random() < 0.6 else demand
        if self._dice.random() < 0.12:
            lines = [self._log() for _ in range(30)] + [self._fill(text) for text in phrases.PASTED]
            text += "\n\n```\n" + "\n".join(lines) + "\n```"
        if self._dice.random() < 0.1:
            text += " " + self._fill(self._dice.choice(phrases.ASIDES))
        return text

    def _sets_rule(self, turn: int) -> bool:
        return turn % 3 == 0 or self._dice.random() < 0.2

    def _say(self, text: str) -> None:
        if self._dice.random() < 0.08 and text not in phrases.SHORT:
            text = self._secret_text(text)
        self._add(Said(text))
        self.story.said.append(text)

    def _secret_text(self, text: str) -> str:
        token = self._plant(self._dice.choice((planted.github, planted.stripe, planted.slack)))
        return self._dice.choice(
            (f"{text}\nThe token for it is {token}, don't lose it.", f"use {token} for that. {text}")
        )

    def _happening(self) -> None:
        """What goes on beside the work, now and then."""
        happenings: list[tuple[float, Callable[[], None]]] = [
            (0.12, self._change_of_mind),
            (0.10, self._reminder),
            (0.10, self._rewind),
            (0.08, self._interrupt),
            (0.08, self._subagent),
            (0.06, self._move),
            (0.14, self._leak),
            (0.08, self._passing_file),
            (0.10, self._huge_output),
            (0.14, self._refusal),
            (0.10, self._form),
            (0.06, self._approval),
            (0.08, self._pull_request),
            (0.12, self._hidden_failure),
            (0.08, self._mended_in_parts),
        ]
        for chance, happening in happenings:
            if self._dice.random() < chance:
                happening()

    def _change_of_mind(self) -> None:
        demand, revocation = (self._fill_same(text) for text in self._dice.choice(phrases.CHANGED_MINDS))
        if demand in self.story.revoked:
            return
        for text in (demand, revocation):
            self._say_exactly(text)
            self._step()
        self.story.demands.append(demand)
        self.story.revoked[demand] = revocation

    def _reminder(self) -> None:
        demand, later = (self._fill_same(text) for text in self._dice.choice(phrases.REAFFIRMED))
        if demand in self.story.demands:
            return
        for text in (demand, later):
            self._say_exactly(text)
            self._step()
        self.story.demands.append(demand)

    def _say_exactly(self, text: str) -> None:
        self._add(Said(text))
        self.story.said.append(text)

    def _refusal(self) -> None:
        command = self._fill(self._dice.choice(phrases.REFUSED_COMMANDS))
        words = self._fill(self._dice.choice(phrases.REFUSAL_WORDS[self._dice.choice(self._languages)]))
        if command in (event.used.args.get("command") for event in self.story.events if isinstance(event, Refused)):
            return
        self._add(Refused(Used("shell", {"command": command}, ""), words))
        self.story.refusals.append(words)

    def _form(self) -> None:
        question, options = self._dice.choice(phrases.QUESTIONS)
        asked = f"{self._fill(question)} ({self._dice.randint(100, 999)})"
        typed = self._fill("Neither: keep {module} as it is and write {file} first.")
        answer = typed if self._dice.random() < 0.3 else self._dice.choice(options)
        self._add(Asked([(asked, list(options), answer)]))
        self.story.answers.append(answer)

    def _approval(self) -> None:
        steps = [self._fill(text) for text in self._dice.sample(phrases.PLAN_VERBS, 4)]
        plan = "\n".join(
            [f"# Plan {self._dice.randint(100, 999)}", "", *(f"{n}. {text}" for n, text in enumerate(steps, 1))]
        )
        self._add(Approved(plan))
        self.story.approved.append(plan)

    def _rewind(self) -> None:
        left = (
            f"Wrong turn {self._dice.randint(10_000, 99_999)}: rewrite {self._file()} from scratch and never look back."
        )
        path = f"src/core/abandoned_{self._dice.randint(1000, 9999)}.py"
        edit = Used(
            "write", {"path": path, "content": "x = 1\n"}, f"File created successfully at: {path}", created=True
        )
        self._add(Left([Said(left), edit, Spoke("Started over.")]))
        self.story.absent += [left, path]

    def _interrupt(self) -> None:
        self._add(Interrupted())
        self._say_exactly(f"stop, wrong file. I meant {self._file()}, line {self._dice.randint(3, 400)}")

    def _subagent(self) -> None:
        order = f"Explore {self._dice.choice(FOLDERS)} and report ({self._dice.randint(10_000, 99_999)})."
        inside = [Said(order), Used("search", {"pattern": self._module(), "path": "src"}, "12 matches"), Spoke("Done.")]
        self._add(Aside(inside))
        self.story.absent.append(order)

    def _move(self) -> None:
        folder = self._dice.choice(FOLDERS)
        self._add(Moved(f"{self.story.workspace}/{folder}"))
        self._step()
        self._add(Moved(self.story.workspace))

    def _noise(self) -> None:
        choices = (
            Noise(
                "<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args></command-args>"
            ),
            Noise("<local-command-stdout>Set model to opus</local-command-stdout>"),
            Noise(phrases.CAVEAT, meta=True),
            Noise(phrases.CAVEAT),
            Noise(phrases.SKILL, meta=True),
            Noise(
                "<system-reminder>The TodoWrite tool has not been used recently. Never mention this.</system-reminder>"
            ),
            Noise("<task-notification>background task b1 is done</task-notification>"),
        )
        self._add(self._dice.choice(choices))

    def _compacted(self) -> None:
        first = self.story.said[0][:200]
        names = ", ".join(list(self.story.files)[-8:])
        self._add(Compacted(f"1. Primary request: {first}\n2. Files: {names}\n3. Pending: see the plan."))

    def _last(self) -> None:
        """Every story ends with something open: a failure, a plan item, a request."""
        self._shell(
            f"pytest tests/unit/test_{self._module()}_late.py -x -q", "E   assert 3 == 4\n1 failed in 0.4s", exit_=1
        )
        self._say_exactly(
            f"Before anything else: fix that, then look at {self._file()} once more. Ticket OPS-{self._number + 700}."
        )
