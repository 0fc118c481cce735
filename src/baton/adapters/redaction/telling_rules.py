# ruff: noqa: E501 (a pattern is easier to read in one line)
"""What people tell in passing: answers to secret questions, codes that are typed at a lock, phrases: rows of `talk_rules`."""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import ALONE, ANYTHING, SHOWN, TYPED, row

_VALUE = r"([\w.!#$%&*+=?@^~-]{2,40}[!#$%&*+=?@^~][\w!#$%&*+=?@^~-]{1,40}|[\w.-]{1,40}[A-Z][\w.-]{0,40}[0-9][\w-]{0,40}|[\w.-]{0,40}[0-9][\w.-]{0,40}[A-Z][\w-]{0,40})"
"""With a sign or a large letter beside its digit."""
_PLACE = r"(?:door|gate|garage|safe|alarm|lock(?:box|er)?|lock ?box|key ?box|box|entrance|building|cabinet|shed|barrier|shutter|keypad|panel|bike|store)"
_QUESTION = r"(?:(?:security|secret)[ ]question[ ]answer|maiden[ ]name|first[ ](?:pet|car|school|teacher|street)|(?:city|town)[ ](?:where|in[ ]which|of[ ]birth|you[ ]were)|birth[ ]?(?:city|place|town)|favou?rite[ ](?:teacher|food|colou?r|team|book|movie))\b"
_SAFETY = r"(?:security|secret|recovery|reset|verif|maiden)"
_DIGITS = r"[0-9](?:[- ][0-9]){3,7}|[0-9]{4,8}"
_PHRASE = r"[a-z\x80-\xff'+]{2,16}(?: [a-z0-9\x80-\xff'+]{1,16}){2,9}"
_WORD = r"(?:pass[ ]?phrase|passwords?|passcode|pass|pw|pwd|passwort|kennwort)"

TELLING = (
    row(
        "what a secret question asks for",
        rf"{_QUESTION}[^\n]{{0,16}}(?:[=:?][ ]?|[ ]is[ ])[\"'\w]\w{{2}}",
        rf"{_QUESTION}[^\n=:?]{{0,16}}?(?:[=:?] ?| is )([^\s,;.\"'()<>?]{{3,24}}(?: [A-Z][^\s,;.\"'()<>?]{{1,24}})?)(?:[\s,;.]|$)",
        TYPED,
        examples=(
            "security question: mothers maiden name = «Quarrington», then go on",
            "to reset it, city where you were born: «Skelmersdale»\n",
        ),
        left=("mother's maiden name: required", "what was your first car?\n", "first school: see below"),
        near=_SAFETY,
    ),
    row(
        "a secret question and its answer in quotes",
        rf"{_QUESTION}[^\n]{{0,16}}[=:?][ ]?[\"']",
        rf"{_QUESTION}[^\n=:?]{{0,16}}[=:?] ?(?:\"([^\"\n]{{3,40}})\"|'([^'\n]{{3,40}})')",
        ANYTHING,
        examples=('Security answer: what was your first car? "«a red Corsa»"',),
        left=('security: what was your first car? "..."',),
        near=_SAFETY,
    ),
    row(
        "typed at a lock",
        rf"{_PLACE}(?:\b[^\n.;]{{0,60}}[ ](?:type|enter|press|dial|punch[ ]in|key[ ]in|opens?[ ]with)[ ](?:the[ ]|code[ ]){{0,2}}[0-9]|[ ]with[ ][0-9]{{4,8}}[*#])",
        rf"{_PLACE} with ([0-9]{{4,8}})[*#]|{_PLACE}\b[^\n.;]{{0,60}}? (?:type|enter|press|dial|punch in|key in|opens? with) (?:the |code ){{0,2}}({_DIGITS})[*#]?(?:[ \t]*\r?\n|[,;.)!]|$| (?:then|and|in|on|or|within|\(?(?:star|hash|pound)))",
        ANYTHING,
        examples=(
            "the alarm at the office beeps until you type «7719» then hash",
            "so the store box opens with «6-0-3-9», the spare is inside",
            "you get in the garage with «5150»* (star at the end)",
        ),
        left=(
            "the box opens with 1200 items",
            "the panel lets you type 2000 characters",
            "the gate opens with 30 ms delay",
        ),
    ),
    row(
        "the words of a wallet",
        r"(?:(?:seed|recovery|backup)[ ](?:words|phrase)|mnemonic)[^\n]{0,48}\r?\n",
        rf"(?:(?:seed|recovery|backup) (?:words|phrase)|mnemonic)[^\n]{{0,48}}\r?\n[ \t]*([a-z]{{3,8}}(?: [a-z]{{3,8}}){{3,23}}(?:[ \t]*\r?\n[ \t]*[a-z]{{3,8}}(?: [a-z]{{3,8}}){{3,23}}){{0,3}}){ALONE}",
        ANYTHING,
        examples=(
            "the seed words of the wallet\n«gravel unit lemon sausage twist orbit\ncanyon fetch dizzy olive ramp wolf»\n",
        ),
        left=("the seed words are on paper\nso look there first.\n", "recovery phrase\n\nwrite it down\n"),
    ),
    row(
        "a phrase, and how it is written",
        r"pass[ ]?phrase[^\n:]{0,60}\b(?:spaces|lower[ ]?case|capitals?|no[ ]caps|words)\b[^\n:]{0,24}:[ ][a-z]{2}",
        rf"pass ?phrase[^\n:]{{0,60}}\b(?:spaces|lower ?case|capitals?|no caps|words)\b[^\n:]{{0,24}}: ({_PHRASE})[.!]?{ALONE}",
        ANYTHING,
        examples=("the passphrase for it, all lower case, with spaces: «my neighbour feeds seven pigeons»\n",),
        left=("the passphrase has three words: one is too few, four too long.\n",),
    ),
    row(
        "a prompt and the phrase it needs",
        rf"\b{_WORD}\b[^\n\"]{{0,24}}(?:\r?\n[^\n\":]{{0,16}}:)?[^\n\":]{{0,8}}\b(?:try|use|type|enter|needs|wants|takes)[ ]\"[a-z]",
        rf"\b{_WORD}\b[^\n\"]{{0,24}}(?:\r?\n[^\n\":]{{0,16}}:)?[^\n\":]{{0,8}}\b(?:try|use|type|enter|needs|wants|takes) \"({_PHRASE})\"",
        ANYTHING,
        prose=True,
        examples=(
            'agent: gpg wants a passphrase.\nme: try "«no tea before noon»"\n',
            'the passphrase prompt needs "«the old man and the sea»"',
        ),
        left=('the password prompt: use "forgot"', 'password: try "required"'),
    ),
    row(
        "a phrase that is in quotes",
        rf"{_WORD}(?:[ ](?:of|for|to)[ ][\w .-]{{1,40}})?[ ]is[ ][\"'][A-Z0-9][^\"'\n]{{2,20}}[ ]\S",
        rf"\b{_WORD}(?: (?:of|for|to) [\w .-]{{1,40}})? is (?:\"([A-Z0-9][^\"\n ]{{0,20}}(?: [^\"\n ]{{1,20}}){{2,8}})\"|'([A-Z0-9][^'\n ]{{0,20}}(?: [^'\n ]{{1,20}}){{2,8}})')".replace(
            "(?i)", ""
        ),
        ANYTHING,
        prose=True,
        examples=("Master password of the keepass file is '«When the levee breaks 1971»' - the db is it.kdbx",),
        left=('the password is "required"', "the message for a password is 'too short'"),
    ),
    row(
        "and the password",
        r"(?:wi-?fi|wlan|ssid|user|usuario|utilisateur|utente|benutzer|login)\b[^\n]{1,60}[ ](?:y|e|et|und|and|en|og|och)[ ](?:la|le|il|a|das|the|de|het)[ ](?:clave|contrase\xc3\xb1a|senha|mdp|mot[ ]de[ ]passe|password|passwort|kennwort|wachtwoord)[ ]\S{5}",
        r"[ ](?:y|e|et|und|and|en|og|och) (?:la|le|il|a|das|the|de|het) (?:clave|contrase\xc3\xb1a|senha|mdp|mot de passe|password|passwort|kennwort|wachtwoord) ([^\s,;.:=\"'\x60<>()]{5,40})(?:[,;]|\.?[ \t]*(?:\r?\n|$))",
        TYPED,
        prose=True,
        examples=("el wifi de la oficina es OFI_2P y la clave «arrozconleche», el PIN no",),
        left=("the user exists and the password expired.", "usuario nuevo y la clave incorrecta\n"),
    ),
    row(
        "changed to another",
        r"\b(?:change|changed|changing|set|reset|switch|rotate)[ ]it[ ](?:back[ ])?to[ ]\S{6}",
        rf"(?-i:\b(?:change|changed|changing|set|reset|switch|rotate) it (?:back )?to {_VALUE}(?:[\s.,;]|$))",
        SHOWN,
        prose=True,
        examples=(
            "the signing key is weak, change it to «b7Q#tz+44Lm» in values-prod.yaml",
            "i know the pass. i set it to «Harbour9032»",
        ),
        left=("the port was 80, change it to 8080", "the token window: set it to 8080", "set it to v2.1.0"),
        near=r"\b(?:pass\w{0,8}|pw|pwd|secret|signing key|api key|token|credential)\b",
    ),
)
