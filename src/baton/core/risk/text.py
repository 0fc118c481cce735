"""Risk in prose: a next step as a model or a person words it, with or without commands in it."""

from __future__ import annotations

import re

from baton.core.risk.assess import assess
from baton.core.risk.line import UNREADABLE, Risk
from baton.core.risk.prose import said
from baton.core.shell import Parse

LONGEST = 20_000
_FENCE = re.compile(r"[ \t]*(```+|~~~+)[ \t]*([\w+-]*)")
_SHELL = frozenset({"", "sh", "bash", "shell", "zsh", "console", "shellsession", "terminal", "text"})
_TICKS = re.compile(r"`+")
_PROMPT = re.compile(r"^[ \t]*[$%#>][ \t]+(\S.*)$", re.MULTILINE)
_BARE = re.compile(
    r"(?<![\w./-])(?:sudo|rm|git|kubectl|terraform|tofu|helm|docker|npm|pnpm|yarn|cargo|twine|psql|mysql|sqlite3|alembic|rails"
    r"|prisma|curl|aws|gcloud|az|ansible-playbook|vercel|fly|flyctl|serverless|gh|dd|chmod|chown|kill|pkill|systemctl|ssh)\s"
    r"+[^\n`]+"
)


def commands_in(text: str) -> list[str]:
    """What stands in code fences, between backticks or after a prompt, in that order."""
    blocks, rest = _split_fences(text)
    fenced = [_without_prompts(body) for language, body in blocks if language.lower() in _SHELL]
    ticked, prose = _split_ticks(rest)
    prompted = [line for line in _PROMPT.findall(prose) if not line.startswith(("#", ">"))]
    return [each.strip() for each in (*fenced, *ticked, *prompted) if each.strip()]


def _split_fences(text: str) -> tuple[list[tuple[str, str]], str]:
    """Blocks between fences, each with its language, and the text without them. The last may lack its end."""
    blocks: list[tuple[str, str]] = []
    rest: list[str] = []
    inside: list[str] = []
    fence = language = ""
    for line in text.split("\n"):
        match = _FENCE.match(line)
        if fence and match and match[1].startswith(fence) and not match[2]:
            blocks.append((language, "\n".join(inside)))
            fence, inside = "", []
        elif fence:
            inside.append(line)
        elif match:
            fence, language = match[1], match[2]
        else:
            rest.append(line)
    return [*blocks, *([(language, "\n".join(inside))] if fence else [])], "\n".join(rest)


def _split_ticks(text: str) -> tuple[list[str], str]:
    """What stands between equal runs of backticks, and the text without it. Each run is looked at once."""
    runs = list(_TICKS.finditer(text))
    following: dict[int, int] = {}
    closing: list[int | None] = [None] * len(runs)
    for position in range(len(runs) - 1, -1, -1):
        length = len(runs[position][0])
        closing[position] = following.get(length)
        following[length] = position
    spans: list[str] = []
    prose: list[str] = []
    position = end = 0
    while position < len(runs):
        close = closing[position]
        if close is None:
            position += 1
            continue
        prose.append(text[end : runs[position].start()])
        spans.append(text[runs[position].end() : runs[close].start()])
        end, position = runs[close].end(), close + 1
    return spans, " ".join([*prose, text[end:]])


def _without_prompts(body: str) -> str:
    """A session as it was copied from a terminal: only what was typed, if prompts tell; otherwise all of it."""
    typed = [line for line in body.split("\n") if re.match(r"\s*[$%] ", line)]
    return "\n".join(re.sub(r"^\s*[$%] ", "", line) for line in typed) if typed else body


def assess_text(text: str, parse: Parse) -> Risk | None:
    """The first risk of a next step: of the commands it quotes, of a command line it is, or of what it says to do.

    What is quoted need not be a command; text that is none and cannot be read as one is no risk.
    """
    text = text[:LONGEST]
    for command in commands_in(text):
        if (found := assess(command, parse)) and not _is_prose(found, command):
            return found
    prose = _split_ticks(_split_fences(text)[1])[1]
    for match in _BARE.finditer(prose):
        found = assess(_sentence(match[0]), parse)
        if found and found.kind != UNREADABLE:
            return found
    return said(prose)


def _is_prose(found: Risk, command: str) -> bool:
    """Whether something unreadable is rather a name, a message or code in another language than a command."""
    return found.kind == UNREADABLE and not re.match(r"\s*[\w./~$-]+\s+\S", command)


def _sentence(text: str) -> str:
    return re.split(r"[.;!?](?:\s|$)|,\s|\s(?:and|then|but|because|to)\s", text)[0].strip(" .\"')(")
