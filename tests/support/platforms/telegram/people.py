"""What people do in the fake's chats, and what they see there."""

from __future__ import annotations

from typing import Any

from baton.core.transfer.place import Place
from tests.support.platforms.telegram.calling import called_by
from tests.support.platforms.telegram.schema import update_faults
from tests.support.platforms.telegram.server import BotApi
from tests.support.platforms.telegram.world import OWNER, PEOPLE, STRANGER, Chat, Json, Sent


class People:
    def __init__(self, server: BotApi) -> None:
        self._server = server
        self._world = server.world
        self._presses = 0

    def says(
        self, place: Place, text: str, *, sender: str = "", file: tuple[str, bytes] | None = None, **more: Any
    ) -> str:
        """`more` are further fields of the message, such as `forward_origin`."""
        chat, topic = self._where(place)
        person = int(sender.removeprefix("telegram:") or OWNER)
        assert person in chat.members, f"{person} is not in {chat.id}"
        message = self._world.message(chat, PEOPLE[person], topic, **self._content(text, file), **more)
        if topic is not None and "reply_to_message" not in more:
            message["reply_to_message"] = chat.topics[topic]
        return self.posts(message)

    def quotes(self, place: Place, quoted: str, text: str) -> str:
        """The owner answers the stranger, with a part of the words marked."""
        chat, topic = self._where(place)
        answered = self._world.message(chat, PEOPLE[STRANGER], topic, text=quoted)
        return self.says(
            place, text, reply_to_message=answered, quote={"text": quoted, "position": 0, "is_manual": True}
        )

    def forwards(self, place: Place, text: str) -> None:
        origin = {"type": "user", "date": 1_790_000_000, "sender_user": PEOPLE[STRANGER]}
        self.says(place, text, forward_origin=origin)

    def called(self) -> list[str]:
        """The people whose names the server finds in our messages, or who are linked to."""
        return [name for each in self._world.sent if each.chat < 0 for name in called_by(each.message)]

    def posts(self, message: Json) -> str:
        """Any message at all, as an update."""
        identity = f"{message['chat']['id']}:{message['message_id']}"
        update = self._world.post(identity, message=message)
        self._server.violations += [f"update: {each}" for each in update_faults(update)]
        return identity

    def presses(self, place: Place, receipt: str, choice: str, *, person: int = OWNER) -> str:
        chat, _ = self._where(place)
        found = self._world.find(chat.id, int(receipt))
        assert found is not None, f"there is no message {receipt}"
        rows = found.message.get("reply_markup", {}).get("inline_keyboard", [])
        offered = [button["callback_data"] for row in rows for button in row]
        assert choice in offered, f"{choice} is not among {offered}"
        self._presses += 1
        identity = f"438{self._presses}"
        self._world.open_callbacks.add(identity)
        pressed = {"id": identity, "from": PEOPLE[person], "message": found.message, "chat_instance": "1"}
        update = self._world.post(f"callback:{identity}", callback_query={**pressed, "data": choice})
        self._server.violations += [f"update: {each}" for each in update_faults(update)]
        return f"callback:{identity}"

    def redeliver(self, message_id: str) -> None:
        self._world.enqueue(self._world.delivered[message_id], again=True)

    def texts(self, place: Place) -> list[str]:
        shown = (each.message.get("text") or each.message.get("caption") or "" for each in self._seen(place))
        return [text.replace("\u200b", "") for text in shown if text]

    def files(self, place: Place) -> list[tuple[str, bytes]]:
        return [each.file for each in self._seen(place) if each.file]

    def typed(self, place: Place) -> int:
        chat, topic = self._where(place)
        return self._world.typing.count((chat.id, topic))

    def messages(self, place: Place) -> list[Json]:
        return [each.message for each in self._seen(place)]

    def _seen(self, place: Place) -> list[Sent]:
        chat, topic = self._where(place)
        return [each for each in self._world.sent if (each.chat, each.topic) == (chat.id, topic)]

    def _where(self, place: Place) -> tuple[Chat, int | None]:
        assert place.platform == "telegram"
        chat = self._world.chats[int(place.room)]
        topic = int(place.thread) if place.thread else None
        assert topic is None or topic in chat.topics, f"there is no topic {topic} in {chat.id}"
        return chat, topic

    def _content(self, text: str, file: tuple[str, bytes] | None) -> Json:
        if file is None:
            return {"text": text}
        reference = self._world.keep_file(*file)
        document = {"file_id": reference, "file_unique_id": f"u{reference}", "file_name": file[0]}
        held: Json = {"document": {**document, "file_size": len(file[1]), "mime_type": "application/octet-stream"}}
        return held | ({"caption": text} if text else {})
