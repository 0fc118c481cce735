"""`python -m tests.support.platforms.telegram`: the server alone, until it is told to end. Prints one line of JSON."""

from __future__ import annotations

import asyncio
import json
import signal

from tests.support.platforms.telegram.admin import Admin
from tests.support.platforms.telegram.people import People
from tests.support.platforms.telegram.server import BotApi
from tests.support.platforms.telegram.world import FORUM, GROUP, OWNER, STRANGER, TOKEN


async def serve() -> None:
    server = BotApi()
    Admin(server, People(server))
    ended = asyncio.Event()
    for each in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(each, ended.set)
    async with server:
        told = {
            "settings": {"token": TOKEN, "api": server.url},
            "admin": f"{server.url}/admin",
            "room": f"telegram:{OWNER}",
            "group": f"telegram:{GROUP}",
            "forum": f"telegram:{FORUM}",
            "owner": f"telegram:{OWNER}",
            "stranger": f"telegram:{STRANGER}",
        }
        print(json.dumps(told), flush=True)
        await ended.wait()


if __name__ == "__main__":
    asyncio.run(serve())
