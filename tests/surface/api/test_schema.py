"""The API against its own document: whatever schemathesis sends, it answers as it says, and never fails."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi import checks

from baton.surfaces.api.app import OPERATIONS
from baton.surfaces.api.openapi import document
from baton.testing.model import FakeModel
from tests.support.api_bed import BEARER, ApiBed
from tests.support.patience import PATIENCE
from tests.surface.api.conftest import Deploy, script

EXAMPLES = 20
CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
    checks.unsupported_method,
    checks.allow_header_conformance,
]
ENDLESS = {"followConversation"}
"""A stream without an end cannot be awaited; it has tests of its own."""
REFUSED = ["400", "404", "405", "413", "415"]
_CONFIG = SchemathesisConfig.from_dict({"checks": {"negative_data_rejection": {"expected-statuses": REFUSED}}})
document_ = schemathesis.openapi.from_dict({**document(OPERATIONS), "security": []}, config=_CONFIG)
"""Every request carries the token: without it there is one answer only, which `test_guard` looks at."""


class Known:
    """What is there to be asked for."""

    url = ""
    conversation = ""
    draft = ""
    transfer = ""


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest) -> Iterator[Known]:
    """The API in a loop of its own: schemathesis does not know of loops."""
    known, ready, done = Known(), threading.Event(), threading.Event()
    path = tmp_path_factory.mktemp("api")
    thread = threading.Thread(target=lambda: asyncio.run(_serve(path, known, ready, done)))
    thread.start()
    try:
        assert ready.wait(30)
        yield known
    finally:
        done.set()
        thread.join()
    if not request.session.testsfailed:
        assert min(SENT.values()) >= 8, "an operation was hardly tried"


async def _serve(path: Path, known: Known, ready: threading.Event, done: threading.Event) -> None:
    async with ApiBed(path, FakeModel(script), tools=[Deploy()]) as bed:
        known.url = bed.url
        known.conversation = await bed.begin("hello")
        made = await bed.post(f"/v1/conversations/{known.conversation}/handoffs", 201, kind="draft")
        known.draft = made["draft_id"]
        asked = await bed.post(f"/v1/conversations/{known.conversation}/transfers", 202, to="terminal")
        known.transfer = asked["transfer_id"]
        ready.set()
        await asyncio.to_thread(done.wait)


def _aimed(case: schemathesis.Case, known: Known) -> None:
    """Every other id that could be one is one that is there."""
    given: dict[str, Any] = case.path_parameters or {}
    text = str(given.get("id", ""))
    kinds = {"conversations": known.conversation, "drafts": known.draft, "transfers": known.transfer}
    if len(text) == 14 and text[1] == "_" and ord(text[-1]) % 2:
        given["id"] = kinds[case.operation.path.split("/")[2]]


def _test(name: str) -> Any:
    """A test of one operation. Schemathesis makes one of all operations, whose parts xdist cannot tell apart."""

    @document_.include(operation_id=name).parametrize()
    @settings(
        max_examples=EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def test(case: schemathesis.Case, known: Known) -> None:
        _aimed(case, known)
        SENT[name] += 1
        case.call_and_validate(base_url=known.url, headers=BEARER, checks=CHECKS, timeout=PATIENCE)

    return test


SENT: Counter[str] = Counter()
for _operation in OPERATIONS:
    if _operation.name not in ENDLESS:
        globals()[f"test_{_operation.name}_keeps_to_the_document"] = _test(_operation.name)
