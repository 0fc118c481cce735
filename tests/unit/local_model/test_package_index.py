"""The package index a person set up for pip is the one that is used."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from baton.adapters.models.local import package_index as module
from baton.adapters.models.local.package_index import PUBLIC_INDEX, pip_config


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of this machine's own configuration."""
    monkeypatch.setattr(module, "_SYSTEM", ())


def conf(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.usefixtures("bare")
def test_nothing_set_means_the_public_index() -> None:
    found = pip_config({})
    assert (found.indexes, found.proxy, found.certificates) == ((PUBLIC_INDEX,), "", "")


@pytest.mark.usefixtures("bare")
def test_later_files_and_then_variables_win(tmp_path: Path) -> None:
    home = Path(os.environ["HOME"])
    conf(home / ".pip" / "pip.conf", "[global]\nindex-url = http://old/simple\nproxy = http://p:1\n")
    assert pip_config({}).indexes == ("http://old/simple",)
    conf(home / ".config" / "pip" / "pip.conf", "[global]\nindex_url = http://user/simple\n[install]\ncert = /c.pem\n")
    found = pip_config({})
    assert (found.indexes, found.proxy, found.certificates) == (("http://user/simple",), "http://p:1", "/c.pem")
    named = tmp_path / "named.conf"
    conf(named, "[global]\nextra-index-url =\n  http://a/simple\n  http://b/simple\n")
    found = pip_config({"PIP_CONFIG_FILE": str(named), "PIP_INDEX_URL": "http://env/simple"})
    assert found.indexes == ("http://env/simple", "http://a/simple", "http://b/simple")


@pytest.mark.usefixtures("bare")
def test_pip_can_be_told_to_read_no_files_and_use_no_index() -> None:
    conf(Path(os.environ["HOME"]) / ".pip" / "pip.conf", "[global]\nindex-url = http://old/simple\n")
    assert pip_config({"PIP_CONFIG_FILE": os.devnull}).indexes == (PUBLIC_INDEX,)
    assert pip_config({"PIP_NO_INDEX": "1"}).indexes == ()


@pytest.mark.usefixtures("bare")
@pytest.mark.parametrize("text", ["not a section", "[global]\nindex-url", "\xff"])
def test_a_file_that_cannot_be_read_is_passed_over(text: str) -> None:
    path = Path(os.environ["HOME"]) / ".pip" / "pip.conf"
    path.parent.mkdir()
    path.write_text(text, encoding="latin-1")
    assert pip_config({}).indexes == (PUBLIC_INDEX,)


@pytest.mark.usefixtures("bare")
def test_certificates_of_requests_count_where_pip_has_none() -> None:
    assert pip_config({"REQUESTS_CA_BUNDLE": "/r.pem"}).certificates == "/r.pem"
    assert pip_config({"REQUESTS_CA_BUNDLE": "/r.pem", "PIP_CERT": "/p.pem"}).certificates == "/p.pem"
