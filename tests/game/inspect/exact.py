"""The page shows and sends all digits of integers that a number in JavaScript would round.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from browser import complaints
from inspector import CROWD, Game, game
from inspector_page import Page

ENTITIES = 1000
NEXT = 2**53 + 1  # the first that would be rounded


@pytest.fixture(scope="module")
def crowd() -> Iterator[Game]:
    with game(str(ENTITIES), program=CROWD) as running:
        running.call("pause")
        yield running


@pytest.fixture
def books(browser: webdriver.Chrome, crowd: Game) -> Iterator[Page]:
    shown = Page(browser, crowd)
    shown.open("singletons/ledger")
    yield shown
    assert complaints(browser) == []


def shown_as(page: Page, path: str) -> str:
    return str(page.one(f"input[aria-label='{path}']").get_property("value"))


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("ledger.most", 2**64 - 1),
        ("ledger.most", NEXT),
        ("ledger.least", 1 - 2**63),
        ("ledger.least", -NEXT),
        ("ledger.least", 12),
    ],
)
def test_all_digits_are_shown(books: Page, path: str, value: int) -> None:
    books.colony.call("set", path=path, value=value)
    books.until(lambda: shown_as(books, path) == str(value))


@pytest.mark.parametrize(
    ("name", "value"), [("most", 2**64 - 1), ("most", NEXT), ("least", -NEXT), ("least", 5)]
)
def test_all_digits_are_sent(books: Page, name: str, value: int) -> None:
    box = books.one(f"input[aria-label='ledger.{name}']")
    box.send_keys(Keys.CONTROL + "a")
    box.send_keys(str(value), Keys.ENTER)
    books.until(lambda: books.colony.call("singleton", name="ledger")[name] == value)


def test_too_many_digits_are_refused_by_the_game(books: Page) -> None:
    before = books.colony.call("singleton", name="ledger")
    box = books.one("input[aria-label='ledger.most']")
    box.send_keys(Keys.CONTROL + "a")
    box.send_keys(str(2**64), Keys.ENTER)
    books.until(lambda: str(2**64) in books.text(".problem"))
    assert books.colony.call("singleton", name="ledger") == before


def test_neighbours_differ(books: Page) -> None:
    """Both are one number of JavaScript."""
    books.colony.call("set", path="ledger.most", value=NEXT - 1)
    books.open("changes")
    books.one("#remember").click()
    books.until(lambda: "From tick" in books.text("#between"))
    books.colony.call("set", path="ledger.most", value=NEXT)
    books.until(lambda: str(NEXT - 1) in books.text("#changes"))
    assert str(NEXT) in books.text("#changes")
