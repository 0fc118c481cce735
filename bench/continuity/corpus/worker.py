"""What the agent of a story does: changes, looks, runs, plans; some of it fails, most of that is mended."""

from __future__ import annotations

from bench.continuity.corpus import phrases, planted
from bench.continuity.corpus.desk import Desk
from bench.continuity.corpus.story import Planned, Used

PROBES = (
    "ls {folder}",
    "grep -rn '{module}_limit' {folder}",
    "cat {file}.bak",
    "test -f {folder}/{module}.lock",
    "git status --short",
    "git log --oneline -5 -- {file}",
    "find . -name '{module}*.orig'",
)
FAILS = "grep cat test curl"
RUNS = (
    "pytest tests/unit -k {module} -q",
    "python -m pytest tests/api/test_{module}.py -q 2>&1 | tail -20",
    "ruff check {folder}",
    "mypy src/core/{module}.py",
    "npm run build -- --filter {module}",
    "make lint-{module}",
)
DOES = ("mkdir -p build/{module}", "pip install -e .[{module}]")
PIPED = (
    "pytest tests/{module} -q 2>&1 | tail -5",
    "npm test -- {module} | grep -v skipped",
    "make check-{module} | tail -3",
)
STUCK = (
    "git push origin {branch}",
    "docker compose up -d {module}",
    "./scripts/deploy_{module}.sh --env staging",
    "psql -f migrations/{number}_{module}.sql",
    "pytest tests/api/test_{module}_live.py -q",
)


class Worker(Desk):
    def __init__(self, seed: int, number: int) -> None:
        super().__init__(seed, number)
        self._open_failures: list[str] = []

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
        elif chosen < 0.97:
            self._commit()
        else:
            self._shell(self._fill(self._dice.choice(DOES)), "ok")

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

    def _hidden_failure(self) -> None:
        """The exit status is that of the pipe; what failed stands in the output."""
        command = self._fill(self._dice.choice(PIPED))
        self._shell(
            command, f"FAILED tests/{self._module()}/test_a.py::test_b\n2 failed, 11 passed in 4.1s", hidden=True
        )

    def _mended_in_parts(self) -> None:
        """`A && B` fails; later each of them passes by itself."""
        parts = [self._fill("ruff format --check {folder}"), self._fill("mypy src/core/{module}.py")]
        whole = " && ".join(parts)
        self._shell(whole, "Found 3 errors in 1 file", exit_=1)
        for part in reversed(parts):
            self._shell(part, "Success: no issues found in 4 source files")
        self.story.failing.pop(whole, None)
        self.story.mended[whole] = None

    def _commit(self) -> None:
        name = "".join(self._dice.choices("0123456789abcdef", k=7))
        subject = self._fill(self._dice.choice(phrases.SUBJECTS))
        command = f'git add -A && git commit -m "{subject}"'
        self._shell(
            command, f"[{self.story.branch} {name}] {subject}\n 2 files changed, 14 insertions(+), 3 deletions(-)"
        )
        self.story.commits.append(f"{name} {subject}")

    def _pull_request(self) -> None:
        kind, word = self._dice.choice((("pr", "pull"), ("issue", "issues")))
        title = self._fill(self._dice.choice(phrases.SUBJECTS))
        number = self._dice.randint(1, 9_999)
        link = f"https://github.com/example/{self.story.name.split('-')[-1]}/{word}/{number}"
        self._shell(f'gh {kind} create --title "{title}" --body "see the commits"', link)
        self.story.links.append(link)

    def _get_stuck(self) -> None:
        command = self._fill(self._dice.choice(STUCK))
        self._shell(
            command, f"error: {self._module()} refused the connection (exit 7)", exit_=self._dice.choice((1, 7, 128))
        )

    def _shell(self, command: str, output: str, exit_: int = 0, *, hidden: bool = False) -> None:
        """A run of a command: its last result is what counts. `hidden` failures end with 0 and say so in the output."""
        probe = exit_ != 0 and command.split()[0] in FAILS.split()
        self.story.failing.pop(command, None)
        if exit_ == 0 and not hidden:
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
