# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Name and value in two fields: rows of settings, records, SQL, parameters of a stack: rows like `carrier_rules`."""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import PLACED, SHELL_WORD, row

_WORD = r"(?:passw(?:or)?d|passwd|passphrase|passwort|kennwort|pass|pwd|psk|secret|secret[_.-]?key|api[_.-]?(?:key|secret|token)|(?:access|auth|bot|refresh)[_.-]?token|token)"
_ENDING = r"(?:pw|" + _WORD[3:-1] + r")"
_NAME = rf"(?:[\w./:-]{{0,60}}[_.:/-])?{_WORD}|[\w./:-]{{0,60}}_pw|[\w./:-]{{0,60}}[a-z](?-i:Password|Passphrase|Secret|Token|Pwd)"
_FIELD = r"[\w-]{0,24}(?:name|key|id|option|setting|field|param|parameter|property|variable)"
_VALUE = r"[\w-]{0,24}(?:value|val|content|data|setting)"
_HELD = r"(?:'((?:[^'\n]|''){3,256})'|\"([^\"\n]{3,256})\")"

APART = (
    row(
        "a record line by line",
        rf"{_ENDING}[ \t]*\r?\n[ \t]*{_VALUE}[ \t]*:[ \t]+\S{{3}}",
        rf"(?:^|\n)[ \t]*{_FIELD}[ \t]*:[ \t]+(?:{_NAME})[ \t]*\r?\n[ \t]*{_VALUE}[ \t]*:[ \t]+([^\n]{{3,128}}?)[ \t]*(?:\r?\n|$)",
        PLACED,
        examples=(" option_name: mail_pass\noption_value: «Heron-Moss-9»\n", "key: ldap_bind_pw\nvalue: «mossfern»\n"),
        left=(" option_name: mail_host\noption_value: mx1.example\n",),
    ),
    row(
        "a block with a name and a value",
        rf"{_ENDING}\"[ \t]*,?\r?\n[ \t]*value[ \t]*=[ \t]*\"[^\"\n]{{3}}",
        rf"\bname[ \t]*=[ \t]*\"(?:{_NAME})\"[ \t]*,?\r?\n[ \t]*value[ \t]*=[ \t]*\"([^\"\n$]{{3,256}})\"",
        PLACED,
        examples=(
            'set {\n  name  = "auth.rootPassword"\n  value = "«mossfern»"\n}\n',
            'name      = "DB_PASSWORD"\n    value     = "«Heron-9»"\n',
        ),
        left=(
            'set {\n  name  = "auth.password"\n  value = "${var.pw}"\n}\n',
            'set {\n  name  = "auth.username"\n  value = "orders"\n}\n',
        ),
    ),
    row(
        "a name and a value inserted",
        rf"['\"]{_ENDING}['\"]|[_./:-]{_ENDING}['\"][ ]?,[ ]?N?['\"]",
        rf"\binsert\s[^;]{{0,400}}[(,][ ]?N?['\"](?:{_NAME})['\"][ ]?,[ ]?N?{_HELD}[ ]?[,)]",
        PLACED,
        examples=(
            "INSERT INTO settings VALUES (2,'mail_password','«heron73»');",
            "INSERT INTO t (k,v) VALUES ('a','b'),('smtp_pass','«moss fern»');",
        ),
        left=(
            "INSERT INTO settings VALUES (2,'mail_host','mx1');",
            "INSERT INTO fields VALUES (2,'password','password');",
        ),
        near=r"['\"][ ]?,",
    ),
    row(
        "a value updated where its name is",
        rf"\bwhere\b[^;\n]{{0,60}}={{0,2}}[ ]?['\"][\w./:-]{{0,60}}{_ENDING}['\"]",
        rf"\bset\s+[`\"\[]?{_VALUE}[`\"\]]?\s*=\s*N?{_HELD}[^;]{{0,80}}?\bwhere\s[^;\n]{{0,60}}?=\s*['\"](?:{_NAME})['\"]",
        PLACED,
        examples=(
            "UPDATE settings SET value='«Heron-7»' WHERE name='mail_password';",
            "update o set option_value = '«moss fern»' where option_name = 'ldap_password'",
        ),
        left=("UPDATE settings SET value='30' WHERE name='password_days';",),
    ),
    row(
        "a value of the registry",
        rf"\breg(?:\.exe)?[ ]add[ ][^\n]{{1,200}}/v[ ]\"?\w{{0,40}}{_ENDING}\"?[ ][^\n]{{0,40}}/d[ ]",
        rf"\breg(?:\.exe)? add [^\n]{{1,200}}?/v \"?\w{{0,40}}?{_ENDING}\"? [^\n]{{0,40}}?/d {SHELL_WORD}",
        PLACED,
        examples=(
            'reg add "HKLM\\X Y" /v DefaultPassword /t REG_SZ /d «heron-Moss4» /f',
            'reg add HKCU\\X /v ProxyPassword /d "«moss 12»"',
        ),
        left=("reg add HKLM\\X /v PasswordExpiryDays /t REG_DWORD /d 90 /f",),
    ),
    row(
        "a value of the registry, shown",
        rf"{_ENDING}[ \t]{{1,12}}REG_SZ[ \t]{{1,12}}\S{{3}}",
        rf"\b\w{{0,40}}{_ENDING}[ \t]{{1,12}}REG_SZ[ \t]{{1,12}}([^\n]{{3,128}}?)[ \t]*(?:\r?\n|$)",
        PLACED,
        examples=("    DefaultPassword    REG_SZ    «moss fern 3»\n",),
        left=("    DisablePasswordCaching    REG_DWORD    0x1\n",),
    ),
    row(
        "a parameter of a stack",
        rf"\bparameterkey[ ]?=[ ]?\w{{0,40}}{_ENDING},[ ]?parametervalue[ ]?=\S{{3}}",
        rf"\bparameterkey ?= ?\w{{0,40}}?{_ENDING}, ?parametervalue ?= ?{SHELL_WORD}",
        PLACED,
        examples=("ParameterKey=MasterUserPassword,ParameterValue=«Heron-Moss-1»",),
        left=("ParameterKey=MasterUserPassword,UsePreviousValue=true",),
    ),
    row(
        "a parameter that is put",
        r"\bput-parameter\b[^\n]{0,200}--(?:value|name)[ =]",
        rf"\bput-parameter\b[^\n]{{0,160}}?--value[ =]{SHELL_WORD}[^\n]{{0,80}}?(?:SecureString|--name[ =][\"']?[\w/.-]{{0,80}}{_ENDING}\b)",
        PLACED,
        examples=("aws ssm put-parameter --type SecureString --value '«two moss ferns»' --name /x/smtp_pass",),
        left=("aws ssm put-parameter --value db1 --type String --name /x/host",),
    ),
    row(
        "a key that a profile shows",
        r"\bkey[ ]content[ \t]{0,16}:[ ]\S{4}",
        r"\bkey content[ \t]{0,16}: ([^\n]{4,64}?)[ \t]*(?:\r?\n|$)",
        PLACED,
        examples=("    Key Content            : «moss fern no 9»\n",),
    ),
)
