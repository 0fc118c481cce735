"""PowerShell and the commands of Windows."""

from __future__ import annotations

import re

from baton.core.risk.line import Line, Rule, words
from baton.core.risk.rows import does

_CMDLET = re.compile(r"[A-Z][A-Za-z]+-[A-Z][A-Za-z0-9]+")
_DELETES = "it deletes or empties something"
_CHANGES = "it changes the system or what runs on it"
_SENDS = "it sends or publishes something"
_TEXT = "it runs text as a program"
_VERBS: dict[str, str] = {
    **dict.fromkeys(("remove", "clear", "uninstall", "unregister", "dismount", "format", "initialize"), _DELETES),
    **dict.fromkeys(
        ("stop", "restart", "disable", "reset", "revoke", "suspend", "grant", "install", "register"), _CHANGES
    ),
    **dict.fromkeys(("publish", "send", "deploy", "push"), _SENDS),
}
"""Verbs of cmdlets, all but the nouns below."""
_CALM = words(
    "variable module alias psdrive job event typedata host history pssession breakpoint transcript type progress"
)
_NOUNS: dict[str, str] = {
    **dict.fromkeys(
        words(
            "set-executionpolicy set-itemproperty set-acl set-service set-mppreference new-service new-localuser "
            "add-localgroupmember enable-psremoting set-netfirewallprofile new-netfirewallrule start-service "
            "new-scheduledtask set-adaccountpassword set-date set-dnsclientserveraddress"
        ),
        _CHANGES,
    ),
    **dict.fromkeys(words("invoke-expression invoke-command iex icm enter-pssession invoke-sqlcmd"), _TEXT),
}
_ALIASES = {
    "ri": "remove-item",
    "rni": "rename-item",
    "spps": "stop-process",
    "clc": "clear-content",
    "iex": "iex",
    "icm": "icm",
}
_REQUESTS = words("invoke-webrequest invoke-restmethod iwr irm")
_CLOUD = re.compile(r"(?:new|set|update|start|add|invoke|move|restore|edit)-(?:az|ec2|s3|rds|iam|lm|mg|exo|cf)[a-z]")
_METHOD = re.compile(r"(?i)-method:?\s+['\"]?(?:post|put|patch|delete)\b|-body\b|-infile\b")
_RUN_AS = re.compile(r"(?i)\bstart-process\b.*-verb\s+runas")
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")
_WORD = re.compile(r"[A-Za-z]+-[A-Za-z][A-Za-z0-9]*|(?<![\w.$\\/-])(?:iex|icm|ri|iwr|irm|del|erase|rd)(?![\w.-])")


def script(text: str) -> str:
    """Why a script in PowerShell is risky. Quoted text is passed over."""
    bare = _STRING.sub("''", text)
    if re.search(r"(?i)-whatif\b", bare):
        return ""
    if _RUN_AS.search(bare):
        return "it runs with another user's rights"
    named = [match[0].lower() for match in _WORD.finditer(bare)]
    if {*named} & _REQUESTS and _METHOD.search(text):
        return _SENDS
    return next((reason for each in named if (reason := _cmdlet(each))), "")


def _cmdlet(name: str) -> str:
    name = _ALIASES.get(name, name)
    verb, _, noun = name.partition("-")
    if name in _NOUNS:
        return _NOUNS[name]
    if name in ("del", "erase", "rd"):
        return _DELETES
    if _CLOUD.match(name):
        return _CHANGES
    return _VERBS.get(verb, "") if noun and noun not in _CALM else ""


def is_cmdlet(name: str) -> bool:
    return bool(_CMDLET.fullmatch(name)) or name.lower() in _ALIASES or name.lower() in _REQUESTS


def looks_like_powershell(text: str) -> bool:
    return bool(_CMDLET.search(text)) or bool(re.search(r"(?i)(?<![\w.-])(?:iex|iwr|irm)\s+[(\"'$h]", text))


def cmdlet(line: Line) -> str:
    name = line.program.lower()
    if line.has("-WhatIf"):
        return ""
    if name in _REQUESTS:
        return _SENDS if _METHOD.search(line.text) else ""
    return "it runs with another user's rights" if _RUN_AS.search(line.text) else _cmdlet(name)


def shell(line: Line) -> str:
    """`pwsh -Command …`, `powershell -EncodedCommand …`, `pwsh -File deploy.ps1`."""
    flags = [text.lower() for text in line.texts]
    if any(flag.startswith(("-enc", "-e ")) or flag in ("-e", "-ec") for flag in flags):
        return "what it runs cannot be read"
    return script(" ".join(line.texts))


def deletes_here(line: Line) -> str:
    """`del`, `rd` and `rmdir` with the switches of Windows."""
    switches = {text.lower() for text in line.texts if re.fullmatch(r"/[a-zA-Z]", text)}
    many = line.program in ("del", "erase") and any("*" in text for text in line.texts)
    return _DELETES if switches & {"/s", "/q", "/f"} or many or line.has("-r", "-Recurse", "-Force") else ""


def net(line: Line) -> str:
    changes = {text.lower() for text in line.texts} & {"/add", "/delete", "/del", "/active:yes", "/active:no"}
    return _CHANGES if changes or (line.begins("stop", "start", "use", "share") and len(line.operands) > 1) else ""


def by_switch(*switches: str) -> Rule:
    return lambda line: _CHANGES if {text.lower() for text in line.texts} & {*switches} else ""


WINDOWS: dict[str, Rule] = {
    **dict.fromkeys(("pwsh", "powershell"), shell),
    **dict.fromkeys(("del", "erase", "rd", "rmdir"), deletes_here),
    "reg": does(_CHANGES, verbs="delete, add, import, restore, load, unload, copy"),
    "regedit": does(_CHANGES),
    "sc": does(_CHANGES, verbs="delete, stop, create, config, start, failure"),
    "schtasks": by_switch("/create", "/delete", "/change", "/end", "/run"),
    "net": net,
    **dict.fromkeys(
        ("diskpart", "bcdedit", "bcdboot", "bootrec", "cipher", "takeown", "icacls"), does(_CHANGES, unless="/enum")
    ),
    "taskkill": does("it ends processes"),
    "wmic": does(_CHANGES, verbs="process call, product where, shadowcopy delete, os where"),
    "vssadmin": does(_DELETES, verbs="delete, resize"),
    "wevtutil": does(_DELETES, verbs="cl, clear-log, sl, um"),
    "netsh": lambda line: (
        _CHANGES if {"set", "add", "delete", "reset", "import"} & {text.lower() for text in line.operands} else ""
    ),
    "setx": does(_CHANGES),
    "msiexec": does(_CHANGES),
    "certutil": does(_CHANGES, flags="-urlcache -addstore -delstore -delkey"),
    "wsl": does(_DELETES, flags="--unregister --shutdown --terminate"),
    "robocopy": by_switch("/mir", "/purge", "/move", "/mov"),
}
