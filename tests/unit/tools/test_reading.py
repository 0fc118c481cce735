"""Commands that run unasked because they only read: what people use every day does, and no attack does."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from baton.adapters.bash_syntax import BashSyntax
from baton.adapters.files.workspace import Workspace
from baton.adapters.tools.reading import only_reads
from baton.adapters.tools.registry import tools

PARSE = BashSyntax().parse
READS = r"""
git status | git status --short | git status -sb | git diff | git diff --stat | git diff --cached -- src/a.py
git diff HEAD~1 | git log | git log --oneline -20 | git log -n 5 --stat | git log -p -S'foo bar' -- src
git log --since=yesterday --author=ada | git --no-pager log -3 | git show | git show HEAD:src/a.py
git show --stat HEAD | git branch | git branch -a | git branch --show-current | git branch --list 'fix/*' | git tag
git tag --list | git remote -v | git stash list | git stash show -p | git rev-parse --abbrev-ref HEAD
git ls-files -m | git blame src/a.py | git grep -n foo | git reflog | git diff -U5 src/a.py
git describe --tags --always | git diff main..HEAD --name-only | ls | ls -la | ls -la src | ls src/a.py | pwd
cat src/a.py | cat -n src/a.py notes.md | head -20 src/a.py | head -n 5 notes.md | tail -n +5 notes.md
wc -l src/a.py | rg foo | rg -n foo src | rg "a b" -g '*.py' src | rg --files | grep -rn "def foo" src
grep -c x notes.md | find . -name '*.py' | find src -type f -not -path './x/*'
find . \( -name a -o -name b \) -print | sed -n '10,20p' src/a.py | sed -n 5p notes.md | sort notes.md
uniq notes.md | cut -d: -f1 notes.md | file src/a.py | stat src/a.py | du -sh src | which python3 | command -v git
date | date +%F | python3 --version | echo hello | whoami | cd src && ls | cd src && cat a.py | ls 2>/dev/null
ls src 2>&1 | wc -l notes.md && git status --short | tr a b
"""
PIPES = [
    "rg foo | head -5",
    "cat notes.md | sort | uniq -c | sort -rn",
    "git log --oneline | head -3",
    "ls; pwd",
    "ls\npwd",
]
ATTACKS = [
    # more than one command, or another one inside
    "ls; rm -rf src",
    "ls && rm a",
    "ls || rm a",
    "ls | sh",
    "ls | xargs rm",
    "ls & rm a",
    "ls\nrm a",
    "ls |& tee out",
    "ls $(rm a)",
    "ls `rm a`",
    "ls <(rm a)",
    'ls "$(rm a)"',
    "cat <<EOF\n$(rm a)\nEOF",
    "cat <<< $(rm a)",
    "(ls; rm a)",
    "{ rm a; }",
    "if ls; then rm a; fi",
    "for x in a; do rm $x; done",
    "ls() { rm a; }; ls",
    "eval ls",
    "! rm a",
    "time rm a",
    "coproc rm a",
    "[[ -v x[$(rm a)] ]]",
    "test -v 'x[$(rm a)]'",
    "((x=1))",
    "true; exec rm a",
    "command rm a",
    # variables, patterns, expansions
    "PATH=. ls",
    "LD_PRELOAD=./x.so ls",
    "GIT_EXTERNAL_DIFF=./x git diff",
    "export PATH=.; ls",
    "ls $HOME",
    "cat ~/.ssh/id_rsa",
    "cat ~root/.bashrc",
    "cat {/etc/passwd,a}",
    "cat /e??/passwd",
    "cat *",
    "ls $'\\x2d\\x2d'",
    "X=1",
    "cat of=~/x",
    "ls ~+",
    # writing
    "ls > out",
    "ls >> out",
    "ls >| out",
    "ls &> out",
    "ls 2> out",
    "cat < /etc/passwd",
    "sort -o a b",
    "sort --output=a b",
    "sort --outp=a b",
    "uniq a b",
    "tree -o out",
    "git diff --output=out",
    "git log --output out",
    "find . -fprint out",
    "find . -fprintf out x",
    "find . -fls out",
    "sed -i s/a/b/ f",
    "sed -n 'w out' f",
    "sed -n 1p -i f",
    "sed -n '1e rm a' f",
    "ls > /dev/nullx",
    "tee out",
    "git branch new",
    "git branch -D main",
    "git branch -m a b",
    "git tag v1",
    "git tag -d v1",
    "git remote add x y",
    "git stash",
    "git stash drop",
    "git reflog expire --all",
    "git config a.b c",
    "git checkout .",
    "git worktree add ../x",
    "git fetch",
    "git pull",
    "git status; git push",
    "git notes add",
    "git bisect run sh",
    # running something else
    "find . -exec rm {} \\;",
    "find . -execdir sh x \\;",
    "find . -ok rm {} +",
    "find . -delete",
    "rg --pre ./x foo",
    "rg --pre=./x foo",
    "rg --hostname-bin ./x foo",
    "rg -z foo",
    "rg -f /etc/passwd a",
    "sort --compress-program=./x a",
    "sort -T / a",
    "git -c core.pager=./x log",
    "git -c alias.status='!rm a' status",
    "git -p log",
    "git --exec-path=. status",
    "git --git-dir=x status",
    "git -C .. status",
    "git --work-tree=/ status",
    "git diff --ext-diff",
    "git show --textconv",
    "git grep -O./x foo",
    "git grep --open-files-in-pager=./x foo",
    "git log --format=%G?",
    "git log --show-signature",
    "git cat-file --textconv HEAD:a",
    "git diff --no-index a b",
    "git submodule status",
    "git difftool",
    "git instaweb",
    "git log --remerge-diff",
    "git ls-remote",
    "fd -x rm",
    "fd -X rm",
    "fd --exec rm",
    "fd -l",
    "awk 'BEGIN{system(\"rm a\")}'",
    "env ls",
    "nice ls",
    "sudo ls",
    "xargs ls",
    "bash -c ls",
    "python3 -c 1",
    "man ls",
    "less a",
    "./ls",
    "/bin/ls",
    "vim a",
    "timeout 5 ls",
    "which ls; ./x",
    "date -s 2020-01-01",
    "date 01010000",
    "hostname evil",
    "printf -v x y",
    "printenv",
    "env",
    # outside the workspace
    "cat /etc/passwd",
    "cat ../secret",
    "ls ..",
    "ls /",
    "cat link",
    "cat link/secret",
    "head -5 ../secret",
    "rg foo ..",
    "rg -L foo",
    "rg --follow foo",
    "grep -R foo .",
    "grep -f /etc/passwd a",
    "find .. -name x",
    "find -L . -name x",
    "find . -newer /etc/passwd",
    "find . -samefile ../secret",
    "ls -L link/",
    "wc --files0-from=list",
    "du --files0-from=list",
    "cd .. && ls",
    "cd / && cat etc/passwd",
    "cd link && cat secret",
    "cd src; cat ../../secret",
    "cd src || cat ../secret",
    "cd - && ls",
    "cd && ls",
    "cd src && cat ../../secret",
    "cd src && git status",
    "git diff /etc/passwd /dev/null",
    "git diff -C /etc/passwd -M /etc/shadow",
    "git diff -U /etc/passwd -U /etc/shadow",
    "git diff -- ../secret a",
    "git blame --contents /etc/passwd a",
    "git ls-files -X /etc/passwd",
    "git show :/../x ../secret",
    "file -f list",
    "md5sum -c /etc/passwd",
    "cat /proc/self/environ",
    "tail -f notes.md",
    "readlink -f link",
    "diff -r src ..",
    "tree -l",
    # readers that disagree
    "ls\r\nrm a",
    "git status\rrm a",
    "ls\u00a0-la",
    "ls\u2003x",
    "ls\u0000",
    "ls \\\nrm",
    "ls #x\nrm a",
    "ls\x0brm",
    "ls ;; rm",
    "ls &&& rm",
    "ls '",
    'ls "',
    "ls \\",
    "",
    " ",
    "#",
    "ls &&",
    "&& ls",
    "| ls",
]


def git(root: Path, *args: str) -> None:
    subprocess.run(["git", *args], cwd=root, check=True, capture_output=True)


@pytest.fixture
def root(isolated: Path, tmp_path: Path) -> Path:
    (tmp_path / "secret").write_text("secret")
    (isolated / "src").mkdir()
    (isolated / "src" / "a.py").write_text("a = 1\n")
    (isolated / "notes.md").write_text("notes\n")
    os.symlink(tmp_path, isolated / "link")
    git(isolated, "init", "-q")
    git(isolated, "add", "src", "notes.md")
    return isolated


def listed(text: str) -> list[str]:
    return [each.strip() for line in text.strip().splitlines() for each in line.split(" | ")]


def test_what_only_reads_is_not_asked_for(root: Path) -> None:
    commands = [*listed(READS), *PIPES]
    assert len(commands) > 70
    assert [each for each in commands if not only_reads(each, PARSE, Workspace(root))] == []


def test_what_may_do_more_than_read_inside_is_asked_for(root: Path) -> None:
    assert len(ATTACKS) > 190
    assert [each for each in ATTACKS if only_reads(each, PARSE, Workspace(root))] == []


@pytest.mark.parametrize(
    "setting",
    [
        ("core.fsmonitor", "./x"),
        ("diff.external", "./x"),
        ("diff.evil.textconv", "./x"),
        ("filter.evil.clean", "./x"),
        ("core.sshCommand", "./x"),
        ("gpg.program", "./x"),
        ("include.path", "../evil"),
        ("core.worktree", "/etc"),
        ("core.pager", "./x"),
        ("remote.origin.promisor", "true"),
        ("core.attributesFile", "/x"),
        ("log.diffMerges", "remerge"),
    ],
)
def test_a_repository_that_names_what_git_runs_is_asked_for(root: Path, setting: tuple[str, str]) -> None:
    assert only_reads("git status", PARSE, Workspace(root))
    git(root, "config", *setting)
    assert not only_reads("git status", PARSE, Workspace(root))
    assert only_reads("ls", PARSE, Workspace(root))


def test_hooks_of_a_repository_do_not_matter_for_reading(root: Path) -> None:
    git(root, "config", "core.hooksPath", ".husky")
    git(root, "config", "user.name", "Ada")
    assert only_reads("git status", PARSE, Workspace(root))


def test_a_repository_inside_that_git_would_look_into_is_asked_for(root: Path) -> None:
    inner = root / "inner"
    inner.mkdir()
    git(inner, "init", "-q")
    git(inner, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x")
    git(root, "-c", "advice.addEmbeddedRepo=false", "add", "inner")
    assert not only_reads("git status", PARSE, Workspace(root))


@pytest.mark.parametrize("how", ["none", "file", "link", "above"])
def test_git_reads_unasked_only_where_the_workspace_is_the_repository(root: Path, how: str) -> None:
    os.rename(root / ".git", root.parent / "away")
    if how == "file":
        (root / ".git").write_text(f"gitdir: {root.parent / 'away'}")
    elif how == "link":
        os.symlink(root.parent / "away", root / ".git")
    elif how == "above":
        os.rename(root.parent / "away", root.parent / ".git")
    assert not only_reads("git status", PARSE, Workspace(root))


@pytest.mark.parametrize("path", ["{root}/bin", ".", "", "bin"])
def test_a_program_that_the_workspace_brings_is_asked_for(
    root: Path, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "bin").mkdir()
    (root / "bin" / "ls").write_text("#!/bin/sh\n")
    (root / "bin" / "ls").chmod(0o755)
    monkeypatch.setenv("PATH", f"{path.format(root=root)}:{os.environ['PATH']}")
    assert not only_reads("ls", PARSE, Workspace(root))


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("args", "effect"),
    [
        ({"command": "git status"}, "read"),
        ({"command": "ls -la", "timeout": 5}, "read"),
        ({"command": "ls", "outside": True}, "execute"),
        ({"command": "ls > x"}, "execute"),
        ({"command": "pytest"}, "execute"),
    ],
)
async def test_the_intent_of_a_command_says_whether_it_only_reads(
    root: Path, args: dict[str, object], effect: str
) -> None:
    shell = next(each for each in tools(Workspace(root), sandbox=False, parse=PARSE) if each.spec.name == "shell")
    assert (await shell.intent(args)).effect == effect
