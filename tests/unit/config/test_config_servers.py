"""MCP servers in the configuration: read whole, refused with the exact place, never shown with a secret."""

from __future__ import annotations

import json

import pytest

from baton.config.render import rows, to_dict
from baton.config.tool_settings import McpServerSettings

GOOD = """\
tools:
  mcp_servers:
    github:
      command: npx
      args: [-y, server-github, --token=hush, --key, hush, --flag]
      env:
        GITHUB_TOKEN: ${GITHUB_TOKEN}
        OTHER: hush
        PORT: 8080
      timeout: 30
    docs:
      url: https://user:hush@docs.example.org/mcp
      headers: {Authorization: "Bearer ${DOCS_TOKEN}", X-Key: hush}
      enabled: false
"""
KEYS = "command, args, env, cwd, url, headers, timeout, trusted_read, enabled"
ONE = "command or url, and not both"
BASE = "tools.mcp_servers"
HIDDEN = "a value that is not shown"
VARIABLES = "names of variables with a line of text each (at most 100)"


def test_servers_are_read_whole(desk):
    assert desk.user(GOOD).load().settings.tools.mcp_servers == {
        "github": McpServerSettings(
            command="npx",
            args=("-y", "server-github", "--token=hush", "--key", "hush", "--flag"),
            env={"GITHUB_TOKEN": "${GITHUB_TOKEN}", "OTHER": "hush", "PORT": "8080"},
            timeout=30.0,
        ),
        "docs": McpServerSettings(
            url="https://user:hush@docs.example.org/mcp",
            headers={"Authorization": "Bearer ${DOCS_TOKEN}", "X-Key": "hush"},
            enabled=False,
        ),
    }


def test_no_secret_is_shown(desk):
    loaded = desk.user(GOOD).load()
    shown = to_dict(loaded)["settings"]["tools"]["mcp_servers"]
    assert shown == {
        "github": {
            "command": "npx",
            "args": ["-y", "server-github", "--token=***", "--key", "***", "--flag"],
            "env": {"GITHUB_TOKEN": "${GITHUB_TOKEN}", "OTHER": "***", "PORT": "***"},
            "timeout": 30.0,
        },
        "docs": {
            "url": "https://user:***@docs.example.org/mcp",
            "headers": {"Authorization": "Bearer ${DOCS_TOKEN}", "X-Key": "***"},
            "enabled": False,
        },
    }
    (row,) = [row for row in rows(loaded) if row.key == BASE]
    assert json.loads(row.value) == shown
    assert "hush" not in repr(loaded.settings.tools.mcp_servers["docs"])


WRONG = [
    ("x: {}", f"{BASE}.x: found neither; allowed: {ONE}."),
    ("x: {command: a, url: 'http://h'}", f"{BASE}.x: found command and url; allowed: {ONE}."),
    ("x: 5", f"{BASE}.x: found 5; allowed: the keys {KEYS}."),
    ("x: {command: ./evil}", f"{BASE}.x.command: found ./evil; allowed: the name of a program, or its absolute path "
     "(at most 1000 characters)."),
    ("x: {command: a, args: no}", f"{BASE}.x.args: found no; allowed: a list of texts (at most 200)."),
    ("x: {command: a, env: {'A B': hush}}", f"{BASE}.x.env: found {HIDDEN}; allowed: {VARIABLES}."),
    ("x: {command: a, env: hush}", f"{BASE}.x.env: found {HIDDEN}; allowed: {VARIABLES}."),
    ("x: {url: 'ftp://u:hush@h'}", f"{BASE}.x.url: found a value that is not shown; allowed: an http or https address "
     "(at most 2000 characters)."),
    ("x: {command: a, timeout: 0}", f"{BASE}.x.timeout: found 0; allowed: a number of seconds from 1 to 3600."),
    ("x: {comand: a}", None),
    ("x: {command: a}\n    x: {command: b}", f"{BASE}.x is given a second time; the first is on line 3."),
]  # fmt: skip


@pytest.mark.parametrize(("content", "problem"), WRONG)
def test_a_wrong_server_names_place_key_and_what_is_allowed(desk, content, problem):
    found = desk.user(f"tools:\n  mcp_servers:\n    {content}\n").problems()
    if problem is None:
        problem = f"there is no key {BASE}.x.comand; the nearest is {BASE}.x.command."
    line = 4 if "\n" in content else 3
    assert found == [f"USER:{line}: {problem}"]


def test_a_name_that_no_tool_could_carry_is_refused(desk):
    (problem,) = desk.user("tools:\n  mcp_servers:\n    Git__Hub: {command: a}\n").problems()
    assert problem.startswith(f'USER:3: {BASE}: found "Git__Hub"; allowed: names (up to 31 lower-case letters')


@pytest.mark.parametrize("text", ["", "[]", "5", "{", '{"x": {"command": ""}}'])
def test_a_variable_that_is_no_table_is_named(desk, text):
    problems = desk.problems(environ={"BATON_TOOLS__MCP_SERVERS": text})
    assert all(problem.startswith("BATON_TOOLS__MCP_SERVERS") for problem in problems)
