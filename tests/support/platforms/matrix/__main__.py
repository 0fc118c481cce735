"""`python -m tests.support.platforms.matrix`: Synapse with people in it, as a process of its own."""

from __future__ import annotations

from tests.support.platforms.admin import main
from tests.support.platforms.matrix.stage import MatrixStage

if __name__ == "__main__":
    main(MatrixStage)
