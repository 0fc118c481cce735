"""One redactor for all: compiling its rules takes a second."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton.adapters.redaction.known_values import KnownValues
from baton.adapters.redaction.prefilter import Re2Prefilter
from baton.adapters.redaction.redactor import LayeredRedactor, layers, open_redactor
from baton.adapters.redaction.scanner import Scanner
from baton.ports.redactor import Redactor


@pytest.fixture(scope="session")
def cache_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rules")


@pytest.fixture(scope="session")
def redactor(cache_dir: Path) -> Redactor:
    return open_redactor(str(cache_dir), {}, [], str(cache_dir))


@pytest.fixture(scope="session")
def without_hyperscan() -> Redactor:
    return LayeredRedactor(Scanner(layers(), Re2Prefilter), KnownValues({}))
