"""Tokens that stand alone: long, and mixing capitals, small letters and digits as no word, path or commit does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from baton.adapters.redaction.entropy import entropy, is_hex, wordlike
from baton.adapters.redaction.expression import finder
from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.lookalikes import is_name, is_ours
from baton.adapters.redaction.span import CONTEXT, Span

KIND = "token"
_MIXED = r"[a-z][0-9][A-Z]|[a-z][A-Z][0-9]|[A-Z][a-z][0-9]|[A-Z][0-9][a-z]|[0-9][a-z][A-Z]|[0-9][A-Z][a-z]"
_SMALL = r"(?:^|[^\w./-])[0-9a-f]{0,15}[g-z][0-9a-z]{27}"
_BEFORE = finder(r"[A-Za-z0-9_+=-]*$")
_AFTER = finder(r"[A-Za-z0-9_+/=-]*")
_NAMED_HASH = finder(
    r"(?i)(?:sha(?:1|224|256|384|512)|md5|integrity|checksum|digest(?:value)?|hash|resolved|etag|h1)[\"'\s:=>-]{0,6}$"
)
_IDENTIFIER = finder(
    r"(?i)(?:msg|toolu|srvtoolu|tool|call|req|resp|response|run|thread|asst|file|batch|wrkspc|org|user|usr|proj|item|evt|event"
    r"|cus|sub|pi|ch|in|prod|price|conv|rs|fc|ws|container|skill|vs|step|chatcmpl|cmpl|gen|trace|span|job|task|id|rlg|acct)[_-].*"
)
_WITHIN = b"./\\@:%#~?&"
_SHORTEST = {0: 24, 1: 30}
_BACK = 128


class BareTokenLayer:
    def anchors(self) -> Sequence[Anchor]:
        return [Anchor(f"(?:{_MIXED})"), Anchor(_SMALL)]

    def kinds(self) -> Iterable[str]:
        return (KIND,)

    def spans(self, data: bytes, hits: Sequence[Hit]) -> Iterator[Span]:
        done = 0
        for which, end in hits:
            if end <= done:
                continue
            before = _BEFORE.search(data[max(0, end - _BACK) : end])
            start = end - len(before.group()) if before else end
            after = _AFTER.match(data, end, min(len(data), end + 4096))
            last = after.end() if after else end
            done = last
            if self._worth(which, data, start, last):
                yield Span(start, last, CONTEXT, KIND)

    def _worth(self, which: int, data: bytes, start: int, last: int) -> bool:
        held = data[start:last]
        if not _SHORTEST[which] <= len(held) <= 400 or held.count(b"/") > 2 or held.count(b"-") + held.count(b"_") > 6:
            return False
        if (start and data[start - 1] in _WITHIN) or (last < len(data) and data[last] in b"./\\@:("):
            return False
        if (
            is_hex(held)
            or _IDENTIFIER.fullmatch(held)
            or is_name(held)
            or is_ours(held)
            or _NAMED_HASH.search(data[max(0, start - 24) : start])
        ):
            return False
        digits = sum(byte in b"0123456789" for byte in held)
        return digits >= len(held) * 0.08 and entropy(held) >= 3.7 and not wordlike(held)
