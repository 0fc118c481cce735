"""A filter of system calls for the sandbox: no socket of this machine can be opened that is not an Internet one.

Mounts cannot do this: a socket in a read-only directory can be connected to, and an abstract one is in no directory.
Pairs of connected sockets, which programs use as pipes, stay; those of datagrams do not, since one can be pointed
elsewhere.
"""

from __future__ import annotations

import errno
import os
import platform
import struct
from collections.abc import Generator
from contextlib import contextmanager

from baton.core.value import value

_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_ALLOW, _ERRNO = 0x7FFF0000, 0x00050000
_NUMBER, _ARCHITECTURE, _FIRST, _SECOND = 0, 4, 16, 24
_UNIX, _STREAM, _SEQPACKET, _TYPE_MASK = 1, 1, 5, 0xF
_OTHER_ABI = 0x40000000
_FAMILY = _ERRNO | errno.EAFNOSUPPORT
_UNKNOWN = _ERRNO | errno.ENOSYS


@value
class _Calls:
    """Numbers of system calls of one architecture. `hidden` are those that would open a socket in another way, or reach
    the keys that the kernel keeps for the user.
    """

    architecture: int
    socket: int
    pair: int
    hidden: tuple[int, ...]


_X86_64 = _Calls(0xC000003E, 41, 53, (425, 248, 249, 250))
_I386 = _Calls(0x40000003, 359, 360, (102, 425, 286, 287, 288))
_AARCH64 = _Calls(0xC00000B7, 198, 199, (425, 217, 218, 219))
_ARM = _Calls(0x40000028, 281, 288, (102, 425, 309, 310, 311))
_MACHINES = {"x86_64": (_X86_64, _I386), "aarch64": (_AARCH64, _ARM)}


def socket_filter(machine: str = "") -> bytes | None:
    """The program for the kernel; None on a machine whose calls are not known here."""
    known = _MACHINES.get(machine or platform.machine())
    return b"".join(_section(calls) for calls in known) + _return(_UNKNOWN) if known else None


@contextmanager
def filter_descriptor() -> Generator[int | None]:
    """A descriptor that bubblewrap reads the filter from; None where there is none."""
    program = socket_filter()
    if program is None:
        yield None
        return
    reader, writer = os.pipe()
    try:
        os.write(writer, program)
        os.close(writer)
        yield reader
    finally:
        os.close(reader)


def _section(calls: _Calls) -> bytes:
    """The rules for calls of one architecture; others fall through to what comes after."""
    body = b"".join(
        (
            _step(_LOAD, _NUMBER),
            *((_step(_JUMP_AT_LEAST, _OTHER_ABI, 0, 1), _return(_UNKNOWN)) if calls is _X86_64 else ()),
            *(part for each in calls.hidden for part in (_step(_JUMP_EQUAL, each, 0, 1), _return(_UNKNOWN))),
            _step(_JUMP_EQUAL, calls.socket, 0, 4),
            _step(_LOAD, _FIRST),
            _step(_JUMP_EQUAL, _UNIX, 0, 1),
            _return(_FAMILY),
            _return(_ALLOW),
            _step(_JUMP_EQUAL, calls.pair, 0, 5),
            _step(_LOAD, _SECOND),
            _step(_AND, _TYPE_MASK),
            _step(_JUMP_EQUAL, _STREAM, 2, 0),
            _step(_JUMP_EQUAL, _SEQPACKET, 1, 0),
            _return(_FAMILY),
            _return(_ALLOW),
        )
    )
    return _step(_LOAD, _ARCHITECTURE) + _step(_JUMP_EQUAL, calls.architecture, 0, len(body) // 8) + body


def _return(answer: int) -> bytes:
    return _step(_RETURN, answer)


def _step(code: int, operand: int, yes: int = 0, no: int = 0) -> bytes:
    return struct.pack("=HBBI", code, yes, no, operand)
