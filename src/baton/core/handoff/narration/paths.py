"""File names in prose: told from attributes, products, versions, addresses and pairs of words."""

from __future__ import annotations

import re
from collections.abc import Callable

from baton.core.risk.line import words

_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://[^\s`)>\]]{1,2000}", re.IGNORECASE)
_TOKEN = re.compile(r"[A-Za-z0-9_./@+~\u00c0-\u024f\u0400-\u04ff-]{2,400}")
_ENDINGS = words(
    "astro bash bat c cc cfg cjs clj cmd conf cpp cs csproj css csv cts cxx dart db diff doc docx ejs eml erb ex exs "
    "fish gd gif go gradle graphql groovy h haml hbs hpp hrl hs html ico ini ipynb j2 java jl jpeg jpg js json "
    "json5 jsonl jsx kt kts less lock log lua md mdx mjs mk ml mov mp3 mp4 mts nix parquet patch pdf php pl plist "
    "png po pot ppt pptx properties proto ps1 psd1 py pyi pyx rb rmd rs rst sass scala scss sh sln sol sql sqlite "
    "styl svelte svg swift tar tex tf tfvars tgz toml ts tsv tsx ttf txt vb vue wasm webp xls xlsx xml yaml yml "
    "zig zip zsh"
)
_ENDING = re.compile(r"\w\.[A-Za-z][A-Za-z0-9]{0,7}$")
_PRODUCTS = words(
    "alpine.js angular.js babylon.js backbone.js bun.js chart.js core.js d3.js day.js deno.js discord.js "
    "discord.py ember.js express.js gatsby.js go.js hapi.js highlight.js hono.js htmx.js inferno.js koa.js "
    "leaflet.js mermaid.js moment.js nest.js next.js node.js nuxt.js p5.js phaser.js preact.js qunit.js react.js "
    "remix.js require.js solid.js spacy.io svelte.js sveltekit.js tensorflow.js three.js vite.js vue.js web.py "
    "web3.js web3.py"
)
_HOLDERS = words(
    "self this cls super req request res resp response r e err obj args ctx console math np numpy logger logging torch"
)
"""What has attributes called `json` or `log`: `response.json` is no file."""
_ATTRIBUTES = words("c h db diff json lock log sql patch po tar doc less ex conf properties")
_LOCKS = words("yarn cargo poetry uv gemfile composer flake podfile mix pdm bun deno pixi")


def without_addresses(sentence: str) -> str:
    return _ADDRESS.sub(" ", sentence)


def _deny(_: str) -> bool:
    return False


def named_paths(
    sentence: str, is_folder: Callable[[str], bool] = _deny, is_place: Callable[[str], bool] = _deny
) -> list[str]:
    """Files by a known ending, and paths with a slash: those with any ending in a place that was seen, and those
    without one in a folder that holds a known file.
    """
    text = without_addresses(sentence)
    found: list[str] = []
    for match in _TOKEN.finditer(text):
        token = match[0].rstrip(".-+~").lstrip("+-")
        if "@" in token or text[match.end() : match.end() + 1] == "(":
            continue
        found += _paths_of(token, is_folder, is_place, quoted=text[max(0, match.start() - 1) : match.start()] == "`")
    return list(dict.fromkeys(found))


def _paths_of(
    token: str, is_folder: Callable[[str], bool], is_place: Callable[[str], bool], *, quoted: bool
) -> list[str]:
    parts = token.split("/")
    if len(parts) > 1 and all(is_file_name(part) or part.lower() in _PRODUCTS for part in parts):
        return [part for part in parts if is_file_name(part)]
    if is_file_name(parts[-1], bare=len(parts) == 1):
        return [token]
    if len(parts) > 1 and _ENDING.search(parts[-1]) and parts[0] and is_place(parts[0]):
        return [token]
    deep = len([part for part in parts if part]) >= 3
    if len(parts) > 1 and (deep or quoted or not parts[-1]) and parts[0] and is_folder(parts[0]):
        return [token]
    return []


def is_file_name(name: str, *, bare: bool = True) -> bool:
    """Whether a name has the ending of a file. A bare one may also be an attribute or a product."""
    stem, _, ending = name.rpartition(".")
    if not stem.strip(".") or ending.lower() not in _ENDINGS or not (ending.islower() or ending.isupper()):
        return False
    if not bare:
        return True
    if name.lower() in _PRODUCTS or (ending == "lock" and stem.lower() not in _LOCKS):
        return False
    return not (ending in _ATTRIBUTES and (stem.lower() in _HOLDERS or "." in stem or len(stem) < 2))
