"""What Baton installs is known: licences, bill of materials, advisories, and what nobody looks after."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from supply.audit import find_problems, find_unaudited
from supply.licence_names import READ_BY_HAND, is_allowed, spdx
from supply.licences import KEPT, find_resting, render_licences
from supply.lock import BUILD, ROOT, RUNTIME, Pin, read_all, read_lock
from supply.renew import describe
from supply.sbom import render_sbom
from supply.snapshot import Advisory, Outdated, Package, Snapshot, dump, load

from baton.core.value import replace

PLANTED = Advisory("PYSEC-2026-1", ("CVE-2026-0001",), "it lets anybody in", ("99.0",))
SAID = {"packagetype": "bdist_wheel", "upload_time": "2026-01-02T03:04:05"}


def planted(name: str, *advisories: Advisory) -> Snapshot:
    snapshot = load()
    package = replace(snapshot.packages[name], advisories=advisories)
    return replace(snapshot, packages={**snapshot.packages, name: package})


def test_no_locked_version_has_a_known_vulnerability(capsys: pytest.CaptureFixture[str]) -> None:
    snapshot = load()
    silent = find_unaudited(read_all(), snapshot)
    with capsys.disabled():
        sys.stdout.write(f"\naudit: advisories of {snapshot.taken}; not audited: {', '.join(silent) or 'nothing'}\n")
    assert find_problems(read_all(), snapshot) == []
    assert len(silent) <= 3


@pytest.mark.parametrize("name", ["aiohttp", "pytest", "hatchling"])
def test_a_planted_advisory_is_found_in_every_lock(name: str) -> None:
    version = load().packages[name].version
    assert find_problems(read_all(), planted(name, PLANTED)) == [
        f"{name} {version} has PYSEC-2026-1 (it lets anybody in), fixed in 99.0"
    ]


def test_an_accepted_advisory_is_passed_by_its_alias_and_must_go_with_it() -> None:
    accepted = {"CVE-2026-0001": "Baton does not use that part"}
    assert find_problems(read_all(), planted("aiohttp", PLANTED), accepted) == []
    assert find_problems(read_all(), load(), accepted) == ["CVE-2026-0001 is accepted, and nothing has it any more"]


def test_a_version_that_the_snapshot_does_not_know_is_a_problem() -> None:
    newer = Pin("aiohttp", "99.0", "", (), ())
    assert "python -m supply.renew" in find_problems([newer], load())[0]
    for render in (render_sbom, render_licences):
        with pytest.raises(Outdated):
            render((newer,), load())


def test_the_audit_runs_without_a_network() -> None:
    block = "import socket\ndef no(*_, **__): raise OSError('no network')\nsocket.socket.connect = no\n"
    code = f"{block}import supply.audit; raise SystemExit(supply.audit.main())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No known vulnerability." in done.stdout


@pytest.mark.parametrize(
    ("page", "render"), [("docs/sbom.cdx.json", render_sbom), ("docs/reference/licences.md", render_licences)]
)
def test_a_generated_page_fits_the_lock(page: str, render: object) -> None:
    assert callable(render)
    assert render(read_lock(RUNTIME), load()) == (ROOT / page).read_text(encoding="utf-8")


def test_the_bill_of_materials_names_every_locked_package_once_with_its_hashes() -> None:
    bill, pins = json.loads((ROOT / "docs" / "sbom.cdx.json").read_text()), read_lock(RUNTIME)
    assert [each["purl"] for each in bill["components"]] == [pin.purl for pin in pins]
    stated = {each["name"]: {one["name"]: one["value"] for one in each["properties"]} for each in bill["components"]}
    assert all(stated[pin.name]["baton:sha256"].split() == sorted(pin.hashes) for pin in pins)
    refs = {each["ref"] for each in bill["dependencies"]}
    assert {need for each in bill["dependencies"] for need in each["dependsOn"]} <= refs
    assert len(refs) == len(pins) + 1


def test_every_licence_goes_with_ours() -> None:
    found = {pin.name: load().of(pin).licence for pin in read_all()}
    assert {name: licence for name, licence in found.items() if not is_allowed(licence)} == {}


@pytest.mark.parametrize(
    "licence",
    ["GPL-3.0-only", "AGPL-3.0-or-later", "MIT AND GPL-2.0-only", "SSPL-1.0", "CC-BY-NC-SA-4.0", "unknown", ""],
)
def test_a_licence_that_does_not_is_refused(licence: str) -> None:
    assert not is_allowed(licence)


@pytest.mark.parametrize("licence", ["MIT OR GPL-3.0-only", "(Apache-2.0 OR MIT)", "MIT AND Apache-2.0", "MPL-2.0"])
def test_one_of_two_to_choose_from_suffices(licence: str) -> None:
    assert is_allowed(licence)


@pytest.mark.parametrize(
    ("info", "licence"),
    [
        ({"license_expression": "MIT"}, "MIT"),
        ({"license": "The MIT License (MIT)\n\nCopyright"}, "MIT"),
        ({"license": "", "classifiers": ["License :: OSI Approved :: Apache Software License"]}, "Apache-2.0"),
        ({"license": "free for friends"}, "unknown"),
        ({"classifiers": ["License :: OSI Approved :: GNU General Public License v3 (GPLv3)"]}, "unknown"),
    ],
)
def test_a_licence_is_read_from_what_the_package_states(info: dict[str, object], licence: str) -> None:
    assert spdx("some-package", info) == licence


def test_what_is_read_by_hand_is_still_locked() -> None:
    assert READ_BY_HAND.keys() <= {pin.name for pin in read_all()}


def test_nothing_has_to_be_built_and_what_rests_for_years_is_kept_for_a_reason() -> None:
    pins, snapshot = read_lock(RUNTIME), load()
    assert [pin.name for pin in (*pins, *read_lock(BUILD)) if not snapshot.of(pin).wheel] == []
    assert find_resting(pins, snapshot) == KEPT.keys()


def test_the_readme_installs_by_hash_and_the_builder_is_the_locked_one() -> None:
    readme = (ROOT / "README.md").read_text()
    assert "--require-hashes -r requirements-build.lock -r requirements.lock" in readme
    required = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    locked = [f"{pin.name}=={pin.version}" for pin in read_lock(BUILD)]
    assert set(required) <= set(locked)


def test_a_page_of_the_index_becomes_a_package() -> None:
    pin = Pin("thing", "1.0", "", (), ())
    vulnerabilities = [
        {"id": "PYSEC-1", "aliases": ["CVE-1"], "summary": "bad", "fixed_in": ["2.0"]},
        {"id": "GHSA-1", "aliases": ["CVE-1"], "summary": "the same", "fixed_in": []},
        {"id": "PYSEC-2", "aliases": [], "summary": "taken back", "fixed_in": [], "withdrawn": "2026-01-01"},
    ]
    page = {
        "info": {"version": "1.0", "license_expression": "MIT"},
        "urls": [SAID],
        "releases": {"1.0": [SAID], "0.9": [{**SAID, "upload_time": "2025-01-01T00:00:00"}]},
        "vulnerabilities": vulnerabilities,
    }
    bad = Advisory("PYSEC-1", ("CVE-1",), "bad", ("2.0",))
    assert describe(pin, page) == Package("thing", "1.0", "MIT", "2026-01-02", True, (bad,))
    older = describe(replace(pin, version="0.9"), page)
    assert (older.advisories, older.wheel) == (None, True)
    with pytest.raises(ValueError, match="no files of thing 3"):
        describe(replace(pin, version="3"), page)


def test_a_snapshot_is_read_as_it_was_written(tmp_path: Path) -> None:
    package = Package("thing", "1.0", "MIT", "2026-01-02", True, (PLANTED,))
    silent = replace(package, name="other", advisories=None)
    (tmp_path / "s.json").write_text(dump("2026-11-17", [package, silent]))
    assert load(tmp_path / "s.json") == Snapshot("2026-11-17", {"other": silent, "thing": package})


@pytest.mark.parametrize("text", ["", "aiohttp\n", "aiohttp>=3 \\\n", "aiohttp @ file:///x\n"])
def test_a_lock_that_pins_nothing_is_refused(text: str, tmp_path: Path) -> None:
    (tmp_path / "x.lock").write_text(text)
    with pytest.raises(ValueError, match="pins nothing"):
        read_lock(tmp_path / "x.lock")
