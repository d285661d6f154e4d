"""Shared by all tests: the generator can be imported, and `--update` renews expected texts."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from selenium import webdriver

ROOT = Path(__file__).parent.parent

sys.path[:0] = [str(ROOT / folder) for folder in ("codegen", "tests/support", "tests/saves/load")]

# Python looks for circles of objects whenever so many are new. Tests make millions that are in no
# circle, for what compilers print and for models of schemas.
gc.set_threshold(200_000)

# Where single tests take seconds. They begin first, so that at the end no processor waits for one.
LONG = (
    "build/test_build.py",
    "language/bad/test_random_schemas.py",
    "output/edges/test_links.py",
    "output/edges/test_stubs.py",
    "output/golden/test_random_schemas.py",
    "reach/languages.py",
    "runtime/composites/",
    "runtime/workers/",
    "saves/",
    "user/",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    tests = ROOT / "tests"
    items.sort(key=lambda item: not item.path.relative_to(tests).as_posix().startswith(LONG))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update",
        action="store_true",
        help="write what comes out as what is expected, to be read in the diff",
    )


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update"))


@pytest.fixture(scope="session")
def one_browser() -> Iterator[webdriver.Chrome]:
    """The browser of all tests of a worker, because it takes seconds to start."""
    from browser import chromium

    with chromium() as one:
        yield one


@pytest.fixture(scope="module")
def browser(one_browser: webdriver.Chrome) -> webdriver.Chrome:
    """That browser, as if no other module had used it."""
    from browser import reset

    reset(one_browser)
    return one_browser
