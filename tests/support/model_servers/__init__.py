"""Model providers on the loopback, for tests: each speaks one protocol, strictly, and says what a test wrote.

    async with OpenAIServer([say("Hello"), fail(429, retry_after=2)]) as server:
        model = open_model("openai:gpt-4o-mini", server.environ)
        ...
        server.requests[0].body["messages"]     # what reached the wire

A script is a list of replies, the last of which is repeated, or a function from the `Request` to a reply:

    say("Hel", "lo")                    text, in two pieces
    say(Think("hmm"), "Hi", Wait(0.5), " there", usage=Tokens(10, 5, 2), stop="length")
    say(Use("c1", "read", {"path": "a"}, fragments=5), Use("c2", "list", {}))     tool calls
    say("Hel", Hang())                  nothing more comes, until the client hangs up
    say("Hel", Cut())                   the connection is cut
    say("Hel", Stop())                  the body ends in order, without the provider's last word
    say("Hel", Raw(b"\\xff\\x00"))        bytes as they are
    flood(10_000_000)                   that many characters of text
    fail(500), fail(429, retry_after=3), fail(401, "no such key"), overflow(), quota()

`server.environ` holds the variables that lead a model there, with `KEY` as the key; `server.url` is what they say.
`server.requests` are all requests that came. A request that the real provider would refuse is answered with 400, and
leaving the server fails the test (`server.faults`). `await server.hung_up()` waits until a client closed its connection
before it had the whole reply.
"""

from tests.support.model_servers.anthropic import AnthropicServer
from tests.support.model_servers.google import GoogleServer
from tests.support.model_servers.http import KEY, ModelServer, Request
from tests.support.model_servers.openai import HerokuServer, OpenAIServer
from tests.support.model_servers.script import (
    Cut,
    Failure,
    Hang,
    Raw,
    Reply,
    Script,
    Stop,
    Think,
    Together,
    Tokens,
    Use,
    Wait,
    fail,
    flood,
    overflow,
    quota,
    say,
)
from tests.support.model_servers.vendors import CerebrasServer, MistralServer, OpenRouterServer, ZaiServer

__all__ = [
    "KEY",
    "AnthropicServer",
    "CerebrasServer",
    "Cut",
    "Failure",
    "GoogleServer",
    "Hang",
    "HerokuServer",
    "MistralServer",
    "ModelServer",
    "OpenAIServer",
    "OpenRouterServer",
    "Raw",
    "Reply",
    "Request",
    "Script",
    "Stop",
    "Think",
    "Together",
    "Tokens",
    "Use",
    "Wait",
    "ZaiServer",
    "fail",
    "flood",
    "overflow",
    "quota",
    "say",
]
