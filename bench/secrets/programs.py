# ruff: noqa: E501 (a program is easier to read in one line)
"""Secrets as programs hold them: quoted passwords, keys and links in Python, JavaScript, TypeScript, Go and Rust.

Each text is a piece of a program with one secret, at `{}`. Its first word says what may stand there (`styles.BY_WORD`,
or `any` for every style of a password that a string can hold).
"""

from __future__ import annotations

ANY = "any"

PLACES: tuple[tuple[str, str], ...] = (
    (
        "any",
        'package x\n\nfunc f(t *testing.T) {\n\tc := New()\n\tc.Password = "{}"\n\tc.Close()\n}\n',
    ),
    (
        "token",
        'package x\n\nfunc f() {\n\tc := New()\n\tc.Token = []byte("{}")\n\tc.Close()\n}\n',
    ),
    (
        "any",
        'class A {\n    void f() {\n        Ssl ssl = new Ssl();\n        ssl.setKeyStorePassword("{}");\n        ssl.start();\n    }\n}\n',
    ),
    (
        "any",
        "<?php\nclass A {\n    function f($c) {\n        $form['user_login[password]'] = '{}';\n        return $c->submit($form);\n    }\n}\n",
    ),
    (
        "any",
        "class TestLogin(TestCase):\n    def test_it(self):\n        c = Client()\n        self.login(password='{}')\n        c.close()\n",
    ),
    (
        "token",
        "from pydantic import SecretStr\n\nsettings = Settings(\n    api_key=SecretStr('{}'),\n)\nclient = connect(settings)\n",
    ),
    (
        "any",
        "describe Login do\n  it 'works' do\n    user = User.new(name: 'ann', password: '{}')\n    user.save!\n  end\nend\n",
    ),
    (
        "any",
        'int main(void) {\n  db->user = strdup("ann");\n  db->passwd = strdup("{}");\n  return db_open(db);\n}\n',
    ),
    (
        "any",
        'import psycopg2\n\n\ndef connect():\n    password = "{}"\n'
        "    return psycopg2.connect(user=USER, password=password)\n",
    ),
    (
        "any",
        'from app import Client\n\nclient = Client(host="db1", user="bob", password="{}")\n'
        "print(client.ping())\n\n\ndef main():\n    client.run()\n",
    ),
    (
        "any",
        'import os\n\nDATABASES = {\n    "default": {\n        "USER": "shop",\n        "PASSWORD": "{}",\n'
        '        "HOST": "127.0.0.1",\n    },\n}\n\n\nif DEBUG:\n    print(os.environ)\n',
    ),
    (
        "any",
        "class Login:\n    def __init__(self, name: str, passwd: str = '{}') -> None:\n"
        "        self.name = name\n        self.passwd = passwd\n",
    ),
    (
        "password",
        "import json\n\n\ndef login(session):\n    # the password is {}\n"
        '    return session.post("/login", json={"user": "ann"})\n',
    ),
    (
        "token",
        'import requests\n\nAPI_KEY = "{}"\n\n\ndef fetch(url):\n    return requests.get(url, headers={"X-Api-Key": API_KEY})\n',
    ),
    (
        "token",
        'def headers():\n    return {\n        "Authorization": "Bearer {}",\n        "Accept": "application/json",\n    }\n',
    ),
    (
        "password",
        'from sqlalchemy import create_engine\n\nengine = create_engine("postgresql://shop:{}@db.internal:5432/shop")\n'
        "\n\ndef rows():\n    return engine.execute(QUERY)\n",
    ),
    (
        "any",
        'const mysql = require("mysql");\n\nconst pool = mysql.createPool({\n  host: "localhost",\n  user: "root",\n'
        '  password: "{}",\n  database: "shop",\n});\n\nmodule.exports = pool;\n',
    ),
    (
        "any",
        "export class Account {\n  private readonly dbPassword: string = '{}';\n\n  open(): void {\n"
        "    this.connect(this.dbPassword);\n  }\n}\n",
    ),
    (
        "token",
        "import axios from 'axios';\n\nconst apiToken = '{}';\n\nexport async function list() {\n"
        "  return axios.get('/v1/items', { headers: { token: apiToken } });\n}\n",
    ),
    (
        "password",
        "// staging login: admin, password: {}\nimport { test } from './runner';\n\ntest('opens', async () => {\n"
        "  await page.goto(url);\n});\n",
    ),
    (
        "any",
        "function login(user, pass = '{}') {\n  if (!user) {\n    return null;\n  }\n  return send({ user, pass });\n}\n",
    ),
    (
        "token",
        "const config = {\n  jwtSecret: process.env.JWT_SECRET || '{}',\n  port: 3000,\n};\n\nexport default config;\n",
    ),
    (
        "password",
        "const mongoose = require('mongoose');\n\nmongoose.connect('mongodb://admin:{}@mongo:27017/app', {\n"
        "  useNewUrlParser: true,\n});\n",
    ),
    (
        "any",
        'package main\n\nimport "fmt"\n\nconst dbPassword = "{}"\n\nfunc main() {\n\tfmt.Println(open(dbPassword))\n}\n',
    ),
    (
        "any",
        'package store\n\nfunc New() *Store {\n\treturn &Store{\n\t\tUser:     "app",\n\t\tPassword: "{}",\n'
        '\t\tAddr:     "10.0.0.4:6379",\n\t}\n}\n',
    ),
    (
        "token",
        'package auth\n\nvar signingKey = []byte("{}")\n\nfunc Sign(claims Claims) (string, error) {\n'
        "\treturn token(claims).SignedString(signingKey)\n}\n",
    ),
    (
        "token",
        'package api\n\nfunc request(req *http.Request) {\n\treq.Header.Set("Authorization", "Bearer {}")\n'
        '\treq.Header.Set("Accept", "text/plain")\n}\n',
    ),
    (
        "any",
        'package main\n\nfunc setup() {\n\tpassword := "{}"\n\tif err := login("bob", password); err != nil {\n'
        "\t\tpanic(err)\n\t}\n}\n",
    ),
    (
        "password",
        'package main\n\nimport "database/sql"\n\nfunc open() (*sql.DB, error) {\n'
        '\treturn sql.Open("postgres", "user=shop password={} dbname=shop sslmode=disable")\n}\n',
    ),
    (
        "any",
        'use std::env;\n\nconst DB_PASSWORD: &str = "{}";\n\nfn main() {\n    let pool = connect(DB_PASSWORD);\n'
        "    pool.run();\n}\n",
    ),
    (
        "any",
        "impl Default for Settings {\n    fn default() -> Self {\n        Settings {\n"
        '            user: "app".to_string(),\n            password: "{}".to_string(),\n        }\n    }\n}\n',
    ),
    (
        "token",
        'pub fn client() -> Client {\n    let api_key = "{}";\n    Client::new(api_key).expect("client")\n}\n',
    ),
    (
        "password",
        '/// Connects with the default account.\n// password = "{}"\npub fn connect(url: &str) -> Result<Conn, Error> {\n'
        "    Conn::open(url)\n}\n",
    ),
    (
        "password",
        'let url = "redis://:{}@cache:6379/0";\nlet client = redis::Client::open(url)?;\nmatch client.ping() {\n'
        "    Ok(_) => {}\n    Err(e) => return Err(e),\n}\n",
    ),
    (
        "any",
        'def test_login(client):\n    response = client.post("/login", data={"username": "ann", "password": "{}"})\n'
        "    assert response.status_code == 200\n",
    ),
    (
        "any",
        'func TestLogin(t *testing.T) {\n\tm := map[string]string{\n\t\t"username": "ann",\n\t\t"password": "{}",\n\t}\n'
        "\trun(t, m)\n}\n",
    ),
)
