"""The least that a bot can be: receives, keeps the message, asks the model, keeps the answer, sends it.

No lease, no queue, no outbox, no redaction, no tools, no preview; killed at the wrong moment it loses or doubles a
message. It is the floor that a gateway is measured against. `python -m bench.trivial_bot URL DATABASE` serves until it
is ended.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
from typing import Any

import httpx

from bench.bot_service import TOKEN

_SCHEMA = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS said (n INTEGER PRIMARY KEY, topic INTEGER NOT NULL, role TEXT NOT NULL, text TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS said_in ON said (topic, n);
"""


async def main(url: str, path: str) -> None:
    database = sqlite3.connect(path, isolation_level=None)
    database.executescript(_SCHEMA)
    under_way: set[asyncio.Task[None]] = set()
    async with httpx.AsyncClient(timeout=60, trust_env=False) as client:
        await _call(client, url, "getMe")
        print("ready", flush=True)
        offset = 0
        while True:
            for update in await _call(client, url, "getUpdates", offset=offset, timeout=20):
                offset = update["update_id"] + 1
                task = asyncio.create_task(_answer(client, url, database, update["message"]))
                under_way.add(task)
                task.add_done_callback(under_way.discard)


async def _answer(client: httpx.AsyncClient, url: str, database: sqlite3.Connection, message: dict[str, Any]) -> None:
    chat, topic = message["chat"]["id"], message["message_thread_id"]
    database.execute("INSERT INTO said (topic, role, text) VALUES (?, 'user', ?)", (topic, message["text"]))
    await _call(client, url, "sendChatAction", chat_id=chat, message_thread_id=topic, action="typing")
    said = database.execute("SELECT role, text FROM said WHERE topic = ? ORDER BY n", (topic,)).fetchall()
    body = {"model": "m", "stream": True, "messages": [{"role": role, "content": text} for role, text in said]}
    text = ""
    async with client.stream("POST", f"{url}/v1/chat/completions", json=body) as answer:
        async for line in answer.aiter_lines():
            if line.startswith("data: {"):
                for choice in json.loads(line[6:])["choices"]:
                    text += choice["delta"].get("content", "")
    database.execute("INSERT INTO said (topic, role, text) VALUES (?, 'assistant', ?)", (topic, text))
    await _call(client, url, "sendMessage", chat_id=chat, message_thread_id=topic, text=text)


async def _call(client: httpx.AsyncClient, url: str, method: str, **given: Any) -> Any:
    answer = await client.post(f"{url}/bot{TOKEN}/{method}", json=given)
    return answer.json()["result"]


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:3]))
