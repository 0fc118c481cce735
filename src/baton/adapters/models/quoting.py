"""What of a provider's words may be shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from baton.core.agent.message import AssistantMessage, Prompt

_LONGEST = 200
_ECHO = 12
_KEYS = re.compile(
    r"\b(?:sk|pk|rk|gsk|xai|key|tgp|fw|hf|nvapi|csk)[-_][\w*.…-]{4,}|\bAIza[\w-]{6,}|\beyJ[\w.-]{10,}|Bearer\s+\S+",
    re.IGNORECASE,
)
_CREDENTIALS = re.compile(r"//[^/\s@]*@")
_QUERY = re.compile(r"(https?://[^\s?]+)\?\S+")


def quote(text: str, secrets: Sequence[str], prompt: Prompt | None, known: str = "") -> str:
    """What a provider says in an error, fit to be shown: one line of at most 200 characters, without secrets, or
    nothing if the text repeats any of the prompt.

    `known` may be repeated: many prompts contain the model's name.
    """
    line = " ".join(text.split())
    if not line or line.startswith("<"):
        return ""
    for secret in secrets:
        line = line.replace(secret, "…")
    line = _QUERY.sub(r"\1", _CREDENTIALS.sub("//", _KEYS.sub("…", line)))
    if prompt is not None and _echoes(line.replace(known, "\0") if known else line, prompt):
        return ""
    return (line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…").rstrip(".")


def _echoes(line: str, prompt: Prompt) -> bool:
    """Whether any twelve characters of the line, or a whole short message, also occur in the prompt."""
    windows = {line[start : start + _ECHO] for start in range(len(line) - _ECHO + 1)}
    for text in _texts(prompt):
        flat = " ".join(text.split())
        if len(flat) < _ECHO:
            if len(flat) > _ECHO // 2 and flat in line:
                return True
        elif any(window in flat for window in windows):
            return True
    return False


def _texts(prompt: Prompt) -> Iterator[str]:
    yield prompt.system
    for message in prompt.messages:
        yield message.text
        if isinstance(message, AssistantMessage):
            yield from (str(held) for call in message.calls for held in call.args.values())
