# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Commands that are given a password: rows like those of `carrier_rules`."""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import ANYTHING, MIXED, SHELL_WORD, row

_SPACED = r"(?:mongo\w*|sshpass|docker login|podman login|ldap\w+|az login)"
_CLIENT = (
    r"(?:mysql\w{0,10}|mongo\w{0,10}|sshpass|psql|redis-cli|docker login|podman login|ldap\w{1,10}|mariadb|az login)"
)
_REMOTE = r"(?:psexec|paexec|winexe|plink|pscp|psftp|sqlcmd|osql|xfreerdp|rdesktop|wmic|evil-winrm|ipmitool)"
_LINE = r"[^\n|;]{0,160}?"

COMMANDS = (
    row(
        "user:password after a flag",
        r"(?:\s-u|--user|--proxy-user|--creds|--http-auth|--auth)(?:[ \t]{1,4}|=)[\"']?[A-Za-z_][\w.@+-]{0,63}:[\"']?[^\s]{3}",
        r"""(?:\s-u|--user|--proxy-user|--creds|--http-auth|--auth)(?:[ \t]+|=)(?:"[A-Za-z_][\w.@+-]{0,63}:([^"\n]{3,256})"|'[A-Za-z_][\w.@+-]{0,63}:([^'\n]{3,256})'"""
        rf"""|[A-Za-z_][\w.@+-]{{0,63}}:{SHELL_WORD})""",
        examples=("curl -u bob:«sunflower» https://x", "curl -u 'bob:«river coat apple»' https://x"),
        left=(
            "curl -u $USER:$PASS https://x",
            "docker run --user 1000:1000 app",
            "curl -u user:pass https://x",
            "curl -i -u 'test:test'",
        ),
    ),
    row(
        "a key in place of a user, or no user",
        r"\bcurl\b[^\n]{0,200}\s(?:-u|--user)(?:[ \t]{1,4}|=)[\"']?(?::[^\s\"':$]{8}|[^\s\"':$]{12,128}:[\"'\s])",
        r"\bcurl\b[^\n]{0,200}?\s(?:-u|--user)(?:[ \t]{1,4}|=)[\"']?(?::([^\s\"':$]{8,128})[\"'\s]|([^\s\"':$]{12,128}):[\"'\s])",
        MIXED,
        examples=('curl -u ":«hR7!nd302xkQ»" https://x', 'curl --user "«k3Zt8q8WxmPzLr5Y»:" https://x'),
        left=('curl -u "anonymous-user:" https://x', 'curl -u ":" https://x', 'curl -u ":$PASSWORD" https://x'),
    ),
    row(
        "user:password of HTTPie",
        r"\bhttps?[ ][^\n|;]{0,80}-a[ ][\"']?[A-Za-z_][\w.@+-]{0,63}:[^\s]{3}|\bhttps?[ ]-a[ ][\"']?[A-Za-z_][\w.@+-]{0,63}:[^\s]{3}",
        rf"""\bhttps? (?:[^\n|;]{{0,80}}? )?-a (?:"[A-Za-z_][\w.@+-]{{0,63}}:([^"\n]{{3,128}})"|'[A-Za-z_][\w.@+-]{{0,63}}:([^'\n]{{3,128}})'|[A-Za-z_][\w.@+-]{{0,63}}:{SHELL_WORD})""",
        examples=("http -a bob:«sunflower82» GET https://x",),
        left=("http -a $USER:$PASS https://x", "https -a user:pass example.com"),
    ),
    row(
        "clients' -p, -a, -w",
        rf"\b{_CLIENT}[^\n|;]{{0,120}}\s-[paw][ =]?[\"']?[^\s-]",
        rf"""\b(?:mysql\w*|mariadb)[^\n|;]{{0,120}}?\s-p(?:"([^"\n]{{4,128}})"|'([^'\n]{{4,128}})'|([^\s"'\x60=-][^\s"'\x60]{{3,128}}))"""
        rf"|\b{_SPACED}[^\n|;]{{0,120}}?\s-(?:p|a|w)[ =]?{SHELL_WORD}"
        rf"|\bredis-cli[^\n|;]{{0,120}}?\s(?-i:-a)[ =]?{SHELL_WORD}",
        examples=(
            "mysql -u root -p«hunter22» shop",
            "sshpass -p «sunflower» ssh bob@x",
            "docker login -u bob -p «482913» registry.example.net",
            "az login --service-principal -u http://x -p '«river coat apple»' --tenant y",
            "redis-cli -h cache -p 6380 -a «sunflower» ping",
        ),
        left=(
            "mysql -u root -p shop < dump.sql",
            "psql -h x -p 5432 shop",
            "redis-cli -h cache -p 6380 ping",
            "ssh -p 2222 bob@x",
        ),
    ),
    row(
        "remote clients' -pw, /p:",
        rf"\b{_REMOTE}[^\n|;]{{0,120}}\s[-/](?:pw?|password)[ :=]{{1,3}}[\"']?[^\s-]",
        rf"\b{_REMOTE}[^\n|;]{{0,120}}?\s[-/](?:pw?|password)[ :=]{{1,3}}{SHELL_WORD}",
        examples=("plink -ssh bob@x -pw «sunflower» uptime", "sqlcmd -S db1 -U sa -P «sunflower»"),
    ),
    row(
        "archives",
        r"\b(?:7za?|unzip|zip|rar|unrar|zipcloak)\b[^\n|;]{0,80}\s-[pP][ \t]?[^\s-]",
        rf"\b(?:7za?|rar|unrar)\b{_LINE}\s-h?p{SHELL_WORD}|\b(?:unzip|zip|zipcloak)\b{_LINE}\s(?-i:-P)[ \t]*{SHELL_WORD}",
        examples=("7z x -p«sunflower» a.7z", "unzip -P «sunflower» a.zip"),
        left=("unzip -p archive.zip file > out", "zip -r out.zip dir"),
    ),
    row(
        "a file made on the way",
        r"\bpass(?:word|phrase)?-?file[ =]<\((?:echo|printf)[ ]",
        r"""\bpass(?:word|phrase)?-?file[ =]<\((?:echo|printf) (?:-n )?["']?([^\s"')]{4,128})""",
        examples=("rsync --password-file=<(echo «sunflower82») a b",),
        left=("restic --password-file=<(echo $PASS) backup",),
    ),
    row(
        "a call that sets it",
        r"(?:set|check|verify|change)_?password\([ ]{0,2}[\"'][^\"'\s]{3}",
        r"""(?:set|check|verify|change)_?password\([ ]{0,2}(?:"([^"\n]{4,128})"|'([^'\n]{4,128})')\s{0,2}\)""",
        MIXED,
        examples=("user.set_password('«Sunflower82»')", 'u.setPassword("«river-coat-82»")'),
        left=("user.set_password('password')", "form.check_password('the old password')", "set_password(value)"),
    ),
    row(
        "a prompt that is asked again",
        r"(?:pass(?:word|phrase|code)?|pwd?|secret|token|key)[ ][(\[][a-z0-9 ]{1,20}[)\]][ ]?[:=][ \t]{0,2}[^\s]{3}",
        r"pass(?:word|phrase|code) \([a-z0-9 ]{1,20}\) ?:[ \t]*([^\s]{4,128})[ \t]*(?:\r?\n|$)"
        r"|(?:pass(?:word|phrase|code)?|pwd?) [(\[][a-z0-9 ]{1,20}[)\]] ?[:=][ \t]*([^\s(){}<>,;\"']{4,128})[ \t]*(?:\r?\n|$)"
        r"|(?:secret|token|key) [(\[][a-z0-9 ]{1,20}[)\]] ?[:=][ \t]*([A-Za-z0-9+/=_-]{24,})",
        examples=(
            "Password (again): «Sunflower82»",
            "password [staging] = «sunflower82»",
            "encryption key (hex): «3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c71»",
        ),
        left=("Password (optional): string", "Password (required): at least eight characters"),
    ),
    row(
        "chpasswd",
        r"\bchpasswd\b",
        r"""["']?[\w.-]{1,64}:(?:"([^"\n]{3,128})"|'([^'\n]{3,128})'|([^"'\n|]{3,128}?))["']?\s*\|\s*(?:sudo\s+)?chpasswd"""
        r"""|chpasswd\s*<<<\s*["']?[\w.-]{1,64}:([^"'\n]{3,128})""",
        examples=("echo 'bob:«sunflower»' | sudo chpasswd", "chpasswd <<< 'bob:«482913»'"),
        left=("chpasswd < /run/users", "echo $USER:$PASS | chpasswd"),
    ),
    row(
        "piped into a prompt",
        r"\|[ \t]{0,4}(?:sudo[ \t]{1,4}-\w{0,4}S|su\b|sudo[ \t]|docker[ \t]{1,4}login|podman[ \t]{1,4}login|cryptsetup|kinit|gpg|passwd|helm|kubectl|gh[ \t]{1,4}auth|htpasswd)",
        rf"""(?:echo|printf)\s+(?:-\w+\s+|["']%s(?:\\n)?["']\s+)?{SHELL_WORD}\s*\|\s*(?:sudo\s+-\w*S|su\b|cryptsetup|kinit|gpg[^\n]*passphrase-fd|[^\n|]*stdin)""",
        examples=(
            "echo «sunflower» | sudo -S apt-get update",
            "echo «sunflower» | docker login -u bob --password-stdin",
        ),
        left=("echo done | sudo tee /etc/motd", "echo $PW | sudo -S ls", "cat pw | docker login --password-stdin"),
    ),
    row(
        "a pair that is encoded",
        r"(?:echo|printf)[ ][^\n|]{0,120}\|[ ]?(?:openssl[ ])?base64\b",
        r"""(?:echo|printf)\s+(?:-\w+\s+)?(?:"[A-Za-z][\w.@+-]{0,63}:([^"\n$]{4,128})"|'[A-Za-z][\w.@+-]{0,63}:([^'\n]{4,128})'|[A-Za-z][\w.@+-]{0,63}:([^\s"'|$]{0,64}[^\s"'|$0-9][^\s"'|$]{3,64}))\s*\|\s*(?:openssl\s+)?base64\b""",
        examples=("echo -n 'ann:«heron7302»' | base64", 'printf "ann:«heron!7302»" | openssl base64'),
        left=("echo -n user:password | base64", 'echo "$USER:$PASS" | base64', "echo localhost:8080 | base64"),
    ),
    row(
        "openssl",
        r"\bopenssl\b[^\n]{0,160}\s(?:-pass(?:in|out|word)?|-k)[ \t=]",
        rf"\bopenssl\b[^\n]*?\s-pass(?:in|out|word)?[ \t=]+[\"']?pass:{SHELL_WORD}|\bopenssl\s+enc\b[^\n]*?\s-k\s+{SHELL_WORD}",
        ANYTHING,
        examples=(
            "openssl rsa -in k.pem -passin pass:«sunflower» -out p.pem",
            "openssl rsa -passin pass:'«river coat»' -in k",
        ),
        left=("openssl rsa -passin env:KEY_PASS -in key.pem", "openssl rsa -passin file:/run/pw -in key.pem"),
    ),
    row(
        "user, then password",
        r"\b(?:rabbitmqctl|htpasswd|net[ \t]{1,4}user|net[ \t]{1,4}use|wpa_passphrase|smbpasswd|mysqladmin|useradd|adduser)\b",
        rf"\brabbitmqctl\s+(?:add_user|change_password|authenticate_user)\s+\S+\s+{SHELL_WORD}"
        rf"|\bhtpasswd[ \t]+-\w*b\w*[ \t]+(?:-\w+[ \t]+)*\S+[ \t]+\S+[ \t]+{SHELL_WORD}|\bhtpasswd[ \t]+-\w*n\w*b\w*[ \t]+\S+[ \t]+{SHELL_WORD}"
        rf"|\bnet\s+user\s+[\w.-]+\s+{SHELL_WORD}|\bnet\s+use\s[^\n]*?/user:\S+\s+{SHELL_WORD}|\bwpa_passphrase\s+\S+\s+{SHELL_WORD}"
        rf"|\bmysqladmin\b[^\n]*?\bpassword\s+{SHELL_WORD}",
        ANYTHING,
        examples=(
            "htpasswd -b -B /etc/nginx/.htpasswd guest '«Curtain up!»'",
            "rabbitmqctl add_user bob «sunflower»",
            "htpasswd -b /etc/x bob «sunflower»",
            "$ htpasswd -nbB monitor «sundial12»\nmonitor:x\n",
            "net use Z: \\\\nas\\share /user:bob «sunflower»",
            "net user bob «sunflower» /add",
            "wpa_passphrase Home «sunflower»",
        ),
        left=("rabbitmqctl list_users", "htpasswd -c /etc/x bob", "net user bob /delete"),
    ),
    row(
        "SMB, Oracle, lftp",
        r"\b(?:smbclient|rpcclient|sqlplus|jdbc:oracle|lftp|impacket-\w{1,20}|mount\.cifs)\b[^\n]{0,120}[%/,][^\s]{3}",
        rf"\b(?:smbclient|rpcclient)\b[^\n]*?\s-U\s*[\"']?[\w.\\/@-]+%{SHELL_WORD}|\bjdbc:oracle:\w+:[\w.]+/([^\s@/\"']{{3,128}})@|\bsqlplus\s+(?:-\w+\s+)*[\w.]+/([^\s@/\"']{{3,128}})@|\blftp\b[^\n]*?\s-u\s+[\w.@-]+,{SHELL_WORD}",
        examples=(
            "smbclient //nas/x -U bob%«sunflower»",
            "sqlplus scott/«sunflower»@orcl",
            "jdbc:oracle:thin:shop/«sunflower»@db1:1521/X",
        ),
        left=("sqlplus / as sysdba",),
    ),
    row(
        "key stores",
        r"\s-(?:src|dest|new)?(?:store|key)pass(?:wd)?[ \t]{1,4}[^\s-]",
        rf"\s-(?:src|dest|new)?(?:store|key)pass(?:wd)?[ \t]+{SHELL_WORD}",
        examples=("keytool -list -storepass «sunflower»",),
        left=("keytool -storepass:env PW -list",),
    ),
    row(
        "password as a word of a command",
        r"\b(?:nmcli|vault[ \t]login|ansible-vault|aws[ \t]configure|convertto-securestring|expect|send|bw[ \t]unlock|rclone[ \t]obscure)\b",
        rf"\bnmcli\b[^\n]*?\bpassword\s+{SHELL_WORD}|\bvault\s+login\s+(?:-\w+\s+)*([\w.-]{{8,}})\s*(?:$|\n)|\bansible-vault\s+encrypt_string\s+{SHELL_WORD}"
        rf"|\baws\s+configure\s+set\s+aws_(?:secret_access_key|session_token)\s+[\"']?([A-Za-z0-9/+=]{{16,}})|\bconvertto-securestring\s+(?:-(?:string|asplaintext|force)\s+){{0,3}}[\"']([^\"'\n]{{3,128}})[\"']"
        r"""|assword:?[^\n]{0,8}["'][\s;{]+send\s+(?:--\s+)?["']([^"'\n\\$]{3,128})|\b(?:bw\s+unlock|rclone\s+obscure)\s+([^\s-]\S{3,})""",
        examples=(
            "nmcli dev wifi connect Home password «sunflower»",
            "ConvertTo-SecureString '«sunflower»' -AsPlainText -Force",
            'ConvertTo-SecureString -AsPlainText "«Lente2024!»" -Force',
            'expect "assword:"; send "«sunflower»\\r"',
            "vault login «sQ2kd83jdkA91x»",
        ),
        left=("vault login -method=oidc", "ansible-vault edit secrets.yml", "aws configure set region eu-west-1"),
    ),
)
