"""Places where a password stands: files, commands, statements, tables, sentences in English.

`{}` is the password. Rules are tuned while looking at `PLACES`; `HELD_OUT` was written at the same time and is only
counted.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from shlex import quote as shell_quoted
from urllib.parse import quote


def raw(value: str) -> str:
    return value


def quoted_if_blank(value: str) -> str:
    return f'"{value}"' if " " in value else value


def in_link(value: str) -> str:
    return quote(value, safe="")


def in_json(value: str) -> str:
    return json.dumps(value, ensure_ascii=False)[1:-1]


@dataclass(frozen=True)
class Place:
    """`written` is the form a value takes there."""

    template: str
    written: Callable[[str], str] = raw

    def text(self, value: str) -> str:
        return self.template.replace("{}", self.written(value))


PLACES = {
    ".env": Place("PORT=3000\nDB_PASSWORD={}\nDEBUG=1\n"),
    "yaml": Place("database:\n  host: db1\n  password: {}\n  pool: 5\n"),
    "ini": Place("[smtp]\nhost = mail.example.net\npasswd = {}\n"),
    "properties": Place("spring.datasource.password={}\n"),
    "json": Place('{"host": "db1", "password": "{}", "port": 5432}', in_json),
    "flag": Place("deployctl --env prod --password {} --wait", shell_quoted),
    "sql": Place("ALTER USER app WITH PASSWORD '{}';"),
    "identified by": Place("CREATE USER 'app'@'%' IDENTIFIED BY '{}';"),
    "insert": Place("INSERT INTO users (name, password, role) VALUES ('bob', '{}', 'admin');"),
    "logfmt": Place("level=info msg=login user=bob password={} ip=10.0.0.7", quoted_if_blank),
    "prompt": Place("$ ssh bob@db1\nbob@db1's password: {}\n"),
    "prose": Place("Log in to the box; the password is {}.\nThen restart nginx."),
    "use as": Place("Please use {} as the password for the staging box."),
    "comes first": Place("{} is the password of the backup server."),
    "admin /": Place("Router login: admin / {}\n"),
    "from to": Place("I changed the root password from {} to something else."),
    "markdown table": Place("| user | password |\n|------|----------|\n| bob | {} |\n| eve | kept in the vault |\n"),
    "csv": Place("user,password,role\nbob,{},admin\n"),
    "psql": Place(" id | login | password \n----+-------+----------\n  1 | bob   | {}\n(1 row)\n"),
    "link": Place("postgres://app:{}@db.example.net:5432/shop", in_link),
    "openssl": Place("openssl rsa -in key.pem -passin pass:{} -out plain.pem", shell_quoted),
    "chpasswd": Place("echo 'bob:{}' | sudo chpasswd"),
    "docker -e": Place("docker run -d -e MYSQL_ROOT_PASSWORD={} mysql:8", shell_quoted),
    "before a command": Place("PGPASSWORD={} psql -h db1 -U app shop", shell_quoted),
    "helm": Place("helm upgrade shop ./chart --set auth.password={} --wait", shell_quoted),
    "from literal": Place("kubectl create secret generic db --from-literal=password={}", shell_quoted),
}

HELD_OUT = {
    "toml": Place('[db]\nuser = "app"\npassword = "{}"\n', in_json),
    "xml": Place("<server><user>bob</user><password>{}</password></server>"),
    "flag with =": Place("backup.sh --db-pass={} --out /srv/dump", shell_quoted),
    "vault kv get": Place(
        "====== Data ======\nKey         Value\n---         -----\npassword    {}\nusername    app\n"
    ),
    "terraform": Place('  ~ resource "db" "main" {\n      ~ password = "{}" -> (known after apply)\n', in_json),
    "sudo -S": Place("echo {} | sudo -S apt-get update", shell_quoted),
    "az login": Place("az login --service-principal -u http://app -p {} --tenant contoso", shell_quoted),
    "sshpass": Place("sshpass -p {} ssh bob@10.0.0.7", shell_quoted),
    "mysql grant": Place("GRANT ALL ON shop.* TO 'app'@'%' IDENTIFIED BY '{}' WITH GRANT OPTION;"),
    "chat": Place("hey, wifi pass is {}\nsee you at 8"),
    "said with a colon": Place("Credentials for staging\n  user: bob\n  pass: {}\n"),
    "changed to": Place("I've changed the admin password to {} - please update your scripts."),
    "arrow": Place("rotated db password: {} -> (new one in the vault)"),
    "remember": Place("FYI the passphrase for the signing key: {}\n"),
    "list item": Place("- Password: `{}`\n- Port: 22\n"),
    "bold": Place("**Password:** {}\n"),
    "net use": Place("net use Z: \\\\nas\\share /user:bob {}", quoted_if_blank),
    "htpasswd": Place("htpasswd -b /etc/nginx/.htpasswd bob {}", shell_quoted),
    "curl": Place("curl -u bob:{} https://api.example.net/v1/items", shell_quoted),
    "docker login": Place("docker login -u bob -p {} registry.example.net", shell_quoted),
    "compose": Place("services:\n  db:\n    environment:\n      - POSTGRES_PASSWORD={}\n      - POSTGRES_USER=app\n"),
    "passwd dialogue": Place("New password: {}\nRetype new password: {}\npasswd: password updated successfully\n"),
    "heading": Place("# use {} as password for prod\n"),
    "connection string": Place("Server=db1;Database=shop;User Id=app;Password={};Encrypt=true;"),
}
