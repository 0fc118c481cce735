# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Words that speak of a secret elsewhere and not where they stand: `$PWD`, `pins down`, `a conda pin`."""

from __future__ import annotations

import re

_BACK, _AHEAD = 40, 12
_DIRECTORY = re.compile(rb"\$\{?(?:OLD)?PWD\Z|\$\([ \t]*pwd\Z")
_IN_BACKTICKS = re.compile(rb"`pwd\Z", re.I)
_BEHIND_BACKTICKS = re.compile(rb"`(?:/|:\S|[\"')]*[ \t]*(?:\n|\Z))")
"""What stands behind a directory: a path, another one in a container, nothing."""
_PIN = re.compile(rb"\bpins?\Z", re.I)
_PIN_OF_VERSION = re.compile(
    rb"\b(?:versions?|conda|pip|npm|yarn|cargo|dependenc(?:y|ies)|requirements?|constraints?|lockfile|gpio|analog|ground|clock|reset|enable|input|output|chip|data|led|boot|strap|interrupt|power|cs|ss)[ -]pins?\Z",
    re.I,
)
_PINS_DOWN = re.compile(rb"[ \t]+down\b", re.I)


def is_no_cue(data: bytes, end: int) -> bool:
    """Whether the word that ends there is the working directory, or a pin of a version or of a chip."""
    before = data[max(0, end - _BACK) : end]
    if before[-3:].lower() == b"pwd":
        if _IN_BACKTICKS.search(before):
            return _BEHIND_BACKTICKS.match(data, end, end + _AHEAD) is not None
        return _DIRECTORY.search(before) is not None
    if before[-4:].lower().rstrip(b"s").endswith(b"pin") and _PIN.search(before):
        return _PINS_DOWN.match(data, end, end + _AHEAD) is not None or _PIN_OF_VERSION.search(before) is not None
    return False
