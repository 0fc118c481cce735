"""Which layer wins, and what is remembered of where a value came from."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from baton.config import (
    AgentSettings,
    AutoHandoffSettings,
    SessionsSettings,
    Settings,
    Source,
    StoreSettings,
    UiSettings,
    load_here,
)
from baton.config.schema import handoff_prompt, tree
from baton.config.tool_settings import McpServerSettings
from baton.core.errors import BadConfig
from baton.core.value import replace

ENABLED = "agent.auto_handoff_on_compression.enabled"


def test_without_any_layer_the_defaults_hold(desk):
    loaded = desk.load()
    assert loaded.settings == Settings(
        model=None,
        store=StoreSettings(url=None, busy_timeout=10.0, lease=15.0),
        sessions=SessionsSettings(retention_days=None),
        ui=UiSettings(color="auto", pager=True),
        agent=AgentSettings(
            auto_handoff_on_compression=AutoHandoffSettings(
                enabled=False,
                after_compressions=2,
                max_prompt_tokens=None,
                on_compression_failure=True,
                mode="fresh_session",
                handoff_artifact_dir=".baton/handoffs",
                max_auto_handoffs=3,
                require_clean_checkpoint=True,
                prompt=handoff_prompt(),
            )
        ),
    )
    assert set(loaded.sources.values()) == {Source("default")}
    assert list(loaded.sources) == list(tree().every_key())
    assert loaded.settings == Settings()


def test_each_layer_covers_the_ones_before_it(desk):
    flags = ["ui.color=auto", "ui.color=never"]
    environ = {"BATON_UI__COLOR": "always"}
    assert desk.load().settings.ui.color == "auto"
    assert desk.user("ui: {color: always}").load().settings.ui.color == "always"
    assert desk.project("ui: {color: never}").load().settings.ui.color == "never"
    assert desk.load(environ=environ).settings.ui.color == "always"
    assert desk.load(environ=environ, flags=flags).settings.ui.color == "never"


def test_layers_are_merged_key_by_key_with_their_sources(desk):
    desk.user("model: openai:one\nui:\n  pager: false\nstore:\n  url: /data/x.db\n")
    desk.project("# ours\nui:\n  color: never\n")
    loaded = desk.load(environ={"BATON_STORE__LEASE": "5"}, flags=[f"{ENABLED}=true"])
    assert loaded.settings == replace(
        Settings(),
        model="openai:one",
        ui=UiSettings(color="never", pager=False),
        store=StoreSettings(url="/data/x.db", lease=5.0),
        agent=AgentSettings(auto_handoff_on_compression=AutoHandoffSettings(enabled=True)),
    )
    assert {key: source for key, source in loaded.sources.items() if source.layer != "default"} == {
        "model": Source("user", file=desk.user_file, line=1),
        "ui.pager": Source("user", file=desk.user_file, line=3),
        "store.url": Source("user", file=desk.user_file, line=5),
        "ui.color": Source("project", file=desk.project_file, line=3),
        "store.lease": Source("environment", variable="BATON_STORE__LEASE"),
        ENABLED: Source("flag"),
    }


def test_a_higher_layer_can_set_a_key_back_to_null(desk):
    desk.user("model: openai:one\n")
    assert desk.load(environ={"BATON_MODEL": "null"}).settings.model is None
    assert desk.load(flags=["model=null"]).settings.model is None
    budget = "agent:\n  auto_handoff_on_compression:\n    max_prompt_tokens: {}\n"
    desk.user(budget.format(5000))
    flag = "agent.auto_handoff_on_compression.max_prompt_tokens=null"
    assert desk.load(flags=[flag]).settings.agent.auto_handoff_on_compression.max_prompt_tokens is None


def test_the_short_variables_name_the_model_and_the_database(desk):
    url = "postgresql://u:p@h/db?a=b"
    loaded = desk.load(environ={"BATON_MODEL": "openai:x", "BATON_DATABASE_URL": url})
    assert (loaded.settings.model, loaded.settings.store.url) == ("openai:x", url)
    assert desk.load(environ={"BATON_STORE__URL": url}).settings.store.url == url


def test_every_key_can_be_set_by_variable_and_by_flag(desk):
    values = {
        "model": ("a:b", "a:b"),
        "store.url": ("x.db", "x.db"),
        "store.busy_timeout": ("0.5", 0.5),
        "store.lease": ("1e1", 10.0),
        "sessions.retention_days": ("7", 7),
        "checkpoint.keep": ("0", 0),
        "checkpoint.keep_days": ("14", 14),
        "ui.color": ("never", "never"),
        "ui.pager": ("false", False),
        "agent.mode": ("read_only", "read_only"),
        "agent.max_steps": ("5", 5),
        "agent.model_timeout": ("30", 30.0),
        "agent.model_tries": ("1", 1),
        "agent.compression.mode": ("split", "split"),
        "agent.compression.threshold": ("0.5", 0.5),
        "agent.compression.deadline": ("5", 5.0),
        "agent.compression.tries": ("1", 1),
        "agent.compression.cool_down": ("0", 0.0),
        "agent.auto_handoff_on_compression.enabled": ("true", True),
        "agent.auto_handoff_on_compression.after_compressions": ("1", 1),
        "agent.auto_handoff_on_compression.max_prompt_tokens": ("1000", 1000),
        "agent.auto_handoff_on_compression.on_compression_failure": ("false", False),
        "agent.auto_handoff_on_compression.mode": ("prompt_user", "prompt_user"),
        "agent.auto_handoff_on_compression.handoff_artifact_dir": ("./out", "./out"),
        "agent.auto_handoff_on_compression.max_auto_handoffs": ("0", 0),
        "agent.auto_handoff_on_compression.require_clean_checkpoint": ("false", False),
        "agent.auto_handoff_on_compression.prompt": ("Two\nlines = one\n", "Two\nlines = one\n"),
        "tools.sandbox": ("off", "off"),
        "tools.sockets": ("all", "all"),
        "tools.client_terminals": ("off", "off"),
        "tools.keep_env": ("A_TOKEN, B", ("A_TOKEN", "B")),
        "tools.output_chars": ("500", 500),
        "tools.mcp_servers": ('{"docs": {"url": "http://h/mcp"}}', {"docs": McpServerSettings(url="http://h/mcp")}),
        "local_model.window": ("2048", 2048),
        "local_model.threads": ("2", 2),
        "local_model.keep_warm": ("0", 0.0),
        "local_model.mirror": ("https://mirror.test/hub", "https://mirror.test/hub"),
        "gateway.workspace": ("/srv", "/srv"),
        "gateway.home": ("telegram=777, slack=C1", {"telegram": "777", "slack": "C1"}),
        "gateway.targets": ("work=slack:C1", {"work": "slack:C1"}),
        "gateway.owners": ("telegram:777, slack:T1:U1", ("telegram:777", "slack:T1:U1")),
        "gateway.guests": ("telegram:8", ("telegram:8",)),
        "gateway.recover_within": ("60", 60.0),
        "gateway.send_tries": ("3", 3),
        "gateway.drain": ("0", 0.0),
        "gateway.listen": ("127.0.0.1:0", "127.0.0.1:0"),
        "gateway.telegram.token": ("1:a", "1:a"),
        "gateway.telegram.api": ("http://h", "http://h"),
        "gateway.discord.token": ("a", "a"),
        "gateway.discord.api": ("http://h", "http://h"),
        "gateway.discord.gateway": ("ws://h", "ws://h"),
        "gateway.slack.bot_token": ("xoxb-1", "xoxb-1"),
        "gateway.slack.app_token": ("xapp-1", "xapp-1"),
        "gateway.slack.api": ("http://h/", "http://h/"),
        "gateway.matrix.homeserver": ("http://h", "http://h"),
        "gateway.matrix.user": ("@a:h", "@a:h"),
        "gateway.matrix.password": ("p", "p"),
        "gateway.signal.account": ("+15550100", "+15550100"),
        "gateway.signal.daemon": ("http://h", "http://h"),
        "gateway.whatsapp.number_id": ("1", "1"),
        "gateway.whatsapp.token": ("t", "t"),
        "gateway.whatsapp.app_secret": ("s", "s"),
        "gateway.whatsapp.verify_token": ("v", "v"),
        "gateway.whatsapp.listen": ("h:1", "h:1"),
        "gateway.whatsapp.api": ("http://h", "http://h"),
    }
    assert list(values) == list(tree().every_key())
    for path, (text, value) in values.items():
        variable = "BATON_" + path.upper().replace(".", "__")
        for loaded in (desk.load(environ={variable: text}), desk.load(flags=[f"{path}={text}"])):
            found: object = loaded.settings
            for name in path.split("."):
                found = getattr(found, name)
            assert found == value
            assert type(found) is type(value)


def test_text_keys_keep_unquoted_words_and_numbers_as_text(desk):
    desk.user("agent:\n  auto_handoff_on_compression:\n    handoff_artifact_dir: no\n    prompt: 2024\n")
    auto = desk.load().settings.agent.auto_handoff_on_compression
    assert (auto.handoff_artifact_dir, auto.prompt) == ("no", "2024")


def test_block_text_and_quoted_text_are_read_as_written(desk):
    desk.user('model: "openai:gpt-5"\nagent:\n  auto_handoff_on_compression:\n    prompt: |\n      one\n\n      two\n')
    settings = desk.load().settings
    assert settings.model == "openai:gpt-5"
    assert settings.agent.auto_handoff_on_compression.prompt == "one\n\ntwo\n"


@pytest.mark.parametrize(
    "content", ["", "# only a comment\n", "---\n", "null\n", "~", "{}", "store:\nui: ~\n", "\ufeff"]
)
def test_a_file_without_keys_changes_nothing(desk, content):
    assert desk.user(content).load().settings == Settings()


def test_a_byte_order_mark_and_windows_line_ends_are_fine(desk):
    assert desk.user("\ufeffui:\r\n  color: never\r\n").load().settings.ui.color == "never"


def test_settings_cannot_be_changed_and_do_not_print_the_database_url(desk):
    loaded = desk.load(environ={"BATON_DATABASE_URL": "postgresql://u:hush@h/db"})
    with pytest.raises(AttributeError):
        loaded.settings.model = "a:b"  # pyright: ignore[reportAttributeAccessIssue]
    assert "hush" not in repr(loaded)


def test_load_here_takes_everything_from_the_process(desk, monkeypatch):
    desk.user("model: user:one")
    monkeypatch.setenv("BATON_HOME", str(desk.baton_home))
    monkeypatch.setenv("HOME", str(desk.home))
    monkeypatch.chdir(desk.work)
    desk.project("ui: {color: never}")
    loaded = load_here(["ui.pager=false"])
    assert loaded.settings == replace(Settings(), model="user:one", ui=UiSettings("never", False))


def test_load_here_says_so_when_the_current_directory_is_gone(desk, monkeypatch):
    gone = desk.work / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(BadConfig) as caught:
        load_here()
    assert caught.value.facts["problems"] == (
        "The current directory cannot be found (No such file or directory); change to one that exists."
    )


def unknown_home() -> Path:
    raise RuntimeError


def test_without_a_home_directory_baton_home_is_asked_for(desk, monkeypatch):
    monkeypatch.delenv("BATON_HOME", raising=False)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.setattr(Path, "home", unknown_home)
    monkeypatch.chdir(desk.work)
    with pytest.raises(BadConfig) as caught:
        load_here()
    assert caught.value.facts["problems"] == (
        "The home directory of this user is not known; set BATON_HOME to the absolute path of a directory."
    )


def test_without_a_home_directory_the_project_file_is_still_found(desk, monkeypatch):
    desk.project("ui: {color: never}")
    deep = desk.work / "deep"
    deep.mkdir()
    monkeypatch.setenv("BATON_HOME", str(desk.baton_home))
    monkeypatch.setattr(Path, "home", unknown_home)
    monkeypatch.chdir(deep)
    assert load_here().settings.ui.color == "never"


def test_loading_without_files_imports_neither_yaml_nor_other_seldom_used_modules(tmp_path):
    program = (
        "import sys; from pathlib import Path; import baton.config as c;"
        f"c.load(environ={{}}, cwd=Path({str(tmp_path)!r}), home=Path({str(tmp_path)!r}), flags=['ui.color=never']);"
        "print([m for m in ('yaml', 'difflib', 'json', 'baton.config.render', 'baton.config.render',"
        " 'baton.config.reference') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
