"""How far a secret that was recognised once is looked for: everywhere, as a word, or beside words that speak of one.

A value that was cut once is cut again wherever it comes. But passwords can be anything: `test` cut everywhere would
shred every text, and a rule that took an ordinary name for a password would be wrong everywhere instead of once. So a
value is judged by what it would do to other text. `docs/decisions/038` has the table.
"""

from __future__ import annotations

import re

from baton.adapters.redaction.bare_labels import is_noun
from baton.adapters.redaction.entropy import classes, is_wordlike
from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.rules_file import common_words, ordinary_words
from baton.adapters.redaction.thresholds import (
    FEWEST_DIFFERENT,
    LONGEST_KNOWN,
    SHORTEST_ANYWHERE,
    SHORTEST_ANYWHERE_OF_WORDS,
    SHORTEST_NUMBER_ALONE,
    SHORTEST_PHRASE,
    SHORTEST_SECRET,
)

ANYWHERE, WORD, BESIDE = range(3)
"""Within other text and in every encoding; only as a whole word; and only on a line that speaks of a secret."""

_NUMBERS = Expression(r"[0-9.,:/ +_-]+")
_IDENTIFIER = Expression(r"(?:[a-z]+|[A-Z]+|[A-Z][a-z]+)(?:(?:[_.$]|::|->)\w+|[A-Z][a-z]+)+(?:\(\))?")
_NAME_WITH_NUMBER = Expression(r"([A-Za-z]+)[_-]?[0-9]{1,2}")
_PLACE = Expression(
    r"(?i)(?:~|\.{1,2})?/\S*|[a-z]:[\\/].*|[a-z][a-z0-9+.-]*://[^\s@]*|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
    r"|[0-9]{8}_[0-9]{6}_[0-9a-f]{6}|(?:[\w-]+\.)+[a-z]{2,24}(?::[0-9]+|/[\w./-]*|:[0-9]+/[\w./-]*)"
)
_DOTTED = Expression(r"(?i)(?:[\w-]+\.)+([a-z][a-z0-9]{0,15})")
_ENDINGS = frozenset(
    """
    com org net edu gov int io dev app ai co me tv cloud info biz xyz tech site online shop store page web link
    de at ch uk eu fr es it nl be pl cz se no dk fi pt ie gr tr ru ua ro hu us ca mx br ar jp cn kr in au nz za
    local localdomain internal intern lan corp home private test example invalid localhost arpa onion svc
    py pyi js mjs cjs ts tsx jsx vue go rs rb php java kt swift c h cc cpp hpp cs sh bash ps1 lua sql html htm
    css scss json jsonl yaml yml toml ini cfg conf env properties xml md rst txt csv tsv log lock pem key crt
    cer pub p12 pfx jks kdbx asc gpg db sqlite zip gz tar tgz whl jar so dll exe png jpg svg pdf bak tmp orig
    """.split()  # noqa: SIM905
)
"""How hosts and files end."""
_NAMING = frozenset(("password", "passwd", "passphrase", "passcode", "secret", "token", "credential", "credentials"))
"""A word of a name that says what the name holds."""
_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_SPEAKING = (
    *("mot de passe", "contrase", "senha", "kennwort", "wachtwoord", "parol", "hasło", "haslo", "heslo", "lozink"),
    *("jelsz", "salasana", "lösenord", "losenord", "adgangskode", "passord", "şifre", "sifre", "slapta", "geslo"),
    *("mật khẩu", "kata sandi", "κωδικ", "пароль", "пароля", "паролем", "סיסמ", "كلمة المرور", "كلمة السر", "رمز"),
    *("पासवर्ड", "รหัสผ่าน", "密码", "密碼", "口令", "パスワード", "暗証", "비밀번호", "비번", "암호"),
)
_SPEAKS = Expression(
    r"(?i)pass[ _-]?(?:w|phrase|code)|\bpw\b|pwd|\bpin\b|secret|credential|log(?:s|ged|ging)?[ -]?in\b"
    r"|sign(?:ed|ing)?[ -]?in\b|unlock|\bmdp\b|"
    + "|".join("".join(f"\\x{byte:02x}" for byte in word.encode()) for word in _SPEAKING)
)
_ABOUT_BACK, _ABOUT_AHEAD = 80, 48
_ALNUM = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789")
_JOINS = frozenset(b"-./\\:,+@")


def is_memorable(value: str) -> bool:
    """Not the word for a password itself: it would be cut wherever somebody speaks of one."""
    if not SHORTEST_SECRET <= len(value) <= LONGEST_KNOWN or "[redacted" in value:
        return False
    return not is_noun(value.encode("utf-8", "surrogatepass"))


def quick_reach_of(value: str) -> int:
    """Without a look at its words."""
    return ANYWHERE if len(value) >= SHORTEST_ANYWHERE and not value.isalpha() and not value.isdigit() else WORD


def reach_of(value: str) -> int:
    raw = value.encode("utf-8", "surrogatepass")
    if len(set(value)) < FEWEST_DIFFERENT or value.lower() in common_words():
        return BESIDE
    if _NUMBERS.fullmatch(raw):
        return WORD if _is_long_number(value) else BESIDE
    if " " in value:
        return _reach_of_phrase(value)
    return _reach_of_words(value, raw) if is_wordlike(raw) else _reach_of_noise(value)


def _is_long_number(value: str) -> bool:
    """A code or a card, not a year, a port, a date, a time or a version."""
    digits = sum(map(str.isdigit, value))
    return digits >= SHORTEST_NUMBER_ALONE and (value.isdigit() or digits >= 2 * SHORTEST_NUMBER_ALONE)


def _reach_of_phrase(value: str) -> int:
    words = value.lower().split()
    if len(value) >= SHORTEST_PHRASE and len(words) > 2:
        return WORD
    return BESIDE if all(map(_is_ordinary, words)) else WORD


def _reach_of_noise(value: str) -> int:
    return ANYWHERE if len(value) >= SHORTEST_ANYWHERE else WORD


def _reach_of_words(value: str, raw: bytes) -> int:
    if _PLACE.fullmatch(raw):
        return BESIDE
    if _DOTTED.fullmatch(raw) or _IDENTIFIER.fullmatch(raw):
        return BESIDE if _is_common_name(value, raw) else WORD
    if (named := _NAME_WITH_NUMBER.fullmatch(raw)) and _is_ordinary(named.group(1).decode().lower()):
        return BESIDE
    if all(map(_is_ordinary, value.lower().split("-"))):
        return BESIDE
    return ANYWHERE if len(value) >= SHORTEST_ANYWHERE_OF_WORDS and classes(raw) > 2 else WORD


def _is_common_name(value: str, raw: bytes) -> bool:
    """Whether what has the form of a host, a file or a name in a program is one: by its ending, by a word in it that
    names a secret, or because every word of it is ordinary. `mavi.deniz` and `Feld_Lerche` are none.
    """
    if (dotted := _DOTTED.fullmatch(raw)) is not None and dotted.group(1).decode().lower() in _ENDINGS:
        return True
    words = [word.lower() for word in _HUMPS.findall(value)]
    return not _NAMING.isdisjoint(words) or all(map(_is_commonplace, words))


def _is_commonplace(word: str) -> bool:
    return word.isdigit() or _is_ordinary(word) or word in common_words() or word.removesuffix("s") in ordinary_words()


def _is_ordinary(word: str) -> bool:
    return len(word) < SHORTEST_SECRET or word in ordinary_words()


def is_within_reach(data: bytes, start: int, end: int, reach: int) -> bool:
    """Whether a value that stands there is the secret, and not the same letters in another word or another sense."""
    if reach == ANYWHERE:
        return True
    strict = reach == BESIDE or data[start:end].isdigit()
    if not (_ends_word(data, start - 1, -1, strict=strict) and _ends_word(data, end, 1, strict=strict)):
        return False
    return reach == WORD or speaks_of_secrets(data, start, end)


def _ends_word(data: bytes, at: int, step: int, *, strict: bool) -> bool:
    """Whether a word ends before the byte at `at`. Strictly, `test_all`, `test-all` and `1.4821` are one word each."""
    if not 0 <= at < len(data):
        return True
    if data[at] in _ALNUM:
        return False
    if not strict:
        return True
    beyond = at + step
    return data[at] != 0x5F and not (data[at] in _JOINS and 0 <= beyond < len(data) and data[beyond] in _ALNUM)


def speaks_of_secrets(data: bytes, start: int, end: int) -> bool:
    first, last = max(0, start - _ABOUT_BACK), min(len(data), end + _ABOUT_AHEAD)
    first = max(first, data.rfind(b"\n", first, start) + 1)
    line_end = data.find(b"\n", end, last)
    last = line_end if line_end >= 0 else last
    return _SPEAKS.search(data, first, start) is not None or _SPEAKS.search(data, end, last) is not None
