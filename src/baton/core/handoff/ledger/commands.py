"""Shell commands as facts: which runs are of the same command, which prove something, which only look around."""

from __future__ import annotations

import re

_SPACE = re.compile(r"\s+")
_LEADING = re.compile(r"(?:cd [^;&|]{1,300}(?:&&|;) ?|[A-Za-z_][A-Za-z0-9_]{0,60}=[^\s'\";&|]{0,200} )")
_TRAILING = re.compile(
    r" ?(?:2>&1|2>/dev/null|>/dev/null|&>/dev/null|\|\| true|\|\| :"
    r"|\| ?(?:tail|head|cat|less|more|tee)(?: [^|;&]{0,100})?"
    r"|; ?echo [^|;&]{0,100})$"
)
_LOOKING = """
ls cat head tail grep egrep fgrep rg ag find fd which type whereis command echo printf pwd test [ stat file wc du df
tree env printenv date whoami hostname uname ps top sleep true false sort uniq cut awk jq less more readlink realpath
basename dirname diff cmp md5sum sha256sum xxd od history man id
"""
_LOOKING_GIT = "status log diff show branch remote rev-parse ls-files blame describe config reflog grep"
_PROBES = frozenset(_LOOKING.split())
_GIT_PROBES = frozenset(_LOOKING_GIT.split())
_VALIDATING = re.compile(
    r"\b(?:pytest|tox|nox|unittest|jest|vitest|mocha|ava|playwright|cypress|rspec|phpunit|ctest|shellcheck|hadolint|"
    r"mypy|pyright|basedpyright|ruff|flake8|pylint|black|isort|bandit|eslint|prettier|stylelint|biome|tsc|golangci-lint|"
    r"clippy|rubocop|ktlint|detekt|swiftlint|import-linter|lint-imports|pre-commit)\b"
    r"|\b(?:go|cargo|dotnet|mix|swift|bazel|gradle|gradlew|mvn|zig|deno|bun|stack|cabal|sbt|lein|elm|flutter|dart|rake)"
    r" (?:test|check|vet|build|verify|analyze|lint|fmt --check|compile)\b"
    r"|\b(?:npm|pnpm|yarn|bun)(?: run)? (?:test|lint|build|check|typecheck|type-check|verify|e2e|ci)\b"
    r"|\bmake\b|\bcmake --build\b|\bdocker build\b|\bterraform (?:validate|plan)\b"
)
_TELLING = re.compile(
    r"error|fail|fatal|exception|denied|refused|not found|cannot|panic|assert|undefined", re.IGNORECASE
)
_FAILED_TEST = re.compile(
    r"^FAILED (\S{3,200})|^\s*--- FAIL: (\S{2,200})|^test (\S{2,200}) \.\.\. FAILED"
    r"|^(?:FAIL|ERROR): (\S{3,200}(?: \(\S{1,200}\))?)|^\s*[✕✗×] ([^\n]{3,160})|^\s*● ([^\n]{3,160})",
    re.MULTILINE,
)
_MOST_TESTS = 4
_TAIL = 4000
_LONG = 20_000


def fold_spaces(text: str) -> str:
    return _SPACE.sub(" ", text).strip()


def normalize(command: str) -> str:
    """The same for runs that differ only in where they start, in variables set for them, and in how output is cut."""
    text = fold_spaces(command[:_LONG])
    while match := _LEADING.match(text):
        text = text[match.end() :].lstrip()
    while match := _TRAILING.search(text[-160:]):
        text = text[: len(text) - (len(text[-160:]) - match.start())].rstrip()
    return text or fold_spaces(command[:_LONG])


def is_probe(command: str) -> bool:
    """Whether it only looks around: every part of it reads and changes nothing."""
    parts = [part.strip() for part in re.split(r"&&|\|\||;|\|", normalize(command)) if part.strip()]
    return bool(parts) and all(map(_looks, parts))


def _looks(part: str) -> bool:
    words = part.split()
    if words[0] == "git":
        return len(words) > 1 and words[1] in _GIT_PROBES
    if words[0] == "sed":
        return "-i" not in part
    return words[0] in _PROBES and ">" not in part.replace("2>", "")


def is_validating(command: str) -> bool:
    """Whether its success says something about the work: tests, linters, type checkers, builds."""
    return _VALIDATING.search(normalize(command)) is not None


def telling_line(output: str) -> str:
    """The line of a failed command's output that says most: the last that speaks of an error, or the last at all."""
    end = output if len(output) <= _TAIL else output[-_TAIL:].partition("\n")[2]
    lines = [line for line in end.splitlines() if line.strip() and not line.startswith("[exit ")]
    telling = [line for line in lines if _TELLING.search(line)]
    return fold_spaces((telling or lines or [""])[-1])


def failed_tests(output: str) -> list[str]:
    """The names of tests that a run says have failed, the first few."""
    found = dict.fromkeys(match[match.lastindex or 0].strip() for match in _FAILED_TEST.finditer(output[-_LONG:]))
    return list(found)[:_MOST_TESTS]


def removed_paths(command: str) -> list[str]:
    """Paths that a plain `rm` or `git rm` names."""
    words = normalize(command).split()
    if words[:2] == ["git", "rm"]:
        words = words[1:]
    if not words or words[0] != "rm" or any(mark in command for mark in "*?$`;|&"):
        return []
    return [word.strip("'\"") for word in words[1:] if not word.startswith("-")]
