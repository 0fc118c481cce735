"""Context in links: passwords before the host, and credentials given to command-line programs as `user:password`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from baton.adapters.redaction.anchor import Anchor, Hit
from baton.adapters.redaction.expression import finder
from baton.adapters.redaction.judge import Claim, is_secret, is_stand_in
from baton.adapters.redaction.names import PASSWORD
from baton.adapters.redaction.protected import is_ours
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.worth import entropy, mixed

_LINK = finder(r"""://([^\s/?#"'<>@:\x60]{0,128}):([^\s"'<>\x60]{1,512})@[\w.\[$%{-]""")
_LONE = finder(r"""://([^\s/?#"'<>@:\x60]{16,256})@""")
_USER = finder(
    r"""(?i)(?:\s-u|--user|--proxy-user|--creds|--http-auth|--auth)(?:[ \t]+|=)["']?"""
    r"""([\w.@+-]{1,64}):([^\s"'\x60]{3,256})"""
)
_PGPASS = finder(r"(?m)^(?:[\w.*-]+):(?:[0-9]{2,5}|\*):(?:[\w.*-]+):(?:[\w.@*-]+):([^\s:]{4,128})$")
_SHORT_FLAG = finder(
    r"""(?i)\b(?:mysql\w*|mongo\w*|sshpass|psql|redis-cli|docker login|ldap\w+|mariadb)"""
    r"""[^\n|;]{0,120}?\s-(?:p|a|w)[ =]?["']?([^\s"'\x60-][^\s"'\x60]{3,128})"""
)
_NETRC = finder(r"(?i)\blogin\s+\S{1,64}\s+password\s+(\S{4,128})")
_LOGIN = finder(
    r"""(?i)\b(?:login|authenticate|sign_?in|basic_?auth)\(\s*["'][^"'\n]{1,64}["']\s*,\s*["']([^"'\n]{4,128})["']"""
)
LINK = "url-password"


class LinkLayer:
    def anchors(self) -> Sequence[Anchor]:
        return [
            Anchor(r"""://[^\s/?#"'<>@:\x60]{0,128}:[^\s"'<>\x60@]{1,256}@"""),
            Anchor(r"""://[^\s/?#"'<>@:\x60]{16,256}@"""),
            Anchor(
                r"""(?:\s-u|--user|--proxy-user|--creds|--http-auth|--auth)(?:[ \t]{1,4}|=)["']?"""
                r"""[\w.@+-]{1,64}:[^\s]{3}"""
            ),
            Anchor(r"(?:^|\n)[\w.*-]{1,64}:(?:[0-9]{2,5}|\*):[\w.*-]{1,64}:[\w.@*-]{1,64}:[^\s:]{4}"),
            Anchor(
                r"\b(?:mysql\w{0,10}|mongo\w{0,10}|sshpass|psql|redis-cli|docker login|ldap\w{1,10}|mariadb)"
                r"[^\n|;]{0,120}\s-[paw][ =]?[\"']?[^\s-]",
                caseless=True,
            ),
            Anchor(r"\blogin\s{1,8}\S{1,64}\s{1,8}password\s{1,8}\S{4}", caseless=True),
            Anchor(
                r"""\b(?:login|authenticate|sign_?in|basic_?auth)\(\s{0,4}["'][^"'\n]{1,64}["']\s{0,4},\s{0,4}["'][^"'\n]{4}""",
                caseless=True,
            ),
        ]

    def kinds(self) -> Iterable[str]:
        return (LINK, "password")

    def spans(self, data: bytes, hits: Sequence[Hit]) -> Iterator[Span]:
        finders = (_LINK, _LONE, _USER, _PGPASS, _SHORT_FLAG, _NETRC, _LOGIN)
        group = (2, 1, 2, 1, 1, 1, 1)
        done = [0] * len(finders)
        for number, end in sorted(hits, key=lambda hit: hit[1]):
            if end <= done[number]:
                continue
            start = max(done[number], end - 420, 0)
            found = finders[number].search(data, start, min(len(data), end + 520))
            if found is None:
                continue
            first, last = found.span(group[number])
            done[number] = max(last, end)
            if self._worth(number, data[first:last]):
                yield Span(first, last, CONTEXT, LINK if number < 2 else "password")

    def _worth(self, number: int, held: bytes) -> bool:
        if number == 1:
            return mixed(held) and entropy(held) >= 3.0 and not is_ours(held)
        if number == 0:
            return not is_stand_in(held)
        return is_secret(Claim(PASSWORD, b"password", held, quoted=True, adjacent=True))
