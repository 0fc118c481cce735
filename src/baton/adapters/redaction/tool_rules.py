# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Secrets that tools keep and hand out: browsers, safes, clouds, chats, clusters, purses: rows like `carrier_rules`."""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import ALONE, ANYTHING, MIXED, PLACED, SHELL_WORD, TYPED, row

TOOLS = (
    row(
        "a password of an app",
        r"\bpass(?:word|wd|phrase)?[\"']?[ \t]{0,20}(?:[:=]|[ \t]{2})[ \t]{0,20}[\"']?[a-z]{4}[ ][a-z]{4}[ ][a-z]{4}[ ][a-z]{4}(?:[\"'\r\n]|$)",
        r"\bpass(?:word|wd|phrase)?[\"']?[ \t]{0,20}(?:[:=]|[ \t]{2})[ \t]{0,20}[\"']?([a-z]{4} [a-z]{4} [a-z]{4} [a-z]{4})(?:[\"'\r\n]|$)",
        ANYTHING,
        examples=("password       «lqwn vhbt xzke oyja»\n",),
        left=("password must have four long ones",),
    ),
    row(
        "the id that is a secret",
        r"\bSecretID[\"']?[ \t]{0,12}[:=][ \t]{0,12}[\"']?[0-9a-f]{8}-",
        r"\bSecretID[\"']?[ \t]{0,12}[:=][ \t]{0,12}[\"']?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b",
        ANYTHING,
        examples=(
            "AccessorID:       a19cd572-32f9-49cd-a0ae-5bb7a85a17d5\nSecretID:         «36ce3547-1e1c-4ce8-b343-15f0c6156ef4»\n",
        ),
        left=("SecretID: required\n",),
    ),
    row(
        "a hook of a chat",
        r"/hooks/[a-z0-9]{26}\b",
        r"https?://[\w.:-]{3,80}/hooks/([a-z0-9]{26})(?:[^\w-]|$)",
        ANYTHING,
        examples=("--hook https://chat.town.example/hooks/«z5vq66xm9g8v0m6cwksm82npqz» -v",),
        left=("https://chat.town.example/hooks/on-every-commit-of-any-branch",),
    ),
    row(
        "a new password at a directory",
        r"\bldappasswd\b[^\n]{0,160}[ ]-s[ ]\S{3}",
        rf"\bldappasswd\b[^\n]{{0,160}}? -(?-i:s) {SHELL_WORD}",
        examples=("$ ldappasswd -x -D cn=admin,dc=lab -s «centrifuge4» cn=nina,dc=lab\n",),
        left=("ldappasswd -x -D cn=admin -W -S cn=nina\n",),
    ),
    row(
        "a parameter that a cloud keeps",
        r"\tSecureString\t\S{3}",
        rf"\tSecureString\t([^\t\r\n]{{3,256}}?){ALONE}",
        ANYTHING,
        examples=(
            "/shop/prod/DB_PASSWORD\tSecureString\t«jeKL-29.aa_pq»\n",
            "/x/SESSION\tSecureString\t«keyboard otter says»\n",
        ),
        left=("the type is SecureString here: {pw}",),
    ),
    row(
        "a cookie of a browser",
        r"(?:\t(?:TRUE|FALSE)\t[0-9]{1,12}\t[\w.-]{1,60}\t\S{20}|\"value\":[ ]?\"[^\"\n]{20,600}\"[^{}\n]{0,80}\"httpOnly\")",
        rf"\t(?:TRUE|FALSE)\t[0-9]{{1,12}}\t[\w.-]{{1,60}}\t(\S{{20,600}}){ALONE}|\"value\": ?\"([^\"\n]{{20,600}})\"[^{{}}\n]{{0,80}}\"httpOnly\"",
        MIXED,
        examples=(
            ".forum.example\tTRUE\t/\tTRUE\t1743414000\txf_user\t«5521%2CxaB9shZwrBzEQ1IQ93Qn7ztwxlXUiin4CSNm97yV»\n",
            '{"name": "sp_dc", "value": "«AQ7w_pHXKM1iE3sn1IN9C-SeVgumD-RjMdpVf43c53fc»", "httpOnly": true}',
        ),
        left=(".forum.example\tTRUE\t/\tTRUE\t0\tskin\tvector-2022\n",),
        ahead=900,
    ),
    row(
        "what signs a link",
        r"\bX-Amz-Signature=[0-9a-f]{64}",
        r"\bX-Amz-Signature=([0-9a-f]{64})",
        ANYTHING,
        examples=(f"PUT https://s3.example/x?X-Amz-Expires=900&X-Amz-Signature=«{'5e47ae2b' * 8}»\n",),
        left=("X-Amz-Signature=<signature>",),
    ),
    row(
        "the key of a purse",
        r"\b\w{0,24}(?:_PK|_?PRIVATE_?KEY|PRIV_?KEY)[\"']?[ ]?[:=][ ]?[\"']?0x[0-9a-f]{64}",
        r"\b\w{0,24}(?:_PK|_?PRIVATE_?KEY|PRIV_?KEY)[\"']? ?[:=] ?[\"']?(0x[0-9a-f]{64})\b",
        ANYTHING,
        examples=(f'const DEPLOYER_PK = "«0x{"8c83acc4" * 8}»";',),
        left=("CUSTOMER_PK = 0x1f",),
    ),
    row(
        "a seed of one-time codes",
        r"\boathtool\b[^\n]{0,60}[ ][\"']?[A-Z2-7]{4}[ ]?[A-Z2-7]{4}",
        r"\boathtool\b[^\n]{0,60} [\"']?((?:[A-Z2-7]{4} ){3,15}[A-Z2-7]{4}|[A-Z2-7]{16,64})",
        ANYTHING,
        examples=('$ oathtool --totp -b "«JBSW Y3DP K5XX E3DE»"',),
        left=("oathtool --totp -b $SEED",),
    ),
    row(
        "codes in their file",
        r"\b(?:cat|less|head|more)[ ][^\n]{0,60}(?:recovery|backup)[_-]?codes?[^\n]{0,20}\r?\n[0-9a-z]{4}",
        r"\b(?:cat|less|head|more) [^\n]{0,60}(?:recovery|backup)[_-]?codes?[^\n]{0,20}\r?\n((?:[0-9a-z]{4,8}[- ][0-9a-z]{4,8}[ \t]*\r?\n){1,16})",
        ANYTHING,
        examples=("$ cat github-recovery-codes.txt\n«455cc-a319e\n468f0-7c01c\n»$ date\n",),
        left=("$ cat recovery-codes.txt\nNo such file\n",),
    ),
    row(
        "a field of a password safe",
        r"<Key>Password</Key>[^<>]{0,8}<Value[^<>]{0,60}>[^<]{3}",
        r"<Key>Password</Key>[^<>]{0,8}<Value[^<>]{0,60}>([^<\n]{3,128})</Value>",
        ANYTHING,
        examples=('<String><Key>Password</Key><Value ProtectInMemory="True">«Auger&amp;Pliers»</Value></String>',),
        left=("<Key>Password</Key><Value></Value>",),
    ),
    row(
        "a variable of a collection",
        r"\"key\":[ ]?\"[\w.-]{0,40}(?:password|passwd|passphrase|secret|token)\",[ ]?\"value\":[ ]?\"[^\"\n{]{4}",
        r"\"key\": ?\"[\w.-]{0,40}(?:password|passwd|passphrase|secret|token)\", ?\"value\": ?\"([^\"\n{}]{4,256})\"",
        PLACED,
        examples=('{ "key": "password", "value": "«driving-lorries-is-fun»", "type": "secret" }',),
        left=('{"key": "password", "value": "password"}', '{ "key": "token", "value": "{{token}}" }'),
    ),
    row(
        "users of a new machine",
        r"\n[ ]{4,12}[a-z_][\w-]{0,31}:[^\s:]{4,64}\r?\n",
        r"\n[ ]{4,12}[a-z_][\w-]{0,31}:([^\s:\"'{}$]{4,64})\r?\n",
        TYPED,
        examples=("chpasswd:\n  list: |\n    root:«EWugflnqMrfiD5yPsv9e»\n  expire: false\n",),
        left=("list: |\n    name:required\n",),
        near=r"list:[ ]*\|",
    ),
    row(
        "the cookie of a cluster",
        r"\b(?:iex|erl|elixir|mix|rabbitmq\w{0,10})\b[^\n]{0,120}[ ]--?(?:set)?cookie[ ]\S{3}",
        rf"\b(?:iex|erl|elixir|mix|rabbitmq\w{{0,10}})\b[^\n]{{0,120}}? --?(?:set)?cookie {SHELL_WORD}",
        examples=("# iex --sname choir --cookie «treble_clef» -S mix\n",),
        left=("iex --sname choir --cookie $COOKIE\n",),
    ),
    row(
        "a key among a property list",
        r"<key>(?:[\w.]{0,40}(?:Password|Passphrase|Passwd|SharedSecret|Secret))</key>\s{0,40}<string>[^<\n]{3}",
        r"<key>(?:[\w.]{0,40}(?:Password|Passphrase|Passwd|SharedSecret|Secret))</key>\s{0,40}<string>([^<\n]{3,128})</string>",
        TYPED,
        examples=("<key>Password</key>\n\t<string>«cymbal crash dune 77»</string>\n",),
        left=(
            "<key>Password</key>\n<string>string</string>\n",
            "<key>NewPassword</key><string>Enter password</string>",
        ),
    ),
    row(
        "an identity's key in a file",
        r"\b(?:cat|less|head|tail)[ ][^\n|;&]{0,80}\.psk[ \t]*\r?\n[0-9a-f]{32}",
        rf"\b(?:cat|less|head|tail) [^\n|;&]{{0,80}}\.psk[ \t]*\r?\n([0-9a-f]{{32,512}}){ALONE}",
        ANYTHING,
        examples=(f"$ cat /etc/zabbix/agent.psk\n«{'9f3a07bc' * 8}»\n",),
        left=("$ cat agent.psk\nNo such file\n",),
        ahead=640,
    ),
)
