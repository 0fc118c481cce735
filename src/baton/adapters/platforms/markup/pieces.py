"""What a message consists of once lists, quotes and tables are laid out: text, layout, and marks around them."""

from __future__ import annotations

from typing import Literal

from baton.core.value import value

Kind = Literal["bold", "italic", "strike", "code", "pre", "link", "quote"]


@value
class Text:
    """Words of the message; they have line breaks only inside `pre`."""

    text: str


@value
class Layout:
    """Line breaks, bullets and indents: ours, never to be escaped."""

    text: str


@value
class Open:
    """A mark begins. `detail` is a link's address or the language of a code block."""

    kind: Kind
    detail: str = ""


@value
class Close:
    kind: Kind


Piece = Text | Layout | Open | Close
