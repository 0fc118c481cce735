from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest

from baton.wiring.redaction import UNCLEAN, clean_logs

LOG = logging.getLogger("baton.test")


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    logger = logging.getLogger("baton")
    before = logger.handlers[:], logger.propagate
    yield
    logger.handlers[:], logger.propagate = before


def test_secrets_and_escapes_stay_out_of_the_log_also_in_tracebacks(capsys: pytest.CaptureFixture[str]) -> None:
    clean_logs(lambda text: text.replace("hunter2", "[redacted: password]"))
    try:
        raise ValueError("refused: hunter2\x1b]0;title\x07")
    except ValueError:
        LOG.exception("login as %s", "hunter2")
    logged = capsys.readouterr().err
    assert "hunter2" not in logged
    assert "\x1b" not in logged
    assert logged.count("[redacted: password]") >= 2


def test_what_cannot_be_cleaned_is_not_logged(capsys: pytest.CaptureFixture[str]) -> None:
    def broken(text: str) -> str:
        raise RuntimeError(text)

    clean_logs(broken)
    LOG.error("hunter2")
    assert capsys.readouterr().err == f"{UNCLEAN}\n"


def test_lines_are_bounded(capsys: pytest.CaptureFixture[str]) -> None:
    clean_logs(str)
    LOG.error("x" * 100_000)
    assert len(capsys.readouterr().err) <= 4001
