"""Counts what is gone, what was damaged and what was left whole."""

from __future__ import annotations

import base64
import itertools
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.secrets import ALPHABETS

from baton.ports.redactor import Redactor
from bench.secrets import damage, invented, languages, near_misses, negatives, places, programs, styles, tokens
from bench.secrets import typed_tokens as typed

_HOLE = re.compile(r"<(3x|L|[A-Za-z0-9])([0-9]+)>")
_MARKED = re.compile(r"«(.*?)»", re.S)
_WRAPPER = re.compile(r"\{(x|u|e|E|s|16|64|c|d):(.*?)\}(?=»|\"»|'»)", re.S)
_LETTERS = {**ALPHABETS, "3x": ALPHABETS["3"], "L": "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "X": "0123456789ABCDEF"}
_WRAPPED: Mapping[str, Callable[[str], str]] = {
    "x": lambda held: "".join(f"\\x{ord(each):02x}" for each in held),
    "u": lambda held: "".join(f"\\u{ord(each):04x}" for each in held),
    "e": lambda held: "".join(f"&#{ord(each)};" for each in held),
    "E": lambda held: "".join(f"&#x{ord(each):x};" for each in held),
    "s": lambda held: held.encode().hex(" "),
    "16": lambda held: base64.b64encode(held.encode("utf-16-le")).decode(),
    "64": lambda held: base64.b64encode(held.encode()).decode(),
    "c": lambda held: f'{held[:9]}" + "{held[9:22]}" + "{held[22:]}',
    "d": lambda held: f"{held[:24]}\n+{held[24:]}",
}


@dataclass
class Tally:
    """How many of the secrets are gone, and which stand."""

    gone: int = 0
    all: int = 0
    standing: list[str] = field(default_factory=list[str])

    def add(self, gone: bool, text: str) -> None:
        self.all += 1
        self.gone += gone
        if not gone:
            self.standing.append(text)

    @property
    def share(self) -> float:
        return 100 * self.gone / self.all if self.all else 100.0


def fill(form: str, dice: random.Random) -> str:
    return _HOLE.sub(lambda hole: "".join(dice.choices(_LETTERS[hole[1]], k=int(hole[2]))), form)


def is_gone(value: str, text: str) -> bool:
    """Neither the value stands nor, of a phrase, two words in a row."""
    parts = value.split()
    pairs = [f"{first} {second}" for first, second in itertools.pairwise(parts)]
    return value not in text and not any(pair in text for pair in pairs)


def grid(
    redactor: Redactor, columns: Mapping[str, places.Place], rows: Mapping[str, styles.Style], runs: int, seed: str
) -> dict[tuple[str, str], Tally]:
    """For each style and place as many fresh values as `runs`."""
    answer: dict[tuple[str, str], Tally] = {}
    for style, make in rows.items():
        for place, where in columns.items():
            dice = random.Random(f"{seed} {style} {place}")
            tally = answer[style, place] = Tally()
            for _ in range(runs):
                value = make(dice)
                text = where.text(value)
                tally.add(is_gone(where.written(value), redactor.redact(text).text), text)
    return answer


def spoken(held_out: bool) -> dict[str, places.Place]:
    """Sentences of other languages as places."""
    said = languages.HELD_OUT if held_out else languages.LANGUAGES
    return {f"{name} {n}": places.Place(form) for name, forms in said.items() for n, form in enumerate(forms, 1)}


def by(tallies: Mapping[tuple[str, str], Tally], which: int) -> dict[str, Tally]:
    """Rows (0) or columns (1) together; a column `german 2` counts as `german`."""
    answer: dict[str, Tally] = {}
    for key, each in tallies.items():
        name = re.sub(r" [0-9]$", "", key[which])
        together = answer.setdefault(name, Tally())
        together.gone += each.gone
        together.all += each.all
        together.standing += each.standing
    return answer


def by_text(redactor: Redactor, held_out: bool, runs: int, seed: str) -> dict[str, Tally]:
    """The texts of `invented`, each with every style that may stand there."""
    answer: dict[str, Tally] = {}
    for what, form in invented.HELD_OUT if held_out else invented.PLACES:
        dice = random.Random(f"{seed} {form}")
        tally = answer[form.strip().replace("\n", "\\n")] = Tally()
        for make in styles.BY_WORD[what]:
            for _ in range(runs):
                value = make(dice)
                text = form.replace("{}", value)
                tally.add(is_gone(value, redactor.redact(text).text), text)
    return answer


def typed_tokens(redactor: Redactor, held_out: bool, runs: int, seed: str) -> dict[tuple[str, str], Tally]:
    """Words as tokens and bare numbers as answers."""
    words, codes = (typed.HELD_OUT, typed.CODE_HELD_OUT) if held_out else (typed.PLACES, typed.CODE_PLACES)
    answers = {f"asked, {name}": place for name, place in codes.items()}
    return {**grid(redactor, words, typed.STYLES, runs, seed), **grid(redactor, answers, typed.CODES, runs, seed)}


def in_programs(redactor: Redactor, seed: str) -> dict[str, Tally]:
    """The texts of `programs`, each with one value of every style that may stand there."""
    answer: dict[str, Tally] = {}
    every = (*styles.STYLES.values(), *styles.HELD_OUT.values())
    for what, form in programs.PLACES:
        dice = random.Random(f"{seed} {form}")
        tally = answer[form.strip().replace("\n", "\\n")[:100]] = Tally()
        for make in every if what == programs.ANY else styles.BY_WORD[what]:
            value = make(dice)
            text = form.replace("{}", value, 1)
            tally.add(is_gone(value, redactor.redact(text).text), text)
    return answer


def classes(redactor: Redactor, held_out: bool, runs: int, seed: str) -> dict[str, Tally]:
    """The texts of `tokens`: every marked stretch must be gone, and what is outside the marks before it must stay."""
    answer: dict[str, Tally] = {}
    for name, forms in tokens.CLASSES.items():
        tally = answer[name] = Tally()
        for form in forms[1 if held_out else 0 :: 2]:
            dice = random.Random(f"{seed} {form}")
            for _ in range(runs):
                marked = _WRAPPER.sub(lambda found: _WRAPPED[found[1]](found[2]), fill(form, dice))
                values = _MARKED.findall(marked)
                text = _MARKED.sub(r"\1", marked)
                shown = redactor.redact(text).text
                tally.add(all(is_gone(value, shown) for value in values), text)
    return answer


def altered(redactor: Redactor, held_out: bool, runs: int, seed: str) -> Iterator[tuple[str, str]]:
    """Hard negatives that were changed, and into what."""
    for form in (*negatives.LINES, *near_misses.LINES, *typed.KEPT)[1 if held_out else 0 :: 2]:
        dice = random.Random(f"{seed} {form}")
        for text in {fill(form, dice) for _ in range(runs)}:
            shown = redactor.redact(text).text
            if shown != text:
                yield text, shown


def cuts(redactor: Redactor, seed: str) -> dict[str, int]:
    """Cuts in files that hold no secret."""
    return {name: _count(redactor, make(random.Random(f"{seed} {name}"))) for name, make in damage.FILES.items()}


def _count(redactor: Redactor, text: str) -> int:
    return sum(found.count for found in redactor.redact(text).found)


def sources(redactor: Redactor, root: Path, ends: Sequence[str], most: int, seed: int) -> tuple[int, list[str]]:
    """Bytes read, and a line for each cut in the source files below this root, in an order drawn by the seed."""
    paths = sorted(path for path in root.rglob("*") if path.suffix in ends and path.is_file() and not path.is_symlink())
    random.Random(seed).shuffle(paths)
    size, lines = 0, list[str]()
    for path in paths:
        if size > most:
            break
        text = path.read_bytes()[:400_000].decode("utf-8", "replace")
        size += len(text)
        shown = redactor.redact(text)
        if shown.found:
            lines += (f"{path.name}:{line}" for line in _taken(text, shown.text))
    return size, lines


_PLACEHOLDER = re.compile(r"\[redacted: [a-z0-9-]+\]")


def _taken(text: str, shown: str) -> Iterator[str]:
    """For each placeholder its line's number, its kind and the line before it was cut, the cut between « and »."""
    at = last = 0
    for found in _PLACEHOLDER.finditer(shown):
        at += found.start() - last
        last = found.end()
        if text.startswith(found.group(), at):
            at += len(found.group())
            continue
        end = text.find(shown[last : last + 40].partition("[redacted: ")[0] or "\n", at + 1)
        end = len(text) if end < 0 else end
        first, stop = text.rfind("\n", 0, at) + 1, text.find("\n", end)
        cut = text[at:end].replace("\n", " ")[:80]
        after = text[end : min(end + 40, stop if stop >= 0 else len(text))]
        yield f"{text.count(chr(10), 0, at) + 1} {found.group()} {text[max(first, at - 80) : at].strip()}«{cut}»{after}"
        at = end
