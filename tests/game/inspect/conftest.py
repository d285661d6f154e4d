"""Shares a colony whose time stands still among tests of the inspector's page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from inspector import CROWD, INSPECT, PAUSED, Game, game

if TYPE_CHECKING:
    from selenium import webdriver

    from inspector_page import Page

# pytest reads this file wherever it looks for tests, also where nothing drives a browser.


@pytest.fixture(scope="module")
def colony() -> Iterator[Game]:
    with game(*PAUSED, program=INSPECT) as running:
        yield running


@pytest.fixture(scope="module")
def crowd() -> Iterator[Game]:
    """Shares a world of 100 entities with values of every shape, links and prefabs with parts."""
    with game("100", program=CROWD) as running:
        running.call("pause")
        yield running


@pytest.fixture
def page(browser: webdriver.Chrome, colony: Game) -> Iterator[Page]:
    from browser import complaints
    from inspector_page import Page

    shown = Page(browser, colony)
    yield shown
    assert complaints(browser) == []
    browser.get("about:blank")  # or the page would complain when its game ends


@pytest.fixture(params=[(1280, 800), (390, 844)], ids=["desktop", "phone"])
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    """The size of a window, of a desktop and of a phone."""
    chosen: tuple[int, int] = request.param
    return chosen
