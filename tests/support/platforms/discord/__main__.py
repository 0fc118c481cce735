"""Runs the stand-in alone; its first line says where it is and whom it knows."""

from __future__ import annotations

import asyncio
import json

from tests.support.platforms.discord.server import DiscordServer


async def main() -> None:
    async with DiscordServer() as server:
        world = server.world
        about = {
            "settings": server.settings(),
            "admin": server.admin_address,
            "room": f"discord:{world.room['id']}",
            "group": f"discord:{world.group['id']}",
            "chat": f"discord:{world.chat['id']}",
            "owner": f"discord:{world.owner['id']}",
            "stranger": f"discord:{world.stranger['id']}",
        }
        print(json.dumps(about), flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(main())
