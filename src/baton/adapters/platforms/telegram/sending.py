"""What is sent to a chat: text, or a file with a caption."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypedDict

from telegram import InlineKeyboardMarkup, InputFile, LinkPreviewOptions, Message, MessageEntity

from baton.adapters.platforms.markup.units import utf16
from baton.adapters.platforms.telegram.bot import Api
from baton.adapters.platforms.telegram.entities import Rendered, rendered
from baton.adapters.platforms.telegram.errors import Answered
from baton.adapters.platforms.telegram.keyboard import keyboard
from baton.adapters.platforms.telegram.place import NAME, chat_of, is_group, topic_of
from baton.core.errors import SendLater, SendRefused, SendUnsure
from baton.core.transfer.place import Place
from baton.ports.platform import Outgoing, Upload

_CAPTION = 1024
_LARGEST = 50_000_000
_LARGEST_PHOTO = 10_000_000
_PHOTOS = ("image/jpeg", "image/png", "image/webp")

NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
"""A preview would make the server fetch whatever address a model was talked into writing."""


class Target(TypedDict):
    chat_id: int
    message_thread_id: int | None


class Sender:
    def __init__(self, api: Api) -> None:
        self._api = api

    async def send(self, where: Place, message: Outgoing) -> str:
        """The id of the message."""
        target = Target(chat_id=chat_of(where), message_thread_id=topic_of(where))
        text, buttons = _rendered(where, message), keyboard(message.buttons)
        if message.file is None:
            sent = await self._api.ask(self._text(target, text, buttons))
        elif utf16(text.text) <= _CAPTION:
            sent = await self._api.ask(self._file(target, message.file, text, buttons))
        else:
            sent = await self._api.ask(self._text(target, text, buttons))
            await self._alone(target, message.file)
        return str(sent.message_id)

    async def edit(self, where: Place, message_id: int, message: Outgoing) -> None:
        text, buttons = _rendered(where, message), keyboard(message.buttons)
        await self._api.ask(self._edit(chat_of(where), message_id, text, buttons))

    async def _alone(self, target: Target, file: Upload) -> None:
        """The file of a text that was too long for a caption and is already there."""
        try:
            await self._api.ask(self._file(target, file, Rendered("", ()), None))
        except SendLater as error:
            raise SendUnsure(platform=NAME, reason=f"the text was sent, its file was not: {error}") from None

    async def _text(self, target: Target, text: Rendered, buttons: InlineKeyboardMarkup | None) -> Message:
        return await _styled(
            text.entities,
            lambda entities: self._api.send_message(
                text=text.text, entities=entities, link_preview_options=NO_PREVIEW, reply_markup=buttons, **target
            ),
        )

    async def _file(
        self, target: Target, file: Upload, text: Rendered, buttons: InlineKeyboardMarkup | None
    ) -> Message:
        if len(file.data) > _LARGEST:
            raise SendRefused(platform=NAME, reason=f"{file.name} is larger than {_LARGEST // 1_000_000} MB")
        given = InputFile(file.data, filename=file.name, attach=False)
        caption = text.text or None
        if file.media_type in _PHOTOS and len(file.data) <= _LARGEST_PHOTO:
            try:
                return await _styled(
                    text.entities,
                    lambda entities: self._api.send_photo(
                        photo=given, caption=caption, caption_entities=entities, reply_markup=buttons, **target
                    ),
                )
            except Answered as answer:
                if not (answer.says("PHOTO_") or answer.says("IMAGE_")):
                    raise
        return await _styled(
            text.entities,
            lambda entities: self._api.send_document(
                document=given, caption=caption, caption_entities=entities, reply_markup=buttons, **target
            ),
        )

    async def _edit(self, chat: int, message_id: int, text: Rendered, buttons: InlineKeyboardMarkup | None) -> None:
        try:
            await self._api.edit_message_text(
                text.text,
                chat,
                message_id,
                entities=text.entities,
                link_preview_options=NO_PREVIEW,
                reply_markup=buttons,
            )
        except Answered as answer:
            if answer.says("no text in the message"):
                await self._edit_caption(chat, message_id, text, buttons)
            elif not answer.says("message is not modified"):
                raise

    async def _edit_caption(
        self, chat: int, message_id: int, text: Rendered, buttons: InlineKeyboardMarkup | None
    ) -> None:
        try:
            await self._api.edit_message_caption(
                chat, message_id, caption=text.text, caption_entities=text.entities, reply_markup=buttons
            )
        except Answered as answer:
            if not answer.says("message is not modified"):
                raise


def _rendered(where: Place, message: Outgoing) -> Rendered:
    return rendered(message.text, group=is_group(where))


async def _styled(
    entities: tuple[MessageEntity, ...], send: Callable[[tuple[MessageEntity, ...]], Awaitable[Message]]
) -> Message:
    """Without its styles, if the server refuses just them: better plain than never."""
    try:
        return await send(entities)
    except Answered as answer:
        if not (entities and answer.code == 400 and (answer.says("entity") or answer.says("entities"))):
            raise
    return await send(())
