"""Where one task ends and the next begins, told by program from the words and subjects of the messages.

In doubt a message belongs to the running task: a rule kept too long costs a line, one dropped too early costs trust.
"""

from __future__ import annotations

from collections.abc import Sequence

from baton.core.handoff.rules.cues.table import load_cues
from baton.core.handoff.rules.folding import find_words, strip_marks
from baton.core.handoff.rules.language import guess_languages
from baton.core.handoff.rules.rule import Rule
from baton.core.handoff.rules.subjects import find_names, find_subjects
from baton.core.handoff.rules.typed import typed_text

_LOOK = 4_000
_FEWEST_WORDS = 7
_FEWEST_SUBJECTS = 3
_SHARED = 0.2
"""Less than this part of a message's subjects may be known, if it is to be about something new."""


def is_new_task(before: Sequence[str], message: str) -> bool:
    """Whether a message begins a task, given the texts of the last exchanges (what was asked and answered).

    The first message always does. A short reply, a question or a follow-up never does unless it says so.
    """
    if not any(text.strip() for text in before):
        return True
    typed = typed_text(message[:_LOOK]).strip()
    head = strip_marks(typed[:400].casefold()).lstrip(" -*#>\"'")
    if _begins(head, "announces", "closes"):
        return True
    if _size(typed) < _FEWEST_WORDS or _is_question(typed) or _begins(head, "follows"):
        return False
    return _is_elsewhere(before, typed)


def holds(rule: Rule, task: int, current: int, *, answered: bool) -> bool:
    """Whether a rule said in a task holds while another is the current one.

    A rule of a task ends once a later task has begun and its request was answered; every other outlives its task.
    """
    return not rule.ends_with_task or current <= task or (current == task + 1 and not answered)


def _begins(head: str, *sections: str) -> bool:
    words = find_words(head)
    cues = [load_cues(language) for language in guess_languages(head)]
    return any(each.get(section).matches(words) for each in cues for section in sections)


def _is_elsewhere(before: Sequence[str], typed: str) -> bool:
    """Whether a message shares no name and hardly a subject with what was talked about."""
    known = [text[-_LOOK:] for text in before]
    names = find_names(typed)
    if names and any(names & find_names(text) for text in known):
        return False
    subjects = find_subjects(typed)
    if len(subjects) < _FEWEST_SUBJECTS:
        return False
    talked = frozenset[str]().union(*map(find_subjects, known))
    return len(subjects & talked) < _SHARED * len(subjects)


def _is_question(typed: str) -> bool:
    return typed.rstrip("\"'”’)」 ")[-1:] in ("?", "？", "؟")


def _size(typed: str) -> int:
    """Words; where no spaces part them, three characters count as one."""
    dense = sum("\u3040" <= letter <= "\u9fff" for letter in typed[:200])
    return max(len(typed.split()), dense // 3)
