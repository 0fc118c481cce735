"""Where a task ends and the next begins."""

from __future__ import annotations

import pytest

from baton.core.handoff.rules.rule import PINNED, STANDING, TASK, make_rule
from baton.core.handoff.rules.tasks import holds, is_new_task

BEFORE = [
    "Fix the cart total, it is off by a cent.",
    "I rounded each line in src/cart.py and added a test for coupons. All tests pass.",
]


@pytest.mark.parametrize(
    "message",
    [
        "Next: write a changelog for the release",
        "Thanks, that works. Now add a dark mode to the settings page.",
        "Great. Now let's look at the login form.",
        "New task: upgrade the CI images",
        "Another thing: the newsletter has a typo in its footer",
        "Unrelated: which region does the backup bucket live in",
        "Write a migration that renames the column birthday in table people to born",
        "Danke, passt. Jetzt bitte die Suche beschleunigen.",
        "Als Nächstes die Anmeldeseite.",
        "Merci, ça marche. Maintenant, occupe-toi de la page de connexion.",
        "Gracias, funciona. Ahora añade el modo oscuro.",
        "Grazie, perfetto. Adesso passiamo alla pagina di login.",
        "Obrigado, funciona. Agora vamos para a página de login.",
        "Bedankt, werkt. Nu graag de inlogpagina.",
        "Dzięki, działa. Teraz zajmijmy się stroną logowania.",
        "Спасибо, работает. Теперь займись страницей входа.",
        "好的，接下来做登录页面。",
        "ありがとうございます。次はログインページをお願いします。",
        "고마워요. 다음은 로그인 페이지를 해 주세요.",
    ],
)
def test_a_new_task_begins(message: str) -> None:
    assert is_new_task(BEFORE, message)


@pytest.mark.parametrize(
    "message",
    [
        "yes",
        "2",
        "do it",
        "ok, continue",
        "Also round the shipping costs, please.",
        "But the coupon is still wrong with three items in the cart.",
        "No, use half-even rounding instead of half-up everywhere.",
        "Why did you change the coupon code there?",
        "What does the newsletter footer say about cookies?",
        "The test in src/cart.py fails on Windows machines in Warsaw.",
        "It still crashes.",
        "Please rename the helper that rounds each line.",
        "Nein, mach es bitte anders.",
        "Und was ist mit den Gutscheinen im Warenkorb?",
        "Non, arrondis plutôt chaque ligne.",
        "也改一下运费。",
        '```\nTraceback (most recent call last):\n  File "x.py"\n```',
        "",
    ],
)
def test_a_follow_up_belongs_to_the_running_task(message: str) -> None:
    assert not is_new_task(BEFORE, message)


SEARCH = (
    "The search is slow on large projects, please profile it.",
    "I profiled it: tokenizing takes 80 % of the time in src/search/index.py. I now cache tokens per file.",
)
LIMITS = (
    "Add rate limiting to the login endpoint",
    "Done: five tries per minute and address, in auth/limits.py, with tests. Shall I also limit password resets?",
)


@pytest.mark.parametrize(
    ("before", "message", "new"),
    [
        (SEARCH, "Draft release notes for version 2.3 and post them in the marketing channel.", True),
        (SEARCH, "Set up a GitHub workflow that publishes wheels to PyPI.", True),
        (SEARCH, "Our invoices show the wrong VAT rate for Swiss customers, please correct it.", True),
        (SEARCH, "Make the cache size configurable, default 64 MB.", False),
        (SEARCH, "I get a MemoryError when indexing the monorepo now.", False),
        (SEARCH, "Write unit tests for the token cache.", False),
        (SEARCH, "commit and push", False),
        (LIMITS, "Look into the flaky websocket reconnect on Android.", True),
        (LIMITS, "Upgrade the frontend to React 19 and repair whatever breaks.", True),
        (LIMITS, "The limiter blocks our own health checks.", False),
        (LIMITS, "10 tries instead of five", False),
        (LIMITS, "What happens behind a proxy?", False),
    ],
)
def test_a_request_on_something_else_begins_a_task_even_if_it_does_not_say_so(
    before: tuple[str, ...], message: str, *, new: bool
) -> None:
    assert is_new_task(before, message) is new


def test_the_first_message_begins_a_task() -> None:
    assert is_new_task([], "yes")
    assert is_new_task(["", " "], "fix it")


def test_a_rule_of_a_task_ends_once_a_later_task_was_answered() -> None:
    rule = make_rule("Don't commit yet.", TASK, "s/1", 1)
    assert holds(rule, 1, 1, answered=True)
    assert holds(rule, 1, 2, answered=False)
    assert not holds(rule, 1, 2, answered=True)
    assert not holds(rule, 1, 3, answered=False)


@pytest.mark.parametrize("scope", [STANDING, PINNED])
def test_every_other_rule_outlives_its_task(scope: str) -> None:
    assert holds(make_rule("Never push.", scope, "s/1", 1), 1, 9, answered=True)


def test_hostile_messages_cost_little() -> None:
    assert not is_new_task(["a" * 1_000_000, "./" * 500_000], "," * 1_000_000)
    is_new_task(BEFORE, "thanks " * 100_000)
    is_new_task(BEFORE, "next" * 100_000)
