from __future__ import annotations

import pytest

from baton.adapters.models.local import process
from baton.adapters.models.local.catalogue import CATALOGUE, DEFAULT, QWEN_1_5B, find
from baton.core.errors import UnknownModel


def test_a_model_is_found_by_its_name_with_or_without_the_provider() -> None:
    assert find("qwen2.5-coder-1.5b") is find("local:qwen2.5-coder-1.5b") is QWEN_1_5B is DEFAULT


def test_an_unknown_name_is_answered_with_the_known_ones() -> None:
    with pytest.raises(UnknownModel, match=r"qwen2\.5-coder-1\.5b, qwen2\.5-coder-0\.5b, smollm2-135m"):
        find("local:gpt-9")


@pytest.mark.parametrize("weights", CATALOGUE, ids=lambda weights: weights.name)
def test_every_model_states_what_it_needs_to(weights: object) -> None:
    assert len(weights.sha256) == 64  # type: ignore[attr-defined]
    assert weights.licence == "Apache-2.0"  # type: ignore[attr-defined]
    assert weights.note.endswith(".")  # type: ignore[attr-defined]


def test_parts_are_joined_in_numeric_order() -> None:
    assert [name.rpartition("part")[2] for name in QWEN_1_5B.packages] == [str(n) for n in range(1, 23)]


@pytest.mark.parametrize(("cores", "quota", "expected"), [(1, 9, 1), (2, 9, 1), (4, 9, 3), (64, 999, 8), (64, 2, 1)])
def test_a_core_is_left_to_the_others(cores: int, quota: int, expected: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process.os, "sched_getaffinity", lambda _: set(range(cores)), raising=False)
    monkeypatch.setattr(process, "_quota", lambda: quota)
    assert process.default_threads() == expected
