"""The reference page is made from the schema and is up to date; the packet instructions fit the packet."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from baton.config import Settings
from baton.config.reference import example, reference
from baton.config.schema import handoff_prompt, tree

PAGE = Path(__file__).parents[3] / "docs" / "reference" / "config.md"


def test_the_page_is_in_step_with_the_schema():
    assert PAGE.read_text(encoding="utf-8") == reference(), (
        "out of date; run: python -m baton.config.reference > docs/reference/config.md"
    )


def test_the_module_prints_the_page():
    done = subprocess.run([sys.executable, "-m", "baton.config.reference"], capture_output=True, check=True)
    assert done.stdout.decode() == reference()


def test_every_key_and_section_is_documented():
    page = reference()
    for each in tree().walk():
        assert each.doc.endswith(".")
        assert re.search(rf"^##+ {re.escape(each.path)}\n\n{re.escape(each.doc)}\n", page, re.MULTILINE)
    for key in tree().every_key().values():
        assert all(f"`{variable}`" in page for variable in key.variables)


def test_the_page_ends_with_key_files_that_exist():
    _, _, files = reference().partition("## Key files\n")
    named = re.findall(r"^- `([^`]+)`", files, re.MULTILINE)
    assert named
    assert all((PAGE.parents[2] / name).is_file() for name in named)


def test_the_example_on_the_page_loads_to_the_defaults(desk):
    assert f"```yaml\n{example()}```" in reference()
    loaded = desk.user(example()).load()
    assert loaded.settings == Settings()
    assert {source.layer for source in loaded.sources.values()} == {"user"}


def test_the_packet_instructions_ask_for_the_narrative_sections_only():
    assert re.findall(r"^## (.+)$", handoff_prompt(), re.MULTILINE) == [
        "Completed work",
        "Design decisions",
        "Next recommended action",
        "Rules",
    ]
    assert len(handoff_prompt().split()) < 500
