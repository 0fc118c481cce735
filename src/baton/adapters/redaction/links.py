"""Context in links: passwords before the host, and tokens in their place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from baton.adapters.redaction.anchor import Anchor, Hit
from baton.adapters.redaction.expression import finder
from baton.adapters.redaction.protected import is_ours
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.standin import is_example, is_stand_in
from baton.adapters.redaction.worth import entropy, mixed

_LINK = finder(r"""://([^\s/?#"'<>:\x60]{0,128}):([^\s"'<>\x60]{1,512})@[\w.\[$%{-]""")
_LONE = finder(r"""://([^\s/?#"'<>@:\x60]{16,256})@""")
_PORT = finder(r"[0-9]{1,5}(?:[/?#,].*)?")
_HOST = finder(r"(?i)@(?:host(?:name)?|server|domain|address)(?:\W|$)")
LINK = "url-password"


class LinkLayer:
    def anchors(self) -> Sequence[Anchor]:
        return [
            Anchor(r"""://[^\s/?#"'<>:\x60]{0,128}:[^\s"'<>\x60@]{1,256}@"""),
            Anchor(r"""://[^\s/?#"'<>@:\x60]{16,256}@"""),
        ]

    def kinds(self) -> Iterable[str]:
        return (LINK,)

    def spans(self, data: bytes, hits: Sequence[Hit]) -> Iterator[Span]:
        done = [0, 0]
        for number, end in sorted(hits, key=lambda hit: hit[1]):
            if end <= done[number]:
                continue
            start = max(done[number], end - 420, 0)
            found = (_LONE if number else _LINK).search(data, start, min(len(data), end + 520))
            if found is None:
                continue
            first, last = found.span(1 if number else 2)
            done[number] = max(last, end)
            held = data[first:last]
            if _is_token(held) if number else _is_password(held) and not _is_form(held, data[last : last + 12]):
                yield Span(first, last, CONTEXT, LINK)


def _is_password(held: bytes) -> bool:
    """Whatever stands there, a plain word too; not a port with a path that holds an `@`."""
    return not (is_example(held) or _PORT.fullmatch(held))


def _is_form(held: bytes, after: bytes) -> bool:
    """The form of a link, spelled out: `user:password@host`."""
    return _HOST.match(after) is not None and is_stand_in(held)


def _is_token(held: bytes) -> bool:
    return mixed(held) and entropy(held) >= 3.0 and not is_ours(held)
