"""Opens a model by its name."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from baton.adapters.models import loading
from baton.adapters.models.address import is_near
from baton.adapters.models.pydantic_model import PydanticModel
from baton.adapters.models.registry import Environ, address, key, require_key, split
from baton.adapters.models.windows import size_of
from baton.core.errors import UnknownModel
from baton.ports.model import Model


def warm(name: str) -> None:
    """Begins to import what the model needs, in the background. Never raises: whoever opens the model learns why not."""
    try:
        provider, _ = split(name)
    except UnknownModel:
        return
    if provider.name != "local":
        loading.load(provider.module)


def open_model(
    name: str,
    environ: Environ,
    *,
    http_timeout: float = 600.0,
    window: int | None = None,
    thinking: bool | str | None = None,
    embedded: Callable[[str], Model] | None = None,
) -> Model:
    """A model to stream from. Nothing is imported or sent before the first stream, which waits for both without
    holding up the event loop.

    `window` overrides what is known of the model, `thinking` asks it to reason (True, or low … high); `embedded` opens
    the models that run inside Baton. Raises `UnknownModel` and `MissingKey`; what only the library or the provider can
    know comes with the first stream.
    """
    provider, model = split(name)
    if provider.name == "local":
        if embedded is None:
            raise UnknownModel(model=name, reason="the embedded model is not part of this installation")
        return embedded(model)
    require_key(provider, name, environ)
    at = address(provider, environ)
    size = size_of(model, near=bool(at) and is_near(at))
    return PydanticModel(
        name,
        window or size.window,
        images=size.images,
        learns_window=window is None and not size.pattern and not is_near(at),
        thinking=thinking,
        timeout=http_timeout,
        secrets=tuple(found for found in (key(provider, environ), *_credentials(at)) if found),
        build=partial(_build, provider.module, name, environ, http_timeout),
    )
