"""Searching in the page: parts of names, queries, completion, conditions, and the search of views.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from inspector import RefusedError, people
from inspector_page import Page


def filter_text(page: Page) -> str:
    return str(page.one("#filter").get_property("value"))


def retype(page: Page, selector: str, text: str) -> None:
    page.one(selector).send_keys(Keys.CONTROL + "a")
    page.one(selector).send_keys(Keys.BACKSPACE + text)


def offers(page: Page, box: str = "#filter") -> list[str]:
    return page.texts(f"{box}-offers:not([hidden]) li")


@pytest.mark.parametrize("form", ["lower", "upper", "title"])
def test_a_part_of_a_name_finds_it(page: Page, form: str) -> None:
    """In upper or lower case; a text in quotes is a whole name."""
    one = people(page.colony)[7]
    name = page.colony.call("entity", id=one)["components"]["person"]["name"]
    part = getattr(name[1:4] if form != "title" else name[:3], form)()
    page.find(part)
    page.until(lambda: one in page.ids())
    assert filter_text(page) == f'person.name ~ "{part}"'
    names = [row["values"][0] for row in page.colony.call(
        "entities", where=f'person.name ~ "{part}"', columns=["person.name"]
    )["rows"]]  # fmt: skip
    assert names and all(part.lower() in one.lower() for one in names)
    page.find(f'"{name}"')
    page.until(lambda: filter_text(page) == f'person.name == "{name}"' and one in page.ids())


@pytest.mark.parametrize(
    ("typed", "expression"),
    [
        ("depots", "position & (depot)"),
        ("depots & !asleep", "(position & (depot)) & !asleep"),
        ("!depots", "!(position & (depot))"),
        ('person.name == "depots"', 'person.name == "depots"'),
        ("depot", "depot"),
        ("get_hungry", "needs"),
        ("lie_down", "worker & (arrived & !asleep)"),
        ("halt & asleep", "(worker & (arrived)) & asleep"),
    ],
)
def test_the_name_of_a_query_is_an_expression(page: Page, typed: str, expression: str) -> None:
    page.find(typed)
    page.until(lambda: filter_text(page) == expression)
    total = page.colony.call("entities", where=expression)["total"]
    page.until(lambda: page.text("#count").split()[0] == f"{total:,}")
    assert page.text("#problem") == ""


@pytest.mark.parametrize(
    ("typed", "keys", "result"),
    [
        ("needs.hu", [Keys.ARROW_DOWN, Keys.ENTER], "needs.hunger"),
        ("worker & slee", [Keys.ARROW_DOWN, Keys.ENTER], "worker & asleep"),
        ("worker.job == re", [Keys.ARROW_DOWN, Keys.ENTER], "worker.job == rest"),
        ("needs.hu", [Keys.ARROW_DOWN, Keys.ESCAPE], "needs.hu"),
    ],
)
def test_words_are_completed_by_keys(page: Page, typed: str, keys: list[str], result: str) -> None:
    page.open("entities")
    retype(page, "#filter", typed)
    page.until(lambda: offers(page))
    box = page.one("#filter")
    assert box.get_attribute("aria-expanded") == "true"
    assert box.get_attribute("aria-activedescendant") is None  # nothing is chosen yet
    box.send_keys(keys[0])
    chosen = box.get_attribute("aria-activedescendant")
    assert page.one(f"#{chosen}").get_attribute("aria-selected") == "true"
    box.send_keys(keys[1])
    page.until(lambda: filter_text(page) == result)
    assert offers(page) == [] and box.get_attribute("aria-expanded") == "false"
    assert page.browser.execute_script("return location.hash") in ("#/entities", "#/entities?")


def test_a_click_completes_and_enter_takes_only_what_was_chosen(page: Page) -> None:
    page.open("entities")
    retype(page, "#filter", "worker & home.ho")
    page.until(lambda: "home.house" in offers(page))
    place = offers(page).index("home.house") + 1
    page.one(f"#filter-offers li:nth-of-type({place})").click()
    assert filter_text(page) == "worker & home.house"
    retype(page, "#filter", "asle")
    page.until(lambda: offers(page)[0] == "asleep")
    page.one("#filter").send_keys("ep", Keys.ENTER)
    page.until(lambda: "asleep" in page.browser.execute_script("return location.hash"))
    assert filter_text(page) == "asleep"


def test_no_words_are_offered_in_a_text(page: Page) -> None:
    page.open("entities")
    retype(page, "#filter", 'person.name == "work')
    assert offers(page) == []


def test_conditions_are_seen_and_removed(page: Page) -> None:
    """Choosing a component twice gives the list as it was, and each condition has a button."""
    page.find("needs.hunger >= 0")
    pick = "select[aria-label='component or query']"
    for name, expression in (
        ("worker", "needs.hunger >= 0 & worker"),
        ("depots", "needs.hunger >= 0 & worker & position & (depot)"),
    ):
        page.until(lambda: page.all(pick))
        Select(page.one(pick)).select_by_visible_text(name)
        page.until(lambda expression=expression: filter_text(page) == expression)
    marked = [one.text for one in Select(page.one(pick)).options if one.text.startswith("✓")]
    assert {"✓ worker", "✓ depots"} <= set(marked)
    Select(page.one(pick)).select_by_visible_text("✓ depots")
    page.until(lambda: filter_text(page) == "needs.hunger >= 0 & worker")
    assert page.text("#conditions").split("\n")[0].startswith("needs.hunger >= 0")
    page.one("button[aria-label='without needs.hunger >= 0']").click()
    page.until(lambda: filter_text(page) == "worker")
    page.find("worker | depot")
    page.until(lambda: page.all("button[aria-label='without worker | depot']"))
    Select(page.one(pick)).select_by_visible_text("needs")
    page.until(lambda: filter_text(page) == "(worker | depot) & needs")
    page.one("#all-entities").click()
    page.until(lambda: filter_text(page) == "" and not page.one("#conditions").is_displayed())


SEARCHED = {
    "systems": ("get_hungry", "#times tbody tr:not(.unfound)"),
    "memory": ("depots_by_place", ":is(#tables, #indexes) tr:not(.unfound) td:first-child"),
    "messages": ("marker seven", "#messages li:not(.unfound)"),
}


@pytest.mark.parametrize("view", SEARCHED)
def test_views_are_searched(page: Page, view: str) -> None:
    """`/` leads to the search, and it holds while rows are drawn again."""
    text, rows = SEARCHED[view]
    for path in ("marker six", "marker seven") if view == "messages" else ():
        with pytest.raises(RefusedError):
            page.colony.call("set", path=path, value=1)
    page.open(view)
    if view == "systems":
        page.until(lambda: page.colony.call("step") and page.all("#times tbody tr"))
    page.until(lambda: len(page.all(rows)) > 1)
    page.one("#view").click()
    page.browser.switch_to.active_element.send_keys("/")
    page.until(lambda: page.browser.switch_to.active_element.get_attribute("type") == "search")
    page.browser.switch_to.active_element.send_keys(text)
    page.until(lambda: len(page.all(rows)) == 1)
    assert text in page.text(rows)
    if view == "systems":
        assert page.attributes("svg .node:not(.unfound)", "aria-label")[0] == text
        page.colony.call("step")
    assert len(page.all(rows)) == 1
