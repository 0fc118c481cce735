# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Codes of doors, safes and messages, and keys of networks: rows of `talk_rules`."""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import ALIKE, ANYTHING, SHOWN, TYPED, row

_VALUE = r"([^\s\"'\x60<>(),;|]{1,40}[0-9#$%*+@&^~!?][^\s\"'\x60<>(),;|]{0,40})"
_STOP = r"(?:[ \t\r\n,;.!?)#*]|$)"
_PLACE = r"(?:door|gate|garage|safe|alarm|lockbox|lock ?box|key ?box|key safe|entrance|building|elevator|locker|haust\xc3\xbcr|t\xc3\xbcr|tor|tresor|schl\xc3\xbcsselbox|eingang|alarmanlage|porte|portail|immeuble|coffre|alarme|puerta|port\xc3\xb3n|caja fuerte|alarma|porta|port\xc3\xa3o|cofre|cancello|portone|cassaforte|deur|poort|kluis)"
_IS = r"(?:[ ]?[:=][ ]?|[ ](?:is|ist|lautet|est|c'est|es|\xc3\xa9|\xc3\xa8)(?: now| jetzt)?:?[ ])"
_WIFI = r"(?:wi-?fi|wlan|wpa[23]?(?:-psk)?|hotspot|ssid|netzwerk|r\xc3\xa9seau)"

_OPENS = r"(?:opens?|opened|unlocks?|disarms?|is disarmed|goes off|is switched off|is turned off|st\xc3\xa4ngs av|sl\xc3\xa5s av|\xc3\xb6ppnas|\xc3\xa5bnes|\xc3\xa5pnes|sl\xc3\xa5s fra|\xc3\xb6ffnet|geht auf|geht|s'ouvre|se d\xc3\xa9sactive|se abre|se desactiva|abre|desliga|si apre|si disattiva|gaat open|otwiera si\xc4\x99)"
_KEYED = r"[0-9]{1,2}(?:-[0-9]{1,2}){2,3}|[0-9]{3} [0-9]{3}(?: [0-9]{3})?#?|[0-9]{4,8}[A-F]?#?|[*#][0-9]{1,8}(?:[*#][0-9]{1,8}){0,3}#?"
_SPOKEN = (
    r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|double|triple)"
)

KEYPADS = (
    row(
        "a pin that somebody took",
        r"\bpin\b[^\n]{0,80}[ ](?:took|chose|picked|set|using|went[ ]with|go[ ]with|made[ ]it)[ ][0-9]{4}",
        r"\bpin\b[^\n]{0,80}? (?:took|chose|picked|set|using|went with|go with|made it) ([0-9]{4,8})(?:[,;!\n]|\.(?:\s|$)|$| (?:now|instead|so|and|for|as|on|but|please)\b)",
        ANYTHING,
        examples=("now it's a pin, 2580 was too easy so i took «917364». android 13",),
        left=("pin the version, we chose 2024.1", "the pin is set 1200 ms later"),
    ),
    row(
        "a code on the next line",
        r"\b(?:the|my|your|a|o|el|le|il|un|der|den|de|login|security|verification|bank)[ ](?:c\xc3\xb3digo|codigo|code|kod|codice|\xd0\xba\xd0\xbe\xd0\xb4)\b[^\n0-9:;{}()=?]{2,50}\n[ \t]*[0-9]{4,8}[ \t]*\n",
        r"\b(?:the|my|your|a|o|el|le|il|un|der|den|de|login|security|verification|bank) (?:c\xc3\xb3digo|codigo|code|kod|codice|\xd0\xba\xd0\xbe\xd0\xb4)\b[^\n0-9:;{}()=?]{0,40}\b(?:phone|sms|bank|banco|celular|m\xc3\xb3vil|handy|texted|came|arrived|whatsapp|app|telefoon|telefono|telefon)\b[^\n?]{0,16}\n[ \t]*([0-9]{4,8})[ \t]*\n",
        ANYTHING,
        examples=("chegou o código do banco no celular\n«602814»\ndigita rápido\n",),
        left=("the exit code of the app\n1370\nas ever\n", "code: see below\n602814\nrows\n"),
    ),
    row(
        "a network and an arrow",
        rf"\b{_WIFI}[ ]?(?:->|=>|\xe2\x86\x92)[ ]?\S{{6}}",
        rf"\b{_WIFI} ?(?:->|=>|\xe2\x86\x92) ?([^\s,;()\"'\x60]{{6,40}})",
        TYPED,
        examples=("- wifi -> «elpatiodemicasa» (red Patio2)\n",),
        left=("wifi -> settings/network.md\n",),
    ),
    row(
        "what opens with a code",
        rf"\b{_OPENS}[ ](?:with|using|mit|med|avec|con|com|met|kodem|on)[ ](?:the |code |dem code |koden |le code )?[0-9*#]",
        rf"\b(?:(?:{_PLACE}|lock|padlock|vault|larmet|larm|d\xc3\xb6rren|alarmen|d\xc3\xb8ren|alarmet)\b[^\n.;0-9]{{0,24}} {_OPENS}|(?:dis)?arm(?:ed|s)?|disarm) (?:with|using|mit|med|avec|con|com|met|kodem|on) (?:the |code |dem code |koden |le code )?({_KEYED})(?:[\r\n,;.!?)]|$| (?:in|then|and|und|och|og|et|y|e|push|within|on|at|or|for)\b)",
        ANYTHING,
        examples=(
            "and the safe opens with «14-9-33».",
            "larmet stängs av med «40217». Ring Eva",
            "disarm with «1379E» in time",
            "the gate unlocks with «918 273#», push",
        ),
        left=("the safe opens with 3 keys", "the door opens with 1200 ms delay", "armed with 4410 men"),
    ),
    row(
        "what is locked with a code",
        r"\b(?:locked|disarmed|unlocked|protected)[ ](?:with|w/|by|using)[ ](?:the |a |code |pin ){0,2}[0-9]{4}",
        r"\b(?:locked|disarmed|unlocked|protected) (?:with|w/|by|using) (?:the |a |code |pin ){0,2}([0-9]{4,8}#?)[ \t]?(?:[\r\n,;.!?)]|$)",
        ANYTHING,
        examples=("my tablet is locked w/ «4417», the other one is not", "The shutter is disarmed with «9032#»."),
        left=("locked with 4417 others", "protected by 2048-bit keys", "rows locked by 4417ms waits"),
    ),
    row(
        "what a lock is set to",
        r"\b(?:lock|padlock|safe|lockbox|keysafe|shed|gate)\b[^\n.;]{0,40}[ ](?:is|to|=)[ ][0-9]{1,2}-[0-9]{1,2}-[0-9]",
        r"\b(?:lock|padlock|safe|lockbox|keysafe|shed|gate)\b[^\n.;]{0,40}? (?:is|to|=) ([0-9]{1,2}(?:-[0-9]{1,2}){2,4})(?:[\s,.;]|$)",
        ANYTHING,
        examples=("the padlock on the barn is «4-0-7-2» now, Ann changed it",),
        left=("the safe was moved to 12-11-2019",),
    ),
    row(
        "a code in words",
        rf"\b(?:code|pin|combination|combo|passcode|puk)\b[^\n]{{0,40}}[ ]{_SPOKEN}[ ,-]",
        rf"\b(?:code|pin|combination|combo|passcode|puk)\b[^\n]{{0,40}}?[ ]((?:{_SPOKEN}[ ,-]{{1,3}}){{2,11}}{_SPOKEN}){_STOP}",
        ANYTHING,
        examples=(
            "okay the code for the shed is «thirty one, eight, forty seven», turn it right",
            "PIN: «four four one nine»",
        ),
        left=("the code has two or three paths", "exit code one is an error, two is usage"),
    ),
    row(
        "verification of an account",
        r"\b(?:verification|(?:google|apple|microsoft|facebook|instagram|whatsapp|telegram|amazon|paypal)(?: id)? code)[ ]?:[ ](?:[A-Z]-)?[0-9]",
        rf"\b(?:verification|(?:google|apple|microsoft|facebook|instagram|whatsapp|telegram|amazon|paypal)(?: id)? code) ?: (?:[A-Z]-)?([0-9]{{3}}[ -][0-9]{{3}}|[0-9]{{4,8}}|[0-9]{{4}} [0-9]{{4}}){_STOP}",
        ANYTHING,
        examples=("apple id verification: «204 117», device", "your Google code: G-«482913» for you"),
        left=("verification: 12 of 40", "verification: 20240101T00"),
    ),
    row(
        "digits all alike",
        r"\b(?:pw|pwd|password|passwort|passcode|mdp|senha|wachtwoord)(?:[ ]?[:=]|[ ](?:is|ist))?[ ](?:0000|1111|2222|3333|4444|5555|6666|7777|8888|9999)",
        rf"\b(?:pw|pwd|password|passwort|passcode|mdp|senha|wachtwoord)(?: ?[:=]| (?:is|ist))? (0{{4,8}}|1{{4,8}}|2{{4,8}}|3{{4,8}}|4{{4,8}}|5{{4,8}}|6{{4,8}}|7{{4,8}}|8{{4,8}}|9{{4,8}}){_STOP}",
        ALIKE,
        examples=("login is admin and the pw «0000»", "Passwort: «111111», danke"),
        left=("password = '0000'", "password 00000000000000"),
    ),
    row(
        "your code",
        r"\b(?:your|dein|ihr|votre|ton|tu|su|il tuo|je|uw)[ ](?:code|c\xc3\xb3digo|codice)(?:[ ](?:is|ist|lautet|est|es|\xc3\xa8)|[ ]?:)[ ](?:<\w{1,6}>)?[0-9]{4,8}",
        r"\b(?:your|dein|ihr|votre|ton|tu|su|il tuo|je|uw) (?:code|c\xc3\xb3digo|codice)(?: (?:is|ist|lautet|est|es|\xc3\xa8)| ?:) (?:<\w{1,6}>)?([0-9]{4,8})[ \t]?(?:[\r\n,;.!?()<]|$)",
        ANYTHING,
        examples=("Your code is «904177». It expires soon.", "Ihr Code lautet «4417»", "Your code: <b>«904177»</b>"),
        left=("your code is 100 lines long", "your code: 404"),
    ),
    row(
        "the key of a network",
        rf"\b{_WIFI}[ -]?(?:key|code|pass|schl\xc3\xbcssel|cl\xc3\xa9|clave|chiave|psk)[ ]?[:= ][ ]?\S{{6}}",
        rf"\b{_WIFI}[ -]?(?:key|code|pass|schl\xc3\xbcssel|cl\xc3\xa9|clave|chiave|psk)(?: ?[:=] ?| ){_VALUE}(?:[\s,;.]|$)",
        SHOWN,
        examples=("WPA3 key: «harbour9032»", "WLAN-Schlüssel «harbour9032»\n"),
        left=("WPA2 key exchange", "wifi code: see p12"),
    ),
    row(
        "a word for a key, then the network",
        rf"\b(?:code|mdp|mot de passe|cl\xc3\xa9|clave|contrase\xc3\xb1a|senha|chiave|password|passwort|pw|has\xc5\x82o|heslo)[ ](?:du |de la |do |da |del |della |for |to |f\xc3\xbcrs? )?{_WIFI}[ ]?[:= ][ ]?\S{{6}}",
        rf"\b(?:code|mdp|mot de passe|cl\xc3\xa9|clave|contrase\xc3\xb1a|senha|chiave|password|passwort|pw|has\xc5\x82o|heslo) (?:du |de la |do |da |del |della |for |to |f\xc3\xbcrs? )?{_WIFI}(?: ?[:=] ?| ){_VALUE}(?:[\s,;.]|$)",
        SHOWN,
        examples=("code wifi : «harbour9032»", "senha wifi «b7Q#tz+44Lm»\n"),
        left=("code wifi : voir p12", "password wifi WPA2-PSK"),
    ),
    row(
        "a network and its key in digits",
        rf"\b(?:key|code|schl\xc3\xbcssel|cl\xc3\xa9|clave|chiave)(?:{_IS}|[ ])[0-9]{{8}}",
        rf"\b{_WIFI}\b[^\n]{{0,60}}(?:\n[ \t]{{0,8}})?\b(?:key|code|schl\xc3\xbcssel|cl\xc3\xa9|clave|chiave)(?:{_IS}|[ ])([0-9]{{8,63}}){_STOP}",
        ANYTHING,
        examples=(
            "wifi is called Attic and the key is «4417903255120931»",
            "WLAN: Gast\nSchlüssel: «44179032»\n",
            "im WLAN Attic, Schlüssel «4417903255120931»\n",
        ),
        left=("the key is 4417903255120931", "wifi is slow\n\nthe primary key is 44179032"),
    ),
)
