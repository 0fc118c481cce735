"""Passwords as people say them, in twenty-five languages: `the password is X`, `use X as the password`, `X is …`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from baton.adapters.redaction.chosen_tokens import is_note_with_hyphens
from baton.adapters.redaction.clauses import later_passwords
from baton.adapters.redaction.layer import Anchor, Hit, longest_first, word_anchors
from baton.adapters.redaction.lookalikes import is_expression, may_be_variable
from baton.adapters.redaction.programs import is_expression_in_program
from baton.adapters.redaction.rules_file import Speech, ordinary_words, sentence_words, speech
from baton.adapters.redaction.span import CONTEXT, Span
from baton.adapters.redaction.thresholds import LONGEST_TYPED, SHORTEST_NUMBER_ALONE, SPEECH_AHEAD, SPEECH_BACK
from baton.adapters.redaction.typed import in_code, is_phrase, is_typed
from baton.adapters.redaction.work import Work

KIND, TOKEN_KIND = "password", "secret"
_OPEN = (
    rb"""(?:\*\*|__|["'`(\xab]|\xc2\xab(?:[ ]|\xc2\xa0|\xe2\x80\xaf)?|\xe2\x80[\x98-\x9f]|\xe3\x80[\x8c\x8e]"""
    rb"""|\xef\xbc\x82){0,2}"""
)
_CLOSE = rb"""(?:\*\*|__|["'`)]|\xc2\xbb|\xe2\x80[\x98-\x9f]|\xe3\x80[\x8d\x8f])"""
_SIGN = rb"(?:[:=]|\xef\xbc[\x9a\x9d]|-{1,2}>|=>|\xe2\x86\x92|\xe2\x80[\x93\x94]|[ \t]-)"
_FOR = (
    rb"(?:for|of|on|to|from|in|at|von|f\xc3\xbcrs?|vom|zum|des|der|pour|du|de|des|del|della|di|do|da|dos|para|van|voor|do|dla|"
    rb"\xd0\xbe\xd1\x82|\xd0\xb4\xd0\xbb\xd1\x8f|\xd0\xba|\xd0\xb2\xd1\x96\xd0\xb4|f\xc3\xb6r|till|til|na|k|pro|c\xe1\xbb\xa7a|untuk)"
)
_ALONE = rb"[Uu]ser|root|admin|itself|ab|seit|nov[ao]|nuev[ao]|nouveau|nuova|nieuwe|actual"
_GAP = rb"(?:[ \t](?:" + _FOR + rb"[ \t]|(?:" + _ALONE + rb")[ \t]?)[^\n:=.;|]{0,32}?)??"
_TAIL = b".,;:)]}>|\\"
_GRAPHIC = re.compile(rb"(?![,;:)\]}])[!-~]++")
_VALUE = re.compile(rb"""[^\s"'`<>|,;:=)\]}][^\s"'`<>|]*+""")
_SMALL_WORD = re.compile(rb"[ \t]+([^\s.,;:!?)]+)")
_GOES_ON = frozenset(
    word.encode()
    for line in (
        "for on at and but then so please since until from here there now when if to - – || && | > >> < ( \\",
        "für auf und aber geändert gesetzt pour sur et para en y per su e voor op do na i de del du di da для на и от",
        "som till ve ile kullan yap",
        "btw fyi ok today again lol thx thanks as per works dont don't",
    )
    for word in line.split()
)
_ENDS = re.compile(rb"""[ \t]*(?:$|[\r\n.,;:!?)\]}|*"'`]|\\n|\xe3\x80\x82|\xef\xbc[\x8c\x81])""")
_CHANGED = re.compile(
    "(?i)chang|rotat|reset|updat|switch|geändert|umgestellt|cambi|mud|gewijzigd|zmieni|změni|смен|помен".encode()
)
_CJK = ("chinese", "japanese", "korean", "thai")


def _bytes(words: Iterable[str]) -> bytes:
    return b"|".join(re.escape(word.encode()) for word in sorted(words, key=longest_first))


_OTHER_IN_CODE = (b"ww", b"the pass")
"""Weeks, in a program's table of dates; what a renderer or a compiler does once."""


def _is_assigned(data: bytes, end: int) -> bool:
    """Whether a value is given to the word there, which other layers read."""
    return _ASSIGNED.match(data, end, end + 4) is not None and data[max(0, end - 10) : end].lower().endswith(
        _EVERYWHERE
    )


class SpeechLayer:
    """Anchored at the word for a password; what stands before and after it is read once."""

    def anchors(self) -> Sequence[Anchor]:
        return word_anchors(noun for each in self._languages for noun in _spellings(each))

    def kinds(self) -> Iterable[str]:
        return (KIND, TOKEN_KIND)

    def spans(self, data: bytes, hits: Sequence[Hit], work: Work) -> Iterator[Span]:
        done = 0
        seen: dict[tuple[bytes, bytes], list[Span]] = {}
        ends = sorted({end for _, end in hits})
        yield from later_passwords(data, ends, work)
        for at, end in enumerate(ends):
            if work.is_spent:
                work.leave((end for end in ends[at:] if not _is_assigned(data, end)), lines=1)
                return
            if _is_assigned(data, end):
                continue
            key = (data[max(0, end - SPEECH_BACK) : end], data[end : end + SPEECH_AHEAD])
            if key not in seen:
                if not work.allows(end, lines=1):
                    continue
                seen[key] = [
                    each._replace(start=each.start - end, end=each.end - end) for each in self._read(data, end)
                ]
            for each in seen[key]:
                if each.start + end >= done:
                    done = each.end + end
                    if not is_expression_in_program(data, each.start + end, done):
                        yield each._replace(start=each.start + end, end=done)

    def _read(self, data: bytes, end: int) -> Iterator[Span]:
        """The same words around the same noun are read once: places count from its end."""
        before = data[max(0, end - SPEECH_BACK) : end]
        noun = self._noun_at_the_end_of(before)
        if not noun or (noun.lower() in _OTHER_IN_CODE and in_code(data, end)):
            return
        found = self._around(data, before, noun, end)
        if (noun.lower() if noun.isascii() else noun) not in self._keys:
            yield from found
            return
        for span in found:
            value = data[span.start : span.end]
            usual = value.lower().decode("utf-8", "replace") in ordinary_words()
            if not usual and not is_note_with_hyphens(value) and not (b" " in value and in_code(data, span.start)):
                yield span._replace(kind=TOKEN_KIND)

    def _around(self, data: bytes, before: bytes, noun: bytes, end: int) -> Iterator[Span]:
        names = self._speakers[noun.lower() if noun.isascii() else noun]
        after = data[end : end + SPEECH_AHEAD]
        yield from self._after(data, end, after, names)
        if not before[: -len(noun)].strip() or _compound(after):
            return
        yield from self._before(data, end - len(noun), names)

    def _after(self, data: bytes, end: int, after: bytes, names: Sequence[Speech]) -> Iterator[Span]:
        """`the password for bob is X`, `from X to Y`."""
        if not _MAY_FOLLOW.match(after):
            return
        for language in names:
            for form in self._forms(language).after:
                found = form.match(after)
                if found is None:
                    continue
                first = end + found.end()
                sign = found.group("sign")
                cjk = language.name in _CJK
                told = bool(sign or found.group("is")) or (
                    "-" in language.copulas and (cjk or _is_foreign_there(data, first))
                )
                taken = _take(data, first, told=told, cjk=cjk, quoted=bool(found.group("open")))
                if taken is None or _is_meant_otherwise(data, end, first, taken, found, language.name):
                    continue
                yield Span(first, taken, CONTEXT, KIND)
                return
        for language in names:
            moved = self._forms(language).moved
            found = moved.match(after) if moved else None
            if found is None:
                continue
            sure = _CHANGED.search(data[max(0, end - SPEECH_BACK) : end + SPEECH_AHEAD]) is not None
            for group in (1, 2):
                value = found.group(group).rstrip(_TAIL)
                if is_typed(value, plain=sure) or is_phrase(value):
                    yield Span(end + found.start(group), end + found.start(group) + len(value), CONTEXT, KIND)
            return

    def _before(self, data: bytes, start: int, names: Sequence[Speech]) -> Iterator[Span]:
        """`use X as the password`, `X is the password`."""
        first = max(0, start - SPEECH_BACK)
        before = data[first:start]
        before = before[before.rfind(b"\n") + 1 :]
        first = start - len(before)
        near = {word.strip(b"\"'`*").lower() for word in before.split()[-4:]}
        for language in names:
            joints = self._joints[language.name]
            if joints and joints.isdisjoint(near):
                continue
            for form in self._forms(language).before:
                found = form.search(before)
                if found is None:
                    continue
                value = found.group(1)
                if is_typed(value) or is_phrase(value):
                    yield Span(first + found.start(1), first + found.end(1), CONTEXT, KIND)
                    return

    @cached_property
    def _languages(self) -> tuple[Speech, ...]:
        return speech()

    @cached_property
    def _speakers(self) -> dict[bytes, list[Speech]]:
        held: dict[bytes, list[Speech]] = {}
        for each in self._languages:
            for noun in _spellings(each):
                held.setdefault(noun.lower().encode() if noun.isascii() else noun.encode(), []).append(each)
        for noun in _EVERYWHERE:
            held[noun] = [self._languages[0], self._abroad]
        return held

    @cached_property
    def _keys(self) -> frozenset[bytes]:
        """Nouns that mean a token, as `_speakers` spells them: a word of technical text beside them is none."""
        spelled = (noun for each in self._languages for noun in _spellings(each, each.keys))
        return frozenset(noun.lower().encode() if noun.isascii() else noun.encode() for noun in spelled)

    @cached_property
    def _abroad(self) -> Speech:
        """Every other language at once, for its sentences with an English word."""
        others = self._languages[1:]
        return Speech(
            "abroad",
            (),
            tuple(
                {word for each in others for word in each.copulas if len(word.encode()) > 2 or word in _SHORT_COPULAS}
            ),
            tuple({word for each in others for word in each.as_words}),
            tuple({word for each in others for word in each.verbs}),
            (),
            tuple({word for each in others for word in each.more}),
        )

    def _noun_at_the_end_of(self, before: bytes) -> bytes:
        """The longest one; empty if a letter or a sign of code stands before it."""
        for length in self._lengths.get(before[-1:].lower(), ()):
            noun = before[-length:]
            if len(noun) == length and (noun.lower() if noun.isascii() else noun) in self._speakers:
                return b"" if noun.isascii() and before[-length - 1 : -length] in _PART_OF_A_NAME else noun
        return b""

    @cached_property
    def _lengths(self) -> dict[bytes, list[int]]:
        """By a noun's last byte, the longest first."""
        held: dict[bytes, set[int]] = {}
        for noun in self._speakers:
            held.setdefault(noun[-1:], set()).add(len(noun))
        return {last: sorted(lengths, reverse=True) for last, lengths in held.items()}

    @cached_property
    def _joints(self) -> dict[str, frozenset[bytes]]:
        """One of these stands shortly before the noun in `use X as the …` and `X is the …`; empty: no blanks there."""
        return {
            each.name: frozenset()
            if each.name in _CJK
            else frozenset(word.split()[-1].encode() for word in (*each.copulas, *each.as_words))
            for each in (*self._languages, self._abroad)
        }

    def _forms(self, each: Speech) -> _Forms:
        """Compiled when a language is first heard: all of them take half a second."""
        if each.name not in self._compiled:
            self._compiled[each.name] = _forms(each)
        return self._compiled[each.name]

    @cached_property
    def _compiled(self) -> dict[str, _Forms]:
        return {}


_ASSIGNED = re.compile(rb"[ \t]?[=:][ \t]?[A-Za-z0-9]")
"""What `assignments` reads."""
_MAY_FOLLOW = re.compile(rb"""["'`*_)\]]{0,3}+(?:[ \t]|[:=]|-|\xe2|[\x80-\xff]|$)""")
_PART_OF_A_NAME = frozenset(
    bytes([byte]) for byte in b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$/+-"
)
_SHORT_COPULAS = ("es", "er", "je", "é", "è")
"""Those that are no word of English."""
_EVERYWHERE = (b"password", b"passphrase", b"pwd", b"pw")


def _spellings(each: Speech, nouns: Iterable[str] = ()) -> Iterator[str]:
    """Nouns as written, at the beginning of a sentence and in capitals; of ASCII ones case does not matter."""
    for noun in nouns or (*each.nouns, *each.keys):
        yield from {noun} if noun.isascii() else {noun, noun[:1].upper() + noun[1:], noun.upper()}


class _Forms(NamedTuple):
    """What may stand after the noun, in the order in which it is tried; `from … to`; what may stand before it."""

    after: tuple[re.Pattern[bytes], ...]
    moved: re.Pattern[bytes] | None
    before: tuple[re.Pattern[bytes], ...]


_SHUT = rb"""["'`*_)\]]{0,3}"""
_WORDS = rb"""["'`*]{0,2}([^\s"'`]{1,64}(?: [a-z0-9]{1,16}){0,6}?)["'`*]{0,2}"""
_OUR = (
    rb"(?i:the|my|our|your|his|her|their|das|mein|unser|dein|le|la|notre|mon|votre|il|lo|het|mijn|ons|o|a|minha|sua|mi"
    rb"|nuestra|tu)"
)


def _forms(each: Speech) -> _Forms:
    """Bounded everywhere, so that no text can make them slow."""
    said = _bytes(word for word in each.copulas if word != "-") or rb"(?!)"
    blank = rb"[ \t]{0,2}" if each.name in _CJK else rb"[ \t]{1,3}"
    opened = rb"[*_]{0,2}[ \t]?(?P<open>" + _OPEN + rb")"
    sign = rb"[ \t]{0,4}(?P<sign>" + _SIGN + rb")[ \t]{0,4}"
    apart = rb"[ \t]{0,3}" if each.name in _CJK else rb"[ \t]{1,3}"
    more = _bytes(each.more) or rb"(?!)"
    later = rb"(?:(?i:" + more + rb"):?" + blank + rb")?"
    copula = apart + rb"(?P<is>(?:(?i:" + said + rb"):?" + blank + rb"){1,2}" + later + rb")"
    how = rb"(?:[ \t]\(?(?i:" + more + rb")\)?(?=[\s:=]|\xef|\xc2)){0,2}"
    told = re.compile(_SHUT + how + _GAP + _SHUT + rb"(?:" + sign + rb"|" + copula + rb")" + opened)
    bare = re.compile(blank + rb"(?P<sign>)(?P<is>)" + opened)
    is_the = re.compile(
        rb"""(?:^|[.;:!?(][ \t]{0,3}|[-*>]\s|["'`])"""
        + _WORDS
        + rb"\s(?i:"
        + said
        + rb")\s"
        + _OUR
        + rb"(?:\s[a-z-]{1,12}){0,2}\s\Z"
    )
    before = () if each.name in _CJK else (is_the,)
    after = (told,) if each.name == "abroad" else (told, bare)
    return _Forms(after, _moved(each), (*_uses(each), *before))


def _moved(each: Speech) -> re.Pattern[bytes] | None:
    if not each.moves:
        return None
    one = re.escape(each.moves[0][0].encode())
    two = _bytes(second for _, second in each.moves)
    return re.compile(
        _GAP + rb"\s(?i:" + one + rb")\s+" + _WORDS + rb"\s+(?i:" + two + rb")\s+[\"'`]?([^\s\"'`]{1,64})"
    )


def _uses(each: Speech) -> Iterator[re.Pattern[bytes]]:
    if each.as_words and each.verbs:
        gap = rb"[ \t]{0,3}" if each.name in _CJK else rb"[ \t]{1,3}"
        verbs, as_ = _bytes(each.verbs), _bytes(each.as_words)
        yield re.compile(
            rb"(?:^|[^A-Za-z])(?i:"
            + verbs
            + rb")"
            + gap
            + _WORDS
            + gap
            + rb"(?:"
            + as_
            + rb")(?:\s[^\s.,;:]{1,8}){0,2}[ \t]{0,2}\Z"
        )


def _take(data: bytes, first: int, *, told: bool, cjk: bool, quoted: bool) -> int | None:
    """Where the password that begins at `first` ends; None if it is none."""
    found = (_GRAPHIC if cjk else _VALUE).match(data, first, first + 2 * LONGEST_TYPED)
    if found is None:
        found = _NUMBERED.match(data, first, first + 2 * LONGEST_TYPED) if cjk and told else None
        return found.end() if found and _ENDS.match(data, found.end()) else None
    end = found.end()
    while end > first and data[end - 1] in _TAIL:
        end -= 1
    while quoted and end > first and data[end - 1] in b"*_\"'`":
        end -= 1
    if b";" in data[first:end] and (part := _NEXT_PART.search(data, first, end)):
        end = part.start()
    if quoted and (shut := _GUILLEMET.search(data, first, end)):
        end = shut.start()
    value = data[first:end]
    if not told and not any(0x30 <= byte <= 0x39 for byte in value):
        return None
    if not told and value.isdigit():
        alone = len(value) >= SHORTEST_NUMBER_ALONE and (_is_no_count(value) or _LINE_ENDS.match(data, end))
        return end if alone and is_typed(value) else None
    if told and (phrase := _phrase(data, first, cjk)) > end and not _is_shown_first(data, first, end, phrase):
        return phrase
    ends = _is_end(data, end) or (cjk and data[end : end + 2].lstrip()[:1] >= b"\x80")
    if value.isdigit() and not (ends or _is_no_count(value)):
        return None
    return end if is_typed(value, plain=told and (ends or quoted)) else None


def _is_shown_first(data: bytes, first: int, end: int, last: int) -> bool:
    """Whether a mix stands before plain words: it is the password, and they go on with the sentence."""
    return _DIGIT.search(data, first, end) is not None and _DIGIT.search(data, end, last) is None


_DIGIT = re.compile(rb"[0-9]")


def _is_no_count(value: bytes) -> bool:
    """Whether a number is too long, and not round enough, for one of characters or days."""
    return len(value) >= SHORTEST_NUMBER_ALONE and not value.endswith(b"00")


_NUMBERED = re.compile(rb"(?:[\xe3-\xed][\x80-\xbf]{2}){1,8}[0-9]{2,8}")
"""A word without blanks around it shows itself by its number, with nothing behind it that is counted."""
_LINE_ENDS = re.compile(rb"[ \t]*+(?:\r?\n|\Z)")
_NEXT_PART = re.compile(rb";[A-Za-z][\w ]{1,40}=")
"""Of a connection string."""
_GUILLEMET = re.compile(rb"(?:\xc2\xa0|\xe2\x80\xaf)?\xc2\xbb")


def _is_foreign_there(data: bytes, first: int) -> bool:
    """Whether the rest of the clause is ASCII. Without a verb or a sign the language's own words speak about the
    password: `пароль устарел`.
    """
    clause = _CLAUSE.match(data, first, first + SPEECH_AHEAD)
    return clause is not None and clause.group().isascii()


_CLAUSE = re.compile(rb"[^\n.,;:!?)\"'`|<\\]*+")


def _phrase(data: bytes, first: int, cjk: bool) -> int:
    line = re.compile(rb"[ -~]{0,160}" if cjk else rb"[^\n.,;:!?)\"'`|<\\]{0,160}").match(data, first)
    said = line.group().rstrip() if line else b""
    said = re.split(rb"[.,;:!?)\"'`|<]|\s-", said, maxsplit=1)[0].rstrip()
    return first + len(said) if is_phrase(said) else first


def _is_end(data: bytes, end: int) -> bool:
    if _ENDS.match(data, end):
        return True
    word = _SMALL_WORD.match(data, end, end + 24)
    return word is not None and word.group(1).lower() in _GOES_ON


def _may_be_code(value: bytes) -> bool:
    plain = value.isalpha() or value.isdigit() or is_phrase(value)
    return plain or may_be_variable(value) or is_expression(value)


_SETS = re.compile(rb"(?i)chang|rotat|reset|updat|switch|\bset|assign|correct|\bmov")


def _is_meant_otherwise(data: bytes, end: int, first: int, taken: int, found: re.Match[bytes], language: str) -> bool:
    """Whether the value is a variable of a program, or says what the password is for."""
    value = data[first:taken]
    if (found.group("sign") or is_expression(value)) and _may_be_code(value) and in_code(data, first):
        return True
    return language == "english" and _is_purpose(_line_before(data, end), found.group("is"), value)


def _line_before(data: bytes, end: int) -> bytes:
    before = data[max(0, end - SPEECH_BACK) : end]
    return before[before.rfind(b"\n") + 1 :]


_PLAIN_WORDS = re.compile(rb"[A-Za-z/ -]+|[A-Z]{2,8}[0-9]{1,3}|[a-z]+(?:_[a-z]+)+")


def _is_purpose(before: bytes, copula: bytes | None, value: bytes) -> bool:
    """Whether it is what a password is for: `the password to authenticate`, unless somebody changes one to that."""
    return (
        (copula or b"").strip().lower() == b"to"
        and _PLAIN_WORDS.fullmatch(value) is not None
        and _SETS.search(before) is None
    )


def _compound(after: bytes) -> bool:
    """Whether the noun is part of a longer one: `password manager`, `password_hash`."""
    word = _SMALL_WORD.match(after)
    if after[:1] in (b"-", b"_", b"'") or after[:1].isalnum():
        return True
    return word is not None and word.group(1).lower() not in _GOES_ON and word.group(1).lower() not in sentence_words()
