"""What holds for every text: nothing raised, nothing changed twice, and nothing clean changed."""

from __future__ import annotations

import base64
import os
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from baton.adapters.redaction.layer import Anchor
from baton.adapters.redaction.prefilter import Cache, hits, open_prefilter
from baton.core.ids import new_id, new_session_id
from baton.ports.redactor import Redacted, Redactor
from tests.support.secrets import CARRIERS, carried, secret, tokens

MEGABYTE = 1_000_000
PIECES = (
    "password=",
    "key: ",
    "ghp_",
    "://",
    "a:b@",
    "-----BEGIN RSA PRIVATE KEY-----\n",
    "eyJ",
    "AKIA",
    "'",
    '"',
    "\n",
    " ",
)
PIECES += (
    "[redacted: ",
    "github-token]",
    "]",
    "4111 1111 ",
    "\x1b[31m",
    "\u200b",
    "\uff47",
    "\ud800",
    "\x00",
    "aB3",
    "é",
    "is ",
)


@given(st.text(max_size=200) | st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=30).map("".join))
@example("password=password=password=x1y2z3[redacted: password]")
@example("\ud800password=\udfff1a2b3c4d")
def test_any_text_is_taken_and_a_second_look_changes_nothing(redactor: Redactor, text: str) -> None:
    once = redactor.redact(text)
    assert redactor.redact(once.text) == Redacted(once.text)
    assert redactor.leaks(once.text) == ()


def test_what_was_redacted_stays_in_every_carrier(redactor: Redactor) -> None:
    for each in tokens(seed=4):
        for carrier in sorted(CARRIERS)[::4]:
            once = redactor.redact(carried(carrier, each.value, "acme_api_key")).text
            assert redactor.redact(once) == Redacted(once), (each.kind, carrier)


VARIED = {
    "lines": "password={}\n", "one line": ";pwd={}", "quotes": 'password="{}" ', "tokens": "ghp_{0}{0}{0}{0}{0}{0} ",
    "names": "user={0} password={0}\n", "flags": " --password {}", "escapes": "\x1b[31mpassword\x1b[0m={}\n",
    "tags": "<password>{}</password>", "mixed": "key={0}3{0} ", "calls": 'login("x","{}")',
    "headers": "Bearer {0}X1{0}\n",
}  # fmt: skip


def varied(form: str, size: int, seed: int = 1) -> str:
    """Text in which every part is another."""
    dice, parts, length = random.Random(seed), list[str](), 0
    while length < size:
        parts.append(form.format("".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=6))))
        length += len(parts[-1])
    return "".join(parts)


@pytest.mark.parametrize("form", VARIED.values(), ids=VARIED)
def test_what_nobody_has_time_to_look_at_loses_its_values(redactor: Redactor, form: str) -> None:
    """And nothing of it comes to light the second time."""
    before = "The tide is high.\nNothing to see here.\n"
    text = (
        before + varied(form, MEGABYTE // 2) + "\nThe tide is low.\ntoken = " + secret("<A20>", random.Random(7)) + "\n"
    )
    redacted = redactor.redact(text).text
    assert redacted.startswith(before)
    assert "\nThe tide is low.\ntoken = [redacted: " in redacted
    assert secret("<A20>", random.Random(7)) not in redacted
    assert redactor.redact(redacted).text == redacted
    assert redactor.leaks(redacted) == ()


NAMED = {
    "yaml": "  {0}_key: {0}9xQ7{0}\n", "settings": "{0}_token={0}9x{0}\n", "json": '  "{0}_password": "{0}9x{0}",\n',
}  # fmt: skip


@pytest.mark.parametrize("form", NAMED.values(), ids=NAMED)
def test_when_time_is_over_values_go_and_names_stay(redactor: Redactor, form: str) -> None:
    text = varied(form, MEGABYTE // 2)
    redacted = redactor.redact(text).text
    names = [re.split("[=:]", line)[0] for line in text.splitlines()]
    assert [re.split("[=:]", line)[0] for line in redacted.splitlines()] == names
    unread = redacted.splitlines()[len(names) // 2 :]
    assert [line for line in unread if "9x" in line] == []
    assert any("[redacted: value]" in line for line in unread)


def test_a_long_bundle_of_certificates_stays_whole(redactor: Redactor) -> None:
    lines = [base64.b64encode(b"M" + random.Random(number).randbytes(47)).decode() for number in range(4_000)]
    blocks = ("\n".join(lines[at : at + 20]) for at in range(0, len(lines), 20))
    text = "".join(f"-----BEGIN CERTIFICATE-----\n{block}\n-----END CERTIFICATE-----\n" for block in blocks)
    assert redactor.redact(text) == Redacted(text)


def test_no_encoded_value_stays_because_there_were_many_before_it(redactor: Redactor) -> None:
    plain = [secret("password=<A20>", random.Random(number)) for number in range(300)]
    coded = [base64.b64encode(f"the settings: {each} \n".encode()).decode() for each in plain]
    shown = redactor.redact("\n\n".join(coded)).text
    assert [each for each in coded if each in shown] == []


def test_a_row_far_down_a_table_loses_its_password(redactor: Redactor) -> None:
    rows = "".join(f"{secret('<A6>', random.Random(number))},{number},Sunflower{number}x\n" for number in range(2_000))
    shown = redactor.redact(f"user,id,password\n{rows}").text
    assert re.findall("Sunflower", shown) == []


def test_the_same_words_again_and_again_are_looked_at_once(redactor: Redactor) -> None:
    text = "token_type = bearer, key = value, the password is kept elsewhere\n" * 8_000
    assert redactor.redact(text) == Redacted(text)


def test_a_picture_in_a_text_is_one_word(redactor: Redactor) -> None:
    picture = base64.b64encode(random.Random(3).randbytes(MEGABYTE // 2)).decode()
    text = f'{{"image": "data:image/png;base64,{picture}", "note": "the tide is high"}}\n'
    assert "line" not in {found.kind for found in redactor.redact(text).found}


def clean_packet(seed: int) -> str:
    """A packet as the agent writes them: commits, ids, paths, authors, numbers and no secret."""
    dice = random.Random(f"clean {seed}")
    commit = lambda: dice.randbytes(20).hex()  # noqa: E731
    path = lambda: "/".join(dice.choice(_WORDS) for _ in range(dice.randint(2, 5))) + dice.choice(_ENDS)  # noqa: E731
    uuid = "-".join(dice.randbytes(size).hex() for size in (4, 2, 2, 2, 6))
    name = f"{dice.choice(_WORDS)}{dice.randint(1, 999)}"
    lines = [
        f"# Handoff of session {new_session_id(dice.randrange(10**15, 2 * 10**15), dice.randbytes(3))}",
        f"Conversation {new_id('conversation', dice.randbytes(12))}, id {uuid}",
        f"packet {new_id('packet', dice.randbytes(12))}, draft {new_id('draft', dice.randbytes(12))}",
        f"commit {commit()}\nMerge: {commit()[:7]} {commit()[:7]}\nAuthor: {name} <{name}@users.example.com>",
        f"Co-authored-by: {name.title()} <{name}@example.org>\nSigned-off-by: {name} <{name}@example.org>",
        f"Date:   Wed May 27 12:34:{dice.randint(10, 59)} 2026 +0200\n\n    auth: refresh tokens before they expire",
        f" {path()} | {dice.randint(1, 400)} {'+' * dice.randint(1, 30)}{'-' * dice.randint(0, 20)}",
        f"index {commit()[:10]}..{commit()[:10]} 100644\n--- a/{path()}\n+++ b/{path()}",
        f"Session: {new_session_id(dice.randrange(10**15), dice.randbytes(3))} · tokens: {dice.randint(1, 200_000)}",
        f"tree {commit()} parent {commit()}\nHEAD is now at {commit()[:9]} fix {path()}",
        f"sourcegraph, github and datadog were mentioned: {commit()}",
        f"sha256:{dice.randbytes(32).hex()} {path()}\nrequest id {uuid}, trace {dice.randbytes(16).hex()}",
        f"The password of the staging database is kept in {path()}; nobody wrote it down.",
        f"Keys: `{dice.choice(_WORDS)}_key`, `api_key` (from the environment), token budget {dice.randint(1, 99)} k",
        f"tests/{path()}::test_{dice.choice(_WORDS)}_{dice.choice(_WORDS)} PASSED [{dice.randint(1, 99)}%]",
        f"https://github.com/acme/{dice.choice(_WORDS)}/commit/{commit()}",
        f"key: {uuid}\nsession_id = {new_session_id(10**15, dice.randbytes(3))}\nrevision: {commit()}",
        f"{dice.choice(_WORDS)}@{dice.randint(0, 20)}.{dice.randint(0, 99)}.0 · {dice.randint(10**9, 10**10)} ns",
    ]
    dice.shuffle(lines)
    return "\n".join(lines) + "\n"


_WORDS = (
    *("adapter", "branch", "cache", "deploy", "engine", "export", "gateway", "handoff", "import", "index", "lineage"),
    *("model", "packet", "parser", "queue", "redactor", "schema", "session", "store", "token", "transfer", "wiring"),
    *("worker", "auth", "secret", "key", "password"),
)
_ENDS = (".py", ".md", ".sql", ".ts", "/__init__.py", ".yaml", "_test.go", ".env.example", "")


def test_nothing_in_clean_packets_is_changed(redactor: Redactor) -> None:
    for seed in range(300):
        packet = clean_packet(seed)
        assert redactor.redact(packet) == Redacted(packet), seed


def test_a_secret_in_a_clean_packet_is_all_that_is_changed(redactor: Redactor) -> None:
    for number, each in enumerate(tokens(seed=6)):
        packet = clean_packet(number)
        redacted = redactor.redact(f"{packet}deployed with {each.value}\n{packet}").text
        assert redacted.startswith(packet)
        assert redacted.endswith(packet)
        assert each.value not in redacted


def test_compiled_rules_are_kept_for_their_owner_only_and_made_anew_when_damaged(tmp_path: Path) -> None:
    directory = tmp_path / "new" / "cache"
    anchors = [Anchor("ghp_[A-Za-z0-9]{4}"), Anchor("token", caseless=True)]
    found = [(0, 8), (1, 14)]
    assert hits(open_prefilter(anchors, Cache(str(directory))), b"ghp_abcd TOKEN") == found
    (kept,) = directory.iterdir()
    assert kept.stat().st_mode & 0o777 == 0o600
    assert directory.stat().st_mode & 0o777 == 0o700
    whole = kept.read_bytes()
    for damaged in (b"", whole[:100], whole[:50] + bytes([whole[50] ^ 1]) + whole[51:]):
        kept.write_bytes(damaged)
        assert hits(open_prefilter(anchors, Cache(str(directory))), b"ghp_abcd TOKEN") == found
        assert len(kept.read_bytes()) == len(whole)


def test_other_rules_are_another_file(tmp_path: Path) -> None:
    open_prefilter([Anchor("one")], Cache(str(tmp_path / "rules"))).ends(b"one")
    open_prefilter([Anchor("two")], Cache(str(tmp_path / "rules"))).ends(b"one")
    assert len(list((tmp_path / "rules").iterdir())) == 2


def test_every_process_makes_the_same_file(tmp_path: Path) -> None:
    code = (
        "import sys; from baton.adapters.redaction.redactor import open_redactor\n"
        "open_redactor('/', {}, [], sys.argv[1]).redact('x')"
    )
    for seed in ("1", "2"):
        environ = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", code, str(tmp_path / "rules")], env=environ, check=True)
    assert len(list((tmp_path / "rules").iterdir())) == 1


def test_a_cache_that_cannot_be_written_or_trusted_is_done_without(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a directory")
    cache = Cache(str(blocked))
    cache.write("key", b"body")
    assert cache.read("key") is None
    shared = Cache(str(tmp_path))
    shared.write("key", b"body")
    assert shared.read("key") == b"body"
    (tmp_path / "redaction-key.hs").chmod(0o666)
    assert shared.read("key") is None


def test_importing_and_opening_loads_no_engine(tmp_path: Path) -> None:
    """In an empty workspace: what an `.env` file holds is judged."""
    code = (
        "import sys; from baton.adapters.redaction.redactor import open_redactor\n"
        f"open_redactor({str(tmp_path)!r}, {{}}, [], '')\n"
        "print([each for each in ('hyperscan', 're2', 'ahocorasick_rs', 'stdnum') if each in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
