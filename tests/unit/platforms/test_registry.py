"""Every platform is everywhere it must be, and its library is paid for only if it is opened."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from baton.adapters.platforms.registry import NEEDS
from baton.config.gateway_settings import GatewaySettings
from baton.config.keys import Section, tree_of
from baton.core.transfer.place import PLATFORMS
from tests.contract.platform.stages import STAGES

ROOT = Path(__file__).parents[3]
LIBRARIES = (
    "aiohttp",
    "discord",
    "httpx",
    "httpx2",
    "markdown_it",
    "nio",
    "slack_sdk",
    "starlette",
    "telegram",
    "uvicorn",
)


def test_nothing_heavy_is_imported_before_a_platform_is_opened() -> None:
    heavy = f"print([name for name in {LIBRARIES} if name in sys.modules])"
    code = f"import sys, baton.adapters.platforms.registry; {heavy}"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("name", PLATFORMS)
def test_a_platform_is_everywhere_it_must_be(name: str) -> None:
    assert name in NEEDS, f"NEEDS of src/baton/adapters/platforms/registry.py has no line for {name}"
    section = tree_of(GatewaySettings).children.get(name)
    assert isinstance(section, Section), (
        f"GatewaySettings of src/baton/config/gateway_settings.py has no section {name}"
    )
    keys = [key for key in NEEDS[name] if key not in section.children]
    assert keys == [], (
        f"{section.settings.__name__} of src/baton/config/platform_settings.py lacks keys that NEEDS names"
    )
    path = ROOT / "src" / "baton" / "adapters" / "platforms" / name / "platform.py"
    assert "open_platform" in functions(path), f"no open_platform in {path.relative_to(ROOT)}"
    assert name in STAGES, f"STAGES of tests/contract/platform/stages.py has no line for {name}"
    for file in ("stage.py", "__main__.py"):
        path = ROOT / "tests" / "support" / "platforms" / name / file
        assert path.is_file(), f"there is no {path.relative_to(ROOT)}"


def test_nothing_is_registered_that_is_no_platform() -> None:
    assert set(NEEDS) == set(PLATFORMS), "NAMES of src/baton/core/transfer/place.py lacks one of NEEDS"
    stages = {name for name in STAGES if not name.startswith("fake")}
    assert stages == set(PLATFORMS), "NAMES of src/baton/core/transfer/place.py lacks one of STAGES"


def functions(path: Path) -> list[str]:
    """The functions of a module that is not imported, for that would need the platform's library."""
    tree = ast.parse(path.read_text()) if path.is_file() else ast.Module([], [])
    return [each.name for each in tree.body if isinstance(each, ast.FunctionDef)]
