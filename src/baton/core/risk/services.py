"""What sends: requests that change something, mail, money, files for another machine."""

from __future__ import annotations

import re

from baton.core.risk.line import Line, Rule
from baton.core.risk.publish import method_of
from baton.core.risk.rows import does

_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})
_SENDS = "it sends data"
_MAILS = "it sends a message to people"
_PAYS = "it moves money"
_ELSEWHERE = "it writes to another machine"
_LOCAL = re.compile(r"(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)")


def curl(line: Line) -> str:
    method = method_of(line)
    if method in _METHODS:
        return f"it sends a {method} request"
    options = (
        "--data",
        "--form",
        "--json",
        "--upload-file",
        "--url-query-file",
        "-d",
        "-F",
        "-T",
        "--mail-rcpt",
        "--quote",
    )
    sends = any(text.startswith(options) for text in line.texts)
    if sends and not (line.has("-G", "--get") or method == "GET"):
        return _SENDS
    if line.has("-K", "--config"):
        return "what it sends stands in a file"
    return "what it sends is only known when it runs" if method.startswith("$") else ""


def wget(line: Line) -> str:
    method = line.after("--method")
    writes = method is not None and method.text.upper() in _METHODS
    return _SENDS if writes or any(text.startswith(("--post", "--body")) for text in line.texts) else ""


def httpie(line: Line) -> str:
    if {text.upper() for text in line.operands} & _METHODS:
        return _SENDS
    return _SENDS if any(re.match(r"[\w.-]+(?:=|:=|@)(?!=)", text) for text in line.operands[1:]) else ""


def grpc(line: Line) -> str:
    """A call may do anything, by its method's name; one to this machine is a test."""
    if any(_LOCAL.match(text) for text in line.operands):
        return ""
    named = " ".join(line.operands)
    return (
        _SENDS
        if re.search(r"(?i)[/.](?:create|delete|update|send|pay|set|remove|add|put|cancel|charge)", named)
        else ""
    )


def netcat(line: Line) -> str:
    if line.has("-e", "-c", "--exec", "--sh-exec"):
        return "it gives a shell to another machine"
    fed = line.piped or line.input is not None or any(redirect.operator == "<" for redirect in line.redirects)
    return _SENDS if fed and not line.has("-z", "-l") else ""


def copy_to_host(line: Line) -> str:
    return _ELSEWHERE if _is_remote(line.operands[-1:]) or (line.has("-b") and line.program == "sftp") else ""


def rsync(line: Line) -> str:
    if line.is_rehearsal or line.has("-n"):
        return ""
    if any(text.startswith("--delete") or text == "--remove-source-files" for text in line.texts):
        return "it deletes what is not on the other side"
    return _ELSEWHERE if _is_remote(line.operands[-1:]) else ""


def _is_remote(operands: list[str]) -> bool:
    place = "".join(operands)
    host, colon, _ = place.partition(":")
    return bool(colon) and bool(host) and "/" not in host


def file_transfer(line: Line) -> str:
    fed = line.piped or line.input is not None or any(redirect.operator == "<" for redirect in line.redirects)
    told = " ".join(line.texts)
    return _ELSEWHERE if fed or re.search(r"\b(?:put|mput|mirror\s+(?:\S+\s+)*-R|rm|mrm|delete)\b", told) else ""


REACHING: dict[str, Rule] = {
    "curl": curl,
    **dict.fromkeys(("wget", "wget2"), wget),
    **dict.fromkeys(("http", "https", "xh", "xhs", "curlie"), httpie),
    **dict.fromkeys(("grpcurl", "evans", "ghz"), grpc),
    **dict.fromkeys(("nc", "ncat", "netcat", "socat"), netcat),
    **dict.fromkeys(("scp", "sftp", "pscp"), copy_to_host),
    **dict.fromkeys(("ftp", "lftp", "ncftp", "ncftpput", "tftp"), file_transfer),
    "rsync": rsync,
    "ssh-copy-id": does("it lets somebody in to another machine"),
    **dict.fromkeys(
        ("mail", "mailx", "sendmail", "mutt", "neomutt", "msmtp", "swaks", "ssmtp", "exim", "s-nail"), does(_MAILS)
    ),
    **dict.fromkeys(("lp", "lpr"), does("it prints")),
    "wall": does(_MAILS),
    "paypal": does(_PAYS),
    **dict.fromkeys(
        ("bitcoin-cli", "litecoin-cli", "lncli", "lightning-cli"),
        does(
            _PAYS,
            unless=(
                "getbalance, getblockchaininfo, getinfo, getnewaddress, listtransactions, listunspent, help, getblock, "
                "getrawtransaction, gettransaction, walletbalance, listchannels, listpeers, getnetworkinfo"
            ),
        ),
    ),
    "solana": does(
        _PAYS, verbs="transfer, pay, program deploy, program close, stake, vote, airdrop, deploy, create-account"
    ),
    "spl-token": does(_PAYS, verbs="transfer, mint, burn, approve, close, create-token, create-account"),
    "cast": does(_PAYS, verbs="send, publish, mktx"),
    "forge": does(_PAYS, flags="--broadcast", verbs="create, verify-contract"),
    "elasticdump": does(_SENDS, flags="--output"),
    "mosquitto_pub": does(_SENDS),
    **dict.fromkeys(("kafka-console-producer.sh", "kafka-console-producer", "kcat-produce"), does(_SENDS)),
    "gpg": does(_SENDS, flags="--send-keys --delete-secret-keys --delete-keys --delete-secret-and-public-key"),
}
