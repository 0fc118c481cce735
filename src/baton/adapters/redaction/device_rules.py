# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Passwords and communities in the files and commands of networks: SNMP, VPN, radio, relays, telephones, monitoring: rows like `carrier_rules`."""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import ALONE, ANYTHING, QUOTED, SHOWN, TYPED, row

_BARE = r"[^\s\"'\x60<>(){}$,;|/][^\s\"'\x60<>(){}$,;|]{3,63}"
_BYTES = r"0x[0-9a-f]{1,2}(?:[ ]?,\s{0,8}0x[0-9a-f]{1,2}){7,63}"

DEVICES = (
    row(
        "a community of a switch",
        r"\bsnmp(?:-server)?[ ]community[ ][^\n]{4}|\bcheck_snmp![^\n]{0,80}-C[ ]|\bsnmp-server[ ]host[ ][^\n]{0,60}[ ]version[ ]\w{1,2}[ ]\S{3}",
        rf"\bsnmp(?:-server)? community (?:set [^\n]{{0,40}}?\bname=)?(?:{QUOTED}|({_BARE}))(?:\s|$)|\bcheck_snmp![^\n]{{0,80}}?-C ([^\s!]{{3,64}})|\bsnmp-server host [^\n]{{0,60}} version \w{{1,2}} ({_BARE})(?:\s|$)",
        TYPED,
        examples=(
            'set snmp community "«lighthouse-ro»" authorization read-only',
            "snmp-server community «mossfern» RO\n",
            "snmp-server host 10.1.1.50 version 2c «tr4ps0nly»\n",
            "/snmp community set [ find default=yes ] name=«ladder88»\n",
            "    check_command  check_snmp!-C «magpie»!-o 1.3.6.1\n",
        ),
        left=("snmp-server community public RO\n", "the snmp community string is needed"),
    ),
    row(
        "a key of Cisco's PAC",
        r"\bpac[ ]key[ ][067][ ]\S{4}",
        r"\bpac key [067] (\S{4,128})",
        TYPED,
        examples=(" pac key 0 «mossfern»\n", "pac key 7 «0822455D0A16»\n"),
        left=("pac key 7 $KEY\n",),
    ),
    row(
        "a check with a login",
        r"\bcheck_\w{2,20}!?[^\n]{0,120}[ ]-a[ ][\w.@-]{2,32}:[^\s!]{3}",
        r"\bcheck_\w{2,20}!?[^\n]{0,120}? -a [\w.@-]{2,32}:([^\s!\"']{3,64})",
        TYPED,
        examples=("        check_command        check_http!-H web4.example -u /login -a probe:«m4gpie»\n",),
        left=("check_http!-H web4 -a user:$ARG1$\n",),
    ),
    row(
        "a macro of Nagios",
        r"(?:^|\n)\$USER[0-9]{1,3}\$[ ]?=[ ]?[^\s/]{4}",
        rf"(?:^|\n)\$USER[0-9]{{1,3}}\$ ?= ?({_BARE}){ALONE}",
        SHOWN,
        examples=("$USER4$=«Sparrow_on_wire»\n",),
        left=("$USER1$=/usr/lib/nagios/plugins\n", "$USER3$=nagios\n"),
    ),
    row(
        "a key that stands before an exchange",
        r"(?:pre-?shared-?key[ ]?[=:]?|(?:^|[\s;,\x60])psk[ ]?[=:])[ ]?[\"'][^\"'\n]{6}",
        rf"(?:pre-?shared-?key(?: ascii-text)? ?[=:]?|(?:^|[\s;,\x60])psk ?[=:]) ?{QUOTED}",
        ANYTHING,
        examples=(
            'set x authentication-types=wpa2-psk wpa2-pre-shared-key="«orchard gate»"\n',
            '\tssid="Cafe"\n\tpsk="«two flat whites please»"\n',
        ),
        left=('pre-shared-key = "%any"\n', 'psk: "${WIFI_PSK}"\n', 'psk="changeme"\n'),
    ),
    row(
        "who may dial in",
        r":[ \t]{1,8}(?:RSA|ECDSA|P12|XAUTH|EAP|NTLM)[ \t]{1,8}[^\s%]{4}",
        rf"(?:^|\n)[ \t]*(?:[\w.@%*-]{{1,64}}[ \t]+){{0,3}}:[ \t]+(?-i:(?:RSA|ECDSA|P12)[ \t]+[\w./-]{{1,80}}[ \t]+\"([^\"\n]{{3,128}})\"|(?:XAUTH|EAP|NTLM)[ \t]+({_BARE})){ALONE}",
        ANYTHING,
        examples=(': RSA vpn-gw.key "«moss fern 4»"\n', "lisa : XAUTH «qwertz-aber»\n"),
        left=(": RSA vpn-gw.key\n", ": RSA moon.der %prompt\n"),
    ),
    row(
        "bytes of a key",
        r"(?:(?-i:(?:AES|ENC|ENCRYPTION|NETWORK|NWK|SECRET|PRIVATE|MASTER|DEVICE|LINK|HMAC|APP|ROOT)_?KEY)\w{0,8}(?:\[\w{0,16}\])?|(?:network|secret|private|master|device)_key[\"']?)[ ]?[=:][ ]?[\"']?[\[{(][ \n\t]{0,8}0x",
        rf"key\w{{0,8}}[\"']?(?:\[\w{{0,16}}\])? ?[=:] ?[\"']?[\[{{(]\s{{0,8}}({_BYTES})",
        ANYTHING,
        examples=(
            "static const uint8_t AES_KEY[16] = { «0xb3, 0xc5, 0x03, 0xbc, 0x9a, 0x03, 0x3c, 0xb0» };",
            'zha_network_key: "[«0x74, 0xe1, 0x05, 0xa3, 0x26, 0xa9, 0x96, 0xc5»]"',
        ),
        left=("static const uint8_t SBOX[16] = { 0xb3, 0xc5, 0x03, 0xbc, 0x9a, 0x03, 0x3c, 0xb0 };",),
        ahead=600,
    ),
    row(
        "a relay's login",
        r"(?:^|\n)#?\[[\w.:-]{3,64}\](?::[0-9]{1,5})?[ \t]{1,40}[^\s:]{2,64}:\S{3}",
        r"(?:^|\n)#?\[[\w.:-]{3,64}\](?::[0-9]{1,5})?[ \t]+[^\s:]{2,64}:([^\s:/]{3,128})[ \t]*(?:\r?\n|$)",
        TYPED,
        examples=("[mx.alt.example]:25   alt:«schnittlauch»\n", "#[smtp.x.example] joe@x.example:«heron73»\n"),
        left=("[default] user:required\n", "[section] key:value\n"),
    ),
    row(
        "a mailbox that is fetched",
        r"\buser(?:name)?[ ][^\s]{1,64}[ ](?:there[ ])?(?:with[ ])?pass(?:word)?[ ]\S{4}[^\n]{0,64}?(?:[ ](?:is|to|ssl|keep|fetchall)\b|\n)",
        rf"\buser(?:name)? [^\s]{{1,64}} (?:there )?(?:with )?pass(?:word)? (?:{QUOTED}|({_BARE})) (?:is|to|ssl|keep|fetchall)\b",
        TYPED,
        examples=("  user chair pass «geisspeter» is heidi here keep\n", "user joe with password «moss-fern» ssl\n"),
        left=("user accounts with password required is on\n",),
    ),
    row(
        "a password in the clear in a file of users",
        r"\{(?:PLAIN|CLEARTEXT|CLEAR)\}[^\s:]{3}",
        r"\{(?:PLAIN|CLEARTEXT|CLEAR)\}([^\s:\"'{}$]{3,128})",
        ANYTHING,
        examples=("klaus@alt.example:{PLAIN}«stallbursche»:5001:5000::/var/mail/klaus",),
        left=("use {PLAIN} only in tests",),
    ),
    row(
        "who may relay media",
        r"(?:^|\n)user=[\w.@-]{2,32}:[^\s:]{6}",
        rf"(?:^|\n)user=[\w.@-]{{2,32}}:(0x[0-9a-f]{{32}}|[^\s:]{{6,64}}){ALONE}",
        SHOWN,
        examples=("user=guest1:«0xa17c522ae2f5a2b76ab701d09f9f4444»\n", "user=bot:«heron7302x»\n"),
        left=("user=www-data:www-data\n", "user=root:wheel\n"),
    ),
    row(
        "a key of a zone",
        r"\bhmac-(?:md5|sha[0-9]{1,3}):[\w.-]{1,64}:[A-Za-z0-9+/]{16}",
        r"\bhmac-(?:md5|sha[0-9]{1,3}):[\w.-]{1,64}:([A-Za-z0-9+/]{16,128}={0,2})",
        ANYTHING,
        examples=("# nsupdate -y hmac-sha256:dyn-host:«UB5HY8avOzcl7KDhUyZRnV2BDB8eX8oUrLYwg1UP0fo=»\n",),
        left=("hmac-sha256:dyn-host:$KEY\n",),
    ),
    row(
        "a mailbox of a telephone",
        r"(?:^|\n)[0-9]{2,6}[ ]?=>[ ]?[0-9]{4,8},[A-Za-z]",
        r"(?:^|\n)[0-9]{2,6} ?=> ?([0-9]{4,8}),[A-Za-z]",
        ANYTHING,
        examples=("2001 => «7418»,Workshop,shop@joiner.example\n",),
        left=("2001 => Dial,SIP\n", "200 => 404,1\n"),
    ),
    row(
        "a code in settings",
        r"\b(?:alarm|door|gate|lock|disarm|access|unlock|keypad|entry)_?code[\"']?[ ]?[:=][ ]?[\"']?[0-9]{4}",
        r"\b(?:alarm|door|gate|lock|disarm|access|unlock|keypad|entry)_?code[\"']? ?[:=] ?[\"']?([0-9]{4,8})\b",
        ANYTHING,
        examples=("alarm_code: «739214»\n", 'doorCode="«4417»"'),
        left=("unlock_code: ${CODE}\n", "alarm_code: 12\n"),
    ),
    row(
        "who one is on a chat of servers",
        r"(?:\bIDENTIFY[ ]|\bJOIN[ ]#[\w-]{1,40}[ ]|\bMODE[ ]#[\w-]{1,40}[ ]\+k[ ])[^\s:#]{4}",
        rf"\b(?-i:IDENTIFY) (?:[\w\[\]|-]{{1,24}} )?({_BARE})[ \t]*(?:\r?\n|$)|\b(?-i:JOIN) #[\w-]{{1,40}} ({_BARE}){ALONE}|\b(?-i:MODE) #[\w-]{{1,40}} \+k ({_BARE}){ALONE}",
        TYPED,
        examples=(
            "PRIVMSG NickServ :IDENTIFY kestrel42 «feather.and.bone»\n",
            "JOIN #retro «vhs-tapes»\nMODE #retro +k «vhs-tapes»\n",
        ),
        left=(
            "JOIN #retro\n",
            ":bot!x@y JOIN #retro :hi\n",
            "IDENTIFY required\n",
            "the name is used to identify Patterns\n",
        ),
    ),
    row(
        "a desktop far away",
        r"\b(?:xfreerdp|mstsc|rdesktop|transmission-remote)\b[^\n]{0,160}[ ](?:/p:|-p[ ]|-n[ ][\w.-]{1,32}:)[^\s]{3}",
        rf"\b(?:xfreerdp|mstsc|rdesktop|transmission-remote)\b[^\n]{{0,160}}? (?:/p:|-p |-n [\w.-]{{1,32}}:)(?:{QUOTED}|({_BARE}))",
        ANYTHING,
        examples=(
            "$ xfreerdp /v:10.60.1.20 /u:desk /p:'«Key-card 214»' /cert-ignore\n",
            "$ transmission-remote 192.168.1.12:9091 -n seedbox:«popcorn-night» -l\n",
        ),
        left=("xfreerdp /v:10.0.0.1 /u:desk /p:$PW\n",),
    ),
    row(
        "what a client and its server share",
        r"\n[ \t]{1,12}secret[ ]{0,8}=[ ]{0,8}[^\s\"'(){}]{4,64}[ \t]*\r?\n",
        r"\n[ \t]{1,12}secret {0,8}= {0,8}([^\s\"'(){}$;]{4,64})[ \t]*\r?\n",
        TYPED,
        examples=("client lan {\n\tipaddr = 10.0.0.0/24\n\tsecret = «heron73»\n}\n",),
        left=("fn a() {\n    x();\n    secret = value2\n}\n",),
        near=r"\n[ \t]{1,12}(?:ipv?[46]?_?addr|nas_?type|nastype|shortname|proto)[ \t]*=",
    ),
    row(
        "a login for a share",
        r"(?:^|\n)https?://[^\s]{4,120}[ \t]{1,20}[\w.@-]{2,40}[ \t]{1,20}\S{4}",
        rf"(?:^|\n)https?://[^\s]{{4,120}}[ \t]+[\w.@-]{{2,40}}[ \t]+(?:{QUOTED}|([^\s\"']{{1,40}}[0-9!#$%&*+?@^~][^\s\"']{{0,40}})){ALONE}",
        SHOWN,
        examples=('https://dav.hotel.example/remote.php/webdav concierge "«minibar&ice7»"\n',),
        left=("https://x.example/a GET 200\n", "https://x.example/v2 main v1.2.0\n"),
    ),
)
