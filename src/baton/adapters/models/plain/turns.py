"""A prompt as the turns every provider takes: roles alternate, results stand first, and nothing is empty."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from baton.core.agent.message import AssistantMessage, Image, Prompt, ToolMessage, UserMessage
from baton.core.value import value

EMPTY = "(empty)"
NO_IMAGES = "[an image was left out: this model takes none]"


@value
class Asked:
    """What comes from our side between two answers: the results of calls, then what the person says."""

    results: tuple[ToolMessage, ...]
    content: tuple[str | Image, ...]


@value
class Answered:
    """Answers in a row."""

    messages: tuple[AssistantMessage, ...]


Turn = Asked | Answered


def turns(prompt: Prompt, *, images: bool) -> list[Turn]:
    """Neighbours of the same kind become one: for each of these rules there is a provider that refuses anything else.
    Without `images` a note stands in for each.
    """
    done: list[Turn] = []
    for message in prompt.messages:
        if isinstance(message, AssistantMessage):
            if not (message.text.strip() or message.calls):
                continue
            last = done[-1] if done else None
            if isinstance(last, Answered):
                done[-1] = Answered((*last.messages, message))
            else:
                done.append(Answered((message,)))
        else:
            last = done[-1] if done else None
            if isinstance(last, Asked):
                done[-1] = _joined(last, message, images)
            else:
                done.append(_joined(Asked((), ()), message, images))
    return done


def _joined(last: Asked, message: UserMessage | ToolMessage, images: bool) -> Asked:
    if isinstance(message, ToolMessage):
        return Asked((*last.results, message), last.content)
    return Asked(last.results, _simplify((*last.content, *_content(message, images))))


def _content(message: UserMessage, images: bool) -> Iterator[str | Image]:
    if message.text.strip():
        yield message.text
    yield from message.images if images else (NO_IMAGES for _ in message.images)
    if not message.text.strip() and not message.images:
        yield EMPTY


def _simplify(content: Sequence[str | Image]) -> tuple[str | Image, ...]:
    """Text alone as one text: not every compatible server takes a list."""
    texts = [each for each in content if isinstance(each, str)]
    return ("\n\n".join(texts),) if len(texts) == len(content) else tuple(content)


def result_text(message: ToolMessage) -> str:
    return message.text if message.text.strip() else EMPTY
