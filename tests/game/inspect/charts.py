"""Values over ticks: series by calls, and the page with its charts.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browser import PHONE
from inspector import PAUSED, Game, RefusedError, game, people
from inspector_page import Page

SIZES = [(1280, 800), (1920, 1080), PHONE]


@pytest.fixture
def colony() -> Iterator[Game]:
    with game(*PAUSED, "--watch") as running:
        yield running


def a_depot(colony: Game) -> str:
    """Returns the first depot, with bread in it."""
    depot: str = colony.call("entities", where="depot & stock", limit=1)["rows"][0]["id"]
    colony.call("set", id=depot, path="stock.amount[bread]", value=500)
    return depot


# ---- calls


def test_a_point_for_each_tick(colony: Game) -> None:
    one = people(colony, "worker")[0]
    of = f"needs.hunger of {one}"
    colony.call("series", of=of)
    seen = []
    for tick in range(30):
        hunger = colony.call("entity", id=one)["components"]["needs"]["hunger"]
        seen.append([tick, pytest.approx(hunger, rel=1e-6)])
        colony.step(1)
    points = colony.call("series", of=of)["points"]
    assert points[:-1] == seen and points[-1][0] == 30
    colony.call("despawn", id=one)
    colony.step(2)
    assert colony.call("series", of=of)["points"][-1] == [32, None]


def test_an_aggregate_is_that_of_its_entities(colony: Game) -> None:
    of = "mean of needs.hunger where worker & !asleep"
    for _ in range(5):
        colony.step(7)
        asked: dict[str, Any] = {"where": "worker & !asleep & needs", "columns": ["needs.hunger"]}
        rows = colony.call("entities", **asked, limit=500)["rows"]
        mean = sum(row["values"][0] for row in rows) / len(rows)
        tick = colony.call("stats")["tick"]
        last = [-1, 0]
        while last[0] != tick:  # the game rests between two passes
            last = ([last, *colony.call("series", of=of)["points"]])[-1]
        assert last[1] == pytest.approx(mean, rel=1e-5)


def test_a_jump_is_labelled_by_its_system(colony: Game) -> None:
    depot = a_depot(colony)
    of, path = f"stock.amount[bread] of {depot}", "stock.amount[bread]"
    colony.call("series", of=of)
    jumps: list[dict[str, Any]] = []
    while not any(jump["writer"] == "deliver" for jump in jumps):
        colony.step(40)
        jumps += colony.call("series", of=of)["jumps"]
    jump = next(jump for jump in jumps if jump["writer"] == "deliver")
    assert jump["by_writer"] > 0 and jump["from"] < jump["to"]
    writes = colony.call("writes", id=depot, path=path, writer="deliver", limit=100)
    same = [one["change"] for one in writes if jump["from"] <= one["tick"] < jump["to"]]
    assert sum(same) == jump["by_writer"]
    colony.call("set", id=depot, path=path, value=9000)
    colony.step(1)
    last = colony.call("series", of=of)["jumps"][-1]
    assert last["writer"] == "weft_field_set" and last["by_writer"] > 8000


def test_a_jump_of_a_sum_is_labelled_too(colony: Game) -> None:
    depot = a_depot(colony)
    whole = "sum of stock.amount[bread]"
    begun = colony.call("series", of=whole)["next"]
    while begun < 20:  # how large changes usually are
        colony.step(1)
        begun = colony.call("series", of=whole)["next"]
    colony.call("set", id=depot, path="stock.amount[bread]", value=90000)
    colony.step(1)
    large: list[dict[str, Any]] = []
    while not large:
        jumps = colony.call("series", of=whole)["jumps"]
        large = [one for one in jumps if one["change"] > 50000]
    assert large[0]["writer"] == "weft_field_set" and large[0]["by_writer"] > 50000


def test_without_stored_writes_a_jump_has_no_writer() -> None:
    with game(*PAUSED) as unwatched:
        depot = a_depot(unwatched)
        of = f"stock.amount[bread] of {depot}"
        unwatched.call("series", of=of)
        unwatched.step(20)
        unwatched.call("set", id=depot, path="stock.amount[bread]", value=9000)
        unwatched.step(1)
        (jump,) = [one for one in unwatched.call("series", of=of)["jumps"] if one["change"] > 8000]
        assert jump["writer"] is None and jump["by_writer"] is None


def test_a_read_only_page_has_charts() -> None:
    with game(*PAUSED, "--read-only") as looked_at:
        assert looked_at.call("series", of="count of worker")["points"] == [[0, 60]]
        with pytest.raises(RefusedError, match="did you mean 'worker'"):
            looked_at.call("series", of="count of wrker")


# ---- the page


def charts(page: Page, *texts: str) -> None:
    page.open(f"charts?{'&'.join('of=' + quote(text) for text in texts)}")
    page.until(lambda: len(page.all("#charts .card")) == len(texts))
    page.until(lambda: page.all("#charts svg .line"))


def test_charts_survive_a_reload(page: Page) -> None:
    one = people(page.colony, "worker")[0]
    page.open(f"entity/{one}")
    page.one("a[aria-label='chart needs.hunger']").click()
    name = page.colony.call("entity", id=one)["components"]["person"]["name"]
    page.until(lambda: f"needs.hunger of {name} {one}" in page.text("#charts h3"))
    page.browser.refresh()  # a page that knows no names yet asks for them
    page.until(lambda: f"needs.hunger of {name} {one}" in page.text("#charts h3"))
    Select(page.one("#chart-kind")).select_by_value("count of")
    Select(page.one("#chart-what")).select_by_value("asleep")
    page.one("#chart-add").click()
    page.until(lambda: "count of asleep" in page.text("#charts h3"))
    shown = page.text("#charts h3")
    page.browser.refresh()
    page.until(lambda: page.text("#charts h3") == shown)
    page.open("entities")
    page.until(lambda: page.ids())
    page.open("charts")
    page.until(lambda: page.text("#charts h3") == shown)
    page.one(f"button[aria-label='remove the chart of needs.hunger of {one}']").click()
    page.until(lambda: page.text("#charts h3") == "count of asleep")
    page.browser.refresh()
    page.until(lambda: page.text("#charts h3") == "count of asleep")
    assert "of=count" in page.browser.current_url


def test_a_singleton_has_charts(page: Page) -> None:
    page.open("singletons/calendar")
    page.one("a[aria-label='chart calendar.day']").click()
    page.until(lambda: page.text("#charts h3") == "calendar.day")
    page.until(lambda: "tick 0: " in page.text("#charts .said"))


def test_wrong_texts_are_explained(page: Page) -> None:
    page.open("charts")
    page.one("#chart-of").send_keys("mean of needs.hungr", Keys.ENTER)
    page.until(lambda: "has no field 'hungr', did you mean 'hunger'" in page.text("#problem"))
    assert page.all("#charts .card") == []
    page.one("#chart-of").clear()
    page.one("#chart-of").send_keys("count of worker", Keys.ENTER)
    page.until(lambda: page.text("#charts h3") == "count of worker")
    assert page.text("#problem") == ""


def test_the_pointer_and_the_keys_show_a_value(page: Page) -> None:
    one = people(page.colony, "worker")[0]
    of = f"needs.hunger of {one}"
    charts(page, of)
    page.colony.step(50)
    page.until(lambda: page.text("#charts .said").startswith("tick 50: "))
    points = page.colony.call("series", of=of)["points"]
    svg = page.one("#charts svg.chart")
    ActionChains(page.browser).move_to_element(svg).perform()
    page.until(lambda: page.all("svg .cursor circle"))
    tick = int(page.text("#charts .said").split()[1].rstrip(":"))
    assert 15 < tick < 35
    assert f"{points[tick][1]:.6g}"[:5] in page.text("#charts .said")
    page.browser.execute_script("arguments[0].focus()", svg)
    svg.send_keys(Keys.HOME)
    page.until(lambda: page.text("#charts .said").startswith("tick 0: "))
    svg.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.until(lambda: page.text("#charts .said").startswith("tick 2: "))
    assert f"chart of {of} from tick 0 to 50" in str(svg.get_attribute("aria-label"))


def test_a_jump_is_named_in_the_chart_and_in_its_table(page: Page) -> None:
    depot = a_depot(page.colony)
    charts(page, f"stock.amount[bread] of {depot}")
    page.colony.step(30)
    page.colony.call("set", id=depot, path="stock.amount[bread]", value=9000)
    page.colony.step(1)
    words = "[...document.querySelectorAll('svg text.jump')].map((one) => one.textContent)"
    page.until(lambda: "weft_field_set +" in page.browser.execute_script(f"return {words}.join()"))
    page.one("#charts summary").click()
    page.until(lambda: "weft_field_set +" in page.text("#charts table"))
    assert "9,000 piece" in page.text("#charts table")
    page.one("#charts a[href*='writers=stock']").click()
    page.until(lambda: "weft_field_set" in page.text("#component-stock .sums"))


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_charts_fit_the_window(page: Page, size: tuple[int, int]) -> None:
    page.resize(*size)
    depot = a_depot(page.colony)
    one = people(page.colony, "worker")[0]
    charts(page, f"stock.amount[bread] of {depot}", f"needs.hunger of {one}", "count of worker")
    page.colony.step(60)
    page.until(lambda: "tick 60: " in page.text("#charts .said"))
    wide = """
        return [...document.querySelectorAll('#charts svg, .card, #view')].filter((node) =>
          node.getBoundingClientRect().right > innerWidth ||
          node.scrollWidth > node.clientWidth + 1)
          .map((node) => node.outerHTML.slice(0, 80));
    """
    assert page.browser.execute_script(wide) == []
    columns = len(set(page.each("#charts .card", "node.getBoundingClientRect().left")))
    assert columns == {1280: 2, 1920: 3, 390: 1}[size[0]]
    page.own_size()
