# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Codes of doors, safes and messages, and keys of networks: rows of `talk_rules`."""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import ANYTHING, SHOWN, row

_VALUE = r"([^\s\"'\x60<>(),;|]{1,40}[0-9#$%*+@&^~!?][^\s\"'\x60<>(),;|]{0,40})"
_STOP = r"(?:[ \t\r\n,;.!?)#*]|$)"
_THE = r"(?:the |our |my |die |der |das |den |dem |unsere[rn]? |la |le |les |el |il |lo |l'|a |o |de |het |du |del |della |do |da )?(?:front |back |main |garden |side )?"
_PLACE = r"(?:door|gate|garage|safe|alarm|lockbox|lock ?box|key ?box|key safe|entrance|building|elevator|locker|haust\xc3\xbcr|t\xc3\xbcr|tor|tresor|schl\xc3\xbcsselbox|eingang|alarmanlage|porte|portail|immeuble|coffre|alarme|puerta|port\xc3\xb3n|caja fuerte|alarma|porta|port\xc3\xa3o|cofre|cancello|portone|cassaforte|deur|poort|kluis)"
_IS = r"(?:[ ]?[:=][ ]?|[ ](?:is|ist|lautet|est|c'est|es|\xc3\xa9|\xc3\xa8)(?: now| jetzt)?:?[ ])"
_WIFI = r"(?:wi-?fi|wlan|wpa[23]?(?:-psk)?|hotspot|ssid|netzwerk|r\xc3\xa9seau)"

KEYPADS = (
    row(
        "the code for a door",
        rf"\bcode[ ](?:for|to|of|f\xc3\xbcr|zur|zum|vom|von|pour|de|d'|du|del|della|do|da|voor|van)[ ]?{_THE}{_PLACE}\b",
        rf"\bcode (?:for|to|of|f\xc3\xbcr|zur|zum|vom|von|pour|de|d'|du|del|della|do|da|voor|van) ?{_THE}{_PLACE}\b[^\n0-9:.;]{{0,24}}{_IS}([0-9]{{4,8}}){_STOP}",
        ANYTHING,
        examples=("Code zum Tor: «4417»", "the code for the garage is «90417», thanks", "code de la porte : «4417»"),
        left=("the code for the safe mode is in boot.c", "the code for the door: see 12 pages", "code for the gate: 2"),
    ),
    row(
        "a combination",
        r"\b(?:combination|combo|kombination|combinaison|combinaci\xc3\xb3n|combinazione)\b[^\n0-9]{0,40}[0-9]{1,2}-[0-9]{1,2}-[0-9]{1,2}",
        r"\b(?:safe|locker|lock|padlock|vault|tresor|coffre|caja fuerte|cassaforte|spind)\b[^\n0-9]{0,40}(?:combination|combo|kombination|combinaison|combinaci\xc3\xb3n|combinazione)?[^\n0-9]{0,24}[ :]([0-9]{1,2}-[0-9]{1,2}-[0-9]{1,2}(?:-[0-9]{1,2})?)(?:[^0-9-]|$)"
        r"|\b(?:combination|combo|kombination|combinaison|combinaci\xc3\xb3n|combinazione)\b[^\n0-9]{0,24}\b(?:safe|locker|lock|padlock|vault|tresor|coffre|caja fuerte|cassaforte|spind)\b[^\n0-9]{0,24}[ :]([0-9]{1,2}-[0-9]{1,2}-[0-9]{1,2}(?:-[0-9]{1,2})?)(?:[^0-9-]|$)",
        ANYTHING,
        examples=("the combination of my locker is «12-30-07»", "safe combo «31-7-22»\n"),
        left=("a combination of 12-30-07 and 5", "the combination for the form is 1-2-3"),
    ),
    row(
        "your code",
        r"\b(?:your|dein|ihr|votre|ton|tu|su|il tuo|je|uw)[ ](?:code|c\xc3\xb3digo|codice)(?:[ ](?:is|ist|lautet|est|es|\xc3\xa8)|[ ]?:)[ ][0-9]{4,8}",
        r"\b(?:your|dein|ihr|votre|ton|tu|su|il tuo|je|uw) (?:code|c\xc3\xb3digo|codice)(?: (?:is|ist|lautet|est|es|\xc3\xa8)| ?:) ([0-9]{4,8})[ \t]?(?:[\r\n,;.!?()]|$)",
        ANYTHING,
        examples=("Your code is «904177». It expires soon.", "Ihr Code lautet «4417»"),
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
        rf"\b(?:key|code|schl\xc3\xbcssel|cl\xc3\xa9|clave|chiave){_IS}[0-9]{{8}}",
        rf"\b{_WIFI}\b[^\n]{{0,60}}(?:\n[ \t]{{0,8}})?\b(?:key|code|schl\xc3\xbcssel|cl\xc3\xa9|clave|chiave){_IS}([0-9]{{8,63}}){_STOP}",
        ANYTHING,
        examples=("wifi is called Attic and the key is «4417903255120931»", "WLAN: Gast\nSchlüssel: «44179032»\n"),
        left=("the key is 4417903255120931", "wifi is slow\n\nthe primary key is 44179032"),
    ),
)
