"""A separate program that runs one command and stays until nothing of it is left.

Every process whose parent has died becomes a child of this one, so none can get out of its sight, whatever environment
or session it chose. When the other end of `control` is closed, by intent or because Baton was killed, all of them are
ended. It imports nothing of Baton. Called with two descriptors and the command; writes the exit code to the second.
"""

from __future__ import annotations

import ctypes
import os
import select
import signal
import sys
import time

_SUBREAPER = 36
_PARENT_DEATH = 1
_GRACE = 0.3
_GIVE_UP = 10.0
_PAUSE = 0.01
_LONG = 3600.0


def main() -> int:
    control, status, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    _prctl(_SUBREAPER, 1)
    woken, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT, signal.SIGCHLD):
        signal.signal(number, _note)
    if select.select([control], [], [], 0)[0]:
        return 0
    child = os.fork()
    if child == 0:
        _become(command, (control, status, woken, wake))
    _let_go(keep={control, status, woken, wake})
    while control not in select.select([control, woken], [], [], _LONG)[0]:
        os.read(woken, 4096)
        _reap(child, status)
    _end_all(child, status)
    return 0


def _become(command: list[str], held: tuple[int, ...]) -> None:
    """Never returns."""
    try:
        os.setsid()
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        _prctl(_PARENT_DEATH, signal.SIGKILL)
        for descriptor in held:
            os.close(descriptor)
        os.execv(command[0], command)  # noqa: S606, the command that was asked for
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    finally:
        os._exit(127)


def _let_go(keep: set[int]) -> None:
    """The command's output ends when the command and those it started have ended, not when this does."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nothing, descriptor)
    for name in os.listdir("/dev/fd"):
        if int(name) > 2 and int(name) not in keep:
            try:
                os.close(int(name))
            except OSError:
                continue


def _reap(child: int, status: int) -> bool:
    """Takes note of who ended. False if there are no children left."""
    while True:
        try:
            pid, ended = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return False
        if pid == 0:
            return True
        if pid == child:
            _tell(status, os.waitstatus_to_exitcode(ended))


def _tell(status: int, code: int) -> None:
    try:
        os.write(status, b"%d\n" % (code if code >= 0 else 128 - code))
    except OSError:
        return  # Baton was killed; what its command left behind is still to be ended


def _end_all(child: int, status: int) -> None:
    begun = time.monotonic()
    while _reap(child, status) and time.monotonic() < begun + _GIVE_UP:
        number = signal.SIGTERM if time.monotonic() < begun + _GRACE else signal.SIGKILL
        for pid in _below(os.getpid()) if os.path.isdir("/proc/self") else [-child]:
            for each in (number, signal.SIGCONT):
                try:
                    os.kill(pid, each)
                except OSError:
                    break
        time.sleep(_PAUSE)


def _below(top: int) -> list[int]:
    """All descendants."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
            except OSError:
                continue
            if fields[0] not in (b"Z", b"X"):
                children.setdefault(int(fields[1]), []).append(int(name))
    found: list[int] = []
    waiting = [top]
    while waiting:
        following = children.get(waiting.pop(), [])
        found += following
        waiting += following
    return found


def _prctl(option: int, argument: int) -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, argument, 0, 0, 0)


def _note(_number: int, _frame: object) -> None:
    """The signal is seen through its descriptor; a handler, unlike ignoring, is not passed on to the command."""


if __name__ == "__main__":
    sys.exit(main())
