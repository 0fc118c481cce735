"""What deletes files or changes the system under everything."""

from __future__ import annotations

import re

from baton.core.risk.line import Line, Rule

_DEVICE = re.compile(r"/dev/(?!null$|zero$|stdout$|stderr$|stdin$|tty|fd/|shm/|full$|u?random$|pts/)\S+")
_SYSTEM = re.compile(
    r"/(?:etc|boot|usr|bin|sbin|lib\w*|sys|proc|root|opt)(?:/|$)|(?:~|\$HOME|/home/[^/]+)/\.ssh(?:/|$)"
)
_EVERYTHING = ("*", "/", "/*", "~", "~/", ".", "./", "./*", "..", "../*", "$HOME")


def rm(line: Line) -> str:
    if line.has("-r", "-R", "--recursive"):
        return "it deletes directories with all that is in them"
    if line.has("-f", "--force"):
        return "it deletes without asking"
    if line.many or any(text in _EVERYTHING for text in line.operands):
        return "it deletes many files at once"
    return ""


def shred(_: Line) -> str:
    return "it destroys content for good"


def truncate(line: Line) -> str:
    return "it cuts files" if line.operands else ""


def dd(line: Line) -> str:
    written = [text[3:] for text in line.texts if text.startswith("of=")]
    return "it writes to a device" if any(_DEVICE.match(path) for path in written) else ""


def disk(_: Line) -> str:
    return "it changes disks or file systems"


def recursive(line: Line) -> str:
    return "it changes permissions of everything below" if line.has("-R", "--recursive") or line.many else ""


def mv(line: Line) -> str:
    return "what is moved there is gone" if line.operands[-1:] == ["/dev/null"] else ""


def find(line: Line) -> str:
    return "it deletes what it finds" if "-delete" in line.texts else ""


def tee(line: Line) -> str:
    return next(filter(None, (written_to(text) for text in line.operands)), "")


def written_to(path: str) -> str:
    """Why writing to this path is risky, or an empty string."""
    if _DEVICE.match(path):
        return "it writes to a device"
    return "it writes to the system's own files" if _SYSTEM.match(path) else ""


def rsync(line: Line) -> str:
    if line.is_rehearsal or line.has("-n"):
        return ""
    if any(text.startswith("--delete") or text == "--remove-source-files" for text in line.texts):
        return "it deletes what is not on the other side"
    return "it writes to another machine" if _is_remote(line.operands[-1:]) else ""


def scp(line: Line) -> str:
    return "it writes to another machine" if _is_remote(line.operands[-1:]) else ""


def _is_remote(operands: list[str]) -> bool:
    host, colon, _ = "".join(operands).partition(":")
    return bool(colon) and bool(host) and "/" not in host


def ends_services(line: Line) -> str:
    verb = line.begins("stop", "restart", "disable", "mask", "kill", "isolate", "reboot", "poweroff", "halt")
    return "it stops or restarts services" if verb else ""


def service(line: Line) -> str:
    return "it stops or restarts services" if {"stop", "restart"} & {*line.operands[1:2]} else ""


def kill(line: Line) -> str:
    if {"-0", "-l", "-L", "--list"} & {*line.texts} or not line.args:
        return ""
    return "" if all(text.startswith(("%", "$!")) for text in line.operands) else "it ends processes"


def ends_processes(_: Line) -> str:
    return "it ends every process of that name"


def stops_the_machine(_: Line) -> str:
    return "it stops the machine"


def init(line: Line) -> str:
    return "it stops the machine" if {"0", "1", "6"} & {*line.operands} else ""


def crontab(line: Line) -> str:
    return "" if line.has("-l") else "it replaces scheduled jobs"


def as_another(_: Line) -> str:
    return "it runs with another user's rights"


def administers(_: Line) -> str:
    return "it changes users, networks or the kernel"


DELETING: dict[str, Rule] = {
    "rm": rm,
    "shred": shred,
    "srm": shred,
    "wipe": shred,
    "truncate": truncate,
    "dd": dd,
    "mv": mv,
    "find": find,
    "tee": tee,
    "rimraf": shred,
    "trash-empty": shred,
}
CHANGING: dict[str, Rule] = {
    **dict.fromkeys(("chmod", "chown", "chgrp", "setfacl", "chattr"), recursive),
    **dict.fromkeys(("fdisk", "sfdisk", "sgdisk", "gdisk", "parted", "wipefs", "mkswap", "blkdiscard", "hdparm"), disk),
    **dict.fromkeys(("lvremove", "vgremove", "pvremove", "cryptsetup", "mdadm", "diskutil", "format", "mkfs"), disk),
    "systemctl": ends_services,
    "launchctl": lambda line: "it stops services" if line.begins("unload", "bootout", "remove", "kill") else "",
    "service": service,
    "supervisorctl": ends_services,
    "pm2": lambda line: "it stops services" if line.begins("stop", "restart", "delete", "kill") else "",
    "kill": kill,
    **dict.fromkeys(("pkill", "killall", "skill", "xkill"), ends_processes),
    **dict.fromkeys(("shutdown", "reboot", "poweroff", "halt"), stops_the_machine),
    **dict.fromkeys(("init", "telinit"), init),
    "crontab": crontab,
    **dict.fromkeys(("sudo", "doas", "su", "pkexec", "runas", "run0"), as_another),
    **dict.fromkeys(("useradd", "userdel", "usermod", "groupdel", "passwd", "chpasswd", "visudo"), administers),
    **dict.fromkeys(("iptables", "ip6tables", "nft", "ufw", "sysctl", "insmod", "rmmod", "modprobe"), administers),
}
SENDING: dict[str, Rule] = {"scp": scp, "sftp": scp, "rsync": rsync}
