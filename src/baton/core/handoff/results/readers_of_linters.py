"""How linters, type checkers and compilers say how it went.

Patterns see one line without colours and outer space, of at most 400 characters; none may repeat what itself repeats.
"""

from __future__ import annotations

from baton.core.handoff.results.reader import COUNT, CUTTERS, Reader, make_reader


def linters() -> dict[str, Reader]:
    compiled = (
        r"^error: could not compile",
        r"^error: aborting due to",
        r"^error(?:\[E\d+\]): ",
        r"^error: linking with",
        r"^error: no matching package|^error: failed to (?:select|parse|load|get|run)",
    )
    return {
        "ruff": make_reader(
            (r"^All checks passed!", r"^Found \d+ errors? \(\d+ fixed, 0 remaining\)\.", r"^Found 0 errors\."),
            (rf"^Found {COUNT} errors?(?:\.$| \(\d+ fixed, {COUNT} remaining\))", r"^ruff failed"),
            (
                r"^error: ",
                r"^\S+\.pyi?:\d+:\d+: [A-Z]{1,5}\d+ ",
                r"^[A-Z]{1,5}\d{3,4} (?:\[\*\] )?[A-Z`]",
                r"^\[\*\] \d+ fixable",
                r"^No fixes available",
            ),
            ends=r"^All checks passed!|^Found \d+ errors?",
        ),
        "ruff format": make_reader(
            (r"^\d+ files? already formatted$",),
            (rf"^{COUNT} files? would be reformatted", r"^error: "),
            (r"^Would reformat: ",),
        ),
        "black": make_reader(
            (r"^\d+ files? would be left unchanged\.$",),
            (rf"^{COUNT} files? would (?:be reformatted|fail to reformat)", r"^Oh no! "),
            (r"^would reformat ", r"^error: cannot format"),
        ),
        "flake8": make_reader(
            (r"^Your code has been rated at 10\.00/10", r"^No issues identified\."),
            (rf"^Found {COUNT} (?:errors?|dependency issues?)",),
            (r"^\S+\.pyi?:\d+:\d+: [A-Z]{1,3}\d{2,5}:? ", r"^>> Issue: "),
            silent=True,
        ),
        "mypy": make_reader(
            (r"^Success: no issues found in \d+ source files?",),
            (rf"^Found {COUNT} errors? in \d+ files?", r"^mypy: (?:can't|error)", r"^usage: mypy"),
            (r"^\S+\.pyi?:\d+(?::\d+)?: error: ",),
            ends=r"^Success: no issues|^Found \d+ errors? in",
        ),
        "pyright": make_reader(
            (r"^0 errors, \d+ warnings?, \d+ (?:informations?|notes?)",),
            (rf"^{COUNT} errors?, \d+ warnings?", r"^No source files found"),
            (r"^\S+\.pyi?:\d+:\d+ - error: ",),
            ends=r"^\d+ errors?, \d+ warnings?",
        ),
        "eslint": make_reader(
            (r"^✖ \d+ problems? \(0 errors, \d+ warnings?\)", r"^Found \d+ warnings? and 0 errors\."),
            (
                rf"^✖ \d+ problems? \({COUNT} errors?,",
                rf"^Found \d+ warnings? and {COUNT} errors?",
                r"^Oops! Something went wrong",
                r"^ESLint found too many warnings",
                rf"^{COUNT} problems? \({COUNT} errors?",
            ),
            (r"^\d+:\d+\s+error\s+\S", r"^Error: "),
            hides="head grep",
            silent=True,
        ),
        "tsc": make_reader(
            (r"^(?:\[.{4,20}\] )?Found 0 errors\.",),
            (rf"^(?:\[.{{4,20}}\] )?Found {COUNT} errors?\b", r"\berror TS\d+: "),
            (r"^error: ",),
            silent=True,
        ),
        "clippy": make_reader(
            (r"^Finished .{0,80}target\(s\) in",),
            compiled,
            (r"^error: \S",),
            ends=r"^Finished .{0,80}target|^error: could not compile",
        ),
        "go build": make_reader((), (r"^# \S+$", r"^vet: ", r"^\S+\.go:\d+:\d+: "), (r"^go: ",), silent=True),
        "compile": make_reader(
            (),
            (rf"^{COUNT} errors?(?: generated\.)?$", r"^compilation terminated\.", r"^collect2: error", *compiled),
            (r"^\S+:\d+(?::\d+)?: (?:fatal )?error: ",),
            silent=True,
        ),
        "dotnet build": make_reader(
            (r"^Build succeeded(?:\.| with | in )", r"^0 Error\(s\)"),
            (r"^Build FAILED\.|^Build failed with ", rf"^{COUNT} Error\(s\)", r": error (?:CS|MSB|NETSDK|NU)\d+:"),
            ends=r"^Build (?:succeeded|FAILED|failed)",
        ),
        "prettier": make_reader(
            (r"^All matched files use Prettier code style!",),
            (r"^(?:\[warn\] )?Code style issues (?:found|were found)", r"^\[error\] "),
            (r"^\[warn\] \S+\.\w+$",),
        ),
        "biome": make_reader(
            (r"^Checked \d+ files? in .{1,20}\. No fixes (?:applied|needed)",),
            (rf"^Found {COUNT} errors?\.", r"^Some errors were emitted while"),
            hides="head grep tail",
        ),
        "rubocop": make_reader(
            (r"^\d+ files? inspected, no offenses detected",),
            (rf"^\d+ files? inspected, {COUNT} offenses? detected",),
        ),
        "pre-commit": make_reader(
            (r"\.{3,}Passed$",), (r"\.{3,}Failed$",), (r"^- hook id: ",), hides=f"{CUTTERS} tail"
        ),
        "lint": make_reader(
            (
                r"^Done linting! Found 0 violations",
                r"^(?:0 chart\(s\) failed|\d+ chart\(s\) linted, 0 chart\(s\) failed)",
                r"^Summary: 0 error\(s\)",
            ),
            (
                rf"^Done linting! Found {COUNT} violations",
                rf"{COUNT} chart\(s\) failed",
                rf"^Summary: {COUNT} error\(s\)",
            ),
            (
                r"^In \S+ line \d+:$",
                r"^\S+:\d+(?::\d+)?:? (?:error|\[error\]|[A-Z]{2}\d{3,4}|MD\d+)",
                r"^\d+:\d+\s+error\s",
            ),
            silent=True,
        ),
    }
