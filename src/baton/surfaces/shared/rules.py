"""Rules as every surface offers them: pin one, list them, drop one; and their JSON shape."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from baton.core.display import one_line
from baton.core.errors import BadInput
from baton.core.handoff.rules.rule import PINNED, STANDING, TASK
from baton.core.log.payloads import UserInput, payload
from baton.core.log.waiting import waiting_input
from baton.core.transfer.letter import Letter
from baton.core.value import value
from baton.engine.aio import in_thread
from baton.engine.handoff import rules
from baton.engine.handoff.rules import ListedRule
from baton.surfaces.shared.command import Command, Reply
from baton.surfaces.shared.shapes import COUNT, TEXT, Field, Shape, one_of
from baton.surfaces.words import commands as words
from baton.surfaces.words import fields as docs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from baton.ports.store import Store
    from baton.surfaces.shared.chat import Chat
    from baton.surfaces.shared.command import Asked, Channel

HEADINGS = {PINNED: words.RULES_PINNED, STANDING: words.RULES_STANDING, TASK: words.RULES_TASK}
WIDTH, SHORT = 300, 80

RULE: Shape[ListedRule] = Shape(
    "rule",
    Field("number", COUNT, docs.RULE_NUMBER),
    Field("id", TEXT, docs.RULE_ID),
    Field("text", TEXT, docs.RULE_TEXT),
    Field("scope", one_of(PINNED, STANDING, TASK), docs.RULE_SCOPE),
)


@value
class PinnedRule:
    """What became of a pin: whether it was `known` before, and whether a secret was taken out of it."""

    rule: ListedRule
    known: bool
    cleaned: bool

    @property
    def sentence(self) -> str:
        if self.known:
            return words.PIN_KNOWN.format(number=self.rule.number)
        told = words.PINNED_AS.format(number=self.rule.number, text=one_line(self.rule.text, WIDTH))
        return f"{told}\n{words.PIN_CLEANED}" if self.cleaned else told


async def pin(chat: Chat, text: str) -> PinnedRule:
    """Returns once it is stored. Without a text your last message is pinned."""
    conversation = chat.current()
    given = rules.check_rule(text or await in_thread(_last_message, chat.store, conversation.id))
    clean = await in_thread(chat.agent.clean, given, conversation.id)
    made = await chat.runtime.write(conversation.id, lambda writer: rules.pin(writer, clean))
    listed = ListedRule(made.rule.number, made.rule.id, made.rule.text, PINNED)
    return PinnedRule(listed, made.known, cleaned=clean != given)


async def list_rules(chat: Chat) -> list[ListedRule]:
    conversation_id = chat.current().id
    clean = partial(chat.agent.clean, conversation_id=conversation_id)
    return await in_thread(rules.list_rules, chat.store, conversation_id, clean)


async def drop(chat: Chat, named: str) -> ListedRule:
    """Drops the rule with this number or id, from drafts that wait too; `BadInput` if there is none."""
    conversation = chat.current()
    found = rules.find_rule(await list_rules(chat), named)
    if not chat.busy and await in_thread(chat.store.drafts.list_waiting, conversation.id):
        await chat.runtime.hand_off(
            conversation.id,
            lambda handoff: rules.take_out_of_drafts(handoff, chat.store, conversation.id, found),
            narrate=False,
        )
    await chat.runtime.write(conversation.id, lambda writer: rules.drop(writer, found))
    return found


def _last_message(store: Store, conversation_id: str) -> str:
    """What a person last said in a conversation, or has waiting; a guest's words are not pinned unseen."""
    head = store.conversations.get(conversation_id).head_id
    for session in reversed(store.sessions.chain(head)):
        entries = store.entries.load(session.id)
        waits = waiting_input(entries) if session.id == head else []
        said = (held for entry in reversed(entries) if isinstance(held := payload(entry), UserInput))
        for held in (*reversed(waits), *said):
            if not held.synthetic and not held.is_guests:
                return held.words
    raise BadInput(reason=rules.NOTHING)


def describe_drop(rule: ListedRule) -> str:
    return words.RULE_DROPPED.format(number=rule.number, text=one_line(rule.text, WIDTH))


def describe(listed: Sequence[ListedRule]) -> str:
    return "\n".join([*rule_lines(listed), words.RULES_HINT]) if listed else words.NO_RULES


def rule_lines(listed: Sequence[ListedRule]) -> list[str]:
    """One rule a line, by how long they hold."""
    width = len(str(max((each.number for each in listed), default=0)))
    lines: list[str] = []
    for scope, heading in HEADINGS.items():
        if rows := [each for each in listed if each.scope == scope]:
            lines += [heading, *(f"  {each.number:>{width}}  {one_line(each.text, WIDTH)}" for each in rows)]
    return lines


def describe_in_markdown(listed: Sequence[ListedRule], most: int = 0) -> str:
    """As `describe`, for places that draw Markdown, where a numbered list would be numbered anew. With `most` only so
    many, and shortened.
    """
    if not listed:
        return words.NO_RULES
    shown, width = (listed[:most], SHORT) if most else (listed, WIDTH)
    lines: list[str] = []
    for scope, heading in HEADINGS.items():
        if rows := [each for each in shown if each.scope == scope]:
            lines += [f"{heading}:", *(f"- `{each.number}` {one_line(each.text, width)}" for each in rows), ""]
    more = len(listed) - len(shown)
    return "\n".join([*lines, *([words.RULES_MORE.format(count=more)] if more else []), words.RULES_HINT])


async def _run_pin(chat: Chat, rest: str) -> Reply:
    return Reply((await pin(chat, rest)).sentence)


async def _run_pins(chat: Chat, _: str) -> Reply:
    return Reply(describe(await list_rules(chat)))


async def _run_unpin(chat: Chat, rest: str) -> Reply:
    if not rest:
        raise BadInput(reason=words.WHICH_RULE)
    return Reply(describe_drop(await drop(chat, rest)))


async def _run_pins_in_channel(channel: Channel, asked: Asked) -> Letter:
    return Letter(describe_in_markdown(await list_rules(channel.chat(asked.bound))))


RULE_COMMANDS = (
    Command("pin", words.PIN_USAGE, words.PIN, _run_pin, in_channels=True, repeatable=True),
    Command(
        "pins",
        words.PINS_USAGE,
        words.PINS,
        _run_pins,
        in_channels=True,
        channel=_run_pins_in_channel,
        repeatable=True,
    ),
    Command("unpin", words.UNPIN_USAGE, words.UNPIN, _run_unpin, in_channels=True),
)
