"""Commands that hide in the arguments of programs which are no wrappers, or in variables that programs obey."""

from __future__ import annotations

import re
from collections.abc import Iterator

from baton.core.risk.files import written_to
from baton.core.risk.line import Line, Rule, words

_OWN = "it has another program run a command of its own"
_HELPERS = words(
    "cat less more most bat delta moar vim vi nvim nano emacs emacsclient code micro ed true false "
    "ssh gzip pigz bzip2 pbzip2 xz "
    "pxz zstd zstdmt lz4 lzip lzop gunzip unzstd rsync wc head tail batcat diff-so-fancy open "
    "xdg-open sensible-editor subl"
)
"""Programs that are given to others as pager, editor, compressor or transport every day."""
_RUNS: dict[str, str] = {
    "tar": "--to-command --use-compress-program -I --checkpoint-action --info-script -F --rmt-command --rsh-command "
    "--new-volume-script",
    "gtar": "--to-command --use-compress-program -I --checkpoint-action --info-script",
    "rsync": "-e --rsh --rsync-path",
    "sort": "--compress-program",
    "split": "--filter",
    "man": "-P --pager -H --html",
    "zip": "-TT --unzip-command",
    "scp": "-S",
    "sftp": "-S",
    "rg": "--pre --hostname-bin",
    "ssh-keygen": "-D -w",
    "ssh-add": "-s",
    "pg_basebackup": "--pre --post",
    "hg": "--config",
}
"""Options whose value is a command that the program runs."""
_TOLD: dict[str, str] = {
    **dict.fromkeys(
        ("vim", "vi", "nvim", "ex", "gvim", "view", "vimdiff"), r"[:|+]?!|\bsystem\(|(?:%|1,\$)d|\bcall delete\("
    ),
    **dict.fromkeys(("emacs", "emacsclient"), r"shell-command|call-process|delete-(?:file|directory)"),
    **dict.fromkeys(("gdb", "lldb"), r"^(?:shell|!|platform shell|make)\b|\bsystem\("),
    **dict.fromkeys(("less", "more", "most"), r"^\+?!"),
    "ed": r"(?m)^(?:!|w !|(?:1?,\$?|%)d)",
    "expect": r"\b(?:spawn|exec|system)\b",
    "tmux": r"^(?:kill-server|kill-session)$",
}
"""What in the words or the input of these programs is a command for a shell, or empties what is open."""
_PATTERNS = {name: re.compile(pattern) for name, pattern in _TOLD.items()}
_OBEYED = words(
    "GIT_SSH_COMMAND GIT_SSH GIT_PAGER GIT_EDITOR GIT_EXTERNAL_DIFF GIT_ASKPASS GIT_SEQUENCE_EDITOR "
    "GIT_PROXY_COMMAND PAGER "
    "EDITOR VISUAL BROWSER LESSOPEN LESSCLOSE MANPAGER PROMPT_COMMAND SSH_ASKPASS SUDO_ASKPASS "
    "RSYNC_RSH CVS_RSH BASH_ENV "
    "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES PYTHONSTARTUP TAR_OPTIONS SHELLOPTS_RUN PERL5DB GIT_TEMPLATE_DIR "
    "GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_EXEC_PATH MAKEFLAGS_RUN SYSTEMD_EDITOR KUBE_EDITOR"
)
"""Variables that name a command or code which other programs then run."""
_LOADS = {
    "NODE_OPTIONS": re.compile(r"--(?:require|import|loader|experimental-loader)|(?:^|\s)-r"),
    "PERL5OPT": re.compile(r"-[Mm]"),
    "RUBYOPT": re.compile(r"-r"),
    "GIT_CONFIG_COUNT": re.compile(r"."),
    "GIT_CONFIG_PARAMETERS": re.compile(r"."),
    "JAVA_TOOL_OPTIONS": re.compile(r"-(?:javaagent|agent)"),
    "PYTHONWARNINGS": re.compile(r"all:0:"),
}
_SSH_OPTION = re.compile(
    r"(?i)(?:ProxyCommand|LocalCommand|KnownHostsCommand|PermitLocalCommand)\s*[= ]\s*(?!none\b|no\b)\S"
)
_AWK = re.compile(r"\bsystem\s*\(|\|\s*\"|\"\s*\|&?\s*getline|\|&|\|\s*getline|\|\s*\w+\s*$")
_AWK_FILE = re.compile(r">{1,2}\s*\"([^\"]*)\"")
_SED_FLAGS = re.compile(r"[gpIiMme0-9]*")
_TO_LINE_END = tuple("ewWaicrR:bt")
_ADDRESS = re.compile(
    r"\s*(?:(?:\d+|\$|first|/(?:[^/\\\n]|\\.)*/[IM]*)(?:[,~+](?:\d+|\$|/(?:[^/\\\n]|\\.)*/[IM]*))?)?\s*!?\s*"
)


def is_helper(command: str) -> bool:
    """Whether a command given to another program is only one of the usual helpers with options of its own."""
    first, _, rest = command.strip().partition(" ")
    name = first.rpartition("/")[2]
    return (not first or name in _HELPERS) and not _SSH_OPTION.search(rest) and not re.search(r"[;&|`$<>]", rest)


def variable(assignment: str) -> str:
    """Why setting this variable for a command is risky."""
    name, _, held = assignment.partition("=")
    name = name.rstrip("+").upper() if name.islower() else name.rstrip("+")
    loads = _LOADS.get(name)
    risky = (name in _OBEYED and not is_helper(held)) or (loads is not None and loads.search(held))
    return f"{name} has other programs run a command" if risky else ""


def by_option(line: Line) -> str:
    flags = _RUNS[line.program].split()
    given = [word.text for flag in flags if (word := line.after(flag))]
    if line.program in ("scp", "sftp") and ssh_option(line):
        return _OWN
    return "" if all(is_helper(_without_verb(text)) for text in given) else _OWN


def _without_verb(text: str) -> str:
    """`exec=CMD` of `--checkpoint-action`; what the others of its actions do is harmless."""
    verb, equals, held = text.partition("=")
    if verb in ("dot", "echo", "sleep", "bell", "ttyout", "totals"):
        return ""
    return held if equals and verb == "exec" else text


def told(line: Line) -> str:
    said = [*line.texts, *((line.input.text,) if line.input else ())]
    return _OWN if any(_PATTERNS[line.program].search(text) for text in said) else ""


def ssh_option(line: Line) -> str:
    return _OWN if any(_SSH_OPTION.search(text) for text in line.texts) else ""


def awk(line: Line) -> str:
    program = "" if line.has("-f", "--file") else (line.operands[:1] or [""])[0]
    if any(_AWK.search(text) for text in (program, *line.texts[:3])):
        return _OWN
    return next(filter(None, (written_to(path) for path in _AWK_FILE.findall(program))), "")


def sed(line: Line) -> str:
    given = line.after("-e", "--expression")
    scripts = [given.text] if given else line.operands[:1]
    for command in (each for script in scripts for each in _sed_commands(script)):
        if command == "e":
            return _OWN
        if command.startswith("w ") and (reason := written_to(command[2:].strip())):
            return reason
    return ""


def _sed_commands(script: str) -> Iterator[str]:
    """`e` for each command that runs something, `w FILE` for each that writes. It is read from left to right, once."""
    position = 0
    while position < len(script):
        address = _ADDRESS.match(script, position)
        position = address.end() if address else position
        letter, line_end = script[position : position + 1], _end_of_line(script, position)
        if letter in ("s", "y") and position + 1 < len(script):
            position = _behind_parts(script, position + 2, script[position + 1], 2)
            flags = _SED_FLAGS.match(script, position)
            behind = flags.end() if flags else position
            yield from _flagged(script[position:behind], script[behind : _end_of_line(script, behind)])
            position = _next(script, behind)
        elif letter in _TO_LINE_END:
            yield f"{letter.lower()}{script[position + 1 : line_end]}" if letter in "wW" else letter
            position = line_end + 1
        else:
            position += 1


def _flagged(flags: str, rest: str) -> Iterator[str]:
    if "e" in flags:
        yield "e"
    if rest.startswith("w"):
        yield rest


def _end_of_line(script: str, position: int) -> int:
    end = script.find("\n", position)
    return len(script) if end < 0 else end


def _next(script: str, position: int) -> int:
    while position < len(script) and script[position] not in ";\n}":
        position += 1
    return position + 1


def _behind_parts(script: str, position: int, delimiter: str, parts: int) -> int:
    while position < len(script) and parts:
        if script[position] == "\\":
            position += 1
        elif script[position] == delimiter:
            parts -= 1
        position += 1
    return position


def make(line: Line) -> str:
    """A makefile that is given by the line itself, or a shell of its own."""
    file = line.after("-f", "--file", "--makefile")
    own = any(text.startswith(("SHELL=", "--eval")) for text in line.texts)
    return _OWN if own or (file and file.text in ("-", "/dev/stdin")) else ""


RUNNING: dict[str, Rule] = {
    **dict.fromkeys(_RUNS, by_option),
    **dict.fromkeys(_TOLD, told),
    **dict.fromkeys(("ssh", "mosh", "autossh"), ssh_option),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk", "goawk"), awk),
    **dict.fromkeys(("sed", "gsed"), sed),
    **dict.fromkeys(("make", "gmake"), make),
}
