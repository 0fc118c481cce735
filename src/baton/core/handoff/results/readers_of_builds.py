"""How builds and tools that run other tools say how it went.

Patterns see one line without colours and outer space, of at most 400 characters; none may repeat what itself repeats.
"""

from __future__ import annotations

from baton.core.handoff.results.reader import COUNT, Reader, make_reader


def builders() -> dict[str, Reader]:
    return {
        "make": make_reader(
            (r"^(?:make|ninja)(?:\[\d+\])?: (?:Nothing to be done|'.{1,100}' is up to date|no work to do)",),
            (
                r"^g?make(?:\[\d+\])?: \*\*\* ",
                r"^ninja: (?:build stopped|error)",
                r"^error: [Rr]ecipe `.{1,100}` failed",
            ),
            (r"^FAILED: ", r"^CMake Error"),
        ),
        "npm": make_reader(
            (),
            (
                r"^npm (?:ERR!|error) (?:code ELIFECYCLE|Lifecycle script|code \d|Missing script|errno|Test failed)",
                r"^(?:\S+ )?ELIFECYCLE\s+(?:Command|Test) failed",
                r"^(?:error|ERROR:?) +[Cc]ommand failed with exit code",
                r"^error: script \".{1,100}\" (?:exited|was terminated)",
                r"^ERR_PNPM_",
            ),
            (r"^npm (?:ERR!|error) ",),
        ),
        "docker": make_reader(
            (
                r"^Successfully (?:built|tagged) ",
                r"^(?:#\d+ |=> => )?naming to \S+.{0,40}done",
                r"^(?:#\d+ |=> => )?writing image sha256:",
            ),
            (
                r"^ERROR: (?:failed to (?:solve|build)|process|Service )",
                r"^failed to solve: ",
                r"returned a non-zero code: \d+",
                r"did not complete successfully: exit code: \d+",
                r"^ERROR: ",
            ),
            (r"^(?:#\d+ )ERROR: ", r"^Error response from daemon"),
        ),
    }


def other_tools() -> dict[str, Reader]:
    """Tools whose summary stands for itself, so that `any` of them may be found behind a script."""
    return {
        "bun": make_reader((r"^0 fail$",), (rf"^{COUNT} fail$",), (r"^\(fail\) ", r"^✗ ")),
        "deno": make_reader((r"^ok \| \d+ passed",), (r"^FAILED \| ", r"^error: (?:Test failed|Found \d+ problem)")),
        "tap": make_reader(
            (r"^(?:#|ℹ) fail 0$",),
            (rf"^(?:#|ℹ) fail\s+{COUNT}$", rf"^# failed {COUNT} "),
            (r"^not ok \d+(?!.*# (?:TODO|SKIP))",),
        ),
        "mix": make_reader(
            (r"^(?:\d+ doctests?, )?\d+ tests?, 0 failures",),
            (rf"^(?:\d+ (?:doctests?|properties), )*\d+ tests?, {COUNT} failures?",),
        ),
        "xcode": make_reader(
            (
                r"^\*\* (?:TEST|BUILD|ANALYZE|ARCHIVE) SUCCEEDED \*\*",
                r"^Executed \d+ tests?, with 0 failures",
                r"Test run with \d+ tests? .{0,40}passed after",
            ),
            (
                r"^\*\* (?:TEST|BUILD|ANALYZE|ARCHIVE) FAILED \*\*",
                rf"^Executed \d+ tests?, with {COUNT} failures?",
                r"Test run with \d+ tests? .{0,40}failed after",
            ),
        ),
        "dart": make_reader(
            (r"(?:^|: )All tests passed!$", r"^No issues found!"),
            (r"(?:^|: )Some tests failed\.$", rf"^{COUNT} issues? found\."),
        ),
        "tox": make_reader(
            (r"^congratulations :\)", r"^nox > Session \S+ was successful"),
            (r"^evaluation failed :\(", r"^\S+: FAIL code \d", r"^nox > Session \S+ failed"),
        ),
        "sbt": make_reader(
            (r"^\[success\] Total time",),
            (rf"^\[error\] Failed: Total \d+, Failed {COUNT}", r"^\[error\] \(.{1,80}\) "),
        ),
        "bazel": make_reader(
            (r"^INFO: Build completed successfully", r"^Executed \d+ out of \d+ tests?: \d+ tests? pass(?:es)?\.$"),
            (r"Build did NOT complete successfully", rf"^Executed .{{0,60}} {COUNT} fails? "),
        ),
        "golangci": make_reader((r"^0 issues\.$",), (rf"^{COUNT} issues:$", rf"^Found {COUNT} issues?")),
        "contracts": make_reader((r"^Contracts: \d+ kept, 0 broken\.",), (rf"^Contracts: \d+ kept, {COUNT} broken\.",)),
        "terraform": make_reader(
            (r"^Success! The configuration is valid", r"^Plan: \d+ to add", r"^No changes\. "), (r"^(?:│ )?Error: ",)
        ),
        "bundlers": make_reader(
            (
                r"^✓ built in ",
                r"^✓ Compiled successfully",
                r"^Compiled successfully",
                r"^webpack .{1,40} compiled successfully",
                r"^webpack .{1,40} compiled with \d+ warnings?",
            ),
            (
                r"^Failed to compile",
                r"^webpack .{1,40} compiled with \d+ errors?",
                r"^(?:✗|x) Build failed",
                r"^error during build:",
                r"^> Build failed|^Build failed (?:in|because)",
            ),
        ),
        "workspaces": make_reader(
            (r"^(?:NX   ?|> NX   ?|✔?\s*)Successfully ran targets? ",),
            (
                rf"^[✖×]\s+{COUNT}/\d+ (?:targets? )?failed",
                r"^Failed:\s+\S+#\S+",
                r"ERROR\s+run failed: command",
                r"^(?:> )?NX\s+.{0,80}(?:failed|Failed)",
            ),
        ),
    }
