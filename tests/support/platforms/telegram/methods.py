"""The methods of the Bot API that answer at once, one function each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support.platforms.telegram import rules
from tests.support.platforms.telegram.rules import bad, chat_of, topic_of
from tests.support.platforms.telegram.schema import Upload
from tests.support.platforms.telegram.world import BOT, PEOPLE, Json, Sent, World

_LARGEST_DOWNLOAD = 20_000_000


def get_me(world: World, given: Json) -> Json:
    return {
        **BOT,
        "can_join_groups": True,
        "can_read_all_group_messages": True,
        "supports_inline_queries": False,
        "has_topics_enabled": True,
    }


def delete_webhook(world: World, given: Json) -> bool:
    world.webhook = ""
    if given.get("drop_pending_updates"):
        world.queue.clear()
    return True


def set_my_commands(world: World, given: Json) -> bool:
    rules.check_commands(given["commands"])
    world.commands = given["commands"]
    return True


def send_chat_action(world: World, given: Json) -> bool:
    chat = chat_of(world, given)
    topic = topic_of(chat, given)
    if given["action"] != "typing":
        raise bad("wrong parameter action in request")
    world.typing.append((chat.id, topic))
    return True


def send_message(world: World, given: Json) -> Json:
    entities = given.get("entities", [])
    _no_parse_mode(given)
    rules.check_text(given["text"], entities, rules.TEXT)
    content: Json = {"text": given["text"].strip("\n")}
    return _sent(world, given, content | ({"entities": entities} if entities else {}))


def send_document(world: World, given: Json) -> Json:
    upload = given["document"]
    reference = world.keep_file(*_upload(upload))
    document = {"file_id": reference, "file_unique_id": f"u{reference}", "file_name": upload.name}
    return _sent(world, given, {"document": document, **_caption(given)}, (upload.name, upload.data))


def send_photo(world: World, given: Json) -> Json:
    upload = given["photo"]
    if upload.data.startswith(b"\x89PNG broken"):
        raise bad("PHOTO_INVALID_DIMENSIONS")
    reference = world.keep_file(*_upload(upload))
    size = {"file_id": reference, "file_unique_id": f"u{reference}", "width": 90, "height": 90}
    return _sent(world, given, {"photo": [size], **_caption(given)}, (upload.name, upload.data))


def edit_message_text(world: World, given: Json) -> Json:
    _no_parse_mode(given)
    rules.check_text(given["text"], given.get("entities", []), rules.TEXT)
    return _edited(world, given, "text", "entities", given.get("entities", []))


def edit_message_caption(world: World, given: Json) -> Json:
    _no_parse_mode(given)
    _caption(given)
    return _edited(world, given, "caption", "caption_entities", given.get("caption_entities", []))


def create_forum_topic(world: World, given: Json) -> Json:
    chat = chat_of(world, given)
    if not chat.takes_topics:
        raise bad("the chat is not a forum")
    if not 1 <= rules.units(given["name"]) <= 128:
        raise bad("TOPIC_TITLE_EMPTY" if not given["name"] else "TOPIC_TITLE_TOO_LONG")
    return world.open_topic(chat, given["name"])


def delete_forum_topic(world: World, given: Json) -> bool:
    chat = chat_of(world, given)
    if given["message_thread_id"] not in chat.topics:
        raise bad("TOPIC_ID_INVALID")
    if chat.id in world.undeletable:
        raise bad("not enough rights to delete a topic")
    del chat.topics[given["message_thread_id"]]
    return True


def close_forum_topic(world: World, given: Json) -> bool:
    chat = chat_of(world, given)
    if given["message_thread_id"] not in chat.topics:
        raise bad("TOPIC_ID_INVALID")
    world.closed_topics.append(given["message_thread_id"])
    return True


def get_chat_member(world: World, given: Json) -> Json:
    chat, person = chat_of(world, given), given["user_id"]
    if person not in PEOPLE:
        raise bad("user not found")
    status = "member" if person in chat.members else "left"
    return {"status": status, "user": PEOPLE[person]}


def answer_callback_query(world: World, given: Json) -> bool:
    identity = given["callback_query_id"]
    if identity not in world.open_callbacks:
        raise bad("query is too old and response timeout expired or query ID is invalid")
    world.open_callbacks.remove(identity)
    world.answered.append(identity)
    return True


def get_file(world: World, given: Json) -> Json:
    reference = given["file_id"]
    if reference not in world.files:
        raise bad("wrong file_id or the file is temporarily unavailable")
    name, data = world.files[reference]
    if len(data) > _LARGEST_DOWNLOAD:
        raise bad("file is too big")
    path = f"documents/{reference}/{name}"
    return {"file_id": reference, "file_unique_id": f"u{reference}", "file_size": len(data), "file_path": path}


def _sent(world: World, given: Json, content: Json, file: tuple[str, bytes] | None = None) -> Json:
    chat = chat_of(world, given)
    topic = topic_of(chat, given)
    if markup := given.get("reply_markup"):
        rules.check_keyboard(markup)
        content["reply_markup"] = markup
    message = world.message(chat, BOT, topic, **content)
    world.sent.append(Sent(chat.id, topic, message, file))
    return message


def _edited(world: World, given: Json, text: str, marks: str, entities: list[Json]) -> Json:
    rules.check_keyboard(given.get("reply_markup"))
    found = world.find(chat_of(world, given).id, given["message_id"])
    if found is None:
        raise bad("message to edit not found")
    held = found.message
    if text == "text" and "text" not in held:
        raise bad("there is no text in the message to edit")
    kept = {key: value for key, value in held.items() if key not in (text, marks, "reply_markup", "edit_date")}
    fresh = {text: given[text], marks: entities, "reply_markup": given.get("reply_markup")}
    changed = {key: value for key, value in fresh.items() if value}
    if all(held.get(key) == changed.get(key) for key in fresh):
        raise bad("message is not modified: specified new message content and reply markup are exactly the same")
    found.message = {**kept, **changed, "edit_date": held["date"] + 1}
    return found.message


def _caption(given: Json) -> Json:
    _no_parse_mode(given)
    caption, entities = given.get("caption", ""), given.get("caption_entities", [])
    if not caption:
        return {}
    rules.check_text(caption, entities, rules.CAPTION)
    return {"caption": caption} | ({"caption_entities": entities} if entities else {})


def _upload(given: Any) -> tuple[str, bytes]:
    if not isinstance(given, Upload):
        raise bad("wrong remote file identifier specified")
    if not given.data:
        raise bad("file must be non-empty")
    return given.name, given.data


def _no_parse_mode(given: Json) -> None:
    if "parse_mode" in given:
        raise bad("can't parse entities: this server takes entities only")


METHODS: dict[str, Callable[[World, Json], Any]] = {
    "getMe": get_me,
    "deleteWebhook": delete_webhook,
    "setMyCommands": set_my_commands,
    "sendChatAction": send_chat_action,
    "sendMessage": send_message,
    "sendDocument": send_document,
    "sendPhoto": send_photo,
    "editMessageText": edit_message_text,
    "editMessageCaption": edit_message_caption,
    "createForumTopic": create_forum_topic,
    "deleteForumTopic": delete_forum_topic,
    "closeForumTopic": close_forum_topic,
    "getChatMember": get_chat_member,
    "answerCallbackQuery": answer_callback_query,
    "getFile": get_file,
}
SENDS = ("sendMessage", "sendDocument", "sendPhoto")
