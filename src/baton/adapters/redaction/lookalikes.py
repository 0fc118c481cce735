"""What stands where a secret could and is none: ids, paths, dates, variables, examples, code, words about a value."""

from __future__ import annotations

import re

from baton.adapters.redaction.entropy import classes, is_made_of_words, is_mixed, is_random, is_wordlike
from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.rules_file import common_words
from baton.adapters.redaction.thresholds import (
    LONGEST_ALGORITHM,
    LONGEST_DOTTED_NAME,
    LONGEST_JUDGED,
    PERSON_BACK,
    SHORTEST_LONG,
    SHORTEST_SCRAMBLED,
    SHORTEST_TOKEN,
)

_OUR_FORM = r"[0-9]{8}_[0-9]{6}_[0-9a-f]{6}|[cpdtu]_[0-9a-hjkmnp-tv-z]{12}"
_OURS = Expression(_OUR_FORM)
_UUID = Expression(r"(?i)\{?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\}?")
_COMMIT = Expression(
    r"[0-9a-f]{40}|[0-9A-F]{40}|[0-9a-f]{64}|(?:sha(?:1|224|256|384|512)|md5|blake2b)[-:=][A-Za-z0-9+/=]+"
)
_PLACE = (
    r"(?:~|\.{1,2}|\$[A-Z_]+|[A-Za-z]:)?(?:[/\\][\w.@%+,-]+){2,}[/\\]?"
    r"|(?:[\w.@-]+/)+[\w.@-]+\.[A-Za-z][A-Za-z0-9]{0,9}(?::[0-9:,-]+)?"
    r"|(?:[a-z0-9-]+\.)+(?:com|net|org|io|dev)/[a-z0-9]+(?:[._-][a-z0-9]+)+"
    r"|[\w-]+(?:\.[\w-]+)*\.(?:py|js|ts|tsx|jsx|go|rs|java|kt|rb|php|c|h|cpp|cs|md|txt|json|ya?ml|toml|ini|cfg|conf|sh"
    r"|sql|xml|html|css|lock|log|csv|pem|crt|cer|key|pub|env|p12|pfx|jks|so|dll|exe|zip|gz|tar|png|svg|jpg|pdf|proto|tf)"
)
_WHEN = (
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?:\.[a-z]+|[T ][0-9:.,]+(?:Z|[+-][0-9:]+)?)?|[0-9]{1,11}|[0-9]{1,3}(?:_[0-9]{3})+"
    r"|[~^<>=v]{0,2}[0-9]+(?:[.:][0-9x*]+)+(?:-[a-z]{1,8}[0-9.]{0,6})?"
    r"|[0-9]{2,5}(?:/[a-z_-]+){2,}|[a-z]\w*(?:/\w+){3,}|[a-z][a-z0-9-]*(?:\.[a-z0-9-]+)*\.[a-z]{2,6}(?:/[\w.~-]+){2,}|[0-9][0-9_]*\.[0-9][0-9_]*(?:e[+-]?[0-9]+)?(?:f32|f64)?|HTTP/[0-9.]+(?:\\.*)?"
    r"|[0-9]{1,4}\.(?:second|minute|hour|day|week|month|year)s?(?:\.[a-z_]+)?"
)
_ARTIFACT = (
    r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*-[0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}"
    r"(?:[.-](?:jar|war|SNAPSHOT|RELEASE|[a-z]{2,8}[0-9]{0,2}))?"
)
"""A package and its version: `io.example.webtoken:parser-core-0.11.2`."""
_PAIRS = r"(?:keyid:)?(?:[0-9A-Fa-f]{2}:){15}(?:(?:[0-9A-Fa-f]{2}:){4}|(?:[0-9A-Fa-f]{2}:){16})?[0-9A-Fa-f]{2}"
"""A fingerprint or a key's identifier: sixteen, twenty or thirty-two bytes."""
_KEY_WITH_SLASHES = Expression(r"[A-Za-z0-9+/]{20,}={0,2}")
_LEFT_ALONE = Expression(f"{_OUR_FORM}|{_PLACE}|{_WHEN}|{_ARTIFACT}|{_PAIRS}")
_PERSON = Expression(
    r"(?i)^[ \t>+*-]{0,8}(?:author|committer?|co-authored-by|signed-off-by|reviewed-by|tagger|from|to|cc):"
)


def is_ours(value: bytes) -> bool:
    """An id of Baton's own: no rule but an exact known value may touch it."""
    return _OURS.fullmatch(value) is not None


def is_name(value: bytes) -> bool:
    """A commit or UUID: a key only if something says so."""
    return _UUID.fullmatch(value) is not None or _COMMIT.fullmatch(value) is not None


def is_left_alone(value: bytes) -> bool:
    """An id of Baton's own, a path, a time or a number: no secret beside any name."""
    return _LEFT_ALONE.fullmatch(value) is not None


_VERSION = re.compile(rb"[~^<>=v]{0,2}+[0-9]++(?:\.[0-9]++)++")


def is_version(value: bytes) -> bool:
    """A part of what `is_left_alone` leaves, in a fifth of its time: lock files hold little else."""
    return _VERSION.fullmatch(value) is not None


def is_uuid(value: bytes) -> bool:
    return _UUID.fullmatch(value) is not None


def is_key_like_a_path(value: bytes) -> bool:
    """Whether it has a path's slashes and a key's characters: no words, no dots, capitals and digits within."""
    return (
        len(value) >= SHORTEST_LONG
        and _KEY_WITH_SLASHES.fullmatch(value) is not None
        and classes(value.replace(b"/", b"").replace(b"+", b"").replace(b"=", b"")) == 3
        and is_random(value)
    )


_OBJECT = re.compile(rb"([a-z]{2,12})_[A-Za-z0-9]{12,64}")


def is_object_of(name: bytes, value: bytes) -> bool:
    """Whether it begins with letters of the name in their order, as ids of objects do: `sesn_01…` for a session."""
    found = _OBJECT.fullmatch(value)
    if found is None:
        return False
    rest = iter(name.lower())
    return all(byte in rest for byte in found[1])


_FILE = Expression(r"([A-Za-z0-9]{12,64})\.[a-z]{2,4}")


def is_random_file_name(value: bytes) -> bool:
    """Whether a file's name is random letters and digits, and no hash: `password=4PZBaIghxmn6jDzl72.txt`."""
    found = _FILE.fullmatch(value)
    return found is not None and is_random_mix(found.group(1))


def is_random_mix(value: bytes) -> bool:
    """Random, with small letters, capitals and digits, as no hash is."""
    return value.isalnum() and classes(value) == 3 and is_random(value)


def names_a_person(data: bytes, at: int) -> bool:
    """Whether the line of `at` says who wrote something."""
    start = data.rfind(b"\n", max(0, at - PERSON_BACK), at) + 1
    return _PERSON.match(data[start : at + 1]) is not None


_REFERENCE = (
    r"[$%#@]?[{(\[<].*|\\*\$\w+(?:[^\w].*)?|%\w*%?|@[\w.-]+@?"
    r"|.*\$\{[\w.:?-]*\}.*|.*\{\{[^{}]*\}\}.*|.*<[\w .-]+>.*|.*%\([\w.]+\)s.*|%[sdvq@]"
    r"|\*+|[x*.#_-]{3,}[a-z .#_-]{0,40}|[*.#]{3,}.*|x{3,}.*|_{3,}.*|-{3,}.*"
    r"|[\w-]{0,12}(?:x{12,}|0{12,}|1{12,}|a{16,}).?"
    r"|x+(?:-x+)*|\.{2,}.*|\.[\w.]+|%[-+#0-9.]*[sdvqxtT](?:\\[nrt])+|[.+,] ?\$.*|,\w+:"
    r"|(?:os\.|process\.|env\.|getenv\W|ENV\W|System\.|config\.|settings\.|self\.|this\.|req\.|request\.|ctx\.|args\.|props\.|secrets\.|vars\.|var\.|data\.|local\.|module\.|params\.|exports\.|\$_)[\w.\[\]('\"\->:]*.*"
    r"|(?:\W*%[-+0-9.]*[sdvqrxif])+(?:\\[nrt]|\W)*|\w{1,8}>[^<>]*</\w{1,8}|.*\{[a-z_][\w.]*(?:\[[^\]]*\])?\}.*|.*\]\(https?:.*|0{8}-0{4}-.*"
    r"|[\w-]+@(?:openssh\.com|libssh\.org)|ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-\w+|(?:rsa|dsa|ec|aes):?[0-9]{3,4}|t[0-9]{4}\.[0-9]{3}"
    r"|.*\\n%[sdvq].*|\\x[01][0-9a-f].*|#(?:include|define|ifn?def|pragma)\b.*|(?:list|dict|set|tuple|optional|array|map|vec)[\[<(].*"
    r"|[a-z_]+=(?:true|false|none|null|[0-9]{1,2})|(?:bytes|varint|fixed(?:32|64)|zigzag(?:32|64)),[0-9]+,.*"
    r"|[a-z][a-z0-9+]{1,15}://[^@\s]*|//.*|/\*.*|/\^.*|&#?\w+;.*|(?:vault|secret|ssm|env|file|arn|kms|op|gcp|aws|azure)(?:://|:).*"
    r"|:(?:(?:py|c|cpp|js):)?(?:obj|class|ref|meth|func|data|mod|attr|exc|const|any|term|doc):.*|(?:obj|class|meth|func):|(?-i:[LCUIBM]\{\w.*)|\.\w+\(.*|\*\)\(.*"
    r"|[a-z0-9]+-(?:byte|bit|char|character|digit)s?|rfc ?[0-9]{3,5}\b.*|tag:[\w.-]+,[0-9-]+:.*"
    r"|.*/aws4_request(?:\W.*)?|(?:cn|ou|dc|uid|o)=[^,=]+(?:,(?:cn|ou|dc|uid|o|c|l|st)=[^,=]+)+"
    r"|:[a-z_]\w*|!(?:vault|secret|env|ref|sub|getatt|encrypted|include)\b.*|\(\(.*\)\)|enc\[.*"
    r"|-?0x[0-9a-f_]{1,16}(?:[iu](?:8|16|32|64|128|size)|u?l{0,2})?|-?[0-9.]{1,9}(?:e[0-9]+)?[a-z%]{0,3}"
)
_ASKS_TO_BE_REPLACED = (
    r"(?:your|my|the|some|insert|enter|put|add|use|replace|change)[-_ .].*|your[a-z]+.*"
    r"|.*(?:placeholder|redacted|example\.|dummy|your[-_]).*|[^0-9]*change.?me[^0-9]*|(?-i:[A-Za-z0-9+/]{8,}EXAMPLE(?:KEY)?)"
)
_PROMPTS = "(?-i:VXNlcm5hbWU6|UGFzc3dvcmQ6)"
"""`Username:` and `Password:`, as a mail server asks for them."""
_EXAMPLE = Expression(f"(?i){_REFERENCE}|{_PROMPTS}|{_ASKS_TO_BE_REPLACED}")
_DOLLAR_FOR_S = Expression(r"\$[a-z]+[A-Za-z]*[@!#%^*][\w@!#%^*]*[0-9!#%^*][\w@!#$%^*]*")
"""No variable but a word in which a sign stands for its first letter: `$unflower!22`."""
_HOLE = Expression(r"[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)*[-_](?:SECRET|TOKEN|KEY|PASSWORD|PASS|ID)")
"""`OAUTH2-CLIENT-SECRET`, as usage messages call what is to be given."""
_PATTERN = Expression(
    r".*\\[swdbSWD][+*?].*|/.*(?:\(\?[:=!<]|\{[0-9]+,[0-9]*\}|\\[swdb]).*"
    r"|\(\?[:=!<P].*|.*[A-Za-z)\]]\{[0-9]+(?:,[0-9]*)?\}[|(\[A-Za-z].*|.*\\[wdsWDS](?:[+*?]|\{[0-9]).*"
    r"|\\[(\[{].*|\^.*[\\\[(].*\$|/.*[\\\[(].*/[a-z]{0,6}|\^?\(\?[:iP].*|\.[*+].*"
)
"""A regular expression, whose brackets need not match."""
_OPENS = {0x28: 0x29, 0x5B: 0x5D, 0x7B: 0x7D}
_CLOSES = frozenset(_OPENS.values())


_ALGORITHM = Expression(
    r"(?i)(?:(?:hmac|hkdf|extract|expand|pbkdf2?|with|rsa|dsa|ecdsa|eddsa|ecc|secg|aes|des|rc|cbc|gcm|ctr|ecb|ccm|ed|curve|x|p|secp|k|r|v|sha|md|hs|rs|es|ps|blake|utf|u?int|float|base|aws|sig|oauth|sk)"
    r"[-_/]?[0-9]{0,5}[-_/]?){1,6}(?:bytes|bits|request)?"
)
"""`SHA-256`, `ED25519-V3`, `AES_256_GCM`, `float64`: what is done with a secret, or its type."""
_NAMED_ALGORITHM = re.compile(
    rb"(?i)hmac|hkdf|pbkdf|rsa|dsa|ecc|aes|des|ed25519|ed448|curve|secp|sha|md[245]|blake|utf|int|float|aws[0-9]|x509"
)
_DIRECTIVE = re.compile(rb"%[-+#0-9.]*(?:[sdvqxr]|l{0,2}[dfgux])(?![a-z])")
_FOREIGN_ESCAPE = re.compile(
    rb"\\(?:u(?!00[0-7])[0-9A-Fa-f]{4}"
    rb"|u\{0*+(?![0-7]?[0-9A-Fa-f]\})[0-9A-Fa-f]{2,6}\}?|U[0-9A-Fa-f]{8}|x[89A-Fa-f][0-9A-Fa-f])"
)


_SENTENCE = re.compile(rb"[A-Za-z]{2,}[.,:;']?(?: +[A-Za-z]{1,20}[.,:;']?){2,} *")


def is_text_in_program(value: bytes) -> bool:
    """The name of an algorithm, words among which a directive of `printf` stands, or letters of other scripts."""
    if len(value) <= LONGEST_ALGORITHM and _ALGORITHM.fullmatch(value) and _NAMED_ALGORITHM.search(value):
        return True
    if b"%" in value and _DIRECTIVE.search(value):
        rest = _DIRECTIVE.sub(b"", value)
        if is_wordlike(rest) or _SENTENCE.fullmatch(rest):
            return True
    if b"\\" not in value:
        return False
    rest = _FOREIGN_ESCAPE.sub(b"", value)
    return len(value) - len(rest) >= len(rest) and b"\\x" not in rest


def is_stand_in(value: bytes) -> bool:
    """Whether it is not a value but the place where one comes from or goes."""
    return is_example(value) or is_hole(value) or value.lower().decode("latin-1") in common_words()


def is_hole(value: bytes) -> bool:
    return _HOLE.fullmatch(value) is not None


def is_example(value: bytes) -> bool:
    """A variable, a template, an address, signs that hide something, or words that ask to be replaced."""
    judged = value[:LONGEST_JUDGED]
    if judged[:1] == b"$" and _DOLLAR_FOR_S.fullmatch(judged):
        return False
    return _PATTERN.fullmatch(judged) is not None or (
        _EXAMPLE.fullmatch(judged) is not None and not is_scrambled(value)
    )


def is_scrambled(value: bytes) -> bool:
    """Whether brackets do not match: code and templates, even cut ones, never have that."""
    if len(value) < SHORTEST_SCRAMBLED:
        return False
    open_ones: list[int] = []
    for byte in value[:LONGEST_JUDGED]:
        if byte in _OPENS:
            open_ones.append(_OPENS[byte])
        elif byte in _CLOSES and open_ones and open_ones.pop() != byte:
            return True
    return False


_CODE = Expression(
    r"(?i)[a-z_][\w.]*(?:\(|\[|->|::).*|[a-z_][\w]*(?:\.[a-z_]\w*)+|!?[a-z_]\w*[?;]?|[a-z_]+!|&[a-z_]\w*|\w+\|\w+.*|[a-z]+<.*|[a-z_]+(?::[a-z_]+)+"
)
_CODE_BITS = Expression(r"[)\]]\.|\(\)|\[[0-9:-]|^[(\[{]|\]$")
_CALL = Expression(
    r"[A-Za-z_]\w*(?:\$[0-9]+)?(?:\.\w+)*[(\[]|(?:::)?[A-Za-z_]\w*(?:::\w+)+|::[a-z_][a-z0-9_]*$|[a-z_]+![(\[]|[A-Za-z_]\w*(?:\.\w+)+\{(?:\w+:)?$|[a-z]+[0-9]{0,3}(?:[A-Z][a-z]+)+\{$|[A-Z]\w*[a-z]\w*\{"
    r"|[&*]\[|[&*]{1,2}(?:[A-Za-z_]\w*(?:::|[.\[{(])|(?:[a-z]{2,6}[0-9]{0,3}|[A-Z][a-z]+)$)|\|\w+:?$|[+] ?[a-z_]\w*$"
)
_DOTTED = Expression(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+:?")
_KIND_WORDS = Expression(
    r"(?i)(?:str|string|int|integer|bool|boolean|float|double|number|bytes?|char|object|any|void|null|nil|none|undefined"
    r"|true|false|text|varchar|secretstr|optional|required|typing|self|this|new|await|async|function|return|type|var|let"
    r"|const|not|and|the|is|are|was|for|with|from|must|should|may|can|will|that|which|expired?|invalid|missing|hidden|field"
    r"|input|reset|prompt|empty|unset|blank|weak|strong|wrong|correct|incorrect|same|hashed|encrypted|default|disabled?|enabled?|ok|error|failed|success|yes|no|on|off|todo|n/a|tbd)"
    r"(?:\W.*)?"
)


_PACKED = Expression(
    r"![01][,;)}\]].*|={2,3}[\w$\"'!-].*|[+]?[A-Za-z_$][\w$.]*(?:[)}\]]+[;,]|[)}\]]+={1,3}[A-Za-z_$]"
    r"|[)}\]]*,[A-Za-z_$][\w$.]*=[\w$!(\[{\"']|=[A-Za-z_$][\w$]*[.(]|[+*/-][0-9]+;[A-Za-z_$]|[)}]+[{A-Za-z_$]"
    r"|,[A-Za-z_$][\w$]*(?:\.[\w$]+)*[:(!]|\?[A-Za-z_$][\w$]*(?:\.[\w$]+)*[(:]|=[0-9]+,[A-Za-z_$]+="
    r"|(?:\|\||&&)[A-Za-z_$][\w$]*[.=(]|,[a-z];[a-z]+[ (]|\{[A-Za-z_$][\w$.]*=|,[0-9]+;|={2,3}[0-9]+[?&|]"
    r"|;(?:let|if|return|var|const|for|switch|break)\b"
    r"|:[A-Za-z_$][\w$.]*[=}]|;[A-Za-z_$][\w$]*\.|=![01][,;]|={2,3}(?:null|void|[\w$]+(?:\|\||&&))).*"
    r"|[0-9]{1,4}(?:e[0-9]{1,2})?(?:[,;]\[[A-Za-z_$][\w$]*[.\]]|[,;][A-Za-z_$][\w$.]*[:=]|\|\||&&|[)}\]]+[,;.&|]).*|![A-Za-z_$]\w*(?:&&|\|\|).*|[+][A-Za-z_$][\w$.]*[(\[].*"
)


def is_packed_code(value: bytes) -> bool:
    """Statements without blanks between them, as programs that shorten JavaScript write them."""
    return _PACKED.fullmatch(value[:LONGEST_JUDGED]) is not None


def is_identifier(value: bytes) -> bool:
    """A bare name of a variable or function, or what may be one."""
    return _CODE.fullmatch(value) is not None


_VARIABLE = Expression(r"[A-Za-z_][A-Za-z0-9_]*[?;:]?")


def may_be_variable(value: bytes) -> bool:
    """A name as programs give them: words, perhaps with numbers, such as `PayloadU8` or `char2`."""
    return _VARIABLE.fullmatch(value) is not None and is_wordlike(value)


def has_code(value: bytes) -> bool:
    """An expression, or signs of one."""
    return is_expression(value) or _CODE_BITS.search(value) is not None


def is_expression(value: bytes) -> bool:
    """A call, an element, a macro, a reference or its type, or a dotted name: a short one, or one of words."""
    if _CALL.match(value):
        return True
    return _DOTTED.fullmatch(value) is not None and (
        len(value) < LONGEST_DOTTED_NAME or is_wordlike(value) or is_made_of_words(value)
    )


def is_about_value(value: bytes) -> bool:
    """A word about the value in its place, such as `string` or `no, never`; not a random value that begins like one."""
    if _KIND_WORDS.fullmatch(value) is None:
        return False
    return b" " in value or len(value) < SHORTEST_LONG or not is_random(value)


_COOKIE = re.compile(
    rb"""[\w-]++=\\?"?([^;"\\]*+)\\?"?;[ \t]*+(?:expires|path|domain|version|max-age|secure|httponly|samesite)\b""",
    re.I,
)


def is_dull_cookie(value: bytes) -> bool:
    """Whether a cookie with its attributes has a value that is too short or too plain for a token."""
    found = _COOKIE.match(value)
    return found is not None and (len(found[1]) < SHORTEST_TOKEN or is_wordlike(found[1]) or not is_mixed(found[1]))
