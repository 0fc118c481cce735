"""The gateway's HTTP API, beside it in one loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from baton.engine.mail.wakeup import Wakeup
from baton.ports.store import LOG
from baton.surfaces.api.app import make_app
from baton.surfaces.api.context import Context, Serving
from baton.surfaces.api.server import Listener, Server

if TYPE_CHECKING:
    from baton.surfaces.gateway.gateway import Gateway
    from baton.surfaces.shared.host import Host


@asynccontextmanager
async def serve_api(
    listener: Listener, token: str, gateway: Gateway, host: Host, stop: asyncio.Event
) -> AsyncGenerator[Context]:
    """Serves as long as the block runs; from `stop` on nothing new is begun."""
    parts = gateway.parts
    async with Wakeup(parts.store, LOG) as wakeup:
        serving = Serving(wakeup, stop)
        context = Context(
            store=parts.store,
            runtime=parts.runtime,
            host=host,
            questions=parts.correspondence.questions,
            targets=parts.targets,
            gateway=gateway,
            serving=serving,
        )
        async with Server(make_app(context, token, listener.host), listener, serving):
            yield context
