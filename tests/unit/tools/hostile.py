"""What attackers write: paths, addresses and control sequences, in numbers."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from pathlib import Path

SPELLINGS_TEXT = r"""
http://127.0.0.1/ http://127.1/ http://127.0.1/ http://2130706433/ http://0x7f000001/ http://0x7f.0.0.1/
http://0177.0.0.1/ http://017700000001/ http://0/ http://0.0.0.0/ http://127.0.0.1:22/ http://127.255.255.254/
http://localhost/ http://LOCALHOST./ http://foo.localhost/ http://[::1]/ http://[::]/ http://[0:0:0:0:0:0:0:1]/
http://[::ffff:127.0.0.1]/ http://[::ffff:7f00:1]/ http://[::127.0.0.1]/ http://[64:ff9b::7f00:1]/
http://[64:ff9b::a9fe:a9fe]/ http://[2002:7f00:1::]/ http://[2001:0:7f00:1::]/ http://[fe80::1]/
http://[fe80::1%25eth0]/ http://[fc00::1]/ http://[fd00:ec2::254]/ http://[ff02::1]/ http://169.254.169.254/latest/
http://169.254.170.2/ http://2852039166/ http://0xa9fea9fe/ http://0251.0376.0251.0376/ http://metadata/
http://[::ffff:169.254.169.254]/ http://metadata.google.internal/ http://100.100.100.200/ http://168.63.129.16/
http://192.0.0.192/ http://10.0.0.1/ http://172.16.0.1/ http://172.31.255.255/ http://192.168.1.1/ http://100.64.0.1/
http://198.18.0.1/ http://224.0.0.1/ http://255.255.255.255/ http://240.0.0.1/ http://127.0.0.1.nip.io/
http://rebind.test/ http://mixed.test/ http://①②⑦.⓪.⓪.①/ http://ⓛocalhost/ http://127。0。0。1/
http://user@127.0.0.1/ http://a:b@8.8.8.8/ http://8.8.8.8\@127.0.0.1/ http://8.8.8.8:0/ http://127.0.0.1%2f@8.8.8.8/
file:///etc/passwd gopher://127.0.0.1/ ftp://127.0.0.1/ dict://127.0.0.1:11211/ http:///etc/passwd http://[::1
//127.0.0.1/ http:127.0.0.1 HTTP://127.0.0.1/ https://127.0.0.1/ https://localhost:8443/
http://127.0.0.2/ http://127.127.127.127/ http://0x7F.1/ http://0177.1/ http://0x7f.0x0.0x0.0x1/ http://00000177.0.0.1/
http://127.0.0.1./ http://[0000::1]/ http://[::0001]/ http://[::ffff:0:127.0.0.1]/ http://[::ffff:a00:1]/
http://[::ffff:10.0.0.1]/ http://[::ffff:192.168.0.1]/ http://[::ffff:100.64.0.1]/ http://[::ffff:0.0.0.0]/
http://[::ffff:169.254.170.2]/ http://[64:ff9b::10.0.0.1]/ http://[64:ff9b::192.168.1.1]/ http://[64:ff9b:1::7f00:1]/
http://[64:ff9b:1::a9fe:a9fe]/ http://[2002:a00:1::]/ http://[2002:c0a8:101::1]/ http://[2002:a9fe:a9fe::]/
http://[2001:db8::1]/ http://[2001:10::1]/ http://[2001:20::1]/ http://[100::1]/ http://[fec0::1]/ http://[fdff::1]/
http://[febf::1]/ http://[ff0e::1]/ http://[::1%25lo]/ http://[::ffff:7f00:1%25lo]/ http://[3fff::1]/ http://[5f00::1]/
http://10.255.255.255/ http://172.20.10.1/ http://192.168.255.255/ http://100.127.255.255/ http://0.1.2.3/
http://192.0.2.1/ http://198.51.100.1/ http://203.0.113.1/ http://192.88.99.1/ http://198.19.255.255/ http://233.252.0.1/
http://255.255.255.254/ http://3232235777/ http://167772161/ http://0xc0a80101/ http://0300.0250.1.1/
http://2130706433.:80/ http://0xa9fea9fe:80/latest/meta-data/ http://169.254.169.254:80/computeMetadata/v1/
http://instance-data/ http://kubernetes.default.svc/ http://host.docker.internal/ http://gateway.docker.internal/
http://router.test/ http://six.test/ http://mapped.test/ http://nat64.test/ http://linklocal.test/ http://none.test/
http://127.0.0.1#@8.8.8.8/ http://127.0.0.1?@8.8.8.8/ http://8.8.8.8@127.0.0.1/ http://127.0.0.1:80@8.8.8.8/
http://8.8.8.8%00.127.0.0.1/ http://%31%32%37.0.0.1/ http://127%2e0%2e0%2e1/ http://１２７.０.０.１/ http://127｡0｡0｡1/
http://[::ffff:127.0.0.1]:22/ http://[::]:631/ http://localhost:2375/ http://localhost.:2375/ http://127.0.0.1:6379/
http://8.8.8.8:99999/ http://8.8.8.8:-1/ http://8.8.8.8:80:80/ http://:80/ http://?/ http:/// http://. http://..
ws://127.0.0.1/ ldap://127.0.0.1/ jar:http://127.0.0.1!/ javascript:alert(1) data:text/plain,x unix:///run/docker.sock
"""
SPELLINGS = SPELLINGS_TEXT.split()
"""Addresses that lead, one way or another, to what is not public."""

NAMES = {
    "localhost": ["127.0.0.1"],
    "localhost.": ["127.0.0.1"],
    "foo.localhost": ["::1"],
    "metadata.google.internal": ["169.254.169.254"],
    "metadata": ["169.254.169.254"],
    "127.0.0.1.nip.io": ["127.0.0.1"],
    "rebind.test": ["10.0.0.5"],
    "mixed.test": ["8.8.8.8", "192.168.0.7"],
    "instance-data": ["169.254.169.254"],
    "kubernetes.default.svc": ["10.96.0.1"],
    "host.docker.internal": ["172.17.0.1"],
    "gateway.docker.internal": ["192.168.65.254"],
    "router.test": ["192.168.1.1"],
    "six.test": ["2606:4700::1", "fd00::7"],
    "mapped.test": ["::ffff:127.0.0.1"],
    "nat64.test": ["64:ff9b::a9fe:a9fe"],
    "linklocal.test": ["fe80::1%eth0"],
    "none.test": [],
}
"""What the names among them resolve to."""


def traversals(root: Path, outside: Path) -> list[str]:
    """Ways up, around and through links, each with several ends."""
    ups = ["../" * count for count in range(1, 8)]
    ups += ["..//" * 3, ".././" * 3, "./../" * 2, "a/../../", "a/b/../../../", "link/", "link/../", "link/../outside/"]
    ups += ["deep/link/", "chain/", "chain/../", "loop/", "a/../link/", "/", "//", "/./", f"{outside}/", f"{root}/../"]
    ups += [f"{root}/link/", f"{root}-x/", "~/", "~/../", "\\..\\", "..\\", "%2e%2e/", "%2e%2e%2f", "..%c0%af"]
    ups += ["．．/", "..\u200b/", "..\u2215", ".. /", " ../", "file:///", "\t../"]
    ups += [
        f"/proc/self/root{outside}/",
        f"/proc/self/cwd/../{outside.name}/",
        "/proc/self/fd/",
        "/dev/fd/",
        "/dev/shm/",
    ]
    ups += [f"/proc/thread-self/root{outside}/", f"/proc/1/root{outside}/", f"/proc/self/task/self/root{outside}/"]
    ups += [
        "LINK/",
        "Link/",
        "link./",
        "link /",
        "li\u0301nk/",
        "l\u00adink/",
        "a/b/../../link/",
        "link//",
        "./link/./",
    ]
    ups += ["\0../", "a\0/../../", "..\0/", "a" * 300 + "/../../", "a/" * 60 + "../" * 62, "\udcff../", "//../", "/../"]
    ups += [f"~root/../..{outside}/", "$HOME/../", "${PWD}/../", "{..,a}/", "../../outside/../outside/", "loop/../../"]
    ends = ["secret", "outside/secret", f"{outside}/secret".lstrip("/"), "etc/passwd", "new", "outside/new", ".", ""]
    ends += ["x/y/z", "secret/", "secret/.", "link/secret", "a/../secret", "./secret"]
    return [up + end for up, end in itertools.product(ups, ends)]


def sequences(count: int) -> Iterator[str]:
    """Control sequences of every kind, complete, broken and one inside the other."""
    chance = random.Random(7)
    for _ in range(count):
        yield chance.choice(_KINDS)(chance)


def _csi(chance: random.Random) -> str:
    begin = chance.choice(["\x1b[", "\x9b"]) + chance.choice(["", "?", ">", "="])
    return begin + _parameters(chance) + chance.choice(["", " ", "!", "$"]) + _final(chance)


def _string(chance: random.Random) -> str:
    begin = chance.choice(["\x1b]", "\x1bP", "\x1b_", "\x1b^", "\x1bX", "\x9d", "\x90", "\x9f", "\x9e", "\x98"])
    return begin + _parameters(chance) + ";payload" + chance.choice(["\x07", "\x1b\\", "\x9c", ""])


def _two(chance: random.Random) -> str:
    return "\x1b" + chance.choice(["", *"()*+-./#% "]) + _final(chance)


def _nested(chance: random.Random) -> str:
    return "\x1b\x1b[\x1b]52;c;" + _csi(chance) + "\x07"


def _single(chance: random.Random) -> str:
    return chr(chance.choice([*range(9), *range(11, 32), *range(127, 160), 0x202E, 0x2066, 0x200B]))


def _parameters(chance: random.Random) -> str:
    return ";".join(str(chance.randint(0, 999)) for _ in range(chance.randint(0, 4)))


def _final(chance: random.Random) -> str:
    return chr(chance.randint(0x40, 0x7E))


_KINDS = (_csi, _string, _two, _nested, _single)
