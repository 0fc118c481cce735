"""The keys that `baton setup` keeps for you: one file in Baton's home, for you alone, a variable a line.

What the environment says comes first. A file that others may read is not used: a key in it is no secret any more.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Mapping, MutableMapping
from pathlib import Path

from baton.core.errors import UnsafeCredentials

NAME = "credentials"
_LINE = re.compile(r"([A-Z][A-Z0-9_]{1,60})=([\x21-\x7e]{1,4000})")


def read_credentials(home: Path) -> dict[str, str]:
    """Variables and their values; none without a file. `UnsafeCredentials` if anybody else could have read it."""
    path = home / NAME
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)) as file:
            held = os.fstat(file.fileno())
            if not stat.S_ISREG(held.st_mode) or held.st_uid != os.getuid() or held.st_mode & 0o077:
                raise UnsafeCredentials(path=str(path))
            found = (_LINE.fullmatch(line.strip()) for line in file.read(100_000).splitlines())
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UnsafeCredentials(path=str(path)) from error
    return {each[1]: each[2] for each in found if each}


def keep_credential(home: Path, variable: str, key: str) -> Path:
    """Writes the key into the file, which is replaced whole. `ValueError` for what cannot be a key."""
    if not _LINE.fullmatch(f"{variable}={key}"):
        raise ValueError(variable)
    return _write(home, {**read_credentials(home), variable: key})


def forget_credential(home: Path, variable: str) -> bool:
    """Whether it was kept."""
    held = read_credentials(home)
    if variable not in held:
        return False
    del held[variable]
    _write(home, held)
    return True


def lend(home: Path, environ: MutableMapping[str, str]) -> None:
    """Sets those variables that the environment does not have."""
    for name, key in read_credentials(home).items():
        environ.setdefault(name, key)


def _write(home: Path, held: Mapping[str, str]) -> Path:
    from baton.config.private_file import replace_private  # reading happens at every start, writing seldom

    replace_private(home / NAME, "".join(f"{variable}={key}\n" for variable, key in sorted(held.items())))
    return home / NAME
