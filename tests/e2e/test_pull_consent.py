"""Before the first byte of a model: a terminal asks, a script is told."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from tests.support.package_index import PackageIndex
from tests.support.patience import PATIENCE

pytestmark = [pytest.mark.timeout(240), pytest.mark.usefixtures("warm_home")]
LIE = b"these are no weights"
TOLD = "98.4 MB would be fetched from 127.0.0.1:{port}"
RUN = ("run", "--model", "local:smollm2-135m", "hello")
PULL = ("model", "pull", "smollm2-135m")


@pytest.fixture
def hub(isolated: Path) -> Iterator[PackageIndex]:
    """A hub whose files are wrong, so that nothing large is ever fetched; it keeps who asked for what."""
    with PackageIndex() as hub:
        hub.answer = lambda to, path: hub._reply(to, 200, LIE)  # type: ignore[method-assign]
        yield hub


def environ(hub: PackageIndex) -> dict[str, str]:
    given = {"HF_ENDPOINT": hub.hub, "PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "NO_PROXY": "127.0.0.1"}
    keys = ("ANTHROPIC_API_KEY", "OPENAI_API_KEY")
    return {**{name: text for name, text in os.environ.items() if name not in keys}, **given}


def at_terminal(hub: PackageIndex, typed: bytes, *arguments: str) -> tuple[int, str]:
    """What is seen when the question is answered with `typed`, and no byte was asked for before."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "baton", *arguments],
        env=environ(hub),
        stdin=theirs,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    seen, deadline = b"", time.monotonic() + PATIENCE
    try:
        while b"[Y/n]" not in seen:
            assert time.monotonic() < deadline, seen
            if select.select([ours], [], [], 0.2)[0]:
                seen += os.read(ours, 4096)
        assert hub.requests == []
        os.write(ours, typed)
        while process.poll() is None:
            assert time.monotonic() < deadline, seen
            if select.select([ours], [], [], 0.1)[0]:
                try:
                    seen += os.read(ours, 4096)
                except OSError:
                    break
    finally:
        process.kill()
        code = process.wait()
        os.close(ours)
    return code, seen.decode()


@pytest.mark.parametrize("arguments", [PULL, RUN], ids=["model pull", "run"])
@pytest.mark.parametrize(("typed", "asked"), [(b"\n", True), (b"n\n", False), (b"\x04", False)])
def test_a_terminal_asks_and_enter_is_yes(
    hub: PackageIndex, typed: bytes, asked: bool, arguments: tuple[str, ...]
) -> None:
    code, seen = at_terminal(hub, typed, *arguments)
    assert TOLD.format(port=hub.port) in " ".join(seen.split())
    assert bool(hub.requests) is asked
    assert code != 0


@pytest.mark.parametrize("arguments", [PULL, RUN, (*RUN, "--json")], ids=["model pull", "run", "run --json"])
def test_a_script_is_told_on_standard_error_before_the_first_byte_and_proceeds(
    hub: PackageIndex, arguments: tuple[str, ...]
) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "baton", *arguments],
        env=environ(hub),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert TOLD.format(port=hub.port) in done.stderr
    assert "b179c9523d0e6a0f" in done.stderr
    assert "Licence: Apache-2.0" in done.stderr
    assert [path for path, _ in hub.requests] != []
    assert done.returncode != 0
    assert "sha256" in done.stdout + done.stderr.partition("Licence")[2]
    assert not list(Path(os.environ["BATON_HOME"]).rglob("*.gguf"))


def test_what_is_told_is_told_before_the_hub_is_asked(hub: PackageIndex) -> None:
    told, in_time = threading.Event(), []

    def answer(to: BaseHTTPRequestHandler, _: str) -> None:
        in_time.append(told.wait(PATIENCE / 4))
        hub._reply(to, 200, LIE)

    hub.answer = answer  # type: ignore[method-assign]
    command = [sys.executable, "-m", "baton", *PULL]
    with subprocess.Popen(command, env=environ(hub), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        assert TOLD.format(port=hub.port) in process.stderr.readline().decode()
        told.set()
    assert in_time == [True]


def test_a_project_file_names_no_mirror(hub: PackageIndex, isolated: Path) -> None:
    (isolated / ".baton").mkdir()
    (isolated / ".baton" / "config.yaml").write_text(f"local_model:\n  mirror: {hub.hub}\n")
    nowhere = {**environ(hub), "HF_ENDPOINT": "http://127.0.0.1:9"}
    command = [sys.executable, "-m", "baton", *PULL]
    done = subprocess.run(
        command, env=nowhere, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode != 0
    assert "mirror" not in done.stderr.partition("Licence")[0]
    assert hub.requests == []
