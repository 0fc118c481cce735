# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Payment and personal data with a check digit: cards, bank accounts, national and health numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from typing import Any

from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.span import PERSONAL, Span
from baton.adapters.redaction.thresholds import CARD_BACK, NUMBER_AHEAD, NUMBER_BACK
from baton.adapters.redaction.typed import in_code
from baton.adapters.redaction.work import Work
from baton.core.value import value

_LEFT = r"(?:^|[^0-9A-Za-z_.+/-])"
_ISSUER = Expression(
    r"4[0-9]{12}(?:[0-9]{3}){0,2}|220[0-4][0-9]{12}|5[1-5][0-9]{14}|2(?:22[1-9]|2[3-9][0-9]|[3-6][0-9]{2}|7[01][0-9]|720)[0-9]{12}"
    r"|3[47][0-9]{13}|6(?:011|5[0-9]{2}|4[4-9][0-9])[0-9]{12}|35(?:2[89]|[3-8][0-9])[0-9]{12}|62[0-9]{14}"
    r"|3(?:0[0-59]|[689][0-9])[0-9]{11}|(?:50|5[6-9]|6[0-9])[0-9]{14}"
)


@value
class Number:
    """`pattern` has the number in group 1; `check` is a module of stdnum whose `is_valid` decides."""

    kind: str
    anchor: str
    pattern: str
    check: str


def _number_with_label(kind: str, label: str, shape: str, check: str) -> Number:
    words = (
        r"(?:(?:no|nr|num|number|nummer|n\xc2\xb0|num\xc3\xa9ro|n\xc3\xbamero|numero|id|card|is|ist|lautet|est|es|\xc3\xa8|\xc3\xa9)"
        r"(?:\b|[^\n0-9A-Za-z])[^\n0-9A-Za-z]{0,4}){0,3}"
    )
    pattern = rf"(?i)(?:\b|_)(?:{label})(?:\b|_)[^\n0-9A-Za-z]{{0,4}}{words}({shape})\b"
    return Number(kind, rf"(?:\b|_)(?:{label})(?:\b|_)[^\n]{{0,24}}[0-9]", pattern, check)


_MIXED = r"(?-i:[A-Z0-9]{0,14}[0-9][A-Z0-9]{0,3}(?:[ -]?[A-Z0-9]*[0-9][A-Z0-9]*){0,4})"
"""Capitals and digits, in groups that have a digit each."""

_EXPIRES = r"\b(?:exp|expiry|expires|valid (?:thru|until|to)|g\xc3\xbcltig bis|validit\xc3\xa9|caduca|scadenza|geldig tot)\b[^\n0-9]{0,12}"


NUMBERS = (
    Number(
        "payment-card",
        _LEFT + r"[2-6][0-9]{3}(?:[ -]?[0-9]){9}",
        _LEFT + r"([2-6][0-9]{3}(?:[ -]?[0-9]{4}){2}[ -]?[0-9]{1,7}|3[0-9]{3}[ -]?[0-9]{6}[ -]?[0-9]{4,5})"
        r"(?:[^0-9A-Za-z_.-]|[.](?:\s|$)|$)",
        "stdnum.luhn",
    ),
    Number(
        "iban",
        _LEFT + r"[A-Z]{2}[0-9]{2}[ -]?(?:[A-Z0-9]{4}[ -]?){2}[A-Z0-9]{3}",
        _LEFT + r"([A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?)(?:[^0-9A-Za-z_-]|$)",
        "stdnum.iban",
    ),
    _number_with_label("iban", "iban", r"[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,3})?", ""),
    Number(
        "us-ssn",
        _LEFT + r"[0-9]{3}-[0-9]{2}-[0-9]{4}",
        _LEFT + r"([0-9]{3}-[0-9]{2}-[0-9]{4})(?:[^0-9A-Za-z_-]|$)",
        "stdnum.us.ssn",
    ),
    _number_with_label("us-ssn", "ssn|social security(?: number)?", r"[0-9]{3}[ -]?[0-9]{2}[ -]?[0-9]{4}", "ssn"),
    _number_with_label("us-itin", "itin", r"9[0-9]{2}[ -]?[0-9]{2}[ -]?[0-9]{4}", "stdnum.us.itin"),
    _number_with_label("nhs-number", "nhs", r"[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{4}", "stdnum.gb.nhs"),
    _number_with_label("uk-nino", "nino|national insurance", r"[A-Z]{2}(?: ?[0-9]{2}){3} ?[A-D]", ""),
    _number_with_label("us-npi", "npi", r"[12][0-9]{9}", "npi"),
    _number_with_label(
        "us-medicare-id", "mbi|medicare", r"[1-9][A-Z][A-Z0-9][0-9]-?[A-Z][A-Z0-9][0-9]-?[A-Z]{2}[0-9]{2}", ""
    ),
    _number_with_label("medical-record", "mrn|medical record", r"[A-Z]{0,3}-?[0-9]{5,12}", ""),
    _number_with_label("au-medicare", "medicare", r"[2-6][0-9]{3} ?[0-9]{5} ?[0-9]", ""),
    _number_with_label("dutch-bsn", "bsn", r"[0-9]{9}", ""),
    _number_with_label(
        "french-nir",
        r"nir|s[e\xc3\xa9]{1,2}curit[e\xc3\xa9]{1,2} sociale|(?:n\xc2\xb0|num\xc3\xa9ro)(?: de)? s[e\xc3\xa9]{1,2}cu",
        r"[12][0-9 ]{12,20}[0-9]",
        "",
    ),
    _number_with_label("brazilian-cpf", "cpf", r"[0-9]{3}\.?[0-9]{3}\.?[0-9]{3}-?[0-9]{2}", ""),
    _number_with_label("spanish-id", "dni|nie|nif", r"[XYZ0-9][0-9]{7}-?[A-Z]", "stdnum.es.nif"),
    _number_with_label(
        "italian-tax-code",
        "codice fiscale",
        r"[A-Z]{6}[0-9]{2}[A-Z][0-9]{2}[A-Z][0-9]{3}[A-Z]",
        "",
    ),
    _number_with_label(
        "german-tax-id", "steuer-?id|idnr|tax id", r"[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}", "stdnum.de.idnr"
    ),
    _number_with_label(
        "canadian-sin", "sin|social insurance(?: number)?", r"[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{3}", "stdnum.ca.sin"
    ),
    _number_with_label("indian-aadhaar", "aadhaar|aadhar", r"[2-9][0-9]{3} ?[0-9]{4} ?[0-9]{4}", "stdnum.in_.aadhaar"),
    _number_with_label("australian-tfn", "tfn|tax file number", r"[0-9]{3} ?[0-9]{3} ?[0-9]{2,3}", "stdnum.au.tfn"),
    _number_with_label("polish-pesel", "pesel", r"[0-9]{11}", ""),
    _number_with_label("german-tax-number", "steuernummer|steuer-?nr", r"[0-9]{2,3}/[0-9]{3}/[0-9]{4,5}", ""),
    _number_with_label("us-ein", "ein|tax id|taxpayer id|tin", r"[0-9]{2}-[0-9]{7}", ""),
    _number_with_label(
        "passport-number",
        r"passport|reisepass(?:nummer)?|passnummer|passeport|pasaporte|passaporto|passaporte|paspoort(?:nummer)?|paszport",
        _MIXED,
        "document",
    ),
    _number_with_label(
        "driving-licence",
        r"driver'?s? licen[cs]e|driving licen[cs]e|f\xc3\xbchrerschein(?:nummer)?|permis de conduire|(?:carnet|licencia) de conducir|patente di guida"
        r"|rijbewijs(?:nummer)?|prawo jazdy|carta de condu\xc3\xa7\xc3\xa3o|cnh|k\xc3\xb6rkort(?:snummer)?",
        _MIXED,
        "document",
    ),
    _number_with_label(
        "national-id",
        r"national id(?:entity)?|identity card|id card|identity number|personal(?:ausweis|ausweisnummer)|ausweisnummer|carte d'identit\xc3\xa9|documento de identidad|c\xc3\xa9dula"
        r"|carta d'identit\xc3\xa0|identiteitskaart|dow\xc3\xb3d osobisty|personnummer|samordningsnummer|cpr(?:-nummer)?|f\xc3\xb8dselsnummer|henkil\xc3\xb6tunnus|rodn\xc3\xa9 \xc4\x8d\xc3\xadslo|ahv-?nummer",
        _MIXED,
        "document",
    ),
    _number_with_label(
        "card-code",
        r"cvv2?|cvc2?|card (?:verification|security) (?:code|value)|cryptogramme(?: visuel)?|(?:karten)?pr\xc3\xbcf(?:nummer|ziffer)|c\xc3\xb3digo de seguridad|codice di sicurezza",
        r"[0-9]{3,4}",
        "",
    ),
    Number(
        "card-expiry",
        _EXPIRES + r"[0-9]{2} ?[/-]",
        r"(?i)[0-9]{4}(?:[ -]?[0-9]){8,15}[^\n0-9]{0,40}" + _EXPIRES + r"([0-9]{2} ?[/-] ?(?:20)?[0-9]{2})\b",
        "",
    ),
)


_JUDGED_BY_LABEL = ("", "ssn", "document")
"""No sum tells that it is one, so that it is left in code."""


class PersonalLayer:
    def __init__(self) -> None:
        self._finders: tuple[Expression, ...] = tuple(Expression(number.pattern) for number in NUMBERS)

    def anchors(self) -> Sequence[Anchor]:
        return [Anchor(number.anchor, caseless=number.anchor.startswith((r"\b", r"(?:\b"))) for number in NUMBERS]

    def kinds(self) -> Iterable[str]:
        return (number.kind for number in NUMBERS)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        done = [0] * len(NUMBERS)
        for which, end in sorted(hits, key=lambda hit: hit[1]):
            if end <= done[which] or not work.allows(end):
                continue
            found = self._finders[which].search(data, max(done[which], end - NUMBER_BACK, 0), end + NUMBER_AHEAD)
            if found is None:
                continue
            start, last = found.span(1)
            done[which] = last
            number = NUMBERS[which]
            if not _valid(number, data[start:last].decode("ascii")) or _is_constant(data, start, last, number):
                continue
            if number.check not in _JUDGED_BY_LABEL or not in_code(data, start):
                yield Span(start, last, PERSONAL, number.kind)


_SAYS_CARD = re.compile(rb"(?i)card|visa|master|amex|payment|pan\b|\bcc|kredit|karte|carte|tarjeta|cart")
_AMONG_NUMBERS = re.compile(rb".{0,2}[0-9],[ ]{1,2},[ ]{1,2}-?[0-9].{0,2}", re.S)
_BEFORE_CONSTANT = re.compile(rb"[\w)\]] ?[=:,(\[{|&^+*-]{1,2}[ \t]*\Z|[(\[{,][ \t]*\Z")


def _is_constant(data: bytes, start: int, last: int, number: Number) -> bool:
    """Whether it is a number of a program: digits in a row, behind a sign, in code, and nothing near it says card."""
    if number.kind != "payment-card" or not data[start:last].isdigit():
        return False
    if _AMONG_NUMBERS.fullmatch(data[max(0, start - 4) : start] + data[last : last + 4]):
        return True
    if _is_in_row(data, start, last) or _IS_ID.search(data, max(0, start - 24), start):
        return True
    if _BEFORE_CONSTANT.search(data, max(0, start - 8), start) is None or not in_code(data, start):
        return False
    return _SAYS_CARD.search(data, max(0, start - CARD_BACK), last + 40) is None


_ROW_BEFORE = re.compile(rb"([0-9]{10,})[uUlL)\]}]*,[\s(\[{]+\Z")
_ROW_AFTER = re.compile(rb"[uUlL)\]}]*,[\s(\[{]+([0-9]{10,})")
_IS_ID = re.compile(rb"(?i)(?:\b|_)id[\"']{0,2}[ \t]*[:=][ \t]*[\"']\Z")


def _is_in_row(data: bytes, start: int, last: int) -> bool:
    """Whether numbers stand before and after it in a row that are no cards, as tables of constants have them."""
    before = _ROW_BEFORE.search(data[max(0, start - 48) : start])
    after = _ROW_AFTER.match(data, last, last + 48)
    if before is None or after is None:
        return False
    return not any(_ISSUER.fullmatch(each[1]) and _check("stdnum.luhn")(each[1].decode()) for each in (before, after))


def _valid(number: Number, written: str) -> bool:
    plain = "".join(each for each in written if each.isalnum())
    if number.kind == "us-ssn" and all(len(set(each)) == 1 for each in re.split("[ -]", written)):
        return False
    if number.kind == "payment-card":
        return len(set(plain)) > 1 and _ISSUER.fullmatch(plain.encode()) is not None and _check("stdnum.luhn")(plain)
    if number.check == "npi":
        return bool(_check("stdnum.luhn")("80840" + plain))
    if number.check == "ssn":
        return plain[:3] not in ("000", "666") and plain[3:5] != "00" and plain[5:] != "0000"
    if number.check == "document":
        return _SHORTEST_DOCUMENT <= len(plain) <= _LONGEST_DOCUMENT and len(set(plain)) > 1 and _is_of_digits(plain)
    return not number.check or bool(_check(number.check)(plain))


_SHORTEST_DOCUMENT, _LONGEST_DOCUMENT = 6, 18
"""Characters of a passport's or a licence's number. Format."""


def _is_of_digits(plain: str) -> bool:
    """Whether a third of it at least is digits."""
    return 3 * sum(map(str.isdigit, plain)) >= len(plain)


def _check(module: str) -> Callable[[str], bool]:
    loaded: Any = import_module(module)
    return loaded.is_valid
