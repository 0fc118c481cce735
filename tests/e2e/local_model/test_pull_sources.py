"""The hub, your mirror, the package index: whoever is asked, the model is the known one or is not there."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path

import pytest

from baton.adapters.models.local import pull as module
from baton.adapters.models.local.errors import PullFailed
from baton.adapters.models.local.pull import pull
from baton.adapters.models.local.sources import Sources, find_sources, plan_pull
from tests.support.package_index import DATA, PackageIndex, tiny

WEIGHTS = tiny()
CLOSED = "http://127.0.0.1:9"


@pytest.fixture
def mirror(index: PackageIndex) -> Iterator[PackageIndex]:
    """A mirror that has the model, beside a hub that does not."""
    with PackageIndex() as mirror:
        mirror.hub_bytes = DATA
        yield mirror


def only(hub: str, mirror: str) -> Sources:
    """No package index to fall back on."""
    return find_sources(mirror, hub_url=hub, index_url=f"{CLOSED}/simple")


def left(models: str) -> list[str]:
    """Files with something in them."""
    return sorted(path.name for path in Path(models).rglob("*") if path.is_file() and path.stat().st_size)


def test_the_mirror_is_asked_after_the_hub_and_before_the_index(
    index: PackageIndex, mirror: PackageIndex, models: str
) -> None:
    sources = find_sources(mirror.hub, hub_url=index.hub, index_url=index.url)
    assert Path(pull(WEIGHTS, models, sources=sources)).read_bytes() == DATA
    assert [path for path, _ in index.requests] == [f"/{WEIGHTS.hub}"]
    assert [path for path, _ in mirror.requests] == [f"/{WEIGHTS.hub}"]


def test_a_hub_that_has_the_model_leaves_the_mirror_alone(
    index: PackageIndex, mirror: PackageIndex, models: str
) -> None:
    index.hub_bytes = DATA
    pull(WEIGHTS, models, sources=only(index.hub, mirror.hub))
    assert mirror.requests == []


def test_a_mirror_in_a_directory_needs_no_network(models: str, tmp_path: Path, index: PackageIndex) -> None:
    file = tmp_path / "mirror" / WEIGHTS.hub
    file.parent.mkdir(parents=True)
    file.write_bytes(DATA)
    path = pull(WEIGHTS, models, sources=only(CLOSED, (tmp_path / "mirror").as_uri()))
    assert Path(path).read_bytes() == DATA


def test_what_the_hub_began_the_mirror_finishes(index: PackageIndex, mirror: PackageIndex, models: str) -> None:
    index.hub_bytes, index.cut, index.cuts = DATA, 300_000, 99
    index.ranges = False
    sources = only(index.hub, mirror.hub)
    assert Path(pull(WEIGHTS, models, sources=sources)).read_bytes() == DATA


def flipped(at: int) -> bytes:
    return DATA[:at] + bytes([DATA[at] ^ 1]) + DATA[at + 1 :]


LIES = {
    "first byte": flipped(0),
    "last byte": flipped(len(DATA) - 1),
    "middle": flipped(len(DATA) // 2),
    "empty": b"",
    "one byte": b"x",
    "short": DATA[:-1],
    "long": DATA + b"\0",
    "much longer": DATA * 3,
    "twice the half": DATA[: len(DATA) // 2] * 2,
    "a page": b"<html>Please log in</html>",
    "an older model": DATA[::-1],
}


@pytest.mark.parametrize("lie", LIES)
def test_a_mirror_that_lies_is_refused_and_nothing_of_it_is_kept(
    lie: str, index: PackageIndex, mirror: PackageIndex, models: str
) -> None:
    mirror.hub_bytes = LIES[lie]
    with pytest.raises(PullFailed, match="your mirror: "):
        pull(WEIGHTS, models, sources=only(index.hub, mirror.hub))
    assert left(models) == []


def test_after_a_lie_the_truth_of_another_source_is_taken(
    index: PackageIndex, mirror: PackageIndex, models: str
) -> None:
    mirror.hub_bytes = LIES["last byte"]
    sources = find_sources(mirror.hub, hub_url=index.hub, index_url=index.url)
    assert Path(pull(WEIGHTS, models, sources=sources)).read_bytes() == DATA


def test_a_true_half_with_a_false_rest_is_refused(index: PackageIndex, mirror: PackageIndex, models: str) -> None:
    index.hub_bytes, index.cut, index.cuts = DATA, 600_000, 1
    mirror.hub_bytes = LIES["last byte"]
    index.broken = 0
    original = index.answer

    def once(to: BaseHTTPRequestHandler, path: str) -> None:
        original(to, path)
        index.broken = 503

    index.answer = once  # type: ignore[method-assign]
    with pytest.raises(PullFailed):
        pull(WEIGHTS, models, sources=only(index.hub, mirror.hub))
    assert left(models) == []


def redirected(to: str) -> Callable[[BaseHTTPRequestHandler, str], None]:
    def answer(handler: BaseHTTPRequestHandler, _: str) -> None:
        handler.send_response(302)
        handler.send_header("Location", to)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


@pytest.mark.parametrize("to", ["file:///etc/passwd", "ftp://127.0.0.1/x", "data:text/plain,x", "/again"])
def test_a_redirect_leads_to_no_file_here_and_to_no_end(to: str, mirror: PackageIndex, models: str) -> None:
    mirror.answer = redirected(to)  # type: ignore[method-assign]
    with pytest.raises(PullFailed):
        pull(WEIGHTS, models, sources=only(CLOSED, mirror.hub))
    assert left(models) == []


def test_a_silent_mirror_is_left_soon(
    index: PackageIndex, mirror: PackageIndex, models: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "HUB_TIMEOUT", 0.2)
    mirror.answer = lambda to, path: time.sleep(1.5)  # type: ignore[method-assign]
    sources = find_sources(mirror.hub, hub_url=CLOSED, index_url=index.url)
    assert Path(pull(WEIGHTS, models, sources=sources)).read_bytes() == DATA


def test_offline_every_source_is_named_with_its_reason(models: str, index: PackageIndex) -> None:
    with pytest.raises(PullFailed, match=r"the hub: .*refused; your mirror: .*refused; the package index: .*refused"):
        pull(WEIGHTS, models, sources=only(CLOSED, CLOSED))


def test_a_file_that_changed_on_disk_after_a_cut_is_not_taken(
    index: PackageIndex, mirror: PackageIndex, models: str
) -> None:
    half = Path(models) / "tiny.pull" / "hub.partial"
    half.parent.mkdir(parents=True)
    half.write_bytes(b"?" * 500_000)
    assert Path(pull(WEIGHTS, models, sources=only(CLOSED, mirror.hub))).read_bytes() == DATA


def test_a_link_in_place_of_a_half_is_not_followed(mirror: PackageIndex, models: str, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    folder = Path(models) / "tiny.pull"
    folder.mkdir(parents=True)
    os.symlink(victim, folder / "hub.partial")
    with pytest.raises(PullFailed):
        pull(WEIGHTS, models, sources=only(CLOSED, mirror.hub))
    assert victim.read_bytes() == b"mine"


def test_a_plan_says_size_and_sources_and_asks_nobody(index: PackageIndex, models: str) -> None:
    sources = find_sources(
        index.hub.replace("://", "://me:secret@"), hub_url="https://hub.test/x", index_url="https://i.test/simple"
    )
    plan = plan_pull(WEIGHTS, models, sources)
    assert plan is not None
    assert (plan.bytes, plan.kept, plan.sha256) == (len(DATA), 0, WEIGHTS.sha256)
    assert plan.sources == ("hub.test", f"your mirror 127.0.0.1:{index.port}", "the package index i.test")
    assert "secret" not in repr(plan)
    assert index.requests == []
    assert not Path(models).exists()
    pull(WEIGHTS, models, sources=find_sources(hub_url=index.hub, index_url=index.url))
    assert plan_pull(WEIGHTS, models, sources) is None
