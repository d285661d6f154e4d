"""What all tests share: the generator can be imported, and exact texts can be renewed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

sys.path[:0] = [str(ROOT / folder) for folder in ("codegen", "tests/support", "tests/saves/load")]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update",
        action="store_true",
        help="write what comes out as what is expected, to be read in the diff",
    )


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update"))
