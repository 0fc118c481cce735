"""A message that is too long for any packet, with a picture and its question at the very end."""

from __future__ import annotations

import base64

from baton.core.agent.message import Message, UserMessage
from baton.core.handoff.opening import INTRODUCTION

PNG = b"\x89PNG\r\n\x1a\n" + bytes(40)
PICTURE = base64.b64encode(PNG).decode()
QUESTION = "So which of the two shall it be, the lock or the queue?"
LONG = "".join(f"line {number}: the lock was held for {number} ms\n" for number in range(1200)) + QUESTION


def came_whole(messages: tuple[Message, ...], text: str = LONG) -> bool:
    """Whether the model got a packet, and then the message with every character and its picture."""
    packet, given = messages[:2]
    assert isinstance(packet, UserMessage)
    assert isinstance(given, UserMessage)
    pictures = [image.data for image in given.images]
    return packet.text.startswith(INTRODUCTION) and given.text == text and pictures == [PICTURE]
