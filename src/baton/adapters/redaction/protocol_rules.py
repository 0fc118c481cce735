# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Passwords at their place in a protocol, a tool's findings, a device's settings or a command: rows like `carrier_rules`."""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import ALONE, ANYTHING, MIXED, PLACED, SHELL_WORD, TYPED, WORD, row

_SAID = r"(?:^|\n)(?:[CS>]:? |[<>]{1,3} |\[?[0-9:.]{5,15}\]? )?[ \t]{0,4}"
_ENCODED = r"((?-i:[A-Z]{0,8}[a-z0-9+/])[A-Za-z0-9+/]{6,}={0,2})"
_DIGEST = r"(?:md5|sha|sha1|hmac-[\w-]{3,12})"

WIRE = (
    row(
        "PASS of FTP and POP",
        r"(?:^|\n)[^\n]{0,24}\bpass[ ][^\s]{3,64}[ \t]{0,4}(?:\r?\n|$)",
        rf"{_SAID}(?-i:USER )[^\n]{{1,80}}\n(?:[^\n]{{0,120}}\n){{0,2}}(?:[CS>]:? |[<>]{{1,3}} )?(?-i:PASS )([^\s]{{3,128}}){ALONE}",
        ANYTHING,
        examples=("USER ann\n331 go on\nPASS «heron»\n230 ok\n", "C: USER ann\nS: +OK\nC: PASS «Heron!73»\n"),
        left=("PASS test_login\nPASS test_logout\n", "USER ann\nPASS $PW\n"),
    ),
    row(
        "AUTH PLAIN",
        r"\bauth(?:enticate)?[ ]plain[ ][A-Za-z0-9+/]{7}",
        rf"\bauth(?:enticate)? plain {_ENCODED}{ALONE}",
        ANYTHING,
        examples=("C: AUTH PLAIN «AGFubgBoZXJvbjczMDI=»\n", "a1 AUTHENTICATE PLAIN «AGFubgBoZXJvbjczMDI=»"),
        left=("250 AUTH PLAIN LOGIN CRAM-MD5\n", "250-AUTH PLAIN OAUTHBEARER\n"),
    ),
    row(
        "AUTH LOGIN, its answer",
        r"334[ ]UGFzc3dvcmQ6[ \t]{0,2}\r?\n[^\n]{7}",
        rf"334 UGFzc3dvcmQ6[ \t]{{0,2}}\r?\n(?:[CS>]:? |[<>]{{1,3}} )?{_ENCODED}{ALONE}",
        ANYTHING,
        examples=("S: 334 UGFzc3dvcmQ6\nC: «aGVyb243MzAy»\n",),
    ),
    row(
        "the PIN in a link of a smart card",
        r"[;?&]pin-value=[^\s;&]{3}",
        r"[;?&]pin-value=([^\s;&?\"'<>]{3,64})",
        PLACED,
        examples=(
            "pkcs11:token=otter-test;serial=0123456789?pin-value=«4417»",
            "yubikey:slot-id=9c?pin-value=«482913»",
        ),
        left=("pkcs11:token=otter-test?pin-source=/run/pin.txt", "yubikey:slot-id=9c?pin-value=${PIN}"),
    ),
    row(
        "LOGIN of IMAP",
        r"(?:^|\n)[^\n]{0,8}\b[a-z]{1,4}[0-9]{1,5}[ ]login[ ][^\n]{1,80}[ ][^\n]{3}",
        rf"{_SAID}[a-z]{{1,4}}[0-9]{{1,5}} login (?:\"[^\"\n]{{1,80}}\"|[^\s\"]{{1,80}}) \"([^\"\n]{{3,128}})\"{ALONE}|{_SAID}[a-z]{{1,4}}[0-9]{{1,5}} (?-i:LOGIN) [^\s\"]{{1,80}} ([^\s\"]{{3,128}}){ALONE}",
        ANYTHING,
        examples=("a1 LOGIN ann «heron»\na1 OK\n", 'C: A003 login "ann@x.example" "«moss fern 4»"\n'),
        left=("a1 OK LOGIN completed\n", "v2 login page works\n"),
    ),
    row(
        "AUTH at a prompt of Redis",
        r"[0-9a-z]:[0-9]{2,5}(?:\[[0-9]{1,2}\])?>[ ]auth[ ][^\n]{3}",
        rf"[0-9a-z]:[0-9]{{2,5}}(?:\[[0-9]{{1,2}}\])?> auth (?:[\w-]{{1,40}} )?{SHELL_WORD}{ALONE}",
        ANYTHING,
        examples=("127.0.0.1:6379> AUTH «heron»\nOK\n", "cache:6379[1]> auth ann «moss-fern»\n"),
    ),
    row(
        "valid credentials",
        r":[^\s:]{3,64}[ \t]{1,3}(?:-|=>)[ \t]{1,3}valid[ ]cred|\bsuccess(?:ful)?:[ ][\"'][^\s\"']{3}",
        r"[\w.\\@-]{1,64}:([^\s:]{3,64})[ \t]{1,3}(?:-|=>)[ \t]{1,3}valid cred|\[\+\][^\n]{0,80}success(?:ful)?: [\"'](?:[\w.-]{1,40}\\)?[\w.@-]{1,40}:([^\"'\n]{3,128})[\"']",
        ANYTHING,
        examples=(
            "|     ann:«heron73» - Valid credentials\n",
            "[+] 10.2.3.4:445 - Success: 'SHOP\\ann:«Heron!73»' Administrator\n",
        ),
        left=("|_  Statistics: Performed 204 guesses - Valid credentials\n",),
    ),
    row(
        "a cookie given to curl",
        r"(?:(?:^|\s)-b|--cookie)[ =][\"']?[\w-]{1,40}=[^\n]{6}",
        r"\bcurl\b[^\n]{0,200}?(?: -b|--cookie)[ =][\"']?(?:[\w-]{1,40}=[^;\s\"']{0,60}; ?){0,4}?[\w-]{0,20}(?:sess(?:ion)?|sid|auth|token|jwt|login|remember)[\w-]{0,20}=([^;\s\"']{6,512})"
        r"|(?:^|\n)[ \t]{0,8}(?:-b|--cookie) [\"'](?:[\w-]{1,40}=[^;\s\"']{0,60}; ?){0,4}?[\w-]{0,20}(?:sess(?:ion)?|sid|auth|token|jwt|login|remember)[\w-]{0,20}=([^;\s\"']{6,512})",
        WORD,
        examples=("curl -b 'lang=en; app_sess=«q8W7e6R5t4»; tz=x' https://x.example", "-b 'sid=«q8W7e6R5t4»'"),
        left=("curl -b cookies.txt https://x.example", "curl -b 'theme=midnight' https://x.example"),
    ),
    row(
        "a mark against forgery",
        r"(?:^|[&?\n\"'>])(?:_?csrf(?:_?token)?|csrfmiddlewaretoken|xsrf(?:_?token)?|authenticity_token|__requestverificationtoken)=[^&\s]{8}",
        r"(?:^|[&?\n\"'>])(?:_?csrf(?:_?token)?|csrfmiddlewaretoken|xsrf(?:_?token)?|authenticity_token|__requestverificationtoken)=([\w%+/=.-]{12,256}?)(?:[&\s\"'<]|$)",
        ANYTHING,
        examples=("lang=en&csrf=«3f2a9c7d3f2a9c7d3f2a9c7d3f2a9c71»&user=ann",),
        left=("csrf=disabled&x=1",),
    ),
)

NETWORK = (
    row(
        "a key of a routing protocol",
        rf"\b(?:message-digest-key[ ][0-9]{{1,3}}[ ]{_DIGEST}|authentication-key|(?:ospf|eigrp|isis|rip|vrrp|hsrp|ntp)[ ][^\n]{{0,40}}\bkey)[ ]\S{{4}}",
        rf"\b(?:message-digest-key [0-9]{{1,3}} {_DIGEST}|(?:ospf|isis|rip|ntp|bgp)[^\n]{{0,40}} authentication-key(?: [0-9]{{1,5}} {_DIGEST})?) (?:[07] )?\"?([^\s\"]{{4,128}})",
        ANYTHING,
        examples=(" ip ospf message-digest-key 1 md5 «heron»\n", " ip ospf authentication-key 7 «0822455D0A16»\n"),
        left=(" ip ospf authentication message-digest\n",),
    ),
    row(
        "a scrambled key of a device",
        r"\b(?:key|key-string|password|secret|pac[ ]key)[ ]7[ ][0-9A-F]{8}",
        rf"\b(?:key|key-string|password|secret) 7 ([0-9A-F]{{8,128}}){ALONE}",
        ANYTHING,
        examples=("tacacs server T\n key 7 «0822455D0A16544541»\n", "username ann password 7 «094F471A1A0A»\n"),
        left=(" key 7\n  send-lifetime local 1\n",),
    ),
    row(
        "any password of a user of a device",
        r"(?:^|\n)[ \t]{0,4}(?:set[ ][\w ]{0,40})?username[ ]\S{1,40}[^\n]{0,40}[ ](?:secret|password)[ ][05][ ]\S{3}",
        rf"(?:^|\n)[ \t]{{0,4}}username \S{{1,40}}(?: [a-z-]{{3,12}} \S{{1,12}}){{0,2}} (?:secret|password) [05] (\S{{3,128}}){ALONE}",
        ANYTHING,
        examples=("username ann privilege 15 password 0 «tokenHeron!»\n",),
    ),
    row(
        "a key shared by two ends",
        r"\b(?:pre-shared-key|isakmp[ ]key|preshared-key|psksecret|ppp[ ](?:chap|pap)[ ][^\n]{0,40}password)[ ]\S{4}",
        rf"\b(?:pre-shared-key(?: ascii-text| hexadecimal| local| remote)?|isakmp key(?: [06])?|psksecret|ppp (?:chap|pap sent-username \S{{1,40}}) password(?: [07])?) {SHELL_WORD}",
        ANYTHING,
        examples=(
            'set security ike policy p pre-shared-key ascii-text "«mossfern»"',
            "crypto isakmp key «heron73» address 10.0.0.1",
        ),
        left=("authentication pre-share\n", "pre-shared-key is required"),
        near=r"key[ ](?!is |was |must |and |or )|password|psksecret",
    ),
    row(
        "a key of a wireless network",
        r"\boption[ \t]{1,4}(?:key[0-9]?|password|auth_secret|sae_password)[ \t]{1,4}[\"'][^\"'\n]{5}|\bwifi-iface\[[0-9]{1,2}\]\.key=",
        r"(?:\bwifi-iface\b|\bssid\b|\bencryption\b|\binterface\b|\bproto\b)[^\x00]{0,300}?\boption[ \t]{1,4}(?:key[0-9]?|password|auth_secret|sae_password)[ \t]{1,4}[\"']([^\"'\n]{5,64})[\"']"
        rf"|\bwifi-iface\[[0-9]{{1,2}}\]\.key={SHELL_WORD}",
        ANYTHING,
        examples=(
            "config wifi-iface 'x'\n\toption ssid 'loft'\n\toption key '«moss-fern-8»'\n",
            "uci set wireless.@wifi-iface[0].key='«mossfern»'",
        ),
        left=("config rule\n\toption key 'forwarding'\n",),
    ),
    row(
        "a join of a module for wireless",
        r"\bat\+cw(?:jap|sap)[\w_]{0,6}=\"[^\"\n]{1,40}\",\"",
        r"\bat\+cw(?:jap|sap)[\w_]{0,6}=\"[^\"\n]{1,40}\",\"([^\"\n]{4,64})\"",
        ANYTHING,
        examples=('AT+CWJAP="Loft","«mossfern»"',),
    ),
    row(
        "secrets of PPP",
        r"(?:^|\n)#[^\n]{0,20}\bclient\b[^\n]{0,12}\bserver\b[^\n]{0,12}\bsecret\b[^\n]{0,40}\n[^\n]{0,80}\S",
        r"\n[ \t]{0,4}[\"']?[\w.@*\\-]{1,64}[\"']?[ \t]+[\"']?[\w.*-]{1,64}[\"']?[ \t]+(?:\"([^\"\n]{3,128})\"|([^\s\"#]{3,128}))[ \t]*(?:[*0-9\n]|$)",
        ANYTHING,
        examples=("# client server secret IP addresses\nann pptpd «heron73» *\n",),
    ),
    row(
        "versions of SNMP",
        r"\bsnmp\w{2,12}\b[^\n]{0,80}[ ]-[cAX][ ]\S{4}",
        rf"\bsnmp\w{{2,12}}\b[^\n]{{0,60}}? (?-i:-c) {SHELL_WORD}|\bsnmp\w{{2,12}}\b[^\n]{{0,80}}? (?-i:-A) {SHELL_WORD}",
        TYPED,
        examples=("snmpwalk -v2c -c «heron73» 10.0.0.1", "snmpget -v3 -u ann -a SHA -A «mossfern» 10.0.0.1"),
        left=("snmpwalk -v2c -c public 10.0.0.1",),
    ),
    row(
        "privacy of SNMP",
        r"\bsnmp\w{2,12}\b[^\n]{0,120}[ ]-X[ ]\S{4}",
        rf"\bsnmp\w{{2,12}}\b[^\n]{{0,120}}? (?-i:-X) {SHELL_WORD}",
        examples=("snmpget -v3 -u ann -x AES -X «mossfern» 10.0.0.1",),
    ),
)

TYPED_IN = (
    row(
        "a task that runs as somebody",
        r"\bschtasks\b[^\n]{0,300}[ ]/rp[ ]\S",
        rf"\bschtasks\b[^\n]{{0,300}}? /rp {SHELL_WORD}",
        ANYTHING,
        examples=("schtasks /create /tn J /ru X\\ann /rp «heron-Moss-3»",),
        left=("schtasks /create /tn J /ru X\\ann /rp *",),
    ),
    row(
        "identified to a service of IRC",
        r"\bnickserv[:]?[ ]{1,3}(?:identify|id|ghost|register)[ ][^\n]{4}",
        rf"\bnickserv:? {{1,3}}(?:identify|id|register) (?:[\w\[\]\\^{{}}|-]{{1,30}} )?([^\s]{{4,64}}){ALONE}",
        ANYTHING,
        examples=("/msg NickServ IDENTIFY «mossfern»\n", "/msg nickserv identify ann «heron73»\n"),
        left=("ask nickserv to identify you\n",),
    ),
    row(
        "rclone's settings",
        r"\brclone[ ]config[ ](?:create|update|password)\b[^\n]{0,200}[ ](?:pass|password|token|client_secret)[ =]",
        rf"\brclone config (?:create|update|password)\b[^\n]{{0,200}}? (?:pass|password2?|token|client_secret)[ =]{SHELL_WORD}",
        ANYTHING,
        examples=("rclone config create nas sftp host n1 user ann pass «heron-5»",),
    ),
    row(
        "a store's password in brackets or words",
        r"\b(?:storepass|keypass|store[ ]password|key[ ]password)[ ][^\s]{4}",
        r"[(,;][ ]?(?:storepass|keypass) ([^\s,;)]{4,64})[,;)]",
        TYPED,
        examples=("open the store (storepass «mossfern»), then go on",),
        left=("give it (storepass required), then go on",),
    ),
    row(
        "below a user in a mail client's file",
        r"\n[ \t]{0,4}user(?:name)?[ \t]{1,12}[^\s]{1,80}[ \t]*\r?\n(?:[a-z_]{2,24}[ \t][^\n]{0,80}\n){0,4}[ \t]{0,4}pass(?:word)?[ \t]{1,12}\S{4}",
        rf"\n[ \t]{{0,4}}user(?:name)?[ \t]{{1,12}}[^\s]{{1,80}}[ \t]*\r?\n(?:[a-z_]{{2,24}}[ \t][^\n]{{0,80}}\n){{0,4}}[ \t]{{0,4}}pass(?:word)?[ \t]{{1,12}}(?:\"([^\"\n]{{4,128}})\"|([^\s\"'][^\s\"]{{3,128}})){ALONE}",
        examples=("host mx1\nuser ann@x.example\npassword «mossfern»\n",),
        left=("the\nuser ann\npassword required\n",),
    ),
    row(
        "net use, the password first",
        r"\bnet[ ]use[ ][^\n]{3,120}[ ]/u(?:ser)?:",
        rf"\bnet use (?:\w:|\*)? ?\\\\[^\s]{{3,80}} {SHELL_WORD} [^\n]{{0,40}}?/u(?:ser)?:",
        ANYTHING,
        examples=("net use Z: \\\\nas\\x «mossfern» /user:SHOP\\ann",),
        left=("net use Z: \\\\nas\\x /persistent:yes /user:SHOP\\ann",),
    ),
    row(
        "a share of an unseal key",
        r"\bvault[ ]operator[ ](?:unseal|rekey|generate-root)[ ][^\n]{8}",
        rf"\bvault operator (?:unseal|rekey|generate-root)(?: -\S{{1,60}}){{0,3}} ([A-Za-z0-9+/=]{{16,128}}){ALONE}",
        MIXED,
        examples=("$ vault operator unseal «kP3x9QzT1mV8b2Nc5Jd7Lf4Hs6Rg0Wya1B2c3D4e5F=»",),
        left=("vault operator unseal -migrate\n",),
    ),
    row(
        "a key of WireGuard, shown",
        r"\bwg[ ]show[ ]\S{1,20}[ ](?:private-key|preshared-keys)[ \t]*\r?\n\S{20}",
        r"\bwg show \S{1,20} private-key[ \t]*\r?\n([A-Za-z0-9+/]{43}=)",
        ANYTHING,
        examples=("# wg show wg0 private-key\n«yAnz5TF+lXXJte14tji3zlMNq+hd2rYUIgJBgB3fBmk=»\n",),
    ),
    row(
        "a key chain that is opened",
        r"\bsecurity[ ](?:unlock-keychain|create-keychain|set-key-partition-list|import)\b[^\n]{0,120}[ ]-[pPk][ ]",
        rf"\bsecurity (?:unlock-keychain|create-keychain)\b[^\n]{{0,120}}? -p {SHELL_WORD}|\bsecurity import\b[^\n]{{0,120}}? (?-i:-P) {SHELL_WORD}|\bsecurity set-key-partition-list\b[^\n]{{0,120}}? -k {SHELL_WORD}",
        ANYTHING,
        examples=('security unlock-keychain -p "«moss fern»" login.keychain',),
        left=('security unlock-keychain -p "$PW" login.keychain',),
    ),
    row(
        "sshpass and mysql, anything in quotes",
        r"\b(?:sshpass[ ]-p[ ]?|(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;]{0,120}[ ]-p)[\"'][^\n\"']{3}",
        r"\b(?:sshpass -p ?|(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;]{0,120}? -p)(?:'([^'\n]{3,128})'|\"([^\"\n]{3,128})\")",
        ANYTHING,
        examples=("sshpass -p '«two herons & a fern»' ssh ann@x", "mysql -u ann -p'«moss; fern»' shop"),
        left=('sshpass -p "$PW" ssh ann@x',),
    ),
    row(
        "a secret of a cluster",
        r"--from-literal[ =][\"']?[\w.-]{1,60}=[\"']?[^\s]",
        r"--from-literal[ =](?:\"[\w.-]{0,40}(?:pass|pw|secret|token|key|cred|auth)[\w.-]{0,20}=([^\"\n]{3,256})\"|'[\w.-]{0,40}(?:pass|pw|secret|token|key|cred|auth)[\w.-]{0,20}=([^'\n]{3,256})'"
        rf"|[\w.-]{{0,40}}(?:pass|pw|secret|token|key|cred|auth)[\w.-]{{0,20}}={SHELL_WORD})",
        ANYTHING,
        examples=("kubectl create secret generic x --from-literal=api-key='«kq92-ab»' --from-literal=user=ann",),
        left=("kubectl create secret generic x --from-literal=password=$PW",),
    ),
    row(
        "settings given to a host of programs",
        r"\b(?:secrets?[ ]set|config:set|env[ ](?:set|add)|variables?[ ]set|vars[ ]set|setenv)[ ][^\n]{0,200}[\w]{0,40}(?:pass|pw|pwd|secret|token|key)\w{0,20}=\S{3}",
        rf"\b(?:secrets? set|config:set|env (?:set|add)|variables? set|vars set)[ ][^\n]{{0,200}}?\b\w{{0,40}}(?:pass(?:word|wd|phrase)?|pw|pwd|secret|token|api_?key)={SHELL_WORD}",
        ANYTHING,
        examples=("fly secrets set SMTP_PASSWORD=«mossfern» HOST=x", "heroku config:set API_TOKEN=«heron73»"),
        left=("fly secrets set SMTP_PASSWORD=$PW",),
    ),
)

KEPT = (
    row(
        "a number called a PIN",
        r"[a-z]_pin[\"']?[ \t]{0,16}[=:][ \t]{0,4}[\"'][0-9]{4,10}[\"']",
        r"[a-z]_pin[\"']?[ \t]{0,16}[=:][ \t]{0,4}[\"']([0-9]{4,10})[\"']",
        PLACED,
        examples=('admin_pin         = "«730214»"\n', "{'card_pin': '«7302»'}"),
        left=("led_pin = 13\n", 'data_pin = "GPIO4"\n'),
    ),
    row(
        "a name of two words and quotes",
        r"(?:^|\n)[ \t]{1,12}[a-z]{2,16}[ ](?:password|passphrase)[ ][\"'][^\"'\n]{4}",
        rf"(?:^|\n)[ \t]{{1,12}}[a-z]{{2,16}} (?:password|passphrase) [\"']([^\"'\n]{{4,64}})[\"']{ALONE}",
        PLACED,
        examples=('esphome:\n  ota password "«heron-Moss»"\n  board: x\n',),
        left=('  the password "password"\n',),
    ),
)

PROTOCOLS = (*WIRE, *NETWORK, *TYPED_IN, *KEPT)
