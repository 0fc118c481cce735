"""A question and its answer, read together: what makes the answer a secret stands in another message.

"What is the database password?" and then "Bramble77 thanks": neither message alone says that a secret was told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from baton.core.handoff.ledger.questions import find_question

SHORT_REPLY = 120
"""A longer reply says by itself what it is about."""
_LINES_BACK = 12
_REQUEST = re.compile(r"(?i)(?:please |now )?(?:give|send|paste|enter|type|tell|provide|share|i need|i'll need)\b")
_NOUN = r"(?:pass ?(?:word|phrase|code)|pin|token|(?:api|access|secret|private) key|secret|credential)s?"
_NEEDS = re.compile(
    rf"(?i)\b(?:needs?|wants?|requires?|asks? for|lacks?|without) (?:[\w'-]+ ){{0,4}}?{_NOUN}\b"
    rf"|\b{_NOUN}(?: (?:of|for|to|from) [^.,;]{{1,48}})? (?:is|are) (?:still )?(?:missing|needed|required)\b"
)
"""How what is missing is told: `The passphrase of the repository is missing.` Not `The login check is missing`. A reply
may also be about something else.
"""
_SHAPED = re.compile(r"(?=.*[0-9#$%&*+@^~=!]|.*\w-\w+-\w).{6,}")
_ASKING = ("?", ":", "：", "？", "؟")
_SENTENCE = re.compile(r"(?<=[.!?？。！؟])\s+|\n+")
_POLITE = re.compile(
    r"(?i)^(?:(?:it'?s|its|it is|that'?s|that is|sure|ok(?:ay)?|yes|use|try|here you go|here it is|there you go|here"
    r"|hi|hey|oh|ah|well|so|just|hmm+|um+|i think|i believe|maybe|probably|should be"
    r"|es ist|das ist|ja|klar|nimm|sí|si|es|claro|c'est|oui|voici|è|sì|ecco|é|sim|это|вот|да)\b[\s,:!.-]*)+"
    r"|[\s,;.!–—-]+(?:thanks?|thank you|thx|ty|cheers|please|pls|ok(?:ay)?|bitte|danke|gracias|merci|grazie|obrigad[oa]"
    r"|спасибо|dank(?: je)?|tack|takk|tak|kiitos|dziękuję|dzięki|teşekkürler|ありがとう|谢谢|감사합니다)\b.*$"
)
_WHICH = re.compile(r"(?i)(?:which|what(?!'|s\b| is\b| are\b| was\b| were\b))\s+((?:\S+\s*){1,4})")
"""What a question asks for, if it names it first."""
_SECRET = re.compile(
    r"(?i)pass ?(?:wor[td]|phrase|code)|passwd|passord|\bp(?:in|w|wd)\b|secret|token|credential|\b(?:key|code|login)\b"
    r"|kennwort|contraseñ|senha|mot de passe|пароль|密码|密碼|パスワード|비밀번호|hasło|heslo|wachtwoord|lösenord"
    r"|adgangskode|salasana|şifre|parola|jelsz|κωδικ|סיסמ|كلمة المرور|mật khẩu"
)
_OTHER_CODE = re.compile(
    r"(?i)\b(?:error|exit|status|return|response|http|zip|post(?:al)?|area|country|dial(?:l?ing)?|product|item|source|colou?r"
    r"|fehler|rückgabe|erreur|postale?|articolo|artículo|prodotto|produto)[ -]?(?:code|codes|key|código|codice)\b"
    r"|\bcode (?:review|base|line|postal|erreur|d'erreur)|\blines of code\b"
)
"""A question for a code that everybody may see."""
_ABOUT = re.compile(
    r"(?i)(?:where|when|who|whose|why|wo|wann|wer|warum|où|quand|dónde|cuándo|dove|quando|onde|где|когда|кто|hvor|waar|kde"
    r"|gdzie|nerede)\b"
)
"""How a question begins that asks for a place, a time, a person or a reason."""
_WHETHER = re.compile(r"(?i)(?:how|should|shall|do|does|did|is|are|was|has|have|will|would you like|soll|sollen)\b")
"""How one begins that asks for a yes, or for a way: not for the secret itself."""


def question_of(said: str, data: Mapping[str, Any]) -> str:
    """The last question, or the last line that ends as one: without its mark. One that a tool puts counts as said."""
    asked = [str(each) for call in data.get("calls") or () for each in _asked_by(call)]
    for text in (*reversed(asked), said):
        for line in reversed(text.rstrip().splitlines()[-_LINES_BACK:]):
            for part in reversed(_SENTENCE.split(line.strip("*_`> "))):
                if (last := part.strip("*_` ")).endswith(_ASKING):
                    return _with_its_noun(last.rstrip("?:：？؟ ").strip("*_` "), line)
    last = _SENTENCE.split(said.rstrip().rpartition("\n")[2])[-1]
    wanted = (_REQUEST.match(last) and _SECRET.search(last)) or _NEEDS.search(last)
    return last.rstrip(" .!") if wanted else ""


def _with_its_noun(asked: str, line: str) -> str:
    """`Could you send it` is about what the sentence before it names."""
    before = line.partition(asked)[0].strip()
    return f"{before} {asked}" if before and not _SECRET.search(asked) and _SECRET.search(before) else asked


def _asked_by(call: Any) -> Iterator[str]:
    if isinstance(call, dict):
        held = cast("dict[str, Any]", call)
        args = held.get("args")
        if isinstance(args, dict) and (asked := find_question(str(held.get("name")), cast("dict[str, Any]", args))):
            yield asked


def answers_within(data: Mapping[str, Any]) -> Iterator[str]:
    """Of a result that holds questions with their answers."""
    details = data.get("details")
    rows = cast("dict[str, Any]", details).get("answers") if isinstance(details, dict) else None
    for row in cast("list[Any]", rows) if isinstance(rows, list) else ():
        held = cast("dict[str, Any]", row) if isinstance(row, dict) else {}
        asked, told = str(held.get("question") or ""), str(held.get("answer") or "")
        if asked and told and len(told) <= SHORT_REPLY:
            yield from answered(asked.rstrip("?:：？؟ "), told)


def answered(asked: str, said: str) -> Iterator[str]:
    """A question and its answer as rules read them: in one line, as two, and without what is said around a value."""
    other = _WHICH.match(asked)
    if _ABOUT.match(asked) or (other and _SECRET.search(other.group(1)) is None):
        return
    yield f"{asked}: {said}"
    yield f"{asked}?\n{said}"
    first, *later = map(_bare, _SENTENCE.split(said.strip()))
    if first and first != said.strip():
        yield f"{asked}: {first}"
    if _SECRET.search(_OTHER_CODE.sub("", asked)) is None:
        return
    doubtful = _WHETHER.match(asked) or (_NEEDS.search(asked) and not _REQUEST.match(asked))
    for told in (first, *later):
        sure = told == first and not doubtful
        if len(told.split()) == 1 and "/" not in told and (sure or _SHAPED.match(told)):
            yield f"password: {told}"
        elif sure and (other or " / " in told):
            yield f"creds: {told}" if " / " in told else f"passphrase: {told}"


def _bare(part: str) -> str:
    """Without what is said around a value."""
    return _POLITE.sub("", part).strip(" ,.!;:-–—\"'`()")
