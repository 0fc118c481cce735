"""What deletes or overwrites files."""

from __future__ import annotations

import re

from baton.core.risk.line import Line, Rule
from baton.core.risk.rows import does
from baton.core.shell import Redirect

_DEVICE = re.compile(r"/dev/(?!null$|zero$|stdout$|stderr$|stdin$|tty|fd/|shm/|full$|u?random$|pts/|tcp/|udp/)\S+")
_NETWORK = re.compile(r"/dev/(?:tcp|udp)/")
_HOME = r"(?:~|\$HOME|\$\{HOME\}|/home/[^/]+|/Users/[^/]+|/root)"
_SYSTEM = re.compile(
    r"/(?:etc|boot|usr|bin|sbin|lib\w*|sys|proc|root|opt|Library|System)(?:/|$)|/var/(?!tmp/|folders/)"
)
_OF_PROGRAMS = re.compile(rf"{_HOME}/\.(?!cache/|local/share/)\w|(?:.*/)?\.git/(?:hooks|config|info)")
_PRECIOUS = re.compile(
    r"(?i).*\.(?:db|sqlite3?|sql|dump|bak|backup|pem|key|p12|pfx|kdbx|env|tfstate)(?:\.\w+)?$|(?:.*/)?\.env(?:\.\w+)?$"
    r"|.*id_(?:rsa|ed25519|ecdsa)$"
)
_EVERYTHING = ("*", "/", "/*", "~", "~/", ".", "./", "./*", "..", "../*", "$HOME")
_OVERWRITES = (">", ">|", "&>", ">&")
_NOTHING = (":", "true", "false")
_GONE = "it deletes what cannot be made again"
_DESTROYS = "it destroys content for good"
_EMPTIES = "it empties a file"


def rm(line: Line) -> str:
    if line.has("-r", "-R", "--recursive"):
        return "it deletes directories with all that is in them"
    if line.has("-f", "--force"):
        return "it deletes without asking"
    if line.many or any(text in _EVERYTHING for text in line.operands):
        return "it deletes many files at once"
    return _GONE if any(_is_precious(text) for text in line.operands) else ""


def _is_precious(path: str) -> bool:
    """Whether it is a file that no build makes again: data, a key, a setting, something of the system's."""
    return bool(_PRECIOUS.match(path) or written_to(path)) and not path.startswith(("/tmp/", "/var/tmp/"))  # noqa: S108


def dd(line: Line) -> str:
    written = [text[3:] for text in line.texts if text.startswith("of=")]
    return next((reason for each in written if (reason := written_to(each))), "")


def recursive(line: Line) -> str:
    return "it changes permissions of everything below" if line.has("-R", "--recursive") or line.many else ""


def chattr(line: Line) -> str:
    return recursive(line) or (
        "it locks or unlocks files" if re.search(r"(?:^| )[-+=]\w*[ia]", " ".join(line.texts)) else ""
    )


def mv(line: Line) -> str:
    return "what is moved there is gone" if line.operands[-1:] == ["/dev/null"] else _copy(line)


def _copy(line: Line) -> str:
    """What is copied, moved or linked over something that should be left alone."""
    into = line.after("-t", "--target-directory")
    target = into.text if into else (line.operands[-1:] or [""])[0]
    if len(line.operands) < 2 and not into:
        return ""
    if reason := written_to(target):
        return reason
    if line.operands[0] == "/dev/null":
        return _EMPTIES
    return "it overwrites without asking" if line.has("-f", "--force") and _PRECIOUS.match(target) else ""


def find(line: Line) -> str:
    if "-delete" in line.texts:
        return "it deletes what it finds"
    written = [line.after(flag) for flag in ("-fprintf", "-fprint", "-fprint0", "-fls")]
    return next(filter(None, (written_to(word.text) for word in written if word)), "")


def each_target(line: Line) -> str:
    return next((reason for each in line.operands if (reason := written_to(each))), "")


def saves(line: Line) -> str:
    """What a download or an archive is written to."""
    word = line.after("-o", "--output", "-O", "--output-document", "-C", "--directory", "-d")
    return written_to(word.text) if word else ""


def tar(line: Line) -> str:
    return "it deletes what it has packed" if line.has("--remove-files") else saves(line)


def archive(line: Line) -> str:
    moved = line.program == "zip" and (
        line.has("--move") or any(re.fullmatch(r"-[a-zA-Z]*m[a-zA-Z]*", text) for text in line.texts[:1])
    )
    return "it deletes what it has packed" if moved else saves(line)


def written_to(path: str) -> str:
    """Why writing to this path is risky, or an empty string."""
    if _DEVICE.match(path):
        return "it writes to a device"
    if _SYSTEM.match(path):
        return "it writes to the system's own files"
    return "it writes to what other programs act on" if _OF_PROGRAMS.match(path) else ""


def redirected(program: str, args: list[str], redirect: Redirect) -> str:
    """Why a redirection is risky: where it leads, or that it leaves an empty file."""
    path = redirect.target.text
    if _NETWORK.match(path):
        return "it talks to another machine"
    if redirect.operator in ("<", "<&") or path.isdigit() or path == "/dev/null":
        return ""
    if redirect.operator in _OVERWRITES and _writes_nothing(program, args) and not path.startswith("/tmp/"):  # noqa: S108
        return _EMPTIES
    return written_to(path)


def _writes_nothing(program: str, args: list[str]) -> bool:
    if program in ("", *_NOTHING):
        return True
    return (program == "cat" and args == ["/dev/null"]) or (
        program in ("echo", "printf") and args in (["-n"], [""], ["-n", ""])
    )


CHANGING: dict[str, Rule] = {
    **dict.fromkeys(("chmod", "chown", "chgrp", "setfacl"), recursive),
    "chattr": chattr,
}
DELETING: dict[str, Rule] = {
    **dict.fromkeys(("rm", "unlink", "grm"), rm),
    **dict.fromkeys(("shred", "srm", "wipe", "rimraf", "trash-empty", "del-cli"), does(_DESTROYS)),
    **dict.fromkeys(
        ("trash", "trash-put", "rmtrash"), does("it deletes directories with all that is in them", flags="-r -rf -R")
    ),
    "gio": does(_DESTROYS, verbs="trash, remove", flags="--empty"),
    "truncate": does("it cuts files", unless="-r"),
    "dd": dd,
    "mv": mv,
    **dict.fromkeys(("cp", "ln", "install", "gcp"), _copy),
    **dict.fromkeys(("find", "fd", "fdfind"), find),
    **dict.fromkeys(("tee", "sponge"), each_target),
    **dict.fromkeys(("curl", "wget", "unzip", "bsdtar"), saves),
    **dict.fromkeys(("tar", "gtar"), tar),
    **dict.fromkeys(("zip", "7z"), archive),
}
