# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Where files, commands and programs' own messages keep a password: one row each.

A row says where to look (`anchor`, for the prefilter, without regard to case), what to take (`taken`, the one group
that matched), how much the value must show (`verdict`), and carries its own examples, with the value between « and »,
and its counter-examples, which must stay as they are. Tests read both from here.
"""

from __future__ import annotations

import re

from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.thresholds import CARRIER_AHEAD, TOKEN_AHEAD
from baton.core.value import value

ANYTHING, WORD, MIXED, TYPED, SHOWN, ALIKE, PLACED, KEYED = range(8)
"""Any value that is no variable or placeholder; also no word about a password; what may be a password in quotes; what
people type, but no word of a sentence; only what shows itself: no plain word, no name with a number, no standard; one
digit again and again, by the row's own pattern; any value by its place, but no word that holds one; the
length and the signs of a key."""


@value
class CarrierRule:
    name: str
    anchor: str
    taken: Expression
    verdict: int
    examples: tuple[str, ...]
    left: tuple[str, ...] = ()
    ahead: int = CARRIER_AHEAD
    prose: bool = False
    near: re.Pattern[bytes] | None = None
    below: bool = False
    unless: re.Pattern[bytes] | None = None


_CLASS_WITHOUT = re.compile(r"\[\^(?:\\.|[^\]\\])*\]")


def row(
    name: str,
    anchor: str,
    taken: str,
    verdict: int = WORD,
    *,
    examples: tuple[str, ...],
    left: tuple[str, ...] = (),
    ahead: int = CARRIER_AHEAD,
    prose: bool = False,
    near: str = "",
    unless: str = "",
) -> CarrierRule:
    """`prose`: it holds only outside code, where the same words name variables. `near`: what stands in the 80 bytes up
    to the anchor's end, for one that is quick to search for and common; places without it are not looked at. `below`: the expression has
    line breaks, so the value may stand on a later line than its place. `unless`: what must not stand on the line
    before the value.
    """
    told = re.compile(f"(?i){near}".encode()) if near else None
    below = "\\n" in _CLASS_WITHOUT.sub("", taken)
    otherwise = re.compile(f"(?i){unless}".encode()) if unless else None
    taken_there = Expression(f"(?i){taken}")
    return CarrierRule(name, anchor, taken_there, verdict, examples, left, ahead, prose, told, below, otherwise)


_CALL = (
    r"(?:login|log_in|authenticate|sign_?in|basic_?auth|http(?:basic|digest)auth|auth[ \t]{0,2}=[ \t]{0,2}"
    r"|(?:network|password|basic|plain|static)?credentials?|passwordauthentication|usernamepasswordtoken)"
)
_QUOTED = r"""["'][^"'\n]{1,64}["']"""
_NAME = (
    r"[\w.-]{0,40}(?:passw(?:or)?d|passwd|passphrase|passcode|pass|secret|private_?key|api_?key|auth_?token)\w{0,20}"
)
_BOTH = (
    r"\b(?:user(?:name)?|id|login|account)[ ]?[/:&][ ]?(?:passw(?:or)?d|passwd|pass|pwd?)\b[)]?[ ]{0,2}"
    r"(?:->|[:=(-]|are|is)?[ ]{0,2}[\w.-][\w.@-]{0,39}[ ]?[/:(,][ ]?"
)
_GRANTS = r"\b(?:(?:create|alter|drop)[ \t]{1,4}(?:user|role|login|database|profile)|grant|connect[ \t]{1,4}to)\b"
SHELL_WORD = r"""(?:"([^"\n]{3,128})"|'([^'\n]{3,128})'|([^\s"'\x60|;&<>/-][^\s"'\x60|;&<>]{2,128}))"""
"""A word of a command line, in quotes or bare."""
QUOTED = r"(?:\"([^\"\n]{3,128})\"|'([^'\n]{3,128})')"
"""A value in quotes of either kind."""
_COLUMN = r"[\w.-]{0,60}(?:token|secret|passw(?:or)?d|api_?key|access_?key|secret_?key|auth_?key)"
ALONE = r"[ \t]*(?:\r?\n|$)"
"""Nothing more on the line."""

FILES = (
    row(
        ".pgpass",
        r"(?:^|[\n\t])[\w.*-]{1,64}:(?:[0-9]{2,5}|\*):[\w.*-]{1,64}:[\w.@*-]{1,64}:[^\s:]{4}",
        r"(?m)(?:^|\t)(?:[\w.*-]+):(?:[0-9]{2,5}|\*):(?:[\w.*-]+):(?:[\w.@*-]+):((?:[^\s:\\]|\\[:\\]){4,128})$",
        examples=("db.example.net:5432:shop:bob:«sunflower»", "     3\tdb:5432:shop:bob:«sunflower»"),
    ),
    row(
        ".netrc",
        r"\blogin\s{1,8}\S{1,64}\s{1,8}password\s{1,8}\S{4}",
        r"\blogin\s+\S{1,64}\s+password\s+(\S{4,128})",
        examples=("machine example.net login bob password «sunflower»",),
    ),
    row(
        "login call",
        rf"""\b{_CALL}\(\s{{0,40}}{_QUOTED}\s{{0,4}},\s{{0,40}}["'][^"'\n]{{4}}""",
        rf"""\b{_CALL}\(\s*{_QUOTED}\s*,\s*["']([^"'\n\s]{{4,128}})["']\s*(?:\)|,\s*[^"'\s]|,\s*{_QUOTED}\s*\))""",
        examples=('client.login("bob", "«sunflower»")',),
        left=("client.login(name, password)",),
    ),
    row(
        "directory entry",
        rf"""\bdirectoryentry\(\s{{0,40}}{_QUOTED}\s{{0,4}},\s{{0,40}}{_QUOTED}\s{{0,4}},\s{{0,40}}["'][^"'\n]{{4}}""",
        rf"""\bdirectoryentry\(\s*{_QUOTED}\s*,\s*{_QUOTED}\s*,\s*["']([^"'\n\s]{{4,128}})["']""",
        examples=('new DirectoryEntry("LDAP://x", "bob", "«sunflower»")',),
    ),
    row(
        "directive",
        rf"""(?:^|\n)[ \t]{{0,40}}{_NAME}[ \t]{{0,8}}(?:"[^"\s]{{4,200}}"|'[^'\s]{{4,200}}')"""
        r"[ \t]{0,8};?[ \t]{0,8}(?:\r?\n|$|[#/])",
        rf"""(?m)^[ \t]*{_NAME}[ \t]*(?:"([^"\s]{{4,200}})"|'([^'\s]{{4,200}})')[ \t]*;?[ \t]*(?:\r?$|[#/])""",
        examples=('hostname x\npassword "«sunflower»"\n',),
    ),
    row(
        "NuGet's password",
        r"<add[ \t]{1,4}key=\"cleartextpassword\"[ \t]{1,4}value=\"[^\"\n]{4}",
        r"<add[ \t]+key=\"cleartextpassword\"[ \t]+value=\"([^\"\n]{4,200})\"",
        ANYTHING,
        examples=('<add key="ClearTextPassword" value="«HeronSourcePassword»" />',),
        left=('<add key="ClearTextPassword" value="%NUGET_PASSWORD%" />',),
    ),
    row(
        "requirepass",
        r"\b(?:requirepass|masterauth)[ \t]{1,8}\S{4}",
        rf"\b(?:requirepass|masterauth)[ \t]+{SHELL_WORD}",
        examples=("requirepass «sunflower»",),
    ),
    row(
        "Jenkins credential",
        r"<(?:secret\w{0,10}|password|passphrase|api_?token|token|private_?key)>\{[^<>{}\n]{10}",
        r"<(?:secret\w*|password|passphrase|api_?token|token|private_?key)>\{([^<>{}\n]{10,})",
        examples=("<secret>{«AQAAABAAAAAgq9xJ2mZ1»}</secret>",),
        left=("<secret>{{ shop.secret }}</secret>",),
        ahead=TOKEN_AHEAD,
    ),
    row(
        "both at once",
        rf"{_BOTH}[^\s/]{{4}}",
        rf"{_BOTH}([^\s/,;)\"']{{4,128}})",
        MIXED,
        examples=("account & pw -> bob / «k3yst0ne»",),
        left=("user/password authentication is not supported",),
    ),
    row(
        "host and both",
        r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}[ ]?\([\w.@-]{1,40}/[^\s/()]{4}",
        r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}[ ]?\([\w.@-]{1,40}/([^\s/(),]{4,128})[),]",
        MIXED,
        examples=("10.20.30.40 (bob/«k3yst0ne»)",),
    ),
    row(
        "a connection string of PostgreSQL",
        r"(?:[\"' ]|^)(?:user|host|hostaddr|dbname|port)=[^\s\"']{1,80}[ ](?:[a-z_]{2,24}=[^\s\"']{0,80}[ ]){0,6}password=[^\s\"']{3}",
        r"(?:[\"' ]|^)(?:user|host|hostaddr|dbname|port)=[^\s\"']{1,80} (?:[a-z_]{2,24}=[^\s\"']{0,80} ){0,6}password=([^\s\"'\\]{3,128})",
        TYPED,
        examples=(
            'sql.Open("postgres", "user=shop password=«sunflower» dbname=shop")',
            "host=db1 port=5432 password=«hn7302» user=app",
        ),
        left=(
            '"host=%s user=%s password=%s"',
            '"user=app password=$PW dbname=x"',
            '"host=db1 password=password user=u"',
        ),
    ),
    row(
        "admin / password",
        r"(?:login|log in|sign in|credential|cred|access|account|zugang|defaults?:|ssh|vpn|wi-?fi|router|password|pw)[^\n]{0,40} / [^\s/]{4}",
        r"(?:login|log in|sign in|credentials?|creds?|access|account|zugang|defaults?:|ssh|vpn|wi-?fi|router|password|pw)[^\n/]{0,40}?[:=(,-]?"
        r"""[ ]["'\x60]?[\w.@-]{2,40}["'\x60]? / ["'\x60]?([^\s"'\x60/(][^\s"'\x60]{3,127}(?: [a-z]{3,12}){0,6}?)["'\x60]?[.,;)]?(?:\s*$|\s*\n|[ ]{2}|[.,;)]\s)""",
        examples=(
            "Router login: admin / «sunflower»\n",
            "creds: bob / «river coat apple lamp»",
            "the account for the shop: joe / «sunflower»\n",
            "The VPN requires a login: joe / «sunflower»\n",
        ),
        left=(
            "login / logout",
            "admin / user roles",
            "The login page is at /admin / the API at /api.",
            "There is no need to account for astral symbols / surrogate pairs here,",
            "take into account tabs / wide spaces too",
            "enable SSH tests (requires `otter-test` / `otter-test2`",
        ),
        prose=True,
        unless=r"\b(?:to|must|should|shall|can|could|may|might|will|would|not|we|they|you|which|that)[ ]account[ ]for\b|\baccount(?:ed|ing)[ ]for\b"
        r"|\binto[ ]account\b|\brequires?[ ][\"'\x60]?[\w.@-]{2,40}[\"'\x60]?[ ]/[ ]",
    ),
    row(
        "two columns without a head",
        rf"(?:^|\n)[ \t]{{0,8}}{_COLUMN},(?:[A-Za-z0-9_+/=.-]{{10}}|[^\s,\"'\x60]{{6,79}},)",
        rf"(?m)^[ \t]{{0,8}}{_COLUMN},(?:([A-Za-z0-9_+/=][A-Za-z0-9_+/=.-]{{9,79}}),?|([^\s,\"'\x60]{{6,79}}),)\r?$",
        SHOWN,
        examples=(
            "shopToken,«3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c71»,\n",
            "mail_api_key,«q7wz0k4mxv2hr9tb»",
            "SHOP_PASSWORD,«Vq3!hT7x+w0Lk»,\n",
        ),
        left=("accessToken,refreshToken,", "  apiToken,authentication,\n", "token,count\n", "password,password_hash\n"),
    ),
    row(
        "two columns, the second long",
        rf"(?:^|\n)[ \t]{{0,8}}{_COLUMN},[A-Za-z0-9_+/=-]{{32}}",
        rf"(?m)^[ \t]{{0,8}}{_COLUMN},((?-i:[0-9a-f]{{32,128}}|[A-Za-z0-9_+/=-]{{80,255}})),?\r?$",
        MIXED,
        examples=("shopToken,«3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c713f2a9c7d»,\n",),
        left=("commit,3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c713f2a9c7d,\n",),
    ),
    row(
        "two columns, the second an id",
        r"(?:^|\n)[ \t]{0,8}[\w.-]{3,40}(?:token|secret|api_?key),[0-9a-f]{8}-[0-9a-f]{4}-",
        r"(?m)^[ \t]{0,8}[\w.-]{3,40}(?:token|secret|api_?key),([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}),\r?$",
        PLACED,
        examples=("shopToken,«3f2a9c7d-3f2a-9c7d-3f2a-9c7d3f2a9c71»,\n",),
        left=("nextTokenId,3f2a9c7d-3f2a-9c7d-3f2a-9c7d3f2a9c71,\n",),
    ),
)

STATEMENTS = (
    row(
        "identified by",
        r"\bidentified[ \t]{1,4}(?:with[ \t]{1,4}\S{1,40}[ \t]{1,4})?(?:by|as)[ \t]{1,4}\S",
        rf"(?:{_GRANTS}[^;]{{0,200}}?\bidentified|,\s*\S{{1,64}}\s+identified|(?-i:\bIDENTIFIED))\s+(?:with\s+\S+\s+)?(?:by|as)\s+(?:password\s+|values\s+)?"
        r"""(?:"([^"\n]{1,128})"|'([^'\n]{1,128})'|\x60([^\x60\n]{1,128})\x60)""",
        ANYTHING,
        examples=("CREATE USER 'x'@'%' IDENTIFIED BY '«sunflower»';",),
        left=("CREATE USER app IDENTIFIED BY :password", "Removes the user identified by `key`."),
    ),
    row(
        "identified by a bare word",
        r"\bidentified[ \t]{1,4}by[ \t]{1,4}[A-Za-z0-9]",
        rf"{_GRANTS}[^;]{{0,200}}?\bidentified\s+by\s+([A-Za-z0-9][^\s\"'\x60;]{{2,128}})\s*(?:;|$|\n|default|quota|account|profile|replace)",
        examples=("alter user x identified by «tiger99»;",),
        left=("identified by their name",),
    ),
    row(
        "password of a role",
        r"\b(?:with|role|user|login|encrypted|set)\b[^\n]{0,80}[ \t]password(?:[ \t]{1,4}|[ \t]{0,4}=[ \t]{0,4}|[(])[ \t]{0,2}N?['\"][^'\"\n]",
        r"""\b(?:with|role|user|login|encrypted|set)\b[^\n]{0,80}?\bpassword(?:\s+|\s*=\s*|[(])\s*N?(?:'([^'\n]{1,128})'|"([^"\n]{1,128})")""",
        ANYTHING,
        examples=("ALTER USER app WITH PASSWORD '«sunflower»';", "SET PASSWORD FOR 'b'@'x' = PASSWORD('«482913»');"),
        left=("ALTER ROLE app PASSWORD NULL", "ALTER USER app WITH PASSWORD '$PW'"),
    ),
)

BANNERS = (
    row(
        "generated password",
        r"(?:password|passwd)[^\n]{0,120}:[ \t]{0,4}\r?\n",
        r"(?:password|passwd)(?:[^\n]{0,119}[^\n)])?:[ \t]*\r?\n(?:[ \t*]*\r?\n){0,2}[ \t*]*([^\s*]{8,64})[ \t]*\r?(?:\n|$)",
        MIXED,
        examples=(
            "Please use the following password to proceed to installation:\n\n«3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c71»\n\n",
        ),
        left=("Username: bob\nPassword:\nLast login: today", "New password:\nRetype new password:\n"),
        prose=True,
    ),
    row(
        "generated on the line",
        r"password (?:is|was|has been)[ \t](?:generated|created|set|reset)[^\n]{0,80}:[ \t]{1,4}\S{6}",
        r"password (?:is|was|has been) (?:generated|created|set|reset)[^\n]{0,80}: +(\S{6,128})",
        examples=("A temporary password is generated for root@localhost: «q1w,Kd!3zX.a»",),
    ),
    row(
        "unseal keys, root tokens, recovery codes",
        r"(?:unseal key|recovery key|root token|recovery code|backup code|setup key)s?[^\n]{0,12}:\s{1,8}\S{6}",
        r"(?:unseal key|recovery key|root token|recovery code|backup code|setup key)s?[^\n]{0,12}:\s{1,8}([A-Za-z0-9+/=._-]{6,128})",
        MIXED,
        examples=("Unseal Key 1: «kP3x9QzT1mV8b2Nc5Jd7Lf4Hs6Rg0Wy+a1B2c3D4e5F=»",),
        left=("Recovery codes: see below",),
    ),
)

CARRIERS = (*FILES, *STATEMENTS, *BANNERS)
