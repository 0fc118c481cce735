# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Passwords in notes, chats, logs and devices' settings, beside a user or on a line of their own: rows like those of `carrier_rules`."""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import ALONE, SHELL_WORD, SHOWN, TYPED, row

_USER = r"[A-Za-z][\w.@+-]{1,39}"
_ADDRESS = r"[0-9]{1,3}(?:\.[0-9]{1,3}){3}"
_ASKED = (
    r"(?:what(?:'s|s| is| was)|which|remind|tell|send|give|need|got|have|know|anyone|forgot|lost|again|q:)[^\n]{0,60}"
    r"(?:password|passwd|passphrase|passcode|pwd?|pass|passwort|kennwort|contrase\S{1,2}a|mot de passe|mdp|senha|wachtwoord|login)"
)
_VALUE = r"([^\s\"'\x60<>()]{4,64})"
_LABEL = r"(?:pass(?:word|wd|phrase|code)|pass|pwd?|passwort|kennwort|contrase\S{1,2}a|senha|mot de passe|wachtwoord)"

CHATS = (
    row(
        "basic auth, then a pair",
        r"\bauth(?:entication|orization)?(?:[ ]on[ ][\w.-]{1,24})?(?:[ ]{0,2}[:=-][ ]{0,2}|[ ]is[ ])[A-Za-z][\w.@+-]{1,39}:[^\s:/]{4}",
        rf"\b(?:basic|http|proxy|nginx|web|site|api)[ _-]?auth(?:entication|orization)?(?:[ ]on[ ][\w.-]{{1,24}})?(?:[ ]{{0,2}}[:=-][ ]{{0,2}}|[ ]is[ ]){_USER}:([^\s:/\"'\x60<>()]{{4,64}})(?:[\s,;.)\"'\x60]|$)",
        TYPED,
        prose=True,
        examples=(
            "basic auth: joe:«sunflower»",
            "the basic auth on staging is guest:«guestlist», else 401",
            "http-auth = joe:«river-coat»\n",
        ),
        left=("basic auth: user:password", "basic auth: joe:required", "api auth: http://shop.example"),
        near=r"(?:basic|http|proxy|nginx|web|site|api)[ _-]?auth",
    ),
    row(
        "pass is",
        r"[,;][ ](?:and[ ])?pass[ ]is[ ]\S{5}",
        rf"[,;] (?:and )?pass is {_VALUE}(?:[,;.!]|[ \t]*(?:\r?\n|$))",
        TYPED,
        prose=True,
        examples=("ssh in as deploy, pass is «kangaroo»",),
        left=("it runs twice, pass is optional", "the tests, pass is required\n"),
    ),
    row(
        "a bearer, alone",
        r"(?:^|[\n\"'\x60(:])[ ]?Bearer[ ][A-Za-z][A-Za-z0-9]{4}",
        r"(?m)(?:^|[\"'\x60(:])[ ]?Bearer ([A-Za-z][A-Za-z0-9]{4,63})(?:[\"'\x60)]|[ \t]*\r?$)",
        TYPED,
        prose=True,
        examples=("Bearer «sunflower»\n", 'use "Bearer «willowbark»" there'),
        left=(
            "Bearer authentication\n",
            "Bearer tokens\n",
            '"Bearer realm"',
            "Bearer {token}\n",
            "the bearer sunflower\n",
        ),
        near=r"bearer (?!auth|token|scheme|realm|format|header|secur|type|prefix|error|value|string)",
    ),
    row(
        "U: and P:",
        r"[ \t,/|]p(?:w|wd|ass)?[ ]?[:=-]|;p[ ]?[:=-]",
        rf"\b(?:u|l|usr|user|username|login|id|un) ?[:=-] ?{_USER}[ \t,;/|]{{1,4}}(?:p|pw|pwd|pass) ?[:=-] ?([^\s,;\"'\x60()<>]{{4,64}})",
        TYPED,
        prose=True,
        examples=("U: joe P: «sunflower82»", "user - joe, pass - «river-coat»"),
        left=("l: left, p: top", "login: admin, p: 0.05"),
        near=r"\b(?:u|l|usr|user|username|login|id|un) ?[:=-] ?[a-z][^\s,;/|]{1,39}+[ \t,;/|]{1,4}p",
    ),
    row(
        "user:password@address",
        rf"@{_ADDRESS}",
        rf"(?:^|[\s\"'(\x60])[a-z][\w.-]{{1,31}}[:/]([^\s/@:\"'()]{{4,64}})@{_ADDRESS}",
        TYPED,
        prose=True,
        examples=("admin:«sunflower82»@10.2.0.17",),
        left=("mailto:joe@10.2.0.17", "ssh joe@10.2.0.17", "pkg/name@1.2.3"),
    ),
    row(
        "an answer",
        rf"{_ASKED}[^\n]{{0,24}}\r?\n",
        rf"{_ASKED}[^\n]{{0,24}}\r?\n[ \t]*(?:>+[ \t]*|[-*][ \t]+|(?:\[[^\]\n]{{1,24}}\][ \t]*)?[\w.@ -]{{1,24}}:[ \t]+)?{_VALUE}{ALONE}",
        SHOWN,
        prose=True,
        examples=(
            "what's the wifi password?\n> «k3ystone82»\n",
            "joe: whats the db password again\nann: «k3ystone82»\n",
        ),
        left=(
            "what's the password?\n> ask Ann\n",
            "I forgot my password\nReset it\n",
            "Which password?\nPasswort2: see below\n",
        ),
    ),
    row(
        "asked and answered",
        rf"\b{_LABEL}\?[ \t]{{1,4}}\S{{4}}",
        rf"\b{_LABEL}\?[ \t]{{1,4}}{_VALUE}{ALONE}",
        SHOWN,
        prose=True,
        examples=("Password? «k3ystone82»\n",),
        left=("Forgot your password? Click here", "Password? Yes\n"),
    ),
    row(
        "label and value on lines",
        rf"(?:^|\n)(?:pass|[ \t]{{0,8}}{_LABEL.replace('|pass|', '|')})[ \t]{{0,4}}\r?\n",
        rf"(?:^|\n)[ \t]{{0,8}}{_LABEL}[ \t]{{0,4}}\r?\n[ \t]{{0,8}}{_VALUE}{ALONE}",
        SHOWN,
        prose=True,
        examples=("Username\njoe\nPassword\n«k3ystone82»\n",),
        left=("Password\nForgot password?\n", "PASS\nok      pkg/x 0.1s\n", "Password\nUsername\n"),
    ),
    row(
        "it is, and what it is",
        rf"\b(?:its|it's|it is)[ ]\S{{6,64}}[ ](?:btw |fyi |now )?\((?:the |my |our )?[^\n)]{{0,24}}{_LABEL}\)",
        rf"\b(?:its|it's|it is) {_VALUE} (?:btw |fyi |now )?\((?:the |my |our )?[^\n)]{{0,24}}{_LABEL}\)",
        TYPED,
        prose=True,
        examples=("its «sunflower82» btw (the admin password)",),
        left=("it's required (the admin password)",),
    ),
    row(
        "of it, in short",
        r"\b(?:password|passwort|pass|pwd?)(?:'|\xe2\x80\x99)s[ ][^\s]{4}",
        rf"\b(?:password|passwort|pass|pwd?)(?:'|\xe2\x80\x99)s {_VALUE}",
        SHOWN,
        prose=True,
        examples=("pw's «k3ystone82»\n",),
        left=("the password's length2 is checked", "the password's strength"),
    ),
    row(
        "unlock it with",
        r"\bunlock(?:s|ed)?[ ](?:[a-z]{1,12}[ ]){0,3}with[ ]\S{6}",
        rf"\bunlock(?:s|ed)? (?:[a-z]{{1,12}} ){{0,3}}with {_VALUE}",
        SHOWN,
        prose=True,
        examples=("I'll send the file; unlock it with «k3ystone82».",),
        left=("unlock the phone with FaceID", "unlock it with AES256"),
    ),
    row(
        "address, then password",
        r"(?:log ?in|sign ?in|creds?|credentials?|account|access|zugang)[^\n]{0,60}\b[\w.+-]{1,40}@[\w-]{1,40}\.[\w.-]{2,40}[ ]?[,/|:;-]{1,2}[ ]\S{6}",
        rf"(?:log ?in|sign ?in|creds?|credentials?|account|access|zugang)[^\n]{{0,60}}\b[\w.+-]{{1,40}}@[\w-]{{1,40}}\.[\w.-]{{2,40}} ?[,/|:;-]{{1,2}} {_VALUE}{ALONE}",
        SHOWN,
        prose=True,
        examples=("can you log in for me? joe@corp.example, «k3ystone82»\n",),
        left=("the account joe@example.org, created yesterday", "log in: joe@example.org, thanks\n"),
    ),
    row(
        "root/password",
        r"(?:mention|login|log in|ssh|console|creds?|credentials?|access|ipmi|ilo|bmc|vnc|rdp)[^\n]{0,30}[ :](?:root|admin|administrator|sa)/[^\s/]{6}",
        r"(?:mention|login|log in|ssh|console|creds?|credentials?|access|ipmi|ilo|bmc|vnc|rdp)[^\n]{0,30}?[ :](?:root|admin|administrator|sa)/([^\s/,;\"'()]{6,64})(?:[\s,;.)]|$)",
        SHOWN,
        prose=True,
        examples=("console login: root/«k3ystone82» works",),
        left=("ssh and look into root/folder", "the access log is in admin/logs"),
    ),
    row(
        "Wi-Fi code",
        r"\bwifi:(?:[tsh]:[^;\n]{0,64};){0,3}p:[^;\n]{4}",
        r"\bwifi:(?:[tsh]:[^;\n]{0,64};){0,3}p:([^;\n]{4,128});",
        TYPED,
        prose=True,
        examples=("WIFI:T:WPA;S:GuestNet;P:«sunflower82»;;",),
    ),
    row(
        "network and key",
        r"\b(?:ssid|wi-?fi|wlan|network)\b[^\n]{1,48}(?:\n[ \t]{0,8}|[ ,;/]{1,3})(?:key|pass|pw|code)[ ]?[:= ][ ]?\S{4}",
        rf"\b(?:ssid|wi-?fi|wlan|network)\b[^\n]{{1,48}}?(?:\n[ \t]{{0,8}}|[ ,;/]{{1,3}})(?:key|pass|pw|code)(?: ?[:=] ?| ){_VALUE}{ALONE}",
        TYPED,
        prose=True,
        examples=("SSID: GuestNet\nKey: «sunflower82»\n", "network GuestNet pass «sunflower»\n"),
        left=("The network key is derived\n", "wifi: set a key first\n"),
    ),
)

LOGS = (
    row(
        "USER and PASS",
        r"\buser[ \t]{1,4}\S{1,64}\r?\n(?:[^\n]{0,80}\n){0,2}[^\n]{0,24}\bpass[ \t]{1,4}\S{3}",
        r"(?-i:USER)[ \t]{1,4}\S{1,64}\r?\n(?:[^\n]{0,80}\n){0,2}?[^\n]{0,24}?(?-i:PASS)[ \t]{1,4}(\S{3,128})",
        TYPED,
        prose=True,
        examples=("> USER joe\n> PASS «sunflower»\n< 230 OK\n",),
        left=("user joe\npass the salt\n",),
    ),
    row(
        "trying a user and a password",
        r"(?:authenticat\w{0,4}|logging in|login|log in|attempt|trying|connect\w{0,4})[^\n(\[]{0,24}[ ][(\[][a-z][\w.@-]{1,39}[,/:][ ]?[^\s)\]]{4,64}[)\]]",
        rf"(?:authenticat\w{{0,4}}|logging in|login|log in|attempt|trying|connect\w{{0,4}})[^\n(\[]{{0,24}} [(\[]{_USER}[,/:] ?([^\s)\],\"'\x60]{{4,64}})[)\]](?:[^(]|$)",
        SHOWN,
        prose=True,
        examples=("Authenticating (joe, «k3ystone82»)",),
        left=(
            "connect (host, port)",
            "login (user, password)",
            "* Connect with me on [github/in/k3ystone82](https://github.example/in/k3ystone82)",
        ),
    ),
    row(
        "tried in quotes",
        r"\b(?:with|trying|tried|using|as|and)[ ](?:the[ ])?(?:password|passphrase|pwd|pw)[ ][\"'\x60]?\S{4}",
        r"""\b(?:with|trying|tried|using|as|and) (?:the )?(?:password|passphrase|pwd|pw) (?:"([^"\n]{4,64})"|'([^'\n]{4,64})'|\x60([^\x60\n]{4,64})\x60)"""
        rf"|\b(?:with|trying|tried|using|user \S{{1,40}}|as \S{{1,40}} with) (?:the )?(?:password|passphrase|pwd|pw) ([^\s\"'\x60<>()]{{4,64}}){ALONE}",
        SHOWN,
        prose=True,
        examples=("trying password '«k3yst!one»' for user joe", "connecting as joe with password «k3ystone82»\n"),
        left=("tested with password authentication\n", "try it with password '$PW'"),
    ),
    row(
        "a field in brackets of a form",
        r"(?:passw(?:or)?d|passwd|pwd|pass)(?:_confirmation)?%5d=[^&\s]{3}",
        r"(?:passw(?:or)?d|passwd|pwd|pass)(?:_confirmation)?%5d=([^&\s\"']{3,128})",
        TYPED,
        prose=True,
        examples=("user%5Blogin%5D=joe&user%5Bpassword%5D=«sunflower»&x=1",),
    ),
    row(
        "a cell beside its heading",
        rf"{_LABEL}[ :]{{0,2}}</(?:th|td|dt|b|strong|label|span|div|p)>\s{{0,8}}<[^<>]{{1,40}}>[^<>\s]{{4}}",
        rf"\b{_LABEL}[ :]{{0,2}}</(?:th|td|dt|b|strong|label|span|div|p)>\s{{0,8}}<(?:td|dd|code|span|tt|kbd|p|div)\b[^<>]{{0,40}}>([^<>\s]{{4,64}})</",
        SHOWN,
        prose=True,
        examples=("<tr><th>Password</th><td>«k3ystone82»</td></tr>",),
        left=("<tr><th>Password</th><th>Email2</th></tr>", "<td>password</td><td>string</td>"),
    ),
)

DEVICES = (
    row(
        "a directive without quotes",
        r"(?:^|\n)[ \t]{0,8}(?:root)?(?:bindpw|rootpw|bind_?passwd|auth_?pass|smtp_?pass|admin_?pw|keypass|storepass)[ \t]{1,8}\S{4}",
        rf"(?:^|\n)[ \t]{{0,8}}(?:root)?(?:bindpw|rootpw|bind_?passwd|auth_?pass|smtp_?pass|admin_?pw|keypass|storepass)[ \t]{{1,8}}{SHELL_WORD}",
        TYPED,
        examples=("binddn cn=joe\nbindpw «sunflower»\n", "rootpw «sunflower82»\n"),
        left=("rootpw {SSHA}", "rootpw --lock\n"),
    ),
    row(
        "a router's user",
        r"(?:^|\n)[ \t]{0,4}(?:enable|username[ ]\S{1,40}(?:[ ]privilege[ ][0-9]{1,2})?|neighbor[ ]\S{1,40})[ ](?:secret|password)[ ](?:[0-9][ ])?\S{4}",
        r"(?:^|\n)[ \t]{0,4}(?:enable|username \S{1,40}(?: privilege [0-9]{1,2})?|neighbor \S{1,40}) (?:secret|password) (?:[0-9] )?(\S{4,128})"
        + ALONE,
        TYPED,
        examples=("enable secret 0 «sunflower»", "username joe privilege 15 password 0 «sunflower82»"),
        left=("enable password protection", "enable secret scanning"),
    ),
    row(
        "a community or shared key",
        r"(?:\b(?:snmp-server[ ]community|(?:tacacs|radius)-server[ ](?:host[ ]\S{1,40}[ ])?key|key-string|rocommunity|rwcommunity)|[{;]\s{1,24}community)[ ](?:[0-9][ ])?\S{4}",
        r"(?:\b(?:snmp-server community|(?:tacacs|radius)-server (?:host \S{1,40} )?key|key-string|rocommunity|rwcommunity) (?:[0-9] )?(\S{4,128})|[{;]\s{1,24}community ([^\s;{]{4,64}) ?[{;])",
        TYPED,
        examples=(
            "snmp-server community «sunflower» RO",
            "radius-server key 0 «sunflower82»",
            "snmp {\n    community «sunflower» {\n        authorization read-only;\n",
        ),
        left=("snmp-server community public RO", "f() {\n    community members should be kind\n"),
    ),
    row(
        "host, then user:password",
        r"(?:^|\n)(?:\[[\w.-]{1,64}\](?::[0-9]{2,5})?|[\w.-]{1,64}:[0-9]{2,5})[ \t]{1,8}[\w.+-]{1,40}(?:@[\w.-]{1,64})?:\S{4}",
        r"(?:^|\n)(?:\[[\w.-]{1,64}\](?::[0-9]{2,5})?|[\w.-]{1,64}:[0-9]{2,5})[ \t]{1,8}[\w.+-]{1,40}(?:@[\w.-]{1,64})?:([^\s:]{4,128})"
        + ALONE,
        TYPED,
        examples=("[mail.example.net]:587 joe@example.net:«sunflower»\n",),
        left=("main.py:120 note:defined\n", "[mail.example.net]:587 relay:25\n"),
    ),
)

SHELLS = (
    row(
        "fed to a prompt",
        r"\b(?:sudo|read|su|passwd|cryptsetup|gpg|ssh-add|docker|kinit)\b[^\n<]{0,80}<<<[ \t]{0,4}\S{4}",
        rf"(?:\bsudo\s+-\w*S\b|\bread\s+-\w*s\w*\s+\w*(?:pass|pw|pwd|secret)\w*|\b(?:su|passwd|cryptsetup|gpg|ssh-add|docker login|kinit)\b)[^\n<]{{0,60}}<<<[ \t]{{0,4}}{SHELL_WORD}",
        TYPED,
        examples=("sudo -S <<< «sunflower» whoami", "read -s PW <<< «sunflower82»"),
        left=("sudo tee /etc/motd <<< hello", 'read -s PW <<< "$X"', "read -r LINE <<< something"),
    ),
    row(
        "said yes to passwd",
        r"\b(?:yes|echo|printf)[ \t][^\n|]{4,80}\|[ \t]{0,4}(?:sudo[ \t]{1,4})?passwd\b",
        rf"""\b(?:yes|echo(?:\s+-\w+)?|printf)\s+(?:["']%s(?:\\n)?["']\s+)?{SHELL_WORD}\s*\|\s*(?:sudo\s+)?passwd\b""",
        TYPED,
        examples=("yes «sunflower» | passwd joe",),
        left=("echo $PW | passwd joe",),
    ),
    row(
        "a script for ftp",
        r"\n[ \t]{0,4}(?:quote[ ])?user[ \t]{1,4}[\w.@-]{1,40}[ \t]{1,4}\S{4,64}[ \t]{0,4}\r?\n",
        rf"\bs?ftp\b[^\x00]{{0,160}}?\n[ \t]{{0,4}}(?:quote )?user[ \t]{{1,4}}[\w.@-]{{1,40}}[ \t]{{1,4}}(\S{{4,64}}){ALONE}",
        TYPED,
        examples=("ftp -n db1 <<EOF\nuser joe «sunflower»\nEOF\n",),
        left=("the ftp server\nuser joe logged in\n",),
    ),
)

NOTES = (*CHATS, *LOGS, *DEVICES, *SHELLS)
