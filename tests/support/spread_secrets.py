"""Secrets of many styles, drawn by a seed, and the ways by which they come into a conversation."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence

WORDS = (
    *("Bramble", "Otter", "Kestrel", "Thistle", "Lerche", "Moosgrund", "Holunder", "Ziegel", "Deniz", "Kirmizi"),
    *("Renard", "Brume", "Perro", "Lagarto", "Zilte", "Vogel", "Lumikko", "Havuz", "Sasanka", "Borovice", "Kolibri"),
)
PLAIN = (
    *("willowbark", "sunflower", "marigold", "pumpernickel", "tournesol", "kirschbaum", "periwinkle", "butternut"),
    *("gooseberry", "abejorro", "brombeere", "zonnebloem", "girassol", "ayvalik", "mirabelle", "hazelnuts"),
)
MIXED = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
Draw = Callable[[random.Random], str]


def _word(dice: random.Random) -> str:
    return dice.choice(WORDS)


STYLES: dict[str, Draw] = {
    "word and digits": lambda dice: f"{_word(dice)}{dice.randrange(30, 99)}{dice.choice('xyzkq')}",
    "dotted": lambda dice: f"{_word(dice).lower()}.{_word(dice).lower()}{dice.randrange(10, 99)}",
    "like a host": lambda dice: f"{_word(dice).lower()}.{_word(dice).lower()}",
    "like a name": lambda dice: f"{_word(dice)}_{_word(dice)}",
    "humps": lambda dice: f"{_word(dice)}{_word(dice)}",
    "hyphens": lambda dice: f"{_word(dice).lower()}-{_word(dice).lower()}-{dice.randrange(2, 9)}",
    "noise": lambda dice: "".join(dice.choices(MIXED, k=11)),
    "long noise": lambda dice: "".join(dice.choices(MIXED, k=28)),
    "signs": lambda dice: f"{_word(dice)}!{dice.randrange(100, 999)}#{dice.choice(MIXED)}",
    "plain word": lambda dice: dice.choice(PLAIN),
    "digits": lambda dice: str(dice.randrange(200_000, 990_000)),
}
_USER = (
    "the staging password is {}",
    "Das Passwort für die Datenbank lautet {}",
    "la contraseña de correo es {}",
    "le mot de passe du serveur : {}",
    "log in as deploy with password {}",
    "DB_PASSWORD={}",
    "use {} as the password for the wiki",
    "het wachtwoord is {}",
    "admin şifre: {}",
    "Пароль от базы: {}",
)
_OUTPUT = (
    "mysql -u root -p'{}' shop",
    "PGPASSWORD={} psql -h db",
    "postgres://app:{}@db:5432/shop",
    "password: {}",
    "temporary password is: {}",
    "curl -u admin:{} https://shop.example.com/",
)
_FILE = (
    "db:5432:shop:app:{}",
    "machine git.example.com login bob password {}",
    "spring.datasource.password={}",
    "  password: {}",
    "DB_PASSWORD = '{}'",
    "requirepass {}",
    "<password>{}</password>",
)
_MADE = ("Authorization: Bearer {}", "export API_TOKEN={}", '{{"client_secret": "{}"}}', "api_key: {}")
"""Carriers of what machines draw."""
_CHOSEN = (
    "api_key={} in /etc/app.conf",
    "export API_TOKEN={}",
    'curl -H "Authorization: Bearer {}" https://shop.example.com/',
    "SECRET_KEY = '{}'",
    "basic auth: bob:{}",
)
"""The same with what a person chose."""
_COMMIT = ("Set the db password to {}", "Rotate: new password {}")
_ERROR = ("error: access denied for app with password '{}'", "fatal: Authentication failed, password={}")
_SERVER = ("user app, password: {}", "the admin password is {}")
_QUESTIONS = (
    ("What is the database password?", "{} thanks"),
    ("I can go on then. What is the password of the mail account? I keep it out of the logs.", "sure, {}"),
    ("Wie lautet das Passwort für den Server?", "Es ist {}, danke"),
    ("Which passphrase protects the key?", "{}"),
    ("¿Cuál es la contraseña del router?", "{} gracias"),
    ("What's the admin password?", "try {} please"),
    ("What's the 6 digit code you got?", "{}"),
)


class Spread:
    """Secrets by the way in which they come. `places` are texts that hold one each."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(f"spread {seed}")
        self._styles: list[str] = []
        self.by_way: dict[str, list[str]] = {}
        self.style_of: dict[str, str] = {}
        self.user = self._fill("user", _USER, 10)
        self.output = self._fill("shell output", _OUTPUT, 8) + self._fill("made output", _MADE, 4, "long noise")
        self.output += self._fill("chosen output", _CHOSEN, 5, "plain word", "word and digits")
        self.file = self._fill("file", _FILE, 8) + self._fill("made file", _MADE, 4, "noise", "long noise")
        self.keys = self._fill("chosen file", _CHOSEN[::-1], 3, "word and digits", "plain word")
        self.commits = self._fill("commit", _COMMIT, 2)
        self.errors = self._fill("tool error", _ERROR, 2)
        self.server = self._fill("mcp", _SERVER, 2)
        self.answers = [
            (asked, said.format(held))
            for (asked, said), held in zip(
                _QUESTIONS, self._draw("answer", len(_QUESTIONS) - 1) + self._draw("code", 1, "digits"), strict=True
            )
        ]
        self.model = self._fill("model", ("I set the password to {}.", "Logged in, the password was {}."), 2)
        self.commands = self._fill(
            "command", ("smbclient -U bob%{} //files/x -c ls", "sshpass -p {} ssh host true", "app --password {}"), 3
        )
        self.names = [f"notes/password-{held}.txt" for held in self._draw("file name", 2, "word and digits", "noise")]
        self.told_names = [self.by_way["chosen output"][0], self.by_way["chosen output"][1]]
        self.names.append(f"docs/{self.told_names[0]}-notes.md")
        self.other_branch = f"fix/{self.told_names[1]}-login"
        self.branch = f"fix/password-{self._draw('branch', 1, 'noise')[0]}"
        self.remote = self._draw("remote", 1)[0]
        self.header = self._draw("git header", 1, "noise")[0]
        self.environ = {f"APP{at}_PASSWORD": held for at, held in enumerate(self._draw("environment", 4))}
        self.env_files = {
            place: f"DB_PASSWORD={held}\n"
            for place, held in zip(
                (".env", "services/api/.env", "deploy/prod/.env.local", "apps/web/.env.test"),
                self._draw(".env", 4),
                strict=True,
            )
        }
        self.server_env = {f"SHOP{at}_TOKEN": held for at, held in enumerate(self._draw("mcp env", 3))}
        self.refusal = f"invalid request: password={self._draw('provider', 1)[0]} is not allowed"

    @property
    def all(self) -> list[str]:
        return [held for each in self.by_way.values() for held in each]

    @property
    def repeated(self) -> list[str]:
        """Those that are said again bare: all but what only a provider told, of which no conversation knows."""
        return [held for way, each in self.by_way.items() if way != "provider" for held in each]

    @property
    def told(self) -> list[str]:
        """Those of which any process knows that reads the store: not what an editor gave to its servers alone."""
        return [held for held in self.repeated if held not in self.server_env.values()]

    def _draw(self, way: str, count: int, *styles: str) -> list[str]:
        found: list[str] = []
        while len(found) < count:
            if not self._styles:
                self._styles = self._dice.sample(sorted(STYLES), len(STYLES))
            style = styles[len(found) % len(styles)] if styles else self._styles.pop()
            held = STYLES[style](self._dice)
            if not any(held in other or other in held for other in self.style_of):
                self.style_of[held] = style
                found.append(held)
        self.by_way.setdefault(way, []).extend(found)
        return found

    def _fill(self, way: str, carriers: Sequence[str], count: int, *styles: str) -> list[str]:
        drawn = self._draw(way, count, *styles)
        return [carriers[at % len(carriers)].format(held) for at, held in enumerate(drawn)]

    def way_of(self, held: str) -> str:
        return next(way for way, each in self.by_way.items() if held in each)

    def standing_in(self, place: str, text: str) -> Iterator[str]:
        for held in self.all:
            if held in text or json.dumps(held)[1:-1] in text:
                at = text.find(held)
                around = text[max(0, at - 50) : at + len(held) + 20].replace("\n", "\\n")
                yield f"{place}: {held} ({self.way_of(held)}, {self.style_of[held]}) in …{around}…"
