"""Rules found without a model, measured on labelled sentences, and the messages that hold none."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from baton.core.handoff.rules.find import MOST, find_rules
from baton.core.handoff.rules.rule import LONGEST, STANDING, TASK

HERE = Path(__file__).parent
SETS = ("sentences", "sentences_held_out", "sentences_third", "sentences_fourth", "sentences_fifth", "sentences_sixth")


def labelled(name: str) -> list[tuple[str, str, str]]:
    lines = (HERE / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split(" ", 2) for line in lines if line and not line.startswith("#")]
    return [(label, language, text) for label, language, text in rows]


def texts(message: str) -> list[str]:
    return [rule.text for rule in find_rules(message)]


@pytest.mark.parametrize("name", SETS)
def test_most_rules_are_found_and_most_of_what_is_found_is_one(name: str) -> None:
    rows = labelled(name)
    rules = [text for label, _, text in rows if label != "N"]
    others = [text for label, _, text in rows if label == "N"]
    hits = sum(bool(find_rules(text)) for text in rules)
    false = sum(bool(find_rules(text)) for text in others)
    assert len(rows) >= 60
    assert hits / len(rules) >= 0.9
    assert hits / (hits + false) >= 0.9


def test_few_sentences_with_the_words_of_rules_are_taken_for_one() -> None:
    rows = labelled("sentences_none")
    assert len(rows) >= 110
    assert sum(bool(find_rules(text)) for _, _, text in rows) <= 0.08 * len(rows)


@pytest.mark.parametrize("language", ["en", "de", "fr", "es", "it", "pt", "nl", "pl", "ru", "zh", "ja", "ko"])
def test_no_language_falls_behind(language: str) -> None:
    rows = [row for name in SETS for row in labelled(name) if row[1] == language]
    rules = [text for label, _, text in rows if label != "N"]
    others = [text for label, _, text in rows if label == "N"]
    assert sum(bool(find_rules(text)) for text in rules) >= 0.85 * len(rules)
    assert sum(bool(find_rules(text)) for text in others) <= 0.15 * len(others)


def test_what_is_found_is_a_literal_quote() -> None:
    message = "Fix the cart.  Never push\nto main, please. Thanks!"
    assert texts(message) == ["Never push to main, please."]
    assert all(text in " ".join(message.split()) for text in texts(message))


@pytest.mark.parametrize(
    "question",
    [
        "Could you always answer in German?",
        "Can you please never push without asking?",
        "Kannst du bitte immer Tabs nehmen?",
    ],
)
def test_a_rule_may_be_asked_for_politely(question: str) -> None:
    assert texts(question) == [question]


def test_a_rule_is_found_once_however_often_it_is_said() -> None:
    assert texts("Never push to main. never push to main.\n- Never push to main.") == ["Never push to main."]


@pytest.mark.parametrize(
    "pasted",
    [
        "```\n# never call this twice\nassert only == 1\n```",
        "~~~yaml\nrule: never push\n~~~",
        "> Never push to main.\n> Always ask first.",
        "diff --git a/x b/x\n@@ -1 +1 @@\n-# never do this\n+# always do that",
        "2026-11-17 01:02:03 ERROR must not be null, never retry\n[INFO] always on",
        'Traceback (most recent call last):\n  File "x.py", line 3, in f\nValueError: must never be empty',
        "src/cart.py:12:4: error: You must not use Any here",
        "| rule | text |\n|---|---|\n| 1 | Never push to main |",
        '{\n  "rule": "never push to main",\n  "ask": "always"\n}',
        "name: deploy\non: push\nrule: never on friday",
        "$ git push --force  # never do this\n❯ always ask",
        "From: Bob\nSubject: rules\nNever push to main.\n".replace("Never", "> Never"),
        "On Mon, Nov 16, 2026 Bob wrote:\nNever push to main. Always ask me first.",
        "-----Original Message-----\nNever push to main.",
        "Implement this plan:\n# Plan\nNever touch the database.\n## Steps\nAlways run tests.\nNo new dependencies.",
        "- [ ] never retry on 404\n- [x] always close the file",
        "    def f():\n        # never do this\n        must(not_)",
        "1. Read the config\n2. Never cache the token\n3. Write the file\n4. Return the handle\n5. Close it",
        "const rule = 'never push'; // always",
        "<div>You must not push</div>",
        "npm warn deprecated: do not use this\nnpm error code 1\nYou must not install with sudo",
        "def total(cart):\n    # never round here\n    if not cart: return 0\n    # always use Decimal",
        "id,rule,owner\n1,never push,bob\n2,always ask,anna",
        "Bob: never push to main\nAnna: always ask first",
        "error[E0502]: cannot borrow\n  --> src/main.rs:4:5\n   = note: values must not be used after move",
        "SELECT * FROM users;\n-- do not delete rows",
        "$ make test\nyou must not run this as root\nnot ok 2 - should never be null",
        "commit 3f2a1b9c0d\nAuthor: Bob <bob@example.org>\n\n    Do not call the server twice.",
    ],
)
def test_what_was_pasted_binds_nobody(pasted: str) -> None:
    assert texts(pasted) == []
    assert texts(f"Look at this:\n\n{pasted}") == []


def test_a_fence_in_the_middle_of_output_is_closed_by_its_own_mark() -> None:
    assert texts("$ make\n```\nnever\n```\n\nAsk me before you push.") == ["Ask me before you push."]


def test_what_stands_around_a_pasted_block_still_counts() -> None:
    message = "Never log tokens.\n```\nnever mind\n```\nAsk me before you push."
    assert texts(message) == ["Never log tokens.", "Ask me before you push."]


def test_a_list_of_rules_is_no_plan() -> None:
    listed = "A few rules:\n1. No new dependencies.\n2. Never push to main.\n3. Ask me before you delete anything."
    assert len(texts(listed)) == 3
    assert len(texts(listed.replace("1.", "-").replace("2.", "-").replace("3.", "-"))) == 3


@pytest.mark.parametrize(
    "message",
    [
        "The login page is slow. It always takes ten seconds, and I only see it on Mondays. Can you profile it?",
        "Add a dark mode. The toggle should be in the settings and the choice must survive a reload.",
        "I tried your fix. It does not work without the flag, and the second test never finishes.",
        "Why do we never retry here? Shouldn't it always retry?",
        "Continue.",
        "yes",
        "2",
        "",
        "   \n\n  ",
        "Thanks, that works now! No more errors.",
        "Ouch.",
        "Уф!",
    ],
)
def test_reports_requests_and_questions_hold_no_rule(message: str) -> None:
    assert texts(message) == []


def test_a_prohibition_stands_alone_and_belongs_to_the_task_beside_a_request() -> None:
    assert find_rules("Don't touch the billing module.")[0].scope == STANDING
    assert find_rules("Fix the cart total. It is off by a cent. Don't touch the billing module.")[0].scope == TASK


def test_words_of_generality_make_a_rule_standing_and_words_of_the_moment_make_it_one_of_the_task() -> None:
    beside = "Fix the cart total. It is off by a cent."
    assert find_rules(f"{beside} Never push to main.")[0].scope == STANDING
    assert find_rules("Don't commit yet.")[0].scope == TASK


def test_dots_in_code_names_and_versions_do_not_cut_a_rule() -> None:
    rule = (
        "Never call strings.Cut or Node.js 20.1 APIs from utils/date.py, e.g. in https://x.org/a.b, without asking me."
    )
    assert texts(f"Hello. {rule} Thanks.") == [rule]


def test_quoted_words_are_not_the_persons() -> None:
    assert texts('The banner says "never push to main" in red.') == []


def test_a_rule_is_bounded_and_so_is_their_number() -> None:
    long = "Never push to main because " + "it is used by many people and " * 40 + "so on."
    assert all(len(text) <= LONGEST for text in texts(long))
    many = "\n\n".join(f"Never touch folder number {n}." for n in range(1000))
    assert len(texts(many)) == MOST


HOSTILE = [
    "never " * 40_000,
    "don't " * 40_000,
    "." * 200_000,
    "!" * 200_000,
    "," * 200_000,
    "a" * 200_000,
    "all " + "a " * 100_000 + "in",
    "不要" * 100_000,
    "」" * 200_000,
    '"' * 200_000,
    "`" * 200_000,
    "1. " * 60_000,
    "- a\n" * 50_000,
    "> " * 100_000,
    "key: " * 40_000,
    "\n" * 200_000,
    "0:0:" * 50_000,
    "use a " * 40_000,
    "\ud800\x00\u202e" * 50_000,
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_read_quickly(text: str) -> None:
    start = time.thread_time()
    find_rules(text)
    assert time.thread_time() - start < 2


def test_time_grows_with_length_only() -> None:
    sentence = "Please look at the cart, it is off by one cent when a coupon is used, but never touch billing. "

    def cost(times: int) -> float:
        start = time.thread_time()
        find_rules(sentence * times)
        return time.thread_time() - start

    cost(10)
    assert cost(800) < 20 * max(cost(100), 0.005)


@pytest.mark.parametrize(
    "sentence",
    [
        "Sandra joins us now, so please write to me in English from here on.",
        "Sandra ist jetzt dabei, also schreib mir bitte von hier an auf Englisch.",
        "Sandra se une ahora, así que escríbeme de aquí en adelante solo en inglés.",
        "Sandra nous rejoint, donc écris-moi uniquement en anglais à partir d'ici.",
        "Sandra si unisce a noi, quindi scrivimi solo in inglese da qui in avanti.",
        "A Sandra entrou agora, então escreva para mim somente em inglês daqui em diante.",
        "Sandra doet nu mee, dus schrijf mij vanaf hier alleen in het Engels.",
        "Dołącza Sandra, więc od tej chwili pisz do mnie tylko po angielsku.",
        "К нам пришла Сандра, поэтому с сегодняшнего дня пиши мне только по-английски.",
        "До нас приєдналася Сандра, тому віднині пиши мені лише англійською.",
        "Sandra bize katıldı, bu yüzden bugünden itibaren bana sadece İngilizce yaz.",
        "サンドラが加わったので、この先は英語だけで書いてください。",
        "산드라가 합류했으니 지금부터 영어로만 써 줘.",
        "桑德拉加入了我们，所以从此只用英文给我写。",
        "انضمت ساندرا إلينا، لذلك اكتب لي من اليوم فصاعدا بالإنجليزية فقط.",
        "सैंड्रा जुड़ गई है, इसलिए आज से मुझे केवल अंग्रेज़ी में लिखो।",
    ],
)
def test_what_holds_from_here_on_stands_wherever_it_is_said(sentence: str) -> None:
    (found,) = find_rules(f"auth.py? main.py? a.log? {sentence}")
    assert (found.text, found.scope) == (sentence, STANDING)
