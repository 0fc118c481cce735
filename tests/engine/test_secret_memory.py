"""What a conversation has shown once is taken out of all that leaves it, whoever asks, and is held nowhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from baton.adapters.redaction.redactor import open_redactor
from baton.core.log.entry import NewEntry
from baton.core.log.session import COMPRESSION
from baton.engine import secret_memory
from baton.engine.secret_memory import SecretMemory
from baton.ports.redactor import Redactor
from baton.ports.store import Store
from baton.testing.memory import MemoryStore

HELD = "xK9mPq2Lw"
TOLD = {"text": f"the database password is {HELD}"}


@pytest.fixture(scope="module")
def redactor(tmp_path_factory: pytest.TempPathFactory) -> Redactor:
    where = str(tmp_path_factory.mktemp("rules"))
    return open_redactor(where, {}, [], where)


@pytest.fixture
def store() -> Store:
    return MemoryStore()


class Talk:
    """One conversation."""

    def __init__(self, store: Store, conversation_id: str = "") -> None:
        self._store = store
        self.id = conversation_id or store.conversations.start("talk")[0].id

    def add(self, kind: str, data: Mapping[str, Any]) -> None:
        proof = self._store.conversations.claim(self.id, "test", 60)
        self._store.entries.append(proof, self._store.conversations.get(self.id).head_id, [NewEntry(kind, data)])
        self._store.conversations.release(proof)

    def continue_in_another_session(self) -> None:
        proof = self._store.conversations.claim(self.id, "test", 60)
        head = self._store.conversations.get(self.id).head_id
        self._store.sessions.advance(proof, head, edge=COMPRESSION, end_reason=COMPRESSION)
        self._store.conversations.release(proof)


PLACES: dict[str, tuple[str, dict[str, Any]]] = {
    "what a person says": ("user", TOLD),
    "what the model says": ("assistant", {"text": f"I set DB_PASSWORD={HELD}", "calls": []}),
    "a call": (
        "assistant",
        {"text": "", "calls": [{"id": "1", "name": "login", "args": {"user": "app", "password": HELD}}]},
    ),
    "a command": ("tool_call", {"id": "1", "name": "shell", "args": {"command": f"psql postgres://app:{HELD}@db/x"}}),
    "a result": ("tool_result", {"id": "1", "name": "shell", "text": f"password: {HELD}", "ok": True, "details": {}}),
    "details of a result": (
        "tool_result",
        {"id": "1", "name": "read", "text": "ok", "ok": True, "details": {"diff": f"+DB_PASSWORD={HELD}\n"}},
    ),
    "a summary": ("compression", {"outcome": "compressed", "summary": f"The password is {HELD}.", "text": "x"}),
}


@pytest.mark.parametrize("place", PLACES)
def test_wherever_it_was_shown_it_is_gone_afterwards(store: Store, redactor: Redactor, place: str) -> None:
    talk, memory = Talk(store), SecretMemory(lambda: store)
    before = f"use {HELD} there"
    assert memory.clean(redactor, before, talk.id) == before
    talk.add(*PLACES[place])
    assert HELD not in memory.clean(redactor, before, talk.id)


def test_another_conversation_does_not_know_it(store: Store, redactor: Redactor) -> None:
    talk, other, memory = Talk(store), Talk(store), SecretMemory(lambda: store)
    talk.add("user", TOLD)
    assert HELD not in memory.clean(redactor, f"use {HELD}", talk.id)
    assert HELD in memory.clean(redactor, f"use {HELD}", other.id)


def test_what_belongs_to_no_conversation_is_cleaned_of_what_any_has_shown(store: Store, redactor: Redactor) -> None:
    """A line of the log, a title of a conversation that is only beginning."""
    talk, memory = Talk(store), SecretMemory(lambda: store)
    talk.add("user", TOLD)
    memory.clean(redactor, "", talk.id)
    assert HELD not in memory.clean(redactor, f"failed with {HELD}", "")


def test_a_new_process_reads_it_off_the_transcript(store: Store, redactor: Redactor) -> None:
    talk = Talk(store)
    talk.add("user", TOLD)
    talk.continue_in_another_session()
    talk.add("user", {"text": "go on"})
    assert HELD not in SecretMemory(lambda: store).clean(redactor, f"use {HELD}", talk.id)


def test_a_fork_knows_what_came_before_it_and_nothing_after(store: Store, redactor: Redactor) -> None:
    talk, memory = Talk(store), SecretMemory(lambda: store)
    talk.add("user", TOLD)
    head = store.conversations.get(talk.id).head_id
    fork, _ = store.conversations.fork(head, 1, "fork")
    talk.add("user", {"text": "the other password is Vz81-kdQw0"})
    cleaned = memory.clean(redactor, f"{HELD} Vz81-kdQw0", fork.id)
    assert HELD not in cleaned
    assert "Vz81-kdQw0" in cleaned


def test_the_answer_to_a_question_for_a_password_is_one(store: Store, redactor: Redactor) -> None:
    talk, memory = Talk(store), SecretMemory(lambda: store)
    talk.add("assistant", {"text": "I can log in.\n\n**What is the database password?**", "calls": []})
    talk.add("user", {"text": HELD})
    assert HELD not in memory.clean(redactor, f"use {HELD}", talk.id)


ANSWERS = {
    "Bramble77": ("What is the database password?", "Bramble77 thanks"),
    "zilte.zee": ("I can log in then. What's the admin password? I keep it out of the logs.", "sure, zilte.zee"),
    "Feld_Lerche": ("Which password should I use?\nI will set it in the config.", "Feld_Lerche please"),
    "Moosgrund9": ("Wie lautet das Passwort für die Datenbank?", "Es ist Moosgrund9, danke"),
    "perro-azul-9": ("¿Cuál es la contraseña?", "claro, perro-azul-9"),
    "four grey herons waiting": ("What passphrase protects the key?", "four grey herons waiting"),
    "renard.bleu": ("Quel est le mot de passe ?", "c'est renard.bleu merci"),
    "Kolibri": ("Password?", "hmm I think Kolibri"),
    "tangerine.dusk": ("Please paste the token:", "ok here you go: tangerine.dusk"),
    "Pomelo.Grove8": ("Give me the credentials for the admin panel.", "admin / Pomelo.Grove8"),
    "Quince_Harbor": ("I need the password for bob. Could you send it?", "Quince_Harbor :)"),
    "rosa-tinten-fass": ("I need the sudo password to install libpq-dev.", "lol fine\nrosa-tinten-fass"),
    "Harbor_Lamp2": ("Nothing was changed. The passphrase of the repository is missing.", "its Harbor_Lamp2"),
    "Ko1ibri_x": ("Login failed for app. Do you have a different password?", "hm, the one before. Ko1ibri_x"),
    "bambus_regen": ("数据库的密码是什么？", "bambus_regen 谢谢"),
}


@pytest.mark.parametrize("held", ANSWERS)
def test_an_answer_is_one_with_words_around_it_too(store: Store, redactor: Redactor, held: str) -> None:
    talk, memory = Talk(store), SecretMemory(lambda: store)
    asked, said = ANSWERS[held]
    talk.add("assistant", {"text": asked, "calls": []})
    talk.add("user", {"text": said})
    assert held not in memory.clean(redactor, f"then try {held} again", talk.id)


def test_the_answer_to_a_question_that_a_tool_puts_is_one(store: Store, redactor: Redactor) -> None:
    talk, memory = Talk(store), SecretMemory(lambda: store)
    asked = "What is the admin password?"
    call = {"id": "1", "name": "ask_user", "args": {"question": asked}}
    talk.add("assistant", {"text": "One question.", "calls": [call]})
    talk.add("user", {"text": "Bramble77 thanks"})
    assert "Bramble77" not in memory.clean(redactor, "then try Bramble77 again", talk.id)
    answers = {"answers": [{"question": asked, "answer": "Kolibri_Feder ok?"}]}
    talk.add("tool_result", {"id": "1", "name": "ask_user", "text": "ok", "ok": True, "details": answers})
    assert "Kolibri" not in memory.clean(redactor, "then try Kolibri_Feder again", talk.id)


OTHERS = {
    "config/secrets.yaml": ("Where is the password stored?", "in config/secrets.yaml"),
    "test_login_retry": ("Which test covers the login?", "test_login_retry"),
    "Keychain": ("Where is the password stored?", "Keychain"),
    "production": ("The deploy needs the token of an environment.", "production"),
    "node-18": ("The login check is missing in cart.py.", "node-18"),
    "gpt-4o-mini": ("I can run the review without the login page.", "gpt-4o-mini"),
    "refactoring": ("The password check is missing in login.py.", "refactoring"),
    "tomorrow": ("Should I rotate the token now?", "tomorrow"),
    "Marlene": ("Who knows the password?", "Marlene"),
    "bcrypt_pbkdf": ("How is the password hashed?", "bcrypt_pbkdf"),
    "argon2": ("Do you want me to hash the password with bcrypt?", "no, use argon2 instead"),
}


@pytest.mark.parametrize("told", OTHERS)
def test_an_answer_about_passwords_that_is_none_stays(store: Store, redactor: Redactor, told: str) -> None:
    talk, memory = Talk(store), SecretMemory(lambda: store)
    asked, said = OTHERS[told]
    talk.add("assistant", {"text": asked, "calls": []})
    talk.add("user", {"text": said})
    assert told in memory.clean(redactor, f"then try {told} again", talk.id)


def test_an_answer_to_another_question_is_none(store: Store, redactor: Redactor) -> None:
    talk, memory = Talk(store), SecretMemory(lambda: store)
    talk.add("assistant", {"text": "Which release do you mean?", "calls": []})
    talk.add("user", {"text": "build-7712-rc2"})
    assert "build-7712-rc2" in memory.clean(redactor, "release build-7712-rc2 is out", talk.id)


def test_what_was_cut_from_a_letter_is_cut_from_the_next(store: Store, redactor: Redactor) -> None:
    """An error that a provider sends is in no transcript."""
    talk, memory = Talk(store), SecretMemory(lambda: store)
    assert HELD not in memory.clean(redactor, f"refused: password={HELD}", talk.id)
    assert HELD not in memory.clean(redactor, f"still refused: {HELD}", talk.id)


def test_each_entry_is_read_once(store: Store, redactor: Redactor) -> None:
    talk, counted = Talk(store), CountingRedactor(redactor)
    memory = SecretMemory(lambda: store)
    for number in range(2000):
        talk.add("user", {"text": f"message {number} says nothing"})
    memory.redactor(counted, talk.id)
    read = counted.read
    assert read >= 2000 * len("message 1 says nothing")
    for _ in range(50):
        memory.redactor(counted, talk.id)
    assert counted.read == read
    talk.add("user", TOLD)
    memory.redactor(counted, talk.id)
    assert counted.read - read < 200


NUMBERED = {
    "read": "     1\tdb:5432:shop:app:Kestrel_Holunder\n     2\tdb2:5432:shop:app:other.zilte\n",
    "grep": "conf/.pgpass:1:db:5432:shop:app:Kestrel_Holunder\nconf/.pgpass-2-x\n",
}


@pytest.mark.parametrize("tool", NUMBERED)
def test_numbers_before_lines_hide_no_secret(store: Store, redactor: Redactor, tool: str) -> None:
    """Such a value is known by how its line begins."""
    talk, memory = Talk(store), SecretMemory(lambda: store)
    talk.add("tool_result", {"id": "1", "name": tool, "text": NUMBERED[tool], "ok": True, "details": {}})
    assert "Kestrel_Holunder" not in memory.clean(redactor, "then Kestrel_Holunder again", talk.id)


def test_an_entry_is_not_judged_by_its_neighbour(store: Store, redactor: Redactor) -> None:
    """Beside a program the words of a sentence could be names in it."""
    talk, memory = Talk(store), SecretMemory(lambda: store)
    program = "import os\n\ndef run(x):\n    y = x.load()\n    return y.close()\n" * 6
    for each in (program, "Logged in, the password was sasanka.zilte68.", program):
        talk.add("tool_result", {"id": "1", "name": "shell", "text": each, "ok": True, "details": {}})
    assert "sasanka.zilte68" not in memory.clean(redactor, "then sasanka.zilte68 again", talk.id)


def test_memory_has_a_bound(store: Store, redactor: Redactor, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest stay."""
    monkeypatch.setattr(secret_memory, "MOST_SECRETS", 50)
    talk, memory = Talk(store), SecretMemory(lambda: store)
    for number in range(80):
        talk.add("user", {"text": f"password: qX{number:03d}vKz81w"})
    cleaned = memory.clean(redactor, "qX001vKz81w and qX079vKz81w", talk.id)
    assert "qX079vKz81w" not in cleaned
    assert "qX001vKz81w" in cleaned


class CountingRedactor:
    """Counts the characters it is asked to look at."""

    def __init__(self, redactor: Redactor) -> None:
        self._redactor = redactor
        self.read = 0

    def recognise(self, text: str) -> tuple[Any, ...]:
        self.read += len(text)
        return self._redactor.recognise(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._redactor, name)
