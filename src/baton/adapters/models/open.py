"""Opens a model by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from baton.adapters.models import loading
from baton.adapters.models.address import is_near
from baton.adapters.models.plain.dialects import plain_dialect, takes_effort
from baton.adapters.models.plain.effort import effort_of
from baton.adapters.models.plain.families import LEVELS
from baton.adapters.models.plain.model import PlainModel, Price
from baton.adapters.models.pydantic_model import PydanticModel
from baton.adapters.models.registry import Environ, Provider, address, key, require, split
from baton.adapters.models.traits import Traits
from baton.adapters.models.windows import size_of
from baton.core.errors import ModelRefused, UnknownModel

if TYPE_CHECKING:
    from pydantic_ai.models import Model as LibraryModel

    from baton.adapters.models.plain.lines import Lines
    from baton.ports.model import Model


_PRICED_AS = {"openai-chat": "openai", "openai-responses": "openai", "xai": "x-ai"}


def warm(name: str) -> None:
    """Begins to import what the model needs, in the background. Never raises: opening the model tells what is wrong."""
    try:
        provider, _ = split(name)
    except UnknownModel:
        return
    if provider.name == "local":
        return
    if provider.library:
        loading.load_library()
    else:
        loading.load_plain()


def open_model(
    name: str,
    environ: Environ,
    *,
    http_timeout: float = 600.0,
    window: int | None = None,
    images: bool | None = None,
    thinking: bool | str | None = None,
    embedded: Callable[[str], Model] | None = None,
    lines: Lines | None = None,
) -> Model:
    """A model to stream from. Nothing is imported or sent before the first stream, which waits for both without
    blocking the event loop.

    `window` and `images` override what is known of the model, `thinking` asks it to reason (True, or low … high);
    `embedded` opens the models that run inside Baton, `lines` are connections to share. Raises `UnknownModel`,
    `MissingKey`, `MissingExtra` or `ModelRefused`; what only the library or the provider can know comes with the first
    stream, and so does `EffortNotTaken`.
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
    if provider.library:
        traits = Traits(window or size.window, sees, settled, thinking, http_timeout, secrets)
        return PydanticModel(name, traits, lambda: _build(provider, model))
    effort = _effort(name, thinking)
    unable = not takes_effort(provider, model, environ, effort)
    traits = Traits(window or size.window, sees, settled, thinking, http_timeout, secrets, unable)
    dialect = plain_dialect(provider, model, environ, effort)
    return PlainModel(name, traits, dialect, _price(provider, dialect.base), lines.of(http_timeout) if lines else None)


def _effort(name: str, thinking: bool | str | None) -> str:
    try:
        return effort_of(thinking)
    except ValueError:
        raise ModelRefused(model=name, reason=f"there is no effort {thinking}, only {', '.join(LEVELS)}") from None


def _build(provider: Provider, model: str) -> LibraryModel[Any]:
    """The library reads the variables of the environment itself, and raises for what is missing there."""
    loading.load_library().result()
    from pydantic_ai.models import infer_model

    return infer_model(f"{provider.name}:{model}")


def _price(provider: Provider, base: str) -> Price:
    """Servers of one's own have no price."""
    return Price("" if provider.local else _PRICED_AS.get(provider.name, provider.name), base)


def _secrets(provider: Provider, environ: Environ) -> Iterator[str]:
    if found := key(provider, environ):
        yield found
    if password := urlsplit(address(provider, environ)).password:
        yield password
