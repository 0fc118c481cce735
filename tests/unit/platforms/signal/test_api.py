"""What the daemon's failures mean for a message."""

from __future__ import annotations

from typing import Any

import pytest

from baton.adapters.platforms.signal.api import Failure, explain, explain_results
from baton.core.errors import BadCredentials, PlatformError, SendLater, SendRefused, SendUnsure


def results(*kinds: str, **more: Any) -> dict[str, Any]:
    return {"response": {"timestamp": 1, "results": [{"type": kind, **more} for kind in kinds]}}


@pytest.mark.parametrize(
    ("failure", "kind", "said"),
    [
        (Failure(-32602, "Specified account does not exist", {}), BadCredentials, "does not have this account"),
        (Failure(-32602, "Method requires valid account parameter", {}), BadCredentials, "account"),
        (Failure(-32603, "Failed to send message: [401] Authorization failed!", {}), BadCredentials, "linked"),
        (Failure(-32603, "x (AuthorizationFailedException)", {}), BadCredentials, "linked"),
        (Failure(-32603, "Failed to send message: timeout (IOException)", {}), SendUnsure, "timeout"),
        (Failure(-32603, "Failed to send message: x (AttachmentInvalidException)", {}), SendRefused, "Attachment"),
        (Failure(-3, "socket closed", {}), SendUnsure, "socket"),
        (Failure(-4, "untrusted", {}), SendRefused, "safety number"),
        (Failure(-5, "rate", {}), SendLater, "rate"),
        (Failure(-5, "rate", results("RATE_LIMIT_FAILURE", retryAfterSeconds=9)), SendLater, "too many"),
        (Failure(-5, "rate", results("RATE_LIMIT_FAILURE", token="t", retryAfterSeconds=9)), SendLater, "captcha"),
        (Failure(-1, "Failed", results("UNREGISTERED_FAILURE")), SendRefused, "no longer on Signal"),
        (Failure(-1, "Failed", results("IDENTITY_FAILURE")), SendRefused, "safety number"),
        (Failure(-1, "Failed", results("NETWORK_FAILURE")), SendUnsure, "connection"),
        (Failure(-1, "Failed", results("SOMETHING_NEW")), SendRefused, "SOMETHING_NEW"),
        (Failure(-1, "Failed", results("SUCCESS", "NETWORK_FAILURE")), SendUnsure, "Failed"),
        (Failure(-1, "Group not found", {}), SendRefused, "Group not found"),
        (Failure(-32601, "Method not implemented", {}), SendRefused, "not implemented"),
        (Failure(0, "HTTP 502", {}, status=502), SendUnsure, "502"),
        (Failure(0, "HTTP 404", {}, status=404), SendRefused, "404"),
    ],
)
def test_each_failure_has_its_meaning(failure: Failure, kind: type[PlatformError], said: str) -> None:
    error = explain(failure)
    assert type(error) is kind
    assert said in str(error)


def test_a_limit_says_how_long_to_wait() -> None:
    error = explain(Failure(-5, "rate", results("RATE_LIMIT_FAILURE", "RATE_LIMIT_FAILURE", retryAfterSeconds=9)))
    assert isinstance(error, SendLater)
    assert error.after == 9
    error = explain(Failure(-5, "rate", {}))
    assert isinstance(error, SendLater)
    assert error.after == 30


def test_a_group_message_that_reached_somebody_is_sent() -> None:
    assert explain_results([{"type": "UNREGISTERED_FAILURE"}, {"type": "SUCCESS"}]) is None
    assert explain_results([]) is None
