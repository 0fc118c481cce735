"""`baton sessions search`."""

from __future__ import annotations

import argparse

from baton.core.display import plain
from baton.core.errors import BadInput
from baton.core.log.search import Hit
from baton.core.value import asdict
from baton.surfaces.cli.app import App
from baton.surfaces.cli.terminal import Terminal
from baton.surfaces.shared.formats import iso, local

NOTHING = "Nothing found."
INDEXING = "Indexing"


def search(app: App, options: argparse.Namespace) -> int:
    if options.limit < 1:
        raise BadInput(reason=f"--limit {options.limit} is not allowed. Allowed: 1 or more.")
    hits = app.store().search.find(" ".join(options.query), options.limit, app.terminal.progress(INDEXING))
    if options.json:
        app.terminal.json([{**asdict(hit), "at": iso(hit.at)} for hit in hits])
        return 0
    shown = ""
    for hit in hits:
        if hit.conversation_id != shown:
            shown = hit.conversation_id
            title = app.terminal.style(hit.title, "bold")
            app.terminal.line(f"{title}  {app.terminal.style(hit.conversation_id, 'cyan')}")
        app.terminal.line(
            f"  {app.terminal.style(f'{local(hit.at)} {hit.kind:<11}', 'dim')} {_marked(app.terminal, hit)}"
        )
    if not hits:
        app.terminal.note(NOTHING)
    return 0


def _marked(terminal: Terminal, hit: Hit) -> str:
    pieces: list[str] = []
    end = 0
    for start, stop in hit.spans:
        pieces += [plain(hit.snippet[end:start]), terminal.style(plain(hit.snippet[start:stop]), "yellow", "bold")]
        end = stop
    return "".join([*pieces, plain(hit.snippet[end:])])
