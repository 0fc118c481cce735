"""A handoff in an editor: the packet is reviewed there, and the thread continues in the fresh session.

A packet is reviewed in a form if the editor has forms, otherwise by a question. In both, rules can be dropped first.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import TYPE_CHECKING

from baton.core.display import one_line
from baton.core.errors import BadInput, StoreError
from baton.core.handoff import packet as states
from baton.core.value import value
from baton.engine.aio import in_thread
from baton.engine.handoff.rules import find_rule
from baton.surfaces.acp import updates
from baton.surfaces.acp.editor import choose
from baton.surfaces.acp.frames import Json, RpcError, table
from baton.surfaces.acp.peer import PeerGone
from baton.surfaces.shared import handoffs, rules
from baton.surfaces.words import editor as words
from baton.surfaces.words import work

if TYPE_CHECKING:
    from baton.surfaces.acp.client import Line
    from baton.surfaces.acp.event_view import EventView
    from baton.surfaces.shared.chat import Chat
    from baton.surfaces.shared.handoffs import Review

LOOK = 1.0
"""Seconds between two looks whether a packet that is asked about here was answered elsewhere."""
START, CANCEL, LATER, GONE, DROP, ELSEWHERE = "start", "cancel", "later", "gone", "drop", "elsewhere"
CHOICES = [(START, words.START), (CANCEL, words.CANCEL_STAYS)]
OPTIONS: list[Json] = [
    {"optionId": START, "name": words.START, "kind": "allow_once"},
    {"optionId": CANCEL, "name": words.CANCEL, "kind": "reject_once"},
]
DROP_OPTION: Json = {"optionId": DROP, "name": words.DROP_FIRST, "kind": "allow_once"}
KEEP_OPTION: Json = {"optionId": LATER, "name": words.KEEP_ALL, "kind": "reject_once"}
_MOST_OPTIONS = 20


@value
class Decision:
    """`what` is start, cancel, drop (and ask again), later (the question was closed, or the editor cannot ask), gone
    (the editor is) or elsewhere (it was answered there). `packet` is the edited text, if it was edited; `drops` names
    the rules to drop first.
    """

    what: str
    packet: str = ""
    drops: str = ""


class HandoffReview:
    """Asks about drafts of one session and carries out the answer."""

    def __init__(self, line: Line, chat: Chat, view: EventView) -> None:
        self._line = line
        self._chat = chat
        self._view = view

    async def answer_offered(self) -> bool:
        """A turn was stopped to offer a handoff. Returns whether the work should continue, in whichever session is live
        after the answer: without one in the old session. It waits only for an editor that is gone; what was answered
        elsewhere continues there.
        """
        offered = self._view.offered
        if offered is None:
            return False
        review = await handoffs.review(self._chat, offered.draft_id, offered.doubt, resumes=True)
        self._view.goes_on = True
        try:
            return await self._review(review) not in (GONE, ELSEWHERE)
        finally:
            self._view.goes_on = False

    async def review(self, draft_id: str) -> None:
        await self._review(await handoffs.review(self._chat, draft_id))

    async def _review(self, review: Review) -> str:
        decision = await self._decide(review)
        try:
            for _ in range(_MOST_OPTIONS):
                if not decision.drops and decision.what != DROP:
                    return await self._act(review, decision)
                done = await self._drop(review, decision)
                review = await handoffs.review(self._chat, review.draft_id, review.doubt, resumes=review.resumes)
                if done and decision.what != DROP:
                    decision = Decision(decision.what)
                else:
                    decision = await self._decide(review)
            return await self._act(review, Decision(LATER))
        finally:
            await self._view.catch_up()

    async def _decide(self, review: Review) -> Decision:
        """The person's answer here, or that there was one elsewhere: then the dialogue is withdrawn."""
        asking = asyncio.ensure_future(decide(self._line, self._view, review))
        watching = asyncio.ensure_future(self._await_end(review.draft_id))
        try:
            await asyncio.wait({asking, watching}, return_when=asyncio.FIRST_COMPLETED)
            return asking.result() if asking.done() else Decision(ELSEWHERE)
        finally:
            for task in (asking, watching):
                task.cancel()
            await asyncio.gather(asking, watching, return_exceptions=True)

    async def _await_end(self, draft_id: str) -> None:
        while True:
            await asyncio.sleep(LOOK)
            with suppress(StoreError):
                if (await in_thread(self._chat.store.drafts.get, draft_id)).state != states.OPEN:
                    return

    async def _drop(self, review: Review, decision: Decision) -> bool:
        """False, with the reason in the thread, if a rule that is to be dropped is none."""
        try:
            found = [find_rule(review.rules, named) for named in decision.drops.replace(",", " ").split()]
            if decision.packet:
                await handoffs.edit(self._chat, review.draft_id, decision.packet)
            for rule in found:
                await rules.drop(self._chat, rule.id)
        except BadInput as error:
            self._view.answer(str(error))
            return False
        return True

    async def _act(self, review: Review, decision: Decision) -> str:
        if decision.what == LATER and review.resumes:
            await handoffs.cancel(self._chat, review.draft_id)
            self._view.answer(words.CLOSED.format(path=review.path))
        elif decision.what in (LATER, GONE):
            self._view.answer(words.WAITS.format(path=review.path, draft=review.draft_id))
        elif decision.what == CANCEL:
            await handoffs.cancel(self._chat, review.draft_id)
            self._view.answer(words.KEPT.format(path=review.path))
        elif decision.what == ELSEWHERE:
            draft = await in_thread(self._chat.store.drafts.get, review.draft_id)
            self._view.answer(words.ELSEWHERE.get(draft.state, words.ELSEWHERE[states.STALE]).format(path=review.path))
        elif decision.what == START:
            if decision.packet:
                review = await handoffs.edit(self._chat, review.draft_id, decision.packet)
            await handoffs.start(self._chat, review.draft_id)
        return decision.what


async def decide(line: Line, view: EventView, review: Review) -> Decision:
    """The person's answer. Never raises, even if nobody can be asked."""
    listed = [rules.describe_in_markdown(review.rules, _MOST_OPTIONS)] if review.rules else []
    view.answer("\n\n".join([review.markdown.strip(), *listed, *review.lines]))
    try:
        if line.can.forms:
            return await _form(line, view, review)
        return await _question(line, view, review)
    except RpcError:
        return Decision(LATER)
    except PeerGone:
        return Decision(GONE)


async def _form(line: Line, view: EventView, review: Review) -> Decision:
    view.asking += 1
    try:
        answer = await line.ask("elicitation/create", {"mode": "form", **form(review)})
    finally:
        view.asking -= 1
    if answer.get("action") != "accept":
        return Decision(CANCEL if answer.get("action") == "decline" else LATER)
    given = table(answer.get("content"))
    packet = given.get("packet")
    changed = isinstance(packet, str) and packet.strip() and packet.strip() != review.markdown.strip()
    if given.get("decision", START) != START:
        return Decision(CANCEL)
    return Decision(START, str(packet) if changed else "", str(given.get("drop") or "").strip())


def form(review: Review) -> Json:
    decision = {
        "type": "string",
        "title": words.WHAT_NEXT,
        "oneOf": [{"const": each, "title": title} for each, title in CHOICES],
        "default": START,
    }
    packet = {
        "type": "string",
        "title": words.PACKET,
        "description": words.PACKET_ABOUT,
        "default": review.markdown,
    }
    properties = {"decision": decision, "packet": packet}
    if review.rules:
        told = "; ".join(f"{each.number}: {one_line(each.text, 60)}" for each in review.rules[:_MOST_OPTIONS])
        properties["drop"] = {"type": "string", "title": words.DROP, "description": words.DROP_ABOUT.format(rules=told)}
    schema = {"type": "object", "properties": properties, "required": ["decision"]}
    return {"message": f"{words.QUESTION}\n{' '.join(review.lines)}", "requestedSchema": schema}


async def _question(line: Line, view: EventView, review: Review) -> Decision:
    work_id = f"review-{review.draft_id}"
    line.send(updates.own_work(work_id, words.QUESTION, "pending", "\n".join(review.lines)))
    about = {"toolCallId": work_id, "title": words.QUESTION, "kind": "think", "status": "pending"}
    chosen = ""
    try:
        chosen = await choose(line, view, about, [*OPTIONS, DROP_OPTION] if review.rules else OPTIONS)
        if chosen == DROP:
            return Decision(DROP, drops=await _choose_rule(line, view, about, review))
    finally:
        line.send(updates.own_work_update(work_id, "completed" if chosen else "failed"))
    return Decision(chosen or LATER)


async def _choose_rule(line: Line, view: EventView, about: Json, review: Review) -> str:
    """The id of a rule, or nothing."""
    named = [
        {"optionId": each.id, "name": f"{each.number}  {one_line(each.text, 80)}", "kind": "allow_once"}
        for each in review.rules[:_MOST_OPTIONS]
    ]
    chosen = await choose(line, view, {**about, "title": words.DROP_WHICH}, [*named, KEEP_OPTION])
    return "" if chosen == LATER else chosen


def continue_action(session_id: str) -> Json:
    """What a client may offer as a button: a prompt to this same session."""
    return {"label": words.CONTINUE, "sessionId": session_id, "prompt": work.CONTINUE}


def announce_fresh_session(conversation_id: str, path: str, *, goes_on: bool) -> str:
    """`goes_on` if the work continues without anybody saying anything."""
    following = words.GOES_ON if goes_on else words.YOUR_TURN.format(prompt=work.CONTINUE)
    return words.STARTED.format(path=path, next=following, conversation=conversation_id)


def fresh_session_meta(public_id: str, path: str) -> Json:
    return {"baton": {"packetPath": path, "continue": continue_action(public_id)}}
