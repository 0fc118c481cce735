"""Secrets in prose, as people type them to each other and to an agent: the judgement is learnt, not listed.

Tables of sentences (`speech.py`, `clauses.py`, `talk.py`) know how languages say a password; people say it in ways
that no table has. Here each word near a cue gets a score: the sum of the weights of what it is like and where it stands
(`passages.py`). `python -m bench.secret_training` makes the weights from texts in which secrets were marked by reading.
Never in code.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from zlib import crc32

from baton.adapters.redaction.cue_places import is_no_cue
from baton.adapters.redaction.layer import Anchor, Hit, word_anchors
from baton.adapters.redaction.lookalikes import is_example, is_ours, names_a_person
from baton.adapters.redaction.passages import MASKED, Passage, features_of, is_shaped
from baton.adapters.redaction.phrases import is_of_words
from baton.adapters.redaction.rules_file import CLAUSES, CODES, cue_words, further_nouns, speech, table
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import (
    CODE_AROUND,
    LEAST_LIKENESS,
    MOST_ASKED,
    MOST_ASKED_LATE,
    MOST_LINES_BELOW,
    MOST_PASSAGES,
    PASSAGE_AHEAD,
    PASSAGE_BACK,
)
from baton.adapters.redaction.typed import is_code, is_typed
from baton.adapters.redaction.work import Work

KIND, PIN = "password", "pin"
BUCKETS = 1 << 16
SCALE = 24.0
"""A stored weight of 24 is 1.0."""
_FEWEST = 3
"""Different signs of a secret."""
_FILE = Path(__file__).with_name("rules") / "prose.bin"


class ProseLayer:
    def anchors(self) -> Sequence[Anchor]:
        return word_anchors(cue_kinds())

    def kinds(self) -> Iterable[str]:
        return (KIND, PIN)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        """Of so many passages and words. What is behind them is left to the tables of sentences, whose looks are
        counted: this layer finds more than they do, and cuts nothing unread. Where all goes unread there is nothing to
        find.
        """
        seen: dict[bytes, list[tuple[int, int, str]]] = {}
        left_out: set[bytes] = set()
        asked, late = 0, work.is_spent
        for start, end, cues in passages_of(data, sorted({end for _, end in hits})):
            around = data[start:end]
            if work.leaves_unread(start, end):
                left_out.add(around)
                continue
            if around not in seen:
                if len(seen) + len(left_out) >= MOST_PASSAGES or asked >= (MOST_ASKED_LATE if late else MOST_ASKED):
                    return
                seen[around] = []
                speaking = [cue - start for cue in cues if not is_no_cue(data, cue)]
                if not speaking:
                    continue
                read = passage(around, speaking)
                code = data[max(0, start - CODE_AROUND) : end + CODE_AROUND]
                if is_prose(around, code, read.kinds):
                    seen[around] = list(_secrets(read))
                    asked += read.asked
            for first, last, kind in seen[around]:
                if not names_a_person(data, start + first):
                    yield Span(start + first, start + last, CONTEXT, kind)


_SHAPED = re.compile(
    rb"[0-9]{4}|[A-Za-z\x80-\xff][0-9!#$%&*+?^~@][\w!#$%&*+?^~@]|[0-9][A-Za-z]{2}|[a-z][A-Z]|[a-z][-_.][A-Z0-9]"
    rb"|[0-9] [0-9]"
)
_BLANK = re.compile(rb"\s")
_ABOUT = re.compile(rb"(?i).*[-_.](?:keys?|tokens?|secrets?|passw(?:or)?ds?|passwd|pass|pwd|credentials?|auth|pw)")
"""`mail-key`: what something secret is called."""
_CUT = re.compile(MASKED)
_NAMED_SO = re.compile(
    r"(?i)(?:passw(?:or)?d|passwort|passphrase|pass|pwd|pw|kennwort|pin|secret|token)[-_](?=[^\s]{4})"
)
"""A branch or a file that is called after what it holds: `password-Bramble77`."""
_PROTOCOL = re.compile(
    r"(?i)(?:socks|ipv?|https?|http/|h|tls|ssl|dtls|smbv?|nfsv?|cifs|imap|pop|ntlmv?|snmpv?|ldapv?|sshv?|ftp|mqttv?|amqp|wpa|wep|usb|oauth|oidc|saml|krb|kerberos|pkcs|eap)[0-9](?:\.[0-9])?[ah]?"
)
"""`SOCKS5`, `IPv6`, `HTTP2`: where credentials are sent, and no credentials."""
_POSSESSIVE = re.compile(r"([A-Za-z][A-Za-z-]*[0-9]{0,2})['\u2019]s (\S{0,16})")
_AFTER_IS = frozenset(
    (
        *("the", "my", "our", "your", "his", "her", "their"),
        *("it", "what", "not", "still", "now", "correct", "right", "a"),
    )
)
"""Behind these `'s` says `is`: `otter82's the password`."""
_PASSED = re.compile(r"(?i)\bpass(?:es|ed|ing)?\s+(?:the\s+)?[`\w]{2,20}\s+to\s+`?\Z")
_PASSED_BACK = 48
_FUNCTION = re.compile(r"[a-z]+(?:_[a-z]+)+")
"""`Pass pwd to get_root`: what is called with it."""
_IS = re.compile(r"(?i)(?:[:=>]|\b(?:is|was|be|to|use|try))[ \t]*[\"'“„«]?\Z")
"""What gives a value; behind it a possessive may begin a phrase."""
_ITEM = re.compile(r"\n\n[ \t]*[A-Z]{1,4}-?[0-9]{1,3}:[ \t]+")
"""`R5: …`, as documents number what they ask for."""
_NICK = re.compile(rb"(?m)^[^<\n]{0,24}<[@+%~]?[\w|-]{1,24}>|[-=]>")


def is_prose(around: bytes, wider: bytes, cues: Iterable[str]) -> bool:
    """Whether the passage may hold a secret and is no code. Names of speakers and arrows are no code here."""
    if WEAK.issuperset(cues) and not _SHAPED.search(around):
        return False
    return not is_code(_NICK.sub(b"", wider) if b">" in wider else wider)


WEAK = frozenset(("login",))


def passages_of(data: bytes, ends: Sequence[int]) -> Iterator[tuple[int, int, list[int]]]:
    """Stretches around cues: each with the cues in it. They do not overlap."""
    done = 0
    at = 0
    while at < len(ends):
        cue = ends[at]
        start = max(done, cue - PASSAGE_BACK, data.rfind(b"\n", max(0, cue - PASSAGE_BACK), cue) + 1)
        end = _end(data, cue)
        inside = [cue]
        while at + 1 < len(ends) and ends[at + 1] <= end and ends[at + 1] - start < PASSAGE_BACK + PASSAGE_AHEAD:
            at += 1
            inside.append(ends[at])
        start, end = _whole_words(data, start, min(_end(data, inside[-1]), start + PASSAGE_BACK + 2 * PASSAGE_AHEAD))
        at += 1
        if end > start:
            yield start, end, inside
            done = end


def _whole_words(data: bytes, start: int, end: int) -> tuple[int, int]:
    """Without a part of a word at either end."""
    if start and not data[start - 1 : start].isspace():
        found = _BLANK.search(data, start, end)
        start = found.end() if found else end
    if end < len(data) and not data[end - 1 : end].isspace():
        end = max(start, data.rfind(b" ", start, end), data.rfind(b"\n", start, end))
    return start, end


def _end(data: bytes, cue: int) -> int:
    """Behind the lines that may hold the answer."""
    last = cue
    for _ in range(MOST_LINES_BELOW + 1):
        line = data.find(b"\n", last, cue + PASSAGE_AHEAD)
        if line < 0:
            return min(len(data), cue + PASSAGE_AHEAD)
        last = line + 1
    return last


def passage(around: bytes, cues: Iterable[int]) -> Passage:
    text = around.decode("utf-8", "surrogateescape")
    if len(text) == len(around):
        places = list(cues)
    else:
        places = [len(around[:cue].decode("utf-8", "surrogateescape")) for cue in cues]
    kinds = {place: _kind_before(text[max(0, place - 24) : place]) for place in places}
    return Passage(text, kinds, leads())


@lru_cache(maxsize=4096)
def _kind_before(text: str) -> str:
    small = text.lower()
    known = cue_kinds()
    return next((known[small[at:]] for at in range(len(small)) if small[at:] in known), "pw")


def _secrets(read: Passage) -> Iterator[tuple[int, int, str]]:
    text = read.text
    code = all(kind == "pin" for kind in read.kinds)
    given = [each.end() for each in _CUT.finditer(text)] if "[*" in text else []
    for first, last in read.secrets(weight_of, LEAST_LIKENESS * SCALE):
        if _is_named_there(read, first, last):
            continue
        if is_shaped(text[first:last]):
            given.append(last)
        elif _has_its_secret(read, given, first):
            continue
        if named := _NAMED_SO.match(text, first, last):
            first = named.end()
        value = text[first:last].encode("utf-8", "surrogateescape")
        if _may_be_value(value) or (value.isdigit() and len({*value}) > 1 and read.answers(first)):
            start = len(text[:first].encode("utf-8", "surrogateescape"))
            yield start, start + len(value), PIN if code or not any(map(str.isalpha, text[first:last])) else KIND


def _has_its_secret(read: Passage, given: Iterable[int], first: int) -> bool:
    """Whether a secret ends before the place and nothing asks for another one in between."""
    ended = max((end for end in given if end <= first), default=None)
    return ended is not None and not read.has_cue(ended, first)


def _is_named_there(read: Passage, first: int, last: int) -> bool:
    """Whether it is a protocol, what something is passed to, whose something is, or the title of a numbered item below
    a paragraph that only speaks of secrets: where the paragraph ends with the word for them, it is their heading.
    """
    text = read.text
    if _PROTOCOL.fullmatch(text, first, last):
        return True
    if _PASSED.search(text[max(0, first - _PASSED_BACK) : first]) and _FUNCTION.fullmatch(text, first, last):
        return True
    owner = _POSSESSIVE.match(text, first)
    if (
        owner is not None
        and owner.end(1) <= last
        and owner[2].lower() not in _AFTER_IS
        and not _IS.search(text[max(0, first - 12) : first])
    ):
        return True
    item = text.rfind("\n\n", 0, first)
    if item <= 0 or text[item - 1] != "." or _ITEM.fullmatch(text, item, first) is None:
        return False
    return any(map(str.isalpha, text[read.last_cue(item) : item]))


def _may_be_value(value: bytes) -> bool:
    if len(set(value)) < _FEWEST or is_example(value) or is_ours(value) or _ABOUT.fullmatch(value):
        return False
    if b" " in value:
        return value.replace(b" ", b"").isdigit() or is_of_words(value)
    return not value.isascii() or is_typed(value) or not value.rstrip(b"!?").isalpha()


@lru_cache(maxsize=1 << 15)
def weight_of(part: tuple[str, ...]) -> int:
    """Of all that a part says of a word."""
    weights = _weights()
    return sum(weights[bucket(feature)] for feature in features_of(part))


def bucket(feature: str) -> int:
    return crc32(feature.encode("utf-8", "surrogatepass")) % BUCKETS


@cache
def cue_kinds() -> dict[str, str]:
    """Every cue in small letters, and what it speaks of."""
    nouns = {noun.lower(): "pw" for each in speech() for noun in each.nouns} | dict.fromkeys(further_nouns(), "pw")
    pins = {word.lower(): "pin" for kind in ("word", "mixed") for word in table(CODES, kind)}
    return {**cue_words(), **pins, **nouns}


@cache
def leads() -> frozenset[str]:
    """Words right before a plain word that may be a secret."""
    said = {word.lower() for each in speech() for word in (*each.copulas, *each.verbs, *each.as_words) if word != "-"}
    return frozenset((said | table(CLAUSES, "lead") | table(CLAUSES, "change") | _MORE_LEADS) - {"the", "a", "in"})


_MORE_LEADS = frozenset(
    (
        *("is", "was", "are", "be", "use", "using", "with", "type", "typed", "enter", "entered", "say", "says", "said"),
        *("answer", "to", "as", "not", "now", "or", "and", "just", "try", "tried", "found", "called", "literally"),
        *("actually", "usual", "set", "did", "works", "has", "have", "for", "then", "guess", "word", "it", "its"),
        "it's",
    )
)


@cache
def _weights() -> array[int]:
    return array("b", _FILE.read_bytes())
