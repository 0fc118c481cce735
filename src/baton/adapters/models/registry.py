"""The providers Baton knows by name: where each one's key and address come from, and which model stands for it.

Everything here is read from the environment that is given; nothing of the model library is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from baton.adapters.models.address import answers, server
from baton.config.extras import install_line, is_installed, require_extra
from baton.core.errors import MissingKey, ModelRefused, UnknownModel
from baton.core.value import value

Environ = Mapping[str, str]

EMBEDDED = "local:qwen2.5-coder-1.5b"
"""What Baton runs on when nothing else is set up."""

COMPATIBLE = "compatible"
"""Any server that speaks Chat Completions."""


NO_KEY = "no-key-needed"
"""Sent in place of a key to a server that wants none."""


@value
class Provider:
    """One line of the table.

    `keys` are the variables that may hold the key, `addresses` those that may name another server than `url`. `kind` is
    how it is spoken to, where its name does not say it. A provider that is `local` needs no key; `start` is the command
    that starts it. One of the `library` is spoken to by the model library, which not every installation has.
    """

    name: str
    keys: tuple[str, ...] = ()
    default: str = ""
    addresses: tuple[str, ...] = ()
    url: str = ""
    kind: str = ""
    local: bool = False
    start: str = ""
    library: bool = False


_CLAUDE = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")
_OPENAI = ("OPENAI_API_KEY",)
_GOOGLE = ("GOOGLE_API_KEY", "GEMINI_API_KEY")
_OLLAMA = ("OLLAMA_BASE_URL", "OLLAMA_HOST")
_STUDIO = "http://localhost:1234/v1"

# fmt: off
PROVIDERS: dict[str, Provider] = {row.name: row for row in (
    Provider("anthropic", _CLAUDE, "claude-sonnet-5-5", ("ANTHROPIC_BASE_URL",)),
    Provider("openai", _OPENAI, "gpt-6.1-sol", ("OPENAI_BASE_URL",)),
    Provider("google", _GOOGLE, "gemini-3.8-flash", ("GOOGLE_GEMINI_BASE_URL",)),
    Provider("openrouter", ("OPENROUTER_API_KEY",), "anthropic/claude-sonnet-5.5", ("OPENROUTER_BASE_URL",)),
    Provider("xai", ("XAI_API_KEY",), "grok-4.7", ("XAI_BASE_URL",)),
    Provider("deepseek", ("DEEPSEEK_API_KEY",), "deepseek-v4-pro", ("DEEPSEEK_BASE_URL",)),
    Provider("mistral", ("MISTRAL_API_KEY",), "mistral-large-latest", ("MISTRAL_BASE_URL",)),
    Provider("groq", ("GROQ_API_KEY",), "openai/gpt-oss-120b", ("GROQ_BASE_URL",)),
    Provider("moonshotai", ("MOONSHOTAI_API_KEY",), "kimi-k3.1-pro", ("MOONSHOTAI_BASE_URL",)),
    Provider("zai", ("ZAI_API_KEY",), "glm-5.3", ("ZAI_BASE_URL",)),
    Provider("cerebras", ("CEREBRAS_API_KEY",), "gpt-oss-120b", ("CEREBRAS_BASE_URL",)),
    Provider("together", ("TOGETHER_API_KEY",), "openai/gpt-oss-120b", ("TOGETHER_BASE_URL",)),
    Provider("fireworks", ("FIREWORKS_API_KEY",), "accounts/fireworks/models/gpt-oss-120b", ("FIREWORKS_BASE_URL",)),
    Provider("openai-chat", _OPENAI, "", ("OPENAI_BASE_URL",)),
    Provider("openai-responses", _OPENAI, "", ("OPENAI_BASE_URL",)),
    Provider("ollama", ("OLLAMA_API_KEY",), "", _OLLAMA, "http://localhost:11434/v1", local=True, start="ollama serve"),
    Provider("lmstudio", (), "", ("LMSTUDIO_BASE_URL",), _STUDIO, COMPATIBLE, local=True, start="lms server start"),
    Provider("vllm", ("VLLM_API_KEY",), "", ("VLLM_BASE_URL",), "http://localhost:8000/v1", local=True, start="vllm serve MODEL"),  # noqa: E501
    Provider("local", (), EMBEDDED.partition(":")[2], local=True),
)}

LIBRARY = frozenset((
    "alibaba", "azure", "azure-responses", "bedrock", "bedrock-mantle", "cohere", "crusoe", "github", "github-copilot",
    "google-cloud", "heroku", "huggingface", "litellm", "meta", "nebius", "openai-chatgpt", "openai-codex", "ovhcloud",
    "sambanova", "snowflake", "vercel",
))
# fmt: on
"""Names the library knows and this table does not; it reads their variables itself."""


@value
class Offer:
    """What `baton models` says of one provider. `fix` is the line that makes it usable; empty if it is."""

    provider: str
    model: str
    usable: bool
    reason: str
    fix: str = ""


def split(name: str) -> tuple[Provider, str]:
    """The provider and the model of `provider:model`; raises `UnknownModel`."""
    provider, colon, model = name.partition(":")
    if not colon or not provider or not model.strip():
        raise UnknownModel(model=name or "(empty)", reason=f"write provider:name, such as {example('openai')}")
    if provider in PROVIDERS:
        return PROVIDERS[provider], model
    if provider in LIBRARY:
        return Provider(provider, library=True), model
    raise UnknownModel(model=name, reason=f"{provider} is not a provider Baton knows{_suggest(provider)}")


def key(provider: Provider, environ: Environ) -> str | None:
    return next((found for each in provider.keys if (found := environ.get(each, "").strip())), None)


def address(provider: Provider, environ: Environ) -> str:
    """The server that answers, with the path of its API; empty for the provider's own."""
    for variable in provider.addresses:
        if found := environ.get(variable, "").strip():
            return server(found, provider.url) if provider.name == "ollama" else found
    return provider.url


def kind(provider: Provider, environ: Environ) -> str:
    """How it is spoken to: OpenAI itself by its Responses, a server that stands in for it by Chat Completions."""
    stand_in = provider.name in ("openai", "openai-chat") and address(provider, environ)
    return COMPATIBLE if stand_in else provider.kind or provider.name


def require(provider: Provider, name: str, environ: Environ) -> None:
    """Raises `MissingExtra` without the library that a provider needs, `MissingKey` without its key and `ModelRefused`
    for what cannot be one. A server of the user's own choice may do without a key.
    """
    if provider.library:
        require_extra("providers", f"The model {name}")
    found = key(provider, environ)
    elsewhere = any(environ.get(variable, "").strip() for variable in provider.addresses)
    if provider.keys and not provider.local and not elsewhere and found is None:
        raise MissingKey(model=name, variable=provider.keys[0])
    if found and not (found.isascii() and found.isprintable() and " " not in found):
        raise ModelRefused(model=name, reason="the key has characters that no key has; was it copied whole?")


def default_model(environ: Environ, configured: str | None = None) -> str:
    """The configured model, else `BATON_MODEL`, else that of the first provider with a key, else the embedded one."""
    if chosen := configured or environ.get("BATON_MODEL", "").strip():
        return chosen
    ready = (row for row in PROVIDERS.values() if row.default and key(row, environ))
    return next((f"{row.name}:{row.default}" for row in ready), EMBEDDED)


def usable(environ: Environ, reachable: Callable[[str], bool] = answers) -> list[Offer]:
    """Every provider of the table, whether it can be used here, why or why not, and what would change that.

    Tries to connect to servers on this machine, which takes a moment if one does not answer.
    """
    listed = (row for row in PROVIDERS.values() if row.default or row.local)
    return [_offer(row, environ, reachable) for row in listed]


def example(provider: str) -> str:
    return f"{provider}:{PROVIDERS[provider].default or 'NAME'}"


def _offer(row: Provider, environ: Environ, reachable: Callable[[str], bool]) -> Offer:
    model = example(row.name)
    if row.name == "local" and not is_installed("local"):
        return Offer(
            row.name, model, False, "runs inside Baton, and needs a part that is not installed", install_line("local")
        )
    if row.name == "local":
        return Offer(row.name, model, True, "runs inside Baton, without a key; pulled when it is first needed")
    at = address(row, environ)
    if row.local:
        if reachable(at):
            return Offer(row.name, model, True, f"a server answers at {_without_secrets(at)}")
        return Offer(row.name, model, False, f"nothing answers at {_without_secrets(at)}", row.start)
    found = next((each for each in row.keys if environ.get(each, "").strip()), None)
    if found:
        return Offer(row.name, model, True, f"{found} is set")
    if at != row.url:
        return Offer(row.name, f"{row.name}:NAME", True, f"{row.addresses[0]} is set, without a key")
    return Offer(row.name, model, False, f"{row.keys[0]} is not set", f"export {row.keys[0]}=…")


def _without_secrets(url: str) -> str:
    """The address without what may be secret in it."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"


def _suggest(provider: str) -> str:
    from difflib import get_close_matches

    close = get_close_matches(provider.lower(), [*PROVIDERS, *LIBRARY], n=1)
    return f"; did you mean {close[0]}?" if close else ""
