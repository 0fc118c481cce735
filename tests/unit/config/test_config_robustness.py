"""Whatever is in a file, a variable or a flag: settings or BadConfig, and only printable lines."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from baton.config import Loaded, load, yaml_source
from baton.config.problems import Problems
from baton.config.schema import tree
from baton.core.errors import BadConfig

names = st.sampled_from([part for path in tree().every_key() for part in path.split(".")]) | st.text(max_size=5)
scalars = st.sampled_from(
    ["", "null", "~", "true", "0", "1e5", ".nan", "a:b", "'", '"', "|", "&a", "*a", "!x", "\t", "\0"]
)
lines = st.builds(
    "{}{}: {}".format, st.sampled_from(["", "  ", "    ", "\t", "- "]), names, scalars | st.text(max_size=9)
)
documents = st.lists(lines, max_size=8).map("\n".join)


def outcome(content: bytes) -> Loaded | None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "config.yaml").write_bytes(content)
        return loaded(environ={"BATON_HOME": folder}, home=home)


def loaded(*, environ: dict[str, str], home: Path, flags: list[str] | None = None) -> Loaded | None:
    try:
        return load(environ=environ, cwd=home, home=home, flags=flags or [])
    except BadConfig as error:
        listed = str(error.facts["problems"]).split("\n")
    assert all(line and line.isprintable() for line in listed)
    return None


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_give_settings_or_bad_config(content):
    outcome(content)


@settings(deadline=None)
@given(documents | st.text(max_size=200))
def test_any_text_gives_settings_or_bad_config(content):
    outcome(content.encode())


@settings(deadline=None)
@given(documents | st.text(max_size=200))
def test_the_parser_without_libyaml_is_as_safe(content):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(yaml_source, "_parser", yaml.SafeLoader)
        outcome(content.encode())


@pytest.mark.parametrize(
    "content", ['model: "\\ud800"', 'model: "\\UFFFFFFFF"', "%YAML " + "9" * 5000, "[" * 5000, "- " * 5000]
)
def test_what_only_the_parser_without_libyaml_lets_through_is_refused(monkeypatch, content):
    monkeypatch.setattr(yaml_source, "_parser", yaml.SafeLoader)
    assert outcome(content.encode()) is None


surrogates = st.text(st.characters(exclude_categories=()), max_size=20)


@settings(deadline=None)
@given(
    st.sampled_from(sorted(key.variables[0] for key in tree().every_key().values())) | st.just("BATON_HOME"), surrogates
)
def test_any_value_of_a_variable_gives_settings_or_bad_config(name, value):
    loaded(environ={"BATON_HOME": "/nonexistent", name: value}, home=Path("/nonexistent"))


@settings(deadline=None)
@given(
    st.lists(
        st.builds(
            "{}{}{}".format,
            st.sampled_from(list(tree().every_key())) | surrogates,
            st.sampled_from(["=", ""]),
            surrogates,
        )
    )
)
def test_any_flags_give_settings_or_bad_config(flags):
    loaded(environ={"BATON_HOME": "/nonexistent"}, home=Path("/nonexistent"), flags=flags)


def test_a_problem_is_one_printable_line_whatever_it_quotes():
    problems = Problems()
    problems.add("{where}: {found}", where="/x\ny", found="\u202e\x1b\u2028{count}")
    with pytest.raises(BadConfig) as caught:
        problems.raise_any()
    assert caught.value.facts["problems"] == "/x\\ny: \\u202e\\x1b\\u2028{count}"
