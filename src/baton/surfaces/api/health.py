"""How the gateway is: for people, for probes, and for Prometheus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from starlette.responses import PlainTextResponse

from baton.core.errors import BatonError
from baton.core.value import value
from baton.engine.aio import in_thread
from baton.engine.transfer.targets import CONNECTED, CONNECTING, STANDBY, GatewayRow
from baton.surfaces.api.errors import json_response
from baton.surfaces.api.metrics import counts, metrics_text
from baton.surfaces.api.operation import Answer, Operation
from baton.surfaces.shared.presenters import GATEWAY
from baton.surfaces.shared.shapes import Field, Shape, Type, objects, one_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from baton.surfaces.api.call import Call
    from baton.surfaces.api.context import Context

METRICS = "text/plain; version=0.0.4; charset=utf-8"
OK, DEGRADED, UNREACHABLE, FAILED = "ok", "degraded", "unreachable", "failed"
_STATE = one_of(CONNECTED, CONNECTING, STANDBY, FAILED)


@value
class Health:
    status: str
    store: str
    platforms: Mapping[str, str]


HEALTH: Shape[Health] = Shape(
    "health",
    Field("status", one_of(OK, DEGRADED), "Whether the store and every platform can be reached."),
    Field("store", one_of(OK, UNREACHABLE), "Whether the store answers."),
    Field(
        "platforms",
        Type({"type": "object", "additionalProperties": _STATE.schema}, f"object of {_STATE.label}"),
        "The state of each platform, without reasons.",
    ),
)
GATEWAYS: Shape[Sequence[GatewayRow]] = Shape(
    "gateways", objects("gateways", GATEWAY, "Those that live.", lambda it: it)
)


async def healthz(context: Context, _: Call) -> ASGIApp:
    """Anybody on this machine may ask, so reasons are not told here."""
    states = {name: _state(state) for name, state in context.gateway.states.items()}
    if not await context.serving.probe.well(context.store):
        return json_response(HEALTH.as_dict(Health(DEGRADED, UNREACHABLE, states)), 503)
    well = all(state in (CONNECTED, STANDBY) for state in states.values())
    return json_response(HEALTH.as_dict(Health(OK if well else DEGRADED, OK, states)))


def _state(state: str) -> str:
    if state.startswith(STANDBY):
        return STANDBY
    return state if state in (CONNECTED, CONNECTING) else FAILED


async def list_gateways(context: Context, _: Call) -> ASGIApp:
    return json_response(GATEWAYS.as_dict(await in_thread(context.targets.gateways)))


async def metrics(context: Context, _: Call) -> ASGIApp:
    try:
        found = await in_thread(counts, context.store)
    except BatonError:
        found = None
    text = metrics_text(context.gateway, context.runtime.count_running(), context.serving.readers.count, found)
    return PlainTextResponse(text, media_type=METRICS)


OPERATIONS = (
    Operation(
        "listGateways",
        "GET",
        "/v1/gateways",
        "The gateways that live on this store, as `baton gateway status` shows them.",
        list_gateways,
        (Answer(200, "Gateways.", GATEWAYS),),
    ),
    Operation(
        "health",
        "GET",
        "/healthz",
        "Whether this gateway is well. Needs no token.",
        healthz,
        (
            Answer(200, "It serves; `degraded` if a platform is not connected.", HEALTH),
            Answer(503, "The store cannot be reached.", HEALTH),
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
