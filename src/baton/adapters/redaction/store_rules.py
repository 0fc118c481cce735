# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Passwords on the way into stores and out of them: SQL, pools, ODBC, caches, scripts beside them: rows like `carrier_rules`."""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import ANYTHING, KEYED, QUOTED, SHELL_WORD, SHOWN, TYPED, row

_HEX = r"[0-9a-fA-F]"
_PASSWORD = "passw(?:or)?d|passwd|pwd?|pass(?:phrase)?|secret|token"  # noqa: S105 (a pattern)

STORES = (
    row(
        "a user of SQL, without quotes",
        r"\b(?:create|alter)[ \t]{1,4}(?:user|role|login)[ \t]{1,4}\S{1,64}[ \t]{1,4}(?:set[ \t]{1,4})?password[ \t]{1,4}[^\s\"'=:$<({@]{3}",
        r"\b(?:create|alter)[ \t]+(?:user|role|login)[ \t]+\S{1,64}[ \t]+(?:set[ \t]+)?password[ \t]+([^\s\"'=:$<({@;,)]{4,128})(?:[ \t]+admin)?[ \t]*(?:[;\n]|$)",
        TYPED,
        examples=("CREATE USER blaine PASSWORD «mossfern» ADMIN;\n", "alter user ann set password «heron73»;"),
        left=(
            "ALTER USER ann PASSWORD EXPIRE;",
            "ALTER USER ann PASSWORD NULL;",
            "create user name password is optional\n",
        ),
    ),
    row(
        "hashed in a statement",
        r"(?:passw(?:or)?d|passwd|pass|pwd?)\w{0,12}[`\"\]]?[ ]{0,2}(?:=|,[^;\n]{0,80}\()?[ ]{0,2}(?:md5|sha[0-9]{0,3}|crypt|encrypt|password|old_password|hashbytes|digest)\([ ]?'[^'\n]{3}",
        r"(?:passw(?:or)?d|passwd|pass|pwd?)\w{0,12}[`\"\]]? {0,2}(?:=|,[^;\n]{0,80}?\()? {0,2}(?:md5|sha[0-9]{0,3}|crypt|encrypt|password|old_password|hashbytes|digest)\( ?'([^'\n]{3,128})'",
        TYPED,
        examples=(
            "mysql> update wp_users set user_pass = MD5('«Roggenbrot-24»') where user_login='ann';",
            "UPDATE users SET password_hash = crypt('«Barn.Door7»', gen_salt('bf')) WHERE id = 4;",
        ),
        left=("set password_hash = crypt('password', salt)", "user_pass = MD5('string')"),
    ),
    row(
        "the hash of a password",
        r"(?:passw(?:or)?d|passwd|pass|pwd?|pw)[_-]?(?:hash|md5|sha(?:1|256|512)|digest|bcrypt)(?-i:[ ]{0,8}[:=]?[ ]{0,8}[\"']|[\"'][ ]?:[ ]?[\"'])[A-Za-z0-9+/$.]{28}",
        rf"(?:passw(?:or)?d|passwd|pass|pwd?|pw)[_-]?(?:hash|md5|sha(?:1|256|512)|digest|bcrypt)[\"']? {{0,8}}[:=]? {{0,8}}[\"']({_HEX}{{32}}|{_HEX}{{40}}|{_HEX}{{64}}|{_HEX}{{128}}|[A-Za-z0-9+/]{{43,128}}={{0,2}})[\"']",
        KEYED,
        examples=(
            '"password_hash": "«86HUUdBy/vijXBaHNlmM/7tJr+4rxtaCeppsVbKImktV8DIi»",',
            '#define OTA_PW_MD5       "«114e5549336fab9be4377ae753502c5c»"',
        ),
        left=('password_hash = "sha256"', 'PASSWORD_HASH: "bcrypt"', '"password_hash": "${HASH}"'),
    ),
    row(
        "a password that another follows",
        r"\bidentified[ ]by[ ][^\n;]{1,140}[ ]replace[ ]\S{4}|\bold_password[ ]?=[ ]?N?'[^'\n]{3}",
        rf"\bidentified by [^\n;]{{1,140}}? replace (?:{QUOTED}|([^\s;\"']{{4,64}}))|\bold_password ?= ?N?'([^'\n]{{3,128}})'",
        examples=("ALTER USER scott IDENTIFIED BY «heron73» REPLACE «vorherTiger»;",),
        left=("ALTER USER scott IDENTIFIED BY :new REPLACE :old;",),
    ),
    row(
        "the login of a linked server",
        r"\bsp_add(?:linkedsrv)?login\b[^\n;]{4,200}",
        r"\bsp_addlinkedsrvlogin\b[^\n;]{4,160}, ?N?'([^'\n]{3,128})' ?;?[ \t]*(?:\r?\n|$)|\bsp_addlogin N?'[^'\n]{1,64}', ?N?'([^'\n]{3,128})'",
        examples=("EXEC sp_addlinkedsrvlogin 'ERP', 'false', NULL, 'erp_read', '«gabelstapler»';\n",),
        left=("EXEC sp_addlinkedsrvlogin @rmtsrvname, @useself, @locallogin;\n",),
    ),
    row(
        "ODBC",
        r"(?:\bPWD[ ]?=[ ]?\{[^}\n]{3}|\bisql[ ](?:-\w+[ ]){0,3}\S{1,40}[ ]\S{1,40}[ ]\S{3}|\b(?:bcp|sqlcmd|osql|tsql)\b[^\n]{0,160}[ ]-P[ ]\S{3})",
        rf"\bPWD ?= ?\{{([^}}\n]{{3,128}})\}}|\bisql (?:-\w+ ){{0,3}}\S{{1,40}} [\w.@\\-]{{1,40}} {SHELL_WORD}|\b(?:bcp|sqlcmd|osql|tsql)\b[^\n]{{0,160}}? -(?-i:P) {SHELL_WORD}",
        TYPED,
        examples=(
            "UID = reporter\nPWD = {«shaft;No4»}\n",
            "$ isql -v ERP reporter '«shaft;No4»'\n",
            "$ bcp dbo.Loads out loads.csv -S erp.mine.example -U reporter -P «pitprop5» -c\n",
        ),
        left=("PWD={password}\n", "sqlcmd -S db -U sa -P $SA_PW\n"),
    ),
    row(
        "a store that is opened with a key",
        r"\bpragma[ ](?:re)?key[ ]?=[ ]?['\"][^'\"\n]{3}",
        r"\bpragma (?:re)?key ?= ?(?:'([^'\n]{3,128})'|\"([^\"\n]{3,128})\")",
        ANYTHING,
        examples=("$ sqlite3 state.db \"pragma key='«windfall apples»'; select 1\"",),
        left=("pragma key = '%s'", "PRAGMA key = '${KEY}'"),
    ),
    row(
        "a login at a store",
        r"\bdb\.auth\([ ]?[\"'][^\"'\n]{1,64}[\"'][ ]?,[ ]?[\"'][^\"'\n]{3}",
        rf"\bdb\.auth\( ?[\"'][^\"'\n]{{1,64}}[\"'] ?, ?{QUOTED}",
        ANYTHING,
        examples=('> db.auth("root", "«Heron 12»")\n',),
        left=('db.auth("user", "${PW}")',),
    ),
    row(
        "what a cache was told",
        r"\"(?:AUTH|requirepass|masterauth)\"[ ]\"[^\"\n]{3}",
        r"\"AUTH\" (?:\"[^\"\n]{1,64}\" )?\"([^\"\n]{3,128})\"[ \t]*(?:\r?\n|$)|\"(?:requirepass|masterauth)\" \"([^\"\n]{3,128})\"",
        TYPED,
        examples=(
            '1698401122.118203 [0 10.1.4.7:51002] "AUTH" "sidekiq" "«Heron-44»"\n',
            '1698401124.001120 [0 10.1.4.9:40112] "CONFIG" "SET" "requirepass" "«alpenrose»"\n',
        ),
        left=('"AUTH" "LOGIN"', '"CONFIG" "GET" "requirepass"'),
    ),
    row(
        "hashes of Windows",
        rf"(?:^|\n)[\w.$-]{{1,40}}:[0-9]{{1,6}}:(?:{_HEX}{{32}}|[X*]{{32}}|NO[ ]PASSWORD\*{{21}}):{_HEX}{{32}}:",
        rf"(?:^|\n)[\w.$-]{{1,40}}:[0-9]{{1,6}}:((?:{_HEX}{{32}}:)?{_HEX}{{32}}):",
        ANYTHING,
        examples=(
            "scanner:1004:«3EFF309B8352B0F0EF512A21AA37611E:86D431580882CE5BB99AE9DFB6658BF1»:[U          ]:LCT-63A1F2C0:\n",
        ),
        left=("x:1004:abc:def:\n",),
    ),
    row(
        "what a script falls back to",
        rf"(?:{_PASSWORD})\w{{0,8}}[\"']\]?\)?[)]?[ ]?(?:\.unwrap_or(?:_else)?\([^\n\"]{{0,8}}|or|\?\?|\|\||\?:|if[ ][^\n\"']{{1,24}}[ ]else)[ ]?[\"'][^\"'\n]{{4}}",
        rf"(?:{_PASSWORD})\w{{0,8}}[\"']\]?\)?[)]? ?(?:\.unwrap_or(?:_else)?\([^\n\"]{{0,8}}|or|\?\?|\|\||\?:|if [^\n\"']{{1,24}} else) ?(?:\"([^\"\n]{{4,128}})\"|'([^'\n]{{4,128}})')",
        SHOWN,
        examples=(
            'let pw = std::env::var("ROW_PW").unwrap_or_else(|_| "«c0xswain»".into());',
            'import os\nimport sys\nPASSWORD = os.environ.get("PASSWORD") or "«xa31sge»"\n',
            "const p = getSecret('password') ?? '«Kq8vZ2mPx4Lw»';",
        ),
        left=(
            'x = os.environ.get("PASSWORD") or "changeme"',
            "const p = get('password') || 'missing';",
            'if kind == "password" or "token" in kind:',
        ),
    ),
    row(
        "what a setting is if there is none",
        rf"\b(?:get|getenv|env|config|getString|getProperty|get_or|default)\([ ]?[\"'][\w.-]{{0,40}}(?:{_PASSWORD})\w{{0,8}}[\"'][ ]?,[ ]?[\"'][^\"'\n]{{4}}",
        rf"\b(?:get|getenv|env|config|getString|getProperty|get_or|default)\( ?[\"'][\w.-]{{0,40}}(?:{_PASSWORD})\w{{0,8}}[\"'] ?, ?(?:\"([^\"\n]{{4,128}})\"|'([^'\n]{{4,128}})')",
        SHOWN,
        examples=(
            'import os\nPW = os.environ.get("DB_PASSWORD", "«tiger31x»")\n',
            "env('MAIL_PASSWORD', '«Heron-moss-7»')",
        ),
        left=(
            'os.environ.get("DB_PASSWORD", "secret")',
            "env('MAIL_PASSWORD', 'null')",
            'config("TOKEN_URL", "https://x.example/token2")',
        ),
    ),
    row(
        "a constant of a macro",
        r"\b\w{0,24}(?:PW|PASS|PASSWORD|PWD|SECRET|TOKEN)[ ]As[ ]String[ ]?=[ ]?\"[^\"\n]{3}|\bPassword:=\"[^\"\n]{3}",
        r"\b\w{0,24}(?:PW|PASS|PASSWORD|PWD|SECRET|TOKEN) As String ?= ?\"([^\"\n]{3,128})\"|\bPassword:=\"([^\"\n]{3,128})\"",
        TYPED,
        examples=(
            'Private Const SHEET_PW As String = "«abacus9»"\n',
            'Workbooks.Open Filename:="x.xlsx", Password:="«rote zahlen am ende»"\n',
        ),
        left=('Const PW As String = "password"\n', 'Password:=""\n'),
    ),
    row(
        "credentials in a build",
        r"\bCredentials\(\"[^\"\n]{1,80}\",[ ]?\"[^\"\n]{1,80}\",[ ]?\"[^\"\n]{1,80}\",[ ]?\"[^\"\n]{3}|->credentials\('[^'\n]{1,80}',[ ]?'[^'\n]{1,80}',[ ]?'[^'\n]{1,80}',[ ]?'[^'\n]{3}",
        r"\bcredentials\(\"[^\"\n]{1,80}\", ?\"[^\"\n]{1,80}\", ?\"[^\"\n]{1,80}\", ?\"([^\"\n]{3,128})\"|->credentials\('[^'\n]{1,80}', ?'[^'\n]{1,80}', ?'[^'\n]{1,80}', ?'([^'\n]{3,128})'",
        TYPED,
        examples=(
            'credentials += Credentials("Nexus", "nexus.loom.example", "publisher", "«shuttle.c0ck»")',
            "$ua->credentials('api.bot.example:443', 'realm', 'sync', '«mossy-stone-wall»');",
        ),
        left=('Credentials("realm", "host", "user", "password")',),
    ),
    row(
        "user and password in one option of a call",
        r"\bCURLOPT_(?:USERPWD|PROXYUSERPWD)[\"']?[ ]?(?:,|=>)[ ]?[\"'][^\"'\n]{4}",
        r"\bCURLOPT_(?:USERPWD|PROXYUSERPWD)[\"']? ?(?:,|=>) ?[\"'][^:\"'\n$]{1,64}:([^\"'\n]{3,128})[\"']",
        examples=('curl_setopt($ch, CURLOPT_USERPWD, "fair:«Dodgem:Cars7»");',),
        left=('curl_setopt($ch, CURLOPT_USERPWD, "$user:$pw");', 'CURLOPT_USERPWD, "user:password"'),
    ),
    row(
        "a replica and its login",
        r"\b(?:binddn|bindmethod)[ ]?=[^\n]{0,160}(?:\n[ \t]{1,12}[^\n]{0,40})?\bcredentials=\"?[^\s\"]{3}",
        r"\bcredentials=(?:\"([^\"\n]{3,128})\"|([^\s\"{}$]{3,128}))(?:\s|$)",
        ANYTHING,
        examples=('  bindmethod=simple binddn="cn=repl,dc=x,dc=example"\n  credentials=«Pflaster+Mull»\n',),
        left=("bindmethod=sasl\n credentials=${PW}\n",),
    ),
)
