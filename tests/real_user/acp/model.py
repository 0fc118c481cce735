"""A scripted model with a small window: what it says depends on the last words of the person."""

from __future__ import annotations

import json

from tests.e2e.chat import said_last
from tests.support.model_servers import Hang, OpenAIServer, Reply, Request, Tokens, Use, say
from tests.support.model_servers.script import Say

MODEL = "openai-chat:gpt-4"
"""8,192 tokens: a few long answers fill it."""

STORY = "It was a long night in the engine room, and nobody knew where the water came from. " * 134
SUMMARY = "Done: they told each other long stories. State: nothing was changed on account of them. " * 4
TALE = "## Completed work\nStories were told.\n## Design decisions\nNone.\n## Next recommended action\nRun `make`."
WAITING = "One moment"


class ScriptedModel(OpenAIServer):
    """A summary hangs as long as `stuck` is true."""

    def __init__(self) -> None:
        super().__init__(self._written)
        self.stuck = False

    def _written(self, request: Request) -> Reply:
        """With usage as an honest provider would report it."""
        said = self._says(request)
        texts = "".join(part.text for part in said.parts if isinstance(part, Say))
        used = Tokens(1200 + len(json.dumps(request.body["messages"])) // 4, 10 + len(texts) // 4)
        return say(*said.parts, usage=used)

    def _says(self, request: Request) -> Reply:
        messages = request.body["messages"]
        if str(messages[0]["content"]).startswith("You are closing"):
            return say(TALE)
        if "tools" not in request.body:
            return say("Done:", Hang()) if self.stuck else say(SUMMARY)
        words = said_last(request).strip().rpartition("\n")[2]
        if "make " in words:
            name = words.rpartition("make ")[2]
            return say("I will make it.", Use(f"call_{len(messages)}", "shell", {"command": f"touch {name}"}))
        if "wait" in words:
            return say(WAITING, Hang())
        return say(STORY if "story" in words else f"You said {words!r} in a context of {len(messages)}.")
