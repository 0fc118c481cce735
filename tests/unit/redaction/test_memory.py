"""A value that was recognised once is cut wherever it comes again, as far as its look allows; nothing else is."""

from __future__ import annotations

import base64
import random
import string

import pytest

from baton.adapters.redaction.encodings import decodings_of
from baton.adapters.redaction.reach import ANYWHERE, BESIDE, WORD, reach_of
from baton.ports.redactor import Leak, Redacted, Redactor, Secret
from tests.support.secrets import DISGUISES, secret
from tests.support.spread_secrets import Spread

TOLD = "db_password: '{}'\n"


def remembering(redactor: Redactor, *values: str) -> Redactor:
    return redactor.remember(Secret("password", value) for value in values)


@pytest.mark.parametrize("form", ["<A12>", "<p16>", "<A32>", "<h40>", "<w24>"])
@pytest.mark.parametrize("disguise", sorted(set(DISGUISES) - {"cut to 12", "upper case", "reversed"}))
def test_a_second_mention_goes_with_the_first(redactor: Redactor, form: str, disguise: str) -> None:
    dice = random.Random(f"again {form} {disguise}")
    held = secret(form, dice)
    worn = DISGUISES[disguise](held)
    redacted = redactor.redact(f"{TOLD.format(held)}it printed x{worn}y and stopped").text
    assert held not in redacted
    assert worn not in redacted
    assert redacted.startswith("db_password: ")
    assert redacted.endswith("and stopped")
    assert redactor.redact(redacted) == Redacted(redacted)


CODED = {
    "escapes of bytes": lambda held: "".join(f"\\x{ord(each):02x}" for each in held),
    "escapes of characters": lambda held: "".join(f"\\u{ord(each):04x}" for each in held),
    "entities": lambda held: "".join(f"&#{ord(each)};" for each in held),
    "entities in hex": lambda held: "".join(f"&#x{ord(each):x};" for each in held),
    "spaced hex": lambda held: held.encode().hex(" "),
    "hex with colons": lambda held: held.encode().hex(":").upper(),
    "every byte in percent": lambda held: "".join(f"%{ord(each):02X}" for each in held),
    "wide base64": lambda held: base64.b64encode(held.encode("utf-16-le")).decode(),
    "in a diff": lambda held: f"{held[:9]}\n+{held[9:]}",
    "quoted in mail": lambda held: f"{held[:9]}\n> {held[9:]}",
    "two literals": lambda held: f'"{held[:9]}" + "{held[9:]}"',
    "two literals on two lines": lambda held: f"'{held[:9]}'\n    '{held[9:]}'",
}


@pytest.mark.parametrize("form", CODED)
def test_coded_and_broken_it_is_still_known(redactor: Redactor, form: str) -> None:
    dice = random.Random(f"coded {form}")
    for _ in range(10):
        held = secret("<A18>", dice)
        worn = CODED[form](held)
        assert worn not in remembering(redactor, held).redact(f"before {worn} after").text


def test_what_stands_before_the_first_mention_goes_too(redactor: Redactor) -> None:
    redacted = redactor.redact("I tried Tr0ub4dor&3x first.\npassword: Tr0ub4dor&3x").text
    assert redacted == "I tried [redacted: password] first.\npassword: [redacted: password]"


def test_what_a_credential_holds_in_base64_is_known_in_clear(redactor: Redactor) -> None:
    held = base64.b64encode(b"deploy:Vz81-kdQw0").decode()
    assert "Vz81-kdQw0" not in redactor.redact(f"Authorization: Basic {held}\nlog in with Vz81-kdQw0").text


REACHES = (
    *(
        (value, ANYWHERE)
        for value in ("Tr0ub4dor&3", "xK9mPq2Lw", "qzvkmwptxr", "/aB3dE6gH9jK2mN5pQ8sT1vW", "Sommer2024!")
    ),
    *((value, WORD) for value in ("hunter2", "482913", "dragon", "sunflower", "correct horse battery staple", "p4ss")),
    *((value, WORD) for value in ("4111 1111 1111 1111", "blue dragon", "winter2024", "x7!k")),
    *(
        (value, BESIDE)
        for value in ("test", "4821", "2024", "value", "config.password", "user_password", "getPassword")
    ),
    *((value, BESIDE) for value in ("production", "db.example.com", "/etc/ssl/server.key", "python3", "2024-05-01")),
    *((value, WORD) for value in ("mavi.deniz34", "mavi.deniz", "Feld_Lerche", "GrauerWolf", "roter_fuchs7")),
    *((value, BESIDE) for value in ("os.environ", "getUserName", "app.config.js", "shop.internal", "postgres_user")),
    *((value, BESIDE) for value in ("kafka_sasl_password", "lerche.pem", "db.lerche.io:5432", "read_only_mode")),
    *((value, BESIDE) for value in ("1.22.3", "10.0.0.12", "new value", "a@example.com", "0000")),
)


@pytest.mark.parametrize(("value", "reach"), REACHES)
def test_what_is_remembered_is_looked_for_as_far_as_its_look_allows(value: str, reach: int) -> None:
    assert reach_of(value) == reach


ORDINARY = """run the test suite: tests/test_api.py::test_all passed, 4821 items in 2024
port 4821, version 1.4821, 14821 lines, `test -f x`, the value of test is untested
contest-test.example.com/test?value=2024-05-01
"""


def test_a_common_word_shreds_nothing(redactor: Redactor) -> None:
    knowing = remembering(redactor, "test", "4821", "2024", "value", "2024-05-01")
    assert knowing.redact(ORDINARY) == Redacted(ORDINARY)


def test_a_common_word_goes_where_a_secret_is_spoken_of(redactor: Redactor) -> None:
    knowing = remembering(redactor, "test", "4821")
    assert knowing.redact("log in with test here").text == "log in with [redacted: password] here"
    assert knowing.redact("unlocked by 4821.").text == "unlocked by [redacted: password]."
    assert knowing.redact("entsperrt, Kennwort war test").text == "entsperrt, Kennwort war [redacted: password]"


def test_a_word_that_nobody_else_uses_goes_as_a_word(redactor: Redactor) -> None:
    knowing = remembering(redactor, "sunflower", "482913")
    told = "echo sunflower\nsunflowers and 4829131 stay, sunflower/482913 goes"
    assert knowing.redact(told).text == (
        "echo [redacted: password]\nsunflowers and 4829131 stay, [redacted: password]/[redacted: password] goes"
    )


@pytest.mark.parametrize("held", ["mavi.deniz34", "Feld_Lerche", "zilte.zee", "KleineMeise", "silber_mond"])
def test_a_value_in_the_form_of_a_name_goes_when_it_is_said_again_bare(redactor: Redactor, held: str) -> None:
    """Of such a value the form says nothing: it is told from a name by its words."""
    told = f"password: {held}\nit worked.\n\ntry {held} again, then {held}."
    assert held not in redactor.redact(told).text
    assert held not in remembering(redactor, held).redact(f"the branch is fix/{held}\n{held} does it").text


def test_names_of_programs_hosts_and_files_stay_when_one_was_taken_for_a_password(redactor: Redactor) -> None:
    names = ("os.environ", "getUserName", "app.config.js", "shop.internal", "postgres_user", "main.go")
    told = "\n".join(f"we call {name} there, and {name} again" for name in names)
    assert remembering(redactor, *names).redact(told) == Redacted(told)


def test_a_word_is_known_at_the_beginning_of_a_sentence_too(redactor: Redactor) -> None:
    assert "unflower" not in remembering(redactor, "sunflower").redact("Sunflower was right.").text


def test_a_key_is_known_by_each_of_its_lines(redactor: Redactor) -> None:
    dice = random.Random("key")
    lines = [secret("<b64>", dice) for _ in range(4)]
    block = "\n".join(["-----BEGIN RSA PRIVATE KEY-----", *lines, "-----END RSA PRIVATE KEY-----"])
    learned = redactor.remember(redactor.recognise(block))
    assert lines[2] not in learned.redact(f"the third line is {lines[2]}").text


def test_the_name_of_a_service_is_a_password_at_its_own_place_only(redactor: Redactor) -> None:
    text = "gitea:\n  image: gitea/gitea:latest\n  environment:\n    - DB_USER=gitea\n    - DB_PASSWORD=gitea\n"
    assert redactor.redact(text).text == text.replace("PASSWORD=gitea", "PASSWORD=[redacted: password]")
    assert redactor.recognise(text) == ()


def test_what_was_recognised_is_told_once_and_never_shown(redactor: Redactor) -> None:
    found = redactor.recognise(TOLD.format("xK9mPq2Lw") * 3)
    assert [each.value for each in found] == ["xK9mPq2Lw"]
    assert "xK9mPq2Lw" not in repr(found)
    assert redactor.remember(found).recognise(TOLD.format("xK9mPq2Lw")) == ()


def test_the_gate_sees_what_the_rules_see_and_says_where(redactor: Redactor) -> None:
    assert redactor.leaks("a\nb\npassword: xK9mPq2Lw") == (Leak("password", 3),)
    assert remembering(redactor, "xK9mPq2Lw").leaks("a\n\nxK9mPq2Lw") == (Leak("password", 3),)


def test_a_placeholder_is_never_cut_again(redactor: Redactor) -> None:
    knowing = remembering(redactor, "redacted", "github-token", "[redacted: password]")
    once = "password is [redacted: password], log in with [redacted: github-token]"
    assert knowing.redact(once) == Redacted(once)


@pytest.mark.parametrize(
    ("written", "plain"),
    [("a\\u0022b", 'a"b'), ("p%40ss", "p@ss"), ("a&amp;b", "a&b"), ("dXNlcjpwYXNzd29yZA==", "password")],
)
def test_a_value_is_known_as_it_was_before_it_was_written(written: str, plain: str) -> None:
    assert plain in [*decodings_of(written)]


@pytest.mark.parametrize("seed", range(1, 11))
def test_what_is_cut_where_it_was_told_is_known_when_it_is_said_again(redactor: Redactor, seed: int) -> None:
    """Whichever look brought it to light."""
    told = Spread(seed)
    files = (told.output, (*told.file, *told.keys), (*told.commits, told.branch))
    for text in (*told.user, *told.errors, *told.server, *told.model, *told.commands, *map("\n".join, files)):
        shown = redactor.redact(text).text
        knowing = redactor.remember(redactor.recognise(text))
        for held in told.all:
            if held in text and held not in shown:
                assert held not in knowing.redact(f"then {held} again").text, text


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("SHOP_ORG='marlin'\nSHOP_USER='marlin'\nSHOP_PASSWORD='marlin'\n", 2),
        ("marl = ShopClient(\n    user='heron',\n    password='marl',\n)\n", 1),
        ('"href": "http://app:%c3%89t%C3%A9@host/",\n"pathname": "/%2e%2E%c3%89t%C3%A9",\n"hash": "#%c3%89t%C3%A9"', 2),
    ],
)
def test_what_something_else_is_called_as_well_stays_there(redactor: Redactor, text: str, times: int) -> None:
    held = next(each for each in ("marlin", "marl", "%c3%89t%C3%A9") if each in text)
    assert redactor.redact(text).text.count(held) == times


def test_the_word_for_a_password_is_never_looked_for(redactor: Redactor) -> None:
    text = "amqp://app:password@10.0.0.7:5672//\n\npassword\nUse 'password' or a token, the password is stored.\n"
    shown = redactor.redact(text).text
    assert shown.count("password") == text.count("password")
    assert "app:password@" not in shown
    assert redactor.recognise(text) == ()


def test_a_conversation_of_many_secrets_is_remembered_whole(redactor: Redactor) -> None:
    """All that was told is read as one text: more finds than one text has judged."""
    dice = random.Random("many")
    told = ["".join(dice.choices(string.ascii_letters + string.digits, k=12)) for _ in range(700)]
    found = {each.value for each in redactor.recognise("".join(f"the password is {each}\n\n" for each in told))}
    assert len(found.intersection(told)) >= 690
