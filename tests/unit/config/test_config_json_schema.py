"""The schema for editors accepts and refuses what the loader accepts and refuses."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from baton.config import load
from baton.config.keys import Section
from baton.config.render import json_schema, to_json
from baton.config.schema import tree
from baton.core.errors import BadConfig

VALIDATOR = Draft202012Validator(json_schema())


def accepted(document: object) -> bool:
    """Whether the loader takes the document, written as JSON, which is YAML too."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "config.yaml").write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
        try:
            load(environ={"BATON_HOME": folder}, cwd=Path(folder), home=Path(folder))
        except BadConfig:
            return False
        return True


def nested(path: str, value: object) -> object:
    for name in reversed(path.split(".")):
        value = {name: value}
    return value


VALUES = [
    None, True, False, 0, 0.5,
    1, 2, 3.5, -1, 0.1, 599.99, 600, 601, 999, 1000, 36500, 36501, 10**9, 10**9 + 1, 10**30, "",
    " ", "true", "null", "no", "auto", "never", "fresh_process", "ask", "split", "off",
    "openai:gpt-5", "OpenAI:x", "a:", "a://x", "a b:c",
    "a:b c", "a" * 201, "x" * 20_001, ".baton/out", "..", "../x", "x/../y", "x/..", "x..y", "...", "/x", "~/x", ".git",
    "a/.git/b", ".gitx", "C:\\x", "a\nb", "a\tb", "a\x00b", "a\x1bb", "größe/日本", "postgresql://u:p@h:5/d?x=y",
    "postgres://h", "postgresql://", "mysql://h", "x.db", "/a b/x.db", "password=x", [], ["a"], {}, {"enabled": True},
    {"a": {"command": "x"}}, {"a": {"url": "http://x"}}, {"a": {"command": "x", "url": "http://x"}}, {"a": None},
    {"A": {"command": "x"}}, {"a": {}}, {"a": {"command": "./x"}}, {"a": {"command": "/x", "args": ["-y", ""]}},
    {"a": {"command": "x", "env": {"A": "${B}"}}}, {"a": {"command": "x", "env": {"A b": "c"}}},
    {"a": {"command": "x", "timeout": 0}}, {"a": {"url": "http://x", "headers": {"X-Y": "z\t"}}},
    "127.0.0.1:80", "h:123456", "https://x.org/y", "https://x.org/?q=1", "wss://x.org", "@a:x.org", "+15550100", "123",
    {"telegram": "777"}, {"icq": "777"}, {"work": "slack:C1"}, ["telegram:777"], ["icq:7"],
    {"a": {"url": "ftp://x"}}, {"a": {"command": "x", "zzz": 1}}, {"a": {"command": "x", "enabled": False}},
]  # fmt: skip


@pytest.mark.parametrize("path", [each.path for each in tree().walk()])
def test_schema_and_loader_agree_on_every_value_of_every_key(path):
    to_json = (bool, int, float)
    texts = tree().every_key().get(path)
    values = [
        each for each in VALUES if not (texts and texts.kind.name in ("text", "choice") and isinstance(each, to_json))
    ]
    taken = {repr(each): accepted(nested(path, each)) for each in values}
    assert taken == {repr(each): VALIDATOR.is_valid(nested(path, each)) for each in values}
    assert set(taken.values()) == {True, False}


@pytest.mark.parametrize("document", [None, {}, [], "x", 1, {"zzz": 1}, {"store": {"zzz": 1}}, {"store.url": "x"}])
def test_schema_and_loader_agree_on_whole_documents(document):
    assert accepted(document) == (document is None or VALIDATOR.is_valid(document))


def strategy(section: Section) -> st.SearchStrategy[object]:
    text = st.text(st.characters(min_codepoint=32, max_codepoint=0x24F, exclude_categories=["C", "Z"]), max_size=8)
    values = (
        st.none() | st.lists(st.just(1), max_size=1) | text | st.sampled_from([v for v in VALUES if type(v) is str])
    )
    children = {
        name: strategy(child)
        if isinstance(child, Section)
        else values | (st.nothing() if child.kind.name in ("text", "choice") else st.integers() | st.booleans())
        for name, child in section.children.items()
    }
    return st.fixed_dictionaries({}, optional=children) | st.none()


@settings(deadline=None)
@given(strategy(tree()))
def test_schema_and_loader_agree_on_random_documents(document):
    assert accepted(document) == VALIDATOR.is_valid(document)


def test_the_schema_is_valid_and_describes_every_key_with_its_default():
    Draft202012Validator.check_schema(json_schema())
    assert json.loads(json.dumps(json_schema())) == json_schema()
    for path, key in tree().every_key().items():
        node = json_schema()
        for name in path.split("."):
            node = node["properties"][name]
        assert node["description"].startswith(key.doc)
        assert node["default"] == to_json(key.default())
        assert Draft202012Validator(node).is_valid(node["default"])


def test_an_enumeration_and_a_nullable_key_look_like_this():
    properties = json_schema()["properties"]
    assert properties["ui"]["properties"]["color"] == {
        "description": "Whether the terminal output has colors. `auto` colors only what goes to a terminal.",
        "type": "string",
        "enum": ["auto", "always", "never"],
        "default": "auto",
    }
    assert properties["sessions"]["properties"]["retention_days"] == {
        "description": "How many days a conversation is kept after its last entry. Null keeps it forever."
        " Ignored in a project file.",
        "type": ["integer", "null"],
        "minimum": 1,
        "maximum": 36500,
        "default": None,
    }
