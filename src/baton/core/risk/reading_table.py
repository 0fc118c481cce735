"""What is known of programs that read: their options, one by one. An option that is missing here is asked about."""

from __future__ import annotations

from baton.core.risk.line import words
from baton.core.risk.reading_options import NOTHING, PATTERN, TEXTS, Reader, reader

BUILTINS = words("cd echo pwd true type command")
VERSIONED = words("python python3 node git gcc clang bash ruby perl java")
_GREP = reader(
    "inclLvwxohHsqrEFGPaIzbTy",
    "eABCm",
    "ignore-case line-number count files-with-matches files-without-match invert-match word-regexp line-regexp "
    "only-matching no-filename with-filename no-messages quiet silent recursive extended-regexp fixed-strings "
    "basic-regexp perl-regexp text color colour null",
    "regexp after-context before-context context max-count include exclude exclude-dir",
    PATTERN,
    numbers=True,
    unpatterned="-e --regexp",
)
READERS: dict[str, Reader] = {
    "ls": reader(
        "aAlhrtSR1dFpGgsinokbmqQcfuUvxXBC",
        "",
        "all almost-all color human-readable recursive directory classify reverse sort time group-directories-first "
        "size inode full-time si time-style numeric-uid-gid no-group format indicator-style file-type",
        "ignore hide",
    ),
    "cat": reader("AbeEnstTuv", "", "number number-nonblank show-all show-ends show-tabs squeeze-blank"),
    "head": reader("qvz", "nc", "quiet silent verbose", "lines bytes", numbers=True),
    "tail": reader("qvz", "nc", "quiet silent verbose", "lines bytes", numbers=True),
    "wc": reader("cmlwL", "", "bytes chars lines words max-line-length"),
    "nl": reader("p", "bnwsv", "", "body-numbering number-format number-width"),
    "tac": reader(),
    "rev": reader(),
    "cut": reader("sz", "dfcb", "only-delimited complement", "delimiter fields characters bytes output-delimiter"),
    "uniq": reader("cdDuiz", "fsw", "count repeated unique ignore-case", "skip-fields skip-chars check-chars", most=1),
    "sort": reader(
        "nrufhVgbdiMsz",
        "kt",
        "numeric-sort reverse unique ignore-case human-numeric-sort version-sort general-numeric-sort stable "
        "ignore-leading-blanks dictionary-order month-sort",
        "key field-separator",
    ),
    "tr": reader("cCdst", "", "complement delete squeeze-repeats", "", TEXTS),
    "comm": reader("123", "", "nocheck-order"),
    "cmp": reader("bls", "n", "silent quiet verbose print-bytes", "bytes", most=2),
    "grep": _GREP,
    "egrep": _GREP,
    "fgrep": _GREP,
    "rg": reader(
        "isSnNvclwxoHIqFPUu.0a",
        "egtTABCmMd",
        "ignore-case case-sensitive smart-case line-number no-line-number invert-match count count-matches "
        "files-with-matches files-without-match word-regexp line-regexp only-matching with-filename no-filename quiet "
        "fixed-strings pcre2 multiline multiline-dotall unrestricted hidden no-hidden no-ignore no-ignore-vcs files "
        "json heading no-heading stats trim vimgrep type-list column color text null no-messages crlf passthru",
        "regexp glob iglob type type-not after-context before-context context max-count max-columns max-depth "
        "sort sortr replace colors max-filesize",
        PATTERN,
        unpatterned="-e --regexp --files --type-list",
    ),
    "fd": reader(
        "HIuisgFpa01q",
        "tedE",
        "hidden no-ignore unrestricted ignore-case case-sensitive glob fixed-strings full-path absolute-path print0 "
        "quiet color",
        "type extension max-depth min-depth exact-depth exclude size changed-within changed-before max-results",
        PATTERN,
    ),
    "tree": reader("adfiuhsDpgFrtnC", "LIP", "dirsfirst noreport prune gitignore du si", "filelimit"),
    "du": reader("shackmb0x", "d", "summarize human-readable all total apparent-size bytes", "max-depth exclude"),
    "stat": reader("ft", "c", "terse file-system", "format printf"),
    "file": reader("bihk", "", "brief mime mime-type mime-encoding"),
    "realpath": reader("emsqz", "", "canonicalize-existing canonicalize-missing no-symlinks"),
    "readlink": reader("fem", "", "canonicalize"),
    "basename": reader("az", "s", "multiple", "suffix", TEXTS),
    "dirname": reader("z", "", "", "", TEXTS),
    "df": reader("hTaikP", "", "human-readable print-type"),
    "md5sum": reader("b", "", "binary"),
    "sha1sum": reader("b", "", "binary"),
    "sha256sum": reader("b", "", "binary"),
    "pwd": reader("LP", operands=NOTHING),
    "true": reader(operands=NOTHING),
    "echo": reader("neE", operands=TEXTS),
    "whoami": reader(operands=NOTHING),
    "id": reader("ugnGr", operands=NOTHING),
    "uname": reader("asnrvmpio", "", "all", operands=NOTHING),
    "nproc": reader("", "", "all", operands=NOTHING),
    "arch": reader(operands=NOTHING),
    "which": reader("a", "", "all", "", TEXTS),
    "type": reader("atp", operands=TEXTS),
}
READERS["fdfind"] = READERS["fd"]
FIND_ALONE = words(
    "( ) ! , -not -a -and -o -or -print -print0 -prune -empty -quit -xdev -mount -depth -d -true -false -readable "
    "-writable -executable -ls -nouser -nogroup -noleaf -daystart"
)
FIND_VALUED = words(
    "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -maxdepth -mindepth -size -mtime "
    "-mmin -atime -amin -ctime -cmin -newermt -perm -user -group -uid -gid -links -inum -lname -ilname -printf -fstype"
)
FIND_PATHS = words("-newer -anewer -cnewer -samefile")
