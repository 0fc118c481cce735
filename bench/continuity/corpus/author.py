"""Writes stories: what a long day of work looks like, all of it drawn from one seed."""

from __future__ import annotations

import random
from collections.abc import Callable

from bench.continuity.corpus import phrases, planted
from bench.continuity.corpus.story import (
    Aside,
    Compacted,
    Interrupted,
    Left,
    Moved,
    Noise,
    Planned,
    Said,
    Spoke,
    Story,
    Used,
)

MODULES = ("queue", "billing", "search", "upload", "session", "report", "mailer", "cache", "export", "gateway")
FOLDERS = ("src/core", "src/api", "src/jobs", "tests/unit", "tests/api", "docs", "tools", "web/app", "migrations")
ENDINGS = {"docs": ".md", "web/app": ".tsx", "migrations": ".sql"}
OWNED = ("vendor", "third_party", "infra/terraform", "legacy/billing")
PROBES = (
    "ls {folder}",
    "grep -rn '{module}_limit' {folder}",
    "cat {file}.bak",
    "test -f {folder}/{module}.lock",
    "git status --short",
    "git log --oneline -5 -- {file}",
    "find . -name '{module}*.orig'",
)
FAILS = "grep cat test"
RUNS = (
    "pytest tests/unit -k {module} -q",
    "python -m pytest tests/api/test_{module}.py -q 2>&1 | tail -20",
    "ruff check {folder}",
    "mypy src/core/{module}.py",
    "npm run build -- --filter {module}",
    "make lint-{module}",
)
DOES = ("git add -A && git commit -m 'work on {module}'", "mkdir -p build/{module}", "pip install -e .[{module}]")
STUCK = (
    "git push origin {branch}",
    "docker compose up -d {module}",
    "./scripts/deploy_{module}.sh --env staging",
    "psql -f migrations/{number}_{module}.sql",
    "pytest tests/api/test_{module}_live.py -q",
)
_LOG = "2026-11-02T10:{minute:02d}:{second:02d} INFO {module} worker={number} handled in {port} ms"


class Author:
    """One story. `length` is about how many records a Claude Code file of it has."""

    def __init__(self, seed: int, number: int) -> None:
        self._dice = random.Random(seed * 100_003 + number)
        language = self._dice.choice([*phrases.REQUESTS])
        self._languages = ("en", language) if number % 3 else ("en",)
        project = self._dice.choice(("orders", "atlas", "harbour", "lumen", "quill"))
        self.story = Story(f"s{number:03d}-{project}", f"/home/dev/{project}", f"feature/{self._module()}-{number}")
        self._files = [self._new_file() for _ in range(40)]
        self._turns = self._dice.choice((5, 8, 12, 18, 25, 32, 45, 60))
        self._length = self._dice.randint(200, 2_000)
        self._number = number
        self._open_failures: list[str] = []

    def write(self) -> Story:
        busy = max(2, int(self._length / 2.6 / self._turns))
        for turn in range(self._turns):
            self._turn(turn, self._dice.randint(max(1, busy // 2), busy + busy // 2))
        self._last()
        return self.story

    # what the user does

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
            return self._dice.choice(phrases.SHORT)
        text = self._fill(self._dice.choice(phrases.REQUESTS[language]))
        if turn % 3 == 0 or self._dice.random() < 0.2:
            demand = self._fill(self._dice.choice(phrases.DEMANDS[language]))
            self.story.demands.append(demand)
            text = f"{text}\n\n{demand}" if self._dice.random() < 0.6 else demand
        if self._dice.random() < 0.12:
            text += "\n\n```\n" + "\n".join(self._log() for _ in range(30)) + "\n```"
        return text

    def _say(self, text: str) -> None:
        if self._dice.random() < 0.08:
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

    # what the agent does

    def _step(self) -> None:
        chosen = self._dice.random()
        if chosen < 0.34:
            self._change()
        elif chosen < 0.50:
            self._probe()
        elif chosen < 0.66:
            self._look()
        elif chosen < 0.90:
            self._validate()
        elif chosen < 0.94:
            self._get_stuck()
        else:
            command = self._fill(self._dice.choice(DOES))
            self._shell(command, "ok")

    def _change(self) -> None:
        path = self._file()
        thought = self._fill(self._dice.choice(phrases.THOUGHTS)) if self._dice.random() < 0.5 else ""
        new = path not in self.story.files and self._dice.random() < 0.3
        if new:
            made = Used(
                "write", {"path": path, "content": self._code()}, f"File created successfully at: {path}", created=True
            )
        else:
            made = Used(
                "edit", {"path": path, "old": "pass", "new": self._code()}, f"The file {path} has been updated."
            )
        if self._dice.random() < 0.06:
            made.ok, made.output = False, "String to replace not found in file."
        else:
            before = self.story.files.get(path)
            self.story.files[path] = "created" if new or before == "created" else "edited"
        made.text = thought
        if made.ok and self._dice.random() < 0.12:
            made.beside = Used("read", {"path": self._file()}, self._code())
        self._add(made)

    def _probe(self) -> None:
        command = self._fill(self._dice.choice(PROBES))
        harmless = command.split()[0] in FAILS.split() and self._dice.random() < 0.6
        self._shell(command, "" if harmless else "12 lines", exit_=1 if harmless else 0)

    def _look(self) -> None:
        if self._dice.random() < 0.7:
            self._add(Used("read", {"path": self._file()}, self._code()))
        else:
            self._add(Used("search", {"pattern": self._module(), "path": "src"}, "src/core/x.py:12: match"))

    def _validate(self) -> None:
        """Runs that fail are mostly mended later, by the same command."""
        if self._open_failures and self._dice.random() < 0.6:
            command = self._open_failures.pop(0)
            self._shell(command, "12 passed in 3.1s")
            self.story.mended[command] = None
            return
        command = self._fill(self._dice.choice(RUNS))
        if self._dice.random() < 0.4:
            self._shell(
                command, f"FAILED tests/unit/test_x.py::test_{self._module()} - AssertionError\n1 failed", exit_=1
            )
            self._open_failures.append(command)
        else:
            self._shell(command, "12 passed in 3.1s")

    def _get_stuck(self) -> None:
        command = self._fill(self._dice.choice(STUCK))
        self._shell(
            command, f"error: {self._module()} refused the connection (exit 7)", exit_=self._dice.choice((1, 7, 128))
        )

    def _shell(self, command: str, output: str, exit_: int = 0) -> None:
        """A run of a command: its last result is what counts."""
        probe = exit_ != 0 and command.split()[0] in FAILS.split()
        self.story.failing.pop(command, None)
        if exit_ == 0:
            self._open_failures = [each for each in self._open_failures if each != command]
        elif not probe:
            self.story.failing[command] = None
            self.story.mended.pop(command, None)
        self._add(Used("shell", {"command": command}, output, exit_ == 0, exit_))

    def _leak(self) -> None:
        """Secrets in what commands print, and in commands."""
        if self._dice.random() < 0.5:
            key, secret, word = (self._plant(make) for make in (planted.aws_key, planted.aws_secret, planted.password))
            url = f"postgres://app:{word}@db.internal:5432/orders"
            out = f"AWS_ACCESS_KEY_ID={key}\nAWS_SECRET_ACCESS_KEY={secret}\nDATABASE_URL={url}\nDEBUG=1"
            self._shell("cat .env", out)
        elif self._dice.random() < 0.5:
            token = self._plant(planted.jwt)
            command = f"curl -sf -H 'Authorization: Bearer {token}' https://api.example.org/v1/{self._module()}"
            self._shell(command, "curl: (22) The requested URL returned error: 403", exit_=22)
        else:
            self._shell("cat deploy/id_rsa", self._plant(planted.private_key))

    def _passing_file(self) -> None:
        """Created for a look, and removed again."""
        path = f"tools/scratch_{self._dice.randint(100, 999)}.py"
        self._add(
            Used(
                "write", {"path": path, "content": "print(1)\n"}, f"File created successfully at: {path}", created=True
            )
        )
        self._shell(f"python {path}", "1")
        self._shell(f"rm {path}", "")
        self.story.files[path] = "deleted"

    def _huge_output(self) -> None:
        lines = "\n".join(self._log() for _ in range(self._dice.randint(400, 1_500)))
        self._shell(f"tail -n 2000 logs/{self._module()}.log", lines)

    # plan

    def _plan_more(self) -> None:
        fresh = [self._fill(text) for text in self._dice.sample(phrases.PLAN_VERBS, 4)]
        known = {item["text"] for item in self.story.plan}
        self.story.plan += [{"text": text, "state": "pending"} for text in dict.fromkeys(fresh) if text not in known]
        self._show_plan()

    def _plan_on(self) -> None:
        waiting = [item for item in self.story.plan if item["state"] != "done"]
        if len(waiting) < 3 or self._dice.random() < 0.5:
            return
        waiting[0]["state"] = "done"
        waiting[1]["state"] = "doing"
        self._show_plan()

    def _show_plan(self) -> None:
        self._add(Planned([dict(item) for item in self.story.plan]))

    # the end, and small things

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

    def _add(self, event: object) -> None:
        self.story.events.append(event)

    def _plant(self, make: Callable[[random.Random], str]) -> str:
        secret = make(self._dice)
        self.story.canaries.append(secret)
        return secret

    def _fill(self, text: str) -> str:
        return text.format(
            module=self._module(),
            file=self._file(),
            folder=self._dice.choice(OWNED if "touch" in text or "team" in text else FOLDERS),
            number=self._dice.randint(100, 99_999),
            port=self._dice.randint(1024, 9999),
            branch=self.story.branch,
        )

    def _fill_same(self, text: str) -> str:
        return text.format(module=MODULES[self._number % len(MODULES)])

    def _module(self) -> str:
        return self._dice.choice(MODULES)

    def _new_file(self) -> str:
        folder = self._dice.choice(FOLDERS)
        module = self._module()
        name = f"test_{module}" if folder.startswith("tests") else module
        return f"{folder}/{name}_{self._dice.randint(1, 40)}{ENDINGS.get(folder, '.py')}"

    def _file(self) -> str:
        return self._dice.choice(self._files)

    def _code(self) -> str:
        return "\n".join(
            f"def {self._module()}_{n}(value):\n    return value + {n}" for n in range(self._dice.randint(2, 12))
        )

    def _log(self) -> str:
        draw = self._dice.randint
        return _LOG.format(
            minute=draw(0, 59), second=draw(0, 59), module=self._module(), number=draw(1, 8), port=draw(1, 900)
        )
