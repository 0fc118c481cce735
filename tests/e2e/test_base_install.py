"""Baton without extras is a whole agent: chat, scripts, editors, API. Whatever else is asked for names its line.

The packages that only extras bring are hidden from the processes here, as if they were not installed.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from baton.config.extras import EXTRAS, install_line
from tests.support.model_servers import AnthropicServer, GoogleServer, ModelServer, OpenAIServer, say
from tests.support.patience import PATIENCE

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
PARTS: Mapping[str, list[str]] = PROJECT["optional-dependencies"]
MOST_PACKAGES = 45

pytestmark = pytest.mark.timeout(240)


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def closure(roots: list[str]) -> set[str]:
    """Every package that `roots` need on this machine, by its normal name."""
    found: set[tuple[str, frozenset[str]]] = set()
    todo = [Requirement(each) for each in roots]
    while todo:
        wanted = todo.pop()
        if wanted.name == PROJECT["name"]:
            todo += [Requirement(each) for extra in wanted.extras for each in PARTS[extra]]
            continue
        this = (canonicalize_name(wanted.name), frozenset(wanted.extras))
        if this in found:
            continue
        found.add(this)
        for each in map(Requirement, metadata.requires(wanted.name) or ()):
            if each.marker is None or any(
                each.marker.evaluate({**default_environment(), "extra": extra}) for extra in ("", *wanted.extras)
            ):
                todo.append(each)
    return {name for name, _ in found}


@pytest.fixture(scope="module")
def hidden(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A directory for PYTHONPATH that hides every module which only a package outside the base brings."""
    base = closure(PROJECT["dependencies"])
    brought = {
        module: {canonicalize_name(name) for name in names}
        for module, names in metadata.packages_distributions().items()
    }
    foreign = sorted(module for module, names in brought.items() if not names & (base | {"baton-agent", "pip"}))
    assert {"telegram", "discord", "nio", "slack_sdk", "psycopg", "xllamacpp", "pydantic_ai"} <= set(foreign)
    directory = tmp_path_factory.mktemp("hidden")
    code = f"import sys\nfor name in {foreign!r}:\n    sys.modules[name] = None\n"
    (directory / "sitecustomize.py").write_text(code)
    return str(directory)


def baton(hidden: str, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    given = {**os.environ, "PYTHONPATH": hidden, **environ}
    command = [sys.executable, "-m", "baton", *arguments]
    done = subprocess.run(
        command, env=given, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert "Traceback" not in done.stderr
    return done


async def in_thread(hidden: str, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return await asyncio.to_thread(baton, hidden, *arguments, **environ)


def test_the_base_is_small() -> None:
    assert len(closure(PROJECT["dependencies"])) + 1 <= MOST_PACKAGES


def test_every_part_has_a_line_of_the_table_and_every_line_a_part() -> None:
    groups = {"gateway", "all", "dev"}
    assert EXTRAS.keys() == PARTS.keys() - groups
    everything = {canonicalize_name(Requirement(each).name) for name in EXTRAS for each in PARTS[name]}
    assert everything <= closure(PARTS["all"])


def test_the_package_leaves_room_and_the_locks_do_not() -> None:
    given = [Requirement(each) for name, part in PARTS.items() if name != "dev" for each in part]
    given += [Requirement(each) for each in PROJECT["dependencies"]]
    for each in given:
        if each.name != PROJECT["name"]:
            assert re.fullmatch(r"<[\d.]+,>=[\d.]+", str(each.specifier)), each


@pytest.mark.anyio
@pytest.mark.usefixtures("warm_home")
@pytest.mark.parametrize(
    ("server", "model"),
    [
        (OpenAIServer, "openai-chat:gpt-x"),
        (OpenAIServer, "openai-responses:gpt-6.1-sol"),
        (AnthropicServer, "anthropic:claude-x"),
        (GoogleServer, "google:gemini-3.8-flash"),
    ],
)
async def test_a_script_is_answered_without_any_extra(
    server: type[ModelServer], model: str, hidden: str, isolated: Path
) -> None:
    async with server([say("Fix the race.")]) as running:
        done = await in_thread(hidden, "run", "-m", model, "what now?", **running.environ)
    assert (done.returncode, done.stdout) == (0, "Fix the race.\n"), done.stderr


def test_what_people_look_at_first_works_without_any_extra(hidden: str, isolated: Path) -> None:
    for words in (["--version"], ["sessions", "list"], ["models"], ["config", "show"], ["doctor"], ["--help"]):
        done = baton(hidden, *words)
        assert done.returncode in (0, 1), done.stderr
        assert done.stdout or done.stderr, words
    assert install_line("local").split("'")[1] in baton(hidden, "models").stdout


def test_chat_editor_and_api_import_nothing_of_an_extra(hidden: str) -> None:
    code = "import baton.wiring.tui, baton.wiring.acp, baton.wiring.gateway, baton.surfaces.api.app"
    given = {**os.environ, "PYTHONPATH": hidden}
    done = subprocess.run([sys.executable, "-c", code], env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


PLATFORMS = {
    "telegram": {"BATON_TELEGRAM_TOKEN": "123456:abc"},
    "discord": {"BATON_DISCORD_TOKEN": "abc"},
    "slack": {"BATON_SLACK_BOT_TOKEN": "xoxb-1", "BATON_SLACK_APP_TOKEN": "xapp-1"},
    "matrix": {"BATON_MATRIX_USER": "@b:example.org", "BATON_MATRIX_PASSWORD": "x"},
}


@pytest.mark.parametrize("name", PLATFORMS)
def test_a_platform_without_its_part_names_the_line_and_hosts_nothing(name: str, hidden: str, isolated: Path) -> None:
    done = baton(hidden, "gateway", **PLATFORMS[name])
    assert done.returncode == 1
    assert f"needs a part of Baton that is not installed.\n  Install it: {install_line(name)}" in done.stderr


@pytest.mark.parametrize(
    ("name", "words", "environ"),
    [
        ("local", ["run", "hello"], {}),
        ("local", ["model", "pull"], {}),
        ("postgres", ["sessions", "list"], {"BATON_DATABASE_URL": "postgresql://localhost/x"}),
    ],
)
def test_what_is_missing_names_its_line(
    name: str, words: list[str], environ: dict[str, str], hidden: str, isolated: Path
) -> None:
    done = baton(hidden, *words, **environ)
    assert done.returncode == 1
    assert f"Install it: {install_line(name)}" in done.stderr
