"""In which dialect each provider of the table is spoken to, and what is peculiar to it."""

from __future__ import annotations

from collections.abc import Mapping

from baton.adapters.models.plain import effort as efforts
from baton.adapters.models.plain.anthropic import VERSION, AnthropicDialect
from baton.adapters.models.plain.chat import ChatDialect
from baton.adapters.models.plain.dialect import Dialect
from baton.adapters.models.plain.google import GoogleDialect
from baton.adapters.models.plain.manner import Manner
from baton.adapters.models.plain.responses import ResponsesDialect
from baton.adapters.models.registry import COMPATIBLE, NO_KEY, Environ, Provider, address, key, kind
from baton.core.value import value

ANTHROPIC = "https://api.anthropic.com"
GOOGLE = "https://generativelanguage.googleapis.com"
OPENAI = "https://api.openai.com/v1"
_REASONING = ("gpt-5", "gpt-6", "o1", "o3", "o4")
_COMPLETION = "max_completion_tokens"
_DEEPSEEK = Manner(_COMPLETION, needs="reasoning_content")
_OPENROUTER = Manner()
_MISTRAL = Manner(ids=9, usage=False, bridges=True)


@value
class _Server:
    """A server of Chat Completions: its address, its manner, and how it is told an effort."""

    base: str
    manner: Manner = Manner(_COMPLETION)
    effort: efforts.Rule = efforts.named


_SERVERS = {
    "openai-chat": _Server(OPENAI, effort=efforts.openai_chat),
    "xai": _Server("https://api.x.ai/v1", Manner(), efforts.xai),
    "groq": _Server("https://api.groq.com/openai/v1", Manner(), efforts.open_models),
    "deepseek": _Server("https://api.deepseek.com", _DEEPSEEK, efforts.deepseek),
    "moonshotai": _Server("https://api.moonshot.ai/v1", effort=efforts.moonshot),
    "openrouter": _Server("https://openrouter.ai/api/v1", _OPENROUTER, efforts.openrouter),
    "mistral": _Server("https://api.mistral.ai/v1", _MISTRAL, efforts.mistral),
    "zai": _Server("https://api.z.ai/api/paas/v4", Manner(_COMPLETION), efforts.zai),
    "cerebras": _Server("https://api.cerebras.ai/v1", Manner(_COMPLETION), efforts.cerebras),
    "together": _Server("https://api.together.xyz/v1", effort=efforts.open_models),
    "fireworks": _Server("https://api.fireworks.ai/inference/v1"),
    "ollama": _Server("", Manner()),
    "vllm": _Server(""),
    COMPATIBLE: _Server("", Manner()),
}


_EFFORTS: dict[str, efforts.Rule] = {
    "anthropic": efforts.anthropic,
    "google": efforts.google,
    "openai": efforts.responses,
    "openai-responses": efforts.responses,
}


def plain_dialect(provider: Provider, model: str, environ: Environ, effort: str = "") -> Dialect:
    known, base = kind(provider, environ), address(provider, environ)
    fields = _rule(known)(model, effort) or {}
    if known == "anthropic":
        return AnthropicDialect(model, base or ANTHROPIC, _claude(base, environ), fields)
    if known == "google":
        return GoogleDialect(model, base or GOOGLE, {"x-goog-api-key": key(provider, environ) or NO_KEY}, fields)
    headers = _bearer(provider, environ)
    if known in ("openai", "openai-responses"):
        return ResponsesDialect(model, base or OPENAI, headers, fields)
    return ChatDialect(model, base or _SERVERS[known].base, headers, _manner(known, model), fields)


def takes_effort(provider: Provider, model: str, environ: Environ, effort: str) -> bool:
    """False for a model that is known not to take it."""
    return _rule(kind(provider, environ))(model, effort) is not None


def _rule(known: str) -> efforts.Rule:
    return _EFFORTS.get(known) or _SERVERS[known].effort


def _manner(known: str, model: str) -> Manner:
    manner = _SERVERS[known].manner
    if known == COMPATIBLE and model.startswith(_REASONING):
        return Manner(_COMPLETION)
    if known == "deepseek" and model == "deepseek-chat":
        return Manner(_COMPLETION)
    if known == "openrouter" and model.startswith("anthropic/"):
        return Manner(caches=True)
    if known == "cerebras" and model.lower().startswith("zai-"):
        return Manner(_COMPLETION, tags=True)
    glm = known in ("zai", "openrouter") and "glm-5.3" in model.lower()
    return Manner(manner.limit, inlines=True) if glm else manner


def _claude(base: str, environ: Environ) -> Mapping[str, str]:
    own = environ.get("ANTHROPIC_API_KEY", "").strip()
    token = environ.get("ANTHROPIC_AUTH_TOKEN", "").strip()
    headers = {"authorization": f"Bearer {own or token or NO_KEY}", "anthropic-version": VERSION}
    if base and not (token and not own):
        headers["x-api-key"] = own or NO_KEY  # servers that stand in for Anthropic may know nothing else
    return _custom(environ, "ANTHROPIC_CUSTOM_HEADERS") | headers


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
