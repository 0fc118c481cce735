"""Where messages of the inbox are answered: a turn, a command, or the answer to a question.

A message becomes a turn once, whatever crashes: it leaves the inbox only when the transcript holds it, and a transcript
that holds it already does not get it again. A command is tried once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from baton.core.display import one_line
from baton.core.errors import (
    BatonError,
    Conflict,
    HeadMoved,
    LeftOpen,
    OwnedElsewhere,
    PlaceTaken,
    SequenceMoved,
    StaleEpoch,
    StoreError,
)
from baton.core.log.lease import Ownership
from baton.core.log.payloads import UserInput
from baton.core.transfer import mail as boxes
from baton.core.transfer.authority import GUEST, NOBODY
from baton.core.transfer.letter import Letter
from baton.core.transfer.mail import Mail
from baton.core.transfer.place import Place, parse_place
from baton.core.value import replace
from baton.engine.aio import in_thread, retry_store
from baton.engine.mail.worker import Inlet, Outcome, Taken, mail_worker
from baton.engine.turns import questions
from baton.surfaces.gateway import attachments
from baton.surfaces.gateway.answers import Answers, key_of_draft
from baton.surfaces.gateway.corrections import Corrections
from baton.surfaces.gateway.reception import LONGEST, Message, from_mail, is_command
from baton.surfaces.shared.chat import NAMING, TITLE, UNTITLED
from baton.surfaces.shared.commands import is_repeatable
from baton.surfaces.shared.wording import GATEWAY, holder, surface
from baton.surfaces.words import channel as words

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.engine.mail.worker import Claims
    from baton.surfaces.gateway.channel_commands import ChannelCommands
    from baton.surfaces.gateway.correspondence import Correspondence
    from baton.surfaces.gateway.takeover import Takeover
    from baton.surfaces.shared.host import Host

_AGAIN = 0.25
_PATIENT = 3
"""Tries after which somebody who waits is told why."""
_LOG = logging.getLogger("baton.gateway")


class Desk:
    """Its `worker` answers until it is cancelled; messages in hand are answered first."""

    def __init__(
        self,
        correspondence: Correspondence,
        takeover: Takeover,
        host: Host,
        commands: ChannelCommands,
        claims: Claims,
        recheck_role: Callable[[Message], str],
    ) -> None:
        self._store = correspondence.store
        self._runtime = correspondence.runtime
        self._outbox = correspondence.outbox
        self._correspondence = correspondence
        self._takeover = takeover
        self._host = host
        self._commands = commands
        self._answers = Answers(correspondence, commands.drafts)
        self._corrections = Corrections(self._store, self._runtime)
        self._recheck_role = recheck_role
        self._lease = claims.lease
        self.worker = mail_worker(self._store.inbox, self._answer, self._outbox.platforms, claims)
        self.inlet = Inlet(self._store.inbox, self.worker)
        self.handled = 0

    async def _answer(self, taken: Taken[Mail]) -> Outcome:
        mail, again = taken.job, Outcome(boxes.NEW, _AGAIN)
        try:
            await self.handle(from_mail(mail))
            self.handled += 1
        except OwnedElsewhere as error:
            await self._tell_who_holds_it(error, mail)
            return again
        except (StoreError, StaleEpoch, HeadMoved, SequenceMoved, LeftOpen):  # nothing was kept of it: it comes again
            return again
        except BatonError as error:
            await self._tell_failed(mail, taken.proof, f"⚠ {error}")
        except Exception as error:  # noqa: BLE001, the edge of the inbox: one message must not stop the others
            _LOG.warning("%s: %s", type(error).__name__, one_line(self._host.clean(str(error)), 300))
            await self._tell_failed(mail, taken.proof, words.BROKEN.format(kind=type(error).__name__))
        return Outcome(boxes.DONE)

    async def _tell_who_holds_it(self, error: OwnedElsewhere, mail: Mail) -> None:
        """Says, once, that the message waits for a terminal, which may take long; not that it waits for a gateway."""
        owner = str(error.facts.get("owner", ""))
        if mail.attempts == _PATIENT and surface(owner) != GATEWAY:
            text = words.HELD_WAITS.format(where=holder(owner, GATEWAY))
            await self._outbox.put(parse_place(mail.place), f"held/{mail.key}", Letter(text))

    async def _tell_failed(self, mail: Mail, proof: Ownership, text: str) -> None:
        """Says what went wrong, unless another gateway has the message by now and may do better."""
        with suppress(Conflict, StoreError):
            await retry_store(lambda: self._store.inbox.renew(proof, self._lease))
            await self._tell(parse_place(mail.place), mail.key, text)

    async def handle(self, message: Message) -> None:
        """Returns when it is answered, its turn is submitted and stored, or its sender is a stranger by now."""
        role, bound, is_asked = await in_thread(self._admit, message)
        message = replace(message, role=role)
        if role == NOBODY or (role == GUEST and not bound):
            return
        if message.too_long:
            text = words.TOO_LONG.format(size=message.too_long, limit=LONGEST)
            await self._tell(message.place, message.key, text)
            return
        if message.odd:
            what = words.ODD.get(message.odd, words.ODD_OTHERS)
            await self._tell(message.place, message.key, words.UNREADABLE.format(what=what))
            return
        if message.corrects:
            await self._correct(message)
            return
        if await self._answers.take(message, bound):
            return
        if is_command(message.text) and message.by_owner:
            await self._run_command(message, bound)
        else:
            await self._submit_turn(message, bound, is_asked=is_asked)

    async def _run_command(self, message: Message, bound: Conversation | None) -> None:
        again = is_repeatable(message.text)
        if message.attempts > 1 and not again:
            text = words.REPEATED.format(text=one_line(message.text, 60).replace("`", "'"))
            await self._tell(message.place, message.key, text)
            return
        try:
            answer = await self._commands.run(f"/{message.text[1:]}", message.place, bound, message.sender)
        except OwnedElsewhere as error:  # nothing was done: it is not tried again unasked
            if again:
                raise
            answer = Letter(words.HELD.format(where=holder(str(error.facts.get("owner", "")), GATEWAY)))
        if answer.text or answer.file:
            conversation_id = bound.id if bound else ""
            key = key_of_draft(answer, message.place) or f"reply/{message.key}"
            await self._outbox.put(message.place, key, answer, conversation_id)

    async def _correct(self, message: Message) -> None:
        """New words for an earlier message, in the conversation of its place. Where nobody speaks for it by now, or it
        is nothing to correct, nothing is done.
        """
        original = await self._corrections.find_original(message)
        bound = await in_thread(self._find_bound, original.place) if original else None
        if original is None or bound is None:
            return
        if is_command(message.text) or is_command(original.text):
            await self._tell(original.place, message.key, words.EDITED_COMMAND)
            return
        await self._takeover.take_over(bound)
        if (corrected := await self._corrections.apply(message, original, bound.id)) is not None:
            is_asked = await in_thread(self._is_asked, bound)
            await self._submit_turn(corrected, bound, is_asked=is_asked)

    async def _submit_turn(self, message: Message, bound: Conversation | None, *, is_asked: bool) -> None:
        """`is_asked` says that a question waits there, and the message waits for its answer."""
        conversation = bound
        if bound is None:
            conversation = await in_thread(self._begin, message)
        elif bound.title == UNTITLED:
            conversation = await in_thread(self._name, bound, message)
        assert conversation is not None
        if is_asked:
            await self._tell(message.place, message.key, words.QUEUED)
        await self._takeover.take_over(conversation)
        given = await self._input(message, conversation)
        self._correspondence.follow(conversation.id)
        await self._runtime.submit(conversation.id, given)

    async def _input(self, message: Message, conversation: Conversation) -> UserInput:
        """What the agent reads. Others than the owner are named, so that their words are theirs."""
        text, pictures = message.text, ()
        platform = self._outbox.platform(message.place)
        if platform is not None and message.files:
            workspace = conversation.workspace or self._host.workspace
            lines, pictures = await attachments.receive(platform, message.files, workspace, message.key)
            text = "\n".join([*([text] if text else []), *lines])
        if not message.by_owner:
            name = one_line(message.name or "Somebody", 60)
            quoted = "\n".join(f"> {line}" for line in text.splitlines())
            text = words.SAID_BY.format(name=name, sender=message.sender, text=quoted)
        return UserInput(text, pictures, place=message.place.key, inbox=message.key, sender=message.sender)

    def _admit(self, message: Message) -> tuple[str, Conversation | None, bool]:
        """Who says it, in which conversation, and whether a question waits there: all that is read of the store before
        the turn, in one go.
        """
        bound = self._find_bound(message.place)
        return self._recheck_role(message), bound, bound is not None and self._is_asked(bound)

    def _is_asked(self, conversation: Conversation) -> bool:
        return bool(questions.list_open(self._store, conversation.id))

    def _find_bound(self, place: Place) -> Conversation | None:
        binding = self._store.bindings.at(place)
        return self._store.conversations.get(binding.conversation_id) if binding else None

    def _begin(self, message: Message) -> Conversation:
        """A conversation of its own for a place that has none. Bound at once: a repetition finds it."""
        conversation, _ = self._store.conversations.start(self._title(message), self._host.workspace, self._host.model)
        try:
            self._store.bindings.bind(message.place, conversation.id)
        except PlaceTaken:  # by whoever took the message over meanwhile
            if (bound := self._find_bound(message.place)) is None:
                raise
            return bound
        return conversation

    def _name(self, bound: Conversation, message: Message) -> Conversation:
        """A conversation that was begun without a word is named after the first."""
        if self._store.entries.last(bound.head_id, 1):
            return bound
        return self._store.conversations.rename(bound.id, self._title(message))

    def _title(self, message: Message) -> str:
        return one_line(self._host.clean(message.text[:NAMING]), TITLE) or UNTITLED

    async def _tell(self, place: Place, key: str, text: str) -> None:
        await self._outbox.put(place, f"reply/{key}", Letter(text))
