"""How much context a model takes, and whether it takes images, by the pattern of its name.

The table promises less rather than more: a window that is too small costs an early compression, one that is too large
costs the turn. What a user configures wins over it.
"""

from __future__ import annotations

import re

from baton.core.value import value

CLOUD = 128_000
SERVER = 32_000


@value
class Size:
    """`hosted` families run at a provider only, so that their name says the window wherever the request goes."""

    pattern: str
    window: int
    images: bool = False
    hosted: bool = True


_MILLION = 1_000_000

_SIZES = (
    Size(r"claude-(opus|sonnet)-4-[6-9]|claude-[a-z]+-[5-9]", _MILLION, images=True),
    Size(r"claude-(2|instant)", 100_000),
    Size(r"claude", 200_000, images=True),
    Size(r"gpt-(audio|realtime)|gpt-4o-.*(realtime|transcribe|tts)", 16_000),
    Size(r"gpt-5(-\d+)?-chat|gpt-5-3($|-chat)", 128_000, images=True),
    Size(r"gpt-5-4-(mini|nano)", 400_000, images=True),
    Size(r"gpt-5-[4-9]|gpt-[6-9]|gpt-4-1", _MILLION, images=True),
    Size(r"gpt-5", 400_000, images=True),
    Size(r"gpt-4o|gpt-4-turbo|chatgpt-4o", 128_000, images=True),
    Size(r"gpt-4-32k", 32_000),
    Size(r"gpt-4", 8_192),
    Size(r"gpt-3", 16_000),
    Size(r"o1-(mini|preview)", 128_000),
    Size(r"o3-mini", 200_000),
    Size(r"o[1-9]($|-)|codex-mini", 200_000, images=True),
    Size(r"gemini-.*(tts|embedding)|gemini-embedding", 8_192),
    Size(r"gemini-(1-0|pro)|gemini-.*(image|banana)", 32_000, images=True),
    Size(r"gemini-.*live", 128_000, images=True),
    Size(r"gemini", _MILLION, images=True),
    Size(r"grok-4-(20|3|fast|1-fast)", _MILLION, images=True),
    Size(r"grok-4-[5-9]", 500_000, images=True),
    Size(r"grok-4", 256_000, images=True),
    Size(r"grok-(code|build)", 256_000),
    Size(r"grok-2", 32_000),
    Size(r"grok", 128_000),
    Size(r"mistral-large-4", _MILLION, images=True),
    Size(r"codestral", 256_000),
    Size(r"mistral-(large|medium|small)-latest", 128_000, images=True),
    Size(r"gpt-oss", 128_000, hosted=False),
    Size(r"deepseek-(v4|flash)", _MILLION, hosted=False),
    Size(r"deepseek-(chat|reasoner)", 64_000, hosted=False),
    Size(r"kimi-k[3-9]", _MILLION, images=True, hosted=False),
    Size(r"kimi-k2-[5-9]", 256_000, images=True, hosted=False),
    Size(r"moonshot-v1-8k", 8_192),
    Size(r"moonshot-v1-32k", 32_000),
    Size(r"glm-[45](-\d)?v", 64_000, images=True, hosted=False),
    Size(r"glm-5-[2-9]", _MILLION, hosted=False),
    Size(r"llama-?3-\d+b|gemma-?2", 8_192, hosted=False),
    Size(r"phi-4", 16_000, hosted=False),
    Size(r"qwen-?2-5-(?!vl)", 32_000, hosted=False),
    Size(r"llama-?4|gemma-?[34]|pixtral|llava|.*-?vl\b|.*vision|minicpm-v", CLOUD, images=True, hosted=False),
)

_FOUND = tuple((re.compile(size.pattern), size) for size in _SIZES)


def size_of(model: str, *, near: bool = False) -> Size:
    """The size of a model by its bare or vendor-prefixed name.

    A server that is `near` decides itself how much context it gives a model of an open family, so that the smaller of
    both is taken.
    """
    bare = model.lower().rpartition("/")[2].partition(":")[0].replace(".", "-")
    found = next((size for pattern, size in _FOUND if pattern.match(bare)), Size("", CLOUD, hosted=False))
    if near and not found.hosted:
        return Size(found.pattern, min(found.window, SERVER), found.images, hosted=False)
    return found
