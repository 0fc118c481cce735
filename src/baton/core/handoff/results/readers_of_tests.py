"""How test runners say how it went, each in its own words.

Patterns see one line without colours and outer space, of at most 400 characters; none may repeat what itself repeats.
"""

from __future__ import annotations

from baton.core.handoff.results.reader import COUNT, CUTTERS, SECONDS, Reader, make_reader


def test_runners() -> dict[str, Reader]:
    return {
        "pytest": make_reader(
            (rf"^(?:=+ )?\d+ passed\b.{{0,200}} {SECONDS}",),
            (
                rf"^(?:=+ )?.{{0,120}}(?<![\w.]){COUNT} (?:failed|errors?)\b.{{0,200}} {SECONDS}",
                r"^(?:ERROR: |FAIL )?(?:Required test coverage|Coverage failure)",
                rf"^!+ (?:Interrupted|_pytest\.outcomes\.Exit|stopping after {COUNT} failures)",
                r"^ERROR: (?:file or directory not found|not found|usage|found no collectors)",
                r"^ImportError while loading conftest|^INTERNALERROR>",
            ),
            (
                r"^(?:FAILED|ERROR) \S+(?:::| - )",
                r"^\S+::\S.{0,200} (?:FAILED|ERROR)(?:\s+\[|$)",
                r"^(?:\S+\.py )?[.sxXFE]*[FE][.sxXFE]*\s+\[\s{0,3}\d{1,3}%\]$",
                r"^\S+\.py [.sxX]*[FE][.sxXFE]*$",
                r"^=+ (?:FAILURES|ERRORS) =+$",
                rf"^{COUNT} (?:failed|errors?)$",
            ),
            ends=rf"^(?:=+ )?(?:\d+ (?:pass|fail|error|skip|deselect|x|warning).{{0,200}}|no tests ran) {SECONDS}",
        ),
        "unittest": make_reader(
            (r"^OK(?: \((?:skipped|expected failures)=.{1,60}\))?$",),
            (r"^FAILED \((?:failures|errors|unexpected successes|skipped|expected failures)=.{1,100}\)$",),
            (r"^(?:FAIL|ERROR): \S", r"^Traceback \(most recent call last\)"),
            ends=r"^(?:OK|FAILED)(?: \(|$)",
            hides=CUTTERS,
        ),
        "jest": make_reader(
            (r"^Tests:\s+(?:\d+ (?:skipped|todo|passed), )*\d+ passed, \d+ total",),
            (
                rf"^Tests:\s+{COUNT} failed",
                rf"^Test Suites:\s+{COUNT} failed",
                r"^(?:Jest: )?\"?\w+\"? ?coverage threshold for .{1,100} not met",
                r"^Jest: .{0,40}coverage threshold",
                r"^No tests found, exiting with code 1",
            ),
            (r"^FAIL\s+\S", r"^● \S.{0,200} › ", r"^[✕×] \S"),
            needs=r"^Test Suites:\s+(?:\d+ skipped, )?\d+ passed",
            ends=r"^Tests:\s",
        ),
        "vitest": make_reader(
            (r"^Tests\s+\d+ passed",),
            (
                rf"^Tests\s+{COUNT} failed",
                rf"^Test Files\s+{COUNT} failed",
                rf"^(?:Type )?Errors\s+{COUNT} errors?",
                r"^No test files found, exiting with code 1",
                r"^ERROR: Coverage for \w+ .{0,60}does not meet",
            ),
            (r"^FAIL\s+\S", r"^❯ \S.{0,200}\| [1-9]\d* failed", r"^[×✗] \S", r"^⎯+ Failed (?:Tests|Suites)"),
            needs=r"^Test Files\s+\d+ passed",
            ends=r"^Tests\s+(?:\d|no tests)",
        ),
        "mocha": make_reader(
            (r"^\d+ passing\b", r"^[✔✓]\s+All specs passed!"),
            (rf"^{COUNT} failing\b", rf"^[✖✗]\s+{COUNT} of \d+ failed", r"^Error: No test files found"),
            (r"^\d{1,4}\) .{1,200}:$",),
            ends=r"^\d+ passing\b",
            opens=True,
            hides=CUTTERS,
        ),
        "playwright": make_reader(
            (r"^\d+ passed \(\d[\d.]*(?:ms|s|m|h)\)",),
            (rf"^{COUNT} (?:failed|interrupted|timed out)$", r"^Error: No tests found"),
            (r"^\d{1,4}\) \[\w+\] › ", r"^[✘x]\s+\d+ .{0,40}›", r"^\[[\w ]+\] › .{1,300} ─*$", r"^\[[\w ]+\] › "),
            ends=r"^\d+ passed \(",
            hides=f"{CUTTERS} tail",
        ),
        "go": make_reader(
            (
                r"^ok\s+\S+\s+(?:\d[\d.]*s|\(cached\))",
                r"^PASS$",
                r"^DONE \d+ tests? in [\d.]+s$",
                r"^DONE \d+ tests, \d+ skipped in",
            ),
            (
                r"^FAIL\s+\S+\s+(?:\d[\d.]*s|\[.{1,40} failed\])",
                r"^--- FAIL: ",
                rf"^DONE \d+ tests?,.{{0,60}} {COUNT} (?:failures?|errors?)",
                r"^FAIL$",
                r"^panic: ",
            ),
            (r"^\S+\.go:\d+:\d+: ", r"^no required module|^go: "),
            hides=CUTTERS,
        ),
        "cargo": make_reader(
            (r"^test result: ok\. ", r"^Summary \[.{1,20}\] \d+ tests? run: \d+ passed(?! \(\d+ flaky\), \d+ failed)"),
            (
                r"^test result: FAILED\. ",
                rf"^Summary \[.{{1,20}}\] .{{0,60}}{COUNT} failed",
                r"^error: (?:test failed, to rerun|could not compile|\d+ targets? failed|test run failed)",
            ),
            (r"^test \S+ \.\.\. FAILED", r"^error(?:\[E\d+\])?: ", r"^thread '.{1,100}' panicked at"),
            ends=r"^test result: ",
            hides="head",
        ),
        "ctest": make_reader(
            (r"^100% tests passed, 0 tests failed out of [1-9]",),
            (
                rf"^\d+% tests passed, {COUNT} tests? failed out of",
                r"^The following tests FAILED:",
                r"^No tests were found!!!",
            ),
            (r"\*\*\*(?:Failed|Exception|Timeout|Not Run)", r"^Errors while running CTest"),
            ends=r"^\d+% tests passed,",
        ),
        "maven": make_reader(
            (r"\bBUILD SUCCESS$",),
            (
                rf"^(?:\[\w+\] )?Tests run: \d+, (?:Failures: {COUNT}|Failures: 0, Errors: {COUNT})",
                r"\bBUILD FAILURE$",
                r"^\[ERROR\] (?:There are test failures|COMPILATION ERROR|Failed to execute goal)",
            ),
            (r"^\[ERROR\] \S",),
            ends=r"\bBUILD (?:SUCCESS|FAILURE)$",
        ),
        "gradle": make_reader(
            (rf"^BUILD SUCCESSFUL {SECONDS}|^BUILD SUCCESSFUL in \d+m",),
            (
                rf"^\d+ tests? completed, {COUNT} failed",
                r"^BUILD FAILED",
                r"^FAILURE: Build (?:failed|completed with)",
                r"^> There were failing tests",
            ),
            (r"^> Task \S+ FAILED$", r"^\S.{0,200} > \S.{0,200} FAILED$", r"^e: \S+:"),
            ends=r"^BUILD (?:SUCCESSFUL|FAILED)",
        ),
        "rspec": make_reader(
            (r"^\d+ examples?, 0 failures(?!.*error)", r"^\d+ (?:runs|tests), \d+ assertions, 0 failures, 0 errors"),
            (
                rf"^\d+ examples?, {COUNT} failures?",
                rf"^\d+ examples?, 0 failures,.{{0,40}} {COUNT} errors? occurred",
                rf"^\d+ (?:runs|tests), \d+ assertions, (?:{COUNT} failures?|0 failures, {COUNT} errors?)",
            ),
            (r"^rspec \./\S+ # ",),
            ends=r"^\d+ (?:examples?|runs|tests), \d+ (?:failures?|assertions)",
        ),
        "phpunit": make_reader(
            (
                r"^OK \(\d+ tests?, \d+ assertions?\)",
                r"^OK, but ",
                r"^Tests:\s+(?:\d+ (?:skipped|todo|risky|incomplete|warnings?), )*\d+ passed \(",
            ),
            (
                rf"^Tests: \d+, Assertions: \d+,.{{0,80}}(?:Failures|Errors): {COUNT}",
                r"^(?:FAILURES|ERRORS)!$",
                rf"^Tests:\s+{COUNT} failed",
                r"^No tests executed!",
            ),
            (r"^PHP (?:Fatal|Parse) error", r"^⨯ \S"),
            ends=r"^OK(?: \(|,)|^Tests: ",
        ),
        "dotnet": make_reader(
            (
                r"^Passed!\s+- Failed:\s+0,",
                r"^Test summary: total: \d+, failed: 0,",
                r"^Test Run Successful\.",
            ),
            (
                rf"^Failed!\s+- Failed:\s+{COUNT}",
                rf"^Test summary: total: \d+, failed: {COUNT}",
                r"^Test Run (?:Failed|Aborted)\.",
                r"^Build FAILED\.|^Build failed with ",
                r"^MSBUILD : error|: error (?:CS|MSB|NETSDK|NU)\d+:",
            ),
            (r"^Failed \S+ \[",),
            hides=f"{CUTTERS} tail",
        ),
    }
