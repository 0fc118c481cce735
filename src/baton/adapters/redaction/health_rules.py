# ruff: noqa: E501 (a pattern is easier to read in one line)
"""What tells that an illness, a drug, a number or a date is a person's: rows with examples and counter-examples.

Words are in `rules/health.txt`. Every group that matches is cut; what stands between the groups stays.
"""

from __future__ import annotations

from baton.adapters.redaction.expression import Expression
from baton.adapters.redaction.layer import longest_first
from baton.adapters.redaction.rules_file import HEALTH, table
from baton.core.value import value


@value
class HealthRule:
    """`anchor` ends where the label does; `taken` has the values in its groups. `near` must stand around it, and
    `unless` must not follow it. Examples as in `carrier_rules`.
    """

    kind: str
    anchor: str
    taken: Expression
    examples: tuple[str, ...]
    left: tuple[str, ...]
    near: Expression | None = None
    unless: Expression | None = None


def row(
    kind: str,
    anchor: str,
    taken: str,
    examples: tuple[str, ...],
    left: tuple[str, ...] = (),
    *,
    near: str = "",
    unless: str = "",
) -> HealthRule:
    around, after = (Expression(f"(?i){each}") if each else None for each in (near, unless))
    return HealthRule(kind, anchor, Expression(f"(?i){taken}"), examples, left, around, after)


def _words(what: str) -> str:
    """The words of one kind, those of other alphabets byte by byte."""
    spelled = (
        "".join(
            f"\\x{byte:02x}" if byte >= 0x80 else f"\\{chr(byte)}" if chr(byte) in ".+" else chr(byte)
            for byte in word.encode()
        )
        for word in sorted(table(HEALTH, what), key=longest_first)
    )
    return f"(?:{'|'.join(spelled)})"


_CODE = r"(?-i:[A-TV-Z][0-9][0-9AB](?:\.[0-9A-Z]{1,4})?)"
_DOTTED = r"(?-i:[A-TV-Z][0-9][0-9AB]\.[0-9A-Z]{1,4})"
_ICD = r"icd(?:[ -]?1[01])?(?:-?[cg]m)?(?:[ -]code)?"
_DX = r"(?:diagnos(?:is|es|e|tic|i)|diagn\xc3\xb3stico|dx|diagnosed with)"
_SAID = r"[^\n.,;:()\[\]=<>{}\"]{2,60}?"
_ILLNESS = _words("illness")
_PERSON = rf"\b(?:{_words('person')}|(?-i:[A-Z][a-z]{{2,20}}))"
_ILL = (
    rf"(?:[a-z]+ |type [12i]{{1,2}} |stage \w{{1,3}} ){{0,3}}?{_ILLNESS}(?: disease| disorder| type [12abc]| [abc]\b)?"
)
_NOT_A_NOUN = r"(?:[.,;:()!?\n]|$| (?:and|or|but|since|for|so|which|who|with|now|again|in|last|at|when|too|und|oder|seit|et|depuis|y|desde|e|da)\b)"

_DOSE = r"[0-9]{1,5}(?:[.,][0-9]{1,3})?[ \t]?(?:mg|mcg|\xc2\xb5g|\xce\xbcg|ml|iu|ie|units)\b"
_ENDING = r"[a-z]{2,18}(?:formin|pril|sartan|statin|olol|azole|oxetine|traline|pram|pam|lam|cillin|mycin|floxacin|cycline|prazole|tidine|dipine|thiazide|semide|parin|xaban|gliptin|gliflozin|glutide|insulin|mab|tinib|vir|profen|cetamol|codone|morphine|fentanyl|sone|solone|terol|lukast|triptan|setron|azepam|zodone|apine|tadone|zine|mide|thyroxine|prine|gliptin|dronate|sulide|clovir)"
_DRUG = rf"(?:insulin [a-z]{{4,12}}|{_ENDING}|{_words('drug')}|{_words('brand')})(?: (?:xr|er|sr|cr|retard))?"
_BRAND = _words("brand")
_SOMETHING = r"[A-Za-z][a-z\x80-\xff]{3,20}(?:[ -][a-z]{4,14})?"
_OFTEN = r"(?:[ \t](?:once|twice|daily|weekly|a day|per day|every \w+|bid|tid|prn|t\xc3\xa4glich)){0,3}"
_THEN = r"(?:[ \t]at night|[ \t]in the (?:morning|evening))?(?:,|,? (?:and|then|plus|with|und|dann|et|puis|y|e|en)|[ \t]?[+/])[ \t](?:(?:in the )?(?:morgens|mittags|abends|nachts|le soir|le matin|por la noche|also|then|of)[ \t])?"
_MORE = rf"(?:{_THEN}({_SOMETHING}[ \t]?{_DOSE}{_OFTEN}))?" * 3

_NUMBER = r"(?:[ \t]?(?:id|card|number|nummer|num|no\.?|nr\.?|#|is|ist|:|=|n\xc2\xb0)){0,4}[ \t]?"
_DIGITS = r"((?-i:[A-Z]{0,4})[ -]?[0-9](?:[ -]?[0-9]){4,15}(?:[ -]?(?-i:[A-Z]{1,2}))?)\b"
_DATE = r"((?:[0-9]{1,2}[./ -](?:[0-9]{1,2}|[a-z]{3,9})[./ -]{1,2}(?:19|20)?[0-9]{2}|(?:19|20)[0-9]{2}[./-][0-9]{2}[./-][0-9]{2}|(?-i:[A-Z])[a-z]{2,8} [0-9]{1,2},? (?:19|20)[0-9]{2}))\b"

ROWS = (
    row(
        "diagnosis",
        r"\bicd\b",
        rf"\b(?:{_words('suffers')}|{_words('maybe')}|{_words('has')}|is|{_DX}) ?:? ?(?:a |an |the )?({_SAID})[ ,(;:-]{{1,4}}{_ICD}[: -]{{0,3}}({_CODE})\b",
        (
            "Ms Ode has «coeliac disease» (ICD-10 «K90.0») and the invoice is open",
            "suspected «sarcoidosis» ICD «D86», see June",
            "he suffers from «panic disorder», ICD-10-CM: «F41.0», send it",
        ),
        ("the table has a column for ICD-10 codes", "ICD 10 is the tenth revision"),
    ),
    row(
        "diagnosis",
        r"\b(?:diagnos(?:is|es|e|ed|tic|i)|dx|icd(?:-?1[01])?)\b",
        rf"\b{_DX} ?:? ({_SAID})[ ,]{{0,2}}[( ]({_DOTTED})\b|\b{_DX} ?:? ((?:[a-z'-]+ ){{0,3}}{_ILLNESS}[^\n.,;:()]{{0,24}}) ?\(({_CODE})\)",
        ("Diagnosis: «Type 2 diabetes mellitus» («E11.9»)", "Diagnose: «Morbus Parkinson» («G20»), Brief an uns"),
        (
            "class Diagnosis(models.Model):",
            "Diagnosis: the build fails on E11 and 3.11",
            "Diagnosis: the pod died (E12)",
        ),
    ),
    row(
        "diagnosis",
        r"\b(?:diagnos(?:is|es|ed)|dx|icd(?:-?1[01])?)\b",
        rf"\b(?:{_DX}|{_ICD})[: \t-]{{1,4}}({_DOTTED}\b(?:[ \t](?-i:[A-Za-z][a-z'-]*))*)|\b{_ICD}[: \t-]{{1,4}}({_CODE})\b",
        ("dx «F32.1 moderate depressive episode», see June", "ICD-10: «E66.9» and the weight"),
        ("the parser maps ICD-10 codes like E11.9 to their chapter",),
    ),
    row(
        "diagnosis",
        rf"\b{_ILLNESS}",
        rf"\b{_words('suffers')} ({_ILL}){_NOT_A_NOUN}|{_PERSON} (?:\w+ )?{_words('has')} (?:a |an )?({_ILL}){_NOT_A_NOUN}|{_PERSON}(?: is| was| tested|'s|\xe2\x80\x99s) (hiv[ -]pos(?:itive)?)\b(?:[^\n.;]{{0,24}}\bcode ({_CODE})\b)?",
        (
            "My sister has «type 1 diabetes» and needs a seat",
            "Tom was diagnosed with «bipolar disorder».",
            "he leidet an «Schuppenflechte», bitte",
            "she is «HIV positive», code «B20», call her",
            "He's «HIV positive» and on leave",
            "I was diagnosed with «lupus» in 2019.",
            "my doctor says I have «psoriasis», sadly",
        ),
        (
            "The drug is for people with diabetes and gout.",
            "If the patient has asthma, ask a doctor",
            "the asthma dataset has 4000 rows",
            "Anna has diabetes research data",
        ),
    ),
    row(
        "medication",
        rf"\b{_DOSE}",
        rf"\b({_DRUG}[ \t]?{_DOSE}{_OFTEN}){_MORE}",
        (
            "medication: «metformin 500 mg twice daily»",
            "She takes «sertraline 50mg» in the morning",
            "«Lyrica 75mg» and «Foobarol 5 mg», thanks",
        ),
        (
            "the build takes 500 mg of nothing",
            "assert parse_dose('500 mg') == 500",
            "Aspirin 100 mg film-coated tablets contain lactose",
            "dissolve ibuprofen 200 mg in ethanol",
        ),
        unless=r"(?:[ \t]?(?:film-?coated |filmtabl|tabletten|tablets|capsules|kapseln|comprim|suppositor|solution|oral |per (?:tablet|litre|liter)|in (?:ethanol|water|dmso|buffer|[0-9]+ ?ml)))",
    ),
    row(
        "medication",
        rf"\b{_DOSE}",
        rf"(?:\b(?:{_words('person')}|(?-i:[A-Z][a-z]{{2,20}})) (?:\w+ )?{_words('takes')}|\b{_words('given')}(?: (?:list|plan))?[:,]?) (?:(?:morgens|abends|now|also|him|her|me|to take) )?({_SOMETHING}[ \t](?:[0-9]{{1,5}}(?:[.,][0-9]{{1,3}})?[ \t]?(?:mg|mcg|\xc2\xb5g|\xce\xbcg|iu|ie|units)\b){_OFTEN}){_MORE}",
        ("my dad takes «Foobarol 20 mg» and «Quuxin 5mg» at night", "prescribed «Foobarol 20 mg» for now"),
        ("the reaction takes sodium 40 mg", "she takes about 20 mg"),
    ),
    row(
        "medication",
        rf"\b{_BRAND}\b",
        rf"\b{_words('person')}(?:'s| is)?(?: \w+)? (?:on|{_words('takes')}) ({_BRAND}){_NOT_A_NOUN}",
        (
            "she takes «Biktarvy» and sleeps well",
            "my brother is on «Lexapro», be kind",
            "and he is on «Genvoya».",
        ),
        ("the page compares Prozac with Zoloft", "he is on Prozac Nation now"),
    ),
    row(
        "medication",
        rf"\b{_words('takes')}[ ]{_ENDING}\b",
        rf"(?:\b{_words('person')}(?:'s| is)?(?: \w+)?|\b(?:and|und|y|et|e)) {_words('takes')} ({_ENDING}){_NOT_A_NOUN}",
        ("she takes «sertraline» and sleeps well", "I was ill and take «azathioprine», so I may be off"),
        ("the reaction takes lisinopril and water", "it takes April, and then May"),
    ),
    row(
        "lab-value",
        r"\b(?:blood[ ](?:sugar|glucose|pressure)|hba1c|cholesterol|triglycerides|creatinine|ferritin|tsh|blutzucker|blutdruck|gluc\xc3\xa9mie|glucemia|tensi\xc3\xb3n|tension[ ]art\xc3\xa9rielle|glicemia|pressione)\b[^0-9\n]{0,12}[0-9]",
        r"\b(?:blood (?:sugar|glucose|pressure)|hba1c|cholesterol|triglycerides|creatinine|ferritin|tsh|blutzucker|blutdruck|gluc\xc3\xa9mie|glucemia|tensi\xc3\xb3n|tension art\xc3\xa9rielle|glicemia|pressione)(?: level| value)?(?:[ \t]*[:=]|[ \t](?:is|was|of|at|ist|war|est|es|era|\xc3\xa8|de|von|bei))*[ \t]{0,2}([0-9]{1,3}(?:[.,/][0-9]{1,3})?)\b",
        ("blood sugar was «11.8» this morning, hba1c «7.9»", "Blutdruck: «145/95», sonst gut"),
        ("hba1c 2024 guideline", "cholesterol_level = 5.2", "TSH 2024: three builds"),
    ),
    row(
        "blood-type",
        r"\bblood[ _]?(?:type|group)\b",
        r"\bblood ?(?:type|group)\b[ \t:=]{1,4}(?:is )?((?:AB|A|B|O)[ ]?(?:[+-]|pos(?:itive)?|neg(?:ative)?|rh ?[+-]))",
        ("Blood type: «O negative»", "blood group «AB+»"),
        ("blood_type = forms.ChoiceField(choices=BLOOD_TYPES)",),
    ),
    row(
        "patient-number",
        r"\b(?:patient(?:en)?|paciente|paziente|pati\xc3\xabnt)(?:[ -]?(?:id|number|nummer|no|nr|card|num)|[ ]?#)",
        rf"\b(?:patient(?:en)?|paciente|paziente|pati\xc3\xabnt)(?:[ -]?(?:id|number|nummer|no|nr|card|num)\b\.?|[ ]?#){_NUMBER}{_DIGITS}",
        ("Patient ID: «48291375»", "patient number «P-4829137»", "Patient no. «P-4821-773» was late"),
        ("patient_id: int", "SELECT patient_id FROM visits", "patient no. 4 of 12"),
    ),
    row(
        "insurance-number",
        r"\b(?:insurance|health[ -]?(?:plan|card)|medicaid|medicare card|krankenversicher\w{0,14}|versicherten\w{0,8}|krankenkasse\w{0,8}|carte vitale|tarjeta sanitaria|tessera sanitaria)\b",
        rf"\b(?:insurance|health[ -]?(?:plan|card)|medicaid|medicare card|krankenversicher\w{{0,14}}|versicherten\w{{0,8}}|krankenkasse\w{{0,8}}|carte vitale|tarjeta sanitaria|tessera sanitaria)(?:(?:[ \t]card says)?(?:[ \t](?:member|policy|group|subscriber)){{0,2}}|[^\n.]{{1,40}}?\b(?:member|policy|subscriber)){_NUMBER}{_DIGITS}",
        (
            "Insurance member ID: «XHK482913756»",
            "health insurance policy no. «4829137560»",
            "health card «4829-137-560-KL», valid",
            "Health plan: Foobarcare, member id «W482913756»",
            "the insurance card says member ID «XHK482913756», group 12",
        ),
        ("insurance_claim_count = 123456", "insurance 2024 report"),
    ),
    row(
        "birth-date",
        rf"\b{_words('born')}[:, ]{{1,3}}(?:[0-9]|(?:[A-Z][a-z]{{2,8}}) [0-9])",
        rf"\b{_words('born')}[:, ]{{1,3}}{_DATE}",
        ("Patient: L. Ode, DOB «03/11/1974», ward 2", "Patientin, geb. «12.04.1958», Diagnose folgt"),
        ("DOB 03/11/1974 is the fixture's date", "born 1974"),
        near=rf"\b{_words('medical')}\b",
    ),
)
