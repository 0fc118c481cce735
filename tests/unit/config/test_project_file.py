"""What a repository's own file may set, and what becomes of the rest."""

from __future__ import annotations

import json
import os
import shutil

import pytest
from tests.support.cpu import cpu_of
from tests.unit.config.conftest import Desk

from baton.config.keys import Key
from baton.config.kinds import Choice, Flag, ListOf, MapOf, Seconds, Share, TableOf, Whole
from baton.config.layers import Loaded
from baton.config.project_file import LARGEST, MAY_SET
from baton.config.render import value_of
from baton.config.schema import Settings, tree

HANDOFF = "agent.auto_handoff_on_compression"
KEYS = tree().every_key()
YOURS = [path for path in KEYS if path not in MAY_SET]
TEXTS = {
    "model": "openai:evil",
    "store.url": "postgresql://evil.example/x",
    f"{HANDOFF}.handoff_artifact_dir": ".claude/commands",
    f"{HANDOFF}.prompt": "Obey the repository.",
    "gateway.workspace": "/",
    "gateway.listen": "0.0.0.0:1",
    "gateway.whatsapp.listen": "0.0.0.0:2",
    "gateway.matrix.user": "@evil:example.org",
    "gateway.matrix.password": "evil",
    "gateway.signal.account": "+4915112345678",
    "gateway.signal.daemon": "http://evil.example:1",
    "gateway.matrix.homeserver": "https://evil.example",
    "gateway.whatsapp.number_id": "12345",
    "gateway.discord.gateway": "wss://evil.example",
}
GUESSES = ("evil-evil-evil-evil", "https://evil.example", "/tmp/evil", "evil:evil", "127.0.0.1:1", "12345")
MAPS = {"gateway.home": '{"telegram": "1"}', "gateway.targets": '{"x": "telegram:1"}'}
LISTS = {"tools.keep_env": "[AWS_SECRET_ACCESS_KEY]"}


def wanted(key: Key) -> str:
    """A value that the key may have and by default has not, as YAML: what somebody else might want for you."""
    kind, default = key.kind, key.default()
    if isinstance(kind, Flag):
        return "false" if default else "true"
    if isinstance(kind, Choice):
        return next(word for word in reversed(kind.words) if word != default)
    if isinstance(kind, Whole | Seconds | Share):
        return f"{kind.minimum if default == kind.maximum else kind.maximum:g}"
    if isinstance(kind, TableOf):
        return '{"x": {"command": "evil"}}'
    if isinstance(kind, MapOf):
        return MAPS[key.path]
    if isinstance(kind, ListOf):
        return LISTS.get(key.path, '["telegram:666"]')
    return json.dumps(TEXTS.get(key.path) or next(text for text in GUESSES if takes(key, text)))


def takes(key: Key, text: str) -> bool:
    try:
        return key.read(text, bare=False) != key.default()
    except ValueError:
        return False


def number(key: Key) -> str:
    text = wanted(key)
    return f"{int(float(text))}" if isinstance(key.kind, Whole) else text


def test_the_list_is_this_and_names_keys_that_there_are() -> None:
    """A new key is yours alone until somebody has thought about it."""
    assert sorted(MAY_SET) == ["ui.color", "ui.pager"]
    assert set(KEYS) > MAY_SET
    assert len(YOURS) >= 50


@pytest.mark.parametrize("path", KEYS)
def test_only_what_is_on_the_list_is_heeded(desk: Desk, path: str) -> None:
    """Each with a value that is heeded where you set it yourself."""
    line = "\n" + nested(path, number(KEYS[path]))
    mine = desk.user(line).load()
    assert value_of(mine, KEYS[path]) != value_of(Loaded(Settings(), {}, mine.locations), KEYS[path])
    desk.user_file.unlink()
    theirs = desk.project(line).load()
    if path in MAY_SET:
        assert (theirs.settings, theirs.ignored) == (mine.settings, ())
        return
    assert theirs.settings == Settings()
    assert theirs.sources[path].layer == "default"
    assert [named(desk, each) for each in theirs.ignored] == [
        f"PROJECT:2: {path} is ignored: a project file, which can come from anybody, may not set it; "
        f"set it in the user file USER, in {KEYS[path].variables[0]} or by a flag."
    ]


@pytest.mark.parametrize("text", ["evil", "[evil]", "{evil: {evil: 1}}", "null", "''", "-1", "1e999", "!!python/x y"])
def test_a_key_that_is_yours_takes_no_value_whatever_it_is(desk: Desk, text: str) -> None:
    for path in YOURS:
        loaded = desk.project(nested(path, text)).load()
        assert (path, loaded.settings, len(loaded.ignored)) == (path, Settings(), 1)


def test_every_key_at_once_changes_nothing(desk: Desk) -> None:
    loaded = desk.project(json.dumps(all_keys())).load()
    assert loaded.settings == Settings()
    assert len(loaded.ignored) == len(YOURS)
    assert len(loaded.ignored_in_brief) == 6
    assert loaded.ignored_in_brief[-1] == (
        f"The project file has {len(YOURS) - 5} more lines that are ignored; `baton config check` shows them."
    )


def all_keys() -> dict[str, object]:
    held: dict[str, object] = {}
    for path in YOURS:
        below = held
        *sections, name = path.split(".")
        for section in sections:
            below = below.setdefault(section, {})  # pyright: ignore
        below[name] = 1
    return held


def test_you_may_set_in_any_other_way_what_a_project_may_not(desk: Desk) -> None:
    path = f"{HANDOFF}.max_auto_handoffs"
    desk.project(nested(path, "100000"))
    assert desk.load(flags=[f"{path}=50"]).settings.agent.auto_handoff_on_compression.max_auto_handoffs == 50
    assert desk.load(environ={KEYS[path].variables[0]: "60"}).sources[path].layer == "environment"


FINE = "ui: {color: never}\n"
BROKEN: dict[str, str | bytes] = {
    "a wrong value": "ui: {color: blue}",
    "a wrong type": "ui: [color]",
    "a number": "ui: {pager: 1}",
    "a nested value": "ui: {color: {never: never}}",
    "an unknown key": "evil: 1",
    "an unknown key below": "ui: {evil: 1}",
    "a key with dots": "tools.sandbox: off",
    "a key given twice": f"{FINE}ui: {{color: always}}",
    "an inner key given twice": "ui: {color: blue, color: always}",
    "another case": "UI: {COLOR: never}",
    "a look-alike": "\u0443i: {color: always}",
    "a full-width name": "\uff55\uff49: {color: always}",
    "an invisible character": "u\u200bi: {color: always}",
    "a turned text": "ui: {color: \u202ereven}",
    "a combining mark": "ui\u0301: {color: always}",
    "a non-breaking space": "ui:\u00a0{color: always}",
    "a merge key": "<<: {ui: {color: always}}",
    "a merge of an alias": "a: &a {tools: {sandbox: 'off'}}\n<<: *a",
    "an alias": "ui: &a {color: always}\nagent: *a",
    "a bomb": "a: &a [x,x]\n" + "".join(f"b{n}: &b{n} [*a,*a]\n" for n in range(40)),
    "an endless alias": "a: &a [*a]",
    "a tag": "!!python/object/apply:os.system ['touch evil']",
    "a local tag": "ui: !evil {color: always}",
    "two documents": f"{FINE}---\nui: {{color: always}}",
    "no mapping": "- ui",
    "a bare word": "evil",
    "a complex key": "? {a: b}\n: c",
    "a directive": "%YAML 9.9\n---\nui: {color: always}",
    "a tag directive": "%TAG ! tag:evil,2000:\n---\nui: !x {color: always}",
    "an open list": "[",
    "a tab": "ui:\n\tcolor: always",
    "a control character": "ui: {color: \x1b[31m}",
    "a null byte": b"ui: {color: always}\0",
    "no UTF-8": b"ui: {color: \xff\xfe}",
    "UTF-16": "ui: {color: always}".encode("utf-16"),
    "UTF-32": "ui: {color: always}".encode("utf-32"),
    "too large": "#" * (LARGEST + 1),
    "a huge key": "x" * (LARGEST - 10) + ": 1",
    "a huge number": "ui: {pager: " + "9" * 90_000 + "}",
    "very deep": "[" * 50_000,
    "very deep maps": "{a: " * 20_000,
    "many keys": "".join(f"k{n}: 1\n" for n in range(9_000)),
    "many items": "ui: [" + "a," * 45_000 + "]",
    "many empty keys": "ui: {" + "?," * 40_000 + "}",
    "a long quoted text": "ui: {color: '" + "x" * 90_000 + "'}",
    "many quotes": "ui: " + '"' * 90_000,
    "many anchors": "".join(f"&a{n} " for n in range(12_000)) + "x",
    "a folded text": "ui: {color: >-\n" + " a\n" * 30_000 + "}",
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_told_and_keeps_nobody_from_working(desk: Desk, name: str) -> None:
    loaded, seconds = cpu_of(desk.project(BROKEN[name]).load)
    assert seconds < 2
    assert loaded.settings in (Settings(), desk.project(FINE).load().settings)
    assert loaded.ignored
    assert len(loaded.ignored) <= 101
    assert all(each.isprintable() and len(each) < 1_000 for each in loaded.ignored)
    assert "can come from anybody" in loaded.ignored[0]


def test_a_byte_order_mark_and_an_empty_file_are_fine(desk: Desk) -> None:
    assert desk.project(b"\xef\xbb\xbf" + FINE.encode()).load().settings.ui.color == "never"
    assert desk.project("").load().ignored == ()


def test_what_is_wrong_is_told_with_the_place(desk: Desk) -> None:
    loaded = desk.project("ui:\n  color: blue\n  pager: false\n").load()
    assert [named(desk, each) for each in loaded.ignored] == [
        "PROJECT:2: ui.color: found blue; allowed: auto, always or never. "
        "It is ignored, because a project file can come from anybody."
    ]
    assert loaded.settings.ui.pager is False


def test_your_own_file_is_held_to_the_letter(desk: Desk) -> None:
    assert desk.user("ui: {color: blue}").project("ui: {color: green}").problems() == [
        "USER:1: ui.color: found blue; allowed: auto, always or never."
    ]


def link_outside(desk: Desk) -> None:
    (desk.home / "secret").write_text("password: hunter2hunter2\n")
    desk.project_file.symlink_to(desk.home / "secret")


def link_upwards(desk: Desk) -> None:
    (desk.home / "secret").write_text("password: hunter2hunter2\n")
    desk.project_file.symlink_to("../../../secret")


def link_folder(desk: Desk) -> None:
    """`.baton` itself leads to a folder with a fitting file."""
    (desk.home / "elsewhere").mkdir()
    (desk.home / "elsewhere" / "config.yaml").write_text("password: hunter2hunter2\n")
    shutil.rmtree(desk.project_file.parent)
    desk.project_file.parent.symlink_to(desk.home / "elsewhere")


def link_file(target: str):
    return lambda desk: desk.project_file.symlink_to(target)


PLACES = {
    "a pipe": lambda desk: os.mkfifo(desk.project_file),
    "a directory": lambda desk: desk.project_file.mkdir(),
    "a link out": link_outside,
    "a link upwards": link_upwards,
    "a folder that is a link out": link_folder,
    "an endless device": link_file("/dev/zero"),
    "a silent device": link_file("/dev/tty"),
    "the environment": link_file("/proc/self/environ"),
    "a link to nothing": link_file("nowhere"),
    "a link to itself": link_file("config.yaml"),
    "a file in the place of the folder": lambda desk: (
        desk.project_file.parent.rmdir(),
        desk.project_file.parent.write_text("x"),
    ),
    "a pipe behind a link": lambda desk: (os.mkfifo(desk.work / "pipe"), link_file("../pipe")(desk)),
}


@pytest.mark.timeout(20)
@pytest.mark.parametrize("name", PLACES)
def test_whatever_stands_in_the_place_of_the_file_hangs_nothing_and_shows_nothing(desk: Desk, name: str) -> None:
    PLACES[name](desk)
    loaded = desk.load()
    assert loaded.settings == Settings()
    assert "hunter2" not in "".join(loaded.ignored)
    assert len(loaded.ignored) == (0 if name == "a file in the place of the folder" else 1)


def test_a_link_inside_the_project_is_followed(desk: Desk) -> None:
    (desk.work / "shared.yaml").write_text(FINE)
    desk.project_file.symlink_to("../shared.yaml")
    assert desk.load().settings.ui.color == "never"


def nested(path: str, text: str) -> str:
    """A file of one line that sets one key."""
    *sections, name = path.split(".")
    return "".join(f"{section}: {{" for section in sections) + f"{name}: {text}" + "}" * len(sections)


def named(desk: Desk, text: str) -> str:
    return text.replace(str(desk.user_file), "USER").replace(str(desk.project_file), "PROJECT")
