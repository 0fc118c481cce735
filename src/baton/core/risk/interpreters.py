"""Programs that run code: what they are given to run, and what in that code is risky."""

from __future__ import annotations

import re
from collections.abc import Sequence

from baton.core.risk.line import Line, words
from baton.core.risk.wrappers import SHELLS
from baton.core.shell import Word

INTERPRETERS = words(
    "python python2 python3 pypy pypy3 node deno bun ruby perl php lua osascript Rscript tclsh wish "
    "ts-node tsx julia groovy scala elixir"
)
_VERSIONED = re.compile(r"((?:python|pypy|ruby|perl|php|lua|node)\d?)[\d.]*")
_TAKES_CODE = re.compile(r"-c|-[A-Za-z0-9]*[eE]|-p|-r|--eval|--print")
_CODE = re.compile(
    r"rmtree|remove_tree|os\.(?:remove|unlink|rmdir|removedirs|system|popen|exec|kill|execute|truncate)|subprocess|shutil\.move"
    r"|\.unlink\(|\.rmdir\(|unlinkSync|\.rm\(|rmSync|rmdirSync|truncateSync|child_process|execSync|FileUtils\.rm|\bunlink\b"
    r"|\bsystem\s*[(\"']|`[^`$]+`|%x[\[({]|(?<![.\w])exec\s*[(\"'\[\w]|\beval\b|shell_exec|passthru|proc_open|io\.popen|IO\.popen"
    r"|\bspawn\b|smtplib|sendmail|\.send_message\(|(?:requests|httpx|session|client|axios|http)\.(?:post|put|patch|delete)\b"
    r"|urlopen\([^)]*data\s*=|[\"']?method[\"']?\s*[:=]\s*[\"'](?:POST|PUT|PATCH|DELETE)|Net::HTTP::(?:Post|Put|Delete|Patch)"
    r"|(?i:\bdrop\s+(?:table|database|schema)\b|\bdelete\s+from\b|\btruncate\s+table\b)|deleteMany\(|\.drop_all\(|dropDatabase\("
    r"|do shell script|Runtime\.getRuntime|Deno\.(?:run|remove|Command)|Bun\.\$|pty\.spawn|ctypes|\bkill\s*[(\s]-?9"
)


def interpreter(line: Line) -> str:
    """The name of an interpreter without its version; an empty string for any other program."""
    match = _VERSIONED.fullmatch(line.program)
    name = match[1] if match else line.program
    return name if name in INTERPRETERS or name in SHELLS else ""


def interpreted_line(line: Line) -> tuple[Line | None, str]:
    """What an interpreter is to run, as a line named after the script or module; or what is risky in its code."""
    name = interpreter(line)
    if not name or (name in SHELLS and line.has("-n")):
        return None, ""
    if line.input and name not in SHELLS:
        return None, _in_code([line.input])
    for position, word in enumerate(line.args):
        text, rest = word.text, line.args[position + 1 :]
        if text == "-m" and rest and name.startswith(("python", "pypy")):
            return _rename(line, rest[0].text, rest[1:]), ""
        if name not in SHELLS and _TAKES_CODE.fullmatch(text):
            return None, _in_code(rest[:1])
        if not text.startswith("-"):
            return _rename(line, text, rest), ""
    return None, ""


def _rename(line: Line, path: str, args: tuple[Word, ...]) -> Line:
    return Line(path.rpartition("/")[2], path, args, line.redirects, many=line.many)


def _in_code(code: Sequence[Word]) -> str:
    return "its code deletes files or runs programs" if any(_CODE.search(word.text) for word in code) else ""
