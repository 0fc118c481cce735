"""Windows and images by name, and what the table promises of them."""

from __future__ import annotations

import re
from typing import cast

import pytest
from genai_prices.data_snapshot import get_snapshot

from baton.adapters.models.open import open_model
from baton.adapters.models.plain.model import PlainModel
from baton.adapters.models.registry import PROVIDERS
from baton.adapters.models.windows import CLOUD, SERVER, size_of

KEYS = {"OPENAI_API_KEY": "x", "ANTHROPIC_API_KEY": "x", "OPENROUTER_API_KEY": "x"}
NO_CHAT = re.compile(r"embed|ocr|voxtral|computer-use|tts|orpheus|guard|image|banana|realtime|moderation|whisper")
MAKERS = ("openai", "anthropic", "google", "x-ai", "deepseek", "mistral", "moonshotai", "zai")


@pytest.mark.parametrize(
    ("name", "window", "images"),
    [
        ("claude-sonnet-5-5", 1_000_000, True),
        ("anthropic/claude-opus-4.6", 1_000_000, True),
        ("claude-haiku-4-5-20251001", 200_000, True),
        ("gpt-6.1-sol", 1_000_000, True),
        ("gpt-5-mini", 400_000, True),
        ("gpt-4.1", 1_000_000, True),
        ("gpt-4o-mini", 128_000, True),
        ("gpt-4", 8_192, False),
        ("gpt-3.5-turbo", 16_000, False),
        ("o3-mini", 200_000, False),
        ("o4-mini", 200_000, True),
        ("gemini-3.8-flash", 1_000_000, True),
        ("models/gemini-2.5-pro", 1_000_000, True),
        ("grok-4.7", 500_000, True),
        ("deepseek-v4-pro", 1_000_000, False),
        ("openai/gpt-oss-120b", 128_000, False),
        ("qwen/qwen3-coder:free", 128_000, False),
        ("something-new", CLOUD, False),
    ],
)
def test_the_size_of_well_known_models(name: str, window: int, images: bool) -> None:
    size = size_of(name)
    assert (size.window, size.images) == (window, images)


@pytest.mark.parametrize(
    ("name", "window", "images"),
    [
        ("qwen3:8b", SERVER, False),
        ("gemma2:9b", 8_192, False),
        ("gpt-oss:20b", SERVER, False),
        ("llava:7b", SERVER, True),
        ("qwen2.5-vl:7b", SERVER, True),
        ("gpt-4o", 128_000, True),
        ("claude-sonnet-5-5", 1_000_000, True),
    ],
)
def test_a_server_that_is_near_decides_itself_on_open_models(name: str, window: int, images: bool) -> None:
    size = size_of(name, near=True)
    assert (size.window, size.images) == (window, images)


@pytest.mark.parametrize("maker", MAKERS)
def test_the_table_never_promises_more_than_the_price_list_knows(maker: str) -> None:
    [provider] = [each for each in get_snapshot().providers if each.id == maker]
    known = [each for each in provider.models if each.context_window and not NO_CHAT.search(each.id)]
    assert len(known) > 2
    assert [(each.id, each.context_window) for each in known if size_of(each.id).window > each.context_window] == []


def test_the_default_models_are_of_known_families() -> None:
    unknown = [row.name for row in PROVIDERS.values() if row.default and not size_of(row.default).pattern]
    assert unknown == []


@pytest.mark.parametrize(
    ("name", "environ", "window"),
    [
        ("openai:gpt-4o", KEYS, 128_000),
        ("openai:qwen3-8b", {"OPENAI_BASE_URL": "http://localhost:1/v1"}, SERVER),
        ("openai:qwen3-8b", {"OPENAI_BASE_URL": "https://models.example.com/v1"}, CLOUD),
        ("ollama:qwen3:8b", {}, SERVER),
        ("ollama:qwen3:8b", {"OLLAMA_HOST": "https://models.example.com"}, CLOUD),
    ],
)
def test_the_window_of_an_opened_model(name: str, environ: dict[str, str], window: int) -> None:
    assert open_model(name, environ).window == window
    assert open_model(name, environ, window=5_000).window == 5_000


@pytest.mark.anyio
async def test_the_window_of_a_model_only_the_price_list_knows_is_learned_once_it_is_there() -> None:
    model = cast("PlainModel", open_model("openrouter:mancer/weaver", KEYS))
    assert model.window == CLOUD
    await model._prices.get()
    assert model.window == 8_000
    fixed = cast("PlainModel", open_model("openrouter:mancer/weaver", KEYS, window=6_000))
    await fixed._prices.get()
    assert fixed.window == 6_000
    await model.close()
    await fixed.close()
