"""From a script to its first risk."""

from __future__ import annotations

import re

from baton.core.display import one_line
from baton.core.risk import clouds, database, files, hidden, powershell, publish, services, system
from baton.core.risk.git import git
from baton.core.risk.interpreters import interpreted_line, interpreter
from baton.core.risk.line import DATABASE, DELETES, OUTSIDE, RUNS, SYSTEM, UNREADABLE, Line, Risk, Rule, line, words
from baton.core.risk.rows import DESTROYS, decides
from baton.core.risk.wrappers import SHELLS, Inner, inner, shell_text
from baton.core.shell import Command, Parse, Script, Word
from baton.core.value import replace

DEEPEST = 8
_SHOWN = 160
_REMOTE = ("ssh", "mosh")
_GIVEN = "it runs whatever it is given"
_RULES: tuple[tuple[str, dict[str, Rule]], ...] = (
    (DELETES, files.DELETING),
    (DATABASE, database.CHANGING),
    (OUTSIDE, clouds.REACHING),
    (OUTSIDE, publish.REACHING),
    (OUTSIDE, services.REACHING),
    (SYSTEM, files.CHANGING),
    (SYSTEM, system.CHANGING),
    (SYSTEM, powershell.WINDOWS),
    (RUNS, hidden.RUNNING),
)
_KNOWN = frozenset(name for _, rules in _RULES for name in rules)
_TELLING = re.compile(
    r"(?:^|[-_.:])(?:deploy(?:ment)?|release|publish|migrat(?:e|ion|ions)|destroy|teardown|rollback|provision|wipe|purge|nuke"
    r"|drop|uninstall|undeploy|decommission)(?:$|[-_.:])",
    re.IGNORECASE,
)
_SCRIPT = re.compile(r"\.(?:sh|bash|py|js|mjs|cjs|ts|rb|pl|php)$")
_TASK = re.compile(r"(?::?\w+)*:?(?:publish|deploy|release|upload)(?=[A-Z]\w*$|$)(?!ToMavenLocal|Debug)")
_PLAIN = words(
    "echo printf cat ls cd grep rg ag ack egrep fgrep zgrep find fd fdfind head tail less more man "
    "info apropos whatis which type "
    "command test [ mkdir rmdir touch cp mv ln chmod chown stat file wc sort uniq cut tr awk gawk "
    "sed jq yq tee diff cmp tar zip "
    "unzip gzip gunzip vim vi nvim nano emacs code subl open xdg-open pytest py.test jest vitest "
    "mocha ava rspec phpunit ctest "
    "playwright cypress export read local declare set unset alias basename dirname realpath readlink "
    "pushd popd source . eval "
    "tput git npx go bundle unittest env xargs time watch seq date sleep expr let true false : "
    "return exit trap hash complete compgen mktemp tree du df "
    "ps top id groups whoami uname hostname lsof ping dig nslookup host strings od xxd hexdump "
    "base64 md5sum sha256sum shasum cal "
    "just task tsc eslint prettier ruff black mypy pyright isort flake8 pylint biome oxlint dotnet "
    "mvn gradle gradlew rake "
    "rails artisan manage.py alembic flask screen tmux z j fzf column paste join comm nl fold fmt "
    "rev tac shuf yes spell look wn"
)
"""Programs whose words are names, patterns and texts, or whose verbs have a table of their own."""
_FLAGS = ("--delete", "--destroy", "--purge", "--wipe", "--drop", "--delete-all", "--force-delete")
_RUNNERS = {
    "fab",
    "pyinvoke",
    "ninja",
    "bazel",
    "make",
    "gmake",
    "just",
    "task",
    "rake",
    "invoke",
    "inv",
    "nox",
    "tox",
    "gradle",
    "gradlew",
    "ant",
    "mage",
    "doit",
}
_PACKAGERS = {"npm", "pnpm", "yarn", "bun", "composer", "turbo", "nx"}
_DOCUMENTED = ("sudo", "doas", "su", "pkexec", "run0")


def assess(text: str, parse: Parse) -> Risk | None:
    """The first risk of a script given as text."""
    return risk(parse(text), parse, text)


def risk(script: Script, parse: Parse, source: str = "", depth: int = 0) -> Risk | None:
    """The first risk in a script. One that could not be understood is a risk; `parse` reads scripts inside it."""
    for command in script.commands:
        if found := _command(command, parse, depth):
            return found
    if not script.ok and powershell.looks_like_powershell(source) and depth <= DEEPEST:
        reason = powershell.script(source)
        return Risk(SYSTEM, reason, _cut(source)) if reason else None
    if not script.ok or depth > DEEPEST:
        return Risk(UNREADABLE, "it could not be understood", _cut(source))
    return None


def _command(command: Command, parse: Parse, depth: int) -> Risk | None:
    program, *args = [word.text for word in command.words] or [""]
    for redirect in command.redirects:
        if reason := files.redirected(program, args, redirect):
            return Risk(SYSTEM, reason, _cut(f"{command.text} {redirect.operator} {redirect.target.text}".strip()))
    for word in command.assigned:
        if reason := hidden.variable(word.text):
            return Risk(RUNS, reason, _cut(f"{word.text} {command.text}"))
    if not command.words:
        return None
    made = line(command.words)
    made = replace(made, redirects=command.redirects, piped=command.piped, input=command.input)
    return _line(made, command.words[0], parse, depth)


def _line(made: Line, name: Word, parse: Parse, depth: int) -> Risk | None:
    if not name.known:
        return Risk(UNREADABLE, "which program it runs is only known when it runs", _cut(made.text))
    if depth > DEEPEST:
        return Risk(UNREADABLE, "it is nested too deep", _cut(made.text))
    for each in inner(made):
        if found := _inner(each, made, parse, depth + 1):
            return found
    if made.has("--help", "--version") and made.program not in _DOCUMENTED:
        return None
    kind, reason = _judge(made)
    if reason:
        return Risk(kind, reason, _cut(made.text))
    return _shell(made, parse, depth) or _assess_interpreted(made, depth)


def _inner(each: Inner, outer: Line, parse: Parse, depth: int) -> Risk | None:
    if each.script is not None:
        if not each.script.known and each.script.text.lstrip().startswith(("$", "`")):
            return Risk(RUNS, "what it runs is only known when it runs", _cut(each.script.text))
        return risk(parse(each.script.text), parse, each.script.text, depth)
    made = line(each.words, many=each.many)
    if not each.many:
        made = replace(made, piped=outer.piped, input=outer.input, redirects=outer.redirects)
    return _line(made, each.words[0], parse, depth)


def _judge(made: Line) -> tuple[str, str]:
    program = made.program
    if program in ("git", "hub") and (found := git(made))[0]:
        return found
    if program == "git" and made.args and not _is_known_verb(made):
        return UNREADABLE, "what git is to do is only known when it runs"
    for kind, rules in _RULES:
        if program in rules and (reason := rules[program](made)):
            return kind, reason
    if program.startswith("mkfs"):
        return SYSTEM, system.CHANGING["mkfs"](made)
    if powershell.is_cmdlet(program):
        return SYSTEM, powershell.cmdlet(made)
    if program in ("eval", "source", ".") and _is_unknown_text(made):
        return RUNS, "it runs text as a program"
    if _tells(made):
        return OUTSIDE, "its name says so"
    return (OUTSIDE, "its words say that it destroys or publishes") if _says(made) else ("", "")


def _says(made: Line) -> bool:
    """Whether a program that no table knows is told to destroy, publish or send."""
    if made.program in _PLAIN or made.program in _KNOWN or interpreter(made) or made.is_rehearsal:
        return False
    return decides(made, DESTROYS) or any(text in _FLAGS for text in made.texts)


def _is_known_verb(made: Line) -> bool:
    return next((word.known for word in made.args if not word.text.startswith("-")), True)


def _is_unknown_text(made: Line) -> bool:
    return made.program == "eval" or any(word.text.startswith(("<(", "/dev/stdin")) for word in made.args)


def _tells(made: Line) -> bool:
    """Whether the name of a script or of a target says that it deploys, publishes, migrates or destroys."""
    is_script = "/" in made.path or _SCRIPT.search(made.program)
    if is_script and _TELLING.search(made.program) and made.program not in _PLAIN:
        return True
    if made.is_rehearsal or (
        made.program in _RUNNERS and made.has("-n", "--just-print", "--recon", "-q", "--question")
    ):
        return False
    if made.program in _RUNNERS:
        return any(_TELLING.search(text) or _TASK.match(text) for text in made.operands)
    return made.program in _PACKAGERS and any(_TELLING.search(text) for text in made.operands[:2])


def _shell(made: Line, parse: Parse, depth: int) -> Risk | None:
    """A shell that is given its script as input."""
    if made.program not in (*SHELLS, *_REMOTE) or shell_text(made):
        return None
    if made.program in _REMOTE and not made.input:
        return Risk(RUNS, _GIVEN, _cut(made.text)) if _is_redirected(made) and len(made.operands) == 1 else None
    if made.input is not None:
        return _inner(Inner(script=made.input), made, parse, depth + 1)
    return Risk(RUNS, _GIVEN, _cut(made.text)) if _is_fed(made) else None


def _is_redirected(made: Line) -> bool:
    return made.piped or any(redirect.operator == "<" for redirect in made.redirects)


def _is_fed(made: Line) -> bool:
    """Whether an interpreter runs what another program writes."""
    reads = _is_redirected(made)
    alone = not made.operands or (made.has("-s") and made.program in SHELLS)
    takes_code = made.has("-c", "-e", "-m", "-p", "-r", "--eval")
    return (reads and alone and not takes_code) or any(text.startswith("<(") for text in made.operands[:1])


def _assess_interpreted(made: Line, depth: int) -> Risk | None:
    if not interpreter(made) or shell_text(made):
        return None
    run, reason = interpreted_line(made)
    if reason or _is_fed(made):
        return Risk(RUNS, reason or _GIVEN, _cut(made.text))
    if run is None or depth > DEEPEST:
        return None
    kind, reason = _judge(run)
    if not reason and _TELLING.search(run.program):
        kind, reason = OUTSIDE, "its name says so"
    return Risk(kind, reason, _cut(made.text)) if reason else None


def _cut(text: str) -> str:
    return one_line(text, _SHOWN)
