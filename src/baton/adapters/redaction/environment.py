"""The secrets among named values, as an environment and `.env` files hold them.

A known value is cut wherever it stands, so `true`, `localhost`, a user name or a path must not become one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import parse_qsl, unquote, urlsplit

from baton.adapters.redaction.entropy import entropy, is_wordlike
from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.lookalikes import is_stand_in
from baton.adapters.redaction.programs import holds_a_place
from baton.adapters.redaction.rules_file import common_words
from baton.adapters.redaction.thresholds import (
    FEWEST_DIFFERENT,
    LEAST_ENTROPY,
    SHORTEST_KNOWN,
    SHORTEST_KNOWN_UNNAMED,
    SHORTEST_SECRET,
)

_SECRET_NAME = Expression(
    r"(?i)pass|pwd|secret|token|key|cred|auth|private|cert|salt|seed|sign|cookie|session|dsn|conn|jwt|mnemonic|hook|pin$"
)
_NOT_SECRET = Expression(
    r"(?i)(?:public|publishable).?key|key.?(?:name|id|file|path)$|(?:_path|_file|_dir|_host|_port|_url|_sock|_user|_pid)$"
    r"|^(?:ssh_auth_sock|xauthority|gpg_agent_info|keyring)"
)
_PASSWORD_NAME = Expression(
    r"(?i)pass(?:w|phrase|code|$)|pwd|(?:^|_)(?:pin|secret|otp|token|api_?key)$|secret_?key$|_pass$|_pw$"
)
_ORDINARY = Expression(
    r"(?i)[0-9.,:/ +-]*"
    r"|(?:~|\.{1,2})?/[^\s]*|[a-z]:[\\/].*|\S*/\S*:/\S*"
    r"|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|(?:[\w-]+\.)+[a-z]{2,24}(?::[0-9]+)?(?:/[\w./-]*)?"
    r"|v?[0-9]+(?:\.[0-9]+)+[\w.+-]*"
    r"|[a-z]{2}_[a-z]{2}(?:\.[\w-]+)?"
    r"|[0-9]{4}-[0-9]{2}-[0-9]{2}[0-9t:.z+-]*"
    r"|[0-9]{8}_[0-9]{6}_[0-9a-f]{6}"
)


def secrets_of(environ: Mapping[str, str], *, trusted: bool = False) -> dict[str, str]:
    """The secrets among named values. `trusted`: all of them are known to be secrets, as in a credential store."""
    found: dict[str, str] = {}
    openly = set[str]() if trusted else _told_openly(environ)
    for name, held in environ.items():
        for number, part in enumerate(dict.fromkeys(_secrets(name, held, trusted))):
            if part not in openly:
                found[f"{name} {number + 1}" if number else name] = part
    return found


def _told_openly(environ: Mapping[str, str]) -> set[str]:
    """Words that are also a user, a database or the like: `shop` as the password of `shop` would cut every mention of
    the project. Beside a word for a password a rule still takes it.
    """
    plain = (
        held.strip() for name, held in environ.items() if _SECRET_NAME.search(name.encode("utf-8", "replace")) is None
    )
    return {held for held in plain if held.isalpha()}


def doubtful_of(environ: Mapping[str, str]) -> dict[str, str]:
    """Values that are called a password, and look like a number, a host, a name or a short word: too common to be cut
    within other text, so that `reach.py` says how far each is looked for.
    """
    found: dict[str, str] = {}
    openly = _told_openly(environ)
    for name, held in environ.items():
        value, label = held.strip(), name.encode("utf-8", "surrogatepass")
        if _PASSWORD_NAME.search(label) is None or _NOT_SECRET.search(label) is not None or "://" in value:
            continue
        short = len(value) < (SHORTEST_KNOWN if value.isalpha() else SHORTEST_SECRET)
        if not short and value not in openly and value.lower() not in common_words() and value[0] not in "/~":
            found[name] = value
    return found


def _secrets(name: str, held: str, trusted: bool) -> Iterator[str]:
    whole = held.strip()
    if "://" in whole:
        yield from (part for part in _parts_of_link(whole) if _is_long_enough(part, SHORTEST_KNOWN))
    if _is_long_enough(whole, SHORTEST_KNOWN) and (trusted or _is_secret(name, whole)):
        yield whole


def _is_secret(name: str, value: str) -> bool:
    raw = value.encode("utf-8", "surrogatepass")
    label = name.encode("utf-8", "surrogatepass")
    named = _SECRET_NAME.search(label) is not None and _NOT_SECRET.search(label) is None
    if is_stand_in(raw) or holds_a_place(raw) or value.lower() == name.lower():
        return False
    if _is_ordinary(raw):
        return named and _is_dotted_by_chance(value)
    if named:
        return True
    return (
        len(raw) >= SHORTEST_KNOWN_UNNAMED
        and b" " not in raw
        and not is_wordlike(raw)
        and entropy(raw) >= LEAST_ENTROPY
    )


def _is_ordinary(raw: bytes) -> bool:
    """Numbers, paths, addresses, hosts, versions, dates, plain links and our own ids: never a secret by themselves."""
    if b"://" in raw and raw.count(b"://") == 1:
        return True
    return _ORDINARY.fullmatch(raw) is not None


def _is_dotted_by_chance(value: str) -> bool:
    """Whether a value in the form of a host name is random nevertheless: upper case, lower case and digits in turn."""
    kinds = any(map(str.isupper, value)) and any(map(str.islower, value)) and any(map(str.isdigit, value))
    return kinds and value.isascii() and not set(value) & set("/:@ \\") and not is_wordlike(value.encode())


def _is_long_enough(part: str, least: int) -> bool:
    return len(part) >= least and part.lower() not in common_words() and len(set(part)) >= FEWEST_DIFFERENT


def _parts_of_link(link: str) -> Iterator[str]:
    """The password of a link, and values of its query with a secret's name; decoded and as written."""
    try:
        split = urlsplit(link)
        written = split.netloc.rpartition("@")[0].partition(":")[2]
        asked = parse_qsl(split.query)
    except ValueError:
        return
    yield from {written, unquote(written)}
    for key, held in asked:
        if _is_secret(key, held) and _SECRET_NAME.search(key.encode("utf-8", "surrogatepass")):
            yield held


_LINE = Expression(
    r"""(?m)^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]{0,200})[ \t]*[=:][ \t]*("(?:[^"\\]|\\.)*"|'[^']*'|[^\r\n]*)"""
)
_COMMENT = Expression(r"[ \t]#.*$")


def parse_env(content: bytes) -> dict[str, str]:
    found: dict[str, str] = {}
    for match in _LINE.finditer(content):
        name = match.group(1).decode("ascii", "replace")
        found[name] = _unquote(match.group(2)).decode("utf-8", "replace")
    return found


def is_env(name: str) -> bool:
    return name == ".envrc" or name.startswith(".env.") or name in (".env", "env.local") or name.endswith(".env")


def _unquote(written: bytes) -> bytes:
    held = written.strip()
    if held[:1] in (b'"', b"'") and held[-1:] == held[:1] and len(held) >= 2:
        inner = held[1:-1]
        return inner.replace(b'\\"', b'"').replace(b"\\n", b"\n") if held[:1] == b'"' else inner
    comment = _COMMENT.search(held)
    return held[: comment.start()].rstrip() if comment else held
