"""What another tool's results say about the dialogue: a refusal and its words, answers, an approved plan.

Where the source keeps them apart they are taken from there; else from the sentences that it writes for its model.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from baton.adapters.importers import clean

_REFUSED = re.compile(
    r"\s*(?:The user doesn['’]t want to (?:proceed|take this action)|\[Request interrupted"
    r"|Permission (?:to use|for this)|User rejected|The user rejected|exec command rejected|patch rejected"
    r"|rejected by user|aborted by user)",
    re.IGNORECASE,
)
_WORDS = re.compile(
    r"(?:the user said:|user provided the following reason(?: for the rejection)?:|with the following feedback:"
    r"|reason for the rejection:|with the following message:|Reason:)\s*(.{1,20000})",
    re.DOTALL,
)
_TEMPLATE = "The user wants to clarify these questions"
_SETTINGS = re.compile(r"\s*Permission to use [^\n]{1,4000} has been denied", re.IGNORECASE)
_AFTER_WORDS = re.compile(r"\n\s*Note: The user['’]s next message|\n\s*<system-reminder>", re.IGNORECASE)
_ASKING = frozenset(("AskUserQuestion", "question", "request_user_input", "ask_user", "ask_followup_question"))
_PLANNING = frozenset(("ExitPlanMode", "exit_plan_mode", "plan_exit"))
_APPROVED = re.compile(r"#+ Approved Plan[^\n]{0,80}\n(.{1,60000})", re.DOTALL)
_PAIR = re.compile(r'"([^"\n]{3,1000})" ?(?:=|→) ?"([^"]{0,4000})"')
_ENDS = ('". You can now continue', '".\n', '"\n\nYou can now continue')
_MOST = 20

Details = dict[str, Any]


def refusal(text: str, *, failed: bool) -> Details:
    """`refused`, with the words that a person gave, if the result says that the call was not allowed."""
    if not failed or not _REFUSED.match(text[:400]):
        return {}
    found = _WORDS.search(text[:40_000])
    words = _AFTER_WORDS.split(found[1], 1)[0].strip() if found else ""
    if words.startswith(_TEMPLATE):  # the words of the program, not of the person
        words = ""
    if not words and _SETTINGS.match(text[:5000]):
        return {"refused": True, "by": "settings"}
    return {"refused": True, "by": "user", **({"words": words} if words else {})}


def agreements(name: str, given: Mapping[str, Any], text: str, facts: Mapping[str, Any], *, ok: bool) -> Details:
    """`answers` to questions put by a tool, or the `approved_plan`."""
    if ok and name in _PLANNING:
        found = _APPROVED.search(text[:100_000])
        proposed = clean.text(given.get("plan"), 60_000)
        plan = found[1] if found and ("edited" in found[0].partition("\n")[0] or not proposed) else proposed
        return {"approved_plan": plan.strip()} if plan.strip() else {}
    if name not in _ASKING:
        return {}
    pairs = _structured(given, facts) or _from_sentence(_questions(given), text) or _PAIR.findall(text[:40_000])
    rows = [{"question": question, "answer": answer} for question, answer in pairs if answer.strip()]
    return {"answers": rows[:_MOST]} if rows else {}


def _questions(given: Mapping[str, Any]) -> list[str]:
    asked = [clean.mapping(each).get("question") for each in clean.items(given.get("questions"))]
    return [each for each in (*asked, given.get("question")) if isinstance(each, str) and each]


def _structured(given: Mapping[str, Any], facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Answers by question, or in the order of the questions."""
    held = facts.get("answers")
    if isinstance(held, list):
        return list(zip(_questions(given), map(_flat, clean.items(facts["answers"])), strict=False))
    ids = {str(clean.mapping(each).get("id")): clean.mapping(each) for each in clean.items(given.get("questions"))}
    named = {name: str(each.get("question") or name) for name, each in ids.items()}
    return [(named.get(str(name), str(name)), _flat(answer)) for name, answer in clean.mapping(held).items()]


def _flat(answer: object) -> str:
    if isinstance(answer, str):
        return answer
    within = clean.mapping(answer).get("answers") or clean.mapping(answer).get("answer")
    return ", ".join(each for each in clean.items(within or answer) if isinstance(each, str)) or str(within or "")


def _from_sentence(questions: list[str], text: str) -> list[tuple[str, str]]:
    """`"Which one?"="This one", "How?"="So".`, where the questions are known and the answers may hold quotes."""
    found: list[tuple[str, str]] = []
    look = text[:60_000]
    for number, question in enumerate(questions[:_MOST]):
        start = look.find(f'"{question}"="')
        if start < 0:
            continue
        begin = start + len(question) + 4
        later = [look.find(f'", "{each}"=', begin) for each in questions[number + 1 :]]
        ends = [place for place in (*later, *(look.find(mark, begin) for mark in _ENDS)) if place >= 0]
        found.append((question, look[begin : min(ends, default=len(look))].strip('".\n ')))
    return found
