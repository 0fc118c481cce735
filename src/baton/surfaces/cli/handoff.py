"""`baton handoff`: a packet, a draft to review, or a fresh session at once."""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from baton.core.agent import event as events
from baton.core.display import plain
from baton.core.errors import BadInput, NotFound
from baton.core.handoff.twin import twin_of
from baton.core.log.payloads import PacketOpening, payload
from baton.engine.aio import in_thread
from baton.surfaces.cli.app import App
from baton.surfaces.shared import handoffs, rules
from baton.surfaces.shared.approvals import NoApprover
from baton.surfaces.shared.editor import edit_text
from baton.surfaces.shared.handoffs import PACKET, REVIEW, Review
from baton.surfaces.words import moving as words

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation
    from baton.engine.handoff.packets import Written
    from baton.surfaces.shared.chat import Chat


def handoff(app: App, options: argparse.Namespace) -> int:
    """0 if what was asked for was done, or waits for an answer."""
    check(options)
    conversation = find_conversation(app, options.conversation)
    if options.to:
        from baton.surfaces.cli.move import move

        return move(app, options, conversation)
    return asyncio.run(_handoff(app, options, conversation))


def find_conversation(app: App, named: str | None) -> Conversation:
    """The one named, or the newest of this directory."""
    store = app.store()
    if named:
        return store.conversations.find(named)
    rows = store.conversations.page(1, workspace=os.path.realpath(os.getcwd()), begun=True).rows
    if not rows:
        raise NotFound(noun="conversation", value=words.IN_THIS_DIRECTORY, suggestion=words.NONE_HERE)
    return rows[0].conversation


async def _handoff(app: App, options: argparse.Namespace, conversation: Conversation) -> int:
    workspace = conversation.workspace if os.path.isdir(conversation.workspace) else None
    chat = await app.chat(NoApprover(), surface="handoff", model=options.model, mode=None, workspace=workspace)
    try:
        await chat.use(conversation.id)
        narrate = not options.no_narrative and chat.agent.narrates()
        return await _Handoff(app, options, chat, narrate=narrate).run()
    finally:
        await chat.runtime.close()
        await chat.agent.close()


class _Handoff:
    def __init__(self, app: App, options: argparse.Namespace, chat: Chat, *, narrate: bool) -> None:
        self._app = app
        self._options = options
        self._chat = chat
        self._narrate = narrate

    async def run(self) -> int:
        watching = asyncio.create_task(self._show_progress())
        try:
            options = self._options
            if options.packet_only:
                return self._report_packet(await handoffs.write_packet(self._chat, narrate=self._narrate))
            if options.confirm:
                return await self._start(options.confirm)
            if options.cancel:
                return await self._cancel(options.cancel)
            if options.yes:
                session = await handoffs.start_fresh(self._chat, narrate=self._narrate)
                return self._report_start(session.id)
            return await self._ask(await handoffs.propose(self._chat, narrate=self._narrate))
        finally:
            watching.cancel()

    async def _show_progress(self) -> None:
        """What takes time, on standard error."""
        subscription = self._chat.runtime.watch(self._chat.current().id)
        last = ""
        while True:
            event = await subscription.next()
            if isinstance(event, events.HandoffStep) and event.step not in ("", last) and not self._options.json:
                last = event.step
                sys.stderr.write(words.STEP.format(step=last))
                sys.stderr.flush()

    async def _ask(self, review: Review) -> int:
        if self._options.json or not sys.stdin.isatty():
            return self._report_draft(review)
        self._show(review)
        while True:
            try:
                answer = (await in_thread(input, words.HANDOFF_QUESTION)).strip().lower()
            except EOFError:
                self._app.terminal.line()
                return self._report("waiting", {}, self._later(review))
            if answer in ("", "y", "yes"):
                return await self._start(review.draft_id)
            if answer in ("n", "no"):
                return await self._cancel(review.draft_id)
            if answer in ("e", "edit"):
                review = await handoffs.edit(self._chat, review.draft_id, edit_text(review.markdown))
                self._show(review)
            elif answer.startswith("d"):
                review = await self._drop_rule(review, answer)

    async def _drop_rule(self, review: Review, answer: str) -> Review:
        """What came of it is told without the packet, under which it would be out of sight."""
        terminal = self._app.terminal
        try:
            dropped = await rules.drop(self._chat, answer.removeprefix("drop").removeprefix("d").strip())
            review = await handoffs.review(self._chat, review.draft_id, review.doubt)
            terminal.line(rules.describe_drop(dropped))
        except BadInput as error:
            terminal.line(str(error))
        self._show_rules(review)
        terminal.flush()
        return review

    def _show(self, review: Review) -> None:
        terminal = self._app.terminal
        terminal.line(plain(review.markdown))
        self._show_rules(review)
        for line in review.lines:
            terminal.line(terminal.style(line, "yellow"))
        terminal.flush()

    def _show_rules(self, review: Review) -> None:
        for line in (*rules.rule_lines(review.rules), *([words.DROP_HINT] if review.rules else [])):
            self._app.terminal.line(line)

    async def _start(self, draft_id: str) -> int:
        session = await handoffs.start(self._chat, draft_id)
        return self._report_start(session.id)

    async def _cancel(self, draft_id: str) -> int:
        await handoffs.cancel(self._chat, draft_id)
        return self._report("cancelled", {"draft_id": draft_id}, [words.HANDOFF_STAYED])

    def _report_packet(self, written: Written) -> int:
        known: dict[str, Any] = {**PACKET.as_dict(written), "packet_path": self._path(written.path)}
        return self._report("written", known, self._packet_lines(written.path, known["score"]))

    def _report_draft(self, review: Review) -> int:
        known = {
            **REVIEW.as_dict(review, "packet_path", "tokens", "score", "doubt", "rules"),
            "packet_path": self._path(review.path),
        }
        ids = {"draft_id": review.draft_id, "session_id": self._chat.current().head_id}
        return self._report(
            "waiting", {**ids, **known}, [*self._packet_lines(review.path, review.score), *self._later(review)]
        )

    def _report_start(self, session_id: str) -> int:
        chat = self._chat
        (first,) = chat.store.entries.load(session_id, limit=1)
        opening = payload(first)
        assert isinstance(opening, PacketOpening)
        packet = chat.store.packets.get(opening.packet)
        score = twin_of(packet).score
        known = {
            "new_session_id": session_id,
            "packet_path": self._path(opening.path),
            "session_id": packet.session_id,
            "tokens": packet.tokens,
            "score": score,
        }
        started = words.HANDOFF_STARTED.format(conversation=chat.current().id)
        return self._report("started", known, [*self._packet_lines(opening.path, score), started])

    def _report(self, state: str, known: Mapping[str, object], lines: Sequence[str]) -> int:
        """What became of it: for programs, or in these lines for people."""
        if self._options.json:
            self._app.terminal.json({"conversation_id": self._chat.current().id, "state": state, **known})
            return 0
        for line in lines:
            self._app.terminal.line(line)
        return 0

    def _packet_lines(self, path: str, score: Mapping[str, Any]) -> list[str]:
        return [words.PACKET.format(path=self._path(path)), words.SCORE.format(score=handoffs.score_text(score))]

    def _later(self, review: Review) -> list[str]:
        """How to answer a draft another time."""
        later = words.HANDOFF_LATER.format(conversation=self._chat.current().id, draft=review.draft_id)
        return [*([review.doubt] if review.doubt else []), later]

    def _path(self, below: str) -> str:
        return os.path.join(self._chat.agent.workspace, below)


def check(options: argparse.Namespace) -> None:
    """`BadInput` for options that exclude each other."""
    given = [name for name in ("to", "packet_only", "yes", "confirm", "cancel") if getattr(options, name)]
    if len(given) > 1:
        one, other = (f"--{name.replace('_', '-')}" for name in given[:2])
        raise BadInput(reason=words.EXCLUDE.format(one=one, other=other))
