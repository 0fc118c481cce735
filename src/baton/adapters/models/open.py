"""Opens a model by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from baton.adapters.models import loading
from baton.adapters.models.address import is_near
from baton.adapters.models.plain.dialects import plain_dialect
from baton.adapters.models.plain.model import PlainModel, Price
from baton.adapters.models.pydantic_model import PydanticModel
from baton.adapters.models.registry import Environ, Provider, address, key, require, split
from baton.adapters.models.traits import Traits
from baton.adapters.models.windows import size_of
from baton.core.errors import UnknownModel

if TYPE_CHECKING:
    from baton.adapters.models.build import Built
    from baton.ports.model import Model


_PRICED_AS = {"openai-chat": "openai", "openai-responses": "openai", "xai": "x-ai"}


def warm(name: str, environ: Environ) -> None:
    """Begins to import what the model needs, in the background. Never raises: opening the model tells what is wrong."""
    try:
        provider, model = split(name)
    except UnknownModel:
        return
    if provider.name == "local":
        return
    if plain_dialect(provider, model, environ):
        loading.load_plain()
    else:
        loading.load(provider, dict(environ))


def open_model(
    name: str,
    environ: Environ,
    *,
    http_timeout: float = 600.0,
    window: int | None = None,
    images: bool | None = None,
    thinking: bool | str | None = None,
    embedded: Callable[[str], Model] | None = None,
) -> Model:
    """A model to stream from. Nothing is imported or sent before the first stream, which waits for both without
    blocking the event loop.

    `window` and `images` override what is known of the model, `thinking` asks it to reason (True, or low … high);
    `embedded` opens the models that run inside Baton. Raises `UnknownModel`, `MissingKey` or `ModelRefused`; what only
    the library or the provider can know comes with the first stream.
    """
    provider, model = split(name)
    if provider.name == "local":
        if embedded is None:
            raise UnknownModel(model=name, reason="the embedded model is not part of this installation")
        return embedded(model)
    environ = dict(environ)
    require(provider, name, environ)
    at = address(provider, environ)
    size = size_of(model, near=is_near(at))
    settled = window is not None or bool(size.pattern) or is_near(at)
    secrets = tuple(_secrets(provider, environ))
    sees = size.images if images is None else images
    traits = Traits(window or size.window, sees, settled, thinking, http_timeout, secrets)
    if thinking is None and (dialect := plain_dialect(provider, model, environ)):
        return PlainModel(name, traits, dialect, _price(provider, dialect.base))
    return PydanticModel(name, traits, lambda: _build(provider, model, environ, http_timeout))


def _build(provider: Provider, model: str, environ: Environ, timeout: float) -> Built:
    loading.load(provider, environ).result()
    from baton.adapters.models.build import build

    return build(provider, model, environ, timeout)


def _price(provider: Provider, base: str) -> Price:
    """Servers of one's own have no price."""
    return Price("" if provider.local else _PRICED_AS.get(provider.name, provider.name), base)


def _secrets(provider: Provider, environ: Environ) -> Iterator[str]:
    if found := key(provider, environ):
        yield found
    if password := urlsplit(address(provider, environ)).password:
        yield password
