"""Whether a value written beside a telling name is a secret."""

from __future__ import annotations

from typing import NamedTuple

from baton.adapters.redaction.entropy import (
    classes,
    entropy,
    has_digit,
    has_letter,
    is_alphabet,
    is_made_of_words,
    is_mixed,
    is_noise,
    is_random,
    is_text,
    is_wordlike,
)
from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.grain import has_grain, surprise
from baton.adapters.redaction.lookalikes import (
    has_code,
    is_about_value,
    is_dull_cookie,
    is_example,
    is_expression,
    is_hole,
    is_identifier,
    is_key_like_a_path,
    is_left_alone,
    is_name,
    is_object_of,
    is_packed_code,
    is_random_file_name,
    is_scrambled,
    is_stand_in,
    is_text_in_program,
    is_uuid,
)
from baton.adapters.redaction.meanings import tells_another
from baton.adapters.redaction.names import PASSWORD, TOKEN, WEAK, last_word
from baton.adapters.redaction.phrases import is_quoted_phrase
from baton.adapters.redaction.thresholds import (
    CLASSES_OF_PASSWORD,
    CLASSES_OF_SPOKEN_PASSWORD,
    FEWEST_DIFFERENT,
    LEAST_ENTROPY_BESIDE_NAME,
    LEAST_ENTROPY_OF_KEY,
    LEAST_SURPRISE_OF_BARE_TOKEN,
    LONGEST_JUDGED,
    LONGEST_LABEL,
    LONGEST_PHRASE,
    MOST_BLANKS_OF_PHRASE,
    SHORTEST_APART,
    SHORTEST_LONG,
    SHORTEST_OF_DIGITS,
    SHORTEST_SECRET,
    SHORTEST_TOKEN,
    SHORTEST_WITHOUT_LETTERS,
    SHORTEST_WORD,
)


class Claim(NamedTuple):
    """A value beside its name: the name's strength and words, and how the value is written.

    `literal`: a bare value that cannot be an expression. `accompanied`: a user or a server stands beside it.
    `expected`: its vendor is named there and publishes this shape, so that a value in order is one that was made up.
    """

    strength: int
    name: bytes
    value: bytes
    quoted: bool
    adjacent: bool
    below: bool = False
    literal: bool = False
    accompanied: bool = False
    expected: bool = False


_CONSTANT = Expression(r"[A-Z]{2,12}(?:_[A-Z]{2,12}){2,8}|[A-Z]{3,12}(?:_[A-Z0-9]{1,3})?(?:_[A-Z]{3,12})+|__[a-z]+_\w+")
"""The name of a variable in capitals."""
_WORDS_IN_CAPITALS = Expression(r"[A-Z]{2,12}(?:_[A-Z]{2,12}){2,12}")
_AFTER_A_QUOTE = b"+),;"
"""What is between two strings of a program begins like this: `"token: "+name)`."""
_CERTIFICATE = (b"3082", b"MII")
"""How one begins, in hexadecimal and in base64."""
_STATEMENT = b"Sid"
"""So a policy calls its statements; it is also how vendors call their keys."""
_SNAKE = Expression(r"[A-Za-z][A-Za-z0-9]{0,9}(?:_[A-Za-z0-9]{1,10}){2,8}")
_DOTTED_WORDS = Expression(
    r"(?:[A-Z]{2,5}|[A-Za-z][a-z]+(?:[A-Z][a-z]+)*)(?:[.:/-](?:[A-Za-z][a-z]+(?:[A-Z][a-z]+)*))+"
)
"""Words without a digit that signs part, as programs name events and commands: `Network.setCookies`."""
_NEXT_STATEMENT = Expression(r"[0-9]{1,4}[,;][A-Za-z_$][\w$]*\.[\w$.]+[:=].*")
"""A number and what comes after it in a program without blanks: `0;this.size=0`. No password, even in quotes."""
_IS_AN_ID = Expression(r"(?i)(?:[a-z0-9]_|[a-z0-9]-|[a-z0-9 ])?(?:id|uuid|guid|ref)s?$")
_TYPED = Expression(
    r"[A-Za-z0-9_-]{3,}[$!#%^*]+[A-Za-z0-9][A-Za-z0-9$!#%^*_-]*|[A-Za-z_-]{3,}[0-9]+[$!#%^*]+|[A-Za-z]+[0-9]+[$!#%^*][A-Za-z0-9]+"
)
"""As people type a password: a sign within the word, or behind its number."""
_IS_ID_OF_KEY = Expression(r"(?i)key[_-]?id$")
_SALT = Expression(r"(?i)salt$")
_CHANGED = Expression(
    r"(?:C|[a-z]_c)hanged$|(?:U|[a-z]_u)pdated$|(?:M|[a-z]_m)odified$|Last(?:Set|Change)$|_last_(?:set|change)$"
)
_PASSED = Expression(r"(?i)(?:pass|passes)")


def is_secret(claim: Claim) -> bool:
    """First what is certainly no secret; then the name's strength decides how much the value itself must show."""
    if len(claim.value) > LONGEST_JUDGED:
        claim = claim._replace(value=claim.value[:LONGEST_JUDGED])
    value = claim.value
    if len(value) < SHORTEST_SECRET or len(set(value)) < FEWEST_DIFFERENT or value.startswith(b"[redacted:"):
        return False
    if is_left_alone(value) and not (claim.strength != WEAK and is_key_like_a_path(value)):
        return claim.strength == PASSWORD and is_random_file_name(value)
    if _IS_AN_ID.search(claim.name) and (is_uuid(value) or is_object_of(claim.name, value)):
        return False
    if is_name(value) and _IS_ID_OF_KEY.search(claim.name):
        return False
    if is_example(value) or is_hole(value) if claim.accompanied else is_stand_in(value):
        return False
    if tells_another(claim.name, value) or _is_of_a_program(claim):
        return False
    if not claim.quoted and claim.strength != PASSWORD and has_code(value):
        return is_scrambled(value)
    if claim.strength == WEAK or not claim.adjacent or claim.below:
        return _speaks_for_itself(claim)
    return _is_token(claim) if claim.strength == TOKEN else is_password(claim)


def _is_of_a_program(claim: Claim) -> bool:
    """A constant, an alphabet, a certificate, code between two strings, or the name of a policy's statement."""
    value, name = claim.value, claim.name.lower()
    if is_text_in_program(value) or (b"cookie" in name and is_dull_cookie(value)):
        return True
    if claim.strength != PASSWORD and len(value) >= SHORTEST_LONG and entropy(value) < LEAST_ENTROPY_OF_KEY:
        return True
    if _CONSTANT.fullmatch(value) if claim.strength != PASSWORD else _WORDS_IN_CAPITALS.fullmatch(value):
        return True
    if claim.strength != PASSWORD and not claim.expected and is_alphabet(value):
        return True
    if (value[0] in _AFTER_A_QUOTE or not (claim.quoted or claim.literal)) and is_packed_code(value):
        return True
    if _NEXT_STATEMENT.fullmatch(value):
        return True
    if b"cert" in name and b"key" not in name and value.startswith(_CERTIFICATE):
        return True
    shown = len(value) >= SHORTEST_LONG and is_random(value) and not is_made_of_words(value)
    return claim.name == _STATEMENT and not shown


def is_count(name: bytes, value: bytes) -> bool:
    """Whether it is how many tests passed, or which one: `PASS: test_login`, `pass: 1204`; or when one was changed."""
    if value.isdigit() and _CHANGED.search(name):
        return True
    return _PASSED.fullmatch(name) is not None and (value.isdigit() or name.isupper())


def is_spoken_secret(name: bytes, value: bytes, clear: bool, quoted: bool) -> bool:
    """Whether a password follows `the password is …`. `clear`: it says `is`, and then a quoted word is one too."""
    if clear and quoted and says_password(name):
        return len(value) >= SHORTEST_SECRET and not (is_example(value) or is_about_value(value))
    if not is_mixed(value) or (not clear and (is_left_alone(value) or is_wordlike(value.rstrip(b"0123456789s")))):
        return False
    if is_expression(value) and not is_scrambled(value):
        return False
    varied = len(value) >= SHORTEST_TOKEN and classes(value) >= CLASSES_OF_SPOKEN_PASSWORD
    if not clear and varied and says_password(name) and not is_wordlike(value):
        return not (is_stand_in(value) or is_left_alone(value) or is_expression(value))
    return is_secret(Claim(PASSWORD if clear else WEAK, name, value, quoted=clear, adjacent=clear))


def _speaks_for_itself(claim: Claim) -> bool:
    value = claim.value
    if claim.strength == TOKEN and value.isalnum() and surprise(value) >= LEAST_SURPRISE_OF_BARE_TOKEN:
        return True
    if b" " in value:
        return claim.quoted and is_noise(value) and not is_text(value)
    if (is_name(value) and not _SALT.search(claim.name)) or len(value) < (
        SHORTEST_TOKEN if claim.adjacent else SHORTEST_APART
    ):
        return False
    if not claim.quoted and (_SNAKE.fullmatch(value) or _is_namesake(claim)):
        return False
    if not is_mixed(value) or entropy(value) < LEAST_ENTROPY_BESIDE_NAME or is_wordlike(value):
        return False
    if len(value) >= SHORTEST_LONG:
        return is_random(value)
    return claim.quoted or not is_identifier(value) or b"_" not in value


def _is_namesake(claim: Claim) -> bool:
    """Whether a bare name begins like the one it is given to: `CertSigAlgoRSAv01 = CertAlgoRSAv01`."""
    return is_identifier(claim.value) and claim.value[:4].isalpha() and claim.name.startswith(claim.value[:4])


def _is_token(claim: Claim) -> bool:
    value = claim.value
    if len(value) < SHORTEST_TOKEN or is_about_value(value):
        return False
    if b" " in value:
        return claim.quoted and is_noise(value) and not is_text(value)
    if is_scrambled(value):
        return True
    if value.isdigit():
        return len(value) >= SHORTEST_OF_DIGITS
    if not has_letter(value):
        return has_digit(value) and len(value) >= SHORTEST_WITHOUT_LETTERS
    if claim.quoted and _TYPED.fullmatch(value):
        return True
    if has_digit(value):
        return not (_is_label(claim) or (_SNAKE.fullmatch(value) and has_grain(value)))
    if len(value) < SHORTEST_LONG or is_wordlike(value) or _DOTTED_WORDS.fullmatch(value):
        return False
    return claim.quoted or claim.literal or not is_identifier(value)


def _is_label(claim: Claim) -> bool:
    """Words with a number, such as `auth_token_2` or `gpt-4o-mini`."""
    value = claim.value
    if is_wordlike(value):
        return not value.endswith(b"=") and not is_drawn(value)
    written = claim.quoted or claim.literal
    return not written and not is_random(value) and is_identifier(value) and len(value) < LONGEST_LABEL


def is_drawn(value: bytes) -> bool:
    """Whether letters and digits happen to make words, as one random value in four hundred does."""
    return value.isalnum() and not has_grain(value)


_STEMS = Expression(r"(?i)pass|pwd|secret|token|key|cred|auth|login|user|name|\bid\b")
_LABEL = Expression(
    r"(?i)(?:pass(?:w(?:or)?d|wort|phrase|code)?|pwd|contrase.{1,2}a|senha|secret|token|key|cred(?:ential)?|auth|login|user|name"
    r"|id|my|your|the|new|old|current|confirm(?:ation)?|reset|forgot(?:ten)?|change|edit|update|repeat|verify|enter|show|hide"
    r"|invalid|wrong|admin|root|db|test|default|field|input|form|text|box|label|type|hash(?:ed)?|encrypted|plain|is|no|with"
    r"|for|to|from|and|or|of|in|s|get|set|has|check|validate|compare|generate|send|save|store|create|delete|remove|ask|prompt|on|[^A-Za-z])+"
)
_SAYS_PASSWORD = Expression(r"(?i)pass(?:w(?:or)?d|wd|wort|phrase|code)?s?|pwd?|secret")


def says_password(name: bytes) -> bool:
    """Whether the whole name is a word for a password."""
    return _SAYS_PASSWORD.fullmatch(name) is not None


def is_password(claim: Claim) -> bool:
    """Whether a value beside a name that says password is one: it may be a word, and words are also labels and code."""
    value = claim.value
    if is_scrambled(value):
        return True
    if claim.quoted and b" " in value and is_quoted_phrase(value):
        return True
    if is_about_value(value):
        return False
    if b" " in value:
        return _is_phrase(claim)
    written = claim.quoted or (claim.literal and not is_expression(value))
    if classes(value) >= CLASSES_OF_PASSWORD and (has_digit(value) or not is_wordlike(value)):
        return written or not _is_code(value)
    if claim.quoted and claim.accompanied:
        return not (value != value.lower() and _LABEL.fullmatch(value))
    if written:
        return len(value) >= SHORTEST_WORD and not _is_label_of_one(claim)
    return len(value) >= SHORTEST_WORD and not _is_code(value)


def _is_label_of_one(claim: Claim) -> bool:
    """Whether it is what a form, a table or a program calls a password: `userPassword`, `forgot-password`."""
    value = claim.value
    if _STEMS.search(value) is None:
        return False
    if _LABEL.fullmatch(value) or not says_password(last_word(claim.name)):
        return True
    return not claim.literal and not (value.isalpha() and (value.islower() or value.isupper()))


_ENDS_A_CALL = Expression(r"[A-Za-z_]+\)+\.[a-z]\w*.*")
"""`find(token: digest).each`: the last argument, and what is done with the answer."""


def _is_code(value: bytes) -> bool:
    """Whether it is a bare name, call or type: where the secret comes from, not the secret."""
    if is_expression(value) or _ENDS_A_CALL.fullmatch(value):
        return True
    if not is_identifier(value):
        return False
    return not (value.isalnum() and is_mixed(value) and not _STEMS.search(value)) and not is_random(value)


def _is_phrase(claim: Claim) -> bool:
    """Whether it is a pass phrase and not a sentence on a screen: by its name or by its symbols."""
    value = claim.value
    if not claim.quoted:
        return False
    if b"phrase" in claim.name.lower() or b"mnemonic" in claim.name.lower():
        return True
    few = len(value) <= LONGEST_PHRASE and value.count(b" ") <= MOST_BLANKS_OF_PHRASE
    if claim.accompanied and few and value.replace(b" ", b"").islower():
        return _STEMS.search(value) is None
    longest = max(value.split(), key=len)
    return len(longest) >= SHORTEST_TOKEN and is_mixed(longest) and not is_wordlike(longest)
