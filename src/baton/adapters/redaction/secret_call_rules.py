# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Calls of a program one of whose arguments is a secret by its place: rows like `carrier_rules`."""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import ANYTHING, PLACED, TYPED, row

_QUOTED = r"""["'\x60][^"'\x60\n]{1,120}["'\x60]"""
_HELD = r"""["'\x60]([^"'\x60\n$<>{}]{4,128})["'\x60]"""

SECRET_CALLS = (
    row(
        "a user and a password as information",
        rf"\b(?:userinfo|userpassword|userpass|usernamepassword\w{{0,24}}|passwordauthentication|basicauth\w{{0,12}})\([ ]?{_QUOTED},[ ]?[\"'\x60]",
        rf"\b(?:userinfo|userpassword|userpass|usernamepassword\w{{0,24}}|passwordauthentication|basicauth\w{{0,12}})\( ?{_QUOTED}, ?{_HELD}",
        TYPED,
        examples=('nats.UserInfo("fleet", "«karavaan»")', 'url.UserPassword("ann", "«heron73»")'),
        left=('url.UserPassword("user", "password")', "nats.UserInfo(user, pass)"),
    ),
    row(
        "what a program falls back to",
        r"(?:password|passwd|pwd|secret)[ ]?(?:=|:)[ ]?[\w.]{1,40}[ ](?:or|\|\|)[ ][\"'][^\s\"']{4}",
        r"(?:password|passwd|pwd|secret)[ ]?(?:=|:)[ ]?[\w.]{1,40} (?:or|\|\|) [\"']([^\s\"'$<>{}]{4,128})[\"']",
        TYPED,
        examples=('connect(password=password or "«bosbes42»")', "secret: config.secret || '«mossfern»',"),
        left=('connect(password=password or "password")',),
    ),
    row(
        "host, port, user, password",
        rf"\.(?:connect|open|login|logon|session)\([ ]?{_QUOTED},[ ]?[0-9]{{2,5}},[ ]?{_QUOTED},[ ]?[\"'\x60]",
        rf"\.(?:connect|open|login|logon|session)\( ?{_QUOTED}, ?[0-9]{{2,5}}, ?{_QUOTED}, ?{_HELD}",
        PLACED,
        examples=('client.connect("10.2.3.4", 22, "root", "«Heron-moss»")',),
        left=('client.connect("10.2.3.4", 22, "root", password)',),
    ),
    row(
        "a builder's password",
        r"\.(?:with_?)?(?:password|passphrase|passwd|secret_?key|client_?secret|api_?key|signing_?key)\([ ]?[\"'\x60][^\"'\x60\n]{4}",
        rf"\.(?:with_?)?(?:password|passphrase|passwd|secret_?key|client_?secret|api_?key|signing_?key)\( ?{_HELD} ?\)[.;)\s]",
        TYPED,
        examples=('builder().username("ann").password("«mossfern»").build();',),
        left=('builder.password("password").build();', 'form.password("Enter your password");'),
    ),
    row(
        "a key store's letters",
        r"[\"'][^\"'\n]{4,64}[\"']\.tochararray\(\)",
        r"\bload\([^\n\"']{1,60},\s*[\"']([^\"'\n]{4,64})[\"']\.tochararray\(\)|\b(?:getkey|setkeyentry|init|passwordprotection|pbekeyspec)\([^\n]{0,80}?[\"']([^\"'\n]{4,64})[\"']\.tochararray\(\)",
        PLACED,
        examples=('ks.load(in, "«mossfern»".toCharArray());', 'kmf.init(ks, "«heron73»".toCharArray());'),
        left=("ks.load(in, password.toCharArray());", 'char[] hex = "0123456789abcdef".toCharArray();'),
    ),
    row(
        "a password alone",
        r"(?:redis|red|\br|cache|conn|cli|client)(?::|\.|->)auth\([ ]?[\"'][^\"'\n]{4}",
        rf"\b\$?\w{{0,20}}(?:redis|red|\br|cache|conn|cli|client)(?::|\.|->)auth\( ?{_HELD} ?\)",
        TYPED,
        examples=('red:auth("«heron-moss»")', "$redis->auth('«mossfern»');"),
        left=("client.auth('bearer')", "redis.auth(password)"),
    ),
    row(
        "a token that is signed",
        r"\bjwt\.(?:sign|verify|encode|decode)\([^\n]{1,160},[ ]?[\"'\x60][^\"'\x60\n]{4}",
        rf"\bjwt\.(?:sign|verify|encode|decode)\( ?(?:\{{[^{{}}\n]{{0,120}}\}}|[\w.()\[\]]{{1,60}}), ?{_HELD}",
        PLACED,
        examples=(
            "jwt.sign({ id: u.id }, '«mossfern»', { expiresIn: '1h' })",
            'jwt.encode(payload, "«heron-moss»", algorithm="HS256")',
        ),
        left=("jwt.sign(payload, process.env.SECRET)", 'jwt.decode(token, "secret")'),
    ),
    row(
        "a network that is joined",
        r"\bwifi\w{0,6}\.(?:begin|softap|addap|connect)\([ ]?\"[^\"\n]{1,40}\",[ ]?\"[^\"\n]{4}",
        r"\bwifi\w{0,6}\.(?:begin|softap|addap|connect)\( ?\"[^\"\n]{1,40}\", ?\"([^\"\n]{4,64})\"",
        PLACED,
        examples=('WiFi.begin("Loft", "«mossfern»");',),
        left=('WiFi.begin("your-ssid", "your-password");', "WiFi.begin(ssid, password);"),
    ),
    row(
        "a constant of the preprocessor",
        r"#[ ]?define[ \t]{1,4}\w{0,40}(?:passw(?:or)?d|passphrase|psk|_pass|_pwd|_pw)[ \t]{1,8}\"[^\"\n]{4}",
        r"# ?define[ \t]{1,4}\w{0,40}(?:passw(?:or)?d|passphrase|psk|_pass|_pwd|_pw)[ \t]{1,8}\"([^\"\n]{4,128})\"",
        PLACED,
        examples=('#define OTA_PASSWORD "«upd8heron»"', '#define AP_PSK "«mossfern»"'),
        left=('#define FIELD_PASSWORD "password"', "#define MAX_PASSWORD 64"),
    ),
    row(
        "a key of a cipher",
        r"\bcreate(?:de)?cipher(?:iv)?\([ ]?[\"'][\w-]{3,24}[\"'],[ ]?[\"'][^\"'\n]{8}",
        r"\bcreate(?:de)?cipher(?:iv)?\( ?[\"'][\w-]{3,24}[\"'], ?[\"']([^\"'\n]{8,128})[\"']",
        PLACED,
        examples=("createCipheriv('aes-256-cbc', '«heronmossheronmoss»', iv)",),
        left=("createCipheriv('aes-256-cbc', key, iv)",),
    ),
    row(
        "a password that is set or hashed",
        r"(?:password|passphrase|passwd|passcode|_pwd|pass)\([ ]?[\"'\x60][^\"'\x60\n]{4}",
        rf"\b(?:\w{{0,24}}[._>:])?(?:set|with|use|put|hash|make|encrypt|encode|verify|check|compare|match)_?(?:\w{{0,24}}?)(?:password|passphrase|passwd|passcode|pwd|pass)\( ?{_HELD}[ ]?[,)]",
        TYPED,
        examples=(
            'ssl.setKeyStorePassword("«mossfern»");',
            "config.SetConfigPassword('«heron-moss»')",
            "encoded = make_password('«mossfern»', salt)",
            '$user->checkPassword("«heron73»")',
        ),
        left=(
            'user.setPassword("password");',
            "t.setPassword(password)",
            'getPassword("mossfern")',
            "view.setPassword('Enter your password')",
        ),
    ),
    row(
        "a hasher's word",
        r"(?:password|passwordhasher|bcrypt|argon2|scrypt|hasher|obscure)(?:\.|::|->)(?:must)?(?:obfuscate|obscure|create|hash|hashpw|hash_password|encrypt|verify)\([ ]?b?[\"'][^\"'\n]{4}",
        r"(?:password|passwordhasher|bcrypt|argon2|scrypt|hasher|obscure)(?:\.|::|->)(?:must)?(?:obfuscate|obscure|create|hash|hashpw|hash_password|encrypt|verify)\( ?b?[\"']([^\"'\n$<>{}]{4,128})[\"'][ ]?[,)]",
        TYPED,
        examples=('Password.obfuscate("«heron73»")', "BCrypt::Password.create('«mossfern»', cost: 4)"),
        left=("bcrypt.hash(password, 10)", 'Password.create("password")'),
    ),
    row(
        "a property that is set",
        r"\b(?:set|put|add|with)_?(?:property|option|config|setting|env)?\([ ]?[\"'][\w./-]{0,60}(?:passw(?:or)?d|passphrase|secret|_pass)[\"'],[ ]?[\"'][^\"'\n]{4}",
        r"\b(?:set|put|add|with)_?(?:property|option|config|setting|env)\( ?[\"'][\w./-]{0,60}(?:passw(?:or)?d|passphrase|secret|_pass)[\"'], ?[\"']([^\"'\n$<>{}]{4,128})[\"'] ?\)",
        TYPED,
        examples=('cfg.setProperty("shop.mail.password", "«heron73»");',),
        left=('cfg.setProperty("shop.mail.password", password);', 'm.setProperty("password", "Password");'),
    ),
    row(
        "an account of Twilio and its token",
        r"[\"']AC[0-9a-f]{32}[\"'][ ]?,[ ]?[\"'][0-9a-f]{32}",
        r"[\"']AC[0-9a-f]{32}[\"'] ?, ?[\"']([0-9a-f]{32})[\"']",
        ANYTHING,
        examples=(f'twilio.NewClient("AC{"9f3a07bc" * 4}", "«{"7c1e52d8" * 4}»")',),
        left=(f'"AC{"9f3a07bc" * 4}", token',),
    ),
    row(
        "a type that makes one",
        r"networkcredential\]::new\([ ]?[\"'][^\"'\n]{1,80}[\"'],[ ]?[\"'][^\"'\n]{3}",
        rf"networkcredential\]::new\( ?{_QUOTED}, ?{_HELD}",
        PLACED,
        examples=('[System.Net.NetworkCredential]::new("ann", "«mossfern»")',),
        left=('[System.Net.NetworkCredential]::new("", $secure).Password',),
    ),
)
