"""Text that breaks programs: known kinds by hand, and hundreds of seeded mixtures of them."""

from __future__ import annotations

import random

SEED = 20260527
MILLION = 1_000_000

_CONTROLS = [
    "\0",
    "a\0b",
    "\a\b",
    "\x1b",
    "\x7f",
    "\x85",
    "\x9b31m",
    "a\tb",
    "a\nb",
    "a\r\nb",
    "\u2028",
    "\u2029",
    "\ufeffx",
]
_SURROGATES = ["\ud800", "a\udfffb", "\udc00\ud800", "\ud83d\ude00", "\udcff" * 3]
_UNICODE = [
    "\u202egnp.exe",
    "\u2066abc\u2069",
    "\u200b",
    "a\u0301\u0323",
    "Z\u0351\u036b\u0343\u036a" * 30,
    "\u1e9e\u0130\u0131",
    "\ufdfa" * 40,
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\U0010ffff",
    "\ue000",
    "\ufffe",
    "\u3164",
    "\u00ad",
    "\u0661\u0662",
    "\u05d0\u05d1 abc",
    "\u4f60\u597d",
    "\uac00\ub098",
    "\u0e01\u0e33",
    "\ufb01le",
    "Å\u212b",
    "ſK",
]
_PATHS = [
    "../../etc/passwd",
    "/etc/passwd",
    "..\\..\\windows\\win.ini",
    "C:\\boot.ini",
    "\\\\server\\share",
    "~",
    "~root/.ssh",
    "file:///etc/passwd",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "....//....//etc/passwd",
    ".",
    "..",
    "/",
    "./x",
    "-rf",
    "--help",
    "a/b/c.db",
    "baton.db-wal",
    "x.jsonl\0.txt",
    "$HOME/.bashrc",
    "/dev/full",
    "/proc/self/mem",
    "\u2025/\u2025/etc/passwd",
]
_DEVICES = ["CON", "con.txt", "PRN", "AUX", "NUL", "nul.db", "COM1", "LPT9", "CLOCK$", "aux.", "com1 "]
_FORMATS = [
    "%s%s%s%n",
    "%d",
    "%(x)s",
    "{}",
    "{0}",
    "{x.__class__}",
    "{0.__globals__}",
    "${7*7}",
    "{{7*7}}",
    "$(id)",
    "%x" * 20,
]
_SQL = [
    "'; DROP TABLE conversation; --",
    "' OR '1'='1",
    "1; SELECT pg_sleep(9)",
    "%",
    "_",
    "a%b_c",
    "\\",
    "\\'",
    '"',
    "''",
    "$$; DELETE FROM entry; $$",
    "E'\\x41'",
    ":id",
    "%(id)s",
    "?",
    "/* */",
    "--",
    "x' UNION SELECT sql FROM sqlite_master--",
]
_SHELL = [
    "; rm -rf /",
    "`id`",
    "$(reboot)",
    "| cat /etc/shadow",
    "&& false",
    "\n:(){ :|:& };:",
    "a;b",
    "'\"\\$`",
    "!!",
    "* ? [a]",
]
_ESCAPES = [
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\x1b]52;c;ZWNobw==\x07",
    "\x1b[2J\x1b[H",
    "\x1bP+q544e\x1b\\",
    "\x1b[?1049h",
    "\x1b]8;;http://x\x1b\\y",
    "\r hidden",
    "abc\b\b\bxyz",
]
_MARKUP = [
    "<script>alert(1)</script>",
    "<!--",
    "]]>",
    "&lt;&#0;",
    "[x](javascript:alert(1))",
    "```",
    "# not a heading",
    "\\u0000",
]
_JSON = [
    "null",
    "true",
    "NaN",
    "{}",
    "[]",
    '{"a":1}',
    "1e400",
    "-0",
    '"',
    '{"type":"end"}',
    "\\ud800",
    "__proto__",
    "constructor",
]
_NUMBERS = ["0", "-1", "1.5", str(2**63), str(10**400), "1" * 5000, "0x10", "1_000", "+1", "∞", "①", "1e9", "1."]
_IDS = [
    "c_",
    "c_000000000000",
    "c_00000000000",
    "c_0000000000000",
    "C_000000000000",
    "c_00000000000I",
    "c_000000000000\n",
    "t_0",
    "20260527_123456_abcdef",
    "20260527_123456_ABCDEF",
    "20260527_123456_abcdeg",
    "20260527_123456_abcdef/..",
    "99999999_999999_ffffff",
    "c_000000000000'",
    "p_000000000000",
    "1790000000000000.c_000000000000",
    "999999999999999999999.c_000000000000",
    ".c_000000000000",
    "-5.c_000000000000",
    "٣.c_000000000000",
    "telegram:1",
    "telegram:1:2:3",
    "telegram:%2",
    "telegram:%FF",
    "telegram:a%2f",
    "Telegram:1",
    "telegram:",
    ":1",
    "a" * 33 + ":1",
    "telegram:" + "x" * 600,
    "telegram:" + "%F0%9F%98%80" * 512,
    "telegram:%00",
    "cli:~",
]
_QUERIES = [
    "a AND b",
    "a OR",
    "NOT",
    "NEAR(a b, 2)",
    "text:secret",
    "words:a",
    '"unclosed',
    '""',
    "*",
    "a*",
    '"a"*',
    "^a",
    "a + b",
    "-a",
    "(a",
    "a)",
    "{a b}: c",
    "rowid:1",
    "a NEAR/3 b",
    "'",
    "a&b",
    "a|b",
    "!a",
    "a<->b",
    "a:*",
    "<->",
    "\\:*",
    "a''b",
    "+",
    "@@",
    " ".join(f"w{n}" for n in range(10_000)),
    "_".join(f"w{n}" for n in range(3_000)),
    '"' + "w " * 5_000 + '"',
    "x" * 70_000,
]
_BLANKS = [
    "",
    " ",
    "\u00a0",
    "\u3000\u3000",
    " a ",
    "\ta",
    "a" * 200,
    "a" * 201,
    "\U0001f600" * 200,
    "é" * 4096,
    "é" * 4097,
]
_LONG = ["x" * MILLION, "\x1b" * MILLION, "\u202e" * MILLION, "../" * (MILLION // 3), "\U0001f600" * (MILLION // 4)]


def _dense(length: int, seed: int = SEED) -> str:
    """Nothing that repeats, four bytes a character: what no index can make smaller."""
    picked = random.Random(seed)
    return "".join(chr(picked.randrange(0x20000, 0x2A6DF)) for _ in range(length))


_DENSE = [_dense(length) for length in (12, 200, 500, 512, 1000, 4096)]

KINDS: dict[str, list[str]] = {
    "controls": _CONTROLS,
    "surrogates": _SURROGATES,
    "unicode": _UNICODE,
    "paths": _PATHS,
    "devices": _DEVICES,
    "formats": _FORMATS,
    "sql": _SQL,
    "shell": _SHELL,
    "escapes": _ESCAPES,
    "markup": _MARKUP,
    "json": _JSON,
    "numbers": _NUMBERS,
    "ids": _IDS,
    "queries": _QUERIES,
    "blanks": _BLANKS,
    "dense": _DENSE,
    "long": _LONG,
}


def texts(count: int, seed: int = SEED) -> list[str]:
    """At least `count` different ones: everything above, then mixtures. The same seed gives the same texts."""
    found = dict.fromkeys(text for kind in KINDS.values() for text in kind)
    pieces = [text for text in found if 0 < len(text) <= 200]
    mixed = random.Random(seed)
    while len(found) < count:
        found.setdefault(_mixture(pieces, mixed))
    return list(found)


def _mixture(pieces: list[str], mixed: random.Random) -> str:
    text = mixed.choice([" ", "", "/", "\0", ":", "\n"]).join(mixed.choices(pieces, k=mixed.randint(2, 4)))
    cut = mixed.randrange(len(text) + 1)
    flip = chr(mixed.choice([mixed.randrange(0x20), mixed.randrange(0x80, 0x2100), mixed.randrange(0xD7F0, 0x11000)]))
    return mixed.choice([text, text[:cut], text[:cut] + flip + text[cut:], text * 2])
