"""What general rules leave alone: commits, UUIDs, Baton's ids, paths, links, dates, versions, people."""

from __future__ import annotations

from baton.adapters.redaction.expression import finder

_OUR_FORM = r"[0-9]{8}_[0-9]{6}_[0-9a-f]{6}|[cpdtu]_[0-9a-hjkmnp-tv-z]{12}"
_OURS = finder(_OUR_FORM)
_UUID = finder(r"(?i)\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?")
_COMMIT = finder(r"[0-9a-f]{40}|[0-9a-f]{64}|(?:sha(?:1|224|256|384|512)|md5|blake2b)[-:=][A-Za-z0-9+/=]+")
_PLACE = (
    r"(?:~|\.{1,2}|\$[A-Z_]+|[A-Za-z]:)?(?:[/\\][\w.@%+,-]+){2,}[/\\]?"
    r"|(?:[\w.@-]+/)+[\w.@-]+\.[A-Za-z][A-Za-z0-9]{0,9}(?::[0-9:,-]+)?"
    r"|[\w-]+(?:\.[\w-]+)*\.(?:py|js|ts|tsx|jsx|go|rs|java|kt|rb|php|c|h|cpp|cs|md|txt|json|ya?ml|toml|ini|cfg|conf|sh"
    r"|sql|xml|html|css|lock|log|csv|pem|crt|cer|key|pub|env|p12|pfx|jks|so|dll|exe|zip|gz|tar|png|svg|jpg|pdf|proto|tf)"
)
_WHEN = (
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T ][0-9:.,]+(?:Z|[+-][0-9:]+)?)?|[0-9]{1,11}"
    r"|[~^<>=v]{0,2}[0-9]+(?:[.:][0-9x*]+)+(?:-[a-z]{1,8}[0-9.]{0,6})?"
)
_LEFT_ALONE = finder(f"{_OUR_FORM}|{_PLACE}|{_WHEN}")
_PERSON = finder(
    r"(?i)^[ \t>+*-]{0,8}(?:author|committer?|co-authored-by|signed-off-by|reviewed-by|tagger|from|to|cc):"
)


def is_ours(value: bytes) -> bool:
    """An id of Baton's own: no rule but an exact known value may touch it."""
    return _OURS.fullmatch(value) is not None


def is_name(value: bytes) -> bool:
    """A commit or UUID: a key only where something says so."""
    return _UUID.fullmatch(value) is not None or _COMMIT.fullmatch(value) is not None


def is_left_alone(value: bytes) -> bool:
    """An id of Baton's own, a path, a time or a number: no secret beside any name."""
    return _LEFT_ALONE.fullmatch(value) is not None


def names_a_person(data: bytes, at: int) -> bool:
    """Whether the line of `at` says who wrote something."""
    start = data.rfind(b"\n", max(0, at - 200), at) + 1
    return _PERSON.match(data[start : at + 1]) is not None
