"""Finds a missing write by the page alone: why are fields ripe again as soon as they are gathered?

In build/inspect/regrown, `gather` does not reset `plant.hours_grown` of grain. `ninja test-look`
runs this; it needs the packages that `.ci/install --look` installs.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver

from browser import complaints
from inspector import INSPECT, PAUSED, Game, game
from inspector_page import Page
from seeded import open_first, step, stop_at, watch, writers

TICKS = 120  # fields have been gathered by then
GOODS = "select[aria-label='plant.goods']"
RESET = "plant.goods == grain & plant.hours_grown < 24"  # others have grown for all of 30 hours
GATHERED = "plant.goods == grain & plant.hours_grown > 48"  # an untouched field ripens with 32


def opened(browser: webdriver.Chrome, colony: Game, size: tuple[int, int]) -> Page:
    browser.set_window_size(*size)
    return Page(browser, colony)


@pytest.fixture
def page(browser: webdriver.Chrome, size: tuple[int, int]) -> Iterator[Page]:
    with game(*PAUSED, program="build/inspect/regrown") as colony:
        yield opened(browser, colony, size)
        assert complaints(browser) == []
        browser.get("about:blank")


def those_who_did(page: Page) -> str:
    """Returns the sentence about the writers of a plant, without those who did not write it."""
    return page.text("#component-plant .may").split(", and also by")[0]


def test_the_missing_write_is_found(page: Page) -> None:
    watch(page)
    step(page, TICKS)
    open_first(page, GATHERED)
    # Commands of `gather` take the tag `ripe` away, and `ripen` adds it in the next tick.
    ripe = writers(page, "ripe").splitlines()
    assert "commands of gather" in ripe[2] and "was removed" in ripe[2]
    gathered, ripened = (int(ripe[i].split()[0].replace(",", "")) for i in (2, 1))
    assert "ripen" in ripe[1] and "was added" in ripe[1] and ripened == gathered + 1
    # But `gather` has not written the plant, although it may.
    assert "ripen" in writers(page, "plant") and "gather" not in writers_of_plant(page)
    words = ", and also by gather, which did not in these ticks."
    page.until(lambda: page.text("#component-plant .may").endswith(words))


def writers_of_plant(page: Page) -> str:
    return page.text("#component-plant .writes table")


def test_the_exact_condition_is_found(page: Page) -> None:
    """A stop at what should happen shows the plants for which it does: trees, never fields."""
    watch(page)
    stop_at(page, "plant.hours_grown falls")
    for _ in range(3):
        before = page.text("#stopped")
        page.one("#pause").click()
        page.until(lambda before=before: page.text("#stopped") not in ("", before))
        assert "gather wrote 0" in page.text("#stopped")
        page.one("#stopped a").click()
        page.until(lambda: "gather" in writers_of_plant(page))
        page.until(lambda: "gather" in those_who_did(page))
        page.until(lambda: page.one(GOODS).get_attribute("value") == "wood")
        page.open("stops")
        page.until(lambda: page.all("#stops .card"))
    page.one("#stops button.danger").click()
    page.until(lambda: "No stop is set" in page.text("#stops"))
    step(page, TICKS)
    page.find(GATHERED)  # fields have been gathered, but their growth never fell
    page.until(lambda: page.ids())


def test_without_the_bug_gather_writes_each_field(
    browser: webdriver.Chrome, size: tuple[int, int]
) -> None:
    with game(*PAUSED, program=INSPECT) as colony:
        page = opened(browser, colony, size)
        watch(page)
        step(page, TICKS)
        open_first(page, RESET)
        writers(page, "plant")
        page.until(lambda: "gather" in those_who_did(page))
        browser.get("about:blank")
