"""What Slack's answers mean for a message."""

from __future__ import annotations

from baton.adapters.platforms.slack.place import PLATFORM
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused, SendUnsure

_CREDENTIALS = frozenset({
    "account_inactive",
    "invalid_auth",
    "not_allowed_token_type",
    "not_authed",
    "org_login_required",
    "token_expired",
    "token_revoked",
})  # fmt: skip
_LATER = frozenset({
    "message_limit_exceeded",
    "rate_limited",
    "ratelimited",
    "request_timeout",
    "service_unavailable",
    "team_added_to_org",
})  # fmt: skip
_UNSURE = frozenset({"fatal_error", "internal_error"})
BAD_BLOCKS = frozenset({"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long"})
_ADVICE = {
    "channel_not_found": "there is no such channel, or the app is not in it",
    "is_archived": "the channel is archived",
    "not_in_channel": "the app is not in the channel; `/invite` it there",
}
GONE = frozenset({"channel_not_found", "is_archived", "not_in_channel", "thread_not_found"})
_WAIT = (429, 503)
_INTERNAL = 500
_LONGEST_WAIT = 3_600.0


def meaning(error: str, status: int = 200, retry_after: str = "", needed: str = "") -> PlatformError:
    """The error for an answer that is not ok. An internal error of Slack may come after the work was done."""
    error = error[:100]
    if error in _CREDENTIALS:
        return BadCredentials(platform=PLATFORM, reason=error)
    if status in _WAIT or error in _LATER:
        return SendLater(platform=PLATFORM, reason=error or f"HTTP {status}", after=_seconds(retry_after))
    if status >= _INTERNAL or error in _UNSURE or not error:
        return SendUnsure(platform=PLATFORM, reason=error or f"HTTP {status}")
    reason = f"{error}, it needs the scope {needed[:100]}" if needed else _ADVICE.get(error, error)
    return SendRefused(platform=PLATFORM, reason=reason, error=error)


def code(refused: SendRefused) -> str:
    """Slack's word for why."""
    return str(refused.facts.get("error", ""))


def _seconds(given: str) -> float:
    return min(float(given), _LONGEST_WAIT) if given.isascii() and given.isdecimal() else 1.0
