# ruff: noqa: E501 (a pattern is easier to read in one line)
"""A passage: some lines of prose around words such as `password` or `wifi`, word by word, and what each word is like.

What a word is like (its shape, its neighbours, how far the nearest cue is) is said in short strings. `prose.py` has a
weight for each. Nothing here decides anything.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import accumulate, pairwise

from baton.adapters.redaction.entropy import is_wordlike
from baton.adapters.redaction.rules_file import common_words, ordinary_words, other_words, sentence_words

_DENSE = "\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uff66-\uff9f"
"""Scripts that set no blanks between words."""
_BREAK = '\\s"“”„«»`<>(){}\\[\\]|,;:=/\\\\→↳➜⇒•…、。，：；「」『』（）！？'
MASKED = r"\[\*{8,}\]"
"""What was cut before, as `span.mask` leaves it."""
_WORD = re.compile(f"{MASKED}|[{_DENSE}]+|[^{_DENSE}{_BREAK}]+")
_EDGE_BEFORE, _EDGE_AFTER = "'‘*_~-–—.", "'’*_~.-–—?"
_MARKS = "!#$%&+?*"
_FORMS = (
    ("num", r"[0-9]+"),
    ("grouped", r"[0-9]{1,4}(?:[-.*#][0-9]{1,4})+[#*]?|[*#][0-9*#]+"),
    ("version", r"(?i:v?[0-9]+(?:\.[0-9a-z]+)+(?:[-+~][\w.+~-]+)?|[a-z][a-z+]*-v?[0-9]+(?:\.[0-9]+)+)"),
    ("date", r"(?:19|20)[0-9]{2}-[0-9]{2}(?:-[0-9]{2})?(?:t[0-9].*)?|[0-9]{1,2}[.-][0-9]{1,2}[.-](?:19|20)?[0-9]{2}"),
    ("unit", r"(?i:[0-9][0-9.]*(?:[a-z]{1,3}|%|st|nd|rd|th|bit|bits|min|hours?|days?|chars?|x[0-9]+))"),
    ("hex", r"(?:0x)?[0-9a-f]{7,64}|[0-9A-F]{8,64}"),
    ("uuid", r"(?i:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"),
    ("mail", r"[\w.+-]+@[\w-]+(?:\.[\w-]+)*"),
    ("file", r"(?i:[\w.-]*\.(?:py|js|ts|tsx|go|rs|java|kt|rb|php|c|h|cpp|cs|md|txt|json|ya?ml|toml|ini|cfg|conf|sh|sql|xml|html|css|lock|log|csv|pem|crt|key|pub|env|zip|gz|tar|png|svg|jpg|pdf|docx?|xlsx?|kdbx|exe|deb|rpm|tf|proto|ovpn|p12|pfx|jks|xlsm?|pptx?|mp4|iso))"),
    ("host", r"(?i:[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*\.(?:com|net|org|io|dev|app|local|internal|test|example|lan|corp|cloud|de|uk|fr|es|it|nl|eu|us|ch|at|se|no|fi|dk|pl|cz|ru|jp|cn|kr|br))"),
    ("ticket", r"[A-Z]{2,8}-[0-9]{1,6}|(?:INC|CHG|REQ|RITM|PRB|TASK|SR|CS)[0-9]{5,10}|(?i:gh|pr|bug|issue|ticket|rfc|cve|iso)-?[0-9-]+"),
    ("algo", r"(?i:(?:sha|md|aes|rsa|hmac|pbkdf|utf|base|ed|oauth|ipv|argon|http|tls|ssl|blake|s?crypt|bcrypt|wpa|wep|x|p|k8s|s3|ec2|i18n|e2e|b2b|psk|hs|rs|es|sso|saml)[-_]?[0-9]*[a-z]{0,3})"),
    ("flag", r"--?[A-Za-z][\w-]*"),
    ("snake", r"_*[a-z][a-z0-9]*(?:_[a-z0-9]+)+|_*[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"),
    ("dotted", r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+"),
    ("Word", r"[^\W\d_][^\W\d_A-Z]*(?:['’][a-z]{1,2})?"),
    ("WORD", r"[A-Z]{2,}s?"),
    ("camel", r"[a-z]+(?:[A-Z][a-z]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+"),
    ("hyphens", r"[^\W\d_]+(?:-[^\W\d_]+)+"),
    ("dated", r"[^\W\d_]+-?(?:19|20)[0-9]{2}"),
    ("numbered", r"[^\W\d_]+-?[0-9]{1,2}"),
    ("digits", r"[^\W\d_]+[0-9]{3,}"),
    ("numbered-", r"[a-z]+(?:-[a-z0-9]+)*-[0-9]{1,3}"),
    ("alnum", r"[A-Za-z0-9]+"),
    ("joined", r"[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)+"),
)  # fmt: skip
"""What a word may be, the surest first."""
_KINDS = re.compile("|".join(f"({form})" for _, form in _FORMS))
"""All of them at once: which group matched says which it is."""
_LETTERS = re.compile(r"[^\W\d_]+")
_BLANK = re.compile(r"\s")
_ASKED = re.compile(r"[?？؟]")
_ASKS = re.compile(
    r"(?i)\b(?:what|whats|which|send|give|tell|need|enter|type|remind|forgot|wie|welche[rs]?|schick|gib|nenn|quel|quelle|donne|envoie"
    r"|cuál|cual|dime|manda|qual|dammi|wat|welke|stuur|jaki|jaka|jaký|hangi|nedir|какой|скажи|пришли|який|apa)\b|是什么|多少|何"
)
"""A question, by its mark or by its words."""
_JOINT = re.compile(r"[:=→↳➜⇒]|->|=>|：")
_PLAIN = ("Word", "WORD", "hyphens")
_INNOCENT = ("version", "date", "unit", "uuid", "mail", "file", "host", "flag")
_IN_FOLDERS = frozenset((*(f"{slashes} {first}" for slashes in (2, 3) for first in "/~.$"), "1 ~", "1 $"))
_NAMING = (" key=", " name=", " id=", " ref=")
"""What comes is what something is called, in XML."""
_SEALED = (("ENC[", "]"), ('pin-sha256="', '"'))
"""What SOPS encrypted, and the hash of a public key."""
SHORTEST, LONGEST = 4, 64
_MASKED = "["
"""So a word begins that was cut before (`span.mask`); no other word has a bracket. Behind a cue it is what it was: a
secret, and the cue has its own.
"""


@lru_cache(maxsize=8192)
def kind_of(word: str) -> str:
    found = _KINDS.fullmatch(word)
    return _FORMS[found.lastindex - 1][0] if found and found.lastindex else "signs"


@lru_cache(maxsize=8192)
def _own(word: str) -> tuple[str, ...]:
    """What a word is like by itself."""
    kind = kind_of(word)
    small = word.lower()
    size = min(len(word), 24) // 3
    letters = max(_LETTERS.findall(small), key=len, default="")
    known = (
        "said" if small.encode("utf-8", "replace") in sentence_words()
        else "common" if small in common_words()
        else "ordinary" if small in ordinary_words()
        else "stem" if letters in ordinary_words()
        else "alike" if is_wordlike(word.encode("utf-8", "replace"))
        else "odd"
    )  # fmt: skip
    marks = "".join(sorted({sign for sign in word if sign in _MARKS}))[:3]
    shape = _shape(word)
    found = [f"k {kind}", f"k {kind} {known}", f"s {shape}", f"z {size}", f"kz {kind} {size}", f"m {marks}"]
    if kind in ("Word", "WORD", "hyphens", "camel"):
        found += [f"w {small}", f"e {small[-3:]}", f"c {word[:1].isupper()} {known}"]
    return tuple(found)


def _shape(word: str) -> str:
    """`Moose-77!` as `Aa-0!`."""
    made: list[str] = []
    for sign in word:
        each = "0" if sign.isdigit() else ("A" if sign.isupper() else "a") if sign.isalpha() else sign
        if not made or made[-1] != each:
            made.append(each)
    return "".join(made)[:10]


class Passage:
    """`cues` are places in the text, each with the kind of the cue that ends there; `leads` words that lead to a secret."""

    def __init__(self, text: str, cues: Mapping[int, str], leads: frozenset[str]) -> None:
        self.text = text
        self._cues = cues
        self._leads = leads
        self.asked = 0
        """Words that were weighed."""

    @property
    def kinds(self) -> Iterable[str]:
        return self._cues.values()

    @cached_property
    def words(self) -> list[tuple[int, int]]:
        """Where the words are, without the signs around them."""
        found: list[tuple[int, int]] = []
        for each in _WORD.finditer(self.text):
            start, end = each.span()
            if self.text[start] == _MASKED and not self._has_cue_before(start):
                continue
            while start < end and self.text[start] in _EDGE_BEFORE:
                start += 1
            while end > start and self.text[end - 1] in _EDGE_AFTER:
                end -= 1
            if start < end:
                found.append((start, end))
        return found

    def _has_cue_before(self, start: int) -> bool:
        """Whether a cue stands before it on its line."""
        line = self.text.rfind("\n", 0, start)
        return any(line < place <= start for place in self._cues)

    @cached_property
    def _small(self) -> list[str]:
        """Each word as a neighbour sees it."""
        return [_as_neighbour(self.text[start:end]) for start, end in self.words]

    @cached_property
    def _cue_at(self) -> list[tuple[int, str]]:
        """The number of the word in which each cue ends, and its kind."""
        ends = [end for _, end in self.words]
        return [(min(bisect_left(ends, place), len(ends) - 1), kind) for place, kind in sorted(self._cues.items())]

    @cached_property
    def _cue_numbers(self) -> list[int]:
        return [number for number, _ in self._cue_at]

    @cached_property
    def _lines(self) -> list[int]:
        """The number of the line of each word."""
        starts = (0, *(start for start, _ in self.words))
        return [*accumulate(self.text.count("\n", *between) for between in pairwise(starts))]

    def secrets(self, weight: Callable[[tuple[str, ...]], int], least: float) -> Iterator[tuple[int, int]]:
        """Where the secrets are: words that weigh more than `least`; those that follow each other are one."""
        taken = -2
        first = last = 0
        for at, (start, end) in enumerate(self.words):
            if self.text[start] == _MASKED:
                if last:
                    yield first, last
                first = last = 0
                taken = at
                continue
            follows = taken == at - 1
            if not self.may_be(at, follows):
                continue
            self.asked += 1
            if sum(map(weight, self.parts(at, taken))) <= least:
                continue
            if (
                follows
                and not self.text[last:start].strip(" ")
                and not (is_shaped(self.text[first:last]) and is_shaped(self.text[start:end]))
            ):
                last = end
            else:
                if last:
                    yield first, last
                first, last = start, end
            taken = at
        if last:
            yield first, last

    def has_cue(self, start: int, end: int) -> bool:
        """Whether a word for a secret stands there; one for a login asks for none of its own."""
        return any(start < place <= end and kind != "login" for place, kind in self._cues.items())

    def last_cue(self, end: int) -> int:
        """Where the last cue up to there ends; the place itself without one."""
        return max((place for place in self._cues if place <= end), default=end)

    def may_be(self, at: int, follows: bool) -> bool:
        """Whether it is worth a look: a word with a shape of its own, an unusual one, or one behind what leads to a
        secret. `follows`: the word before it is one.
        """
        start, end = self.words[at]
        if follows:
            return end - start <= LONGEST
        word = self.text[start:end]
        if not SHORTEST <= end - start <= LONGEST:
            return word.isdigit() and self._is_in_group(at)
        if at in self._cue_words:
            return False
        if self._is_label_or_cell(at) or self._is_elsewhere(at):
            return False
        kind = kind_of(word)
        if kind in _INNOCENT or (kind in _PLAIN and not self._is_strong):
            return False
        if kind not in _PLAIN or not at or not is_usual(word):
            return True
        if self._small[at - 1] in self._leads or at - 1 in self._cue_words:
            return True
        return self._gap(self.words[at - 1][1], start) not in ("_", ",", "~", ".", "-")

    def answers(self, start: int) -> bool:
        """Whether it follows what asks for a secret, in the same line or on a later one: `codes` judges the numbers that
        stand beside their word.
        """
        cue = max((place for place in self._cues if place <= start), default=-1)
        if cue < 0 or "=" in self.text[cue:start].rpartition("\n")[2]:
            return False
        asked = self.text[self.text.rfind("\n", 0, cue) + 1 : start]
        return _ASKED.search(asked) is not None or ("\n" in self.text[cue:start] and _ASKS.search(asked) is not None)

    def _is_label_or_cell(self, at: int) -> bool:
        """Whether it is the first word of a line with a colon behind it, as speakers are, or stands in a table."""
        start, end = self.words[at]
        gap = self.text[self.words[at - 1][1] if at else 0 : start]
        if "|" in gap or "<td" in gap or ">" in gap[:1]:
            return True
        return (not at or "\n" in gap) and self.text[end : end + 2] in (": ", ":\t", ":\n")

    def _is_elsewhere(self, at: int) -> bool:
        """Whether it is a folder or a file of a path, or what a name without a cue is set to: `sudo LANG=abc123 /usr/bin/x`."""
        start, end = self.words[at]
        sign = self.text[start - 1 : start]
        for opened, shut in _SEALED:
            sealed = self.text.rfind(opened, 0, start)
            if sealed >= 0 and self.text.find(shut, sealed + len(opened), start) < 0:
                return True
        if sign == "=":
            return at - 1 not in self._cue_words
        if sign and sign in "\"'" and self.text[: start - 1].endswith(_NAMING):
            return True
        return sign == "/" and self._is_in_path(start, end)[:3] in _IN_FOLDERS

    def _is_in_group(self, at: int) -> bool:
        """Whether a short number is the first of several: `604 118`, `8 0 1 4`."""
        following = self.words[at + 1 : at + 2]
        return any(self.text[start:end].isdigit() for start, end in following)

    @cached_property
    def _is_strong(self) -> bool:
        """Whether a cue names a secret itself; behind others a plain word is none."""
        return any(kind != "login" for kind in self._cues.values())

    @cached_property
    def _cue_words(self) -> frozenset[int]:
        return frozenset(at for at, _ in self._cue_at)

    def features(self, at: int, last: int) -> list[str]:
        """What the word is like where it stands. `last`: the number of the last secret word before it."""
        return [feature for part in self.parts(at, last) for feature in features_of(part)]

    def parts(self, at: int, last: int) -> list[tuple[str, ...]]:
        """The same in parts, which come again in other places more often than the whole."""
        start, end = self.words[at]
        taken = str(last == at - 1)
        word = self.text[start:end]
        kind = f"k {kind_of(word)}"
        before = self._small[at - 1] if at else "^"
        earlier = self._small[at - 2] if at > 1 else "^"
        after = self._small[at + 1] if at + 1 < len(self._small) else "$"
        left = self._gap(self.words[at - 1][1] if at else 0, start)
        right = self._gap(end, self.words[at + 1][0] if at + 1 < len(self.words) else len(self.text))
        near, ahead = self._nearest(at)
        line = self._lines[at]
        label = self._label(at)
        alone = (not at or self._lines[at - 1] < line) and (at + 1 == len(self.words) or self._lines[at + 1] > line)
        return [
            ("own", word),
            ("path", self._is_in_path(start, end), kind),
            ("before", before, earlier, kind),
            ("after", after, before, kind),
            ("gaps", left, right, before, kind),
            ("near", near, left, before, kind),
            ("ahead", ahead, after, near, kind),
            ("label", label, near[:6], left, kind),
            ("given", self._given(at, last), near[:6], left, label, kind),
            ("alone", str(alone), near, kind),
            ("taken", taken, before, left, right, kind),
        ]

    def _is_in_path(self, start: int, end: int) -> str:
        """How many slashes the run of signs has in which the word stands, and whether it begins with one."""
        first = max(self.text.rfind(" ", 0, start), self.text.rfind("\n", 0, start)) + 1
        stop = _BLANK.search(self.text, end)
        run = self.text[first : stop.start() if stop else len(self.text)]
        return (
            f"{min(run.count('/'), 3)} {run[:1] if run[:1] in '/~.$' else ''} {'://' in run:d}" if "/" in run else "-"
        )

    @cached_property
    def _other_words(self) -> list[int]:
        return [at for at, small in enumerate(self._small) if small in other_words()]

    def _label(self, at: int) -> str:
        """How far before it a word stands that says who, where or which, and whether it is nearer than the cue."""
        number = bisect_left(self._other_words, at) - 1
        if number < 0 or self._lines[self._other_words[number]] != self._lines[at]:
            return "-"
        place = self._other_words[number]
        cue = self._cue_before(at)
        return f"{_far(at - place)} {place > cue:d}{place == cue:d}"

    def _given(self, at: int, last: int) -> str:
        """Whether the cue before it has its secret already."""
        if last < 0:
            return "-"
        cue = self._cue_before(at)
        return f"{last > cue:d} {min(self._lines[at] - self._lines[last], 2)} {_far(at - last)}"

    def _gap(self, start: int, end: int) -> str:
        """The signs between two words, blanks as one."""
        return _squeeze(self.text[start:end])

    def _nearest(self, at: int) -> tuple[str, str]:
        """The nearest cue before the word and behind it: its kind, how far, and whether a joint is between."""
        near, ahead = "-", "-"
        behind = bisect_right(self._cue_numbers, at)
        if behind:
            number, kind = self._cue_at[behind - 1]
            lines = self._lines[at] - self._lines[number]
            joint = _JOINT.search(self.text, self.words[number][1], self.words[at][0]) is not None
            near = f"{kind} {_far(at - number)} {min(lines, 3)} {joint:d}"
        if behind < len(self._cue_at):
            number, kind = self._cue_at[behind]
            ahead = f"{kind} {_far(number - at)} {min(self._lines[number] - self._lines[at], 2)}"
        return near, ahead

    def _cue_before(self, at: int) -> int:
        """The number of the word with the last cue before it; -1 without one."""
        behind = bisect_left(self._cue_numbers, at)
        return self._cue_numbers[behind - 1] if behind else -1


_FEATURES = {
    "path": ("bias", "p {0}", "pk {0} {1}"),
    "before": ("b {0}", "b2 {1} {0}", "bk {0} {2}", "e2 {1}"),
    "after": ("a {0}", "ak {0} {2}", "ba {1} {0}"),
    "gaps": ("l {0}", "lk {0} {3}", "lb {0} {2}", "r {1}", "rk {1} {3}", "lr {0} {1}"),
    "near": ("n {0}", "nk {0} {3}", "nl {0} {1}", "nb {0} {2}"),
    "ahead": ("f {0}", "fk {0} {3}", "fa {0} {1}", "nf {2} {0}"),
    "label": ("h {0}", "hk {0} {3}", "hn {0} {1}", "hl {0} {2}"),
    "given": ("g {0}", "gk {0} {4}", "gn {0} {1}", "gl {0} {2}", "gh {0} {3}"),
    "alone": ("o {0} {1}", "ok {0} {2} {1}"),
    "taken": ("t {0}", "tk {0} {4}", "tb {0} {1}", "tl {0} {2}", "tr {0} {3} {4}"),
}


def features_of(part: tuple[str, ...]) -> tuple[str, ...]:
    """What a part says: its name, and what stands in the places of the features that are called so."""
    name, *said = part
    return _own(said[0]) if name == "own" else tuple(each.format(*said) for each in _FEATURES[name])


def is_shaped(word: str) -> bool:
    """Whether it is no plain word and no bare number."""
    return not word.isdigit() and any(map(str.isdigit, word))


@lru_cache(maxsize=8192)
def is_usual(word: str) -> bool:
    small = word.lower()
    return small in ordinary_words() or small in common_words() or small.encode("utf-8", "replace") in sentence_words()


@lru_cache(maxsize=4096)
def _squeeze(gap: str) -> str:
    lines = gap.count("\n")
    signs = "".join(gap.split())[:6]
    return f"{'~' * min(lines, 2)}{signs}" or "_"


@lru_cache(maxsize=8192)
def _as_neighbour(word: str) -> str:
    small = word.lower()
    if small[0] == _MASKED:
        return "<alnum>"
    if small[0] >= "\u0e00" and not small[0].isascii():
        return small[-2:]
    if len(small) <= 16 and _LETTERS.fullmatch(small.replace("'", "").replace("’", "")):
        return small.replace("’", "'")
    return f"<{kind_of(word)}>"


def _far(words: int) -> str:
    return str(words) if words < 4 else "4" if words < 6 else "6" if words < 10 else "10"
