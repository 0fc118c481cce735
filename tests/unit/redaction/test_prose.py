"""Secrets in prose that no table has a sentence for go; names, hosts and talk about passwords stay."""

from __future__ import annotations

from itertools import pairwise

import pytest

from baton.adapters.redaction.prose import passages_of
from baton.ports.redactor import Redactor

TOLD = (
    ("ugh, typed {} as password twice and it still spins", "Osprey-61"),
    ("wifi at the cabin is Fjell_Guest and the pw {}, all small letters", "brunost77"),
    ("Agent: which passphrase did you set for the backup?\nMe: {}", "seven wet goats"),
    ("Accesses:\n- Jira: tom / {}\n- Nas: ops / {}", "Quartz_88"),
    ("with password {} it connects, without it times out", "gravelPit"),
    ("das Kennwort ist nicht mehr das alte, sondern {}, Rechner bleibt web-02", "Distel88x"),
    ("perdona, la contraseña correcta es {} y no la de ayer", "Almendro_44"),
)
INNOCENT = (
    "the password field is required and the login page returns 403 since 2.14.1",
    "Passwort: siehe Eintrag im Tresor, Rechner web-02",
    "reset the password of the user deploybot on db-03, ticket OPS-4411",
    "Оля: какой пароль должен быть?\nИван: не короче двенадцати знаков",
    "Co-authored-by: Adapter97 <adapter97@example.org>\nthe password prompt is gone",
    "Bitte überarbeite doku/kennwort-richtlinie.md. Regel: Kennwörter haben mindestens 14 Zeichen und laufen nie ab",
    "the wifi driver iwlwifi-9260 needs firmware 46.fae53a8b.0",
)


@pytest.mark.parametrize(("text", "held"), TOLD, ids=[text for text, _ in TOLD])
def test_what_people_tell_each_other_goes(redactor: Redactor, text: str, held: str) -> None:
    shown = redactor.redact(text.format(held, held)).text
    assert held not in shown
    assert redactor.redact(shown).text == shown


@pytest.mark.parametrize("text", INNOCENT)
def test_talk_about_passwords_stays(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


def test_passages_hold_whole_words_and_do_not_overlap() -> None:
    line = b"note 350299f9-6c72-4231-91cb-128b2f09641f and the password of ann; " * 40
    ends = [at + 8 for at in range(len(line)) if line.startswith(b"password", at)]
    passages = list(passages_of(line, ends))
    assert all(first[1] <= second[0] for first, second in pairwise(passages))
    assert all(set(line[start:end].split()) <= set(line.split()) for start, end, _ in passages)
    assert len(passages) > 1
