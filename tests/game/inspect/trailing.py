"""Finds a wrong order of systems by the page alone: why are loads one step behind their carriers?

In build/trailing/inspect/trailing, `carry` moves loads before `movement` moves the carriers.
`ninja test-look` runs this; it needs the packages that `.ci/install --look` installs.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver

from browser import complaints
from inspector import INSPECT, PAUSED, Game, game
from inspector_page import Page
from seeded import open_first, step, watch, writers

TRAILING = "build/trailing/inspect/trailing"
TICKS = 60  # some villagers carry loads then
CARRIER = "#relations .body[data-of='carried_by'] .value a"


def opened(browser: webdriver.Chrome, colony: Game, size: tuple[int, int]) -> Page:
    browser.set_window_size(*size)
    page = Page(browser, colony)
    watch(page)
    step(page, TICKS)
    return page


@pytest.fixture
def page(browser: webdriver.Chrome, size: tuple[int, int]) -> Iterator[Page]:
    with game(*PAUSED, program=TRAILING) as colony:
        yield opened(browser, colony, size)
        assert complaints(browser) == []
        browser.get("about:blank")


def place(page: Page) -> tuple[str, ...]:
    boxes = [f"input[aria-label='position.{axis}']" for axis in "xy"]
    return tuple(str(page.one(box).get_attribute("value")) for box in boxes)


def go_to_carrier(page: Page) -> None:
    """Follows the link from a load to its carrier."""
    here = page.text("h2")
    page.one(CARRIER).click()
    page.until(lambda: page.text("h2") not in ("", here))


def writes(page: Page) -> list[list[str]]:
    """Reads the writes of a position: tick, writer, axis, and the value before and after."""
    rows = writers(page, "position").replace("→", " ").splitlines()[1:]
    return [row.split()[:5] for row in rows]


def details(page: Page) -> dict[str, str]:
    rows = page.text("#detail tr").splitlines()
    return dict(row.split("\t", 1) for row in rows if "\t" in row)


def test_the_stale_value_is_found(page: Page) -> None:
    """The load gets the place that its carrier had before the last move of the same tick."""
    open_first(page, "cargo")
    load = place(page)
    tick, writer, *_ = writes(page)[0]
    assert writer == "carry"
    go_to_carrier(page)
    page.until(lambda: page.all("#component-walker"))
    now = place(page)
    assert now != load
    axis = 0 if now[0] != load[0] else 1
    moves = [row for row in writes(page) if row[2] == "xy"[axis]]
    assert moves[0] == [tick, "movement", "xy"[axis], load[axis], now[axis]]


def test_the_order_is_found(page: Page) -> None:
    """From a load to its writer, to what it waits for, and to the bars of a tick."""
    open_first(page, "cargo")
    assert "carry" in writers(page, "position")
    page.one("#component-position .may a[href='#/systems/carry']").click()
    page.until(lambda: page.text("#detail h3") == "carry")
    rows = details(page)
    assert rows["waits for"] == "nothing" and rows["before"] == "movement"
    assert "position by movement" in rows["written later"]
    page.one("#detail a[href='#/systems/movement']").click()
    page.until(lambda: page.text("#detail h3") == "movement")
    assert details(page)["waits for"] == "steer, carry"
    page.open("timeline")
    page.one("#record").click()
    page.until(lambda: {"carry", "movement"} <= set(bars(page)))
    assert bars(page).index("carry") < bars(page).index("movement")


def bars(page: Page) -> list[str]:
    """Returns the names of the systems in the picture, from left to right."""
    found: list[str] = page.browser.execute_script("""
        return [...document.querySelectorAll('.zone.system')]
          .sort((a, b) => a.querySelector('rect').x.baseVal.value
            - b.querySelector('rect').x.baseVal.value)
          .map((one) => one.dataset.name);
    """)
    return found


def test_without_the_bug_loads_are_where_their_carriers_are(
    browser: webdriver.Chrome, size: tuple[int, int]
) -> None:
    with game(*PAUSED, program=INSPECT) as colony:
        page = opened(browser, colony, size)
        open_first(page, "cargo")
        load = place(page)
        go_to_carrier(page)
        page.until(lambda: page.all("#component-walker"))
        assert place(page) == load
        page.open("systems/carry")
        page.until(lambda: "waits for" in page.text("#detail"))
        assert "position by movement" not in page.text("#detail")
        browser.get("about:blank")


def test_the_schema_differs_by_one_line() -> None:
    def systems(program: str) -> list[str]:
        with game(*PAUSED, program=program) as colony:
            return [one["name"] for one in colony.call("systems")]

    right, wrong = systems(INSPECT), systems(TRAILING)
    assert right.index("movement") < right.index("carry")
    assert wrong.index("movement") > wrong.index("carry")
    assert sorted(right) == sorted(wrong)
