"""One command line as rules look at it, and what a rule may find."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from baton.core.shell import Redirect, Word
from baton.core.value import value

DELETES = "deletes"
REWRITES = "rewrites history"
OUTSIDE = "reaches outside"
DATABASE = "changes a database"
SYSTEM = "changes the system"
RUNS = "runs unknown text"
UNREADABLE = "cannot be read"
KINDS = (DELETES, REWRITES, OUTSIDE, DATABASE, SYSTEM, RUNS, UNREADABLE)


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_VALUED = words(
    "-n --namespace --context --kubeconfig --cluster -C --cwd --prefix --project --profile --region --config -c "
    "--config-file --host -H -p --env -e --env-file --chdir --workspace -w --filter -F --dir --app -a --repo -R "
    "--stage --target --account -f --file --git-dir --work-tree --settings --username -u --database -d --org -o"
)
_REHEARSED = ("--dry-run", "--dryrun", "--help", "--version", "--check", "--syntax-check", "--plan", "--list")


@value
class Risk:
    """What makes a command one to ask about: its kind, a reason in words, and the command it is about."""

    kind: str
    reason: str
    command: str

    @property
    def sentence(self) -> str:
        return f"`{self.command}`: {self.reason} ({self.kind})"


@value
class Line:
    """A program by its bare name, and its arguments. `many` if it is run for each of a number of things."""

    program: str
    path: str
    args: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()
    piped: bool = False
    input: Word | None = None
    many: bool = False

    @property
    def texts(self) -> list[str]:
        return [word.text for word in self.args]

    @property
    def text(self) -> str:
        return " ".join([self.path, *self.texts])

    def has(self, *flags: str) -> bool:
        """Whether one of the flags is given: `-r` also within `-fr`, `--force` also as `--force=…`."""
        return any(_gives(text, flag) for text in self._before_end() for flag in flags)

    def _before_end(self) -> list[str]:
        texts = self.texts
        return texts[: texts.index("--")] if "--" in texts else texts

    @property
    def operands(self) -> list[str]:
        """Arguments that are no options."""
        before = self._before_end()
        return [text for text in before if not text.startswith("-")] + self.texts[len(before) + 1 :]

    @property
    def commands(self) -> tuple[list[str], list[str]]:
        """The operands read twice: as they stand, and without what follows an option that may take a value."""
        kept: list[str] = []
        skip = False
        for text in self._before_end():
            if skip or text.startswith("-"):
                skip = not skip and text in _VALUED
            else:
                kept.append(text)
        return self.operands, kept

    def begins(self, *verbs: str) -> str:
        """The first of these, each of one or more words, that the operands begin with."""
        for verb in verbs:
            words = verb.split()
            if any(operands[: len(words)] == words for operands in self.commands):
                return verb
        return ""

    def after(self, *flags: str) -> Word | None:
        """What follows one of these options, or is joined to it by `=`."""
        for position, word in enumerate(self.args):
            if word.text in flags and position + 1 < len(self.args):
                return self.args[position + 1]
            name, equals, held = word.text.partition("=")
            if equals and name in flags and name.startswith("--"):
                return Word(held, word.known)
        return None

    @property
    def is_rehearsal(self) -> bool:
        """Whether it only tells what it would do."""
        return any(text.partition("=")[0] in _REHEARSED and not text.endswith("=none") for text in self._before_end())


_SUFFIX = re.compile(r"(?i)\.(?:exe|cmd|bat|com)$")
_ALIASES = {"k": "kubectl", "tf": "terraform", "tg": "terragrunt", "sls": "serverless", "dc": "docker-compose"}
"""Other names that people give to programs."""

Rule = Callable[[Line], str]
"""The reason why a line is risky, or an empty string."""


def line(words: Sequence[Word], *, many: bool = False) -> Line:
    """The line of these words, which are at least one."""
    path = words[0].text
    name = path.rstrip("/").rpartition("/")[2]
    return Line(_ALIASES.get(name, _SUFFIX.sub("", name)), path, tuple(words[1:]), many=many)


def _gives(text: str, flag: str) -> bool:
    if flag.startswith("--"):
        return text.partition("=")[0] == flag
    is_short = text.startswith("-") and not text.startswith("--") and len(text) > 1
    return is_short and flag[1:] in text[1:].partition("=")[0]
