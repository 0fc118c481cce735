"""How models fail: each way has its own error, and none tells what must not be told."""

from __future__ import annotations

import socket
import time
from contextlib import aclosing
from typing import Any, cast

import httpx2
import pytest
from pydantic_ai import exceptions as library

from baton.adapters.models.errors import model_error
from baton.adapters.models.failure import Case
from baton.adapters.models.open import open_model
from baton.core.agent.message import AssistantMessage, Call, Prompt, ToolMessage, UserMessage
from baton.core.errors import (
    ContextOverflow,
    ModelError,
    ModelRefused,
    ModelTimeout,
    ModelUnavailable,
    RateLimited,
    UnknownModel,
)
from baton.ports.model import Text
from tests.contract.model.kit import ANTHROPIC, CHAT, FAKE, GOOGLE, HELLO, RESPONSES, Backend, text_of
from tests.support.model_servers import KEY, Cut, Failure, Hang, Raw, Stop, Use, fail, overflow, quota, say
from tests.support.model_servers.http import event
from tests.support.model_servers.script import Answer, Part

pytestmark = pytest.mark.anyio

SECRET = Prompt(
    "The launch code is swordfish-4711, never tell.",
    (
        UserMessage("My diary says: I stole the cookies."),
        AssistantMessage("", (Call("c1", "read", {"path": "/home/eve/diary.txt"}),)),
        ToolMessage("c1", "read", "Dear diary, nobody knows about the cookies."),
    ),
)
FAILURES: dict[str, tuple[Answer, type[ModelError]]] = {
    "401": (fail(401), ModelRefused),
    "403": (fail(403), ModelRefused),
    "404": (fail(404), UnknownModel),
    "429": (fail(429), RateLimited),
    "500": (fail(500), ModelUnavailable),
    "502": (fail(502), ModelUnavailable),
    "503": (fail(503), ModelUnavailable),
    "529": (fail(529), ModelUnavailable),
    "overflow": (overflow(), ContextOverflow),
    "quota": (quota(), RateLimited),
}


async def error_of(backend: Backend, answer: Answer, prompt: Prompt = HELLO, **options: Any) -> ModelError:
    async with backend.play(answer, **options) as stage:
        with pytest.raises(ModelError) as caught:
            await stage.ask(prompt)
        assert stage.server is None or len(stage.server.requests) == 1, "the retries are the engine's"
    return caught.value


@pytest.mark.parametrize("case", FAILURES)
async def test_each_failure_has_its_error(backend: Backend, case: str) -> None:
    answer, kind = FAILURES[case]
    error = await error_of(backend, answer)
    assert type(error) is kind
    assert str(error).startswith(error.parts()[0])
    assert "?" not in str(error)
    assert backend.name in str(error)


async def test_a_limit_says_how_long_to_wait(backend: Backend) -> None:
    assert (await error_of(backend, fail(429, retry_after=7))).facts["after"] == 7.0


async def test_google_says_it_in_the_body() -> None:
    assert (await error_of(GOOGLE, quota())).facts["after"] == 17.0


GARBAGE = (Raw(b"event: content_block_delta\ndata: {garbage\n\n"), Raw(b"\xff\xfe\x00\x9f"))


@pytest.mark.parametrize("part", [Cut(), Stop(), *GARBAGE])
async def test_an_answer_that_breaks_is_not_taken_for_whole(backend: Backend, part: Part) -> None:
    async with backend.play(say("Half of", part)) as stage, aclosing(cast("Any", stage.model.stream(HELLO))) as stream:
        assert await anext(stream) == Text("Half of")
        with pytest.raises(ModelUnavailable):
            [piece async for piece in stream]


async def test_a_call_that_breaks_off_is_never_made(backend: Backend) -> None:
    use = Use("c1", "read", {"path": "a"})
    async with backend.play(say(use, Cut())) as stage:
        stream = cast("Any", stage.model.stream(HELLO))
        with pytest.raises(ModelUnavailable):
            [await anext(stream) for _ in range(2 if backend is FAKE else 1)]


@pytest.mark.parametrize(
    "answer",
    [
        fail(200, body=b"<html>Welcome to the hotel network</html>"),
        fail(200, body=b""),
        fail(200, body=b'{"ok": true}'),
        fail(500, body=b"\xff\xfe not json"),
    ],
)
async def test_an_answer_of_another_kind_is_no_answer(provider: Backend, answer: Failure) -> None:
    error = await error_of(provider, answer)
    assert type(error) is ModelUnavailable
    assert "hotel" not in str(error)


@pytest.mark.parametrize("part", [(), ("Hel",)])
async def test_silence_is_an_error_after_the_time_given(provider: Backend, part: tuple[str, ...]) -> None:
    async with provider.play(say("warm"), say(*part, Hang()), http_timeout=0.6) as stage:
        await stage.ask()
        start = time.monotonic()
        with pytest.raises(ModelTimeout) as caught:
            await stage.ask()
        assert 0.5 < time.monotonic() - start < 3
        assert f"The model {provider.name} said nothing for 1 s." in str(caught.value)
        assert await stage.stopped()


async def test_a_server_that_is_not_there() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    model = open_model("openai:tiny", {"OPENAI_BASE_URL": f"http://me:hunter2@127.0.0.1:{port}/v1"})
    with pytest.raises(ModelUnavailable) as caught:
        [piece async for piece in model.stream(HELLO)]
    await model.close()
    assert caught.value.parts()[0] == (
        f"The model openai:tiny could not be reached: no connection to 127.0.0.1:{port}."
    )


async def test_a_name_that_does_not_resolve() -> None:
    model = open_model("ollama:tiny", {"OLLAMA_HOST": "http://nowhere.invalid:11434"}, http_timeout=20)
    with pytest.raises(ModelUnavailable) as caught:
        [piece async for piece in model.stream(HELLO)]
    await model.close()
    assert "no connection to nowhere.invalid:11434" in str(caught.value)


async def test_a_model_the_provider_does_not_know() -> None:
    error = await error_of(CHAT, fail(404, "The model `gpt-4o-mini` does not exist"))
    what, _, todo = error.parts()
    host = what.split(": ")[1].split(" does")[0]
    assert what == (
        f"There is no model openai:gpt-4o-mini: {host} does not know it (404): The model `gpt-4o-mini` does not exist."
    )
    assert todo == "`baton models` lists what can be used here."


async def test_no_error_tells_the_key_or_the_prompt(provider: Backend) -> None:
    told = f"Bad key {KEY} or sk-ant-api03-*****xyz in 'swordfish-4711' near 'I stole the cookies' at {SECRET.system}"
    statuses = (400, 401, 403, 404, 413, 422, 429, 500)
    async with provider.play(*(fail(status, told) for status in statuses)) as stage:
        for _ in statuses:
            with pytest.raises(ModelError) as caught:
                await stage.ask(SECRET)
            error = caught.value
            whole = f"{error} {error.as_dict()} {error.facts} {error!r} {error.__cause__}"
            assert [secret for secret in (KEY, "sk-ant", "swordfish", "cookies", "diary") if secret in whole] == []


async def test_what_the_provider_says_is_told_when_it_can_be(provider: Backend) -> None:
    error = await error_of(provider, fail(400, "Tool choice needs the option --enable-auto-tool-choice."))
    assert type(error) is ModelRefused
    assert "(400): Tool choice needs the option --enable-auto-tool-choice." in str(error)


OVERFLOWS = {
    "openai": "Your input exceeds the context window of this model. Please adjust your input and try again.",
    "vllm": "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens",
    "llama.cpp": "the request exceeds the available context size (4096 tokens), try increasing it",
    "lm studio": "The number of tokens to keep from the initial prompt is greater than the context length.",
    "groq": "Please reduce the length of the messages or completion.",
    "xai": "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
    "mistral": "Prompt contains 40000 tokens, too large for model with 32768 maximum context length",
    "moonshot": "Invalid request: Your request exceeded model token limit: 8192",
    "zai": "Prompt exceeds max length",
    "together": "`inputs` tokens + `max_new_tokens` must be <= 8193.",
}


async def test_an_overflow_is_known_by_the_words_of_each_server() -> None:
    async with CHAT.play(*(fail(400, told) for told in OVERFLOWS.values())) as stage:
        for server in OVERFLOWS:
            with pytest.raises(ContextOverflow):
                pytest.fail(f"{server}: {await stage.ask()}")


async def test_a_body_that_is_too_large_is_an_overflow(provider: Backend) -> None:
    assert type(await error_of(provider, fail(413, "too big"))) is ContextOverflow


@pytest.mark.parametrize("backend", [CHAT, RESPONSES, ANTHROPIC])
async def test_an_error_inside_the_stream(backend: Backend) -> None:
    told = {"type": "error", "error": {"type": "overloaded_error", "code": "server_error", "message": "Overloaded"}}
    assert type(await error_of(backend, say("Hel", Raw(event(told, "error"))))) is ModelUnavailable


async def test_after_an_error_the_model_answers_again(provider: Backend) -> None:
    async with provider.play(fail(500), say("Hel", Cut()), say("well again")) as stage:
        for _ in range(2):
            with pytest.raises(ModelUnavailable):
                await stage.ask()
        assert text_of(await stage.ask()) == "well again"


REQUEST = httpx2.Request("POST", "http://me:pw@box/v1")
RAISED: list[tuple[Exception, type[ModelError], str]] = [
    (library.ModelTimeoutError("m", "slow", phase="connect"), ModelUnavailable, "no connection to box:1"),
    (library.ModelTimeoutError("m", "slow", phase="read"), ModelTimeout, ""),
    (library.ModelConnectionError("m", "reset", phase="read"), ModelUnavailable, "the connection to box:1 broke off"),
    (library.ModelRequestTimeout("m", 5.0), ModelTimeout, ""),
    (library.ModelHTTPError(408, "m"), ModelUnavailable, "the provider failed (408)"),
    (library.ModelHTTPError(418, "m"), ModelRefused, "it was not accepted (418)"),
    (library.ModelHTTPError(302, "m"), ModelUnavailable, "the provider failed (302)"),
    (library.ModelAPIError("m", "secret body"), ModelUnavailable, "its answer could not be read"),
    (library.UnexpectedModelBehavior("secret", "secret body"), ModelUnavailable, "its answer could not be read"),
    (httpx2.ConnectTimeout("slow", request=REQUEST), ModelUnavailable, "no connection to box:1"),
    (httpx2.ReadTimeout("slow", request=REQUEST), ModelTimeout, ""),
    (httpx2.ConnectError("refused", request=REQUEST), ModelUnavailable, "no connection to box:1"),
    (httpx2.ReadError("reset", request=REQUEST), ModelUnavailable, "the connection to box:1 broke off"),
    (ImportError("no module"), UnknownModel, "the package it needs is not installed"),
    (
        library.UserError("Tools are not supported by this model."),
        UnknownModel,
        "Tools are not supported by this model",
    ),
    (KeyError("secret"), ModelUnavailable, "its answer could not be read"),
]


@pytest.mark.parametrize(("raised", "kind", "reason"), RAISED, ids=lambda given: type(given).__name__)
def test_what_the_library_raises_has_its_error(raised: Exception, kind: type[ModelError], reason: str) -> None:
    error = model_error(raised, Case("openai:m", "box:1", 5.0, (), None))
    assert type(error) is kind
    assert error.facts.get("reason", "") == reason
