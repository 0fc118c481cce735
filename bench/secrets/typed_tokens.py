"""Words that people give as an API key, a token or a code: where they stand, and what stands there otherwise.

`bench.secrets.places` has passwords, and `tokens` what machines draw. Here a name that can only mean a secret (`api
key`, `access token`, `client secret`) has a value that a person chose. Rules are tuned while looking at `PLACES` and
at every first, third … line of `KEPT`; `HELD_OUT` and the other lines are only counted.
"""

from __future__ import annotations

import random

from bench.secrets.places import Place, in_json
from bench.secrets.styles import WORDS, Style

_NAMES = ("marisol", "oliver", "kenji", "fatma", "svenja", "dmitri", "amelie", "priya")
_FOREIGN = (
    "girassol",
    "sonnenblume",
    "tournesol",
    "karpuz",
    "abeja",
    "kirschbaum",
    "limone",
    "borboleta",
    "zonnebloem",
)


def _digits(dice: random.Random, length: int) -> str:
    while True:
        made = "".join(dice.choices("0123456789", k=length))
        if len(set(made)) > 2:
            return made


STYLES: dict[str, Style] = {
    "word": lambda dice: dice.choice(WORDS),
    "Word": lambda dice: dice.choice(WORDS).title(),
    "two words": lambda dice: "".join(dice.sample(WORDS, 2)),
    "word and digit": lambda dice: dice.choice(WORDS) + str(dice.randrange(1, 100)),
    "eight digits": lambda dice: _digits(dice, 8),
    "name": lambda dice: dice.choice(_NAMES),
    "mixed case": lambda dice: "".join(each.title() for each in dice.sample(WORDS, 2)),
    "foreign": lambda dice: dice.choice(_FOREIGN),
}
CODES: dict[str, Style] = {
    "four digits": lambda dice: _digits(dice, 4),
    "six digits": lambda dice: _digits(dice, 6),
}

PLACES = {
    "key=value": Place("ops: api_key={} in /etc/app.conf, i restarted it"),
    ".env": Place("PORT=3000\nAPI_TOKEN={}\nDEBUG=1\n"),
    "export": Place("export API_TOKEN={}\npython sync.py --dry-run\n"),
    "yaml": Place("region: eu\napi_key: {}\nretries: 3\n"),
    "ini": Place("[acme]\nclient_id = shop\nclient_secret = {}\n"),
    "properties": Place("acme.api.key={}\nacme.region=eu\n"),
    "json": Place('{"api_key": "{}", "region": "eu"}', in_json),
    "flag": Place("./deploy --env staging --api-key {} --wait"),
    "logfmt": Place("level=info msg=connected access_token={} took=31ms"),
    "header": Place('curl -H "Authorization: Bearer {}" https://api.shop.example/v1/orders'),
    "other header": Place("GET /v1/orders HTTP/1.1\nHost: api.shop.example\nX-Api-Key: {}\n"),
    "query": Place("https://api.shop.example/v1/orders?api_key={}&page=2"),
    "settings": Place("SECRET_KEY = '{}'\nDEBUG = True\n"),
    "prompt": Place("$ acme login\nPaste your API key: {}\nLogged in.\n"),
    "is": Place("hey, the api key is {}"),
    "pair": Place("basic auth: bob:{}\n"),
    "german": Place("der API-Schlüssel ist {}"),
    "spanish": Place("la clave de API es {}"),
    "french": Place("la clé d'API est {}"),
    "russian": Place("ключ API: {}"),
    "chinese": Place("API密钥是{}"),
    "portuguese": Place("a chave da API é {}"),
    "chat": Place("my github token is {} dont lose it"),
    "turkish": Place("API anahtarı: {}"),
}

HELD_OUT = {
    "bare token": Place("token={}\n"),
    "compose": Place("services:\n  bot:\n    environment:\n      - TELEGRAM_TOKEN={}\n"),
    "before a command": Place("GITHUB_TOKEN={} ./release.sh"),
    "flag with =": Place("backup.sh --access-key={} --out /srv/dump"),
    "toml": Place('[acme]\nsecret_key = "{}"\n', in_json),
    "use as": Place("use {} as the api key"),
    "two words": Place("Access key: {}\nRegion: eu\n"),
    "list": Place("- API token: {}\n- Region: eu\n"),
    "bold": Place("**Client secret:** `{}`\n"),
    "italian": Place("la chiave API è {}"),
    "dutch": Place("de API-sleutel is {}"),
    "japanese": Place("APIキーは{}です"),
    "polish": Place("klucz API to {}"),
    "hindi": Place("API कुंजी: {}"),
}

CODE_PLACES = {
    "asked": Place("Agent: what's the PIN?\nUser: {}\n"),
    "asked below": Place("what's the PIN for the garage?\n{}\n"),
    "alarm": Place("Q: whats the alarm code\nA: {} then press #\n"),
    "code you got": Place("Agent: What's the code you got by text?\nUser: {}\n"),
    "it's": Place("and the door code?\nit's {}\n"),
    "german": Place("Wie ist die PIN?\n{}\n"),
    "spanish": Place("¿cuál es el PIN?\n{}\n"),
}
CODE_HELD_OUT = {
    "speaker": Place("ann: whats your pin again\nbob: {}\n"),
    "six digit code": Place("Please send me the verification code.\n{}\n"),
    "french": Place("c'est quoi le code PIN ?\n{}\n"),
    "portuguese": Place("qual é o PIN?\né {}\n"),
    "russian": Place("какой пин-код?\n{}\n"),
}

KEPT = (
    "token = parser.next()\nif token == '(':\n    depth += 1\n",
    "def connect(api_key: str, token: str | None = None) -> Client:\n    return Client(api_key)\n",
    "interface Session { token: string; apiKey: string; expires: number }",
    '{"token": "string", "api_key": "string"}',
    "usage: tool --set key=value [--token TOKEN]",
    "auth: none\n",
    "auth:\n  type: basic\n  token: required\n",
    "Set token=abc… in the query string.",
    "The API key is missing. Ask your admin.",
    "the access token is expired, please log in again",
    "api_key: ${API_KEY}\n",
    "API key: see 1password\n",
    "token: identifier, punctuation, number\n",
    "token_type: bearer\n",
    "Authorization: Bearer <token>",
    "Authorization: Bearer realm",
    "Bearer authentication is used by the API.",
    "Send it as a Bearer token in the header.",
    "the access key rotation is weekly",
    "api_key=None, token=None",
    "api_key = settings.api_key\n",
    "auth_method: token\n",
    "next_token: comma\n",
    "eos_token: pad\n",
    "const apiKey = loadKey();\nconst token = session;\nexport default { apiKey, token };\n",
    "    token = stack\n    node = Node(token)\n    return node\n",
    "- api_key: the key of your account\n",
    "api_key (string): which key to use\n",
    "| api_key | string | yes |",
    "The API key is optional, the token is not.",
    "Where is the API token stored?\nvault\n",
    "How long should the PIN be?\n6666\n",
    "What's the port?\n8080\n",
    "How many tests failed?\n4821\n",
    "Which year did you start?\n2019\n",
    "the error code of the gate is 4410",
    "what's the error code?\n4410\n",
    "What is the exit code?\n1370\n",
    "which ticket has the code review?\n4821\n",
    "how many lines of code?\n12840\n",
    "Der API-Schlüssel ist abgelaufen.",
    "la clave de API es obligatoria",
    "ключ API: обязательно",
    "API密钥是必填项",
    "client_secret: optional\n",
    "access_token: expired\n",
    "refresh token = rotation every hour\n",
    "the token is cut at blanks",
    "the secret key is kept in the vault",
    "auth token is refreshed hourly",
)
