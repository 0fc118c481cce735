# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Passwords in XML and HTML: elements named so, and tags between the word and the value; rows like `carrier_rules`.

Lines that begin with a tag look like a program's to other rules. An element that is called password holds one.
"""

from __future__ import annotations

from baton.adapters.redaction.carrier_rules import MIXED, SHOWN, TYPED, row

_NAME = r"(?:passw(?:or)?d|passwd|pwd|passphrase|passwort|kennwort|secret|pass)"
_MIXED = r"[^\s<>&{}$]{0,60}[0-9!@#%^*?+][^\s<>&{}]{0,60}"
_ATTRIBUTE = r"[^\s<>&{}$\"'][^\s<\"']{0,60}[0-9!@#%^*?+][^\s<\"']{0,60}"
_ELEMENT = rf"<(?: ?[\w:.-]{{0,40}}{_NAME}\w{{0,12}}| ?\w[\w:.-]{{0,24}} [^<>\n]{{0,40}}name ?= ?[\"'][\w.:-]{{0,60}}{_NAME}\w{{0,12}}[\"']) ?>"
_CLOSED = r"[ \t]{0,4}(?:</|<!--)"
_LABEL = (
    r"(?:passw(?:or)?d|passwd|passphrase|passcode|pwd|passwort|kennwort|contrase\S{1,2}a|senha|mot de passe|wachtwoord)"
)
_TAG = r"<(?:b|strong|code|em|i|u|span|tt|kbd|mark|pre|font|td|dd|p|div|br)\b[^<>\n]{0,60}>"

_IS = r"(?:is|was|lautet|ist|est|es|\xc3\xa8|\xc3\xa9)"
_SHOWN_IN = r"<(?:b|strong|code|tt|kbd|mark|pre|samp)\b[^<>\n]{0,60}>"
_CAMEL = r"(?-i:[a-z]+[A-Z][A-Za-z]{1,40}|[A-Z][a-z]+[A-Z][A-Za-z]{1,40}|[a-z]{5,32})"
_USER = r"(?:user(?:name)?|userid|user-id|login|account|benutzer(?:name)?|utilisateur|usuario)"

MARKUP = (
    row(
        "an element called password",
        rf"<[\w:.-]{{0,40}}{_NAME}>[^\s<>{{}}$]{{4}}",
        rf"<[\w:.-]{{0,40}}{_NAME}>(?:({_MIXED})|((?-i:[a-z]{{5,32}}))){_CLOSED}",
        TYPED,
        examples=(
            "<settings>\n  <server>\n    <id>repo</id>\n    <password>«kestrel5521»</password>\n",
            "<a>x</a>\n<dbPassword>«kestrel»</dbPassword>\n",
            "<a>\n<b>\n<pwd>«Kestrel77»</pwd>",
        ),
        left=(
            "<a>\n<b>\n<password>string</password>",
            "<a>\n<b>\n<password>${db.password}</password>",
            "<Form>\n<Row>\n<Password>Kennwort</Password>",
            "<a>\n<b>\n<secret>{{ shop.secret1 }}</secret>",
        ),
    ),
    row(
        "an element called password with a sign of markup",
        rf"{_ELEMENT}[ \t]{{0,4}}[^\s<>{{}}$][^\s<>]{{0,60}}>".replace(" ?", "[ ]?"),
        rf"{_ELEMENT}[ \t]{{0,4}}([^\s<>&{{}}$][^\s<>]{{0,60}}>[^\s<]{{0,60}})[ \t]{{0,4}}</",
        MIXED,
        examples=(
            "<password>«Xk9mQ2v>Lp7wR4t»</password>",
            '<sometag name="the_password"> «Xk9mQ2v>Lp7wR4t» </sometag>',
        ),
        left=("<password>a</b>", "<pass><b>bold</b></pass>"),
    ),
    row(
        "the value within an element called password",
        rf"<[\w:.-]{{0,40}}{_NAME}>\s{{1,24}}<[\w:.-]{{0,24}}(?:value|text|string)>[^\s<>{{}}$]{{4}}",
        rf"<[\w:.-]{{0,40}}{_NAME}>\s{{1,24}}<[\w:.-]{{0,24}}(?:value|text|string)>([^\s<>&{{}}$]{{4,128}})</",
        TYPED,
        examples=(
            "<AdministratorPassword>\n  <Value>«Kestrel77»</Value>\n  <PlainText>true</PlainText>\n",
            "<a:password>\n<a:value>«mossfern»</a:value>\n</a:password>\n",
        ),
        left=("<password>\n  <value>string</value>\n</password>\n", "<password>\n<type>mossfern</type>\n"),
    ),
    row(
        "the value of an element called password",
        rf"<[ ]?[\w:.-]{{0,40}}{_NAME}\w{{0,12}}[ ][^<>\n]{{0,40}}\bvalue[ ]?=[ ]?[\"'][^\s\"'$]{{4}}",
        rf"< ?[\w:.-]{{0,40}}{_NAME}\w{{0,12}} [^<>\n]{{0,40}}?\bvalue ?= ?(?:\"({_ATTRIBUTE})\"|'({_ATTRIBUTE})')",
        MIXED,
        examples=('<db_password value="«kestrel5521»"/>\n', "<dbPassword name='x' value='«Kestrel!55»'></dbPassword>"),
        left=('<db_password value="${DB_PASSWORD}"/>', '<password value="required"/>', "<db-password value='string'/>"),
    ),
    row(
        "a value before its name",
        rf"\bvalue[ ]?=[ ]?[\"'][^\s\"'$][^\"'\n]{{3,80}}[\"'][ ][^<>\n]{{0,40}}(?:name|key|id)[ ]?=[ ]?[\"'][\w.:-]{{0,60}}{_NAME}\w{{0,12}}[\"']",
        rf"\bvalue ?= ?(?:\"({_ATTRIBUTE})\"|'({_ATTRIBUTE})') [^<>\n]{{0,40}}?\b(?:name|key|id) ?= ?[\"'][\w.:-]{{0,60}}{_NAME}\w{{0,12}}[\"']",
        MIXED,
        examples=(
            '<sometag value="«kestrel5521»" name="the_password"/>',
            "<add value='«Kes{trel!5»' key='smtp.pwd' />",
        ),
        left=('<input value="Log in" name="password">', '<add value="${PW1}" name="password"/>'),
    ),
    row(
        "an element called password after one called user",
        rf"</(?:[\w.-]{{0,20}}:)?{_USER}>\s{{0,40}}<(?:[\w.-]{{0,20}}:)?{_NAME}>[A-Za-z]{{5}}",
        rf"</(?:[\w.-]{{0,20}}:)?{_USER}>\s{{0,40}}<(?:[\w.-]{{0,20}}:)?{_NAME}>({_CAMEL}){_CLOSED}",
        TYPED,
        examples=("<username>ci</username>\n<password>«kestrelNest»</password>\n",),
        left=(
            "<username>ci</username>\n<password>string</password>\n",
            "<username>Benutzername</username>\n<password>Kennwort</password>\n",
            "<user>bob</user>\n<password>yourPassword</password>\n",
        ),
    ),
    row(
        "a property called password",
        rf"<(?:property|param|parameter|entry|setting|prop|item|arg|constructor-arg|init-param|cfg:\w{{1,16}})[ ][^<>\n]{{0,40}}(?:name|key)=[\"'][\w.:-]{{0,60}}{_NAME}[\"'][^<>\n]{{0,40}}>[^\s<>]{{4}}",
        rf"<(?:property|param|parameter|entry|setting|prop|item|arg|constructor-arg|init-param|cfg:\w{{1,16}})[ ][^<>\n]{{0,40}}?(?:name|key)=[\"'][\w.:-]{{0,60}}?{_NAME}[\"'][^<>\n]{{0,40}}>(?:({_MIXED})|((?-i:[a-z]{{5,32}}))){_CLOSED}",
        TYPED,
        examples=(
            '<property name="x.user">app</property>\n<property name="x.connection.password">«kestrel5521»</property>\n',
            '<a>\n<b>\n<entry key="smtp.pwd">«kestrel»</entry>',
        ),
        left=(
            '<a>\n<b>\n<property name="password">string</property>',
            '<a>\n<b>\n<param name="password">required</param>',
        ),
    ),
    row(
        "a tag between the word and the password",
        rf"{_LABEL}[ ]?(?:</\w{{1,10}}>)?[ ]?:?[ ]?(?:</\w{{1,10}}>)?\s{{0,4}}(?:{_TAG}|&nbsp;)[^\n]{{4}}",
        rf"\b{_LABEL} ?(?::(?:</\w{{1,10}}>){{0,2}}|</\w{{1,10}}> ?:?)\s{{0,4}}(?:(?:{_TAG}|&nbsp;)[ \t]{{0,2}}\n?[ \t]{{0,8}}){{1,3}}({_MIXED})[ \t]{{0,2}}(?:<|\r?\n|$)",
        SHOWN,
        examples=(
            "<p>Your new password: <strong>«kestrel5521»</strong></p><p>Regards</p>",
            "<b>Kennwort</b>: <code>«kestrel5521»</code><br>Raum 12",
            "Passwort:<br>«kestrel5521»<br>",
            "<p>Password:&nbsp;«kestrel5521»</p>",
            "<td>Password:</td><td><b>«kestrel5521»</b></td>",
        ),
        left=(
            "<p>Password: <b>must</b> have 8 letters</p>",
            "<td>Password</td><td>Varchar2</td>",
            "<p>Password: <code>base64</code></p>",
            "Password: <b>required!</b>",
            "<label>Password</label><span>Forgot it?</span>",
        ),
    ),
    row(
        "a tag after the verb",
        rf"\b{_LABEL}[ ]{_IS}:?[ ]{_SHOWN_IN}[^\s<>]{{4}}",
        rf"\b{_LABEL} {_IS}:? {_SHOWN_IN}([^\s<>&{{}}$]{{4,60}})</\w{{1,10}}>(?:[.,;:!)<\r\n]|$)",
        TYPED,
        examples=(
            "Password is <b>«kestrel5521»</b>, login is bob",
            "<p>The password is <code>«kestrelNest»</code></p>",
        ),
        left=(
            "<p>Password is <b>required</b></p>",
            "<p>The password is <b>never</b> stored</p>",
            "the password is <code>hashed</code>.",
        ),
    ),
    row(
        "a cell after the word, below one of the user",
        rf"<(?:td|th|dt)\b[^<>\n]{{0,40}}>{_LABEL}:?</(?:td|th|dt)>",
        rf"<(?:td|th|dt)\b[^<>\n]{{0,40}}>{_USER}:?</(?:td|th|dt)>\s{{0,8}}<(?:td|dd)\b[^<>\n]{{0,40}}>[^<>\n]{{1,60}}</(?:td|dd)>\s{{0,8}}(?:</tr>\s{{0,8}}<tr[^<>\n]{{0,40}}>\s{{0,8}})?<(?:td|th|dt)\b[^<>\n]{{0,40}}>{_LABEL}:?</(?:td|th|dt)>\s{{0,8}}<(?:td|dd)\b[^<>\n]{{0,40}}>([^\s<>&{{}}$]{{4,60}})</(?:td|dd)>",
        TYPED,
        examples=("<tr><td>User</td><td>bob</td></tr><tr><td>Password</td><td>«kestrel»</td></tr>",),
        left=("<tr><td>User</td><td>string</td></tr><tr><td>Password</td><td>string</td></tr>",),
    ),
    row(
        "a pair in bold",
        r"\*\*[\w.@-]{2,32}\*\*[ ]?[/:|][ ]?\*\*[^\s*]{5}",
        r"\*\*[\w.@-]{2,32}\*\* ?[/:|] ?\*\*([^\s*<>|]{5,60})\*\*",
        SHOWN,
        prose=True,
        examples=("**admin** / **«Kestrel5521»** for the switch", "Login: **bob** / **«kestrel!nest»**"),
        left=("**GET** / **POST2**", "**input** / **output**", "**v1.2.0** / **v1.3.0**", "**left** / **right!**"),
    ),
    row(
        "a password in a paragraph",
        rf">[^<>\n]{{0,40}}{_LABEL}[ ]?(?:is|lautet|=|:)[: ]{{0,2}}[^\s<>]{{4,64}}</",
        rf">[^<>\n]{{0,40}}\b{_LABEL} ?(?:is|lautet|=|:)[: ]{{0,2}}({_MIXED})\.?</",
        SHOWN,
        examples=("<html><body>\n<p>Your password: «kestrel5521»</p>\n</body>",),
        left=("<html><body>\n<p>Your password: required!</p>\n</body>", "<div>\n<p>Password: {{pw1}}</p>\n</div>"),
    ),
    row(
        "a row with a bar",
        rf"(?:^|\n)\|?[ \t]{{0,4}}{_LABEL}[ \t]{{0,20}}\|[ \t]{{0,20}}[^\s|]{{4}}",
        rf"(?:^|\n)\|?[ \t]{{0,4}}{_LABEL}[ \t]{{0,20}}\|[ \t]{{0,20}}([^\s|<>]{{0,60}}[0-9!@#%^*?+][^\s|<>]{{0,60}})[ \t]{{0,20}}\|?[ \t]*(?:\r?\n|$)",
        SHOWN,
        prose=True,
        examples=("Password | «kestrel5521»\nHost | web1\n", "| Passwort | «Kestrel!55» |\n| Host | web1 |\n"),
        left=("Password | Email2\n", "| password | sha256 |\n", "password | required\n"),
    ),
)
