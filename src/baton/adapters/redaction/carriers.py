"""Context in what is made to carry credentials: `.pgpass`, `.netrc`, login calls, clients' flags, links."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from baton.adapters.redaction.apart_rules import APART
from baton.adapters.redaction.argument_rules import ARGUMENTS
from baton.adapters.redaction.call_rules import CALLS
from baton.adapters.redaction.carrier_rules import ANYTHING, CARRIERS, KEYED, MIXED, PLACED, SHOWN, TYPED, WORD
from baton.adapters.redaction.command_rules import COMMANDS
from baton.adapters.redaction.daemon_rules import DAEMONS
from baton.adapters.redaction.device_rules import DEVICES
from baton.adapters.redaction.entropy import entropy, is_mixed, is_wordlike, looks_like_a_key
from baton.adapters.redaction.expression import Expression, Match
from baton.adapters.redaction.grain import has_grain
from baton.adapters.redaction.judge import Claim, is_secret
from baton.adapters.redaction.labelled_rules import LABELLED
from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.lookalikes import is_example, is_expression, is_ours, is_stand_in, is_text_in_program
from baton.adapters.redaction.lookup_rules import LOOKUPS
from baton.adapters.redaction.markup_rules import MARKUP
from baton.adapters.redaction.names import PASSWORD
from baton.adapters.redaction.note_rules import NOTES
from baton.adapters.redaction.programs import holds_a_place, holds_a_place_in_program, is_expression_in_program
from baton.adapters.redaction.protocol_rules import PROTOCOLS
from baton.adapters.redaction.secret_call_rules import SECRET_CALLS
from baton.adapters.redaction.serial_rules import SERIALS
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.store_rules import STORES
from baton.adapters.redaction.thresholds import (
    CARRIER_AHEAD,
    CARRIER_BACK,
    LEAST_ENTROPY,
    SHORTEST_NUMBER_ALONE,
    SHORTEST_SECRET,
    SHORTEST_TOKEN,
    USER_BACK,
)
from baton.adapters.redaction.tool_rules import TOOLS
from baton.adapters.redaction.typed import in_code, is_phrase, is_typed
from baton.adapters.redaction.work import Work

_KIND = "password"
_RULES = (
    *CARRIERS,
    *COMMANDS,
    *NOTES,
    *MARKUP,
    *LOOKUPS,
    *ARGUMENTS,
    *CALLS,
    *SERIALS,
    *PROTOCOLS,
    *APART,
    *SECRET_CALLS,
    *DAEMONS,
    *DEVICES,
    *STORES,
    *TOOLS,
    *LABELLED,
)


class CarrierLayer:
    """Passwords where a file, a call or a command keeps them."""

    def anchors(self) -> Sequence[Anchor]:
        return [Anchor(each.anchor, caseless=True) for each in _RULES]

    def kinds(self) -> Iterable[str]:
        return (_KIND,)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        done = [0] * len(_RULES)
        for number, end in sorted(hits, key=lambda hit: hit[1]):
            if end <= done[number] or work.is_unread(end):
                continue
            carrier = _RULES[number]
            if (carrier.near and not carrier.near.search(data, max(0, end - 80), end)) or not work.allows(
                end, lines=carrier.below
            ):
                continue
            start = max(done[number], end - CARRIER_BACK, 0)
            found = carrier.taken.search(data, start, min(len(data), end + carrier.ahead))
            if found is None:
                continue
            first, last = _taken_group(found)
            done[number] = max(last, end)
            while carrier.verdict in (TYPED, SHOWN) and data[last - 1] in b".,;:":
                last -= 1
            value = data[first:last]
            if carrier.unless and carrier.unless.search(data, data.rfind(b"\n", start, first) + 1 or start, first):
                continue
            named = carrier.prose and (value.isalpha() or not _shows_itself(value)) and in_code(data, first)
            named = named or holds_a_place_in_program(data, first, last) or is_expression_in_program(data, first, last)
            named = named or _is_pair_of_words(data, first, value)
            if _is_carried(value, carrier.verdict) and not named:
                yield Span(first, last, CONTEXT, _KIND)


_USER_BEFORE = re.compile(rb"""(?<![\w.@+-])([A-Za-z]{2,8}+)["']?:["']?\Z""")


def _is_pair_of_words(data: bytes, first: int, value: bytes) -> bool:
    """Whether user and password only show where they go, on both sides of a colon: `-u user:pass`, `-u test:test`."""
    if data[first - 1] not in b":\"'" or not _SHOWS_PASSWORD.fullmatch(value):
        return False
    user = _USER_BEFORE.search(data, max(0, first - USER_BACK), first)
    return user is not None and _SHOWS_USER.fullmatch(user[1]) is not None


_SHOWS_USER = re.compile(rb"(?i)user(?:name)?|usr|test|login|name|me|xxx")
_SHOWS_PASSWORD = re.compile(rb"(?i)pass(?:w(?:or)?d)?|pwd?|test|token|secret|yyy|xxx")


def _is_carried(value: bytes, verdict: int) -> bool:
    claim = Claim(PASSWORD, b"password", value, quoted=True, adjacent=True, accompanied=verdict != MIXED)
    if verdict in (TYPED, SHOWN):
        shown = verdict == TYPED or (_shows_itself(value) and not is_text_in_program(value))
        return shown and (is_typed(value) or is_phrase(value))
    if verdict == MIXED and is_expression(value) and not is_mixed(value):
        return False
    if verdict == KEYED:
        return looks_like_a_key(value) and not is_stand_in(value)
    if verdict == PLACED:
        return value.isdigit() or not (is_example(value) or holds_a_place(value))
    if is_secret(claim):
        return True
    if verdict == ANYTHING:
        return not is_example(value) or value.isdigit()
    return verdict == WORD and (is_typed(value) or is_phrase(value))


def _shows_itself(value: bytes) -> bool:
    """Whether it is more than a word, capitals with a number, or a word with a digit or two."""
    if value.isdigit():
        return len(value) >= SHORTEST_NUMBER_ALONE
    if value.isalpha():
        named = is_wordlike(value) or (not value.islower() and not value.isupper() and has_grain(value))
        return len(value) >= SHORTEST_TOKEN and not named
    return not (_STANDARD.fullmatch(value) or is_expression(value))


_STANDARD = Expression(
    r"[A-Z]{2,8}-?[0-9]{1,4}|[a-z]{2,6}-?[0-9]{1,2}|[A-Za-z]+[12]|[a-z-]+|[0-9]{1,3}(?:\.[0-9]+)+|[a-z]+://.*"
)
"""`AES256`, `oauth2`, `Password1`, `read-only`, a version: what also stands in such places."""


def _taken_group(found: Match) -> tuple[int, int]:
    """Where the value is: the one group that matched."""
    return next((span for span in found.groups() if span[0] >= 0), (0, 0))


_WITH_PASSWORD = Expression(r"""://([^\s/?#"'<>:\x60]{0,128}):([^\s"'<>\x60]{1,512})@[\w.\[$%{-]""")
_WITH_TOKEN = Expression(r"""://([^\s/?#"'<>@:\x60]{16,256})@""")
_PORT = Expression(r"[0-9]{1,5}(?:[/?#,].*)?")
_HOST = Expression(r"(?i)@(?:host(?:name)?|server|domain|address)(?:\W|$)")
_ANY_USER = Expression(r"(?i)(?:user(?:name)?|usr|name|login|me)?")
_ANY_PASSWORD = Expression(r"(?i)pass(?:w(?:or)?d)?|pwd?")
LINK = "url-password"


class LinkLayer:
    """Passwords before the host of a link, and tokens in their place."""

    def anchors(self) -> Sequence[Anchor]:
        return [
            Anchor(r"""://[^\s/?#"'<>:\x60]{0,128}:[^\s"'<>\x60@]{1,256}@"""),
            Anchor(r"""://[^\s/?#"'<>@:\x60]{16,256}@"""),
        ]

    def kinds(self) -> Iterable[str]:
        return (LINK,)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        done = [0, 0]
        for number, end in sorted(hits, key=lambda hit: hit[1]):
            if end <= done[number] or not work.allows(end):
                continue
            start = max(done[number], end - CARRIER_BACK, 0)
            until = min(len(data), end + CARRIER_AHEAD)
            found = _WITH_TOKEN.search(data, start, until) if number else _link_with_password(data, start, until)
            if found is None:
                continue
            first, last = found.span(1 if number else 2)
            if not number and (again := data.find(_LINK, first, last)) >= 0:
                last = data.find(b"@", first, again)
            if not number and (host := _HOST_AND_PATH.search(data, first, last)) is not None:
                last = host.start()
            done[number] = max(last, end)
            value = data[first:last]
            if number:
                taken = _is_token(value) and data[first - 6 : first] != b"ssh://"
            else:
                taken = _is_password(value) and not _is_form(found.group(1), value, data[last : last + 12])
            if taken and not (_means_nothing(value) and in_code(data, first)):
                yield Span(first, last, CONTEXT, LINK)


_LINK = b"://"


def _link_with_password(data: bytes, start: int, until: int) -> Match | None:
    """The next one. Where another link begins before an `@`, as in a list of hosts, it is that one."""
    while (found := _WITH_PASSWORD.search(data, start, until)) is not None:
        again = data.find(_LINK, *found.span(2))
        if again < 0 or data.find(b"@", found.start(2), again) >= 0:
            return found
        start = again
    return None


def _is_password(value: bytes) -> bool:
    """Anything there is one, even a plain word, except examples and a port with a path that contains an `@`."""
    if value.isdigit() or (_RANDOM.fullmatch(value) and is_mixed(value) and len(value) >= SHORTEST_TOKEN):
        return True
    return not (is_example(value) or _PORT.fullmatch(value))


_RANDOM = Expression(r"[.%@+!~-]?[A-Za-z0-9]*[0-9][A-Za-z]*[A-Z][A-Za-z0-9]*")
"""Letters and digits that only begin like a variable or an address: `%4086vr1QXgL`."""


def _means_nothing(value: bytes) -> bool:
    """A word that holds a place, a letter or two, or escapes alone: `http://a:b@host`, as tests of links have them."""
    return len(value) < SHORTEST_SECRET or _ESCAPES.fullmatch(value) is not None or holds_a_place(value)


_HOST_AND_PATH = Expression(r"@[\w-]+(?:\.[\w-]+)+(?::[0-9]{1,5})?/")
"""Where a link with a version ends its password: `git+https://a:x@host.example/lib.git@v2`."""
_ESCAPES = Expression(r"(?:%[0-9A-Fa-f]{2}){1,3}")


def _is_form(user: bytes, value: bytes, after: bytes) -> bool:
    """Whether it is the form of a link, spelled out: `user:password@host`, or a word that GitHub wants there."""
    if (_HOST.match(after) is not None and is_stand_in(value)) or (b"[" in user and value.endswith(b"]")):
        return True
    return value == b"x-oauth-basic" or (_ANY_USER.fullmatch(user) and _ANY_PASSWORD.fullmatch(value)) is not None


def _is_token(value: bytes) -> bool:
    return is_mixed(value) and entropy(value) >= LEAST_ENTROPY and not is_ours(value) and b"%40" not in value
