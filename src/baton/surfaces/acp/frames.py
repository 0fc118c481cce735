"""One JSON-RPC message per line: what may come in, what goes out, and the errors for everything else."""

from __future__ import annotations

import json
from typing import Any, NoReturn, cast

from baton.surfaces.words import protocol

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
REQUEST_CANCELLED = -32800
AUTH_REQUIRED = -32000
NOT_FOUND = -32002

MOST_IN = 64 * 1024 * 1024
MOST_OUT = 32 * 1024 * 1024 - 1024

Json = dict[str, Any]

TOO_LONG = protocol.TOO_LONG.format(most=MOST_IN // 1024 // 1024)


class RpcError(Exception):
    """An error as the other side gets it. `request_id` is the request's, if it could be read."""

    def __init__(self, code: int, message: str, data: Any = None, *, request_id: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data
        self.request_id = request_id

    def as_dict(self) -> Json:
        data = {} if self.data is None else {"data": self.data}
        return {"code": self.code, "message": self.message, **data}


def decode(line: bytes) -> Json:
    """The message of one line, its envelope checked. `RpcError` says which rule is broken."""
    try:
        found: Any = json.loads(line.removeprefix(b"\xef\xbb\xbf").decode(), parse_constant=_refuse)
    except RecursionError:
        raise RpcError(PARSE_ERROR, protocol.NOT_JSON.format(reason=protocol.NESTED)) from None
    except ValueError as error:
        raise RpcError(PARSE_ERROR, protocol.NOT_JSON.format(reason=_short(error))) from None
    if isinstance(found, list):
        raise RpcError(INVALID_REQUEST, protocol.A_BATCH)
    if not isinstance(found, dict):
        raise RpcError(
            INVALID_REQUEST,
            protocol.NOT_AN_OBJECT.format(kind=protocol.KINDS.get(type(found).__name__, protocol.KIND_OTHER)),
        )
    return _check(cast("Json", found))


def _refuse(name: str) -> NoReturn:
    raise ValueError(protocol.NO_NUMBER.format(name=name))


def _short(error: ValueError) -> str:
    """Leaves out the text itself, which an encoding error would repeat."""
    text = protocol.NOT_UTF8 if isinstance(error, UnicodeDecodeError) else str(error)
    return text.partition("; use sys")[0][:200].rstrip(".")


def _check(message: Json) -> Json:
    given = message.get("id")
    known = given is None or isinstance(given, str) or (isinstance(given, int) and not isinstance(given, bool))
    if not known:
        raise RpcError(INVALID_REQUEST, protocol.BAD_ID)
    if message.get("jsonrpc") != "2.0":
        raise RpcError(INVALID_REQUEST, protocol.BAD_VERSION, request_id=given)
    if "method" in message and not isinstance(message["method"], str):
        raise RpcError(INVALID_REQUEST, protocol.BAD_METHOD, request_id=given)
    if "method" not in message and ("id" not in message or ("result" in message) == ("error" in message)):
        raise RpcError(INVALID_REQUEST, protocol.BAD_MESSAGE, request_id=given)
    return message


def encode(message: Json) -> bytes:
    """One line. Lone surrogates are written as escapes. `RpcError` if it is not JSON or too large to send."""
    try:
        line = _encode(message).encode()
    except UnicodeEncodeError:
        line = json.dumps(message, separators=(",", ":"), allow_nan=False).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise RpcError(INTERNAL_ERROR, protocol.UNWRITABLE.format(reason=error)) from None
    if len(line) > MOST_OUT:
        raise RpcError(INTERNAL_ERROR, protocol.ANSWER_TOO_LONG.format(size=len(line), most=MOST_OUT))
    return line + b"\n"


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


def table(given: Any) -> Json:
    """The value if it is an object, otherwise an empty one."""
    return cast("Json", given) if isinstance(given, dict) else {}


def result(request_id: Any, found: Any) -> Json:
    return {"jsonrpc": "2.0", "id": request_id, "result": found}


def failure(request_id: Any, error: RpcError) -> Json:
    return {"jsonrpc": "2.0", "id": request_id, "error": error.as_dict()}


def request(request_id: str, method: str, params: Json) -> Json:
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


def notification(method: str, params: Json) -> Json:
    return {"jsonrpc": "2.0", "method": method, "params": params}
