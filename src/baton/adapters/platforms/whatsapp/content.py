"""What Graph is given for a message: text, text with buttons, or a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from baton.adapters.platforms.json_fields import Json, storable
from baton.adapters.platforms.markup.stars import to_stars
from baton.adapters.platforms.whatsapp.place import NAME
from baton.core.errors import SendRefused
from baton.ports.platform import Button, Outgoing

LONGEST = 4096
SHORT = 1024
"""The longest text beside buttons or a file."""

_BUTTONS, _TITLE = 3, 20
_ROWS, _ROW_TITLE = 10, 24
_OPEN = "Choose"
_BARE = "…"


def contents(message: Outgoing, media: str) -> Iterator[Json]:
    """One message; or two, where the text is too long to stand beside buttons or a file."""
    words = rendered(message.text)
    if not words.strip() and not media:
        raise SendRefused(platform=NAME, reason="there is nothing to send")
    if len(words) > LONGEST:
        raise SendRefused(platform=NAME, reason=f"the text has {len(words)} characters, at most {LONGEST} are allowed")
    if not message.buttons and not media:
        yield _text(words)
        return
    if len(words) > SHORT:
        yield _text(words)
        words = ""
    if media and message.file is not None:
        document = {"id": media, "filename": message.file.name}
        yield {"type": "document", "document": {**document, "caption": words} if words else document}
    else:
        yield {"type": "interactive", "interactive": _interactive(words or _BARE, message.buttons)}


def rendered(markdown: str) -> str:
    """As WhatsApp shows it; what is nothing but marks is shown as it was written."""
    written = storable(markdown)
    return to_stars(written) or written


def _text(words: str) -> Json:
    return {"type": "text", "text": {"body": words, "preview_url": False}}


def _interactive(words: str, buttons: Sequence[Button]) -> Json:
    if len(buttons) <= _BUTTONS:
        replies = [{"type": "reply", "reply": each} for each in _named(buttons, _TITLE)]
        return {"type": "button", "body": {"text": words}, "action": {"buttons": replies}}
    if len(buttons) > _ROWS:
        raise SendRefused(platform=NAME, reason=f"{len(buttons)} buttons are too many, at most {_ROWS} are allowed")
    rows = list(_named(buttons, _ROW_TITLE))
    action = {"button": _OPEN, "sections": [{"title": _OPEN, "rows": rows}]}
    return {"type": "list", "body": {"text": words}, "action": action}


def _named(buttons: Sequence[Button], longest: int) -> Iterator[Json]:
    """Their choices with titles that fit and differ from each other, as Meta wants them."""
    taken: set[str] = set()
    for each in buttons:
        title = _cut(each.label.strip() or each.choice, longest)
        if title in taken:
            title = f"{_cut(title, longest - 3)} {len(taken) + 1}"
        taken.add(title)
        yield {"id": each.choice, "title": title}


def _cut(title: str, longest: int) -> str:
    return title if len(title) <= longest else f"{title[: longest - 1]}…"
