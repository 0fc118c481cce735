"""Defects put into the real adapters, each by one line: the suite notices them on the platforms' own stages."""

from __future__ import annotations

import re
from itertools import count
from typing import Any

import pytest

from baton.adapters.platforms.markup.spans import Spans
from baton.adapters.platforms.signal.inbound import _words as signal_words
from baton.adapters.platforms.slack.inbound import translate_message as slack_message
from baton.adapters.platforms.telegram.place import place as telegram_place
from baton.ports.platform import Outgoing
from tests.contract.platform import receiving, sending, trouble, untrusted
from tests.contract.platform.kit import CannotBeChecked, load
from tests.contract.platform.perform import checked

CHECKS = {**receiving.CHECKS, **sending.CHECKS, **trouble.CHECKS, **untrusted.CHECKS}
ADAPTERS = "baton.adapters.platforms"

_numbers = count(1)


def _shares_it(said: Any, *given: Any) -> object:
    shared = [each["text"] for each in said.get("attachments", [])]
    return slack_message({**said, "text": "\n".join([said.get("text", ""), *shared])}, *given)


def _quotes_it(data: Any, account: str) -> str:
    return f"{data.get('quote', {}).get('text', '')}\n{signal_words(data, account)}".strip()


def _calls_the_owner(message: Outgoing) -> object:
    return {"message": message.text, "mentions": ["0:1:11111111-aaaa-4aaa-8aaa-111111111111"]}


def _never_the_same(*_: object) -> str:
    return f"key-{next(_numbers)}"


DEFECTS: dict[str, tuple[str, str, str, object]] = {
    "marks sent as text": ("telegram", "markup", "telegram.entities.to_spans", lambda text: Spans(text, ())),
    "counted in characters": ("telegram", "brim", "telegram.entities.utf16", len),
    "topic ignored": ("telegram", "thread_key", "telegram.inbound.place", lambda chat, _: telegram_place(chat)),
    "no nonce": ("discord", "crash_retry", "discord.outbound.nonce", _never_the_same),
    "no metadata": ("slack", "once", "slack.platform.mark_with_key", lambda _: {}),
    "a new transaction each time": ("matrix", "once", "matrix.platform.transaction_id", _never_the_same),
    "signature not checked": ("whatsapp", "forged", "whatsapp.webhook.is_signed", lambda *_: True),
    "a shared message read along": ("slack", "quoted", "slack.inbound.translate_message", _shares_it),
    "a forward read along": ("slack", "forwarded", "slack.inbound.translate_message", _shares_it),
    "a quotation read along": ("signal", "quoted", "signal.inbound._words", _quotes_it),
    "a quotation not cut off": ("matrix", "quoted", "matrix.inbound._FALLBACK", re.compile("(?!)")),
    "a forward taken for speech": ("telegram", "forwarded", "telegram.inbound._words", lambda it, _: it.text("text")),
    "names left as they are": ("telegram", "mentions", "telegram.entities.without_mentions", lambda found: found),
    "references left as they are": ("slack", "mentions", "slack.outbound.without_mentions", lambda markdown: markdown),
    "everybody allowed to be called": (
        "discord",
        "mentions",
        "discord.outbound.render_edit",
        lambda message: {"content": message.text, "allowed_mentions": {"parse": ["everyone"]}},
    ),
    "mentions left to the server": (
        "matrix",
        "mentions",
        "matrix.platform.render_text",
        lambda markdown: {"msgtype": "m.text", "body": markdown},
    ),
    "a mention of its own": ("signal", "mentions", "signal.platform.render_message", _calls_the_owner),
    "styles lost": ("signal", "markup", "signal.outbound.to_spans", lambda text, **_: Spans(text, ())),
}


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
