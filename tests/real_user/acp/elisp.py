"""Emacs Lisp read as data: lists, symbols, strings and quotes, which is all a configuration is made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_TOKEN = re.compile(r"""\s+|;[^\n]*|(?P<token>[()']|"(?:\\.|[^"\\])*"|[^\s()'";]+)""")


class Symbol(str):
    """A name, as opposed to a text."""

    __slots__ = ()


def read(text: str) -> list[Any]:
    """The forms of a text. `ValueError` if it does not end where it should."""
    tokens = _tokens(text)
    forms = [_form(token, tokens) for token in tokens]
    return [form for form in forms if form is not None]


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise ValueError(f"no Lisp at {text[at : at + 20]!r}")
        at = found.end()
        if found["token"]:
            yield found["token"]


def _form(token: str, tokens: Iterator[str]) -> Any:
    if token == "(":
        return _list(tokens)
    if token == ")":
        raise ValueError("a parenthesis too many")
    if token == "'":
        return [Symbol("quote"), _form(_next(tokens), tokens)]
    if token.startswith('"'):
        return token[1:-1].replace('\\"', '"').replace("\\\\", "\\")
    return Symbol(token)


def _list(tokens: Iterator[str]) -> list[Any]:
    found: list[Any] = []
    while (token := _next(tokens)) != ")":
        found.append(_form(token, tokens))
    return found


def _next(tokens: Iterator[str]) -> str:
    try:
        return next(tokens)
    except StopIteration:
        raise ValueError("a parenthesis too few") from None


def calls(form: Any, name: str) -> Iterator[list[Any]]:
    """Every call of a function in a form, however deep."""
    if isinstance(form, list):
        if form and form[0] == Symbol(name):
            yield form[1:]
        for each in form:
            yield from calls(each, name)


def keywords(arguments: list[Any]) -> dict[str, Any]:
    """`:name value …` as a table; `ValueError` if it is not one."""
    names, values = arguments[::2], arguments[1::2]
    if len(names) != len(values) or not all(isinstance(each, Symbol) and each.startswith(":") for each in names):
        raise ValueError(f"no keywords: {arguments}")
    return {name.removeprefix(":"): each for name, each in zip(names, values, strict=True)}
