"""What stands beside a password's name in C, Erlang, Lua, Ruby, Bazel and logs of changes, and is code or a name."""

from __future__ import annotations

import pytest

from baton.ports.redactor import Redactor

C = "int f(struct db *db) {{\n  if (!(db->flags & X))\n    return 0;\n  {}\n  db->n++;\n}}\n"
LEFT = (
    C.format("last_pw = current_salt->list;"),
    C.format("data->set.ssl.key_passwd = data->set.str[STRING_KEY_PASSWD];"),
    C.format("to.auth_user_pass_file = options->auth_user_pass_file;"),
    C.format('debug("changing the password failed for domain %s!\\n", name);'),
    C.format('dn = format(ctx, db, "SID=S-1-5-21-53173311-3623041448-2049097239-%u", id);'),
    "$graph = array(\n  'GPRINT:auth_avg:LAST:%5.1lf',\n  'GPRINT:token_avg:LAST:%5.1lf',\n);\nf($graph);\n",
    "setup do\n  d.add_module :recoverable, route: { password: routes }\n  d.add_module :x, route: { x: y }\nend\n",
    "keypair(S) ->\n\tPK = to_pk(S),\n\t{PK, S}.\n\nto_secret(<< Secret:?secretbytes/binary >>) ->\n\tSecret.\n",
    "f() ->\n    User = mqtt_util:env(default_user),\n    Pass = mqtt_util:env(default_pass),\n    ok.\n",
    'local brute = require "brute"\nlocal unpwdb = require "unpwdb"\nlocal function f(a)\n  return a == b\nend\n',
    "LoginError =\n{\n  Locked = 15113,\n  InvalidPassword = 18456,\n  NoPassword = 18463,\n  Other = 18465,\n}\n",
    "\tauth_UserAdd_0 = runtime.ForwardResponseMessage\n\n\tauth_ChangePassword_0 = runtime.ForwardResponseMessage\n",
    'deps = [\n    "//pkg/volume/local:go_default_library",\n    "//pkg/volume/secret:go_default_library",\n],\n',
    "config.reset_password_within = 6.hours\n",
    "$config['password_ldap_basedn'] = 'dc=shop,dc=lan';\n",
    "MAILER_DSN=ses+https://ACCESS_KEY:SECRET_KEY@default?region=REGION\n",
    "- FdoSecrets: Display existing secret service process [#4128]\n",
    "* Adding better output to secrets:decrypt-to-local command (ann)\n",
)
TAKEN = (
    (C.format('db->passwd = strdup("<>");'), "heron7302"),
    ("password: <>->x\n", "heron7302"),
    ("secret: <>\n", "forward-to-local9"),
    ("secrets:<>\n", "heron7302"),
    ("db_password = <>\n", "6.hours7"),
    ("ses+https://AKEY:<>@default\n", "Kq7xTz9wLp"),
)


@pytest.mark.parametrize("text", LEFT)
def test_code_and_names_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


@pytest.mark.parametrize(("text", "held"), TAKEN)
def test_passwords_in_the_same_places_go(redactor: Redactor, text: str, held: str) -> None:
    assert held not in redactor.redact(text.replace("<>", held)).text
