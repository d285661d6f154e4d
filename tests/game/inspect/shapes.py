"""Values of every shape in the page: structs, lists and arrays, shown, edited and spawned.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browser import PHONE, complaints
from inspector import Game, game
from inspector_page import Page

CROWD = "build/inspect/crowd"
FADE = 48  # pixels of the names of views that fade out


@pytest.fixture(scope="module")
def crowd() -> Iterator[Game]:
    with game("100", program=CROWD) as running:
        running.call("pause")
        yield running


@pytest.fixture
def page(browser: webdriver.Chrome, crowd: Game) -> Iterator[Page]:
    shown = Page(browser, crowd)
    yield shown
    assert complaints(browser) == []


def kit_of(page: Page, one: str) -> dict[str, object]:
    kit: dict[str, object] = page.colony.call("entity", id=one)["components"]["kit"]
    return kit


def write(page: Page, path: str, text: str) -> None:
    box = page.one(f"input[aria-label='{path}']")
    box.send_keys(Keys.CONTROL + "a")
    box.send_keys(text, Keys.ENTER)


def test_the_unit_and_doc_of_a_struct_are_shown(page: Page) -> None:
    one = page.colony.call("spawn", prefab="traveller")["id"]
    page.open(f"entity/{one}")
    page.until(lambda: "spot · metre · where the rest of it lies" in page.text("#component-kit"))
    page.open("schema")
    page.until(lambda: "char[8]" in page.text("#view"))


def test_items_of_a_list_come_and_go(page: Page) -> None:
    one = page.colony.call("spawn", prefab="traveller")["id"]
    page.open(f"entity/{one}")
    write(page, "kit.stuff.count", "2")
    page.until(lambda: kit_of(page, one)["stuff"] == ["glad", "glad"])
    Select(page.one("select[aria-label='kit.stuff[1]']")).select_by_value("angry")
    page.until(lambda: kit_of(page, one)["stuff"] == ["glad", "angry"])
    write(page, "kit.stuff.count", "5")
    page.until(lambda: "kit.stuff.count: 5" in page.text(".toast"))
    write(page, "kit.stuff.count", "1")
    page.until(lambda: not page.all("select[aria-label='kit.stuff[1]']"))
    assert kit_of(page, one)["stuff"] == ["glad"]


def test_a_form_has_arrays_and_lists(page: Page) -> None:
    page.open("spawn/traveller")
    write(page, "kit.stuff", "sad, angry")
    write(page, "kit.marks", "1, two, 3")
    page.one("input[aria-label='kit.worth[sad]']").send_keys("7")
    page.one("input[aria-label='kit.left_at.y']").send_keys("2.5")
    page.one("#spawn").click()
    page.until(lambda: "kit.marks: 'two' is no number" in page.text(".toast"))
    write(page, "kit.marks", "1, 2")
    page.one("#spawn").click()
    page.until(lambda: "kit.marks" in page.text(".toast:last-child"))  # the game wants three
    write(page, "kit.marks", "1, 2, 3")
    page.one("#spawn").click()
    page.until(lambda: ":" in page.text("h2"))
    kit = kit_of(page, page.text("h2"))
    assert kit["stuff"] == ["sad", "angry"] and kit["marks"] == [1, 2, 3]
    assert kit["worth"] == {"glad": 0, "sad": 7, "angry": 0}
    assert kit["left_at"] == {"x": 0, "y": 2.5}


def test_what_can_be_asked_is_of_this_schema(page: Page) -> None:
    asked = page.one("#filter").get_attribute("placeholder")
    assert asked == "needs.hunger > 0.5 & !asleep, or 12:3, or a Name"
    page.open("stops")
    page.until(lambda: "a value of an entity, needs.hunger of 9:4 > 0.5" in page.text("#view"))
    assert "singleton, ledger.most > 0" in page.text("#view")
    assert "an event" not in page.text("#view > p")  # there is none


def test_the_view_at_hand_is_not_faded(page: Page) -> None:
    page.resize(*PHONE)
    inside = """
        const [bar, fade] = [document.getElementById('views'), arguments[0]];
        const [all, one] = [bar, bar.querySelector('[aria-current]')]
          .map((node) => node.getBoundingClientRect());
        const has = (name) => bar.classList.contains(name) ? fade : 0;
        return one.left >= all.left + has('less') - 1 && one.right <= all.right - has('more') + 1;
    """
    try:
        for view in ("events", "stops", "schema", "spawn", "memory", "changes", "entities"):
            page.open(view)
            page.one(f"#views [data-view='{view}'][aria-current]")
            page.until(lambda: page.browser.execute_script(inside, FADE))
    finally:
        page.own_size()


def test_writers_that_are_asked_for_are_in_sight(page: Page) -> None:
    one = page.colony.call("entities", where="person", limit=1)["rows"][0]["id"]
    page.colony.call("add", id=one, component="kit")
    page.resize(*PHONE)
    seen = "return document.querySelector(arguments[0])?.getBoundingClientRect().top < innerHeight"
    try:
        page.open(f"entity/{one}?writers=kit")
        page.until(lambda: page.all("#component-kit .writes"))
        page.until(lambda: page.browser.execute_script(seen, "#component-kit .writes"))
        page.open("singletons/ledger?writers=ledger")
        page.until(lambda: page.one("section[aria-label='ledger'] .writes").is_displayed())
    finally:
        page.own_size()
