"""Shares a browser, and a colony that stands still, among tests of the inspector's page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver

from browser import chromium, complaints
from inspector import INSPECT, PAUSED, Game, game
from inspector_page import Page


@pytest.fixture(scope="module")
def browser() -> Iterator[webdriver.Chrome]:
    with chromium() as one:
        yield one


@pytest.fixture(scope="module")
def colony() -> Iterator[Game]:
    with game(*PAUSED, program=INSPECT) as running:
        yield running


@pytest.fixture
def page(browser: webdriver.Chrome, colony: Game) -> Iterator[Page]:
    shown = Page(browser, colony)
    yield shown
    assert complaints(browser) == []
