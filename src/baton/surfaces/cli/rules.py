"""`baton pin | pins | unpin`: the rules of a conversation, for scripts."""

from __future__ import annotations

import argparse
import asyncio
import os
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from baton.core.errors import BadInput
from baton.core.ids import quote
from baton.surfaces.cli.app import App
from baton.surfaces.cli.handoff import find_conversation
from baton.surfaces.shared import rules
from baton.surfaces.shared.approvals import NoApprover
from baton.surfaces.shared.rules import RULE
from baton.surfaces.words import conversations as words

if TYPE_CHECKING:
    from baton.surfaces.shared.chat import Chat

T = TypeVar("T")


def pin(app: App, options: argparse.Namespace) -> int:
    """0 once the rule is stored, or was pinned before."""
    if not options.conversation:
        _check_text(app, options.text)
    made = asyncio.run(_with_chat(app, options, lambda chat: rules.pin(chat, options.text)))
    if options.json:
        app.terminal.json({**RULE.as_dict(made.rule), "known": made.known, "cleaned": made.cleaned})
    else:
        app.terminal.line(made.sentence)
    return 0


def _check_text(app: App, text: str) -> None:
    """Whoever names a conversation and forgets the rule does not mean to pin its name."""
    if not text.strip():
        raise BadInput(reason=words.PIN_NOTHING)
    try:
        found = app.store().conversations.find(text)
    except BadInput:
        return
    if found.id.startswith(text):
        raise BadInput(reason=words.PIN_NO_TEXT.format(name=quote(text)))


def list_(app: App, options: argparse.Namespace) -> int:
    listed = asyncio.run(_with_chat(app, options, rules.list_rules))
    if options.json:
        app.terminal.json([RULE.as_dict(each) for each in listed])
    elif listed:
        for line in rules.rule_lines(listed):
            app.terminal.line(line)
        app.terminal.note(words.RULES_HINT)
    else:
        app.terminal.note(words.NO_RULES)
    return 0


def unpin(app: App, options: argparse.Namespace) -> int:
    dropped = asyncio.run(_with_chat(app, options, lambda chat: rules.drop(chat, options.rule)))
    if options.json:
        app.terminal.json(RULE.as_dict(dropped))
    else:
        app.terminal.line(rules.describe_drop(dropped))
    return 0


async def _with_chat(app: App, options: argparse.Namespace, act: Callable[[Chat], Awaitable[T]]) -> T:
    """`OwnedElsewhere` while another process is at work on the conversation."""
    conversation = find_conversation(app, options.conversation)
    workspace = conversation.workspace if os.path.isdir(conversation.workspace) else None
    chat = await app.chat(NoApprover(), surface="run", model=None, mode=None, workspace=workspace)
    try:
        await chat.use(conversation.id)
        return await act(chat)
    finally:
        await chat.runtime.close()
        await chat.agent.close()
