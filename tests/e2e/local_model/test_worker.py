"""The process of a local model: alone, quiet, mortal, and replaced."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from baton.adapters.models.local import model as module
from baton.adapters.models.local.catalogue import SMOLLM_135M
from baton.adapters.models.local.errors import WorkerStopped
from baton.adapters.models.local.model import KEEP_WARM, LocalModel, Tuning
from baton.adapters.models.local.process import WorkerProcess
from baton.adapters.models.local.pull import pull_in_thread
from baton.adapters.models.local.sources import find_sources
from baton.adapters.models.local.translate import request
from baton.core.agent.message import Prompt, UserMessage
from baton.core.errors import ModelUnavailable
from baton.ports.model import Finished, Piece, Reasoning, Text
from tests.support.package_index import DATA, PackageIndex, tiny
from tests.support.patience import PATIENCE

pytestmark = pytest.mark.timeout(300)
HELLO = Prompt("", (UserMessage("Say hello."),), max_output=8)
TALE = Prompt("", (UserMessage("Tell me a very long story."),), max_output=400)
PARENT = """
import asyncio, sys
from baton.adapters.models.local.catalogue import SMOLLM_135M
from baton.adapters.models.local.model import KEEP_WARM, LocalModel, Tuning
async def main():
    model = LocalModel(sys.argv[1], SMOLLM_135M, Tuning(window=512))
    await model.prepare()
    print(model.worker_pid, flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""


def small(directory: str, keep_warm: float = KEEP_WARM) -> LocalModel:
    return LocalModel(directory, SMOLLM_135M, Tuning(window=512, keep_warm=keep_warm))


async def said(model: LocalModel, prompt: Prompt = HELLO) -> list[Piece]:
    return [piece async for piece in model.stream(prompt)]


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except FileNotFoundError:
        return True


async def soon(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not true():
            await asyncio.sleep(0.02)


def test_a_killed_worker_is_a_typed_error_and_the_next_request_has_another(smollm: str) -> None:
    async def scene() -> None:
        model = small(smollm)
        try:
            stream = model.stream(TALE)
            while not isinstance(await anext(stream), Text):
                pass
            first = model.worker_pid or 0
            os.kill(first, signal.SIGKILL)
            with pytest.raises(WorkerStopped, match="killed") as stopped:
                _ = [piece async for piece in stream]
            assert isinstance(stopped.value, ModelUnavailable)
            assert stopped.value.retryable
            assert isinstance((await said(model))[-1], Finished)
            assert model.worker_pid != first
        finally:
            await model.close()

    asyncio.run(scene())


def test_a_worker_that_died_unused_is_replaced_without_a_word(smollm: str) -> None:
    async def scene() -> None:
        model = small(smollm)
        await model.prepare()
        pid = model.worker_pid or 0
        os.kill(pid, signal.SIGKILL)
        await soon(lambda: model.worker_pid is None)
        assert isinstance((await said(model))[-1], Finished)
        await model.close()

    asyncio.run(scene())


def test_the_worker_dies_with_its_parent(smollm: str) -> None:
    with subprocess.Popen([sys.executable, "-c", PARENT, smollm], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        worker = int(parent.stdout.readline())
        assert not gone(worker)
        parent.kill()
    asyncio.run(soon(lambda: gone(worker)))


def test_a_worker_ends_when_it_was_not_used_for_a_while_and_starts_again(smollm: str) -> None:
    async def scene() -> None:
        model = small(smollm, keep_warm=0.2)
        await said(model)
        first = model.worker_pid or 0
        await soon(lambda: gone(first))
        assert model.worker_pid is None
        assert isinstance((await said(model))[-1], Finished)
        await model.close()

    asyncio.run(scene())


def test_the_worker_opens_no_port_leaves_no_socket_and_says_nothing(smollm: str, tmp_path: Path) -> None:
    async def scene() -> None:
        path = os.path.join(smollm, SMOLLM_135M.file)
        worker = await WorkerProcess.start(SMOLLM_135M, path, window=512, threads=1)
        try:
            async for _ in worker.ask(request(HELLO)):
                pass
            assert _listening(worker.pid) == []
            assert os.listdir(tmp_path) == before
        finally:
            await worker.stop()
        assert list(worker._last_words) == []

    os.environ["TMPDIR"] = str(tmp_path)
    before = os.listdir(tmp_path)
    try:
        asyncio.run(scene())
    finally:
        del os.environ["TMPDIR"]


def _listening(pid: int) -> list[str]:
    """The TCP ports a process listens on."""
    inodes = {os.readlink(fd) for fd in Path(f"/proc/{pid}/fd").iterdir()}
    found: list[str] = []
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in inodes:
                found.append(fields[1])
    return found


def test_nothing_of_the_workspace_is_imported(smollm: str, isolated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", f".{os.pathsep}")
    for name in ("json.py", "baton.py", "xllamacpp.py", "sitecustomize.py"):
        (isolated / name).write_text("open('imported', 'w'); raise SystemExit(9)")

    async def scene() -> None:
        model = small(smollm)
        await model.prepare()
        await model.close()

    asyncio.run(scene())
    assert not (isolated / "imported").exists()


def test_what_is_no_model_is_refused_with_a_reason(index: PackageIndex, models: str) -> None:
    reports: list[tuple[int, int, float]] = []
    sources = find_sources(hub_url=index.hub, index_url=index.url)

    async def scene() -> None:
        model = LocalModel(models, tiny(), sources=sources, on_pull=lambda *report: reports.append(report))
        with pytest.raises(WorkerStopped, match="Failed to init server"):
            await model.prepare()
        await model.close()

    asyncio.run(scene())
    assert reports


def test_cancelling_a_pull_answers_at_once_and_the_next_one_goes_on(
    index: PackageIndex, models: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", index.hub)
    index.pause = 0.1
    begun = threading.Event()
    index.on_chunk = lambda sent: begun.set()

    async def scene() -> float:
        task = asyncio.create_task(pull_in_thread(tiny(), models, None, sources=find_sources(index_url=index.url)))
        await asyncio.to_thread(begun.wait, 20)
        start = time.monotonic()
        task.cancel()
        await asyncio.wait([task])
        took = time.monotonic() - start
        index.pause = 0
        assert (
            Path(await pull_in_thread(tiny(), models, None, sources=find_sources(index_url=index.url))).read_bytes()
            == DATA
        )
        return took

    assert asyncio.run(scene()) < 1


def test_slow_is_not_silent(smollm: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SIGN_OF_LIFE", 0.05)

    async def scene() -> list[Piece]:
        model = small(smollm)
        try:
            return await said(model)
        finally:
            await model.close()

    pieces = asyncio.run(scene())
    assert pieces[0] == Reasoning("")
    assert isinstance(pieces[-1], Finished)
