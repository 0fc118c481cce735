"""Redaction: packets as the agent writes them, a megabyte of them, and the megabyte that takes longest.

Times are of CPU: the redactor waits for nothing, and what else the machine does is none of its doing.
"""

from __future__ import annotations

import random
import time
from base64 import b64encode
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path

from baton.adapters.redaction.redactor import open_redactor
from baton.core.ids import new_id, new_session_id
from baton.ports.redactor import Redactor
from bench import redaction_texts, texts
from bench.figure import PROCESS, Figure, against_floor
from bench.plan import Plan
from bench.progress import say
from bench.timing import Pair, Timing

FLOOR_IS = "a SHA-256 of the same text"
PACKET = 10_000
MEGABYTE = 1_000_000
KNOWN = 50
HOSTILE = {
    "a": "a",
    "password=": "password=",
    "private keys": "-----BEGIN RSA PRIVATE KEY-----\n",
    "eyJ": "eyJ",
    "a://": "a://",
    "spaces": " ",
    "quotes": '"',
    "dots": ".",
    "open quotes": 'password="',
    "links": "a://b:c@",
    "said": "key is a1b2c3d4 ",
    "tags": "<token>",
    "mixed": "a0A",
    "escapes": "\x1b[",
    "a question": "what is the password?\n",
    "a blank of HTML": "password:&nbsp;",
    "headings": "user  password\n",
}
VARIED: dict[str, Callable[[str], str]] = {
    "all different, in lines": lambda word: f"password={word}\n",
    "all different, in one line": lambda word: f";pwd={word}",
    "all different, quoted": lambda word: f'password="{word}" ',
    "all different, mixed": lambda word: f"key={word}3{word} ",
    "all different, escapes": lambda word: f"\x1b[31mpassword\x1b[0m={word}\n",
    "all different, tokens": lambda word: f"ghp_{word * 6} ",
    "IBANs": lambda word: f"DE{int(word, 36) % 10**20:020d} ",
    "JWT heads": lambda word: f"eyJhbGciOi{word * 2} ",
    "JWTs": lambda word: f"eyJhbGciOiJI{word}.eyJ{word * 4}.{word * 6}\n",
    "percent signs": lambda word: f"password%3D{word}7x ",
    "percent signs, dense": lambda word: f"%3D{word[:3]}",
    "base64": lambda word: b64encode(f"the settings: password={word}{word}9X\n".encode()).decode() + "\n\n",
    "entities": lambda word: "".join(f"&#{ord(each)};" for each in f"password={word}") + " ",
    "spaced hexadecimal": lambda word: f"password={word}".encode().hex(" ") + "\n",
    "strings in pieces": lambda word: f'"{word}" + "{word}9x" , ',
    "a broken diff": lambda word: f"{word}{word}Xa\n+{word}9{word}\n",
    "rows of a table": lambda word: f"| user | {word} | Sun{word}x9 |\n",
    "sentences": lambda word: f"the password is {word}9. ",
    "flags": lambda word: f" --password {word}9",
    "JSON": lambda word: f'{{"password":"{word}9","token":"{word}8"}},',
    "vendors in sentences": lambda word: f"stripe key {word}9{word}X{word}7 ",
    "a Kubernetes secret": lambda word: f"  {word}: {b64encode(f'{word}9x!'.encode()).decode()}\n",
    "passwords that change": lambda word: f"password from {word}9 to {word}8, ",
    "UTF-16": lambda word: "".join(f"{each}\0" for each in f"password={word}9X\n"),
    "lists": lambda word: f"passwords: {word[:3]}9, ",
    "questions": lambda word: f"ann: the password?\njoe: {word}9032\n",
    "arguments": lambda word: f'"--password", "{word}9", ',
    "clauses": lambda word: f"the password changed, it's now {word}9032 ",
    "codes": lambda word: f"the pin is {int(word, 36) % 10_000:04d} ",
    "generated": lambda word: f"A temporary password is generated for root@localhost: {word}9X\n",
    "properties": lambda word: f'<entry key="smtp.pwd">{word}</entry>\n',
    "bare tokens": lambda word: f"{word}7Lp2xT9wZkB3{word}X9 \n",
    "inserts": lambda word: f"INSERT INTO u (name, password) VALUES ('ann', '{word}9032');\n",
    "talk": lambda word: f"ann: did you reset the password of {word}?\njoe: yes, {word} asked for 4821 characters\n",
    "said twice": lambda word: f"password={word}9032xQ\n{word}9032xQ\n",
    "base64 in one run": lambda word: b64encode(f"password={word}9X\n".encode()).decode(),
    "base64 in lines": lambda word: (
        b64encode(f"password={word}9{word}\npassword={word}8{word}\ntoken={word}\n".encode()).decode() + "\n"
    ),
}
QUICK = ("password=", "lists", "questions", "arguments", "flags", "said twice", "talk", "base64 in lines")
"""The hostile texts of a quick run, chosen by hand: others take longer, so its worst is not the worst of all."""
PART = 100_000
"""How much of a hostile text google-re2 reads: where anchors are dense, all of it takes long."""
HEADS = {
    "rows of a table": "| who | user | password |\n|---|---|---|\n",
    "a Kubernetes secret": "kind: Secret\ndata:\n",
}


def measure(work: Path, plan: Plan) -> list[Figure]:
    dice = random.Random("known values")  # a seed of their own: no text is to hold them by chance
    known = {f"SECRET_{number}": dice.randbytes(12).hex() for number in range(KNOWN)}
    redactor = open_redactor(str(work), known, [], str(work / "rules"))
    peers = redaction_texts.plain_scans(work)
    redaction_texts.by_turns(redactor, peers, packet(0), rounds=1)
    say(f"redacting {plan.redactions} packets")
    small = _packets(redactor, peers, plan.redactions)
    large = _megabyte(redactor)
    rounds = 1 if plan.quick else redaction_texts.ROUNDS
    names = [*QUICK] if plan.quick else [*HOSTILE, *VARIED]
    say(f"redacting {len(names)} hostile megabytes")
    hostile = _hostile(redactor, peers, names, rounds)
    return [small, large, hostile, *redaction_texts.measure(redactor, peers, rounds)]


def packet(number: int) -> str:
    """About ten kilobytes: prose, facts from the log, commits, paths, test output; in every fourth a token."""
    dice = random.Random(f"packet {number}")
    parts = [f"# Handoff of {new_session_id(dice.randrange(10**15), dice.randbytes(3))}\n"]
    length = 0
    while length < PACKET:
        part = dice.choice(_PARTS)(dice)
        parts.append(part)
        length += len(part)
    if number % 4 == 0:
        parts.insert(len(parts) // 2, f"deployed with ghp_{dice.randbytes(18).hex()}\n")
    return "".join(parts)[:PACKET]


def _prose(dice: random.Random) -> str:
    return texts.message(dice.randrange(100_000), 400) + "\n\n"


def _commit(dice: random.Random) -> str:
    name = f"{dice.choice(_WORDS)}{dice.randrange(100)}"
    lines = "".join(f" {_path(dice)} | {dice.randrange(90)} ++++--\n" for _ in range(3))
    head = f"commit {dice.randbytes(20).hex()}\nAuthor: {name} <{name}@example.org>\n"
    return f"{head}\n    {dice.choice(_WORDS)}: fix\n\n{lines}"


def _facts(dice: random.Random) -> str:
    where = f"`{_path(dice)}:{dice.randrange(400)}`, {new_id('packet', dice.randbytes(12))}"
    return f"- {where}: changed in turn {dice.randrange(90)}, tests: 12 passed\n"


def _path(dice: random.Random) -> str:
    return "/".join(dice.choice(_WORDS) for _ in range(3)) + ".py"


_PARTS: tuple[Callable[[random.Random], str], ...] = (_prose, _prose, _commit, _facts, _facts)
_WORDS = ("adapters", "auth", "engine", "handoff", "key", "models", "packet", "session", "stores", "surfaces", "token")


def _packets(redactor: Redactor, peers: redaction_texts.Peers, count: int) -> Figure:
    made = [packet(number) for number in range(count)]
    taken = [redaction_texts.by_turns(redactor, peers, text, rounds=1) for text in made]
    ours = [each["baton"][0] for each in taken]
    theirs = [_milliseconds(lambda text=text: sha256(text.encode()).digest()) for text in made]
    facts = {f"{name}_p99": Timing.of([each[name][0] for each in taken]).p99 for name in peers}
    return against_floor("redact_packet", PROCESS, None, _paired(ours, theirs), FLOOR_IS, facts)


def _megabyte(redactor: Redactor) -> Figure:
    text = "".join(packet(number) for number in range(MEGABYTE // PACKET))
    ours = [_milliseconds(lambda: redactor.redact(text)) for _ in range(9)]
    theirs = [_milliseconds(lambda: sha256(text.encode()).digest()) for _ in range(9)]
    pair = _paired(ours, theirs)
    facts = {"megabytes_per_second": round(len(text) / 1000 / pair.baton.median, 1), "milliseconds": pair.baton.median}
    return against_floor("redact_megabyte", PROCESS, None, pair, FLOOR_IS, facts)


def _hostile(redactor: Redactor, peers: redaction_texts.Peers, names: Sequence[str], rounds: int) -> Figure:
    each = {name: _shortest(redactor, peers, _text(name), rounds) for name in names}
    taken = {name: shortest["baton"] for name, shortest in each.items()}
    worst = max(taken, key=lambda name: taken[name])
    facts = {"worst": worst, "milliseconds": taken[worst], "each": each}
    return Figure("redact_hostile", PROCESS, None, Timing.of(list(taken.values())), facts=facts)


def _text(name: str) -> str:
    piece = HOSTILE.get(name)
    return piece * (MEGABYTE // len(piece)) if piece else HEADS.get(name, "") + _varied(VARIED[name])


def _shortest(redactor: Redactor, peers: redaction_texts.Peers, text: str, rounds: int) -> dict[str, int]:
    """Of so many rounds; google-re2 is asked for a part, and that is told for the whole: its time is linear. It is
    asked twice, for the first time compiles what the text needs.
    """
    quick = {name: peer for name, peer in peers.items() if name != "re2"}
    taken = redaction_texts.by_turns(redactor, quick, text, rounds)
    part = text[:PART].encode()
    peers["re2"].ends(part)
    taken["re2"] = [_milliseconds(lambda: peers["re2"].ends(part)) * len(text) / PART]
    return {name: round(min(times)) for name, times in taken.items()}


def _varied(form: Callable[[str], str]) -> str:
    """A megabyte in which every part must be looked at for itself."""
    dice = random.Random(texts.SEED)
    parts: list[str] = []
    length = 0
    while length < MEGABYTE:
        parts.append(form("".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=6))))
        length += len(parts[-1])
    return "".join(parts)[:MEGABYTE]


def _paired(ours: list[float], theirs: list[float]) -> Pair:
    return Pair.of([(ours, theirs)])


def _milliseconds(call: Callable[[], object]) -> float:
    began = time.process_time_ns()
    call()
    return max(1, time.process_time_ns() - began) / 1e6
