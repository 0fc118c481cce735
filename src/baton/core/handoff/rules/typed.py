"""What a person typed in a message, without what they pasted into it.

Code, diffs, logs, traces, tables, quoted mail, terminal sessions and documents say much that binds nobody. They are
known by their form, line by line; a line in doubt counts as typed.
"""

from __future__ import annotations

import re
from functools import lru_cache

from baton.core.value import value

PLAIN = ""
NUMBERED = "numbered"
BULLET = "bullet"
LOOK = 100_000
"""Characters of a message that are looked at: the whole of anything typed by hand."""

_FENCE = re.compile(r"\s{0,12}(?:[-*] )?(`{3,20}|~{3,20})")
_ITEM = re.compile(r"\s{0,40}(?:(\(?\d{1,3}[.)]|[a-z]\))|([-*•‣–]|\[[ x]\]))\s{1,8}(?=\S)")
_CHECKBOX = re.compile(r"\s{0,40}[-*] ?\[[ xX]\] ")
_HEADING = re.compile(r"#{1,6} \S|[*_]{2}[^*_]{1,80}[*_]{2}:?\s*$")
_MAIL_REST = re.compile(
    r"-{2,10} ?(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Message d'origine|Mensaje original)"
    r"|(?:On|Am|Le|El|Il|Em|Op|W dniu) .{4,120}"
    r"(?:wrote|schrieb|a écrit|escribió|ha scritto|escreveu|schreef|napisał).{0,60}:$",
    re.IGNORECASE,
)
_MAIL_HEADER = re.compile(r"(?:From|To|Cc|Sent|Subject|Date|Von|An|Betreff|De|Objet|Asunto|Gesendet): \S")
_PASTED = re.compile(
    r"\s{0,40}(?:"
    r">|\||\+-{2,}|[-=]{4,}\s*$"  # quotes, tables, rulers
    r"|diff --git |index [0-9a-f]{6,}|@@ |\+\+\+ |--- [ab/]|[+-]\s{2,}\S|\+[A-Za-z_(]|-[A-Za-z_.]{1,60}\("  # diffs
    r"|\$ \S|% \w|❯|>>> |\.\.\. |PS [A-Z]:|[\w.-]{1,40}@[\w.-]{1,60}[:~ ].{0,60}[$#] |C:\\"  # terminals
    r"|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\[?\d\d:\d\d:\d\d|\[(?:INFO|WARN|ERROR|DEBUG|TRACE|FATAL)"  # logs
    r"|(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|CRITICAL|FAILED|PASSED|FAIL)[: ]|E {2,}\S"
    r"|(?:npm|yarn) (?:ERR|WARN|error)|error(?:\[|:)|fatal: |warning: |panic: |Traceback |Caused by: |Exception in "
    r"|[A-Z]\w{0,60}(?:Error|Exception|Warning)\b|File \"|at [\w.$<>]{1,120} ?\(|at .{1,120}:\d{1,6}:\d"
    r"|\d{1,5} \| |--> \S|= (?:note|help): |-- \w"
    r"|[\w./\\-]{1,160}:\d{1,6}(?::\d{1,6})?:? "  # compiler lines
    r"|[{}\]]|\[\s*(?:$|[\"'{\[\d])|\"[^\"\n]{1,80}\"\s?:|</?[a-zA-Z][^>]{0,200}>"  # data, markup
    r"|//|/\*|\*/|#!|#include|# [a-z_]+ ?="  # comments
    r"|(?:import|from) [\w.{*]+(?: import| from|;|$)|(?:def|class|func|fn|function|interface|struct|enum) \w+ ?[(:{<]"
    r"|(?:const|let|var) \w{1,60}(?:: ?[\w<>]{1,60})? ?="
    r"|(?:public|private|protected|static|export|async) \w.{0,200}[={(]"
    r"|(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP) .{0,200}\b(?:FROM|INTO|TABLE|SET|VALUES|WHERE)\b"
    r")"
)
_PATCH = re.compile(r"diff --git |@@ -|\+\+\+ \S|--- [ab/]|\*\*\* (?:Begin|Update|Add|Delete)")
_RUN = re.compile(
    r"\s{0,12}(?:\$ \S|❯|>>> |PS [A-Z]:|[\w.-]{1,40}@[\w.-]{1,60}[:~ ].{0,60}[$#] |Traceback |Exception in |Caused by: "
    r"|[\w.]{0,80}(?:Error|Exception): |error\[|npm (?:ERR|error|warn|WARN)|commit [0-9a-f]{7,40}\b"
    r"|Step \d{1,3}/\d{1,3} :|On branch \S|(?:def|class|func|fn|function|interface|struct|enum) \w+ ?[(:{<]"
    r"|(?:SELECT|INSERT|UPDATE|DELETE) .{0,200};)"
)
"""What is followed by more of its kind until an empty line: output, traces, code."""
_ROW = re.compile(r"[^,\s][^,]{0,80}(?:,[^,\s][^,]{0,80}){2,40}$")
_CODE_END = re.compile(r"[;{}]\s*$|\)\s*[;{:]\s*$|=>\s*\S?\s*$|\\\s*$|^\s*[\w.\[\]]{1,60}\s?[-+*/|]?=\s?\S")
_KEY_VALUE = re.compile(r"\s{0,40}(?:- )?[\w.-]{1,40}:(?:\s|$)|\s{0,40}[A-Z][A-Z0-9_]{2,40}=")
_TERMINATED = re.compile(r"[.!?:;…。！？｡।؟]['\"”’)\]]{0,3}$")


@value
class Line:
    """A line, or several that are one paragraph. `list` tells the lists of a message apart; 0 is running text."""

    text: str
    item: str = PLAIN
    list: int = 0


@lru_cache(maxsize=4)
def typed_lines(message: str) -> tuple[Line, ...]:
    """What was typed, in order, one paragraph or list item each. Linear."""
    own: list[Line] = []
    lists, gap = 0, True
    for raw in _without_documents(_own_lines(message[:LOOK])):
        text = raw.strip()
        if not text:
            gap = True
            continue
        if item := _ITEM.match(raw):
            known = own[-1].list if own else 0
            lists += not known
            kind = NUMBERED if item[1] else BULLET
            own.append(Line(raw[item.end() :].strip(), kind, known or lists))
        elif own and not gap and _continues(own[-1], raw):
            own[-1] = Line(f"{own[-1].text} {text}", own[-1].item, own[-1].list)
        else:
            own.append(Line(text))
        gap = False
    return tuple(own)


def typed_text(message: str) -> str:
    """What was typed, one paragraph or item per line."""
    return "\n".join(line.text for line in typed_lines(message))


def _continues(before: Line, raw: str) -> bool:
    """Whether a line is the rest of the one before, broken by the width of a window."""
    return (
        len(before.text) < 4_000
        and not _TERMINATED.search(before.text)
        and (raw[:1].islower() or raw[:1].isdigit() or raw[:1] == " ")
    )


def _own_lines(text: str) -> list[str]:
    """The lines outside fences that do not look pasted; an empty one where something was left out."""
    own: list[str] = []
    fence, patch, run = "", False, False
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if fence:
            if line.strip().startswith(fence):
                fence = ""
            continue
        if mark := _FENCE.match(line):
            fence = mark[1][:3]
            own.append("")
            continue
        if _MAIL_REST.match(line.strip()):
            break
        patch = bool(_PATCH.match(line)) or (patch and line[:1] in ("+", "-", " ", "@", "\\"))
        run = bool(line.strip()) and (run or bool(_RUN.match(line)))
        own.append("" if patch or run or _is_pasted(lines, at) else line)
    return own


def _is_pasted(lines: list[str], at: int) -> bool:
    line = lines[at]
    if not line.strip():
        return False
    if len(line) > 4_000 and " " not in line[:400]:
        return True
    if _CHECKBOX.match(line):
        return True
    if _ITEM.match(line):
        return False
    if _PASTED.match(line) or _MAIL_HEADER.match(line):
        return True
    if line[:4] in ("    ", "\t") and (at == 0 or not lines[at - 1].strip() or lines[at - 1][:4] == "    "):
        return True
    return bool(_CODE_END.search(line[-300:])) or _is_setting(lines, at)


def _is_setting(lines: list[str], at: int) -> bool:
    """One of several lines of the form `key: value` or `one,two,three`: a file, not a sentence."""
    beside = lines[max(0, at - 1) : at] + lines[at + 1 : at + 2]
    return any(form.match(lines[at]) and any(map(form.match, beside)) for form in (_KEY_VALUE, _ROW))


def _without_documents(lines: list[str]) -> list[str]:
    """Everything before the first heading, if there are several: a document that was pasted is not typed."""
    headings = [at for at, line in enumerate(lines) if _HEADING.match(line)]
    return lines[: headings[0]] if len(headings) > 1 else lines
