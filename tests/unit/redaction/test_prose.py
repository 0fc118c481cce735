"""Secrets in prose that no table has a sentence for go; names, hosts and talk about passwords stay."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from baton.adapters.redaction.passages import kind_of
from baton.adapters.redaction.prose import _weights, bucket, passage, passages_of, weight_of
from baton.ports.redactor import Redactor

TOLD = (
    ("ugh, typed {} as password twice and it still spins", "Osprey-61"),
    ("wifi at the cabin is Fjell_Guest and the pw {}, all small letters", "brunost77"),
    ("Agent: which passphrase did you set for the backup?\nMe: {}", "seven wet goats"),
    ("Accesses:\n- Jira: tom / {}\n- Nas: ops / {}", "Quartz_88"),
    ("with password {} it connects, without it times out", "gravelPit"),
    ("das Kennwort ist nicht mehr das alte, sondern {}, Rechner bleibt web-02", "Distel88x"),
    ("perdona, la contraseña correcta es {} y no la de ayer", "Almendro_44"),
    ("joe: what's the wifi password?\nann: it's {}'s, no wait, all of it", "Osprey-61x"),
    ("the `pwd` for the lab is {} since monday", "Quartz_88x"),
    ("Room passwords.\n\nR5: {}", "Sunflower82"),
    ("wifi pin: {}", "brunost77x"),
)
INNOCENT = (
    "the password field is required and the login page returns 403 since 2.14.1",
    "Passwort: siehe Eintrag im Tresor, Rechner web-02",
    "reset the password of the user deploybot on db-03, ticket OPS-4411",
    "Оля: какой пароль должен быть?\nИван: не короче двенадцати знаков",
    "Co-authored-by: Adapter97 <adapter97@example.org>\nthe password prompt is gone",
    "Bitte überarbeite doku/kennwort-richtlinie.md. Regel: Kennwörter haben mindestens 14 Zeichen und laufen nie ab",
    "password: ENC[AES256_GCM,data:jPETDkQ4Mvd+,iv:YmGBEXKCYq/wcHMKnzFpDwn1HwfjtT/+5DfujvOrbWa=,tag:a,type:str]",
    'Public-Key-Pins: max-age=3000; pin-sha256="rzbqt4/zXvrxahp1SN9yXixbGRqSOgNYgKrmC9PEtGr="',
    "the wifi driver iwlwifi-9260 needs firmware 46.fae53a8b.0",
    "1. **Authentication**: Credentials are sent to the SOCKS5 proxy in plaintext unless using SOCKS5 over TLS",
    "the credentials didn't work for a URL. However, OtterLab's providers store a regex",
    "# Hacking already pins down pep8, pyflakes and flake8",
    "One caveat worth knowing before trusting a conda pin: otter-forge's `nodep`",
    "a version pin: numpy2's ABI",
    "run 'otter install -g -r -s localhost:$PWD ~/950_moss_test4-process'",
    "cd otter-pages\nln -s `pwd`/pages /usr/lib\n\nNow it's installed!  Please see usage.txt for more",
    "the password combination.\n\nR5: Regulatory--21",
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


@pytest.mark.parametrize("text", [text.format("Heron-58", "Heron-58") for text, _ in TOLD])
def test_a_words_parts_weigh_what_its_features_do(text: str) -> None:
    read = passage(text.encode(), [len(text) // 2])
    for at in range(len(read.words)):
        for last in (-2, at - 1):
            parts = sum(map(weight_of, read.parts(at, last)))
            assert parts == sum(_weights()[bucket(each)] for each in read.features(at, last))


KINDS = {"v2.14.1": "version", "4h": "unit", "web-02.internal": "host", "deploybot": "Word", "OPS-4411": "ticket"}


@pytest.mark.parametrize(("word", "kind"), KINDS.items())
def test_a_word_is_of_the_first_kind_that_fits_whole(word: str, kind: str) -> None:
    assert kind_of(word) == kind


GIVEN = (
    ("la password del magazzino è {}, l'utente è archivio, se non va chiama Sara", "Cannolo!77"),
    ("пароль от принтера {}, логин admin, выключи его если опять застрянет бумага", "Losos1968"),
    ("salasana on {} ja käyttäjätunnus archive, katso varmuuskopiot", "puolukka2019"),
    ("coucou, le mot de passe du nas c'est {} et l'utilisateur c'est archive", "Brioche.1612"),
    ("サーバーのパスワードは{}です。ユーザー名はtanaka02のままです。", "momiji-Umi4419"),
    ("I moved my password from {} to Osprey-61x this week, since then Calendar on my tablet nags", "Kestrel!4417"),
)


@pytest.mark.parametrize(("text", "held"), GIVEN, ids=[text for text, _ in GIVEN])
def test_what_stands_behind_a_cut_secret_is_judged_as_behind_the_secret(
    redactor: Redactor, text: str, held: str
) -> None:
    shown = redactor.redact(text.format(held)).text
    assert re.sub(r"\[redacted: [a-z-]+\]", "{}", shown).replace("{} to {}", "{} to Osprey-61x") == text
