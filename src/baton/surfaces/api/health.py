"""How the gateway is: for people, for probes, and for Prometheus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse

from baton.core.errors import BatonError
from baton.core.value import asdict
from baton.engine.aio import in_thread
from baton.engine.transfer.targets import CONNECTED, CONNECTING, STANDBY
from baton.surfaces.api import shapes
from baton.surfaces.api.errors import json_response
from baton.surfaces.api.metrics import counts, metrics_text
from baton.surfaces.api.operation import Answer, Operation

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from baton.surfaces.api.call import Call
    from baton.surfaces.api.office import Office

METRICS = "text/plain; version=0.0.4; charset=utf-8"


async def healthz(office: Office, _: Call) -> ASGIApp:
    """Anybody on this machine may ask, so reasons are not told here."""
    states = {name: _state(state) for name, state in office.gateway.states.items()}
    if not await office.pulse.well(office.store):
        return json_response({"status": "degraded", "store": "unreachable", "platforms": states}, 503)
    well = all(state in (CONNECTED, STANDBY) for state in states.values())
    return json_response({"status": "ok" if well else "degraded", "store": "ok", "platforms": states})


def _state(state: str) -> str:
    if state.startswith(STANDBY):
        return STANDBY
    return state if state in (CONNECTED, CONNECTING) else "failed"


async def gateways(office: Office, _: Call) -> ASGIApp:
    rows = await in_thread(office.targets.gateways)
    return json_response({"gateways": [asdict(row) for row in rows]})


async def metrics(office: Office, _: Call) -> ASGIApp:
    try:
        found = await in_thread(counts, office.store)
    except BatonError:
        found = None
    text = metrics_text(office.gateway, office.runtime.running(), office.readers.count, found)
    return PlainTextResponse(text, media_type=METRICS)


OPERATIONS = (
    Operation(
        "listGateways",
        "GET",
        "/v1/gateways",
        "The gateways that live on this store, as `baton gateway status` shows them.",
        gateways,
        (Answer(200, "Gateways.", shapes.GATEWAYS),),
    ),
    Operation(
        "health",
        "GET",
        "/healthz",
        "Whether this gateway is well. Needs no token.",
        healthz,
        (
            Answer(200, "It serves; `degraded` if a platform is not connected.", shapes.HEALTH),
            Answer(503, "The store cannot be reached.", shapes.HEALTH),
        ),
        free=True,
    ),
    Operation(
        "metrics",
        "GET",
        "/metrics",
        "Figures for Prometheus.",
        metrics,
        (Answer(200, "Text in Prometheus' format 0.0.4.", media="text/plain"),),
    ),
)
