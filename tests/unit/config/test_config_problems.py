"""Every way a configuration can be wrong, with the exact words a person reads."""

from __future__ import annotations

import os

import pytest

from baton.config import sources
from baton.core.errors import BadConfig

AUTO = "agent.auto_handoff_on_compression"
COUNT = "a whole number from {} to 1000000000"
DAYS = "a whole number from 1 to 36500, or null"
DIR = "a path below the workspace, without .., .git, ~, : and \\ (at most 200 characters)"
FLAG = "true or false"
HIDDEN = "a value that is not shown"
LEASE = "a number of seconds from 1 to 600"
MODEL = "provider:name, such as openai:gpt-5 (at most 200 characters), or null"
TOP = "model, store, sessions, checkpoint, ui, agent, tools, local_model, gateway"
NAMES = "a list of names of variables (at most 200)"
PROMPT = "text that is not blank and has no control characters (at most 20000 characters)"
URL = "postgresql://… or the path of a SQLite file, without ~ (at most 2000 characters), or null"
TIMEOUT = "a number of seconds from 0.1 to 600"

WRONG_VALUES = [
    ("model", "gpt", "gpt", MODEL),
    ("model", "no", "no", MODEL),
    ("model", "''", '""', MODEL),
    ("model", '"a:b\\0"', '"a:b\\x00"', MODEL),
    ("model", '"a:\\e[2J"', '"a:\\x1b[2J"', MODEL),
    ("model", "a:" + "b" * 200, "a:" + "b" * 58 + "…", MODEL),
    ("model", "[a:b]", "a list", MODEL),
    ("model", "{a: b}", "a section", MODEL),
    ("model", "postgresql://u:hush@h/db", "postgresql://u:***@h/db", MODEL),
    ("ui.pager", "yes", "yes", FLAG),
    ("ui.pager", "True", "True", FLAG),
    ("ui.pager", "1", "1", FLAG),
    ("ui.pager", '"true"', '"true"', FLAG),
    ("ui.pager", "", "null", FLAG),
    ("ui.color", "blue", "blue", "auto, always or never"),
    ("ui.color", "~", "null", "auto, always or never"),
    ("ui.color", "[]", "a list", "auto, always or never"),
    ("store.lease", "0", "0", LEASE),
    ("store.lease", "600.01", "600.01", LEASE),
    ("store.lease", ".nan", ".nan", LEASE),
    ("store.lease", "nan", "nan", LEASE),
    ("store.lease", ".inf", ".inf", LEASE),
    ("store.lease", "1e999", "1e999", LEASE),
    ("store.lease", "1" * 5000, "1" * 60 + "…", LEASE),
    ("store.lease", "1:30", "1:30", LEASE),
    ("store.lease", "'30'", '"30"', LEASE),
    ("store.lease", "null", "null", LEASE),
    ("store.busy_timeout", "0.09", "0.09", TIMEOUT),
    ("store.busy_timeout", "-1", "-1", TIMEOUT),
    ("store.busy_timeout", "10s", "10s", TIMEOUT),
    ("store.url", "mysql://u:hush@h", HIDDEN, URL),
    ("store.url", "~/x.db", HIDDEN, URL),
    ("store.url", "''", HIDDEN, URL),
    ("store.url", "password=hush host=h", HIDDEN, URL),
    ("store.url", "'postgresql://a b'", HIDDEN, URL),
    ("store.url", "[postgresql://u:hush@h]", "a list", URL),
    ("tools.keep_env", "A", "A", NAMES),
    ("tools.keep_env", "[A, 'b c']", '"b c"', NAMES),
    ("tools.keep_env", "[A, [B]]", "a list", "names of variables (at most 200 characters)"),
    ("tools.keep_env", "{A: b}", "a section", NAMES),
    ("tools.sandbox", "maybe", "maybe", "auto, required or off"),
    ("tools.sockets", "docker", "docker", "off or all"),
    ("tools.client_terminals", "always", "always", "auto or off"),
    ("agent.compression.threshold", "0.99", "0.99", "a number from 0.2 to 0.95"),
    ("agent.mode", "yolo", "yolo", "ask, accept_edits, unattended or read_only"),
    ("store", "5", "5", "the keys url, busy_timeout, lease"),
    ("store", "[url]", "a list", "the keys url, busy_timeout, lease"),
    ("store", "''", '""', "the keys url, busy_timeout, lease"),
    ("sessions.retention_days", "0", "0", DAYS),
    ("sessions.retention_days", "36501", "36501", DAYS),
    ("sessions.retention_days", "1_000", "1_000", DAYS),
    ("sessions.retention_days", "010", "010", DAYS),
    ("sessions.retention_days", "0x10", "0x10", DAYS),
    ("sessions.retention_days", "٣", "٣", DAYS),
    ("sessions.retention_days", "7.0", "7.0", DAYS),
    ("checkpoint.keep", "-1", "-1", "a whole number from 0 to 100000"),
    ("checkpoint.keep", "many", "many", "a whole number from 0 to 100000"),
    ("checkpoint.keep_days", "36501", "36501", "a whole number from 0 to 36500"),
    (f"{AUTO}.after_compressions", "0", "0", COUNT.format(1)),
    (f"{AUTO}.after_compressions", "9" * 5000, "9" * 60 + "…", COUNT.format(1)),
    (f"{AUTO}.max_prompt_tokens", "999", "999", COUNT.format(1000) + ", or null"),
    (f"{AUTO}.max_auto_handoffs", "-1", "-1", COUNT.format(0)),
    (f"{AUTO}.mode", "fresh", "fresh", "fresh_session, fresh_process or prompt_user"),
    (f"{AUTO}.handoff_artifact_dir", "/tmp/x", "/tmp/x", DIR),
    (f"{AUTO}.handoff_artifact_dir", "..", "..", DIR),
    (f"{AUTO}.handoff_artifact_dir", "a/../b", "a/../b", DIR),
    (f"{AUTO}.handoff_artifact_dir", "a/..", "a/..", DIR),
    (f"{AUTO}.handoff_artifact_dir", "~/x", "~/x", DIR),
    (f"{AUTO}.handoff_artifact_dir", "C:x", "C:x", DIR),
    (f"{AUTO}.handoff_artifact_dir", "..\\x", "..\\x", DIR),
    (f"{AUTO}.handoff_artifact_dir", ".Git/hooks", ".Git/hooks", DIR),
    (f"{AUTO}.handoff_artifact_dir", "' '", '" "', DIR),
    (f"{AUTO}.handoff_artifact_dir", '"a\\nb"', '"a\\nb"', DIR),
    (f"{AUTO}.handoff_artifact_dir", "", "null", DIR),
    (f"{AUTO}.prompt", '" \\n "', '" \\n "', PROMPT),
    (f"{AUTO}.prompt", "x" * 20_001, "x" * 60 + "…", PROMPT),
    (f"{AUTO}.prompt", "null", "null", PROMPT),
]


def nested(path: str, value: str) -> str:
    """A file of one line that gives the key its value."""
    *sections, name = path.split(".")
    opening = "".join(f"{section}: {{" for section in sections)
    return f"{opening}{name}: {value}{'}' * len(sections)}"


@pytest.mark.parametrize(("key", "value", "found", "allowed"), WRONG_VALUES)
def test_a_wrong_value_names_file_line_key_and_what_is_allowed(desk, key, value, found, allowed):
    assert desk.user(nested(key, value)).problems() == [f"USER:1: {key}: found {found}; allowed: {allowed}."]


UNUSABLE_FILES = [
    ("stroe: {}", "USER:1: there is no key stroe; the nearest is store."),
    ("ui:\n  colour: never", "USER:2: there is no key ui.colour; the nearest is ui.color."),
    ("enabled: true", f"USER:1: there is no key enabled; the nearest is {AUTO}.enabled."),
    ("zzz: 1", f"USER:1: there is no key zzz; allowed here: {TOP}."),
    ("ui: {zzz: 1}", "USER:1: there is no key ui.zzz; allowed here: color, pager."),
    ("'': 1", f'USER:1: there is no key ""; allowed here: {TOP}.'),
    (
        '"a\\nb": 1',
        f"USER:1: there is no key a\\nb; allowed here: {TOP}.",
    ),
    (
        "z" * 70 + ": 1",
        f"USER:1: there is no key {'z' * 60}…; allowed here: {TOP}.",
    ),
    ("url: postgresql://u:hush@h", "USER:1: there is no key url; the nearest is store.url."),
    (
        "store.url: x",
        "USER:1: store.url is written with dots; in a file, write each part on its own line, indented below the last.",
    ),
    ("? [a]\n: b", "USER:1: found a list as a key; allowed: a name."),
    ("? {a: b}\n: b", "USER:1: found a section as a key; allowed: a name."),
    ("model: a:b\n\nmodel: a:b", "USER:3: model is given a second time; the first is on line 1."),
    ('ui:\n  pager: true\n  "pager": false', "USER:3: ui.pager is given a second time; the first is on line 2."),
    ("- a", f"USER:1: found a list; allowed: the keys {TOP}."),
    ("\nhello", f"USER:2: found hello; allowed: the keys {TOP}."),
    ("ui: {color", "USER:1: not valid YAML: did not find expected ',' or '}'."),
    ("a: b: c", "USER:1: not valid YAML: mapping values are not allowed in this context."),
    ("ui:\n  color: 'x\n", "USER:2: not valid YAML: found unexpected end of stream."),
    ("ui:\n\tcolor: never", "USER:2: found a tab in the indentation; allowed: spaces."),
    ("ui:\n  pager: true\n\tcolor: never", "USER:3: found a tab in the indentation; allowed: spaces."),
    ("%YAML 3.0\n---\n", "USER:1: not valid YAML: found incompatible YAML document."),
    ('model: "\\ud800"', "USER:1: not valid YAML: found invalid Unicode character escape code."),
    ("ui: &x {}\nstore: *x", "USER:1: found &x; anchors, aliases and tags are not allowed."),
    ("ui: *x", "USER:1: found *x; anchors, aliases and tags are not allowed."),
    ("ui: !!map {}", "USER:1: found tag:yaml.org,2002:map; anchors, aliases and tags are not allowed."),
    ("model: !env HOME", "USER:1: found !env; anchors, aliases and tags are not allowed."),
    ("ui: {}\n---\nui: {}", "USER:2: a second document begins; allowed: one."),
    ("a: " + "[" * 25 + "]" * 25, "USER:1: nested more than 20 levels deep."),
    ("- " * 400_000, "USER:1: nested more than 20 levels deep."),
    ("{" * 900_000, "USER:1: nested more than 20 levels deep."),
    ("ui:\n  color: \0", "USER:2: found the control character \\x00; remove it."),
    ("# \x1b[2J", "USER:1: found the control character \\x1b; remove it."),
    (b"ui:\n  color: \xff", "USER:2: not UTF-8; save the file as UTF-8 text."),
    ("ui: {}".encode("utf-16"), "USER:1: not UTF-8; save the file as UTF-8 text."),
    (b"model: \xed\xa0\x80", "USER:1: not UTF-8; save the file as UTF-8 text."),
    (b"#" * 1_000_001, "USER: larger than 1000000 bytes."),
]


@pytest.mark.parametrize(
    ("content", "problem"), UNUSABLE_FILES, ids=[repr(content[:20]) for content, _ in UNUSABLE_FILES]
)
def test_a_file_that_cannot_be_used_says_where_and_why(desk, content, problem):
    assert desk.user(content).problems() == [problem]


def test_a_file_of_exactly_the_largest_size_is_read(desk):
    assert desk.user(b"#" * 1_000_000).load()


def test_a_directory_in_place_of_a_file_is_named(desk):
    desk.user_file.mkdir()
    assert desk.problems() == ["USER: found a directory; allowed: a file."]


def test_a_pipe_in_place_of_a_file_is_not_opened(desk):
    os.mkfifo(desk.user_file)
    assert desk.problems() == ["USER: not a regular file."]


def test_a_file_that_cannot_be_opened_says_why(desk):
    desk.user_file.symlink_to(desk.user_file)
    assert desk.problems() == ["USER: cannot be read: Too many levels of symbolic links."]


VARIABLES = [
    ({"BATON_UI__COLOR": "blue"}, "BATON_UI__COLOR: ui.color: found blue; allowed: auto, always or never."),
    ({"BATON_UI__PAGER": ""}, 'BATON_UI__PAGER: ui.pager: found ""; allowed: true or false.'),
    ({"BATON_MODEL": ""}, f'BATON_MODEL: model: found ""; allowed: {MODEL}.'),
    ({"BATON_MODEL": "a:\udcff"}, f"BATON_MODEL: model: found a:\\udcff; allowed: {MODEL}."),
    ({"BATON_DATABASE_URL": "x://u:hush@h"}, f"BATON_DATABASE_URL: store.url: found {HIDDEN}; allowed: {URL}."),
    ({"BATON_UI__COLOUR": "1"}, "BATON_UI__COLOUR: no key has this variable; the nearest is BATON_UI__COLOR."),
    ({"BATON_ui__color": "1"}, "BATON_ui__color: no key has this variable; the nearest is BATON_UI__COLOR."),
    ({"BATON_ZZ__ZZ": "1"}, "BATON_ZZ__ZZ: no key has this variable."),
    (
        {"BATON_DATABASE_URL": "a.db", "BATON_STORE__URL": "a.db"},
        "BATON_STORE__URL: store.url is also given by BATON_DATABASE_URL; set only one of them.",
    ),
    ({"BATON_HOME": ""}, 'BATON_HOME: found ""; allowed: the absolute path of a directory.'),
    ({"BATON_HOME": "~/b"}, 'BATON_HOME: found "~/b"; allowed: the absolute path of a directory.'),
    ({"BATON_HOME": "/a\nb"}, 'BATON_HOME: found "/a\\nb"; allowed: the absolute path of a directory.'),
]


@pytest.mark.parametrize(("environ", "problem"), VARIABLES)
def test_a_wrong_variable_is_named(desk, environ, problem):
    assert desk.problems(environ=environ) == [problem]


def test_variables_that_are_not_ours_are_left_alone(desk):
    assert desk.load(environ={"BATON_FOO": "1", "BATON_TEST__X": "1", "OTHER__X": "1", "BATON": "1", "BATON_UI": "1"})


FLAGS = [
    ("ui.color", 'flag: found "ui.color"; allowed: key=value, such as ui.color=never.'),
    ("x://u:hush@h", 'flag: found "x://u:***@h"; allowed: key=value, such as ui.color=never.'),
    ("", 'flag: found ""; allowed: key=value, such as ui.color=never.'),
    ("ui.color=blue", "flag: ui.color: found blue; allowed: auto, always or never."),
    ("ui.pager=", 'flag: ui.pager: found ""; allowed: true or false.'),
    ("ui.colour=never", "flag: there is no key ui.colour; the nearest is ui.color."),
    ("=x", f'flag: there is no key ""; allowed here: {TOP}.'),
    ("ui=never", "flag: ui is a section; set one of its keys: ui.color, ui.pager."),
    (f"{AUTO}.prompt=\ud800", f"flag: {AUTO}.prompt: found \\ud800; allowed: {PROMPT}."),
]


@pytest.mark.parametrize(("flag", "problem"), FLAGS)
def test_a_wrong_flag_is_named(desk, flag, problem):
    assert desk.problems(flags=[flag]) == [problem]


def test_all_problems_of_all_layers_are_listed_at_once(desk):
    desk.user("model: x\nui:\n  color: blue\n  pgaer: true\n")
    found = desk.problems(environ={"BATON_STORE__LEASE": "0"}, flags=["a"])
    assert [line.partition(" ")[0] for line in found] == [
        "USER:1:",
        "USER:3:",
        "USER:4:",
        "BATON_STORE__LEASE:",
        "flag:",
    ]


def test_a_wrong_value_is_a_problem_even_when_another_layer_covers_it(desk):
    desk.user("ui: {color: blue}")
    assert len(desk.problems(flags=["ui.color=never"])) == 1


def test_beyond_a_hundred_problems_the_rest_is_counted_and_costs_no_search(desk, monkeypatch):
    searched: list[str] = []
    monkeypatch.setattr(sources, "nearest", lambda name, known: searched.append(name))
    desk.user("".join(f"key_{number}: 1\n" for number in range(60_000)))
    with pytest.raises(BadConfig) as caught:
        desk.load()
    lines = str(caught.value.facts["problems"]).split("\n")
    assert (caught.value.facts["count"], len(lines), lines[-1]) == (60_000, 101, "… and 59900 more.")
    assert len(searched) == 100


def test_a_relative_baton_home_is_reported_and_not_read(desk, monkeypatch):
    monkeypatch.chdir(desk.baton_home)
    desk.user("model: x")
    assert desk.problems(environ={"BATON_HOME": "."}) == [
        'BATON_HOME: found "."; allowed: the absolute path of a directory.'
    ]
