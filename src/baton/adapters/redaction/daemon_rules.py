# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Passwords and their hashes in the files of daemons: mail, VPN, caches, SNMP, boot loaders: rows like `carrier_rules`."""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import ALONE, ANYTHING, MIXED, QUOTED, row

_HEX = r"[0-9a-f]"
_PEER = r"[\w.@%*-]{1,64}"

DAEMONS = (
    row(
        "what Terraform changes",
        r"(?:passw(?:or)?d|passwd|pwd|passphrase|secret|token|_key)\w{0,20}[ \t]{1,40}=[ ]\"[^\"\n]{0,128}\"[ ]->[ ]\"[^\"\n]{3}",
        r"(?:passw(?:or)?d|passwd|pwd|passphrase|secret|token|_key)\w{0,20}[ \t]{1,40}= \"[^\"\n]{0,128}\" -> \"([^\"\n]{3,128})\"",
        ANYTHING,
        examples=('~ resource "db" "main" {\n    ~ password = "«heron7301»" -> "«heron7302»"\n  }',),
        left=('    ~ password = "${var.old}" -> "${var.new}"', "    ~ password = (sensitive value)"),
    ),
    row(
        "a form that is filled in",
        r"type=[\"']password[\"'][^<>\n]{0,120}\bvalue=[\"'][^\"'\n]{3}",
        rf"type=[\"']password[\"'][^<>\n]{{0,120}}?\bvalue={QUOTED}",
        MIXED,
        examples=('<input type="password" name="pw" value="«K!zN6v1r%J#»">\n</form>',),
        left=('<input type="password" value="{{ pw }}">', '<input type="password" value="password">'),
    ),
    row(
        "a directory's bind",
        r"\bldap[\w.-]{0,40}\.credentials[ ]{0,2}[:=][ ]{0,2}[^\s]{4}",
        r"\bldap[\w.-]{0,40}\.credentials {0,2}[:=] {0,2}([^\s\"'{}$<>()]{4,128})(?:\s|$)",
        examples=("ldap.bind.credentials = «mossfern»",),
        left=("ldap.bind.credentials = ${LDAP}", "ldap.bind.credentials = null"),
    ),
    row(
        "sendmail's access to a relay",
        r"\bauthinfo:[^\n]{0,120}\"p[:=][^\"\n]{3}",
        r"\bauthinfo:[^\n]{0,120}\"p[:=]([^\"\n]{3,128})\"",
        ANYTHING,
        examples=('AuthInfo:mx1 "U:root" "I:ann" "P:«heron»"',),
        left=('AuthInfo:mx1 "U:root" "I:ann" "M:PLAIN"',),
    ),
    row(
        "ipsec.secrets",
        r":[ \t]{1,8}(?:psk|eap|xauth|ntlm|pin)[ \t]{1,8}[\"'][^\"'\n]{3}",
        rf"(?:^|\n)[ \t]*(?:{_PEER}[ \t]+){{0,3}}:[ \t]+(?-i:PSK|EAP|XAUTH|NTLM|PIN)[ \t]+{QUOTED}{ALONE}",
        ANYTHING,
        examples=(': PSK "«heron»"\n', 'ann : EAP "«moss fern»"\n', "10.0.0.1 10.0.0.2 : PSK '«heron73»'\n"),
        left=(': RSA "moon.der"\n', 'use : PSK "pre-shared" keys\n'),
    ),
    row(
        "a user of Redis",
        r"\buser[ ][\w.@-]{1,64}[ ](?:[a-z]{2,12}[ ]|[+~&%-][^\s]{1,40}[ ]){0,8}(?:[<>]\S|#[0-9a-f]{8})",
        rf"\b(?:acl setuser|user) [\w.@-]{{1,64}} (?:[a-z]{{2,12}} |[+~&%-][^\s]{{1,40}} ){{0,8}}?(?:[<>]([^\s]{{3,128}})|#({_HEX}{{64}}))(?:\s|$)",
        ANYTHING,
        examples=(
            "user ann on >«heron» ~* +@all",
            "user ann on ~cache:* >«mossfern» +get\n",
            "user old on <«heimweg» ~old:*\n",
        ),
        left=("user ann on nopass ~* +@all", "the user ann on > of the list"),
    ),
    row(
        "a user of SNMP",
        r"\bcreateuser[ \t][^\n]{1,100}\b(?:md5|sha(?:-?[0-9]{3})?)[ \t]{1,4}[\"']?\S{4}",
        rf"\bcreateuser[ \t]+(?:-e[ \t]+\S+[ \t]+)?\S{{1,64}}[ \t]+(?:md5|sha(?:-?[0-9]{{3}})?)[ \t]+(?:{QUOTED}|([^\s\"']{{4,128}}))",
        ANYTHING,
        examples=('createUser ann SHA "«heron»" AES', "createUser ann MD5 «mossfern»\n"),
    ),
    row(
        "the privacy of a user of SNMP",
        r"\bcreateuser[ \t][^\n]{1,200}\b(?:des|aes(?:-?[0-9]{3})?)[ \t]{1,4}[\"']?\S{4}",
        rf"\bcreateuser[ \t][^\n]{{1,200}}[ \t](?:des|aes(?:-?[0-9]{{3}})?)[ \t]+(?:{QUOTED}|([^\s\"']{{4,128}}))",
        ANYTHING,
        examples=('createUser ann SHA $KEY AES "«mossfern»"\n', "createUser ann SHA $KEY DES «heron»\n"),
    ),
    row(
        "a hash of a boot loader",
        rf"\bgrub\.pbkdf2\.sha512\.[0-9]{{1,9}}\.{_HEX}{{16}}",
        rf"\bgrub\.pbkdf2\.sha512\.[0-9]{{1,9}}\.({_HEX}{{16,}}\.{_HEX}{{16,}})",
        ANYTHING,
        examples=(f"password_pbkdf2 root grub.pbkdf2.sha512.10000.«{'9F3A07BC' * 16}.{'C1D20E84' * 16}»\n",),
        ahead=512,
    ),
    row(
        "a hash with its method",
        rf"\b(?:hash|digest)[ \t]*[=:][ \t]*{_HEX}{{32}}",
        rf"\bmethod[ \t]*[=:][ \t]*(?:md5|sha-?(?:1|256|512))[ \t]*\r?\n[ \t]*(?:hash|digest)[ \t]*[=:][ \t]*({_HEX}{{32,128}})[ \t]*\r?\n[ \t]*salt\b",
        ANYTHING,
        examples=(f"<Pass password>\n\tMethod = sha256\n\tHash = «{'9f3a07bc' * 8}»\n\tSalt = q8W7e6\n</Pass>\n",),
        left=(f"Method = sha256\nHash = {'9f3a07bc' * 8}\nFile = shop.tar\n",),
    ),
    row(
        "a hash of crypt beside a user",
        r"(?:^|\n)[\w.@-]{1,64}:[./0-9A-Za-z]{13}[ \t]*(?:\r?\n|$)",
        rf"\b(?:htpasswd|\.passwd)\b[^\n]{{0,80}}\n(?:[\w.@-]+:\S+\n)*?[\w.@-]{{1,64}}:([./0-9A-Za-z]{{13}}){ALONE}",
        ANYTHING,
        examples=("$ cat /srv/.htpasswd\nann:«q8W7e6R5t4K2m»\n",),
        left=("$ ls -1\nann:q8W7e6R5t4K2m\n",),
    ),
    row(
        "a host's token of Composer",
        r"\"(?:github-oauth|gitlab-oauth|gitlab-token|bitbucket-oauth|bearer)\"[ \t]*:[ \t\r\n]*\{",
        r"\"(?:github-oauth|gitlab-oauth|gitlab-token|bearer)\"\s*:\s*\{\s*\"[\w.-]{3,80}\"\s*:\s*\"([^\"\n]{12,256})\"",
        ANYTHING,
        examples=(f'{{"github-oauth": {{"github.com": "«{"9f3a07bc" * 5}»"}}}}',),
        left=('{"bearer": {"format": "JWT"}}',),
    ),
    row(
        "a user inserted with a hash",
        rf"'{_HEX}{{32}}(?:{_HEX}{{8}}){{0,4}}'",
        rf"\binsert\s+into\s+[`\"\[]?\w{{0,24}}(?:users?|accounts?|members?|customers?|logins?|admins?)[`\"\]]?[\s(][^;]{{0,400}}?\(\s*(?:[0-9]{{1,9}}|'[\w-]{{1,36}}')\s*,\s*'[^'\n]{{1,64}}'\s*,\s*'({_HEX}{{32}}(?:{_HEX}{{8}}){{0,4}})'",
        ANYTHING,
        examples=("INSERT INTO `app_users` VALUES (1,'ann','«9f3a07bc9f3a07bc9f3a07bc9f3a07bc»','ann@x.example');",),
        left=("INSERT INTO files VALUES (1,'a.tar','9f3a07bc9f3a07bc9f3a07bc9f3a07bc');",),
        near=r"values|\),[ ]{0,2}\(",
        ahead=8,
    ),
    row(
        "a setting in a row of a table",
        r"'[\w.-]{0,40}(?:passw(?:or)?d|passwd|secret|api_?key|(?:auth|api|access)_?token)',[ ]{0,2}'[^'\n]{4}",
        r"\([^()\n]{0,80}?'[\w.-]{0,40}(?:passw(?:or)?d|passwd|secret|api_?key|(?:auth|api|access)_?token)', {0,2}'([^'\n]{0,80}[^A-Za-z'\n _.-][^'\n]{0,120})'",
        MIXED,
        examples=("INSERT INTO settings (id, name, value) VALUES\n (2, 'smtp_password', '«heron7302x»');",),
        left=("IN ('user_password', 'user_email')", "(1, 'reset_password', 'send_mail')"),
    ),
    row(
        "OpenVPN's user and password",
        r"<auth-user-pass>\r?\n[^\n<]{1,80}\n[^\n<]{4}",
        r"<auth-user-pass>\r?\n[^\n<]{1,80}\n([^\n<]{4,128}?)\r?\n</auth-user-pass>",
        ANYTHING,
        examples=("<auth-user-pass>\nann.heron\n«Moss-Fern-1987»\n</auth-user-pass>\n",),
    ),
    row(
        "a password that Terraform made",
        r"\"random_password\"",
        r"\"random_password\"[^]]{0,400}?\"(?:result|bcrypt_hash)\"\s*:\s*\"([^\"\n]{6,128})\"",
        ANYTHING,
        examples=(
            '{"type": "random_password", "instances": [{"attributes": {"length": 16, "result": "«Hq3%n7xw0Lkz2Vty»"}}]}',
        ),
        left=('{"type": "random_password", "instances": []}',),
    ),
    row(
        "a key shown from its file",
        r"(?:\b(?:cat|more|less|type|bat|tail|head)|(?:^|\n)(?:#|//|==>))[ ][^\n|;&]{0,80}(?:master|credentials|secret(?:_key_base)?|encryption)[\w/-]{0,20}\.key(?:[ ]<==)?[ \t]*\r?\n[0-9a-z]{24}",
        rf"(?:\b(?:cat|more|less|type|bat|tail|head)|(?:^|\n)(?:#|//|==>)) [^\n|;&]{{0,80}}\.key(?: <==)?[ \t]*\r?\n([0-9a-z]{{24,128}}){ALONE}",
        ANYTHING,
        examples=(f"$ cat config/master.key\n«{'9f3a07bc' * 4}»\n", f"# config/master.key\n«{'9f3a07bc' * 4}»\n"),
        left=(f"$ cat build/commit.txt\n{'9f3a07bc' * 5}\n",),
    ),
)
