"""Settings of git whose value is a command that git then runs, or that change where commits go."""

from __future__ import annotations

import re

from baton.core.risk.hidden import is_helper

_RUNS = re.compile(
    r"(?i)core\.(?:sshcommand|pager|editor|fsmonitor|hookspath|askpass|gitproxy|alternaterefscommand)|pager\..+|sequence\.editor"
    r"|diff\.external|(?:diff|difftool|mergetool|merge|filter|trailer|browser|man|guitool|pager|tar)\..*"
    r"(?:command|cmd|textconv|driver|clean|smudge|process|path)|alias\..+|credential\.(?:.*\.)?helper|gpg\.(?:.*\.)?program"
    r"|sendemail\..+|uploadpack\.packobjectshook|remote\..+\.(?:uploadpack|receivepack|vcs)|interactive\.difffilter"
    r"|web\.browser|include\.path|includeif\..+\.path|init\.templatedir|protocol\.(?:ext|file)\.allow|core\.attributesfile"
    r"|receive\..*hook|hook\..+\.command|safe\.directory|http\..*(?:proxy|sslverify|cookiefile)"
)
_LEADS = re.compile(
    r"(?i)remote\..+\.(?:url|pushurl)|url\..+\.(?:insteadof|pushinsteadof)|branch\..+\.pushremote|remote\.pushdefault"
)
_PLAIN = (
    "",
    "true",
    "false",
    "0",
    "1",
    "yes",
    "no",
    "on",
    "off",
    "auto",
    "never",
    "always",
    "store",
    "osxkeychain",
    "manager",
    "cache",
)


def setting(key: str, held: str, *, kept: bool = False) -> str:
    """Why this setting is risky, or an empty string. One that is `kept` holds for every later command too."""
    if _LEADS.fullmatch(key):
        return "it changes where commits go"
    if not _RUNS.fullmatch(key):
        return ""
    if key.lower().startswith("alias."):
        return "git is given a command of its own to run" if held.lstrip().startswith("!") else ""
    shown = r"(?i)core\.(?:pager|editor)|pager\.|sequence\.|interactive\."
    usual = re.match(shown if kept else rf"{shown}|core\.", key)
    if held.lower() in _PLAIN or (usual and is_helper(held)):
        return ""
    return "git is given a command of its own to run"
