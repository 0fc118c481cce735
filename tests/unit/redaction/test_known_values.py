"""A known value never survives, whatever it wears; an ordinary one is never taken for a secret."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baton.adapters.redaction.environment import parse_env, secrets_of
from baton.adapters.redaction.redactor import open_redactor
from baton.adapters.redaction.workspace_files import env_values
from baton.ports.redactor import Found, Redactor
from tests.support.secrets import ALPHABETS, DISGUISES, secret

SECRET = secret("<p24>", random.Random(11))


@pytest.mark.parametrize("disguise", DISGUISES)
def test_a_known_value_never_survives_a_disguise(redactor: Redactor, disguise: str) -> None:
    dice = random.Random(f"known {disguise}")
    held = [secret(form, dice) for form in ("<p24>", "<A32>", "<h40>", "<w18>", "<p40>") for _ in range(8)]
    knowing = redactor.with_known({f"key {number}": each for number, each in enumerate(held)})
    for each in held:
        worn = DISGUISES[disguise](each)
        text = f"before {worn} after"
        redacted = knowing.redact(text)
        assert worn not in redacted.text
        assert redacted.text.startswith("before ")
        assert redacted.text.endswith(" after")
        assert knowing.leaks(text)
        assert knowing.leaks(redacted.text) == ()


@given(
    before=st.text(max_size=30),
    after=st.text(max_size=30),
    disguise=st.sampled_from(sorted(set(DISGUISES) - {"cut to 12", "upper case", "reversed"})),
)
def test_a_known_value_never_survives_its_neighbours(
    redactor: Redactor, before: str, after: str, disguise: str
) -> None:
    knowing = redactor.with_known({"token": SECRET})
    worn = DISGUISES[disguise](SECRET)
    assert worn not in knowing.redact(f"{before} {worn} {after}").text


@given(st.text(alphabet=ALPHABETS["p"], min_size=10, max_size=60), st.text(max_size=60))
def test_whatever_is_known_is_gone(redactor: Redactor, held: str, around: str) -> None:
    known = secrets_of({"secret": held}, trusted=True)
    redacted = redactor.with_known({"secret": held}).redact(f"{around}{held}{around}").text
    assert all(part not in redacted for part in known.values())


def test_the_placeholder_says_the_name_a_value_is_kept_under(redactor: Redactor) -> None:
    knowing = redactor.with_known({"DB_PASSWORD": "correct-horse-99"})
    redacted = knowing.redact("it said correct-horse-99 twice: correct-horse-99")
    assert redacted.text == "it said [redacted: db-password] twice: [redacted: db-password]"
    assert redacted.found == (Found("db-password", 2),)
    assert "correct" not in repr(redacted)


def test_a_name_that_tells_the_secret_is_not_shown(redactor: Redactor) -> None:
    knowing = redactor.with_known({"zanzibar77": "zanzibar77"})
    assert knowing.redact("we met in zanzibar77").text == "we met in [redacted: known-secret]"


def test_a_placeholder_typed_by_somebody_hides_nothing(redactor: Redactor) -> None:
    knowing = redactor.with_known({"token": "abcdef123456x"})
    assert "abcdef123456x" not in knowing.redact("[redacted: abcdef123456x]").text


def test_a_value_cut_short_is_known_as_far_as_it_goes(redactor: Redactor) -> None:
    knowing = redactor.with_known({"token": SECRET})
    assert knowing.redact(f"{SECRET[:17]}…").text == "[redacted: token]…"


ORDINARY = {
    "PATH": "/usr/local/bin:/usr/bin:/bin",
    "HOME": "/home/somebody",
    "LANG": "en_US.UTF-8",
    "TERM": "xterm-256color",
    "SHELL": "/bin/bash",
    "USER": "somebody",
    "EDITOR": "vim",
    "DEBUG": "true",
    "PORT": "8080",
    "DB_HOST": "localhost",
    "DB_USER": "postgres",
    "DB_PASSWORD": "postgres",
    "SECRET_KEY": "changeme",
    "API_URL": "https://api.example.com/v1",
    "NODE_ENV": "production",
    "LOG_LEVEL": "information",
    "VERSION": "1.22.333",
    "MAIL": "somebody@example.com",
    "SSH_AUTH_SOCK": "/run/user/1000/keyring/ssh",
    "DATE": "2026-05-27T12:34:56Z",
    "TOKEN_LIMIT": "123456789",
    "AWS_REGION": "eu-central-1",
    "GREETING": "hello wonderful world",
    "SESSION": "20260527_123456_abcdef",
    "EMPTY": "",
    "KEY_FILE": "/etc/ssl/private/server.key",
}


def test_ordinary_values_of_an_environment_are_not_secrets() -> None:
    assert secrets_of(ORDINARY) == {}


SECRETS = {
    "DB_PASSWORD": "hunter22-x",
    "STRIPE_KEY": "whatever-they-gave-9",
    "ANYTHING": "q8Jz0vTk2LmNx4Rb",
    "REDIS_URL": "redis://:s3cretpw@cache:6379/0",
    "PASSPHRASE": "four quite ordinary words",
}


def test_what_only_holds_a_place_is_not_known() -> None:
    """As an example beside the settings has it: it would cut the name of every package."""
    assert secrets_of({"MAIL_KEY": "api-key", "AWS_TOKEN": "aws_token", "DB_PASSWORD": "<password>"}) == {}


def test_secrets_of_an_environment_are_known() -> None:
    found = secrets_of(SECRETS)
    assert found["DB_PASSWORD"] == "hunter22-x"
    assert found["ANYTHING"] == "q8Jz0vTk2LmNx4Rb"
    assert found["REDIS_URL"] == "s3cretpw"
    assert found["PASSPHRASE"] == "four quite ordinary words"


def test_a_plain_link_is_not_a_secret_but_its_password_is() -> None:
    assert secrets_of({"DATABASE_URL": "postgres://db.example.com/app"}) == {}
    assert set(secrets_of({"DATABASE_URL": "postgres://me:p%40ss-w0rd@db/app"}).values()) == {
        "p%40ss-w0rd",
        "p@ss-w0rd",
    }


ENV = """\
# a comment
export API_TOKEN=plain-value-77
QUOTED="with spaces and \\"quotes\\" 5"
SINGLE='single # quoted 8'
COMMENTED=value-before-9 # and why
 SPACED = around-equals-6
YAML_STYLE: colon-value-4
"""


def test_env_files_are_parsed_as_shells_read_them() -> None:
    assert parse_env(ENV.encode()) == {
        "API_TOKEN": "plain-value-77",
        "QUOTED": 'with spaces and "quotes" 5',
        "SINGLE": "single # quoted 8",
        "COMMENTED": "value-before-9",
        "SPACED": "around-equals-6",
        "YAML_STYLE": "colon-value-4",
    }


def test_the_workspace_s_env_files_are_known(tmp_path: Path, cache_dir: Path) -> None:
    (tmp_path / ".env").write_text("TOKEN=one-two-three-1\n")
    (tmp_path / ".env.local").write_text("OTHER_TOKEN=four-five-six-2\n")
    made = open_redactor(str(tmp_path), {"CI_TOKEN": "seven-eight-nine-3"}, ["configured-9"], str(cache_dir))
    text = "one-two-three-1 four-five-six-2 seven-eight-nine-3 configured-9"
    shown = "[redacted: token] [redacted: other-token] [redacted: ci-token] [redacted: configured-secret-1]"
    assert made.redact(text).text == shown


def test_env_files_that_are_links_devices_or_missing_count_as_empty(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.write_text("TOKEN=never-read-this-1\n")
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    (workspace / ".env").symlink_to(outside)
    os.mkfifo(workspace / ".env.pipe")
    (workspace / ".env.d").mkdir()
    assert env_values(str(workspace)) == {}
    assert env_values(str(tmp_path / "nowhere")) == {}


def test_random_values_are_never_found_where_they_are_not(redactor: Redactor) -> None:
    dice = random.Random(5)
    knowing = redactor.with_known({f"k{number}": secret("<A20>", dice) for number in range(300)})
    words = Path(__file__).read_text()
    assert knowing.redact(words) == redactor.redact(words)
