"""What stands in a room or thread."""

from __future__ import annotations

from collections.abc import AsyncIterator

from baton.adapters.platforms.json_fields import Json, table, tables, text
from baton.adapters.platforms.slack.api import Api
from baton.core.transfer.place import Place

_PAGE, _PAGES = 200, 10


async def messages(api: Api, place: Place, oldest: str) -> AsyncIterator[Json]:
    """Those after `oldest`, at most 2,000: of a room the newest first, of a thread the oldest first.

    `SendRefused` if we may not read there.
    """
    method, form = "conversations.history", {"channel": place.room, "oldest": oldest, "limit": str(_PAGE)}
    form["include_all_metadata"] = "1"
    if place.thread:
        method, form["ts"] = "conversations.replies", place.thread
    for _ in range(_PAGES):
        answer = await api.read(method, form)
        for each in tables(answer.get("messages")):
            yield each
        form["cursor"] = text(table(answer.get("response_metadata")).get("next_cursor"))
        if not form["cursor"]:
            return
