"""What a call asks the person: questions with their options, or a plan to approve.

Until its result comes, the person has the move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

_ASKING = frozenset(("AskUserQuestion", "question", "request_user_input", "ask_user", "ask_followup_question"))
_PLANNING = frozenset(("ExitPlanMode", "exit_plan_mode", "plan_exit"))
_APPROVE = "Do you approve this plan?"
_MOST = 8
_LONGEST = 8000


def find_question(name: str, args: Mapping[str, Any]) -> str:
    """In words; empty for a call that asks nothing."""
    if name in _PLANNING:
        return f"{str(args.get('plan') or '')[:_LONGEST]}\n{_APPROVE}".strip()
    if name not in _ASKING:
        return ""
    return "\n".join(map(_describe, _rows(args.get("questions"), args)))[:_LONGEST] or name


def name_question(question: str) -> str:
    """What was asked, as something that can be refused."""
    plan, asked, _ = question.rpartition(_APPROVE)
    return f"the proposed plan: {plan}".strip() if asked else f"the question: {question}"


def _rows(held: object, args: Mapping[str, Any]) -> Iterable[Mapping[str, Any]]:
    rows = cast("list[object]", held)[:_MOST] if isinstance(held, list) else [args]
    return [cast("Mapping[str, Any]", each) for each in rows if isinstance(each, Mapping)]


def _describe(row: Mapping[str, Any]) -> str:
    options = row.get("options")
    listed = cast("list[object]", options)[:_MOST] if isinstance(options, list) else []
    names = [
        str(cast("Mapping[str, Any]", each).get("label", "")) if isinstance(each, Mapping) else str(each)
        for each in listed
    ]
    offered = f" ({' / '.join(filter(None, names))})" if any(names) else ""
    return f"{row.get('question') or ''}{offered}"
