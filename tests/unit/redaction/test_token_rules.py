"""Every vendor's token, in every carrier, by its own name; and what only looks like one."""

from __future__ import annotations

import base64
import random
import re

import pytest

from baton.adapters.redaction.rules_file import TokenRule, token_rules
from baton.ports.redactor import Redactor
from tests.support.patterns import sample
from tests.support.secrets import CARRIERS, FORMATS, carried, tokens

RULES = token_rules()


def kinds(redactor: Redactor, text: str) -> set[str]:
    return {found.kind for found in redactor.redact(text).found}


@pytest.mark.parametrize("carrier", CARRIERS)
def test_every_format_is_found_in_every_carrier_and_called_by_its_name(redactor: Redactor, carrier: str) -> None:
    for each in tokens(seed=1):
        text = carried(carrier, each.value, "acme_setting")
        redacted = redactor.redact(text)
        assert each.value not in redacted.text, (each.kind, carrier)
        assert each.kind in {found.kind for found in redacted.found}, (each.kind, carrier)
        assert redactor.leaks(text), (each.kind, carrier)
        assert redactor.leaks(redacted.text) == (), (each.kind, carrier)


def test_formats_cover_the_vendors_most_used() -> None:
    assert len(FORMATS) >= 100
    assert set(FORMATS) <= {rule.kind for rule in RULES}


@pytest.mark.parametrize("rule", RULES, ids=[f"{number}-{rule.kind}" for number, rule in enumerate(RULES)])
def test_each_rule_finds_what_its_pattern_describes(redactor: Redactor, rule: TokenRule) -> None:
    dice = random.Random(f"{rule.kind}{rule.pattern}")
    names = {each.kind for each in RULES}
    for _ in range(3):
        made = sample(rule.pattern, dice)
        text = f"see {made} there"
        assert kinds(redactor, text) & names, made
        assert redactor.leaks(text), made


@pytest.mark.parametrize("rule", RULES, ids=[f"{number}-{rule.kind}" for number, rule in enumerate(RULES)])
def test_each_rule_leaves_the_beginning_of_its_pattern_alone(redactor: Redactor, rule: TokenRule) -> None:
    """A form cut to its first five characters is a word, a version or a prefix in prose."""
    made = sample(rule.pattern, random.Random(f"{rule.kind} cut"))[:5]
    text = f"Keys that begin with {made} are theirs."
    assert redactor.redact(text).text == text


NEGATIVES = (
    "the ghp_ prefix marks a classic token, github_pat_ a fine-grained one",
    "ghp_short and glpat-short are too short",
    "task-1234567890abcdefghij and risk-aversion-of-the-board",
    "AKIA stands for an access key of a user",
    "AKIAAAAAAAAAAAAAAAAA",
    "sk-learn and sk-image are packages; sk-learn-contrib-extras too",
    "eyJ begins every JSON object in base64",
    "pk.eyJ is how public tokens begin",
    "SG.x.y is not a key",
    "xoxb- and xoxp- are prefixes",
    "rk_live and sk_live are modes",
    "hvs. is Vault's prefix",
    "the class key_error_handler_x and keyboardinterrupt",
    "v1.2.3-rc.4+build.5 and 1.20.300",
    "sha256:3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c7d",
    "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg==",
    "docker pull alpine@sha256:3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c7d",
    "AC and DC; SK is a country",
    "EAA is an economic area agreement",
    "s.translate and s.strip are methods",
    "word " * 20 + "again",
    "at-least-once delivery and at-most-once.delivery",
    "toolu_01A09q90qw90lq917835lq9 and call_abc123DEF456ghi789JKL012",
)


@pytest.mark.parametrize("text", NEGATIVES)
def test_what_only_looks_like_a_token_stays(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


def test_a_token_broken_by_a_line_end_is_found_whole(redactor: Redactor) -> None:
    """Unless its first line is pure hexadecimal: that is how commits end lines."""
    for each in tokens(seed=2):
        middle = 2 * len(each.value) // 3
        if not 30 <= len(each.value) <= 120 or not set(each.value[:middle]) - set("0123456789abcdef"):
            continue
        for joint in ("\n", "\n    ", "\r\n", "\\\n"):
            text = f"before\n{each.value[:middle]}{joint}{each.value[middle:]}\nafter the token"
            redacted = redactor.redact(text).text
            assert each.value[middle:] not in redacted, (each.kind, joint, text)
            assert redacted.endswith("after the token")


def test_all_parts_of_an_encrypted_token_go(redactor: Redactor) -> None:
    dice = random.Random(5)
    parts = [base64.urlsafe_b64encode(dice.randbytes(size)).decode().rstrip("=") for size in (40, 12, 60, 16)]
    head = base64.urlsafe_b64encode(b'{"alg":"A128KW","enc":"A128GCM"}').decode().rstrip("=")
    token = ".".join((head, *parts))
    assert redactor.redact(f'"encryptedKey": "{token}",').text == '"encryptedKey": "[redacted: json-web-token]",'


@pytest.mark.parametrize("joint", ["\\\n", "\\\n            ", "\\\n///            "])
def test_both_halves_of_a_hash_go_that_a_program_writes_on_two_lines(redactor: Redactor, joint: str) -> None:
    salt, sum_ = "bW9zc2Zlcm4", base64.b64encode(random.Random(6).randbytes(32)).decode().rstrip("=")
    shown = redactor.redact(f'let enc = "$argon2i$v=19$m=4096,t=3,p=1${salt}{joint}${sum_}";\n').text
    assert shown == 'let enc = "[redacted: password-hash]";\n'


def test_a_form_in_a_longer_run_is_no_token(redactor: Redactor) -> None:
    run = "u2vn3Lh6Kte2-TgBSNKorbsKkuAt34ckoLmgx0ndXO0,4~q8Q~3wIHjX9DT0yCNfQmr9oxmYrDZoQVLOdNg~yk0,AQACAAE"
    assert redactor.redact(f'Identity="USK@{run}/Web/2"').text == f'Identity="USK@{run}/Web/2"'
    held = "4~q8Q~3wIHjX9DT0yCNfQmr9oxmYrDZoQVLOdNg~"
    assert held not in redactor.redact(f"see {held} there").text


@pytest.mark.parametrize("form", ['"--client-secret={}"', '["--api-token={}", "-v"]', "args: ['--client-secret={}']"])
def test_a_flag_in_quotes_keeps_its_name(redactor: Redactor, form: str) -> None:
    shown = redactor.redact(form.format("Kq8vZ2mPx4Lw7Rt9")).text
    assert re.fullmatch(re.escape(form).replace(r"\{\}", r"\[redacted: [a-z-]+\]"), shown), shown


def test_the_line_after_a_whole_token_stays(redactor: Redactor) -> None:
    text = "token ghp_" + "a1B2c3D4e5F6" * 3 + "\nAuthorsOfThisCommit and others"
    assert redactor.redact(text).text == "token [redacted: github-token]\nAuthorsOfThisCommit and others"


def test_rules_work_without_hyperscan(redactor: Redactor, without_hyperscan: Redactor) -> None:
    for each in tokens(seed=3):
        text = carried("log", each.value, "acme_setting")
        assert without_hyperscan.redact(text) == redactor.redact(text), each.kind


@pytest.mark.parametrize("form", ["export {}={}\n", "ENV {}={}\n", "- {}={}\n", "docker run -e {}={} img\n", "{}={}\n"])
@pytest.mark.parametrize("name", ["FOO", "MY_VAR", "S3Key2", "DATA_B64", "x"])
def test_the_name_before_a_token_stays(redactor: Redactor, form: str, name: str) -> None:
    for value in ("oHwLMeaZqo9DZDNjN1GTPdVKsb1DS2S5yXB62gin", "ODRwTVbdR9qDLuxuxMtyXbKVtoZplBSguv1C2kvP4Co="):
        shown = redactor.redact(form.format(name, value)).text
        assert shown.startswith(form.format(name, "")[: form.index("{}") + len(name) + 1])
        assert value not in shown


def test_a_short_mix_behind_a_password_s_name_goes_among_options(redactor: Redactor) -> None:
    shown = redactor.redact("if (a) {\n//nas/share /mnt cifs username=joe,password=R6RAuYNU0GwN,uid=1000 0 0\n}\n").text
    assert "R6RAuYNU0GwN" not in shown
    assert "password=" in shown


def test_letters_in_order_with_cases_in_turn_are_typed_keys_and_alphabets_are_not(redactor: Redactor) -> None:
    typed = "AbCdEfGhIjKl90MnOpQrStUvWx17"
    assert typed not in redactor.redact(f"SHOP_API_KEY={typed}\n").text
    drawn = 'const keyChars = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"\n'
    assert redactor.redact(drawn).text == drawn


def test_a_name_that_says_not_to_commit_names_a_secret(redactor: Redactor) -> None:
    assert "q8ZkW3nR" not in redactor.redact("mail_token_do_not_commit = q8ZkW3nRtV5yLx2PbMs7\n").text


def test_a_value_of_many_signs_goes_to_its_end(redactor: Redactor) -> None:
    assert "moss" not in redactor.redact("shop_password = k{7)h[e>-_ron#moss\n").text


NAMES = (
    "- (id)hf_requiredServiceKindsForOverviewPanel;\n",
    "  M_UINT (CellSelection_t, PRIO, 2, &hf_neighbourcellselectiondescription_h_prio),\n",
    "sumObj = suHzJ6jnwBEewV\n",
    "https://pictures.example.org/3/35/2019-112-xoxo-quietweb-2.jpg\n",
    "http://assets.example.org/media/box/video.ico-8b49c79a29687e35c6a42600ge71bb1d.png\n".replace("ge", "9e"),
    'GSK_API_KEY="gsk_' + "x" * 48 + '"\n',
    "NOTION=ntn_" + "1234567890" * 5 + "\n",
    "master-keying:x64-uwp=fail\n",
)


@pytest.mark.parametrize("text", NAMES)
def test_what_begins_like_a_token_and_is_a_name_or_data_stays(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


CHOSEN = (
    ("pls add the user with initial password {} and force a change", "ChangeMe-Soon-71"),
    ("pass phrase for the gpg backup: {}. The fingerprint is 4F1B", "correct otter bucket lanterns"),
    ('APP_ENV=prod\nMAIL_PASSWORD="{}"\nAPP_NAME="Quince"\n', "green gate, iron bell"),
    ('{{{{- $dbPassword := "{}" }}}}\n', "OZPR30k2H6VlTT"),
    ('{{"$SHOP_TOKEN": "{}"}}\n', "OZPR30kk2H6VlT"),
    ("J'ai mis {} comme mot de passe provisoire\n", "renardroux_du31"),
    ("le code du portail c'est {}, bâtiment B\n", "31A70"),
    ("card 4568 6462 7413 6395 exp {} please\n", "11/29"),
    ("Ma carte : 4568 6462 7413 6395, cryptogramme {}.\n", "731"),
    (
        "Key            Value\n---            -----\nhost           gw1\nsigning_key    {}\n",
        "872465eb62b1431a6724a439e56d06cb",
    ),
)


@pytest.mark.parametrize(("form", "held"), CHOSEN, ids=[held for _, held in CHOSEN])
def test_what_looks_like_a_placeholder_or_a_sentence_and_is_a_secret_goes(
    redactor: Redactor, form: str, held: str
) -> None:
    shown = redactor.redact(form.format(held)).text
    assert held not in shown
    assert redactor.redact(shown).text == shown
