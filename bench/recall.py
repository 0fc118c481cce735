"""Recall: the model's own search in a conversation of ten sessions, by questions in other words than were used.

Everything is real: the index, the entries, the redactor with its compiled rules at hand. Questions are of rare and of
common words, in two languages, and some find nothing at first, so that the beginnings of words are tried.
"""

from __future__ import annotations

import itertools
import random
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from baton.adapters.redaction.redactor import open_redactor
from baton.core.log.bundle import Bundle
from baton.core.log.conversation import Conversation
from baton.core.log.entry import ASSISTANT, SEQ_BITS, TOOL_RESULT, USER, Entry, encode_body, entry
from baton.core.log.session import HANDOFF, ROOT, Session, begin
from baton.core.value import replace
from baton.engine.past import SHOWN, Past
from baton.ports.redactor import Redactor
from baton.ports.store import Store
from bench import floor, texts
from bench.bed import Ground
from bench.figure import SQLITE, Figure, against_floor
from bench.floor import Raw
from bench.plan import MESSAGE_BYTES, Plan, Size
from bench.progress import say
from bench.timing import interleaved

FLOOR_IS = "one SELECT from the index per word, and one per hit from the log"
SESSIONS = 10
ROOM = 8000
WIDE_EVERY = 997
WIDE = "数据库的备份保存在东京机房"
_CONVERSATION = "c_reca00000000"
_BEGINNING = 1_770_000_000_000_000
_KINDS = (USER, ASSISTANT, TOOL_RESULT, TOOL_RESULT)
_PER_WORD = 200
_RUNS = 9


def measure(ground: Ground, plan: Plan, work: Path) -> list[Figure]:
    size = Size(SESSIONS, plan.recalled, plan.recalled // SESSIONS)
    with closing(ground.open()) as store:
        store.upkeep.insert(_bundle(size))
        store.search.catch_up()
    ground.mirror()
    redactor = open_redactor(str(work), {"SECRET": "correct-horse-battery"}, [], str(work / "rules"))
    redactor.redact("warm")
    with closing(ground.open()) as store, closing(ground.raw()) as raw:
        say(f"{plan.recalls} questions")
        return [
            _by_words(ground, store, raw, redactor, size, plan),
            _by_pointer(ground, store, raw, redactor, size, plan),
        ]


def _by_words(ground: Ground, store: Store, raw: Raw, redactor: Redactor, size: Size, plan: Plan) -> Figure:
    past = Past(lambda: store, _CONVERSATION, lambda: redactor)
    questions = _questions(size.entries)
    mine, theirs = itertools.cycle(questions), itertools.cycle(questions)
    assert past.find(texts.RARE_WORD, ROOM).pointers
    assert past.find("东京备份", ROOM).pointers
    pair = interleaved(lambda: past.find(next(mine), ROOM), lambda: _by_hand(raw, next(theirs)), plan.recalls, batch=10)
    clock = time.process_time if ground.backend == SQLITE else time.perf_counter
    each = [_fastest(past, question, clock) for question in questions]
    facts = {
        "questions": len(questions),
        "slowest_question_ms": max(each),
        "median_question_ms": statistics.median(each),
    }
    return against_floor("recall", ground.backend, size, pair, FLOOR_IS, facts)


def _fastest(past: Past, question: str, clock: Callable[[], float]) -> float:
    """Milliseconds of the fastest of some runs: what else the machine does can only slow one down. In SQLite all of it
    is this process's own CPU.
    """
    spent: list[float] = []
    for _ in range(_RUNS):
        began = clock()
        past.find(question, ROOM)
        spent.append((clock() - began) * 1000)
    return min(spent)


def _by_pointer(ground: Ground, store: Store, raw: Raw, redactor: Redactor, size: Size, plan: Plan) -> Figure:
    past = Past(lambda: store, _CONVERSATION, lambda: redactor)
    dice = random.Random(texts.SEED)
    places = [(dice.randint(1, SESSIONS), dice.randint(3, size.long - 3)) for _ in range(100)]
    mine, theirs = itertools.cycle(places), itertools.cycle(places)

    def read() -> object:
        session, seq = next(mine)
        return past.read(f"g{session}#{seq}", 2, ROOM)

    def select() -> object:
        session, seq = next(theirs)
        number, _ = raw.read(floor.SESSION_NUMBER, (_session_id(session),))[0]
        return raw.read(floor.ENTRY_RANGE, ((number << SEQ_BITS) + seq - 3, (number << SEQ_BITS) + seq + 3))

    pair = interleaved(read, select, plan.recalls, batch=10)
    return against_floor("recall_pointer", ground.backend, size, pair, "one SELECT of the same entries")


def _questions(entries: int) -> list[str]:
    """What was said, in other order and with words between; and some of which only the beginnings fit."""
    dice = random.Random(texts.SEED)
    asked = [
        texts.RARE_WORD,
        "东京备份在哪里",
        f"where was the {texts.RARE_WORD} found",
        "kestrelquartzes",
        "migratory databasing",
    ]
    for _ in range(35):
        words = texts.message(dice.randrange(entries), MESSAGE_BYTES).replace(".", "").split()
        asked.append(" ".join(["what", "about", *dice.sample(words, 5)]))
    return asked


def _by_hand(raw: Raw, question: str) -> list[floor.Row]:
    found = [raw.matches(word, _PER_WORD) for word in question.lower().split()]
    best = list(dict.fromkeys(key for keys in sorted(found, key=len) for key in keys))[:SHOWN]
    return [raw.read(floor.HIT, (key >> SEQ_BITS, key))[0] for key in best]


def _bundle(size: Size) -> Bundle:
    sessions = _sessions(size.long)
    conversation = Conversation(_CONVERSATION, "recall", "", sessions[-1].id, 1, _BEGINNING, _BEGINNING)
    return Bundle(conversation, tuple(sessions), (), (), (), (), _entries(sessions))


def _sessions(length: int) -> list[Session]:
    made: list[Session] = []
    for number in range(1, SESSIONS + 1):
        parent = made[-1] if made else None
        started = _BEGINNING + number
        session = begin(
            _session_id(number), _CONVERSATION, "bench", started, parent=parent, edge=HANDOFF if parent else ROOT
        )
        ended = (None, None) if number == SESSIONS else (started, HANDOFF)
        made.append(replace(session, entries=length, ended_at=ended[0], end_reason=ended[1]))
    return made


def _session_id(number: int) -> str:
    return f"20260201_000000_{number:06x}"


def _entries(sessions: list[Session]) -> Iterator[Entry]:
    number = itertools.count()
    for session in sessions:
        for seq in range(1, session.entries + 1):
            i = next(number)
            text = texts.message(i, MESSAGE_BYTES) + (f" {WIDE}" if i % WIDE_EVERY == 0 else "")
            body = encode_body({"text": text, "name": "shell"})
            yield entry(session.id, seq, _KINDS[i % len(_KINDS)], _BEGINNING + i, 0, body)
