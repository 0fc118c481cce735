"""A rule taken out of a packet that is written already: its line, the count above it, and its row in the ledger."""

from __future__ import annotations

from baton.core.handoff.ledger.fact import Ledger
from baton.core.handoff.packet_pieces import quoted
from baton.core.handoff.packet_text import RULES_TITLE, rules_title
from baton.core.handoff.rules.rule import Rule
from baton.core.value import replace

_WHOLE = 2000
_BEGINNING = 60
_GONE = "- No longer asked for: {text}"


def drop_rule(markdown: str, ledger: Ledger, rule_id: str) -> tuple[str, Ledger]:
    """The packet without the rule. Where the rule stood, the text says that it no longer holds: the message that it was
    said in may be quoted further down. A text whose line was edited away keeps the rest of its words.
    """
    rule = next((each for each in ledger.rules if each.id == rule_id), None)
    if rule is None:
        return markdown, ledger
    left = replace(ledger, rules=tuple(each for each in ledger.rules if each is not rule), ended=(*ledger.ended, rule))
    return _strike(markdown, rule, left), left


def _strike(markdown: str, rule: Rule, left: Ledger) -> str:
    lines = markdown.split("\n")
    start = next((at for at, line in enumerate(lines) if line.startswith(RULES_TITLE)), None)
    if start is None:
        return markdown
    end = next((at for at in range(start + 1, len(lines)) if lines[at].startswith("#")), len(lines))
    lines[start] = rules_title(left.rules)
    at = _find_line(lines, range(start + 1, end), rule)
    if at is not None:
        lines[at] = _GONE.format(text=quoted(rule.text, 120))
    return "\n".join(lines)


def _find_line(lines: list[str], within: range, rule: Rule) -> int | None:
    """By all its words, or by their beginning where the line was cut."""
    words = quoted(rule.text, _WHOLE)
    for beginning in (words, words[:_BEGINNING]):
        for at in within:
            if lines[at].startswith(f"- {beginning}"):
                return at
    return None
