from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest
from bench.house import __main__ as command
from bench.house import imports, rows, shapes, wheels, words
from bench.house.tree import Source, Tree, mended, read_tree


def tree(**files: str) -> Tree:
    """A package with these files, `_` in their names for `/`."""
    named = {f"baton/{name.replace('_', '/')}.py": text for name, text in files.items()}
    return Tree("t", Path("baton"), tuple(Source(path, text) for path, text in named.items()), is_baton=True)


@pytest.mark.parametrize("name", ["held", "_checked", "unseen", "withheld", "said", "stopped"])
def test_a_bare_participle_is_found(name: str) -> None:
    assert words.is_past(name)


@pytest.mark.parametrize("name", ["feed", "read", "put", "is_held", "held_by", "__enter__", "shred", "red", "open"])
def test_other_names_are_none(name: str) -> None:
    assert not words.is_past(name)


def test_words_in_ing_are_counted_apart() -> None:
    assert [name for name in ("waiting", "_typing", "string", "ring", "is_waiting") if words.is_present(name)] == [
        "waiting",
        "_typing",
    ]


def test_properties_are_no_functions_and_places_are_told() -> None:
    one = tree(core="class A:\n @property\n def held(self): ...\n def kept(self): ...\n def keep(self): ...\n")
    assert words.past_names(one) == ["baton/core.py:4 kept"]
    assert words.past_share(one) == 50.0


def test_bags_are_counted_where_they_stand_in_a_signature() -> None:
    text = "def f(a: Mapping[str, Any], b: list[dict[str, Any]] = []) -> dict[str, Any]: ...\n"
    text += "class C:\n  field: dict[str, Any]\n  other: dict[str, int]\n"
    one = tree(core_a=text, adapters_b=text)
    assert len(shapes.bags_in_signatures(one)) == 3
    assert shapes.bags_in_fields(one) == ["baton/core/a.py:3 C.field"]


def test_a_constructor_is_wide_beyond_six_parameters_besides_self() -> None:
    six, seven = "a, b, c, *, d, e, f", "a, b, c, *, d, e, f, g"
    assert shapes.wide_constructors(tree(core=f"class A:\n def __init__(self, {six}): ...\n")) == []
    assert len(shapes.wide_constructors(tree(core=f"class A:\n def __init__(self, {seven}): ...\n"))) == 1


def test_json_searched_as_text_is_a_quoted_key_in_something() -> None:
    text = """if '"end"' in body or f'"{name}"' in body: ...\nif '"turn":' not in body: ...\n"""
    other = """if "end" in body or '"' in body or 'say "no" now' in body: ...\n"""
    assert len(shapes.json_searched_as_text(tree(core=text))) == 3
    assert shapes.json_searched_as_text(tree(core=other)) == []


def test_cycles_are_of_what_is_imported_while_modules_load() -> None:
    late = "def f():\n    from baton.core import a\n"
    types = "if TYPE_CHECKING:\n    from baton.core.a import A\n"
    both = tree(core_a="from baton.core import b\n", core_b="from . import a\n", core_c="import baton.core.a\n")
    assert imports.cycles(both, late=False) == ["baton.core.a ↔ baton.core.b"]
    hidden = tree(core_a="import baton.core.b\n", core_b=late)
    assert (imports.cycles(hidden, late=False), len(imports.cycles(hidden, late=True))) == ([], 1)
    assert imports.cycles(tree(core_a="import baton.core.b\n", core_b=types), late=True) == []


def test_rooms_of_a_layer_are_siblings_and_what_is_shared_belongs_to_all() -> None:
    one = tree(
        surfaces_words="from baton.surfaces.cli.show import line\n",
        surfaces_cli_show="from baton.surfaces import words\nfrom baton.surfaces.shared import rows\n",
        surfaces_shared_rows="",
        surfaces_tui_app="from baton.surfaces.cli import show\nfrom baton.surfaces.tui import view\n",
        surfaces_tui_view="",
    )
    assert imports.siblings(one, "surfaces") == ["baton/surfaces/tui/app.py:1 baton.surfaces.cli.show"]


def test_sizes_leave_out_init_files() -> None:
    sized = tree(a="x\n" * 39, b="x\n" * 59, c="x\n" * 301)
    one = Tree("t", Path("baton"), (*sized.sources, Source("baton/__init__.py", "x\n")))
    assert (rows.under(one, 40), rows.under(one, 60), rows.over(one, 300)) == (1, 2, 1)
    assert (one.lines, rows.quartile(one, 2)) == (400, 59)


def test_lines_before_the_first_definition_end_at_its_decorator() -> None:
    assert rows.head_share(tree(core="import a\n\n@b\ndef f():\n    pass\n" + "\n" * 3)) == 25.0
    assert rows.head_share(tree(core="A = 1\nB = 2\n")) == 100.0


def test_the_longest_function() -> None:
    assert rows.longest_function(tree(core="def f():\n  def g():\n    pass\n  return g\n")) == 4


def test_ruff_counts_what_is_silenced(tmp_path: Path) -> None:
    (tmp_path / "baton").mkdir()
    (tmp_path / "baton" / "a.py").write_text("try: ...\nexcept Exception: ...  # noqa: BLE001\n")
    assert rows.hits_per_thousand(read_tree("t", tmp_path / "baton")) == 500.0


def test_newer_syntax_is_read_line_by_line_the_same() -> None:
    text = "type A[T] = list[T]\nclass B[\n    T: dict[str, int],\n](C):\n    def f[X](self): ...\n"
    source = Source("baton/a.py", text)
    assert [function.lineno for function in source.functions] == [5]
    assert mended(text).count("\n") == text.count("\n")


def test_baton_rows_are_blank_elsewhere() -> None:
    peer = Tree("p", Path("p"), ())
    assert [row.key for row in rows.ROWS if row.only_baton and row.figure(peer) is not None] == []
    assert [rows.shown(each, "%") for each in (None, 3, 9.349, 23.71)] == ["", "3 %", "9.35 %", "23.7 %"]


def test_a_wheel_is_unpacked_as_data(tmp_path: Path) -> None:
    wheel = tmp_path / "agent_client_protocol-1.2-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("acp/__init__.py", "raise SystemExit\n")
    found = wheels.unpack(wheel, "acp")
    assert (found.title, found.lines, found.is_baton) == ("agent-client-protocol 1.2", 1, False)


def test_what_is_neither_a_directory_nor_a_revision_is_refused() -> None:
    with pytest.raises(SystemExit, match="neither"), command.checkout("no-such-revision"):
        pass


def test_a_table_and_what_it_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("then", "now"):
        (tmp_path / name / "src" / "baton").mkdir(parents=True)
        (tmp_path / name / "src" / "baton" / "a.py").write_text("def held(): ...\n")
    monkeypatch.setattr(command, "ROOT", tmp_path / "now")
    assert command.main(["--no-peers", "--names", "--before", str(tmp_path / "then"), "--json", "out.json"]) == 0
    assert "  baton/a.py:1 held" in capsys.readouterr().out
    result = json.loads(Path("out.json").read_text())
    assert result["columns"] == ["Baton before", "Baton now"]
    assert result["rows"]["past"] == [100.0, 100.0]
