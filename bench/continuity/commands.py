"""Commands as the metric sees them, written apart from the ledger so that one can catch the other's mistakes."""

from __future__ import annotations

import re
from functools import lru_cache

from bench.continuity.folding import folded

_CD = re.compile(r"^(?:cd|pushd) \S+ ?(?:&&|;) ?")
_VARIABLE = re.compile(r"^(?:export )?[A-Z_][A-Z0-9_]*=\S* (?:&& )?")
_LAUNCHER = re.compile(
    r"^(?:(?:uv|poetry|pipenv|pdm|hatch) run |(?:npx|bunx|pnpm exec|yarn exec) |python3? -m |sudo |time |nice "
    r"|timeout [\w.]+ |(?:\S*/)?\.?venv/bin/)"
)
_END = re.compile(r" ?(?:2>&1|\| ?(?:tail|head)\b[^|]*|\|\| true)$")
_READS = re.compile(
    r"^(?:ls|cat|head|tail|grep|egrep|rg|ag|find|fd|wc|which|pwd|echo|stat|file|tree|du|df|test|\[|\[\["
    r"|type|env|printenv|ps|date|sort|uniq|cut|awk|jq|diff|cmp|true|false|sleep|printf|column|less|more|nl"
    r"|command -v|cd|sed(?! -i)"
    r"|git (?:-C \S+ )?(?:status|log|diff|show|branch(?! -[dDmM])|rev-parse|ls-files|blame|remote(?! (?:add|rm|set))"
    r"|describe|grep|reflog|shortlog|ls-remote|ls-tree|cat-file|config --get|stash list|fetch|rev-list"
    r"|worktree list))(?![\w-])"
)
_LOOKS_UP = re.compile(
    r"^(?:python3?|node|ruby|perl|bun|deno|php)\b(?: -\w+)* ?(?:-c|-e|-p|-r|- ?<<|<<|eval)(?!\w)"
    r"|^(?:curl|wget|http|dig|nslookup|ping|nc|lsof|netstat|ss|top|free|uname|id|whoami|man"
    r"|go doc|go list|pip (?:show|list|index)|npm (?:ls|view|info|outdated)"
    r"|docker (?:ps|logs|inspect|images)|kubectl (?:get|describe|logs)"
    r"|gh (?:(?:pr|issue|run|repo|release|workflow) (?:view|list|checks|status|diff|watch)|api|search|auth status))"
    r"(?![\w-])"
)
_VALIDATES = re.compile(
    r"^(?:pytest|py\.test|tox|nox|jest|vitest|mocha|ava|playwright|cypress|rspec|phpunit|ctest"
    r"|mypy|pyright|basedpyright|ruff(?! format)|flake8|pylint|eslint|tsc|biome|clippy|unittest|golangci-lint"
    r"|staticcheck|shellcheck)\b"
    r"|^(?:go|cargo|npm|pnpm|yarn|bun|make|gradle|\./gradlew|mvn|\./mvnw"
    r"|dotnet|bundle exec|docker|mise|just|task|rake|deno|swift)\b"
    r".{0,24}\b(?:tests?|check|lint\S*|build\S*|vet|typecheck|clippy|fmt|verify|rspec|ci)\b"
)
_WRITES = re.compile(r"(?<![2&])>(?!&)(?! ?/dev/null)")
_TEST_ID = re.compile(r"^(?:FAILED|--- FAIL:|✕|FAIL) +([\w./:\[\]-]{4,200})", re.MULTILINE)
_RISKY = re.compile(
    r"push\b.{0,80}(?:--force|-f\b|\+\w)|reset --hard|clean -\w*f|\brm -\w*[rf]|drop (?:table|database)|--no-verify"
    r"|checkout -- |branch -D|kubectl delete|terraform (?:apply|destroy)|\bmkfs|\bdd if=",
    re.IGNORECASE,
)


@lru_cache(20_000)
def normal(command: str) -> str:
    """The same for runs of one command that differ in directory, variables and how their output was cut."""
    text = folded(command)
    while (short := _VARIABLE.sub("", _CD.sub("", text))) != text:
        text = short
    while (short := _END.sub("", text)) != text:
        text = short
    return text


@lru_cache(20_000)
def parts(command: str) -> tuple[str, ...]:
    """What a command is made of: `A && B ; C` is three. Of a pipe the first part counts, what only reads never does."""
    found = [_key(part) for part in _split(command, ("&&", ";", "||", "\n"))]
    return tuple(part for part in dict.fromkeys(found) if part and not _reads(part))


def _reads(part: str) -> bool:
    return _READS.match(part) is not None and not _WRITES.search(part)


def _key(part: str) -> str:
    text = normal(next(iter(_split(part, ("|",))), ""))
    while (short := _LAUNCHER.sub("", text)) != text:
        text = short
    return re.sub(r" (?:-q|-qq|-v|-vv|-x|2>&1|--no-header|--tb=\w+)(?= |$)", "", text)


def _split(command: str, marks: tuple[str, ...]) -> list[str]:
    """Cuts at marks outside quotation marks. A here-document is one piece with what it belongs to."""
    found, start, place, quote = [], 0, 0, ""
    while place < len(command):
        letter = command[place]
        if "<<" in command[start:place] and letter == "\n":
            break
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"`":
            quote = letter
        elif mark := next((each for each in marks if command.startswith(each, place)), ""):
            if mark != "|" or command[place : place + 2] != "||":
                found.append(command[start:place])
                place += len(mark)
                start = place
                continue
            place += 1
        place += 1
    return [*found, command[start:]] if not quote else [command]


@lru_cache(20_000)
def is_piped(command: str) -> bool:
    """Whether the exit status is not that of the work: it is the last part's of a pipe or of a list."""
    last = _split(command, ("&&",))
    return any(len(_split(part, ("|",))) > 1 or len(_split(part, (";", "||"))) > 1 for part in last)


def reads_only(command: str) -> bool:
    """Probes: every part looks and none writes."""
    found = [part.strip() for each in _split(normal(command), ("&&", "||", ";")) for part in _split(each, ("|",))]
    found = [part for part in found if part]
    return bool(found) and all(_reads(part) for part in found)


@lru_cache(20_000)
def looks_up(command: str) -> bool:
    """Ad-hoc questions to the machine: no part of it is work whose failure blocks anything."""
    found = [_key(part) for part in _split(command, ("&&", ";", "||"))]
    found = [part for part in found if part]
    return all(_reads(part) or _LOOKS_UP.match(part) for part in found)


@lru_cache(20_000)
def validates(command: str) -> bool:
    return any(_VALIDATES.search(part) for part in parts(command))


def risky(command: str) -> bool:
    return _RISKY.search(command) is not None


def failed_tests(output: str) -> list[str]:
    return list(dict.fromkeys(_TEST_ID.findall(output)))
