"""A reader of one transcript format. Whatever the source looks like, what comes out is in Baton's own vocabulary.

    user         {"text", "source": {"file", "line"}}                        verbatim, noise of the source left out
    assistant    {"text", "calls": [{"id", "name", "args"}], "model", "stop", "usage"}
    tool_call    {"id", "name", "args", "title"}                             directly before its result
    tool_result  {"id", "name", "text", "ok", "details"}                     details as Baton's own tools give them
    compression  {"outcome": "compressed", "foreign": true, "summary", …}    of the source's own; it drops nothing
    note         {"foreign", …}                                              what is kept for the record only

Tools that Baton has go by Baton's name: `shell` (details exit, command), `edit` and `write` (path, created, deleted),
`read`, `search`, `list`, `fetch`, `plan` (items: always the whole list). The source's own name is details["foreign"].
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from baton.core.log.entry import NewEntry
from baton.core.value import field, value


@value
class Imported:
    """One conversation as it was read. `id` is the source's own.

    `cuts` are indexes into `entries`: where a new context began in the source. `skipped` counts what was not taken over
    by its reason, `dead` the entries on branches the user had left. `branch` and `head` are of the last record.
    """

    id: str
    title: str
    workspace: str
    entries: tuple[NewEntry, ...]
    cuts: tuple[int, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    dead: int = 0
    source: str = ""
    format: str = ""
    parent: str = ""
    branch: str = ""
    head: str = ""


class Importer(Protocol):
    @property
    def name(self) -> str: ...

    def recognises(self, path: Path) -> bool:
        """Whether the file looks like this format. Reads its beginning only; never raises."""
        ...

    def read(self, path: Path) -> Imported:
        """The whole conversation. Torn, hostile and unknown records are counted, never raised.

        `BadInput` if the file cannot be read, or holds nothing of this format.
        """
        ...
