"""Questions that are no longer open: where a platform can edit, their messages say so and lose their buttons."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from baton.core.transfer.letter import Letter
from baton.core.transfer.place import Place, parse_place
from baton.surfaces.gateway import texts

if TYPE_CHECKING:
    from baton.engine.mail.outbox import OutboxWriter
    from baton.surfaces.shared.questions import Question, Questions


class Closing:
    """Whoever answered, in a channel or elsewhere, or if the turn was stopped: the message tells how it ended."""

    def __init__(self, outbox: OutboxWriter, questions: Questions) -> None:
        self._outbox = outbox
        self._putting: set[asyncio.Future[str]] = set()
        questions.on_closed = self._closed

    def visible(self, place: Place) -> bool:
        """Whether a question's end is seen in its own message."""
        platform = self._outbox.platform(place)
        return platform is not None and platform.abilities.edits

    def _closed(self, question: Question) -> None:
        """A question in several messages is left as it is: only the last of them is known."""
        if not question.key.endswith("/0") or not self.visible(place := parse_place(question.place)):
            return
        letter = Letter(f"{question.text}\n\n{_outcome(question)}", replaces=question.key)
        put = self._outbox.put(place, f"{question.key}/closed", letter, question.conversation_id)
        self._putting.add(task := asyncio.ensure_future(put))
        task.add_done_callback(self._putting.discard)

    async def close(self) -> None:
        if self._putting:
            await asyncio.wait(self._putting)


def _outcome(question: Question) -> str:
    if not question.answer.done() or question.answer.cancelled():
        return texts.LAPSED
    answer = question.answer.result()
    return texts.ANSWERED["no" if not answer.allowed else "always" if answer.remember else "yes"]
