"""Finds a bug of the colony by the page alone: why does a villager starve, and who took the bread?

In build/inspect/robbed, delivering at a stock removes the bread that is there. `ninja test-look`
runs this; it needs the packages that `.ci/install --look` installs.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browser import DESKTOP, PHONE, complaints
from inspector import INSPECT, PAUSED, Game, RefusedError, game
from inspector_page import Page
from seeded import press_step, writers

ROBBED = "build/inspect/robbed"
STARVING_TICKS = 250  # the first of them are hungry then, and the depots have no bread left


@pytest.fixture
def colony() -> Iterator[Game]:
    with game(*PAUSED, program=ROBBED) as running:
        yield running


@pytest.fixture(params=[DESKTOP, PHONE], ids=["desktop", "phone"])
def page(browser: webdriver.Chrome, colony: Game, request: pytest.FixtureRequest) -> Iterator[Page]:
    browser.set_window_size(*request.param)
    shown = Page(browser, colony)
    yield shown
    assert complaints(browser) == []
    browser.get("about:blank")  # or the page would complain when its game ends


def first_of(page: Page, expression: str) -> str:
    """Opens the first entity that an expression has, and returns its handle."""
    one = page.colony.call("entities", where=expression, limit=1)["rows"][0]["id"]
    page.find(expression)
    page.until(lambda: page.text("#problem") == "" and page.ids()[:1] == [one])
    page.find(one)
    page.until(lambda: page.text("h2") == one)
    return one


def test_who_took_the_bread(page: Page) -> None:
    page.open("stops")
    page.one("button.watch").click()
    page.until(lambda: page.one("#unwatch").is_displayed())
    press_step(page, STARVING_TICKS)
    page.until(lambda: page.colony.call("stats")["tick"] == STARVING_TICKS)
    first_of(page, "needs.hunger > 0.8")
    hungry = writers(page, "needs")
    assert "get_hungry" in hungry and "eat" not in hungry

    page.find("stock.amount[bread] >= 0 & depot")
    page.until(lambda: "stock.amount[bread]" in page.text(".line.head") and page.ids())
    depot = first_of(page, "depot")
    assert "deliver" in writers(page, "stock")

    page.open("stops")
    box = page.one("#when")
    box.send_keys(f"stock.amount[bread] of {depot} < 50", Keys.ENTER)
    page.until(lambda: "It holds already" in page.text("#stops"))
    page.colony.call("set", id=depot, path="stock.amount[bread]", value=100)
    press_step(page, 1000)
    page.until(lambda: "Stopped in tick" in page.text("#stopped"))
    assert "< 50: deliver wrote " in page.text("#stopped")
    page.until(lambda: "deliver" in page.text("#stops"))
    page.one("#stopped a").click()
    page.until(lambda: "deliver" in page.text("#component-stock .writes table"))
    page.open("stops")
    page.one("#stops button.danger").click()
    box = page.one("#when")
    box.send_keys("stock.amount[loaf] < 1", Keys.ENTER)
    page.until(lambda: "column 14: enum 'goods' has no value 'loaf'" in page.text("#problem"))
    page.until(lambda: "No stop is set" in page.text("#stops") and page.text("#stopped") == "")


def test_the_thief_is_caught_with_the_page_alone(page: Page) -> None:
    """As a new user would: stop where a villager is hungry, look who eats, and set a trap."""
    page.open("stops")
    page.one("button.watch").click()
    Select(page.one("#stop-path")).select_by_value("needs.hunger")
    box = page.one("#stop-operand")
    box.clear()
    box.send_keys("0.8")
    page.one("#stop").click()
    Select(page.one("#speed")).select_by_value("16")
    page.one("#pause").click()
    page.until(lambda: "get_hungry wrote 0.8" in page.text("#stopped"))
    page.one("#stopped a").click()
    page.until(lambda: page.text("#component-needs .writes table"))
    assert "eat" not in page.text("#component-needs .writes table").split()

    page.find("stock.amount[bread] >= 0 & depot")
    page.until(lambda: "stock.amount[bread]" in page.text(".line.head") and page.ids())
    page.one(".line[data-id] a").click()
    bread = page.one("input[aria-label='stock.amount[bread]']")
    bread.clear()
    bread.send_keys("100", Keys.ENTER)
    page.one("a[aria-label='stop at stock.amount[bread]']").click()
    page.until(lambda: page.all("#when"))
    when = page.one("#when")
    trap = str(when.get_attribute("value")).split(" > ")[0] + " < 50"
    when.clear()
    when.send_keys(trap, Keys.ENTER)
    page.until(lambda: trap in page.text("#stops"))
    for _ in range(20):
        before = page.text("#stopped")
        page.one("#pause").click()
        page.until(lambda before=before: page.text("#stopped") not in ("", before))
        page.until(lambda: page.text("#pause") == "go on")
        if "bread" in page.text("#stopped"):
            break
    assert f"at {trap}: deliver wrote " in page.text("#stopped")


def test_each_step_is_a_click_from_the_last(page: Page) -> None:
    """From who is hungry to what they eat, who took it, and what it is like without that."""
    page.open("stops")
    page.one("button.watch").click()
    page.until(lambda: page.one("#unwatch").is_displayed())
    press_step(page, STARVING_TICKS)
    page.until(lambda: page.colony.call("stats")["tick"] == STARVING_TICKS)
    one = first_of(page, "needs.hunger > 0.8")
    name = page.colony.call("entity", id=one)["components"]["person"]["name"]
    page.until(lambda: page.text("#name") == name)
    page.one("button[aria-label='who wrote needs']").click()
    which = page.one("select[aria-label='writers of which value of needs']")
    Select(which).select_by_value("needs.hunger")
    table = "#component-needs .writes table"
    page.until(lambda: "fatigue" not in page.text(table) and "get_hungry" in page.text(table))
    page.one("#component-needs .may a[href='#/systems/eat']").click()
    page.one("#detail a[href='#/entities?where=stock']").click()
    page.until(lambda: page.all("#filter") and page.ids())
    first_of(page, "depot")
    page.one("button[aria-label='who wrote stock']").click()
    which = page.one("select[aria-label='writers of which value of stock']")
    Select(which).select_by_value("stock.amount[bread]")
    table = "#component-stock .writes table"
    page.until(lambda: "deliver" in page.text(table) and "amount[wood]" not in page.text(table))
    page.one("#component-stock .may a[href='#/systems/deliver']").click()
    page.one("#detail input[aria-label='deliver is on']").click()
    page.until(lambda: "It is switched off" in page.text("#detail"))
    assert not bread_is_taken(page.colony, ticks=40)
    page.one("#detail input[aria-label='deliver is on']").click()
    page.until(lambda: "It is switched off" not in page.text("#detail"))
    assert any(bread_is_taken(page.colony, ticks=40) for _ in range(10))


def bread_is_taken(colony: Game, ticks: int) -> bool:
    """Gives bread to all depots, steps so many ticks, and tells whether `deliver` wrote any."""
    path, tick = "stock.amount[bread]", colony.call("stats")["tick"]
    depots = [row["id"] for row in colony.call("entities", where="depot")["rows"]]
    for depot in depots:
        colony.call("set", id=depot, path=path, value=1000)
    colony.step(ticks)
    writes = [colony.call("writes", id=depot, path=path, limit=100) for depot in depots]
    return any(one["writer"] == "deliver" and one["tick"] > tick for of in writes for one in of)


def test_an_agent_finds_the_thief(colony: Game) -> None:
    colony.call("watch")
    while (tick := colony.call("stats")["tick"]) < STARVING_TICKS:  # a call may end early
        colony.step(STARVING_TICKS - tick)
    hungry = colony.call("entities", where="needs.hunger > 0.8")["rows"][0]["id"]
    by = {one["writer"] for one in colony.call("writes", id=hungry, path="needs.hunger")}
    assert by == {"get_hungry"}
    takers = set()
    for depot in colony.call("entities", where="depot")["rows"]:
        for one in colony.call("writes", id=depot["id"], path="stock.amount[bread]", limit=100):
            if one["writer"] == "deliver" and int(one["after"]) < int(one["before"]):
                takers.add(one["writer"])
    assert takers == {"deliver"}
    when = f"stock.amount[bread] of {depot['id']} < 50"
    colony.call("stop_at", when=when)
    colony.call("set", id=depot["id"], path="stock.amount[bread]", value=1000)
    assert colony.step(1000)["stopped"]
    assert colony.call("stats")["paused"]
    (stop,) = colony.call("stops")
    assert stop["when"] == when and stop["count"] == 1
    assert stop["last"]["writer"] == "deliver" and int(stop["last"]["after"]) < 50
    assert stop["last"]["id"] == depot["id"] and stop["last"]["path"] == "stock.amount[bread]"
    assert "deliver wrote " in colony.call("messages")[-1]["text"]
    colony.call("stop_forget", when=when)
    assert colony.call("stops") == []


def test_writes_of_an_entity_want_its_handle(colony: Game) -> None:
    colony.call("watch")
    with pytest.raises(RefusedError, match="'id' is missing: 'needs' is of an entity"):
        colony.call("writes", path="needs")
    with pytest.raises(
        RefusedError,
        match="there is no component, singleton or relation 'need', did you mean 'needs'",
    ):
        colony.call("writes", id="1:1", path="need")


def test_a_game_that_is_not_watched_says_so() -> None:
    with game("--villagers", "20", "--paused", program=INSPECT) as colony:
        assert colony.call("stats")["watched"] is False
        for method, given in [("writes", {"path": "calendar"}), ("stops", {})]:
            with pytest.raises(RefusedError, match="nothing is watched: 'watch' begins that"):
                colony.call(method, **given)


def test_watching_begins_and_ends() -> None:
    """It begins at some tick of a game that runs, and takes and gives back its memory."""
    with game("--villagers", "60", "--workers", "2") as colony:
        for _ in range(3):
            colony.call("pause", paused=False)
            assert not colony.call("stats")["watched"] and colony.call("stats")["can_watch"]
            begun = colony.call("watch", on=True)
            assert begun["on"] and begun["bytes"] > 65536 * 88
            assert colony.call("watch")["bytes"] == 0
            assert colony.call("stats")["watched"] and colony.call("stats")["can_end_watch"]
            colony.call("pause")
            first = colony.call("stats")["tick"]
            colony.step(40)
            one = colony.call("entities", where="worker")["rows"][0]["id"]
            writes = colony.call("writes", id=one, path="needs", limit=100)
            assert "get_hungry" in {write["writer"] for write in writes}
            assert min(write["tick"] for write in writes) <= first
            assert not [write for write in writes if write["kind"] == "added"]
            colony.call("stop_at", when="calendar.day >= 1000")
            ended = colony.call("watch", on=False)
            assert not ended["on"] and ended["bytes"] < 0
            with pytest.raises(RefusedError, match="'watch' begins that"):
                colony.call("stops")


def test_a_watch_of_the_game_stays() -> None:
    with game("--villagers", "20", "--paused", "--watch") as colony:
        assert colony.call("watch")["on"] and not colony.call("stats")["can_end_watch"]
        with pytest.raises(RefusedError, match=r"the game has enabled it with weft_options\.watch"):
            colony.call("watch", on=False)


def test_a_page_that_only_looks_begins_no_watch() -> None:
    with (
        game("--villagers", "20", "--paused", "--read-only") as colony,
        pytest.raises(RefusedError, match="read-only"),
    ):
        colony.call("watch")
