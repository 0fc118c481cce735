# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Passwords as arguments: in lists of JSON, YAML and programs, of further clients, and of what stores a secret; rows like `carrier_rules`."""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import ALONE, ANYTHING, MIXED, SHELL_WORD, SHOWN, TYPED, row

_FLAG = r"--?[\w-]{0,30}(?:passw(?:or)?d|passwd|pass|pwd|passphrase|token|secret|api-?key)"
_STORE = r"(?:gcloud[ ]secrets|vault[ ]kv[ ]put|kubectl[ ]create[ ]secret|(?:docker|podman)[ ]secret|wrangler[ ]secret|gh[ ]secret|aws[ ]secretsmanager|pass[ ]insert|secret-tool[ ]store|keyctl|az[ ]keyvault)"
_SAY = r"""\b(?:echo|printf)[ ]+(?:-\w+[ ]+|["']%s(?:\\n)?["'][ ]+)?"""
_LINE = r"[^\n|;]{0,160}?"

LISTS = (
    row(
        "a flag and its value in a list",
        rf"[\"']{_FLAG}[\"'],\s{{0,20}}[\"'][^\s\"'-]",
        rf"[\"']{_FLAG}[\"'],\s{{0,20}}(?:\"([^\s\"'$<>{{}}-][^\s\"'<>{{}}]{{3,128}})\"|'([^\s\"'$<>{{}}-][^\s\"'<>{{}}]{{3,128}})')",
        SHOWN,
        examples=('"args": ["--password", "«heron7302»", "-v"]', "run(['x', '--db-pass', '«Heron!73»'])"),
        left=(
            'parser.add_argument("--password", "-p")',
            '@option("--password", "password", help="its now required")',
            '["--token", "--user"]',
            '["--password", "$PW"]',
        ),
    ),
    row(
        "a flag and its value in a list of YAML",
        rf"\n[ \t]{{0,24}}-[ ][\"']?{_FLAG}[\"']?[ \t]{{0,4}}\r?\n[ \t]{{0,24}}-[ ][\"']?[^\s\"'-]",
        rf"\n[ \t]{{0,24}}- [\"']?{_FLAG}[\"']?[ \t]{{0,4}}\r?\n[ \t]{{0,24}}- [\"']?([^\s\"'$<>{{}}-][^\s\"'<>{{}}]{{3,128}})[\"']?{ALONE}",
        TYPED,
        examples=("args:\n  - --password\n  - «heron7302»\n  - -v\n", 'args:\n  - "--pass"\n  - "«mossfern»"\n'),
        left=("args:\n  - --password\n  - --user\n", "args:\n  - --password\n  - $(DB_PASSWORD)\n"),
    ),
    row(
        "a client and its flag in a list",
        r"[\"'](?:mysql\w{0,10}|mariadb\w{0,10}|sshpass|mongo\w{0,10}|cqlsh|redis-cli|smbclient|plink)[\"'],[^\n]{0,160}[\"']-(?:p|a|w|pw)",
        r"""["'](?:mysql\w{0,10}|mariadb\w{0,10}|sshpass)["'],[^\n]{0,160}?["']-p([^\s"'$<>{}-][^\s"'<>{}]{3,128})["']"""
        r"""|["'](?:sshpass|mongo\w{0,10}|cqlsh|redis-cli|plink)["'],[^\n]{0,160}?["']-(?:p|a|w|pw)["'],[ ]{0,4}["']([^\s"'$<>{}-][^\s"'<>{}]{3,128})["']""",
        examples=('run(["mysql", "-u", "app", "-p«heron7302»"])', "['sshpass', '-p', '«mossfern»', 'ssh', 'web1']"),
        left=('["mysql", "-p", "shop"]', '["sshpass", "-p", password]'),
    ),
)

CLIENTS = (
    row(
        "further clients' flags",
        r"\b(?:cqlsh|mosquitto_\w{3}|ssh-keygen|snmp\w{3,8}|openssl[ ]passwd|influx|clickhouse-client|nats|kcadm\.sh|kcat|ldapadd)\b[^\n|;]{0,160}[ ]-(?:p|P|N|c|[156]|apr1)[ ]",
        rf"\b(?:cqlsh|influx)\b{_LINE} (?-i:-p) +{SHELL_WORD}|\bmosquitto_\w{{3}}\b{_LINE} (?-i:-P) +{SHELL_WORD}|\bssh-keygen\b{_LINE} (?-i:-N) +{SHELL_WORD}"
        rf"|\bopenssl passwd{_LINE} -(?:[156]|apr1) +[\"']?([^\s\"'\x60|;&<>()$-][^\s\"'\x60|;&<>()]{{2,128}})",
        ANYTHING,
        examples=(
            "cqlsh -u app -p «heron7302» 10.0.0.9",
            "mosquitto_sub -h mq -u ann -P «mossfern» -t x",
            "ssh-keygen -t ed25519 -N '«heron moss otter lamp»' -f k",
            "ssh-keygen -t ed25519 -f ./id -N '«Nachts um 3»' -C x",
            "useradd -p $(openssl passwd -6 «heron7302») ann",
        ),
        left=("mosquitto_sub -h mq -p 1883 -t x", "ssh-keygen -t ed25519 -N '' -f k", "openssl passwd -6 -stdin"),
    ),
    row(
        "a community of SNMP",
        r"\bsnmp(?:walk|get|set|bulkwalk|getnext|table|trap)\b[^\n|;]{0,80}[ ]-c[ ]",
        rf"\bsnmp(?:walk|get|set|bulkwalk|getnext|table|trap)\b[^\n|;]{{0,80}}? (?-i:-c) +{SHELL_WORD}",
        TYPED,
        examples=("snmpget -v2c -c «heron7302» 10.0.0.9 sysName",),
        left=("snmpwalk -v2c -c public 10.0.0.9 sysDescr",),
    ),
    row(
        "login with -u and -p",
        r"\blogin\b[^\n|;]{0,80}[ ]-u[ =][^\s-]\S{0,60}[ ]-p[ =]",
        rf"\blogin\b[^\n|;]{{0,80}}? (?-i:-u)[ =]\S{{1,60}} (?-i:-p)[ =]{SHELL_WORD}",
        examples=("oc login https://x:6443 -u ann -p «heron7302»", "acmectl login -u ann -p «mossfern»"),
        left=("acmectl login -u ann -p $PW",),
    ),
    row(
        "AUTH of Redis",
        r"(?:^|\n|>[ ]|\$[ ])auth[ ][^\s]{4}",
        rf"(?:^|\n)(?:[\w.:\[\]-]{{1,60}}> )?(?-i:AUTH) (?:default |[a-z]\w{{1,20}} )?([^\s\"'<>]{{0,64}}(?-i:[a-z])[^\s\"'<>]{{3,64}}){ALONE}",
        SHOWN,
        prose=True,
        examples=("127.0.0.1:6379> AUTH «heron7302»\nOK\n", "redis:6379> AUTH default «Heron!73»\n"),
        left=("AUTH LOGIN\n", "AUTH XOAUTH2\n", "AUTH PLAIN\n250 OK\n"),
    ),
    row(
        "setx",
        r"\b(?:setx|setenv|set[ ]-[a-z]{1,4})[ ]{1,4}\w{0,40}(?:token|key|pass|pwd|secret)\w{0,20}[ ]{1,4}\S{4}",
        rf"\b(?:setx|setenv|set -[a-zA-Z]{{1,4}}) +\w{{0,40}}(?:token|key|pass|pwd|secret)\w{{0,20}} +{SHELL_WORD}",
        MIXED,
        examples=('setx SHOP_TOKEN "«q7Lp2xT9wZkB3»"', "set -gx SHOP_PASSWORD «Heron7302!»"),
        left=("setx KEY_FILE C:\\keys\\x.pem", "setenv PASSWORD $1"),
    ),
)

STORES = (
    row(
        "written into a file of passwords",
        r"\b(?:echo|printf)[ ][^\n|]{4,140}>[ ]?[^\s]{0,80}(?:pass|pw|secret|token)",
        rf"{_SAY}{SHELL_WORD}[ ]*>{{1,2}}[ ]*[\"']?[\w./~$-]{{0,80}}?(?:pass(?:word|wd|phrase)?|_pw|secret|token)(?:_file|-file)?(?:\.txt)?[\"']?(?:[\s;&|)]|$)",
        TYPED,
        examples=("echo '«heron-moss-otter»' > .vault_pass && ls", "printf '%s' «heron7302» > /run/db_password"),
        left=("echo $PW > .vault_pass", "echo done > passed.log", "echo 'enter the password' > secret"),
    ),
    row(
        "piped into a store",
        rf"\b(?:echo|printf)[ ][^\n|]{{4,140}}\|[ ]{{0,2}}{_STORE}",
        rf"{_SAY}{SHELL_WORD}[ ]*\|[ ]*{_STORE}",
        examples=(
            'echo -n "«heron7302»" | gcloud secrets create db --data-file=-',
            "echo «mossfern» | gh secret set DB_PASS",
        ),
        left=("echo $PW | gcloud secrets create db --data-file=-",),
    ),
    row(
        "given to a store",
        r"\b(?:put-parameter|create-secret|put-secret-value|update-secret|keyvault[ ]secret[ ]set|gh[ ]secret[ ]set)\b[^\n]{0,200}[ ](?:--value|--secret-string|--body|-b)[ =]",
        rf"\b(?:put-parameter\b[^\n]{{0,160}}?(?:pass|secret|token|key|SecureString)|create-secret|put-secret-value|update-secret|keyvault secret set|gh secret set)\b?[^\n]{{0,160}}? (?:--value|--secret-string|--body|-b)[ =]{SHELL_WORD}",
        examples=(
            "aws ssm put-parameter --name /shop/mail/password --type SecureString --value «heron7302»",
            "az keyvault secret set --vault-name v --name mail --value «mossfern»",
            "aws secretsmanager create-secret --name mail --secret-string '«Heron!73»'",
        ),
        left=(
            "aws ssm put-parameter --name /shop/port --type String --value heron7302",
            'gh secret set X --body "$PW"',
        ),
    ),
)

LINKS = (
    row(
        "a code that is exchanged for a token",
        r"[?&]code=[\w.~%/-]{20}",
        r"[?&]code=([\w.~%/-]{20,256})&(?:[\w=.%-]{1,80}&){0,3}state=|[?&]state=[\w.%~-]{1,128}&code=([\w.~%/-]{20,256})(?:[&\s\"']|$)",
        MIXED,
        examples=("GET /done?code=«Vq3hT7xw0Lka2ZVq3hT7xw0Lka2Zabcd»&state=x1 HTTP/1.1",),
        left=("GET /p?code=DE&state=open", "/search?code=authorization_code_grant_flow&state=open"),
    ),
    row(
        "a token of any vendor",
        r"_(?:sk|live|prod)_[A-Za-z0-9]{32}",
        r"\b(?-i:[a-z]{2,12}_(?:sk|live|prod)_)([A-Za-z]{0,31}[0-9][A-Za-z0-9]{16,63})(?:[^\w]|$)",
        MIXED,
        examples=("vendor_sk_«9f2c4e6a8b0d1f3e5a7c9e1b3d5f7a9c9f2c4e6a»",),
        left=("the_live_configurationofeveryserviceinside",),
    ),
)

ARGUMENTS = (*LISTS, *CLIENTS, *STORES, *LINKS)
