from __future__ import annotations

import pytest

from tests.contract.model.kit import ALL, REAL, Backend


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(params=list(ALL))
def backend(request: pytest.FixtureRequest) -> Backend:
    """Each model, the fake among them."""
    return ALL[request.param]


@pytest.fixture(params=list(REAL))
def provider(request: pytest.FixtureRequest) -> Backend:
    """Each model that speaks to a server."""
    return REAL[request.param]
