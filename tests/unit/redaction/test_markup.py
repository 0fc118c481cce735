"""XML and HTML over several lines: an element named so holds a password, and so does the tag after the word."""

from __future__ import annotations

import pytest

from baton.ports.redactor import Redactor

HELD = ("heron7302", "HeronMoss61", "q?7Tz!pw", "Heron5519!")
FORMS = (
    "<servers>\n  <server>\n    <id>x</id>\n    <password>{0}</password>\n  </server>\n</servers>",
    "<ldap>\n  <host>db</host>\n  <bindPassword>{0}</bindPassword>\n</ldap>",
    '<bean>\n  <property name="url">x</property>\n  <property name="jdbc.password">{0}</property>\n</bean>',
    '<appSettings>\n  <add key="a" value="b"/>\n  <add key="MailPassword" value="{0}"/>\n</appSettings>',
    "<div>\n<p>Your temporary password: {0}</p>\n</div>",
    "<div>\n<p>Passwort: <em>{0}</em></p>\n</div>",
    "<dl>\n<dt>Password</dt><dd>{0}</dd>\n</dl>",
    "Contraseña:<br/>{0}<br/>",
    '{{| class="wikitable"\n! System !! Login !! PW\n|-\n| build || root || {0}\n|}}',
    "|| Server || User || Password ||\n| web1 | bob | {0} |",
)
LEFT = (
    "! Option !! Default !! Password\n|-\n| tls || true || required\n",
    "| Mode | User | Password |\n|---|---|---|\n| guest | yes | read-only |\n| api | no | auto-generated |\n",
    '<label for="password">Password</label>\n<input type="password" name="password" placeholder="Your password1">',
    '<resources>\n<string name="password">Passwort</string>\n<string name="password_short">Nicht lang genug</string>',
    '<xs:element name="password" type="xs:string"/>\n<xs:element name="secret" type="xs:base64Binary"/>',
    "<p>The password isn't long enough</p>\n<p>Password: is required</p>\n<p>Password: <b>its now required</b></p>",
    "<div>\n<Password>{{ value1 }}</Password>\n<password>${pw1}</password>\n</div>",
    "<ul>\n<li>Password: <a href='/r2'>reset it</a></li>\n<li>Password: <code>sha256</code></li>\n</ul>",
)


@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("form", FORMS)
def test_the_value_goes_and_its_tags_stay(redactor: Redactor, form: str, held: str) -> None:
    assert redactor.redact(form.format(held)).text == form.format("[redacted: password]")


@pytest.mark.parametrize("text", LEFT)
def test_labels_types_and_sentences_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text
