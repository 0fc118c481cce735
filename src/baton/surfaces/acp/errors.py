"""Errors as an editor gets them: one table from Baton's error tree to JSON-RPC codes, each with a readable sentence."""

from __future__ import annotations

import logging

from baton.core import errors
from baton.surfaces.acp import frames
from baton.surfaces.acp.frames import Json, RpcError
from baton.surfaces.words import protocol

CODES: tuple[tuple[type[errors.BatonError], int], ...] = (
    (errors.NotFound, frames.NOT_FOUND),
    (errors.BadInput, frames.INVALID_PARAMS),
    (errors.UnknownModel, frames.INVALID_PARAMS),
    (errors.MissingKey, frames.AUTH_REQUIRED),
    (errors.BatonError, frames.INTERNAL_ERROR),
)
TURN_CODES = {errors.MissingKey.code: frames.AUTH_REQUIRED, errors.NotFound.code: frames.NOT_FOUND}
"""Of a turn that failed, by the code of its error; everything else is an internal error."""
_log = logging.getLogger("baton.acp")


class TurnFailed(Exception):
    """A turn that ended with an error: its code and its sentence."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence


def to_rpc(error: Exception) -> RpcError:
    """`data.details` repeats the sentence, because some clients show only that."""
    if isinstance(error, RpcError):
        return error
    if isinstance(error, TurnFailed):
        code = TURN_CODES.get(error.code, frames.INTERNAL_ERROR)
        return RpcError(code, error.sentence, {"details": error.sentence, "code": error.code})
    if isinstance(error, errors.BatonError):
        code = next(number for kind, number in CODES if isinstance(error, kind))
        data: Json = {"details": str(error), **error.as_dict()}
        return RpcError(code, str(error), data)
    _log.error("unexpected", exc_info=error)
    sentence = protocol.UNEXPECTED.format(reason=f"{type(error).__name__}: {error}"[:300])
    return RpcError(frames.INTERNAL_ERROR, sentence, {"details": sentence, "code": "internal"})
