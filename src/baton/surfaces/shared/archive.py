"""An export as a file: whole and private, or not at all."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from baton.core.errors import AlreadyExists, StoreFull, StoreReadOnly
from baton.engine.archive import export_lines
from baton.surfaces.words import files as words

if TYPE_CHECKING:
    from collections.abc import Iterable

    from baton.ports.store import Store


def write_export(store: Store, ids: list[str], path: str, *, replace: bool = False) -> None:
    """An export as a new private file; `AlreadyExists` unless it may replace one."""
    _write(path, export_lines(store, ids), replace=replace)


def _write(path: str, lines: Iterable[str], *, replace: bool) -> None:
    """The file whole and private, or not at all."""
    if os.path.lexists(path) and not replace:
        raise AlreadyExists(noun="file", value=path, suggestion=words.REPLACE)
    partial = f"{path}.{os.getpid()}.partial"
    try:
        descriptor = os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.writelines(f"{line}\n" for line in lines)
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, path)
    except OSError as error:
        raise _unwritable(path, error) from error
    finally:
        if os.path.lexists(partial):
            os.unlink(partial)


def _unwritable(path: str, error: OSError) -> StoreFull | StoreReadOnly:
    if error.errno == 28:
        return StoreFull(path=path)
    return StoreReadOnly(path=path, reason=error.strerror or str(error))
