"""What `baton config show` prints, and that no password is in it."""

from __future__ import annotations

import json

import pytest

from baton.config.masking import mask_url
from baton.config.render import Row, as_text, rows, to_dict

AUTO = "agent.auto_handoff_on_compression"


def test_rows_show_every_key_with_value_and_source(desk):
    desk.user("store:\n  url: postgresql://u:hush@h/db\n")
    desk.project("ui: {color: never}")
    flags = ["store.lease=2.5", f"{AUTO}.prompt={'x' * 70}\ny\n"]
    loaded = desk.load(environ={"BATON_MODEL": "openai:x", "BATON_TELEGRAM_TOKEN": "42:hush"}, flags=flags)
    assert rows(loaded) == [
        Row("model", "openai:x", "environment BATON_MODEL"),
        Row("store.url", "postgresql://u:***@h/db", f"user {desk.user_file}:2"),
        Row("store.busy_timeout", "10", "default"),
        Row("store.lease", "2.5", "flag"),
        Row("sessions.retention_days", "null", "default"),
        Row("checkpoint.keep", "50", "default"),
        Row("checkpoint.keep_days", "90", "default"),
        Row("ui.color", "never", f"project {desk.project_file}:1"),
        Row("ui.pager", "true", "default"),
        Row("agent.mode", "ask", "default"),
        Row("agent.max_steps", "100", "default"),
        Row("agent.model_timeout", "120", "default"),
        Row("agent.model_tries", "4", "default"),
        Row("agent.compression.mode", "in_place", "default"),
        Row("agent.compression.threshold", "0.8", "default"),
        Row("agent.compression.deadline", "60", "default"),
        Row("agent.compression.tries", "2", "default"),
        Row("agent.compression.cool_down", "300", "default"),
        Row(f"{AUTO}.enabled", "false", "default"),
        Row(f"{AUTO}.after_compressions", "2", "default"),
        Row(f"{AUTO}.max_prompt_tokens", "null", "default"),
        Row(f"{AUTO}.on_compression_failure", "true", "default"),
        Row(f"{AUTO}.mode", "fresh_session", "default"),
        Row(f"{AUTO}.handoff_artifact_dir", ".baton/handoffs", "default"),
        Row(f"{AUTO}.max_auto_handoffs", "3", "default"),
        Row(f"{AUTO}.require_clean_checkpoint", "true", "default"),
        Row(f"{AUTO}.prompt", "x" * 60 + "… (2 lines)", "flag"),
        Row("tools.sandbox", "auto", "default"),
        Row("tools.sockets", "off", "default"),
        Row("tools.client_terminals", "auto", "default"),
        Row("tools.keep_env", "[]", "default"),
        Row("tools.output_chars", "null", "default"),
        Row("tools.mcp_servers", "{}", "default"),
        Row("local_model.window", "null", "default"),
        Row("local_model.threads", "null", "default"),
        Row("local_model.keep_warm", "600", "default"),
        Row("local_model.mirror", "null", "default"),
        Row("gateway.workspace", "null", "default"),
        Row("gateway.home", "{}", "default"),
        Row("gateway.targets", "{}", "default"),
        Row("gateway.owners", "[]", "default"),
        Row("gateway.guests", "[]", "default"),
        Row("gateway.recover_within", "3600", "default"),
        Row("gateway.send_tries", "8", "default"),
        Row("gateway.drain", "20", "default"),
        Row("gateway.listen", "127.0.0.1:8787", "default"),
        Row("gateway.telegram.token", "***", "environment BATON_TELEGRAM_TOKEN"),
        Row("gateway.telegram.api", "https://api.telegram.org", "default"),
        Row("gateway.discord.token", "null", "default"),
        Row("gateway.discord.api", "https://discord.com/api/v10", "default"),
        Row("gateway.discord.gateway", "wss://gateway.discord.gg", "default"),
        Row("gateway.slack.bot_token", "null", "default"),
        Row("gateway.slack.app_token", "null", "default"),
        Row("gateway.slack.api", "https://slack.com/api/", "default"),
        Row("gateway.matrix.homeserver", "https://matrix.org", "default"),
        Row("gateway.matrix.user", "null", "default"),
        Row("gateway.matrix.password", "null", "default"),
        Row("gateway.signal.account", "null", "default"),
        Row("gateway.signal.daemon", "http://127.0.0.1:8080", "default"),
        Row("gateway.whatsapp.number_id", "null", "default"),
        Row("gateway.whatsapp.token", "null", "default"),
        Row("gateway.whatsapp.app_secret", "null", "default"),
        Row("gateway.whatsapp.verify_token", "null", "default"),
        Row("gateway.whatsapp.listen", "127.0.0.1:8788", "default"),
        Row("gateway.whatsapp.api", "https://graph.facebook.com/v23.0", "default"),
    ]


def test_to_dict_nests_the_settings_and_names_the_sources(desk):
    desk.user("store:\n  url: postgresql://u:hush@h/db\n")
    shown = to_dict(desk.load(environ={"BATON_MODEL": "openai:x"}))
    assert shown["home"] == str(desk.baton_home)
    assert shown["settings"]["store"] == {"url": "postgresql://u:***@h/db", "busy_timeout": 10.0, "lease": 15.0}
    assert shown["settings"]["agent"]["auto_handoff_on_compression"]["enabled"] is False
    assert shown["sources"]["store.url"] == {"layer": "user", "file": str(desk.user_file), "line": 2}
    assert shown["sources"]["model"] == {"layer": "environment", "variable": "BATON_MODEL"}
    assert shown["sources"]["ui.color"] == {"layer": "default"}
    assert "hush" not in json.dumps(shown)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("/data/x.db", "/data/x.db"),
        ("postgresql://h/db", "postgresql://h/db"),
        ("postgresql://u@h:5432/db", "postgresql://u@h:5432/db"),
        ("postgresql://h:5432/db", "postgresql://h:5432/db"),
        ("postgresql://u:hush@h:5432/db", "postgresql://u:***@h:5432/db"),
        ("postgresql://:hush@h/db", "postgresql://:***@h/db"),
        ("postgresql://u:hu@sh@h/db", "postgresql://u:***@h/db"),
        ("postgresql://u:hu/sh@h/db", "postgresql://u:***@h/db"),
        ("postgresql://u:hu:sh@h/db", "postgresql://u:***@h/db"),
        ("postgresql://u:hu?sh@h/db", "postgresql://u:***@h/db"),
        ("postgresql://u:hu#sh@h/db", "postgresql://u:***@h/db"),
        ("postgresql://h/db?password=hush", "postgresql://h/db?password=***"),
        ("postgresql://h:1/db?password=hu@sh", "postgresql://h:1/db?password=***"),
        ("postgresql://h/db?user=u&PassWord=hush&x=y", "postgresql://h/db?user=u&PassWord=***&x=y"),
        ("postgresql://h/db?sslpassword=hush", "postgresql://h/db?sslpassword=***"),
        ("postgresql://h/db?p%61ssword=hush", "postgresql://h/db?p%61ssword=***"),
        ("postgresql://h/db?sslmode=require", "postgresql://h/db?sslmode=require"),
    ],
)
def test_passwords_in_urls_are_masked(url, shown):
    assert mask_url(url) == shown


def test_values_are_shown_on_one_line_as_a_file_would_have_them():
    values = [None, True, False, 3, 0.1, 600.0, "a", "a\nb\n", "\u202ex"]
    assert [as_text(value) for value in values] == [
        "null", "true", "false", "3", "0.1", "600", "a", "a… (2 lines)", "\\u202ex",
    ]  # fmt: skip
