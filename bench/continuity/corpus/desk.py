"""What every story is drawn from: one seed, a project with files, and where events go."""

from __future__ import annotations

import random
from collections.abc import Callable

from bench.continuity.corpus import phrases
from bench.continuity.corpus.story import Story

MODULES = ("queue", "billing", "search", "upload", "session", "report", "mailer", "cache", "export", "gateway")
FOLDERS = ("src/core", "src/api", "src/jobs", "tests/unit", "tests/api", "docs", "tools", "web/app", "migrations")
ENDINGS = {"docs": ".md", "web/app": ".tsx", "migrations": ".sql"}
OWNED = ("vendor", "third_party", "infra/terraform", "legacy/billing")
_LOG = "2026-11-02T10:{minute:02d}:{second:02d} INFO {module} worker={number} handled in {port} ms"


class Desk:
    def __init__(self, seed: int, number: int) -> None:
        self._dice = random.Random(seed * 100_003 + number)
        language = self._dice.choice([*phrases.REQUESTS])
        self._languages = ("en", language) if number % 3 else ("en",)
        project = self._dice.choice(("orders", "atlas", "harbour", "lumen", "quill"))
        self.story = Story(f"s{number:03d}-{project}", f"/home/dev/{project}", f"feature/{self._module()}-{number}")
        self._files = [self._new_file() for _ in range(40)]
        self._number = number

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
