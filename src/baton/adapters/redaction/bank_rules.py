# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Bank data without a check digit: rows like those of `health_rules`."""

from __future__ import annotations

from baton.adapters.redaction.health_rules import row

_ACCOUNT = r"(?:acc(?:oun)?t?(?: ?(?:no|nr|num|number|\#))?|a/c)"
_BANKING = r"(?:(?:online|phone|telephone|telefon|internet|mobile|e)?[ -]?banking|bank|banque|banca|banco)"
_CUSTOMER = r"(?:(?:customer|client|login|user|member|membership|access)[ -]?(?:number|no\.?|id)|kundennummer|anmeldename|zugangsnummer|num\xc3\xa9ro de client|identifiant|n\xc3\xbamero de cliente|codice cliente|klantnummer)"
_IS = r"[ \t]?(?:is|ist|lautet|est|es|\xc3\xa8|\xc3\xa9)?[ \t]?[:=]?[ \t]?"

BANKING = (
    row(
        "sort-code",
        r"\bsort[ -]?code\b",
        r"\bsort[ -]?code\b[^0-9\n]{0,8}([0-9]{2}[ -]?[0-9]{2}[ -]?[0-9]{2})\b",
        ("Sort code: «20-45-53»",),
        ("sort code and account number are asked for",),
    ),
    row(
        "bank-account",
        rf"\b(?:sort[ -]?code|routing|aba)\b[^\n]{{0,60}}\b{_ACCOUNT}\b",
        rf"\b(?:sort[ -]?code|routing|aba)\b[^\n]{{0,60}}?\b{_ACCOUNT}\b[^0-9\n]{{0,12}}([0-9]{{6,17}})\b",
        ("sort code x, account «48291375»", "ABA routing x acct «482913756»", "sort code x acc no «48291375»"),
        ("routing table and account 12",),
    ),
    row(
        "bank-account",
        r"\bsort[ -]?code\b",
        rf"\b{_ACCOUNT}\b[^0-9\n]{{0,12}}([0-9]{{6,10}})\b[^0-9\n]{{0,24}}\bsort[ -]?code\b",
        ("pay it to my account «30927718», sort code below", "acc no «48291375» / sort-code x"),
        ("account 30927718 has no such thing", "account 12, sort code missing"),
    ),
    row(
        "routing-number",
        r"\b(?:routing|aba)\b",
        r"\b(?:routing|aba)\b[^0-9\n]{0,16}([0-9]{9})\b",
        ("Routing number: «021000021»",),
        ("routing number validation fails for 9 digits", "routing 123456789 packets"),
    ),
    row(
        "bank-customer",
        rf"\b{_CUSTOMER}",
        rf"\b{_BANKING}\b[^\n0-9.;]{{0,24}}\b{_CUSTOMER}{_IS}([0-9]{{6,12}})\b|\b{_CUSTOMER}[ \t](?:for|f\xc3\xbcrs?|im|of|pour|para|per|voor)[ \t](?:the |my |das |la |le |el )?{_BANKING}\b{_IS}([0-9]{{6,12}})\b",
        (
            "my online banking login is customer number «48291375» today",
            "Kundennummer fürs Onlinebanking «4829137560», Filiale Bonn",
            "bank client id: «48291375»",
        ),
        ("customer number 48291375 has two tickets", "user id 48291375 is banned from the bank game"),
    ),
)
