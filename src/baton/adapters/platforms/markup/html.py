"""HTML, within the subset that Matrix clients show."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from html import escape

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from baton.adapters.platforms.markup.parse import parse, parser

_ALLOWED = {"a": ("href",), "ol": ("start",)}
_LANGUAGE = re.compile(r"[A-Za-z0-9_+#.-]{1,40}")


def to_html(markdown: str) -> str:
    """Uses only tags and attributes of the Matrix specification; every word is escaped."""
    html = _renderer().render(parse(markdown), parser(tables=True).options, {})
    return html.strip() or escape(markdown.strip())


@cache
def _renderer() -> _Renderer:
    return _Renderer()


class _Renderer(RendererHTML):
    def s_open(self, _tokens: Sequence[Token], _at: int, _options: OptionsDict, _env: EnvType) -> str:
        return "<del>"

    def s_close(self, _tokens: Sequence[Token], _at: int, _options: OptionsDict, _env: EnvType) -> str:
        return "</del>"

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """A link to the picture: a picture from the web would tell its host who reads."""
        address = str(tokens[idx].attrGet("src"))
        label = self.renderInlineAsText(tokens[idx].children, options, env) or address
        return f'<a href="{escape(address)}">{escape(label)}</a>'

    def fence(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:  # noqa: ARG002
        info = tokens[idx].info.split()
        kind = f' class="language-{info[0]}"' if info and _LANGUAGE.fullmatch(info[0]) else ""
        return f"<pre><code{kind}>{escape(tokens[idx].content)}</code></pre>\n"

    @staticmethod
    def renderAttrs(token: Token) -> str:  # noqa: N802 - the library's name
        allowed = _ALLOWED.get(token.tag, ())
        return "".join(f' {name}="{escape(str(given))}"' for name, given in token.attrItems() if name in allowed)
