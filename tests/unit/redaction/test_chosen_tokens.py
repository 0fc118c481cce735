"""A word that a person chose as a key or a token goes; variables, types, notes and words of a sentence stay."""

from __future__ import annotations

import pytest

from baton.ports.redactor import Redactor

CHOSEN = (
    "ops: api_key=«tangerine» in /etc/app.conf, i restarted it",
    "export API_TOKEN=«willowbark»\npython sync.py --dry-run\n",
    "GITHUB_TOKEN=«hazelnuts» ./release.sh",
    "region: eu\napi_key: «porcupine»\n",
    "acme.api.key=«tournesol»\n",
    '{"api_key": "«porcupine»", "region": "eu"}',
    "./deploy --env staging --api-key «rhubarb» --wait",
    "--token «rhubarb» --verbose",
    "level=info msg=connected access_token=«kirschbaum» took=31ms",
    'curl -H "Authorization: Bearer «marigold»" https://api.shop.example/v1',
    "X-Api-Key: «periwinkle»\n",
    "https://api.shop.example/v1?api_key=«tournesol»&page=2",
    "SECRET_KEY = '«maple syrup»'\nDEBUG = True\n",
    "Paste your API key: «abejorro»\nLogged in.\n",
    "api_key=«83765733» in there",
    "token=«sunflowers»\n",
    "export API_TOKEN=«Brume81q»\n",
    "the api key is «pumpernickel», keep it",
    "use «butternut» as the api key",
    "der API-Schlüssel ist «karpfen»",
    "la clé d'API est «tournesol»",
    "ключ API: «podsolnuh»",
    "API密钥是«taiyanghua»",
    "API anahtarı: «karpuz»",
    "my github token is «lemonade» dont lose it",
    "basic auth: bob:«sunflower»\n",
    "fatal: invalid request: password=«657279» is not allowed",
    "3f2a9c7 Rotate: new password «779812»",
    "private_key_passphrase: «november rain»\n",
    "password: «silver roof»\n",
    "Enter passphrase for key '/home/bob/.ssh/id_ed25519': «blue monday»\n",
    "contraseña: «tres perros verdes»\n",
    "密码是«蝴蝶2023»",
    "логин maria, пароль «бабочка»\n",
)
OTHERS = (
    "token = parser.next()\nif token == '(':\n    depth += 1\n",
    "def connect(api_key: str, token: str | None = None) -> Client:\n    return Client(api_key)\n",
    "interface Session { token: string; apiKey: string; expires: number }",
    '{"token": "string", "api_key": "string"}',
    "usage: tool --set key=value [--token TOKEN]",
    "auth: none\n",
    "auth:\n  type: basic\n  token: required\n",
    "Set token=abc… in the query string.",
    "The API key is missing. Ask your admin.",
    "API key: see 1password\n",
    "token: identifier, punctuation, number\n",
    "next_token: comma\n",
    "eos_token: pudding\n",
    "Authorization: Bearer <token>",
    "Bearer authentication is used by the API.",
    "api_key=None, token=None",
    "client = Client(api_key=mykey, token=other)",
    "- api_key: the key of your account\n",
    "Der API-Schlüssel ist abgelaufen.",
    "ключ API: обязательно",
    "    token = stack\n    node = Node(token)\n    return node\n",
    '{"tokens": [{"token": "comment"}, {"token": "keyword"}]}',
    "API_KEY=api_key\n",
    "password: required field\n",
    "密码长度为12位",
    "логин maria, пароль неверный\n",
    "auth token is refreshed hourly",
)
ANSWERED = (
    "Agent: what's the PIN?\nUser: «4821»\n",
    "what's the PIN for the garage?\n«1379»\n",
    "Q: whats the alarm code\nA: «7093» then press #\n",
    "Agent: What's the 6 digit code you got?\nUser: «304918»\n",
    "Wie ist die PIN?\n«4540»\n",
    "¿cuál es el PIN?\n«1708»\n",
    "какой пин-код?\n«3951»\n",
)
NUMBERS = (
    "the error code of the gate is 4410",
    "what's the error code?\n4410\n",
    "What's the port?\n8080\n",
    "How many tests failed?\n4821\n",
    "Which year did you start?\n2019\n",
    "How long should the PIN be?\n6666\n",
    "the login\nwaits with delay=3000000\n",
    "how many lines of code?\n12840\n",
)


@pytest.mark.parametrize("text", [*CHOSEN, *ANSWERED])
def test_what_a_person_chose_goes_and_the_rest_stays(redactor: Redactor, text: str) -> None:
    before, _, rest = text.partition("«")
    _, _, after = rest.partition("»")
    shown = redactor.redact(before + rest.replace("»", "", 1)).text
    head, _, tail = shown.partition("[redacted: ")
    assert (head, tail.partition("]")[2]) == (before, after)


@pytest.mark.parametrize("text", [*OTHERS, *NUMBERS])
def test_variables_types_notes_and_numbers_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


def test_a_name_of_a_file_may_be_drawn_of_letters_alone(redactor: Redactor) -> None:
    assert redactor.redact("notes/password-NQkZwZjEhqc.txt").text == "notes/password-[redacted: password].txt"
    kept = "notes/password-ResetPolicyGuide.md"
    assert redactor.redact(kept).text == kept
