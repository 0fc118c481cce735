# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Passwords by their position in a program or a setting: arguments of calls that log in, fields that are filled, blocks; rows like `carrier_rules`."""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import ALONE, ANYTHING, MIXED, SHOWN, TYPED, row

_USER = r"""["'\x60][\w.@+-]{1,64}["'\x60]"""
_HELD = r"""["'\x60]([^\s"'\x60$<>{}]{4,128})["'\x60]"""
_TEXT = r"""["'\x60][^"'\x60\n]{1,200}["'\x60]|[\w.$>-]{1,60}"""
_WORD = r"(?:passw(?:or)?d|passwd|passphrase|passcode|pwd|passwort|kennwort)"

_GIVEN = (
    r"(?:passw(?:or)?d|passwd|passphrase|pwd|pass|secret|(?:api|secret|private|access)_?key|(?:api|auth|access)_?token)"
)
_SHOWN = r"""(?:"([^\s"]{0,60}[^A-Za-z\s"._-][^\s"]{0,60}|[a-z]{16,64})"|'([^\s']{0,60}[^A-Za-z\s'._-][^\s']{0,60}|[a-z]{16,64})')"""
"""In quotes, and more than a word."""
_TRACED = r"(?:(?:pdo|mysqli|client)->_?_?(?:construct|real_connect|login)|\b(?:imap_open|ssh2_auth_password|ftp_login|ldap_bind))"
"""As a trace of PHP shows them, with their arguments."""

CALLED = (
    row(
        "a call or a declaration that is given one",
        rf"(?:\b|_|with|use){_GIVEN}[({{][ ]?[\"'][^\s\"']{{4}}",
        rf"\b(?:(?:admin|app|client|db|default|mail|my|root|service|smtp|the|user)_|(?:with|use)_?)?{_GIVEN}[({{][ ]?{_SHOWN}[ ]?[)}}]",
        MIXED,
        examples=(
            'builder.user("ann").password("«heron7302»").build();',
            'std::string apikey("«k3Zt$q8WxmPzLr5Y»");',
            'std::string db_password{"«heron7302»"};',
            ".withPassword('«Heron$73»')",
        ),
        left=(
            'form.password("repeat")',
            'getPassword("db1")',
            "has_secret('shop-db')",
            'Password("%s: ")',
            't.password("user.password.label")',
        ),
    ),
    row(
        "a comparison",
        rf"{_GIVEN}[\])]{{0,2}}[ ]?[=!]={{1,2}}[ ]?[\"'][^\s\"']{{4}}|[\"'][ ]?[=!]={{1,2}}[ ]?[\w.$>-]{{0,30}}{_GIVEN}\b",
        rf"{_GIVEN}[\])]{{0,2}} ?[=!]={{1,2}} ?{_SHOWN}|{_SHOWN} ?[=!]={{1,2}} ?[\w.$>-]{{0,30}}?{_GIVEN}\b",
        MIXED,
        examples=(
            'if (password != "«heron7302»") {',
            'if ("«k3Zt$q8WxmPzLr5Y»" == db_pass) {',
            "return user.password === '«Heron!73»';",
        ),
        left=('if (type == "sha256_password")', 'if (password == "")', 'if (field == "user.password1")'),
    ),
    row(
        "a connection and its user",
        rf"\b(?:getconnection|new[ ]pdo|dbi->connect|createconnection)\([^\n]{{0,220}},[ ]?{_USER},[ ]?[\"'\x60][^\s\"'\x60]{{4}}",
        rf"\b(?:getconnection|new pdo|dbi->connect|createconnection)\(\s{{0,8}}(?:{_TEXT})[ ]?,[ ]?{_USER}[ ]?,[ ]?{_HELD}",
        TYPED,
        examples=(
            'DriverManager.getConnection("jdbc:mysql://db/x", "app", "«heron7302»");',
            "$db = new PDO($dsn, 'app', '«mossfern»');",
            'DBI->connect("dbi:mysql:x", "app", "«heron7302»");',
        ),
        left=('DriverManager.getConnection(url, "app", password);', "new PDO($dsn, 'user', 'password');"),
    ),
    row(
        "mysqli",
        rf"\b(?:mysqli?_connect|new[ ]mysqli|pymysql\.connect|mysql\.connect|mysqldb\.connect)\(\s{{0,8}}(?:[\"'\x60][^\"'\x60\n]{{1,80}}[\"'\x60]|[\w.$]{{1,40}}),[ ]?{_USER},[ ]?[\"'][^\s\"']{{4}}",
        rf"\b(?:mysqli?_connect|new mysqli|pymysql\.connect|mysql\.connect|mysqldb\.connect)\(\s{{0,8}}(?:{_TEXT})[ ]?,[ ]?{_USER}[ ]?,[ ]?{_HELD}",
        TYPED,
        examples=('mysqli_connect("db1", "app", "«heron7302»", "x");', "new mysqli('db1', 'app', '«mossfern»', 'x')"),
        left=('mysqli_connect("db1", "app", "", "x");', "mysqli_connect($h, $u, $p, $d);"),
    ),
    row(
        "a call in a trace",
        rf"{_TRACED}\([^\n]{{0,120}}[\"'],[ ]?[\"'][^\s\"']{{4}}",
        rf"{_TRACED}\((?:[^\n,]{{1,80}},[ ]?)??[\"'\x60][\w.@+=-]{{1,64}}[\"'\x60],[ ]?{_HELD}",
        TYPED,
        examples=(
            "#0 /srv/a.php(3): PDO->__construct('mysql:host=db1;d...', 'app', '«heron7302»')\n",
            "#1 ldap_bind(Object(LDAP), 'cn=app', '«mossfern»')\n",
        ),
        left=(
            "#0 PDO->__construct('mysql:host=db1', 'app', Object(SensitiveParameterValue))",
            "ldap_bind($link, 'cn=app', 'password')",
        ),
    ),
    row(
        "basic authentication",
        rf"\b(?:setbasicauth|basic_?auth|withbasicauth|httpbasicauth)\(\s{{0,8}}{_USER},[ ]?(?:some\()?[\"'\x60][^\s\"'\x60]{{4}}",
        rf"\b(?:setbasicauth|basic_?auth|withbasicauth|httpbasicauth)\(\s{{0,8}}{_USER},[ ]?(?:some\()?{_HELD}",
        SHOWN,
        examples=('req.SetBasicAuth("ann", "«heron7302»")', 'c.get(u).basic_auth("ann", Some("«Heron!73»"))'),
        left=('req.SetBasicAuth("user", "password")', "req.SetBasicAuth(user, pass)"),
    ),
    row(
        "a field that is filled",
        rf"{_WORD}[\"'\])\w -]{{0,12}}(?:,[ ]?|\)?\.(?:type|fill|send_?keys|settext|setvalue|sendkeys|input|clear\(\)\.type)\([ ]?)[\"'\x60][^\s\"'\x60]{{4}}",
        rf"(?:\.(?:fill|type|settext|setvalue|typetext|send_keys)\([ ]?[\"'\x60][^,\n]{{0,60}}{_WORD}[\w\]\"' -]{{0,8}}[\"'\x60],[ ]?|{_WORD}[\w\]\"' -]{{0,8}}[\"'\x60]\){{1,2}}\.(?:type|fill|send_?keys|settext|setvalue|sendkeys|input)\([ ]?){_HELD}",
        SHOWN,
        examples=(
            "page.fill('#user_password', '«heron7302»')",
            'driver.find_element(By.ID, "password").send_keys("«heron7302»")',
            "cy.get('input[name=password]').type('«Heron!73»')",
        ),
        left=(
            "page.fill('#password', password)",
            "page.fill('#password', 'wrong-password')",
            "cy.get('#password').type('password')",
        ),
    ),
    row(
        "sent after a prompt",
        r"\bexpect(?:_exact|\w{0,8})?\([^\n]{0,40}(?:assword|assphrase)[^\n]{0,20}\)[;\s]{0,8}[\w.$]{1,24}[.>-]{1,2}send(?:line)?\([ ]?[\"'][^\s\"']{4}",
        rf"\bexpect(?:_exact|\w{{0,8}})?\([^\n]{{0,40}}(?:assword|assphrase)[^\n]{{0,20}}\)[;\s]{{0,8}}[\w.$]{{1,24}}[.>-]{{1,2}}send(?:line)?\([ ]?{_HELD}",
        TYPED,
        examples=("child.expect('password:')\nchild.sendline('«heron7302»')\n",),
        left=("child.expect('password:')\nchild.sendline(pw)\n",),
    ),
    row(
        "a remark that says so",
        rf"=[ ]?[\"'][^\s\"']{{4,64}}[\"'];?[ ]{{1,4}}(?:#|//)[ ][^\n]{{0,24}}\b{_WORD}\b",
        rf"=[ ]?[\"']([^\s\"'<>{{}}$]{{4,64}})[\"'];?[ ]{{1,4}}(?:#|//)[ ](?:the |my |our |its )?(?:\w{{2,12}} ){{0,2}}{_WORD}{ALONE}",
        SHOWN,
        examples=('x = "«heron7302»"  # mail password\n', "const a = '«Heron!73»'; // the admin password\n"),
        left=('x = "heron7302"  # no password here\n', 'mode = "sha256"  # hash of the password\n'),
    ),
)

BLOCKS = (
    row(
        "a variable of Terraform",
        rf"\bvariable[ ]\"\w{{0,40}}{_WORD}\w{{0,20}}\"[ ]?\{{[^}}]{{0,300}}\bdefault[ \t]{{0,12}}=[ \t]{{0,4}}\"[^\s\"]{{4}}",
        rf"\bvariable \"\w{{0,40}}?{_WORD}\w{{0,20}}\" ?\{{[^}}]{{0,300}}?\bdefault[ \t]{{0,12}}=[ \t]{{0,4}}\"([^\s\"$]{{4,128}})\"",
        TYPED,
        examples=('variable "mail_password" {\n  type    = string\n  default = "«heron7302»"\n}',),
        left=('variable "mail_password" {\n  type = string\n  default = ""\n}',),
    ),
    row(
        "HAProxy",
        r"\binsecure-password[ ]{1,4}\S{4}|\bstats[ ]auth[ ]\w{1,40}:\S{4}",
        r"\binsecure-password +([^\s\"']{4,128})|\bstats auth [\w.-]{1,40}:([^\s\"']{4,128})",
        TYPED,
        examples=("  user ann insecure-password «heron7302»\n", "  stats auth ops:«mossfern»\n"),
        left=("  stats auth user:password\n",),
    ),
    row(
        "a data source of Go",
        r"@(?:tcp|unix)\(",
        r"(?:^|[\s\"'\x60=])[\w.-]{1,40}:([^\s\"'\x60@/{}$%]{4,64})@(?:tcp|unix)\(",
        TYPED,
        examples=('sql.Open("mysql", "app:«heron7302»@tcp(db:3306)/x")',),
        left=('dsn := "user:password@tcp(localhost:5555)/dbname"', '"%s:%s@tcp(%s)/x"'),
    ),
    row(
        "keys and salts of WordPress",
        r"\bdefine\([ ]?[\"'](?:(?:secure_)?auth|logged_in|nonce)_(?:key|salt)[\"'],[ ]{0,12}[\"'][^\n]{20}",
        r"\bdefine\( ?[\"'](?:(?:secure_)?auth|logged_in|nonce)_(?:key|salt)[\"'],[ ]{0,12}(?:'([^'\n]{20,128})'|\"([^\"\n]{20,128})\") ?\)",
        ANYTHING,
        examples=("define('LOGGED_IN_KEY', '«k3|Zt@q$~W8x!mPz)Lr^5Yv&7sQ}0hG»');",),
        left=("define('AUTH_KEY', 'put your unique phrase here');",),
    ),
)

CALLS = (*CALLED, *BLOCKS)
