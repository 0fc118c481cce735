# ruff: noqa: E501 (a pattern is easier to read in one line)
"""What programs and their texts write where a secret could stand, and mean otherwise: labels, patterns, keys, families.

Asked only about spans that a rule wants to cut, so that ordinary text pays nothing. A known value is cut even here.
"""

from __future__ import annotations

import re

from baton.adapters.redaction.bare_labels import is_bare_label, is_noun, is_numbered
from baton.adapters.redaction.drawn_words import is_no_word
from baton.adapters.redaction.entropy import has_digit, is_made_of_words, is_random, is_wordlike
from baton.adapters.redaction.families import (
    is_of_family,
    is_one_of_many_calls,
    is_one_of_many_values,
    is_one_of_series,
    is_put_together,
    is_value_of_others,
)
from baton.adapters.redaction.grain import has_grain, surprise
from baton.adapters.redaction.literals import is_bare_in_program
from baton.adapters.redaction.looks import HASHER, has_look_of_its_own
from baton.adapters.redaction.names import strength_of
from baton.adapters.redaction.programs import is_written
from baton.adapters.redaction.rules_file import ordinary_words
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import (
    FAMILY_AROUND,
    LABEL_AHEAD,
    LABEL_BACK,
    LEAST_SURPRISE_BESIDE_NAME,
    SHORTEST_LONG,
)
from baton.adapters.redaction.typed import in_code

_QUOTES = (b'"', b"'", b"`")
_WORD_KINDS = ("password", "url-password")
"""What may be words."""
_UNNAMED_KIND, _NAMED_KIND, _KEY_PART = "token", "secret", "json-web-key"
_REFERENCES = re.compile(
    rb"(?:\$[0-9]){2,}+(?:\.[A-Za-z]++)*+|(?:\$[0-9](?![0-9])[A-Za-z_ .:-]*+){3,}+|(?:[a-z][a-z-]*+\.)++\$[A-Z]?[0-9][a-z]*+(?:\.[a-z-]++)*+"
)
"""Groups of a pattern: `$1$1$2$2`, and `keyword.$0` of a grammar."""
_FINGERPRINT = re.compile(rb"EAA[0-9A-F]{37}")
"""Of a key of PGP; tokens of Facebook begin with the same letters."""
_FUNCTION = re.compile(rb"[a-z0-9]++(?:_[a-z]{2,}+)*(?:_[a-z]{1,24}+){3,}+")
"""`vcr_keeps_what_it_was_given`: the name of a test, of whose beginning a vendor made the beginning of its tokens."""
_LONG_NUMBER = re.compile(rb"(?<![0-9])[0-9]{20,}(?![0-9])")
"""More than a card has: among such numbers one with the right last digit is chance."""
_ISSUE = re.compile(rb"[\w.-]+#[0-9]{1,6}")
_NUMBER_OF_ISSUE = re.compile(rb"(?:[Bb]ug)?#[0-9]{2,7}(?:,[ ]?(?:[Bb]ug)?#[0-9]{2,7})*[).,;:]*")
_TELLS_OF_ISSUE = re.compile(rb"(?i)[(\[`]\Z|\b(?:closes|fixes|refs?|see|pr|issues?)[:*`\s]*\Z")
_OWNER = re.compile(rb"(?:^|[\s(\[:,])[A-Za-z][\w.-]*/\Z")
_ADJECTIVE = re.compile(
    rb"[a-z0-9]+-(?:encoded|encrypted|protected|hashed|based|compatible|specific|related)|non-[a-z]+"
    rb"|not[-_](?:supported|available|applicable|allowed|required|implemented)"
)
_PLACES = re.compile(rb"(?:[a-z][\w.-]*+:[0-9]{2,5}[,:]?)++")
"""Servers and their ports."""
_SHORTENED = re.compile(rb"[\w+/=-]{2,}+\.{3}[\w+/=-]*+")
_FOREIGN_CONSTANT = re.compile(rb"C\.[A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)++")
"""As Go calls a constant of C."""
_RESERVED = re.compile(rb"__[a-z]++_\w++")
"""`__wbg_isArray_20c8e73002f7af98`, as tools name what they make."""
_MANGLED = re.compile(rb".*17h[0-9a-f]{16}E")
_REGISTRY = re.compile(rb"[A-Za-z][\w .]*+(?:\\{1,2}[A-Za-z][\w .-]*+){2,}+\\?")
_DATED = re.compile(rb"[a-z]++(?:-[a-z]++)*+-(?:19|20)[0-9]{2}-[0-9]{2}-[0-9]{2}(?:-[0-9]{2})*+")
_PATTERN = re.compile(
    rb"\(\?(?:[:=!]|<[=!]|P[<=]|P\Z)|\[\^?[^\]\s]*?(?:[0-9]-[0-9]|[a-z]-[a-z]|[A-Z]-[A-Z])[^\]\s]*+\](?:[+*]|\{[0-9]++(?:,[0-9]*+)?\})"
)
"""A class of characters that is repeated: a regular expression."""
_BLANKED = re.compile(rb"(?<![A-Za-z0-9])x{2,}[.:/-]x{2,}(?![A-Za-z0-9])")
_WORDS = re.compile(rb"[a-z]{2,12}+(?:_[a-z]{2,12}+)++")
_ESCAPED_LETTER = re.compile(rb"\\u00[c-fC-F][0-9a-fA-F]")
_LOOKED_FOR = re.compile(
    rb"\.?(?:r?find|(?:last)?index(?:of)?|(?:starts|ends)_?with|has_?(?:pre|suf)fix|trim_?(?:pre|suf)fix|(?:strip|remove)_?(?:pre|suf)fix|includes|contains|split|replace)\(\s*(?:\w+,\s*)?[bru]?[\"'`]\Z",
    re.I,
)
_JOINED = re.compile(rb"[\"'`]\s*+\+\s*+[A-Za-z_]")
_ENDS_A_BEGINNING = b":=_-./ "
"""What is looked for with one of these at its end is how values begin: `key.startswith("ed25519:")`."""
_IS_KEY = re.compile(rb"[\"']\s*+:")
_DOCUMENTED = re.compile(rb"(?:^|\n)[ \t*]*[:@](?:param|type|arg|keyword|ivar|raises|returns?)[ \t]+[\w.]+:[ \t*`_]*\Z")
_DERIVED = re.compile(rb"(?i)(?:derive|expand)[\w-]*\([^()\"'\n]{0,40}[\"']\Z")
"""`Derive-Secret(., "c hs traffic"`: what a secret is derived for."""
_PASSES = re.compile(rb"\b(?:t|test|tap|assert|chai)\.pass\(\s*[\"'`]\Z")
_CAPITALISED = re.compile(rb"[A-Z][A-Za-z]+[0-9]{0,3}[a-z]?")
_NAMES_BEFORE = re.compile(rb"(?:\b[A-Z]\w*,\s+){5,}\Z")
_NEXT_NAME = re.compile(rb",\s+[A-Z]\w*[,\s]")
_FORMAT = re.compile(rb"(?i)(?:base|utf|hex|url|json|ascii|sha|md|der|pem)[-_]?[0-9]{0,3}")
_FORMATTED = re.compile(rb"[ -](?:(?:en|de)coded|encrypted|hashed|escaped|formatted|strings?|bytes)\b")
"""`must be base64 encoded` says how a password is written."""
_MEMBER = re.compile(rb"[\"'\])]\.([A-Za-z_]\w*)[ \t]*=[ \t]*[bru]?[\"']\Z")
_GIVEN_TO = re.compile(rb"([\w.-]{2,60})[\"'\])]{0,2}(?:[ \t]+\w{1,12})?[ \t]*[:=]{1,2}[ \t]*[bru]?[\"']?\Z")
_OWN_NUMBER = re.compile(rb"([A-Za-z]{3,}+)[-_]?[0-9]{3,}+")
_NAME_OF_WORDS = re.compile(
    rb"(?:[A-Z][a-z]{2,}+|[A-Z]{2,8}?(?=[A-Z][a-z]{2})|[A-Z]{2,6}+(?![a-z])|[a-z]{3,}+(?=[A-Z0-9_])|[A-Z]?[0-9]{1,4}+|_)++"
)
_OWNED = re.compile(rb"[A-Za-z][A-Za-z0-9]{4,}+(?:-[A-Za-z0-9]++)*+/[A-Za-z][A-Za-z0-9]++(?:[-.][A-Za-z0-9]++)++")
"""`HuggingFaceM4/idefics2-8b`: no alphabet of tokens has a slash and a hyphen."""
_ROLE = re.compile(rb"[a-z]++(?::[a-z]++)*+:")
_PATH = re.compile(rb"(?:::[A-Za-z_]\w*+)++")
_C_TYPE = re.compile(rb"_*+[a-z][a-z0-9_]*_t")
_SMALL_NAME = re.compile(rb"[a-z]++(?:_[a-z0-9]++)++")
_LINE_OF_LIST = re.compile(rb"[\w\"')\]][,(]\r?\n[ \t]+\Z")
_ENDS_LINE = re.compile(rb",\r?\n")
_TYPED = re.compile(rb":[ \t]+[A-Za-z_]")
_DECLARED = re.compile(rb"[ \t]*(?:const|let|var)[ \t]+\w+ = [\w.]+ / ")
_CAMEL = re.compile(rb"[a-z]++(?:[A-Z][a-z]++)*+;?")
_POINTED_AT = re.compile(rb"[*&]{1,2}[A-Za-z_][\w\x80-\xff]*+\{?")
_MEMBER_OF = re.compile(rb"[a-z]\w{0,15}\.([A-Za-z]\w++)(?:[-+][0-9]{1,3})?")
_NAME = re.compile(rb"[A-Za-z_$][\w$]*+(?:(?:\.|::|->)[A-Za-z_$][\w$]*+)*+")
_PART = re.compile(rb"[A-Z]?[a-z]{2,}|[A-Z]{3,}(?![a-z])")
_CAPITALS = re.compile(rb"[A-Z][A-Z0-9]*+(?:_[A-Z][A-Z0-9]*+)++")
_FLAG = re.compile(rb"--[a-z]{2,}(?:-[a-z]++)*+")
_TYPE_OF_SECRET = re.compile(
    rb"(?:V[0-9])?(?=(?:[A-Z][a-z]+)*(?:Secret|Password|Token|Credential|Key)[A-Z])(?:[A-Z][a-z]+){3,}"
)
"""`V1SecretVolumeSource`: what kind of thing has a secret."""
_CONSTANT_IS = re.compile(rb"[ \t]*(?:pub[ \t]+)?(?:const[ \t]+)?[A-Z][A-Z0-9_]+[ \t]*=[ \t]*\Z")
_FIELD_IS = re.compile(rb"[ \t]+(?:pub[ \t]+)?[A-Za-z_]\w*:[ \t]*\Z")
_NAME_LIKE = re.compile(rb"[\w.:/+$@-]++={0,2}")
"""Of the signs that names have: what has others is judged by those."""
_ALIAS = re.compile(rb" as [A-Za-z_]\w*+[,;\n)}]")
_DIVIDED = re.compile(rb"\w = [\w.()]+ / \Z")


def is_label(data: bytes, span: Span) -> bool:
    """Whether a rule took something for a secret that is none by its own look or by what stands around it."""
    start, end, layer, kind = span
    value = data[start:end]
    if _REFERENCES.fullmatch(value) or _FINGERPRINT.fullmatch(value):
        return True
    if kind == _KEY_PART and has_grain(value):
        return True
    if layer != CONTEXT:
        return _is_name_or_number(data, span, value)
    if kind not in _WORD_KINDS and _NAME_LIKE.fullmatch(value) and _has_grain(kind, value) and in_code(data, start):
        return True
    if is_bare_in_program(data, start, end):
        return True
    before = data[max(0, start - LABEL_BACK) : start]
    after = data[end : end + LABEL_AHEAD]
    if _says_what(data, span, value) or _is_part_of_text(value, kind, before, after):
        return True
    if kind == _WORD_KINDS[0] and (is_bare_label(value, before, after) or is_numbered(data, start, end)):
        return True
    if data[start - 1 : start] in _QUOTES or before[-2:-1] in _QUOTES:
        return _is_label_in_quotes(data, span, value, before, after)
    return _is_name(data, span, value, before, after) and in_code(data, start)


def _is_name_or_number(data: bytes, span: Span, value: bytes) -> bool:
    """One of a list of long numbers; in a program a function's name that begins as a vendor's tokens do."""
    if value.isdigit():
        line = data[max(0, span.start - LABEL_BACK) : span.end + LABEL_BACK]
        return _LONG_NUMBER.search(line) is not None
    if HASHER.fullmatch(value):
        return True
    return _FUNCTION.fullmatch(value) is not None and has_grain(value) and in_code(data, span.start)


def _has_grain(kind: str, value: bytes) -> bool:
    """Beside a name that says token or secret a little randomness is enough."""
    if kind != _NAMED_KIND:
        return has_grain(value)
    return has_grain(value) and surprise(value) < LEAST_SURPRISE_BESIDE_NAME and not is_no_word(value)


def _says_what(data: bytes, span: Span, value: bytes) -> bool:
    """By its own look: a requirement, a number, a version, a network; an adjective or a pattern, of a password only in
    a program; a name with a date, words, an owner and a name.
    """
    if has_look_of_its_own(value) or _is_issue(data, span.start, value) or is_put_together(data, span, value):
        return True
    if _ADJECTIVE.fullmatch(value) or _PATTERN.search(value):
        return span.kind not in _WORD_KINDS or in_code(data, span.start)
    if span.kind in _WORD_KINDS:
        return False
    if _BLANKED.search(value):
        return True
    if _DATED.fullmatch(value) or _PLACES.fullmatch(value) or _SHORTENED.fullmatch(value):
        return True
    if (
        _REGISTRY.fullmatch(value)
        or _MANGLED.fullmatch(value)
        or _RESERVED.fullmatch(value)
        or _FOREIGN_CONSTANT.fullmatch(value)
    ):
        return True
    if len(value) >= SHORTEST_LONG and _NAME_OF_WORDS.fullmatch(value) and is_made_of_words(value):
        return True
    if _WORDS.fullmatch(value) and not is_no_word(value):
        return True
    if b"\\u00" in value and _ESCAPED_LETTER.sub(b"", value).isalpha():
        return True
    return _OWNED.fullmatch(value) is not None and any(map(is_made_of_words, value.split(b"/")))


def _is_issue(data: bytes, start: int, value: bytes) -> bool:
    """Whether it is an issue or a change of a repository: `otter/reeds#1108`, `(#1108)`."""
    if _NUMBER_OF_ISSUE.fullmatch(value):
        return _TELLS_OF_ISSUE.search(data, max(0, start - LABEL_AHEAD), start) is not None or value[:1] != b"#"
    if _ISSUE.fullmatch(value) is None or not in_code(data, start):
        return False
    return _OWNER.search(data, max(0, start - LABEL_AHEAD), start) is not None


def _is_part_of_text(value: bytes, kind: str, before: bytes, after: bytes) -> bool:
    """A role or a field of documentation, how a value is written, or how a value begins, which is looked for or joined to another."""
    if before[-1:] == b":" and after[:1] == b"`" and _ROLE.fullmatch(value):
        return True
    if _DOCUMENTED.search(before) and is_wordlike(value.strip(b"*")):
        return True
    if _FORMAT.fullmatch(value) and _FORMATTED.match(after):
        return True
    if _DERIVED.search(before) or _PASSES.search(before) or _is_enumerated(value, before, after):
        return True
    if kind == _WORD_KINDS[1] and b"://" in value:
        return True
    if value[-1] not in _ENDS_A_BEGINNING:
        return False
    return _LOOKED_FOR.search(before) is not None or (kind not in _WORD_KINDS and _JOINED.match(after) is not None)


def _is_enumerated(value: bytes, before: bytes, after: bytes) -> bool:
    """Whether it is one of many capitalised names that commas part, as the colours of an enumeration are."""
    if _CAPITALISED.fullmatch(value) is None or _NEXT_NAME.match(after) is None:
        return False
    return _NAMES_BEFORE.search(before) is not None


def _is_label_in_quotes(data: bytes, span: Span, value: bytes, before: bytes, after: bytes) -> bool:
    if _IS_KEY.match(after) and not has_digit(value) and is_wordlike(value):
        return True
    if (_CAPITALS.fullmatch(value) or _FLAG.fullmatch(value)) and not has_digit(value) and in_code(data, span.start):
        return True
    if _TYPE_OF_SECRET.fullmatch(value) and in_code(data, span.start):
        return True
    if is_noun(value) and (value[:1].isupper() or value[0] >= 0x80 or in_code(data, span.start)):
        return True
    member = _MEMBER.search(before)
    if member is not None and strength_of(member[1]) is None:
        return True
    if is_value_of_others(data, span.start, value):
        return True
    named = _GIVEN_TO.search(before)
    name = named[1].lower() if named else b""
    if value[:1] == b"/" and value[1:] == name:
        return True
    own = _OWN_NUMBER.fullmatch(value) if span.kind not in _WORD_KINDS else None
    if own is not None and own[1].lower() in name:
        return True
    if span.kind not in _WORD_KINDS and (
        is_one_of_many_values(data, span.start, value, before) or is_one_of_series(data, span.start, value)
    ):
        return True
    return span.kind == _UNNAMED_KIND and (
        is_of_family(data, span.start, value) or is_one_of_many_calls(data, span.start, before)
    )


def _is_constant(value: bytes, head: bytes, after: bytes) -> bool:
    """What a pointer shows, a member, a number of an enumeration, the type of a field."""
    if _POINTED_AT.fullmatch(value) and (is_wordlike(value[1:]) or is_made_of_words(value[1:])):
        return True
    member = _MEMBER_OF.fullmatch(value)
    if member is not None and (is_made_of_words(member[1]) or is_wordlike(member[1])):
        return True
    if value.isdigit():
        return _ENDS_LINE.match(after) is not None and _CONSTANT_IS.fullmatch(head) is not None
    return (
        _CAPITALS.fullmatch(value) is not None and after[:1] in (b",", b";") and _FIELD_IS.fullmatch(head) is not None
    )


def _is_name(data: bytes, span: Span, value: bytes, before: bytes, after: bytes) -> bool:
    """Bare, in a program: a path, a type, an operand, a constant, a name on a line of its own."""
    if (_PATH.fullmatch(value) and after[:1] in (b"<", b"(", b";", b",", b"\n")) or value.endswith(b"/*"):
        return True
    first = span.start
    while first and data[first - 1 : first] == b"_":
        first -= 1
    head = before[before.rfind(b"\n") + 1 :]
    if _C_TYPE.fullmatch(data[first : span.end]) or _is_constant(value, head, after):
        return True
    if not head.strip() and _is_on_its_line(value, before, after):
        return True
    if span.kind not in _WORD_KINDS:
        return _is_bare_name(data, span.start, value) or is_of_family(data, span.start, value, 0)
    return _is_operand(data, span, value, head)


def _is_bare_name(data: bytes, start: int, value: bytes) -> bool:
    """Whether it is no string and no comment, and its parts are words: `C.X509_V_ERR_CA_KEY_TOO_SMALL`."""
    if _NAME.fullmatch(value) is None or is_written(data, start):
        return False
    if _NAME_OF_WORDS.fullmatch(value) and not (value.isupper() and is_random(value) and not is_made_of_words(value)):
        return True
    words = {word.lower().decode("ascii") for word in _PART.findall(value)}
    return len(words & ordinary_words()) > 1


def _is_on_its_line(value: bytes, before: bytes, after: bytes) -> bool:
    """A name that gets another one, or a parameter, or one of a list of names."""
    if _ALIAS.match(after):
        return True
    if _LINE_OF_LIST.search(before) is None:
        return False
    return _TYPED.match(after) is not None or (
        _ENDS_LINE.match(after) is not None and _SMALL_NAME.fullmatch(value) is not None and is_wordlike(value)
    )


def _is_operand(data: bytes, span: Span, value: bytes, head: bytes) -> bool:
    """What something is divided by, which is no password beside a user."""
    if _DECLARED.fullmatch(head) and _CAMEL.fullmatch(value):
        return True
    if _SMALL_NAME.fullmatch(value) is None or not is_wordlike(value) or _DIVIDED.search(head) is None:
        return False
    return data.count(value, max(0, span.start - FAMILY_AROUND), span.end + FAMILY_AROUND) > 1
