"""What a command made, by its output or its own words; what it only names, quotes or lists is nothing."""

from __future__ import annotations

import pytest

from baton.core.handoff.ledger.produced import find_produced

PR = "https://github.com/o/r/pull/3"
QUIET = (
    "git add -A && git commit -q -m \"$(cat <<'EOF'\nadd the script\n\nUse `git checkout -b x; git tag v9`.\nEOF\n)\""
)


@pytest.mark.parametrize(
    ("command", "output", "made"),
    [
        (QUIET, "", ["commit “add the script”"]),
        ("git commit -qm \"one\" && git commit -qm 'two'", "", ["commit “one”", "commit “two”"]),
        ("git commit -m x || true", "nothing to commit, working tree clean", []),
        ('git -C api commit -am "a"', "[main 1234567] a\n", ["commit 1234567 “a” on main"]),
        ("git tag -l", "v1\nv2", []),
        ("git tag --sort=-creatordate | head -3", "v1", []),
        ('git tag -a v1 -m "first one"', "", ["tag v1"]),
        ("git switch -c fix/a && git branch --show-current", "fix/a", ["branch fix/a"]),
        ("cat > r.sh <<'EOF'\ngit tag v1 && git checkout -b y\ngh pr create\nEOF", PR, []),
        ("gh pr create --title 'a; b' --body \"$(cat <<'EOF'\nc | d\nEOF\n)\" 2>&1 | tail -1", PR, [PR]),
        ('URL="$(gh -R o/r pr create --fill)"; echo $URL', PR, [PR]),
        ("gh pr list --state open --json url", PR, []),
        ("gh api graphql -f query='query { a }'", PR, []),
        ("gh api graphql -f query='mutation { a }'", PR, [PR]),
    ],
)
def test_what_a_command_made(command: str, output: str, made: list[str]) -> None:
    assert find_produced(command, output) == made
