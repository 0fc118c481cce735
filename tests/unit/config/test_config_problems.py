"""Every way a configuration can be wrong, with the exact words a person reads."""

from __future__ import annotations

import os

import pytest

from baton.core.errors import BadConfig

AUTO = "agent:\n  auto_handoff_on_compression:\n    "
AUTO_PATH = "agent.auto_handoff_on_compression"
DIR_ALLOWED = "a path below the workspace, without .., .git, ~, : and \\ (at most 200 characters)"
URL_ALLOWED = "postgresql://… or the path of a SQLite file, without ~ (at most 2000 characters), or null"
MODEL_ALLOWED = "provider:name, such as openai:gpt-5 (at most 200 characters), or null"
PROSE_ALLOWED = "text that is not blank and has no control characters (at most 20000 characters)"


def wrong(key: str, found: str, allowed: str, *, where: str = "USER:1") -> str:
    return f"{where}: {key}: found {found}; allowed: {allowed}."


WRONG_VALUES = [
    ("model: gpt", wrong("model", "gpt", MODEL_ALLOWED)),
    ("model: no", wrong("model", "no", MODEL_ALLOWED)),
    ("model: ''", wrong("model", '""', MODEL_ALLOWED)),
    ('model: "a:b\\0"', wrong("model", '"a:b\\x00"', MODEL_ALLOWED)),
    ("model: a:" + "b" * 200, wrong("model", "a:" + "b" * 58 + "…", MODEL_ALLOWED)),
    ("model: [a:b]", wrong("model", "a list", MODEL_ALLOWED)),
    ("model: {a: b}", wrong("model", "a section", MODEL_ALLOWED)),
    ("ui: {pager: yes}", wrong("ui.pager", "yes", "true or false")),
    ("ui: {pager: True}", wrong("ui.pager", "True", "true or false")),
    ("ui: {pager: 1}", wrong("ui.pager", "1", "true or false")),
    ('ui: {pager: "true"}', wrong("ui.pager", '"true"', "true or false")),
    ("ui: {pager: }", wrong("ui.pager", "null", "true or false")),
    ("ui: {color: blue}", wrong("ui.color", "blue", "auto, always or never")),
    ("ui: {color: ~}", wrong("ui.color", "null", "auto, always or never")),
    ("ui: {color: []}", wrong("ui.color", "a list", "auto, always or never")),
    ("store: {lease: 0}", wrong("store.lease", "0", "a number of seconds from 1 to 600")),
    ("store: {lease: 600.01}", wrong("store.lease", "600.01", "a number of seconds from 1 to 600")),
    ("store: {lease: .nan}", wrong("store.lease", ".nan", "a number of seconds from 1 to 600")),
    ("store: {lease: nan}", wrong("store.lease", "nan", "a number of seconds from 1 to 600")),
    ("store: {lease: .inf}", wrong("store.lease", ".inf", "a number of seconds from 1 to 600")),
    ("store: {lease: 1e999}", wrong("store.lease", "1e999", "a number of seconds from 1 to 600")),
    ("store: {lease: 1:30}", wrong("store.lease", "1:30", "a number of seconds from 1 to 600")),
    ("store: {lease: '30'}", wrong("store.lease", '"30"', "a number of seconds from 1 to 600")),
    ("store: {busy_timeout: -1}", wrong("store.busy_timeout", "-1", "a number of seconds from 0.1 to 600")),
    ("store: {busy_timeout: 10s}", wrong("store.busy_timeout", "10s", "a number of seconds from 0.1 to 600")),
    ("sessions: {retention_days: 0}", wrong("sessions.retention_days", "0", "a whole number from 1 to 36500, or null")),
    (
        "sessions: {retention_days: 1_000}",
        wrong("sessions.retention_days", "1_000", "a whole number from 1 to 36500, or null"),
    ),
    ("sessions: {retention_days: ٣}", wrong("sessions.retention_days", "٣", "a whole number from 1 to 36500, or null")),
    (
        "sessions: {retention_days: 010}",
        wrong("sessions.retention_days", "010", "a whole number from 1 to 36500, or null"),
    ),
    ("store: {url: mysql://u:hush@h}", wrong("store.url", "a value that is not shown", URL_ALLOWED)),
    ("store: {url: ~/x.db}", wrong("store.url", "a value that is not shown", URL_ALLOWED)),
    ("store: {url: password=hush host=h}", wrong("store.url", "a value that is not shown", URL_ALLOWED)),
    ("store: {url: 'postgresql://a b'}", wrong("store.url", "a value that is not shown", URL_ALLOWED)),
    ("store: 5", wrong("store", "5", "the keys url, busy_timeout, lease")),
    ("store: [url]", wrong("store", "a list", "the keys url, busy_timeout, lease")),
    ("agent: {auto_handoff_on_compression: true}", wrong(AUTO_PATH, "true", "the keys enabled, after_compressions, max_prompt_tokens, on_compression_failure, mode, handoff_artifact_dir, max_auto_handoffs, require_clean_checkpoint, prompt")),  # noqa: E501
    ("model: postgresql://u:hush@h/db", wrong("model", "postgresql://u:***@h/db", "").removesuffix(" .")),
]  # fmt: skip


@pytest.mark.parametrize(("content", "problem"), WRONG_VALUES[:-1])
def test_a_wrong_value_names_file_line_key_and_what_is_allowed(desk, content, problem):
    assert desk.user(content).problems() == [problem]
