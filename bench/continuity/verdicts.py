"""What the output of a command says about how it went. An exit status that belongs to a pipe proves nothing.

Written from what the tools print, apart from the product's readers.
"""

from __future__ import annotations

import re

from bench.continuity import commands
from bench.continuity.dialogue import Call

PASSED, FAILED, UNKNOWN = "ok", "failed", ""

_FAILS = re.compile(
    r"^(?:=+ .*)?\b[1-9]\d* (?:tests? |specs? |examples?, [1-9]\d* )?(?:failed|failures?|failing|errors?|problems?)\b"
    r"|\bTests?: +[1-9]\d* failed|\bTests run: \d+, Failures: (?:[1-9]|0, Errors: [1-9])|\bFailed: +[1-9]"
    r"|\bFound [1-9]\d* errors?\b|\b\d+ examples?, [1-9]\d* failures?|✖ [1-9]\d* problems?|\bFailures: [1-9]"
    r"|^(?:FAIL|FAILED|FAILURES!|--- FAIL:|not ok \d|E   )(?:\b| |$)|^test result: FAILED|^FAILED \("
    r"|\bBUILD FAILED\b|\bBUILD FAILURE\b"
    r"|^error(?:\[\w+\])?: |^ERROR: |\): error TS\d|: error: |^npm ERR!|^make(?:\[\d+\])?: \*\*\*|^fatal: "
    r"|\bcould not compile\b|\bELIFECYCLE\b|^Traceback \(most recent|tests passed, [1-9]\d* tests? failed",
    re.MULTILINE,
)
_PASSES = re.compile(
    r"\b[1-9]\d* (?:tests? )?(?:passed|passing)\b|^ok\b|\btest result: ok\b|^OK\b|\bAll checks passed"
    r"|\bno issues found\b"
    r"|\b0 (?:errors|problems|failures|failed)\b|\bBUILD SUCCESS|\bPASS\b|\b100% tests passed\b|\bPassed!"
    r"|\bFinished `?\w+|\bsuccessfully\b|\bcompiled\b|, 0 failures",
    re.MULTILINE | re.IGNORECASE,
)


def says(output: str) -> str:
    """ok, failed, or nothing that decides."""
    text = output[-20_000:]
    if _FAILS.search(text):
        return FAILED
    return PASSED if _PASSES.search(text) else UNKNOWN


def verdict(call: Call) -> str:
    """How a call of the shell went, of which only validations are judged by their output."""
    if not call.ok:
        return FAILED
    output = call.result or ""
    if commands.validates(call.command) and says(output) == FAILED:
        return FAILED
    if commands.is_piped(call.command) and says(output) != PASSED:
        return UNKNOWN
    return PASSED
