"""Systems in the inspector's page: the schedule as a picture, and what each takes, in Chromium.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys

from browser import DESKTOP, PHONE
from inspector_page import Page

SIZES = [(360, 740), (390, 844), (768, 1024), (1280, 800), (1920, 1080)]


def test_the_schedule_is_a_picture(page: Page) -> None:
    page.open("systems")
    page.one("g[aria-label='movement']").click()
    page.until(lambda: "velocity" in page.text("#detail"))
    schema = page.colony.call("schema")
    assert len(page.all("svg .node")) == len(schema["systems"])
    page.until(lambda: len(page.all("svg .edge.lit")) >= 2)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=str)
def test_the_schedule_by_keyboard(page: Page, size: tuple[int, int]) -> None:
    """A system is opened and closed where it is, and what is told of it is seen at once."""
    page.resize(*size)
    try:
        page.open("systems")
        seen = page.browser.switch_to
        page.one("g[aria-label='steer']").send_keys(Keys.ENTER)
        page.until(
            lambda: "waits for" in page.text("#detail") and "movement" in page.text("#detail")
        )
        below = (
            "return document.getElementById('detail').getBoundingClientRect().bottom <= innerHeight"
        )
        assert page.browser.execute_script(below)
        assert seen.active_element.get_attribute("aria-label") == "steer"
        page.colony.call("step")  # the picture is drawn anew
        page.until(lambda: page.all("svg .node.hot"))
        seen.active_element.send_keys(Keys.TAB)
        assert seen.active_element.get_attribute("aria-label") != "steer"
        seen.active_element.send_keys(" ")
        page.until(lambda: "steer" not in page.text("#detail h3"))
        page.one("#detail button").send_keys(Keys.ESCAPE)
        page.until(lambda: not page.all("#detail h3"))
        assert seen.active_element.tag_name == "g"
    finally:
        page.own_size()


def test_systems_are_timed_while_they_are_looked_at(page: Page) -> None:
    page.open("systems")
    page.until(lambda: "No tick was measured" in page.text("#measured"))
    for _ in range(30):
        page.colony.call("step")
    page.until(lambda: "over 30 ticks" in page.text("#measured"))
    assert "sampled: 1 tick in 25" in page.text("#measured")
    rows = page.text("#times").splitlines()
    hungry = next(row for row in rows if row.startswith("get_hungry"))
    assert float(hungry.split()[1]) > 0 and hungry.split()[2] == "1.00"
    assert len(page.all("#times tr")) == 1 + len(page.colony.call("systems"))
    hot = [node.get_attribute("aria-label") for node in page.all("svg .node.hot")]
    assert {"steer", "seek_work"} <= set(hot) or {"seek_food", "seek_work"} <= set(hot)
    for _ in range(30):
        page.colony.call("step")
    page.until(lambda: "over 60 ticks" in page.text("#measured"))
    assert page.all("#times polyline")
    page.one("#times button[data-system='1']").send_keys(Keys.ENTER)
    second = page.colony.call("schema")["systems"][1]["name"]
    page.until(lambda: second in page.text("#detail"))


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_bar_and_the_schedule_fit(page: Page, size: tuple[int, int]) -> None:
    """All buttons of time share a row, and nothing of the schedule has to be scrolled sideways."""
    page.resize(*size)
    try:
        page.open("systems")
        page.until(lambda: page.all("#schedule svg"))
        tops = {node.location["y"] for node in page.all("#time > *")}
        assert len(tops) == 1
        assert page.one("#bar").size["height"] < (110 if size[0] < 600 else 90)
        box = "document.getElementById('schedule')"
        fits = f"return {box}.scrollWidth <= {box}.clientWidth"
        page.until(lambda: page.browser.execute_script(fits))
        assert len(page.all("svg .node")) == len(page.colony.call("systems"))
        assert page.browser.execute_script(fits.replace(box, "document.documentElement"))
    finally:
        page.own_size()
