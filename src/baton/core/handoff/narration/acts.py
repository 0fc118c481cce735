"""Acts that reach outside, and what they leave behind: claims of a push, a commit, a release, a link, a hash.

The words alone prove nothing: "released the lock" is no release. Only forms that can hardly mean anything else count.
"""

from __future__ import annotations

import re

from baton.core.handoff.narration.claims import clauses, is_hedged
from baton.core.handoff.narration.record import Record

_HASH = re.compile(r"(?<![\w/.#-])[0-9a-f]{7,40}(?![\w-]|\.\w)")
_LINK = re.compile(r"https?://[^\s`)>\]]{3,200}/(?:pull|issues|merge_requests|commit|pulls)/[0-9a-f]{1,40}", re.I)

_IT = r"(?:it|them|everything|all|the (?:branch|change|changes|commits?|fix|work|code|tags?|result))"
_PLACE = (
    r"(?:the )?(?:remote|origin|upstream|main|master|github|gitlab|prod|production|staging|live"
    r"|[\w.-]{1,40}/[\w./-]{1,60})\b"
)
_REQUEST = r"(?:pull request|merge request|pr|mr)\b"
_BE = r"\b(?:was|were|been|is|are) "
_ACTS: tuple[tuple[str, re.Pattern[str], re.Pattern[str]], ...] = tuple(
    (name, re.compile(claim, re.IGNORECASE), re.compile(evidence, re.IGNORECASE))
    for name, claim, evidence in (
        (
            "a push",
            rf"\bpushed (?:{_IT}\b|(?:\w{{1,20}} ){{0,3}}to {_PLACE})"
            rf"|{_BE}pushed(?=\W{{0,9}}$| to {_PLACE}| as\b| by\b| already\b)",
            r"\bpush",
        ),
        (
            "a commit",
            rf"^\W{{0,9}}committed (?:{_IT}|as|on|in)\b|^\W{{0,9}}committed\W{{0,9}}$"
            rf"|{_BE}committed (?:as|on|in|to)\b|\bis committed\b(?! to)",
            r"\bcommit",
        ),
        (
            "a pull request",
            rf"\b(?:opened|created|raised|filed|submitted) (?:a |the |an )?(?:draft )?{_REQUEST}"
            rf"|\b{_REQUEST}[^.]{{0,20}}\b(?:was|is|been) (?:opened|created|raised|submitted)\b",
            r"\bpr\b|pull|merge.?request",
        ),
        (
            "a merge",
            r"\bmerged (?:the |a )?(?:pull request|pr|mr|merge request|branch|#[0-9]{1,9})\b"
            r"|\b(?:pull request|pr|branch)\b[^.]{0,30}\b(?:was|is|been) merged\b",
            r"\bmerge",
        ),
        (
            "a deployment",
            rf"^\W{{0,9}}deployed\b|\bdeployed (?:{_IT}\b|to {_PLACE})|\b(?:was|were|been) deployed\b",
            r"deploy|kubectl|helm|rollout|terraform apply|\bfly\b|vercel|release|upload",
        ),
        (
            "a release",
            rf"\b(?:published|released) (?:version|v?[0-9]|{_IT} to|the package|to (?:npm|pypi|the registry))",
            r"publish|release|upload|twine|(?:docker|podman) push|push[^\n]{0,80}--tags",
        ),
    )
)


def object_to_acts(sentence: str, record: Record) -> str:
    """Why a claim that something was pushed, committed, released and the like cannot stand."""
    for clause in clauses(sentence):
        if is_hedged(clause) or "transaction" in clause.lower():
            continue
        for name, claim, evidence in _ACTS:
            if (found := claim.search(clause)) and not record.shows(evidence) and not _was_told(found[0], record):
                return f"nothing shows {name}"
    return ""


def _was_told(words: str, record: Record) -> bool:
    """Whether the person reported the act in the same word."""
    verbs = re.findall(r"\w{3,12}ed\b", words)
    return any(record.says(re.compile(rf"\b{re.escape(verb)}\b", re.IGNORECASE)) for verb in verbs)


def object_to_references(sentence: str, record: Record) -> str:
    """A link to a request or an issue, or the hash of a commit, must be in the record."""
    for link in _LINK.findall(sentence):
        if not record.mentions(link):
            return f"the link {link} is not in the record"
    if "commit" in sentence.lower():
        for digest in _HASH.findall(sentence):
            if not digest.isalpha() and not digest.isdigit() and not record.mentions(digest[:7]):
                return f"no commit {digest} is in the record"
    return ""
