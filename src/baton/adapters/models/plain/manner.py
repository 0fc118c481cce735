"""What servers of Chat Completions do each in their own way."""

from __future__ import annotations

from baton.core.value import value


@value
class Manner:
    """`limit` is the field for the longest output: OpenAI's reasoning models refuse `max_tokens`, many servers know
    nothing else. `needs` is a field that must stand beside each call, even if empty. `ids` is how many letters and
    digits the id of a call has, if that matters. `usage` has to be asked for, except where that is refused.

    `bridges` says that a person may not speak right after a tool, `tags` that thoughts go back inside the text,
    `caches` that the prefix to keep is marked, and `inlines` that models get references in a schema wrong.
    """

    limit: str = "max_tokens"
    needs: str = ""
    ids: int = 0
    usage: bool = True
    bridges: bool = False
    tags: bool = False
    caches: bool = False
    inlines: bool = False
