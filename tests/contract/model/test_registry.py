"""Which providers there are, what each needs, and what is said when it is not there."""

from __future__ import annotations

import subprocess
import sys

import pytest

from baton.adapters.models import registry
from baton.adapters.models.address import answers, host_of, is_near, server
from baton.adapters.models.open import open_model
from baton.adapters.models.registry import EMBEDDED, LIBRARY, PROVIDERS, Offer, default_model, usable
from baton.config import extras
from baton.core.errors import MissingExtra, MissingKey, ModelError, UnknownModel
from baton.ports.model import Model
from baton.testing.model import FakeModel


def text_of(name: str, **environ: str) -> str:
    with pytest.raises(ModelError) as caught:
        open_model(name, environ)
    return str(caught.value)


def test_a_missing_key() -> None:
    assert text_of("anthropic:claude-sonnet-5-5") == (
        "There is no key for anthropic:claude-sonnet-5-5: ANTHROPIC_API_KEY is not set. "
        "The conversation is kept; nothing was lost. "
        "Set it: export ANTHROPIC_API_KEY=…   (or choose another model: --model, /model)"
    )


@pytest.mark.parametrize("provider", [row.name for row in PROVIDERS.values() if row.keys and not row.local])
def test_every_provider_names_the_key_it_misses(provider: str) -> None:
    with pytest.raises(MissingKey) as caught:
        open_model(f"{provider}:some-model", {PROVIDERS[provider].keys[0]: "  "})
    assert caught.value.facts == {"model": f"{provider}:some-model", "variable": PROVIDERS[provider].keys[0]}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("gpt-5", "write provider:name, such as openai:gpt-6.1-sol"),
        ("openai:", "write provider:name, such as openai:gpt-6.1-sol"),
        (":gpt-5", "write provider:name, such as openai:gpt-6.1-sol"),
        ("antropic:claude", "antropic is not a provider Baton knows; did you mean anthropic?"),
        ("quux:model", "quux is not a provider Baton knows"),
        ("local:tiny", "the embedded model is not part of this installation"),
    ],
)
def test_a_model_there_is_not(name: str, reason: str) -> None:
    assert text_of(name) == (
        f"There is no model {name}: {reason}. The conversation is kept; nothing was lost. "
        "`baton models` lists what can be used here."
    )


@pytest.mark.parametrize("name", ["azure:gpt-5", "bedrock:claude"])
def test_a_model_of_the_library_where_that_is_not_installed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extras, "is_installed", lambda _: False)
    with pytest.raises(MissingExtra) as caught:
        open_model(name, {})
    assert caught.value.parts()[0] == f"The model {name} needs a part of Baton that is not installed."
    assert caught.value.facts["line"].endswith("install 'baton-agent[providers]'")


def test_without_the_library_every_provider_of_the_table_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "is_installed", lambda name: name != "providers")
    environ = {row.keys[0]: "x" for row in PROVIDERS.values() if row.keys}
    assert [offer for offer in usable(environ, lambda _: True) if not offer.usable] == []


@pytest.mark.parametrize("wrong", ["sk-…", "“sk-abc”", "sk-a b", "sk-a\x07"])
def test_a_key_that_cannot_be_one(wrong: str) -> None:
    told = text_of("openai:gpt-5", OPENAI_API_KEY=wrong)
    assert told.startswith(
        "The provider refused the request to openai:gpt-5: the key has characters that no key has; was it copied whole?"
    )
    assert wrong not in told


def test_no_name_at_all() -> None:
    assert text_of("").startswith("There is no model (empty): write provider:name")


def test_the_embedded_model_is_opened_by_who_knows_how() -> None:
    opened: list[str] = []

    def embedded(name: str) -> Model:
        opened.append(name)
        return FakeModel([[]])

    open_model("local:tiny", {}, embedded=embedded)
    assert opened == ["tiny"]


@pytest.mark.parametrize(
    ("environ", "model"),
    [
        ({}, EMBEDDED),
        ({"OPENAI_API_KEY": "x"}, "openai:gpt-6.1-sol"),
        ({"OPENAI_API_KEY": "x", "ANTHROPIC_API_KEY": "x"}, "anthropic:claude-sonnet-5-5"),
        ({"ANTHROPIC_AUTH_TOKEN": "x"}, "anthropic:claude-sonnet-5-5"),
        ({"GEMINI_API_KEY": "x", "OPENROUTER_API_KEY": "x"}, "google:gemini-3.8-flash"),
        ({"OPENROUTER_API_KEY": "x"}, "openrouter:anthropic/claude-sonnet-5.5"),
        ({"OPENAI_API_KEY": " ", "BATON_MODEL": ""}, EMBEDDED),
        ({"OPENAI_API_KEY": "x", "BATON_MODEL": "groq:x"}, "groq:x"),
        ({"MISTRAL_API_KEY": "x"}, "mistral:mistral-large-latest"),
    ],
)
def test_the_model_when_none_is_configured(environ: dict[str, str], model: str) -> None:
    assert default_model(environ) == model
    assert default_model(environ, "ollama:mine") == "ollama:mine"


def test_what_can_be_used_and_what_would_change_it() -> None:
    environ = {"GEMINI_API_KEY": "x", "OPENAI_BASE_URL": "http://box/v1", "OLLAMA_HOST": "me:pass@box:1"}
    offers = {offer.provider: offer for offer in usable(environ, lambda url: "box" in url)}
    embedded = "runs inside Baton, without a key; pulled when it is first needed"
    without, with_key = "ANTHROPIC_API_KEY is not set", "GEMINI_API_KEY is set"
    missing = "MISTRAL_API_KEY is not set"
    for expected in (
        Offer("anthropic", "anthropic:claude-sonnet-5-5", False, without, "export ANTHROPIC_API_KEY=…"),
        Offer("google", "google:gemini-3.8-flash", True, with_key),
        Offer("openai", "openai:NAME", True, "OPENAI_BASE_URL is set, without a key"),
        Offer("ollama", "ollama:NAME", True, "a server answers at http://box:1/v1"),
        Offer("lmstudio", "lmstudio:NAME", False, "nothing answers at http://localhost:1234/v1", "lms server start"),
        Offer("vllm", "vllm:NAME", False, "nothing answers at http://localhost:8000/v1", "vllm serve MODEL"),
        Offer("mistral", "mistral:mistral-large-latest", False, missing, "export MISTRAL_API_KEY=…"),
        Offer("local", EMBEDDED, True, embedded),
    ):
        assert offers[expected.provider] == expected


def test_every_offer_is_usable_or_says_what_to_do() -> None:
    for offer in usable({}, lambda _: False):
        assert offer.usable != bool(offer.fix)
        assert offer.reason


@pytest.mark.parametrize(
    ("written", "url"),
    [
        ("0.0.0.0", "http://localhost:11434/v1"),
        ("0.0.0.0:99", "http://localhost:99/v1"),
        (":8080", "http://localhost:8080/v1"),
        ("box", "http://box:11434/v1"),
        ("http://box:1/", "http://box:1/v1"),
        ("https://ollama.example.com", "https://ollama.example.com/v1"),
        ("http://box:1/api/v1", "http://box:1/api/v1"),
        ("http://u:p@box", "http://u:p@box:11434/v1"),
        ("[::1]:5", "http://[::1]:5/v1"),
    ],
)
def test_an_address_as_people_write_it(written: str, url: str) -> None:
    assert server(written, "http://localhost:11434/v1") == url


def test_an_address_is_shown_without_its_password() -> None:
    assert host_of("https://me:secret@box.example:8443/v1?key=x") == "box.example:8443"
    assert host_of("https://box.example/v1") == "box.example"


@pytest.mark.parametrize(
    ("url", "near"),
    [
        ("http://localhost:1", True),
        ("http://127.0.0.1:1/v1", True),
        ("http://[::1]/v1", True),
        ("http://192.168.1.4/v1", True),
        ("http://gpu-box:8000/v1", True),
        ("http://gpu.local/v1", True),
        ("https://api.openai.com/v1", False),
        ("https://8.8.8.8/v1", False),
        ("", False),
    ],
)
def test_what_is_near(url: str, near: bool) -> None:
    assert is_near(url) is near


def test_nothing_answers_where_nothing_listens() -> None:
    assert answers("http://127.0.0.1:9/v1") is False


def test_the_names_left_to_the_library_are_its_own() -> None:
    from pydantic_ai.providers import infer_provider_class

    for name in LIBRARY:
        try:
            infer_provider_class(name)
        except ImportError:
            continue
    assert not LIBRARY & set(PROVIDERS)
    with pytest.raises(ValueError, match="Unknown provider"):
        infer_provider_class("quux")


def test_the_registry_costs_nothing_of_the_library() -> None:
    code = (
        "import sys, baton.adapters.models.registry as registry, baton.adapters.models.open as opening\n"
        "registry.usable({}, lambda _: False); registry.default_model({'OPENAI_API_KEY': 'x'})\n"
        "opening.open_model('openai:gpt-5', {'OPENAI_API_KEY': 'x'}, thinking='high')\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    heavy = {"pydantic_ai", "pydantic", "openai", "anthropic", "google.genai", "httpx2", "genai_prices"}
    assert heavy & set(done.stdout.split()) == set()


def test_an_unknown_model_is_not_retried() -> None:
    assert not UnknownModel.retryable
    assert not MissingKey.retryable
