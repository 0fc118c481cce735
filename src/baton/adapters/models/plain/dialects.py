"""Which models are spoken to over plain HTTP, and how."""

from __future__ import annotations

from collections.abc import Mapping

from baton.adapters.models.plain.anthropic import VERSION, AnthropicDialect
from baton.adapters.models.plain.chat import ChatDialect
from baton.adapters.models.plain.dialect import Dialect
from baton.adapters.models.registry import COMPATIBLE, NO_KEY, Environ, Provider, address, key, kind
from baton.core.value import value

_ANTHROPIC = "https://api.anthropic.com"
_OPENAI = "https://api.openai.com/v1"
_REASONING = ("gpt-5", "gpt-6", "o1", "o3", "o4")


@value
class _Server:
    """A server of Chat Completions: its address, the field for the longest output, and a field beside each call."""

    base: str
    limit: str = "max_completion_tokens"
    thought: str = ""


_SERVERS = {
    "openai-chat": _Server(_OPENAI),
    "deepseek": _Server("https://api.deepseek.com", thought="reasoning_content"),
    "moonshotai": _Server("https://api.moonshot.ai/v1"),
    "together": _Server("https://api.together.xyz/v1"),
    "fireworks": _Server("https://api.fireworks.ai/inference/v1"),
    "ollama": _Server("", "max_tokens"),
    "vllm": _Server(""),
}


def plain_dialect(provider: Provider, model: str, environ: Environ) -> Dialect | None:
    """None for a provider that has to be spoken to by the library."""
    if provider.name == "anthropic":
        return _anthropic(provider, model, environ)
    known = kind(provider, environ)
    base = address(provider, environ)
    if known == COMPATIBLE:
        limit = "max_completion_tokens" if model.startswith(_REASONING) else "max_tokens"
        return ChatDialect(model, base, _bearer(provider, environ), limit)
    if server := _SERVERS.get(known):
        thought = "" if model == "deepseek-chat" else server.thought
        return ChatDialect(model, base or server.base, _bearer(provider, environ), server.limit, thought)
    return None


def _anthropic(provider: Provider, model: str, environ: Environ) -> AnthropicDialect:
    own = environ.get("ANTHROPIC_API_KEY", "").strip()
    token = environ.get("ANTHROPIC_AUTH_TOKEN", "").strip()
    base = address(provider, environ)
    headers = {"authorization": f"Bearer {own or token or NO_KEY}", "anthropic-version": VERSION}
    if base and not (token and not own):
        headers["x-api-key"] = own or NO_KEY  # servers that stand in for Anthropic may know nothing else
    return AnthropicDialect(model, base or _ANTHROPIC, _custom(environ, "ANTHROPIC_CUSTOM_HEADERS") | headers)


def _bearer(provider: Provider, environ: Environ) -> Mapping[str, str]:
    headers = {"authorization": f"Bearer {key(provider, environ) or NO_KEY}"}
    if provider.keys == ("OPENAI_API_KEY",):
        named = {"OPENAI_ORG_ID": "openai-organization", "OPENAI_PROJECT_ID": "openai-project"}
        headers |= {header: found for name, header in named.items() if (found := environ.get(name, "").strip())}
    return headers


def _custom(environ: Environ, variable: str) -> dict[str, str]:
    """Headers that the user wants sent, one `Name: value` a line."""
    lines = (line.partition(":") for line in environ.get(variable, "").splitlines())
    return {name.strip().lower(): held.strip() for name, colon, held in lines if colon and name.strip()}
