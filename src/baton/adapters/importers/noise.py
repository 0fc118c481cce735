"""Text in a user's place in a transcript that the user did not write."""

from __future__ import annotations

import re

_TAGS = (
    "command-name|command-message|command-args|command-contents|local-command-stdout|local-command-stderr|"
    "local-command-caveat|system-reminder|bash-input|bash-stdout|bash-stderr|user-memory-input|task-notification|"
    "teammate-message|ide_opened_file|ide_selection|ide_diagnostics|session-start-hook|user-prompt-submit-hook|"
    "post-tool-use-hook|environment_context|user_instructions|environment_details|permissions instructions|"
    "turn_aborted|skill|collaboration_mode|model_switch|subagent_notification|INSTRUCTIONS|fork-boilerplate"
)
_WRAPPER = re.compile(rf"\s*<(?:{_TAGS})\b[^>]*>")
_OPENED, _CLOSED = "<system-reminder>", "</system-reminder>"
_BEGINNINGS = (
    "Caveat:",
    "[Request interrupted",
    "This session is being continued from a previous conversation",
    "Base directory for this skill:",
    "[SYSTEM NOTIFICATION",
    "API Error:",
)
_SECTIONS = re.compile(r"# AGENTS\.md instructions for |<INSTRUCTIONS>")
INTERRUPTED = "[Request interrupted"
_COMMAND = re.compile(r"\s*(?:<command-message>[^<]{0,400}</command-message>\s*)?<command-name>(/?[^<\s]{1,100})</")
_ARGS = re.compile(r"<command-args>(.{0,100000}?)</command-args>", re.DOTALL)
_RUNNING = re.compile(r"(?:is running|is analyzing|is loading)\b[^<]{0,100}</command-message>")


def is_noise(text: str) -> bool:
    """Wrappers of commands, reminders, hook output, the caveat line, interruptions, summaries, skill bodies."""
    stripped = text.lstrip()
    if stripped.startswith(_BEGINNINGS) or _SECTIONS.match(stripped):
        return True
    return _WRAPPER.match(text) is not None


def strip_noise(text: str) -> str:
    """The user's own words, without the reminders the agent's program inserted; empty if all of it is noise."""
    own = _without_reminders(text) if _OPENED in text else text
    return "" if is_noise(own) else own


def read_command(text: str) -> str:
    """A command of the user that asks the model for something, as it was typed; empty if it is one of the agent's
    program, such as one that clears the screen. Those name the command first.
    """
    found = _COMMAND.match(text)
    if found is None or not (text.lstrip().startswith("<command-message>") or _RUNNING.search(text[:1000])):
        return ""
    given = _ARGS.search(text)
    return f"/{found[1].lstrip('/')} {given[1].strip() if given else ''}".strip()


def _without_reminders(text: str) -> str:
    """Linear in any text; a reminder that is never closed extends to the end."""
    kept: list[str] = []
    place = 0
    while (start := text.find(_OPENED, place)) >= 0:
        kept.append(text[place:start].strip())
        end = text.find(_CLOSED, start)
        place = len(text) if end < 0 else end + len(_CLOSED)
    return "\n".join(part for part in (*kept, text[place:].strip()) if part)
