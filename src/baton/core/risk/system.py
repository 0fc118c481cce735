"""What changes the machine under everything: disks, services, processes, users, networks, packages."""

from __future__ import annotations

from baton.core.risk.line import Line, Rule
from baton.core.risk.rows import does

_DISKS = "it changes disks or file systems"
_SERVICES = "it stops or restarts services"
_PROCESSES = "it ends every process of that name"
_STOPS = "it stops the machine"
_ADMIN = "it changes users, networks or the kernel"
_PACKAGES = "it changes the system's packages"
_SCHEDULES = "it changes scheduled jobs"
_FORGETS = "it deletes what was recorded"


def service(line: Line) -> str:
    return _SERVICES if {"stop", "restart", "force-reload"} & {*line.operands[1:2]} else ""


def kill(line: Line) -> str:
    if {"-0", "-l", "-L", "--list"} & {*line.texts} or not line.args:
        return ""
    return "" if all(text.startswith(("%", "$!")) for text in line.operands) and line.operands else "it ends processes"


def sysctl(line: Line) -> str:
    return (
        _ADMIN
        if line.has("-w", "-p", "--write", "--load", "--system") or any("=" in text for text in line.operands)
        else ""
    )


def mount(line: Line) -> str:
    return _DISKS if line.operands else ""


def pacman(line: Line) -> str:
    told = next((text for text in line.texts if text.startswith("-")), "")
    return (
        _PACKAGES
        if told.startswith(("-R", "-U", "-S", "--remove", "--sync", "--upgrade")) and not told.startswith("-Ss")
        else ""
    )


def scheduled(line: Line) -> str:
    return _SCHEDULES if line.operands or line.piped or line.input else ""


def packages(verbs: str) -> Rule:
    return does(_PACKAGES, verbs=verbs, unless="-s, --simulate, --no-act, --download-only")


_APT = "install, remove, purge, upgrade, dist-upgrade, full-upgrade, autoremove, reinstall, build-dep, autopurge"
_DNF = (
    "install, remove, erase, update, upgrade, downgrade, autoremove, reinstall, distro-sync, swap, groupinstall, module"
)
_SYSTEMCTL = (
    "stop, restart, disable, mask, kill, isolate, reboot, poweroff, halt, suspend, hibernate, try-restart, enable, "
    "daemon-reexec, reload-or-restart, set-default, revert, edit, reset-failed, start, shutdown, remove, update"
)
CHANGING: dict[str, Rule] = {
    **dict.fromkeys(
        ("fdisk", "sfdisk", "gdisk", "parted", "sgdisk", "cfdisk"),
        does(_DISKS, unless="-l, --list, -p, print, --print, -d, --dump, -v"),
    ),
    **dict.fromkeys(
        ("wipefs", "mkswap", "blkdiscard", "lvremove", "vgremove", "pvremove", "mkfs", "format", "newfs"), does(_DISKS)
    ),
    **dict.fromkeys(
        ("lvreduce", "lvresize", "lvcreate", "vgreduce", "vgcreate", "pvcreate", "lvextend", "lvconvert"), does(_DISKS)
    ),
    **dict.fromkeys(
        ("umount", "swapoff", "swapon", "tune2fs", "resize2fs", "xfs_growfs", "debugfs", "badblocks"),
        does(_DISKS, unless="-l /dev, --show, -s"),
    ),
    **dict.fromkeys(("fsck", "e2fsck", "xfs_repair", "btrfsck", "ntfsfix"), does(_DISKS, unless="-n, -N")),
    "hdparm": does(_DISKS, unless="-I, -i, -g, -t, -T, -C"),
    "losetup": does(_DISKS, flags="-d -D --detach --detach-all"),
    "cryptsetup": does(_DISKS, unless="status, luksDump, isLuks, benchmark, luksUUID"),
    "mdadm": does(_DISKS, unless="--detail, -D, --examine, -E, --query, -Q, --monitor"),
    "diskutil": does(_DISKS, unless="list, info, activity, apfs list, listFilesystems"),
    "nvme": does(_DISKS, verbs="format, sanitize, write, write-zeroes, delete-ns, reset, fw-commit, dsm"),
    "btrfs": does(
        _DISKS, verbs="subvolume delete, device delete, device remove, filesystem resize, balance start, check, rescue"
    ),
    "zfs": does(_DISKS, verbs="destroy, rollback, rename, promote, receive, recv, set, inherit, unmount, upgrade"),
    "zpool": does(
        _DISKS,
        verbs="destroy, remove, detach, offline, export, labelclear, replace, attach, add, upgrade, clear, split",
    ),
    "mount": mount,
    **dict.fromkeys(("systemctl", "supervisorctl"), does(_SERVICES, verbs=_SYSTEMCTL)),
    "launchctl": does(
        _SERVICES, verbs="unload, bootout, remove, kill, load, bootstrap, disable, kickstart, stop, reboot"
    ),
    **dict.fromkeys(("service", "rc-service"), service),
    "brew services": does(_SERVICES),
    "pm2": does(_SERVICES, verbs="stop, restart, delete, kill, reload, flush, unstartup"),
    "pg_ctl": does(_SERVICES, verbs="stop, restart, promote, kill"),
    "pg_ctlcluster": does(_SERVICES),
    **dict.fromkeys(
        ("nginx", "apachectl", "httpd", "caddy"), does(_SERVICES, flags="-s", verbs="stop, restart, graceful, reload")
    ),
    "rabbitmqctl": does(
        _SERVICES,
        unless="status, list_queues, list_users, list_exchanges, list_bindings, list_connections, "
        "list_channels, "
        "list_vhosts, list_consumers, list_permissions, cluster_status, environment, report, ping, "
        "version, help, node_health_check",
    ),
    "kill": kill,
    **dict.fromkeys(("pkill", "killall", "skill", "xkill", "killall5"), does(_PROCESSES, unless="-0, -l")),
    "fuser": does(_PROCESSES, flags="-k --kill"),
    **dict.fromkeys(("shutdown", "reboot", "poweroff", "halt"), does(_STOPS)),
    **dict.fromkeys(("init", "telinit"), does(_STOPS, verbs="0, 1, 6, s, S")),
    "crontab": does(_SCHEDULES, unless="-l"),
    **dict.fromkeys(("at", "batch"), scheduled),
    "atrm": does(_SCHEDULES),
    **dict.fromkeys(
        ("sudo", "doas", "su", "pkexec", "runas", "run0", "sudoedit", "gsudo"),
        does("it runs with another user's rights"),
    ),
    **dict.fromkeys(
        (
            "useradd",
            "userdel",
            "usermod",
            "groupdel",
            "groupadd",
            "groupmod",
            "chpasswd",
            "adduser",
            "deluser",
            "gpasswd",
            "chsh",
            "dscl",
        ),
        does(_ADMIN),
    ),
    "passwd": does(_ADMIN, unless="-S, --status"),
    "visudo": does(_ADMIN, unless="-c, --check"),
    **dict.fromkeys(("iptables", "ip6tables", "ebtables"), does(_ADMIN, unless="-L, --list, -S, --list-rules, -C")),
    **dict.fromkeys(
        ("iptables-restore", "setenforce", "setsebool", "insmod", "rmmod", "kexec", "chronyc", "ntpdate", "hwclock"),
        does(_ADMIN, unless="-r, --show, sources, tracking"),
    ),
    "modprobe": does(_ADMIN, unless="-n, -c, --show-depends"),
    "nft": does(_ADMIN, unless="list, -c"),
    "ufw": does(_ADMIN, unless="status, version, show"),
    "firewall-cmd": does(
        _ADMIN,
        unless="--list-all, --state, --get-zones, --get-active-zones, --list-ports, --list-services, "
        "--get-default-zone",
    ),
    "ip": does(
        _ADMIN,
        verbs="link set, link del, link delete, link add, route del, route add, route flush, route replace, "
        "route change, addr del, addr add, addr flush, "
        "address del, address add, a add, a del, r add, r del, l set, rule add, rule del, neigh flush, "
        "netns del, netns delete",
    ),
    **dict.fromkeys(("ifdown", "ifup", "ifconfig-down", "nmtui"), does(_ADMIN)),
    "ifconfig": lambda line: _ADMIN if len(line.operands) > 1 else "",
    "route": does(_ADMIN, verbs="add, del, delete, flush, change"),
    "nmcli": does(
        _ADMIN,
        verbs="con down, con del, con delete, con up, con add, con mod, con modify, connection delete, "
        "connection down, connection modify, "
        "device disconnect, radio, networking off, dev disconnect",
    ),
    "networksetup": does(_ADMIN, unless="-listallnetworkservices, -getinfo"),
    "sysctl": sysctl,
    "update-alternatives": does(_ADMIN, flags="--set --install --remove --remove-all --config --auto"),
    **dict.fromkeys(
        ("timedatectl", "hostnamectl", "localectl"),
        lambda line: (
            _ADMIN
            if any(text.startswith(("set-", "hostname")) for text in line.operands[:1]) and len(line.operands) > 1
            else ""
        ),
    ),
    "loginctl": lambda line: (
        _ADMIN
        if any(text.startswith(("terminate", "kill", "lock", "enable", "disable")) for text in line.operands[:1])
        else ""
    ),
    "defaults": does(_ADMIN, verbs="write, delete, rename, import"),
    **dict.fromkeys(
        ("csrutil", "spctl", "nvram", "pmset", "tmutil"),
        does(_ADMIN, unless="status, --status, -p, -g, --assess, listbackups, latestbackup, destinationinfo"),
    ),
    "journalctl": does(_FORGETS, flags="--vacuum-time --vacuum-size --vacuum-files --rotate --flush"),
    "history": does(_FORGETS, flags="-c -d -w"),
    **dict.fromkeys(
        ("grub-install", "update-grub", "efibootmgr-set", "dracut", "update-initramfs", "grub-mkconfig"), does(_ADMIN)
    ),
    **dict.fromkeys(("apt", "apt-get", "aptitude"), packages(_APT)),
    **dict.fromkeys(("dnf", "yum", "microdnf", "zypper", "tdnf"), packages(_DNF + ", in, rm, up, dup, patch")),
    "apk": packages("add, del, upgrade, fix"),
    "dpkg": does(_PACKAGES, flags="-i -r -P --install --remove --purge --unpack --configure"),
    "rpm": does(_PACKAGES, flags="--install --erase --upgrade --import -e -U -F", unless="-q, --query, -V"),
    **dict.fromkeys(("pacman", "yay", "paru"), pacman),
    "brew": does(
        _PACKAGES,
        verbs="uninstall, remove, rm, autoremove, cleanup, services stop, services restart, services start, "
        "unlink, untap, reinstall",
    ),
    **dict.fromkeys(("snap", "flatpak"), packages("install, remove, uninstall, refresh, update, revert, disable")),
    **dict.fromkeys(
        ("choco", "winget", "scoop", "port", "pkg", "emerge", "nix-env", "nix-collect-garbage"),
        does(
            _PACKAGES,
            unless="list, search, info, show, --query, -q, -qa, export, -s, -p, --pretend, outdated, status, --version",
        ),
    ),
    "nix": does(
        _PACKAGES,
        verbs="profile install, profile remove, profile upgrade, store gc, store delete, profile wipe-history",
    ),
}
