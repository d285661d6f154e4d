"""Bulk edits of selected entities, by calls and by the page: their refusals, and their undo.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browser import PHONE, complaints
from inspector import CROWD, INSPECT, PAUSED, Game, RefusedError, game, people
from inspector_page import Page

SELECTED_MAX = 1000  # see runtime/serve/page/selection.mjs


def values(colony: Game, some: list[str], component: str) -> list[object]:
    """Returns a component of each of them; None if one lacks it."""
    calls = [("entity", {"id": one}) for one in some]
    found = [colony.call(method, **asked) for method, asked in calls]
    return [one["components"].get(component) for one in found]


def choose(page: Page, selector: str, text: str) -> None:
    Select(page.one(selector)).select_by_visible_text(text)


def box(one: str) -> str:
    return f".line[data-id='{one}'] input.pick"


def select(page: Page, some: list[str]) -> None:
    """Selects entities whose lines are in sight, and no others."""
    if page.one("#bulk-bar").is_displayed():
        page.one("#select-none").click()
    for one in some:
        page.one(box(one)).click()
    page.until(lambda: page.text("#selected").startswith(f"{len(some)} "))


def confirm(page: Page, words: str) -> None:
    page.one("#bulk").click()
    page.until(lambda: words in page.text("dialog"))
    page.one("#confirm").click()
    page.until(lambda: not page.all("dialog"))


def listed(page: Page, where: str) -> list[str]:
    page.find(where)
    page.until(lambda: page.one("#filter").get_property("value") == where and page.ids())
    return people(page.colony, where)


# ---- calls


def test_a_call_undoes_all_as_one_step(colony: Game) -> None:
    some = people(colony, "worker")[:30]
    before = values(colony, some, "needs")
    answer = colony.call("bulk", ids=some, change="set", path="needs.hunger", value=0.125)
    assert (answer["done"], answer["refused"], answer["refusals"]) == (30, 0, [])
    assert {one["hunger"] for one in values(colony, some, "needs")} == {0.125}
    colony.call("undo", number=answer["undo"])
    assert values(colony, some, "needs") == before
    with pytest.raises(RefusedError, match="can be undone, once"):
        colony.call("undo", number=answer["undo"])


def test_despawned_villagers_get_their_handles_again(colony: Game) -> None:
    """With their homes, goods and places in relations."""
    some = people(colony, "worker")[:40]
    bundle = colony.call("spawn", prefab="bundle")["id"]
    colony.call("attach", id=bundle, relation="carried_by", parent=some[3])
    entity = lambda: [colony.call("entity", id=one) for one in [*some, bundle]]  # noqa: E731
    before = entity()
    answer = colony.call("bulk", ids=[*some, bundle], change="despawn")
    assert (answer["done"], answer["refused"]) == (41, 0)
    assert not set(some) & set(people(colony, "worker"))
    undone = colony.call("undo", number=answer["undo"])
    assert (undone["renewed"], undone["dropped"]) == (0, 0)
    assert entity() == before
    colony.call("despawn", id=bundle)


# ---- the page


def test_a_value_is_set_and_taken_back(page: Page) -> None:
    some = listed(page, "worker")[:3]
    before = values(page.colony, some, "needs")
    select(page, some)
    choose(page, "#bulk-change", "set a value")
    page.one("#bulk").click()
    page.until(lambda: "choose a value" in page.text("#bulk-bar .problem"))
    choose(page, "#bulk-path", "needs.hunger")
    page.one("#bulk-value").send_keys("much")
    page.one("#bulk").click()
    page.until(lambda: "'much' is not a number" in page.text("#bulk-bar .problem"))
    page.one("#bulk-value").clear()
    page.one("#bulk-value").send_keys("0.375")
    confirm(page, "Set needs.hunger of 3 entities to 0.375?")
    hunger = lambda: [one["hunger"] for one in values(page.colony, some, "needs")]  # noqa: E731
    page.until(lambda: hunger() == [0.375] * 3)
    page.until(lambda: "Set needs.hunger of 3 entities to 0.375." in page.text("#undo"))
    page.one("#undo button").click()
    page.until(lambda: values(page.colony, some, "needs") == before)
    page.until(lambda: "Undone: Set needs.hunger of 3 entities to 0.375." in page.text(".toast"))


def test_refusals_are_said_at_the_form(page: Page) -> None:
    """A value that is refused for all, and a component that some lack."""
    some = listed(page, "worker")[3:6]
    select(page, some)
    choose(page, "#bulk-change", "set a value")
    choose(page, "#bulk-path", "needs.hunger")
    page.one("#bulk-value").send_keys("7")
    confirm(page, "of 3 entities to 7?")
    page.until(lambda: "3 of 3 refused: 3 times, first" in page.text("#bulk-bar .problem"))
    assert "must be at most 1" in page.text("#bulk-bar .problem")
    page.colony.call("add", id=some[1], component="child")
    choose(page, "#bulk-change", "remove a component")
    choose(page, "#bulk-component", "child")
    confirm(page, "Remove child from 3 entities?")
    page.until(lambda: "2 of 3 refused" in page.text("#bulk-bar .problem"))
    page.until(lambda: "Removed child from 1 entity." in page.text("#undo"))
    assert values(page.colony, some, "child") == [None] * 3
    page.one("#undo button").click()
    page.until(lambda: values(page.colony, some, "child") == [None, True, None])
    page.colony.call("remove", id=some[1], component="child")


def test_a_tag_is_added_by_keys_alone(page: Page) -> None:
    some = listed(page, "worker")[:3]
    keys = lambda *some: [  # noqa: E731
        ActionChains(page.browser, duration=0).send_keys(key).perform() for key in some
    ]
    page.until(lambda: page.browser.switch_to.active_element.get_attribute("id") == "list")
    keys("x", Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    ActionChains(page.browser, duration=0).key_down(Keys.SHIFT).send_keys("x").key_up(
        Keys.SHIFT
    ).perform()
    page.until(lambda: page.text("#selected") == "3 entities selected")
    assert all(page.one(box(one)).is_selected() for one in some)
    page.browser.execute_script("document.getElementById('bulk-change').focus()")
    keys("add", Keys.ENTER)
    page.until(lambda: page.all("#bulk-component"))
    page.browser.execute_script("document.getElementById('bulk-component').focus()")
    keys("child", Keys.TAB, Keys.ENTER)
    page.until(lambda: "Add child to 3 entities?" in page.text("dialog"))
    keys(Keys.ESCAPE)
    page.until(lambda: not page.all("dialog"))
    assert values(page.colony, some, "child") == [None] * 3
    keys(Keys.ENTER)
    page.until(lambda: page.all("dialog"))
    keys(Keys.ENTER)
    page.until(lambda: values(page.colony, some, "child") == [True] * 3)
    page.browser.execute_script("document.activeElement.blur()")
    ActionChains(page.browser, duration=0).key_down(Keys.CONTROL).send_keys("z").key_up(
        Keys.CONTROL
    ).perform()
    page.until(lambda: values(page.colony, some, "child") == [None] * 3)


def test_all_of_a_list_are_despawned_and_return(page: Page) -> None:
    some = listed(page, "worker")
    page.one("#select-all").click()
    page.until(lambda: page.text("#selected") == f"{len(some)} entities selected")
    choose(page, "#bulk-change", "despawn")
    confirm(page, f"Despawn {len(some)} entities?")
    page.until(lambda: page.text("#count") == "0 entities")
    page.until(lambda: not page.one("#bulk-bar").is_displayed())
    page.one("#undo button").click()
    page.until(lambda: people(page.colony, "worker") == some)
    page.until(lambda: page.text("#count") == f"{len(some)} entities")


def test_selected_ones_are_pinned(page: Page) -> None:
    some = listed(page, "worker")[:2]
    select(page, some)
    page.one("#pin-selected").click()
    page.until(lambda: "Pinned 2 entities." in page.text(".toast"))
    page.one("#list").send_keys(Keys.HOME, "i")  # which is pinned already
    page.open("pinned")
    page.until(lambda: all(page.all(f"#beside th[data-id='{one}']") for one in some))
    page.one("#unpin-all").click()


def test_a_page_that_may_only_look_pins(browser: webdriver.Chrome) -> None:
    with game(*PAUSED, "--read-only", program=INSPECT) as colony:
        page = Page(browser, colony)
        select(page, page.ids()[:2])
        assert page.all("#pin-selected") and not page.all("#bulk-change")
        with pytest.raises(RefusedError, match="read-only"):
            colony.call("bulk", ids=page.ids()[:1], change="despawn")
        browser.get("about:blank")


def test_the_bar_fits_a_phone(page: Page) -> None:
    page.resize(*PHONE)
    try:
        select(page, listed(page, "worker")[:2])
        choose(page, "#bulk-change", "set a value")
        choose(page, "#bulk-path", "person.name")
        page.until(lambda: page.all("#bulk-value"))
        assert page.browser.execute_script("return document.documentElement.scrollWidth") <= 390
        assert page.one("#bulk").is_displayed() and page.one("#bulk").size["height"] >= 30
    finally:
        page.own_size()


# ---- many


@pytest.fixture(scope="module")
def crowd() -> Iterator[Game]:
    with game("2500", program=CROWD) as running:
        running.call("pause")
        yield running


def test_a_selection_has_a_limit(browser: webdriver.Chrome, crowd: Game) -> None:
    page = Page(browser, crowd)
    page.until(lambda: page.text("#count") == "2,500 entities")
    page.one("#list").send_keys(Keys.CONTROL + "a")
    page.until(lambda: page.text("#selected") == "1,000 entities selected")
    assert "The first 1,000 of 2,500 entities are selected" in page.text(".toast")
    choose(page, "#bulk-change", "set a value")
    choose(page, "#bulk-path", "person.age")
    page.one("#bulk-value").send_keys("77", Keys.ENTER)
    page.until(lambda: "of 1,000 entities to 77?" in page.text("dialog"))
    page.one("#confirm").click()
    count = lambda: crowd.call("entities", where="person.age == 77", limit=1)["total"]  # noqa: E731
    page.until(lambda: count() >= SELECTED_MAX)
    page.one("#undo button").click()
    page.until(lambda: count() < SELECTED_MAX)
    page.one("#select-none").click()
    page.until(lambda: not page.one("#bulk-bar").is_displayed())
    page.one("#list").send_keys(Keys.HOME)
    page.one("#list").send_keys("x", Keys.END)
    page.one("#list").send_keys(Keys.SHIFT + "x")
    page.until(lambda: page.text("#selected") == "1,000 entities selected")
    assert complaints(browser) == []
    browser.get("about:blank")
