"""The server that everything here is tested against: it must refuse what the real one refuses."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from tests.support.platforms.telegram import schema
from tests.support.platforms.telegram.rules import entity_faults
from tests.support.platforms.telegram.server import BotApi
from tests.support.platforms.telegram.world import TOKEN

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).resolve().parents[4]
needs_schema = pytest.mark.skipif(schema.schema() is None, reason="the published schema is not beside the project")


async def call(server: BotApi, method: str, **given: Any) -> tuple[int, dict[str, Any]]:
    async with (
        aiohttp.ClientSession() as session,
        session.post(
            f"{server.url}/bot{TOKEN}/{method}", data={key: str(value) for key, value in given.items()}
        ) as got,
    ):
        return got.status, await got.json()


@needs_schema
@pytest.mark.parametrize(
    ("method", "given", "fault"),
    [
        ("sendMessage", {"chat_id": 777}, "text is missing"),
        ("sendMessage", {"chat_id": 777, "text": "x", "nonce": 1}, "nonce is not in the schema"),
        ("sendMessage", {"chat_id": 777, "text": "x", "message_thread_id": "a"}, "Integer was expected"),
        ("sendMessage", {"chat_id": 777, "text": "x", "entities": '[{"type": "bold"}]'}, "offset is missing"),
        ("sendDocument", {"chat_id": 777, "document": "x", "caption_entities": "{}"}, "a list was expected"),
        ("sendNothing", {}, "no method"),
    ],
)
async def test_a_request_against_the_schema_is_a_violation(method: str, given: dict[str, Any], fault: str) -> None:
    async with BotApi() as server:
        status, body = await call(server, method, **given)
        assert (status, body["ok"]) == (400, False)
        assert any(fault in each for each in server.violations), server.violations


@needs_schema
@pytest.mark.parametrize(
    ("method", "result"),
    [
        ("getMe", {"id": 1, "first_name": "x"}),
        ("getMe", {"id": "1", "is_bot": True, "first_name": "x"}),
        ("getUpdates", [{"update_id": 1, "message": {"message_id": 1}}]),
        ("setMyCommands", "true"),
        ("getFile", {"file_id": "x", "file_unique_id": "u", "path": "y"}),
    ],
)
def test_an_answer_against_the_schema_is_a_fault(method: str, result: object) -> None:
    assert schema.answer_faults(method, result)


@pytest.mark.parametrize(
    ("text", "entities"),
    [
        ("ab", [("bold", 0, 3)]),
        ("ab", [("bold", 1, 0)]),
        ("😀", [("bold", 1, 1)]),
        ("abcd", [("bold", 0, 3), ("italic", 2, 2)]),
        ("abcd", [("bold", 0, 3), ("code", 1, 1)]),
        ("abcd", [("blockquote", 0, 4), ("blockquote", 1, 1)]),
        ("abcd", [("text_link", 0, 4)]),
    ],
)
def test_entities_against_the_rules_are_faults(text: str, entities: list[tuple[str, int, int]]) -> None:
    assert list(entity_faults(text, [{"type": kind, "offset": at, "length": n} for kind, at, n in entities]))


@pytest.mark.parametrize(
    ("method", "given", "reason"),
    [
        ("sendMessage", {"chat_id": 777, "text": " \n"}, "message text is empty"),
        ("sendMessage", {"chat_id": 777, "text": "😀" * 2049}, "message is too long"),
        ("sendMessage", {"chat_id": 1, "text": "x"}, "chat not found"),
        ("sendMessage", {"chat_id": 777, "text": "x", "message_thread_id": 1}, "message thread not found"),
        ("sendMessage", {"chat_id": 777, "text": "x", "parse_mode": "MarkdownV2"}, "can't parse entities"),
        (
            "sendMessage",
            {"chat_id": 777, "text": "x", "reply_markup": json.dumps(
                {"inline_keyboard": [[{"text": "a", "callback_data": "x" * 65}]]})},
            "BUTTON_DATA_INVALID",
        ),
        ("editMessageText", {"chat_id": 777, "message_id": 5, "text": "x"}, "message to edit not found"),
        ("createForumTopic", {"chat_id": -4001, "name": "x"}, "not a forum"),
        ("createForumTopic", {"chat_id": 777, "name": "x" * 129}, "TOPIC_TITLE_TOO_LONG"),
        ("setMyCommands", {"commands": '[{"command": "Bad-Name", "description": "x"}]'}, "BOT_COMMAND_INVALID"),
        ("answerCallbackQuery", {"callback_query_id": "1"}, "query is too old"),
    ],
)  # fmt: skip
async def test_what_the_real_server_refuses_is_refused(method: str, given: dict[str, Any], reason: str) -> None:
    async with BotApi() as server:
        status, body = await call(server, method, **given)
        assert status == 400
        assert reason in body["description"]
        assert server.world.sent == []


async def test_without_a_schema_the_rules_still_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "schema", lambda: None)
    async with BotApi() as server:
        status, body = await call(server, "sendMessage", chat_id=777, text="123")
        assert (status, body["result"]["text"]) == (200, "123")
        status, body = await call(server, "sendMessage", chat_id=777, text="x", message_thread_id=4)
        assert (status, body["description"]) == (400, "Bad Request: message thread not found")


async def test_the_server_runs_alone_and_is_driven_over_http() -> None:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.support.platforms.telegram", cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        told = json.loads(await process.stdout.readline())
        async with aiohttp.ClientSession() as session:
            await _drive(session, told)
    finally:
        process.send_signal(signal.SIGTERM)
        assert await process.wait() == 0
        process._transport.close()  # type: ignore[attr-defined]


async def _drive(session: aiohttp.ClientSession, told: dict[str, Any]) -> None:
    admin, room = told["admin"], told["room"]
    api = f"{told['settings']['api']}/bot{told['settings']['token']}"

    async def post(url: str, **given: Any) -> Any:
        async with session.post(url, json=given) as got:
            assert got.status == 200, await got.text()
            return await got.json()

    async def ask(method: str, **given: Any) -> tuple[int, Any]:
        async with session.post(f"{api}/{method}", data=given) as got:
            return got.status, await got.json()

    async def look(what: str) -> Any:
        async with session.get(f"{admin}/{what}", params={"place": room}) as got:
            return await got.json()

    said = (await post(f"{admin}/says", place=room, text="hello", sender=told["owner"]))["id"]
    await ask("deleteWebhook")
    _, got = await ask("getUpdates")
    (update,) = got["result"]
    assert f"777:{update['message']['message_id']}" == said
    await ask("getUpdates", offset=update["update_id"] + 1)
    assert (await ask("getUpdates"))[1]["result"] == []
    await post(f"{admin}/redeliver", id=said)
    assert (await ask("getUpdates"))[1]["result"] == [update]
    await post(f"{admin}/limit", times=1, after=3)
    await post(f"{admin}/fail", times=1)
    statuses = [(await ask("sendMessage", chat_id=777, text="x"))[0] for _ in range(3)]
    assert statuses == [429, 500, 200]
    await post(f"{admin}/swallow", times=1)
    hanging = asyncio.create_task(ask("sendMessage", chat_id=777, text="y"))
    while (await look("texts"))["texts"] != ["x", "y"]:
        assert not hanging.done()
    hanging.cancel()
    await post(f"{admin}/cut")
    with pytest.raises(aiohttp.ClientError):
        await ask("getUpdates")
    await post(f"{admin}/restore")
    await ask("sendChatAction", chat_id=777, action="typing")
    assert (await look("texts"))["texts"] == ["x", "y"]
    assert await look("typed") == {"times": 1}
    assert await look("violations") == {"violations": []}
