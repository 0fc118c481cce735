"""What is sent to a chat: text or a file with a caption, buttons, the list of commands, and the topics we opened."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from typing import TypedDict, TypeVar

from telegram import (
    BotCommand,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputFile,
    LinkPreviewOptions,
    Message,
    MessageEntity,
)

from baton.adapters.platforms.markup.spans import utf16
from baton.adapters.platforms.telegram.api import Api
from baton.adapters.platforms.telegram.entities import RenderedText, render
from baton.adapters.platforms.telegram.place import NAME, chat_of, is_group, topic_of
from baton.adapters.platforms.telegram.request import Refused
from baton.core.display import one_line
from baton.core.errors import SendLater, SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.ports.platform import Button, Greeting, Outgoing, Upload

Sent = TypeVar("Sent")
_CAPTION = 1024
_LARGEST_FILE = 50_000_000
_LARGEST_PHOTO = 10_000_000
_PHOTOS = ("image/jpeg", "image/png", "image/webp")
_NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
"""A preview would make the server fetch any address that a model was talked into writing."""

_IN_A_ROW = 3
_SHORT = 14
"""Labels of at most so many characters fit side by side on a telephone."""

_COMMAND = re.compile(r"[a-z0-9_]{1,32}")
_MOST_COMMANDS = 100
_LONGEST_SUMMARY = 200


class _Target(TypedDict):
    chat_id: int
    message_thread_id: int | None


class Sender:
    """Sends and edits messages."""

    def __init__(self, api: Api) -> None:
        self._api = api

    async def send(self, where: Place, message: Outgoing) -> str:
        """The id of the message."""
        target = _Target(chat_id=chat_of(where), message_thread_id=topic_of(where))
        text, buttons = _render(where, message), render_buttons(message.buttons)
        if message.file is None:
            sent = await self._api.ask(self._send_text(target, text, buttons))
        elif utf16(text.text) <= _CAPTION:
            sent = await self._api.ask(self._send_file(target, message.file, text, buttons))
        else:
            sent = await self._api.ask(self._send_text(target, text, buttons))
            await self._send_file_alone(target, message.file)
        return str(sent)

    async def edit(self, where: Place, message_id: int, message: Outgoing) -> None:
        text, buttons = _render(where, message), render_buttons(message.buttons)
        await self._api.ask(self._edit_text(chat_of(where), message_id, text, buttons))

    async def _send_file_alone(self, target: _Target, file: Upload) -> None:
        """For the file of a text that was too long for a caption and has been sent already."""
        try:
            await self._api.ask(self._send_file(target, file, RenderedText("", ()), None))
        except SendLater as error:
            raise SendUnsure(platform=NAME, reason=f"the text was sent, its file was not: {error}") from None

    async def _send_text(self, target: _Target, text: RenderedText, buttons: InlineKeyboardMarkup | None) -> int:
        return await _send_styled(
            text.entities,
            lambda entities: self._api.post_text(
                text=text.text, entities=entities, link_preview_options=_NO_PREVIEW, reply_markup=buttons, **target
            ),
        )

    async def _send_file(
        self, target: _Target, file: Upload, text: RenderedText, buttons: InlineKeyboardMarkup | None
    ) -> int:
        """The id of the message."""
        return (await self._upload(target, file, text, buttons)).message_id

    async def _upload(
        self, target: _Target, file: Upload, text: RenderedText, buttons: InlineKeyboardMarkup | None
    ) -> Message:
        if len(file.data) > _LARGEST_FILE:
            raise SendRefused(platform=NAME, reason=f"{file.name} is larger than {_LARGEST_FILE // 1_000_000} MB")
        given = InputFile(file.data, filename=file.name, attach=False)
        caption = text.text or None
        if file.media_type in _PHOTOS and len(file.data) <= _LARGEST_PHOTO:
            try:
                return await _send_styled(
                    text.entities,
                    lambda entities: self._api.send_photo(
                        photo=given, caption=caption, caption_entities=entities, reply_markup=buttons, **target
                    ),
                )
            except Refused as answer:
                if not (answer.says("PHOTO_") or answer.says("IMAGE_")):
                    raise
        return await _send_styled(
            text.entities,
            lambda entities: self._api.send_document(
                document=given, caption=caption, caption_entities=entities, reply_markup=buttons, **target
            ),
        )

    async def _edit_text(
        self, chat: int, message_id: int, text: RenderedText, buttons: InlineKeyboardMarkup | None
    ) -> None:
        try:
            await self._api.edit_message_text(
                text.text,
                chat,
                message_id,
                entities=text.entities,
                link_preview_options=_NO_PREVIEW,
                reply_markup=buttons,
            )
        except Refused as answer:
            if answer.says("no text in the message"):
                await self._edit_caption(chat, message_id, text, buttons)
            elif not answer.says("message is not modified"):
                raise

    async def _edit_caption(
        self, chat: int, message_id: int, text: RenderedText, buttons: InlineKeyboardMarkup | None
    ) -> None:
        try:
            await self._api.edit_message_caption(
                chat, message_id, caption=text.text, caption_entities=text.entities, reply_markup=buttons
            )
        except Refused as answer:
            if not answer.says("message is not modified"):
                raise


def _render(where: Place, message: Outgoing) -> RenderedText:
    return render(message.text, group=is_group(where))


async def _send_styled(
    entities: tuple[MessageEntity, ...], send: Callable[[tuple[MessageEntity, ...]], Awaitable[Sent]]
) -> Sent:
    """Sends without styles if the server refuses only them: better plain than not at all."""
    try:
        return await send(entities)
    except Refused as answer:
        if not (entities and answer.code == 400 and (answer.says("entity") or answer.says("entities"))):
            raise
    return await send(())


def render_buttons(buttons: Sequence[Button]) -> InlineKeyboardMarkup | None:
    if not buttons:
        return None
    short = all(len(button.label) <= _SHORT for button in buttons)
    step = _IN_A_ROW if short else 1
    made = [InlineKeyboardButton(button.label, callback_data=button.choice) for button in buttons]
    return InlineKeyboardMarkup([made[at : at + step] for at in range(0, len(made), step)])


def list_commands(commands: Greeting) -> list[BotCommand]:
    """The commands whose names Telegram can list; the others work all the same."""
    named = [(name.removeprefix("/"), one_line(summary, _LONGEST_SUMMARY)) for name, summary in commands]
    fitting = [BotCommand(name, summary or name) for name, summary in named if _COMMAND.fullmatch(name)]
    return fitting[:_MOST_COMMANDS]
