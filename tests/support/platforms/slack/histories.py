"""Histories as Slack gives them: within their limits, in pages, and with metadata only for those who ask."""

from __future__ import annotations

from typing import Any

from tests.support.platforms.slack.workspace import Workspace


async def messages(workspace: Workspace, channel: str, thread: str, token: str) -> list[dict[str, Any]]:
    """All that this user sees in a room or thread, the oldest first."""
    if thread:
        answer = await workspace.call("conversations.replies", {"channel": channel, "ts": thread}, token)
        assert answer["ok"], answer
        return answer["messages"]
    found: list[dict[str, Any]] = []
    cursor = ""
    while True:
        asked = {"channel": channel, "limit": 1000, "cursor": cursor}
        answer = await workspace.call("conversations.history", asked, token)
        assert answer["ok"], answer
        found += answer["messages"]
        cursor = answer["response_metadata"]["next_cursor"]
        if not cursor:
            return found[::-1]


async def answer(workspace: Workspace, method: str, body: dict[str, Any], token: str) -> dict[str, Any]:
    probe = await workspace.call(method, body, token)
    if not probe["ok"]:
        return probe
    is_thread = method == "conversations.replies"
    found = await messages(workspace, body["channel"], body.get("ts", "") if is_thread else "", token)
    if is_thread and not found:
        return {"ok": False, "error": "thread_not_found"}
    oldest, latest = body.get("oldest") or "0", body.get("latest") or "9999999999"
    parent = body.get("ts") if is_thread else None
    kept = [each for each in found if each["ts"] == parent or float(oldest) < float(each["ts"]) < float(latest)]
    if not is_thread:
        kept.reverse()
    if body.get("include_all_metadata") not in ("1", "true"):
        kept = [{name: value for name, value in each.items() if name != "metadata"} for each in kept]
    start, limit = int(body.get("cursor") or 0), int(body.get("limit") or 100)
    more = start + limit < len(kept)
    cursor = str(start + limit) if more else ""
    page = kept[start : start + limit]
    return {"ok": True, "messages": page, "has_more": more, "response_metadata": {"next_cursor": cursor}}
