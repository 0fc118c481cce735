"""Passwords as arguments: in lists, of clients, and of what stores a secret."""

from __future__ import annotations

import pytest

from baton.ports.redactor import Redactor

HELD = ("heron7302", "Heron!7302", "q7Lp2xT9wZkB")
FORMS = (
    '{{"command": "serve", "args": ["--admin-password", "{0}", "--port", "8080"]}}',
    "subprocess.run(['pg_tool', '--passwd', '{0}'])",
    'command:\n  - serve\n  - "--token"\n  - "{0}"\n  - "--verbose"\n',
    'Popen(["mariadb", "-h", "db", "-p{0}", "shop"])',
    'cmd = ["sshpass", "-p", "{0}", "scp", "a", "web1:"]',
    "cqlsh 10.0.0.9 -u app -p {0}\n",
    "vendorctl login -u ann -p {0} https://x.example.net",
    "mosquitto_pub -h mq -u ann -P {0} -t lamp -m on",
    "ssh-keygen -t rsa -f k -N '{0}' -q",
    "echo '{0}' > ~/.db_password\n",
    'printf "%s" "{0}" | docker secret create mail -',
    "aws ssm put-parameter --type SecureString --name /a/b --value {0} --overwrite",
    "snmpbulkwalk -v2c -c {0} switch1 ifDescr",
    "10.0.0.9:6379> AUTH {0}\nOK\n",
    'setx FIRST_TOKEN "kk0Zp4xT9wQmB7"\nsetx SHOP_PASSWORD "{0}"\n',
)
LEFT = (
    'parser.add_argument("--password", "-p", help="the password isn\'t long enough")',
    '@click.option("--api-key", "api_key", envvar="API_KEY")',
    'flags.String("password", "", "its now required")',
    '"args": ["--password-file", "/run/pw1"]',
    "args:\n  - --token\n  - $(TOKEN)\n",
    "acme login -u ann -p\n",
    "echo 'password: is required' > help.txt\n",
    "echo ok > /tmp/token-count.log\n",
    "AUTH CRAM-MD5\n",
    "snmpwalk -v2c -c public 10.0.0.9",
    "mkdir -p build2/out && ssh -p 2222 web1",
)


@pytest.mark.parametrize("held", HELD)
@pytest.mark.parametrize("form", FORMS)
def test_an_argument_goes(redactor: Redactor, form: str, held: str) -> None:
    assert held not in redactor.redact(form.format(held)).text


@pytest.mark.parametrize("text", LEFT)
def test_declarations_of_arguments_and_other_commands_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text
