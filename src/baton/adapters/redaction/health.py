# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Private health and payment data without a check digit: known by the words beside it, and never taken in code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.layer import Anchor, Hit
from baton.adapters.redaction.span import PERSONAL, Span
from baton.adapters.redaction.thresholds import HEALTH_AHEAD, HEALTH_BACK
from baton.adapters.redaction.typed import in_code
from baton.adapters.redaction.work import Work
from baton.core.value import value


@value
class HealthRule:
    """`anchor` ends where the label does; `taken` has the value in the one group that matched. Examples as in
    `carrier_rules`.
    """

    kind: str
    anchor: str
    taken: Expression
    examples: tuple[str, ...]
    left: tuple[str, ...]


_ICD = r"[A-TV-Z][0-9][0-9AB](?:\.[0-9A-Z]{1,4})"
_DRUG = r"[a-z]{2,18}(?:formin|pril|sartan|statin|olol|azole|oxetine|traline|pram|pam|lam|cillin|mycin|floxacin|cycline|prazole|tidine|dipine|thiazide|semide|parin|xaban|gliptin|gliflozin|glutide|insulin|mab|tinib|vir|profen|cetamol|codone|morphine|fentanyl|sone|solone|terol|lukast|triptan|setron|azepam|zodone|apine|done|line|zine|mide|thyroxine)"
_NUMBER = r"(?:\s?(?:id|number|no\.?|nr\.?|#))"


def _row(kind: str, anchor: str, taken: str, examples: tuple[str, ...], left: tuple[str, ...] = ()) -> HealthRule:
    return HealthRule(kind, anchor, Expression(f"(?i){taken}"), examples, left)


RULES = (
    _row(
        "diagnosis",
        r"\b(?:diagnos(?:is|es|ed)|dx|icd-?10)\b",
        rf"\b(?:diagnos(?:is|es|ed(?: with)?)|dx|icd-?10(?:-cm)?)\b[: \t-]{{1,4}}([^\n.,;:]{{0,60}}\b(?-i:{_ICD})\b\)?[^\n.,;:]{{0,40}})",
        ("Diagnosis: «Type 2 diabetes mellitus (E11.9)»", "dx «F32.1 moderate depressive episode», see June"),
        ("class Diagnosis(models.Model):", "Diagnosis: the build fails on E11 and 3.11"),
    ),
    _row(
        "medication",
        r"\b[0-9.]{1,6}[ \t]?(?:mg|mcg|ml|iu|units)\b",
        rf"\b({_DRUG}[ \t]+[0-9.]{{1,6}}[ \t]?(?:mg|mcg|ml|iu|units)\b(?:[ \t](?:once|twice|daily|a day|per day|every \w+|bid|tid|prn)){{0,3}})",
        ("medication: «metformin 500 mg twice daily»", "She takes «sertraline 50mg» in the morning"),
        ("the build takes 500 mg of nothing", "assert parse_dose('500 mg') == 500"),
    ),
    _row(
        "blood-type",
        r"\bblood[ _]?(?:type|group)\b",
        r"\bblood ?(?:type|group)\b[ \t:=]{1,4}(?:is )?((?:AB|A|B|O)[ ]?(?:[+-]|pos(?:itive)?|neg(?:ative)?|rh ?[+-]))",
        ("Blood type: «O negative»", "blood group «AB+»"),
        ("blood_type = forms.ChoiceField(choices=BLOOD_TYPES)",),
    ),
    _row(
        "patient-number",
        r"\bpatient\b",
        rf"\bpatient{_NUMBER}{{1,2}}[ \t]*(?:is|[:#=])?[ \t]*((?-i:[A-Z]{{0,3}})-?[0-9]{{5,12}})\b",
        ("Patient ID: «48291375»", "patient number «P-4829137»"),
        ("patient_id: int", "SELECT patient_id FROM visits"),
    ),
    _row(
        "insurance-number",
        r"\b(?:insurance|health plan|medicaid|krankenversicherung\w{0,10})\b",
        rf"\b(?:insurance|health plan|medicaid|krankenversicherung\w{{0,10}})(?:[ \t](?:member|policy|group|subscriber)){{0,2}}{_NUMBER}?[ \t]*(?:is|[:#=])?[ \t]*((?-i:[A-Z]{{0,4}})-?[0-9]{{6,14}}(?-i:[A-Z]?))\b",
        ("Insurance member ID: «XHK482913756»", "health insurance policy no. «4829137560»"),
        ("insurance_claim_count = 123456",),
    ),
    _row(
        "sort-code",
        r"\bsort[ -]?code\b",
        r"\bsort[ -]?code\b[^0-9\n]{0,8}([0-9]{2}[ -]?[0-9]{2}[ -]?[0-9]{2})\b",
        ("Sort code: «20-45-53»",),
        ("sort code and account number are asked for",),
    ),
    _row(
        "bank-account",
        r"\b(?:sort[ -]?code|routing|aba)\b[^\n]{0,60}\bacc(?:oun)?t\b",
        r"\b(?:sort[ -]?code|routing|aba)\b[^\n]{0,60}?\bacc(?:oun)?t\b[^0-9\n]{0,12}([0-9]{6,17})\b",
        ("sort code x, account «48291375»", "ABA routing x acct «482913756»"),
        ("routing table and account 12",),
    ),
    _row(
        "routing-number",
        r"\b(?:routing|aba)\b",
        r"\b(?:routing|aba)\b[^0-9\n]{0,16}([0-9]{9})\b",
        ("Routing number: «021000021»",),
        ("routing number validation fails for 9 digits", "routing 123456789 packets"),
    ),
)


class HealthLayer:
    def anchors(self) -> Sequence[Anchor]:
        return [Anchor(rule.anchor, caseless=True) for rule in RULES]

    def kinds(self) -> Iterable[str]:
        return (rule.kind for rule in RULES)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        done = [0] * len(RULES)
        for number, end in sorted(hits, key=lambda hit: hit[1]):
            if end <= done[number] or not work.allows(end):
                continue
            rule = RULES[number]
            first = max(done[number], end - HEALTH_BACK, 0)
            found = rule.taken.search(data, first, min(len(data), end + HEALTH_AHEAD))
            if found is None:
                continue
            start, last = found.span(1)
            done[number] = max(last, end)
            if rule.kind == "routing-number" and not _is_routing_number(data[start:last]):
                continue
            if not in_code(data, start):
                yield Span(start, last - len(data[start:last]) + len(data[start:last].rstrip()), PERSONAL, rule.kind)


def _is_routing_number(digits: bytes) -> bool:
    """By its check digit; and a district of the Federal Reserve."""
    weights = (3, 7, 1) * 3
    right = sum(weight * int(chr(digit)) for weight, digit in zip(weights, digits, strict=True)) % 10 == 0
    return right and int(digits[:2]) in (*range(1, 13), *range(21, 33), *range(61, 73), 80)
