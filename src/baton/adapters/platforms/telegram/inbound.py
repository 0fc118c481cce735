"""Updates of the Bot API as messages of people."""

from __future__ import annotations

import re

from baton.adapters.platforms.json_fields import Fields, Malformed
from baton.adapters.platforms.telegram.files import files_of
from baton.adapters.platforms.telegram.place import NAME, place
from baton.core.display import one_line
from baton.core.transfer.place import Place
from baton.core.value import value
from baton.ports.platform import Inbound

KINDS = ("message", "callback_query")
"""The updates we ask for."""

_COMMAND = re.compile(r"(/[A-Za-z0-9_]{1,64})@([A-Za-z0-9_]{1,64})(?!\S)")
_NAME_WIDTH = 80


@value
class Me:
    """Who we are: `username` is without the `@`."""

    id: int
    username: str


def translated(update: object, me: Me) -> Inbound | None:
    """The message a person sent, or None if it is none for us; `Malformed` if it cannot be read."""
    held = Fields(update)
    if (message := held.optional_object("message")) is not None:
        return _message(message, me)
    if (pressed := held.optional_object("callback_query")) is not None:
        return _pressed(pressed)
    return None


def callback_of(update: object) -> str:
    """The id of the button's press that waits for an answer; empty for other updates."""
    pressed = Fields(update).optional_object("callback_query")
    return pressed.text("id") if pressed else ""


def _message(message: Fields, me: Me) -> Inbound | None:
    sender = message.optional_object("from")
    if sender is None or sender.flag("is_bot") or message.has("sender_chat"):
        return None
    text = _words(message, me)
    files = files_of(message)
    if text is None or not (text or files):
        return None
    chat = message.object("chat")
    return Inbound(
        id=f"{chat.number('id')}:{message.number('message_id')}",
        place=_place(message),
        sender=_identity(sender),
        text=text,
        direct=chat.text("type") == "private",
        name=_display_name(sender),
        files=files,
        quotes=_quoted(message, me),
    )


def _pressed(pressed: Fields) -> Inbound | None:
    """A press on a button. That of a message we cannot see any more does not say where it happened."""
    sender, message, choice = pressed.object("from"), pressed.optional_object("message"), pressed.text("data")
    if sender.flag("is_bot") or message is None or not message.optional_number("date") or not choice:
        return None
    if not pressed.text("id"):
        raise Malformed("id is missing")
    return Inbound(
        id=f"callback:{pressed.text('id')}",
        place=_place(message),
        sender=_identity(sender),
        text="",
        direct=message.object("chat").text("type") == "private",
        name=_display_name(sender),
        choice=choice,
        quotes=str(message.number("message_id")),
    )


def _place(message: Fields) -> Place:
    """A reply in an ordinary group names a thread as well; only a topic is one."""
    topic = message.optional_number("message_thread_id") if message.flag("is_topic_message") else None
    return place(message.object("chat").number("id"), topic)


def _words(message: Fields, me: Me) -> str | None:
    """What this person wrote themselves; None if it is a command for another bot."""
    if message.has("forward_origin") or message.has("forward_date") or message.has("via_bot"):
        return ""
    text = message.text("text") or message.text("caption")
    addressed = _COMMAND.match(text)
    if addressed is None:
        return text
    if addressed[2].casefold() != me.username.casefold():
        return None
    return addressed[1] + text[addressed.end() :]


def _quoted(message: Fields, me: Me) -> str:
    """The message of ours that is answered. In a topic every message answers the topic's first, which says nothing."""
    answered = message.optional_object("reply_to_message")
    if answered is None or answered.has("forum_topic_created"):
        return ""
    author = answered.optional_object("from")
    ours = author is not None and author.optional_number("id") == me.id
    return str(answered.number("message_id")) if ours else ""


def _identity(sender: Fields) -> str:
    return f"{NAME}:{sender.number('id')}"


def _display_name(sender: Fields) -> str:
    return one_line(f"{sender.text('first_name')} {sender.text('last_name')}", _NAME_WIDTH)
