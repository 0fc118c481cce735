"""A small session that plants one of each: constraints early and late, open plan items, late failures, secrets.

Ninety-three records in the form of Claude Code; the shape that showed what other importers lose.
"""

from __future__ import annotations

from bench.continuity.corpus.story import Planned, Said, Spoke, Story, Used

TOKEN = "ghp_" + "R7xK2mQ9vT4bN8cJ1wL5pD3sF6hG0yZaEuXi"
PAYMENT_KEY = "sk_live_" + "9aB3cD5eF7gH1jK2mN4pQ6rS"
DB_PASSWORD = "vK7-qP2wX9!44"
CLOUD_SECRET = "wJalrXUtnFEMIK7MDENGbPxRfiCYzQ8mLpT3vB5n"

FIRST = (
    "We need to move the order importer off the old queue. Read src/importer.py first, then plan the work, and tell me "
    "before you delete anything in it."
)
EARLY = "Never write to the production bucket from a test, not even through the fake client."
LATE = "One more thing: only change files below src/ and tests/, the docs are frozen until Monday."
LAST = "Now find out why the push is refused and get the importer test green."
TEST = "pytest tests/test_importer.py -x -q"
PUSH = "git push origin feature/queue-move"
PLAN = ("Read the importer", "Write the adapter for the new queue", "Move the callers", "Get the importer test green")


def fixture() -> Story:
    story = Story("planted", "/home/dev/orders", "feature/queue-move", brief=True)
    story.canaries = [TOKEN, PAYMENT_KEY, DB_PASSWORD, CLOUD_SECRET]
    add = story.events.append

    def say(text: str) -> None:
        add(Said(text))
        story.said.append(text)

    say(FIRST)
    say(f"{EARLY} The token for the package index is {TOKEN}.")
    add(Planned([{"text": text, "state": "pending"} for text in PLAN]))
    add(Used("edit", {"path": "src/importer.py", "old": "a", "new": "b"}, "The file src/importer.py has been updated."))
    made = {"path": "src/queue_adapter.py", "content": "class Adapter: ...\n"}
    add(Used("write", made, "File created successfully at: src/queue_adapter.py", created=True))
    for name in ("orders", "retry", "settings", "worker", "clock", "errors"):
        add(Used("read", {"path": f"src/{name}.py"}, f"class {name.title()}: ..."))
    for number in range(30):
        add(
            Used(
                "shell",
                {"command": f"grep -rn 'old_queue_{number}' src"},
                "",
                ok=number % 3 == 0,
                exit=0 if number % 3 == 0 else 1,
            )
        )
    env = f"STRIPE={PAYMENT_KEY}\nDATABASE_URL=postgres://app:{DB_PASSWORD}@db:5432/o\nAWS_SECRET_ACCESS_KEY={CLOUD_SECRET}"
    add(Used("shell", {"command": "cat .env"}, env, exit=0))
    states = ("done", "done", "doing", "pending")
    story.plan = [{"text": text, "state": state} for text, state in zip(PLAN, states, strict=True)]
    add(Planned(story.plan))
    say(LATE)
    add(Used("shell", {"command": TEST}, "E   assert 3 == 4\n1 failed in 0.31s", ok=False, exit=1))
    add(Used("shell", {"command": PUSH}, "! [remote rejected] protected branch hook declined", ok=False, exit=1))
    add(Spoke("The test fails in the adapter, and the push is refused by a hook."))
    say(LAST)
    story.demands = [EARLY, LATE]
    story.files = {"src/importer.py": "edited", "src/queue_adapter.py": "created"}
    story.failing = {TEST: None, PUSH: None}
    return story
