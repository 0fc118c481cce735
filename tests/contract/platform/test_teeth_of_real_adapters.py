"""Defects put into the real adapters, each by one line: the suite notices them on the platforms' own stages."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

import pytest

from baton.adapters.platforms.markup.spans import Spans
from baton.adapters.platforms.telegram.place import place as telegram_place
from tests.contract.platform import receiving, sending, trouble
from tests.contract.platform.kit import CannotBeChecked, load
from tests.contract.platform.perform import checked

CHECKS = {**receiving.CHECKS, **sending.CHECKS, **trouble.CHECKS}
ADAPTERS = "baton.adapters.platforms"

_numbers = count(1)


def _never_the_same(*_: object) -> str:
    return f"key-{next(_numbers)}"


DEFECTS: dict[str, tuple[str, str, str, Callable[..., object]]] = {
    "marks sent as text": ("telegram", "markup", "telegram.entities.to_spans", lambda text: Spans(text, ())),
    "counted in characters": ("telegram", "brim", "telegram.entities.utf16", len),
    "topic ignored": ("telegram", "thread_key", "telegram.inbound.place", lambda chat, _: telegram_place(chat)),
    "no nonce": ("discord", "crash_retry", "discord.sender.nonce", _never_the_same),
    "no metadata": ("slack", "once", "slack.platform.marked", lambda _: {}),
    "a new transaction each time": ("matrix", "once", "matrix.content.transaction", _never_the_same),
    "signature not checked": ("whatsapp", "forged", "whatsapp.webhook.is_signed", lambda *_: True),
    "styles lost": ("signal", "markup", "signal.styles.to_spans", lambda text, **_: Spans(text, ())),
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
@pytest.mark.parametrize("defect", DEFECTS)
async def test_a_defect_is_noticed(
    defect: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    name, check, target, instead = DEFECTS[defect]
    stage = load(name)()
    monkeypatch.setattr(f"{ADAPTERS}.{target}", instead)
    with pytest.raises((Exception, pytest.fail.Exception)) as noticed:
        await checked(stage, CHECKS[check], caplog)
    assert not isinstance(noticed.value, (CannotBeChecked, AttributeError, TypeError, ImportError)), noticed.value
