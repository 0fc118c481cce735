"""Always commands that begin so: what is offered, and what may be found under it. Never more than one plain command."""

from __future__ import annotations

import pytest

from baton.adapters.bash_syntax import BashSyntax
from baton.core.risk.beginning import beginning_of, beginnings

PARSE = BashSyntax().parse
OFFERED = {
    "pytest": "pytest",
    "pytest -q tests/unit": "pytest",
    ".venv/bin/pytest -q": ".venv/bin/pytest",
    "python -m pytest -x": "python -m pytest",
    "npm test": "npm test",
    "npm run build": "npm run build",
    "cargo test --all": "cargo test",
    "go test ./...": "go test",
    "git commit -m 'one; two'": "git commit",
    "ruff check .": "ruff check",
    "./gradlew test": "./gradlew test",
}
NOT_OFFERED = [
    "python x.py",
    "python -c 'print(1)'",
    "python -m http.server",
    "bash x.sh",
    "sh -c ls",
    "node x.js",
    "env pytest",
    "FOO=1 pytest",
    "sudo pytest",
    "nice pytest",
    "timeout 5 pytest",
    "uv run pytest",
    "poetry run pytest",
    "npx jest",
    "npm exec x",
    "npm x y",
    "pnpm dlx y",
    "bunx y",
    "xargs rm",
    "find . -delete",
    "make test",
    "docker run x",
    "curl x.org",
    "rm a",
    "ssh host ls",
    "awk 1",
    "sed s/a/b/ f",
    "eval ls",
    "git -c a=b log",
    "git bisect run x",
    "terraform",
    "foo --bar",
    "git submodule foreach ls",
    "",
]
NEVER_FOUND = [
    "pytest; rm -rf .",
    "pytest && rm a",
    "pytest || rm a",
    "pytest | sh",
    "pytest & rm a",
    "pytest\nrm a",
    "pytest > out",
    "pytest 2>/dev/null",
    "pytest < in",
    "pytest $(rm a)",
    "pytest `rm a`",
    "pytest $X",
    "pytest *",
    "pytest {a,b}",
    "(pytest)",
    "pytest <(rm a)",
    "PATH=. pytest",
    "env pytest",
    "sudo pytest",
    "! pytest",
    "time pytest",
    "if pytest; then rm a; fi",
    "for x in a; do pytest; done",
    "pytest() { rm a; }; pytest",
    "pytest <<EOF\nx\nEOF",
    "pytest\r\nrm a",
    "pytest ~/x",
    "pytest\u00a0x",
    "pytest 'unfinished",
    "pytest $'a'",
    "exec pytest",
    "command pytest",
    "xargs pytest",
    "nohup pytest",
    "watch pytest",
    "bash -c pytest",
    "coproc pytest",
    "pytest #x\nrm a",
    "pytest ;",
    "pytest |& tee x",
    "pytest &",
]


@pytest.mark.parametrize(("command", "begins"), OFFERED.items())
def test_the_words_that_would_be_allowed(command: str, begins: str) -> None:
    offered = beginning_of(command, PARSE)
    assert " ".join(offered) == begins
    assert offered in beginnings(command, PARSE)


def test_nothing_is_offered_for_what_runs_other_programs() -> None:
    assert [each for each in NOT_OFFERED if beginning_of(each, PARSE)] == []


def test_only_a_single_plain_command_is_found_by_its_beginning() -> None:
    assert beginnings("pytest -q x", PARSE) == [("pytest",), ("pytest", "-q"), ("pytest", "-q", "x")]
    found = [each for each in NEVER_FOUND if ("pytest",) in beginnings(each, PARSE)]
    assert found == ["pytest ;"]  # the same single command


def test_words_are_compared_whole() -> None:
    for command in ("pytest2 x", "pytestx", "xpytest", "./pytest", "/tmp/pytest", "Pytest", "pytest-x"):
        assert ("pytest",) not in beginnings(command, PARSE)
    assert ("git", "commit") not in beginnings("git -c alias.commit=!rm commit", PARSE)
