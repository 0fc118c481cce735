"""Messages as Slack takes them: Markdown as it is, and the same in Slack's own markup where Markdown is not shown."""

from __future__ import annotations

from collections.abc import Sequence

from baton.adapters.platforms.json_fields import Json, storable
from baton.adapters.platforms.markup.mrkdwn import to_mrkdwn
from baton.adapters.platforms.markup.units import utf16
from baton.adapters.platforms.slack.inbound import BLOCK
from baton.adapters.platforms.slack.place import PLATFORM
from baton.adapters.platforms.slack.words import escaped, harmless
from baton.core.errors import SendRefused
from baton.core.transfer.place import Place
from baton.ports.platform import Button, Outgoing

LIMIT = 10_000
"""Of the 12,000 characters that are documented: some texts beyond 10,000 are refused once Slack has translated them."""

_TITLE, _LABEL, _BUTTONS = 150, 75, 25
_EVENT = "baton"


def size(markdown: str) -> int:
    return utf16(harmless(markdown))


def addressed(place: Place) -> dict[str, object]:
    return {"channel": place.room, **({"thread_ts": place.thread} if place.thread else {})}


def rendered(message: Outgoing) -> dict[str, object]:
    """`text` is what notifications show, and old clients. `SendRefused` beyond the limit."""
    if size(message.text) > LIMIT:
        raise SendRefused(platform=PLATFORM, reason=f"a message has at most {LIMIT} characters")
    blocks: list[dict[str, object]] = [{"type": "markdown", "text": harmless(storable(message.text))}]
    if message.buttons:
        blocks.append({"type": "actions", "block_id": BLOCK, "elements": _elements(message.buttons)})
    return {"text": to_mrkdwn(storable(message.text)), "blocks": blocks}


def plainer(message: Outgoing) -> dict[str, object]:
    """Without blocks, for a text that Slack cannot make blocks of."""
    return {"text": to_mrkdwn(storable(message.text)), "blocks": []}


def seed(title: str) -> dict[str, object]:
    """The first message of a thread."""
    line = " ".join(title.split())[:_TITLE] or "Baton"
    header = {"type": "header", "text": {"type": "plain_text", "text": line, "emoji": False}}
    return {"text": f"*{escaped(line)}*", "blocks": [header]}


def marked(key: str) -> dict[str, object]:
    """What `is_marked` knows the message by; people do not see it."""
    return {"metadata": {"event_type": _EVENT, "event_payload": {"key": key}}}


def is_marked(metadata: Json, key: str) -> bool:
    return metadata.get("event_type") == _EVENT and metadata.get("event_payload") == {"key": key}


def _elements(buttons: Sequence[Button]) -> list[dict[str, object]]:
    return [
        {
            "type": "button",
            "action_id": f"{BLOCK}-{number}",
            "text": {"type": "plain_text", "text": button.label[:_LABEL], "emoji": True},
            "value": button.choice,
        }
        for number, button in enumerate(buttons[:_BUTTONS])
    ]
