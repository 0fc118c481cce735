"""What a compression says: to the model in place of what went, to the one that summarises, and to people."""

from __future__ import annotations

from baton.core.agent.tokens import estimate
from baton.core.display import plain
from baton.core.log.kept import KeptMessage
from baton.core.value import value

HEADING = "The conversation so far was compressed. What the user wrote is quoted word for word; the rest is a summary."
FIRST = "The user's first request:"
MESSAGES = "What the user wrote after that, oldest first:"
SHORTENED = "{count} of these messages {verb} shortened where it says so."
DROPPED = "{count} older {noun} not quoted here: what {pronoun} said is only in the summary."
UNANSWERED = "The message after this one is the user's own, and has no answer yet. Work for it may have begun."
CONSTRAINTS = "Rules the user stated elsewhere, word for word. All of them still hold:"
SUMMARY_HEADING = "Summary of what happened since:"

ALL_KEPT = (
    "The person's messages are quoted first, under KEPT, and stay word for word beside your summary. Do not repeat "
    "them; say what became of them."
)
SOME_KEPT = (
    "Under KEPT are quoted, as they stay beside your summary, some of the person's messages. Do not repeat those; say "
    "what became of them. {count} more of them, and what is left out of those that are cut, stay only in your words: "
    "carry over every wish, rule, limit, name and number in them."
)
NONE_KEPT = (
    "Nothing that the person wrote stays beside your summary: carry over every wish, rule, limit, name and number of "
    "theirs, in their own words."
)
_QUOTES = (4000, 1200, 400, 120)


@value
class Kept:
    """What a compression keeps word for word. `shows_first` unless the first request is quoted elsewhere; `dropped`
    messages are kept nowhere but in the summary.
    """

    first: str = ""
    messages: tuple[KeptMessage, ...] = ()
    constraints: tuple[str, ...] = ()
    dropped: int = 0
    shows_first: bool = True

    @property
    def quoted(self) -> list[KeptMessage]:
        return [each for each in self.messages if not each.unanswered]

    @property
    def cut(self) -> int:
        return sum(not each.whole for each in self.messages)

    @property
    def rules(self) -> list[str]:
        """Those that no message tells which is quoted anyway."""
        quoted = "\n".join([self.first, *(each.words for each in self.messages)])
        return [each for each in self.constraints if each not in quoted]


def render(kept: Kept, summary: str) -> str:
    """What stands in the context for everything before the tail."""
    parts = [HEADING]
    if kept.first and kept.shows_first:
        parts.append(f"{FIRST}\n> {_quote(kept.first)}")
    if kept.quoted or kept.dropped:
        parts.append("\n\n".join([_messages_heading(kept), *(f"> {_quote(each.words)}" for each in kept.quoted)]))
    if kept.rules:
        parts.append(CONSTRAINTS + "\n" + "\n".join(f"> {_quote(each)}" for each in kept.rules))
    parts.append(f"{SUMMARY_HEADING}\n{plain(summary).strip()}")
    return "\n\n".join([*parts, *([UNANSWERED] if len(kept.quoted) < len(kept.messages) else [])])


def _messages_heading(kept: Kept) -> str:
    cut = sum(not each.whole for each in kept.quoted)
    parts = [MESSAGES] if kept.quoted else []
    if cut:
        parts.append(SHORTENED.format(count=cut, verb="is" if cut == 1 else "are"))
    if kept.dropped:
        noun, pronoun = ("message is", "it") if kept.dropped == 1 else ("messages are", "they")
        parts.append(DROPPED.format(count=kept.dropped, noun=noun, pronoun=pronoun))
    return " ".join(parts)


def _quote(text: str) -> str:
    return text.replace("\n", "\n> ")


def tell_summariser(kept: Kept) -> str:
    """What stays beside the summary and what does not: never more than is so."""
    if not kept.first and not kept.messages:
        return NONE_KEPT
    return SOME_KEPT.format(count=kept.dropped) if kept.dropped or kept.cut else ALL_KEPT


def quote_kept(kept: Kept, room: int) -> str:
    """The messages that stay, for whoever summarises the rest; in part, if they take more than `room` tokens."""
    said = [kept.first] if kept.first and kept.shows_first else []
    said += [each.words for each in kept.messages]
    if not said:
        return ""
    text = ""
    for limit in _QUOTES:
        text = "KEPT:\n" + "\n".join(f"{number}. {clip(each, limit)}" for number, each in enumerate(said, 1))
        if estimate(text) <= room:
            break
    return f"{text[: room * 4]}\n\n"


def describe_kept(kept: Kept) -> tuple[str, ...]:
    """In plain words, for people."""
    found = ["your first request"] if kept.first else []
    if kept.messages:
        more = " more" if kept.first and kept.shows_first else ""
        cut = f", {kept.cut:,} of them shortened" if kept.cut else ""
        found.append(f"{len(kept.messages):,}{more} of your messages{cut}")
    if rules := len(kept.rules):
        found.append(f"{rules:,} rule{'' if rules == 1 else 's'}")
    return tuple(found)


def clip(text: str, limit: int) -> str:
    """Beginning and end of a text, and how much was left out between them."""
    if len(text) <= limit:
        return text
    half = max(1, (limit - 40) // 2)
    return f"{text[:half]} […{len(text) - 2 * half:,} characters…] {text[-half:]}"
