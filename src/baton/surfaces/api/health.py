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
from baton.surfaces.words import api as words
from baton.surfaces.words import api_fields as docs

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
    Field("status", one_of(OK, DEGRADED), docs.HEALTH_STATUS),
    Field("store", one_of(OK, UNREACHABLE), docs.HEALTH_STORE),
    Field(
        "platforms",
        Type({"type": "object", "additionalProperties": _STATE.schema}, docs.OBJECT_OF.format(values=_STATE.label)),
        docs.HEALTH_PLATFORMS,
    ),
)
GATEWAYS: Shape[Sequence[GatewayRow]] = Shape(
    "gateways", objects("gateways", GATEWAY, docs.GATEWAYS_GATEWAYS, lambda it: it)
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
        words.LIST_GATEWAYS,
        list_gateways,
        (Answer(200, words.LIST_GATEWAYS_RETURNS, GATEWAYS),),
    ),
    Operation(
        "health",
        "GET",
        "/healthz",
        words.HEALTH,
        healthz,
        (
            Answer(200, words.HEALTH_RETURNS_200, HEALTH),
            Answer(503, words.HEALTH_RETURNS_503, HEALTH),
        ),
        free=True,
    ),
    Operation(
        "metrics",
        "GET",
        "/metrics",
        words.METRICS,
        metrics,
        (Answer(200, words.METRICS_RETURNS, media="text/plain"),),
    ),
)
