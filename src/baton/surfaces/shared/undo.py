"""Undo as every surface says it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.surfaces.shared.shapes import COUNT, TEXT, Field, Shape, one_of
from baton.surfaces.words import commands as words
from baton.surfaces.words import fields as docs

if TYPE_CHECKING:
    from baton.engine.turns.undo import Undone

UNDONE: Shape[Undone] = Shape(
    "undone",
    Field("undone", one_of("compression", "handoff"), docs.UNDONE_UNDONE, lambda it: it.what),
    Field("session_id", TEXT, docs.UNDONE_SESSION_ID),
    Field(
        "previous_session_id",
        TEXT,
        docs.UNDONE_PREVIOUS_SESSION_ID,
        lambda it: it.previous_id,
    ),
    Field("tokens", COUNT, docs.UNDONE_TOKENS),
)


def describe_undone(done: Undone) -> str:
    return words.UNDONE.format(what=done.what, tokens=done.tokens)
