"""Taking back: Escape in a field, and the undo of a despawn or removal, in Chromium.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from browser import complaints
from inspector import Game, RefusedError, game
from inspector_page import Page

CROWD = "build/inspect/crowd"
INPUTS = """
    return [...document.querySelectorAll(arguments[0])]
      .filter((node) => !node.disabled && node.type !== 'checkbox' && node.checkVisibility())
      .map((node) => node.getAttribute('aria-label'));
"""


def name_of(colony: Game, one: str) -> str:
    return str(colony.call("entity", id=one)["components"]["person"]["name"])


def state_of(colony: Game, one: str) -> dict[str, object]:
    found: dict[str, object] = colony.call("entity", id=one)
    found.pop("tick")
    return found


def type_and_escape(page: Page, label: str, text: str) -> None:
    box = page.one(f"input[aria-label='{label}']")
    before = box.get_property("value")
    box.send_keys(Keys.CONTROL + "a")
    box.send_keys(text)
    assert box.get_property("value") == text, label
    box.send_keys(Keys.ESCAPE)
    page.until(lambda: box.get_property("value") == before)
    assert page.browser.switch_to.active_element != box


# ---- Escape


@pytest.mark.parametrize("where", ["worker", "depot", "dwelling"])
def test_escape_restores_every_field_of_an_entity(page: Page, where: str) -> None:
    one = page.colony.call("entities", where=where)["rows"][0]["id"]
    before = state_of(page.colony, one)
    page.open(f"entity/{one}")
    page.one("#components .card")
    labels = page.browser.execute_script(INPUTS, "#components .body input")
    assert labels
    for label in labels:
        type_and_escape(page, label, "7")
    assert state_of(page.colony, one) == before
    assert page.text(".toast") == ""


def test_escape_restores_fields_of_a_singleton(page: Page) -> None:
    before = page.colony.call("singleton", name="calendar")
    page.open("singletons/calendar")
    page.one("input[aria-label='calendar.day']")
    for label in page.browser.execute_script(INPUTS, "#view .card input"):
        type_and_escape(page, label, "9")
    assert page.colony.call("singleton", name="calendar") == before


def test_a_value_is_taken_after_an_escape(page: Page) -> None:
    one = page.colony.call("entities", where="worker")["rows"][1]["id"]
    page.open(f"entity/{one}")
    type_and_escape(page, "needs.hunger", "0.125")
    box = page.one("input[aria-label='needs.hunger']")
    box.send_keys(Keys.CONTROL + "a")
    box.send_keys("0.25", Keys.ENTER)
    hunger = lambda: page.colony.call("entity", id=one)["components"]["needs"]["hunger"]  # noqa: E731
    page.until(lambda: hunger() == 0.25)


# ---- undo


def test_a_despawn_is_undone(page: Page) -> None:
    """The page stays at the entity, and says what happened to whom."""
    one = page.colony.call("entities", where="worker")["rows"][2]["id"]
    name, before = name_of(page.colony, one), state_of(page.colony, one)
    page.open(f"entity/{one}")
    page.one("#despawn").click()
    page.until(lambda: f"Despawned {name} {one}." in page.text("#undo"))
    page.until(lambda: page.text("#gone") == "is no longer alive")
    assert page.text("h2") == one
    with pytest.raises(RefusedError):
        page.colony.call("entity", id=one)
    page.one("#undo button").click()
    page.until(lambda: f"{name} {one} is back." in page.text(".toast"))
    page.until(lambda: page.all("#component-needs"))
    assert state_of(page.colony, one) == before
    assert not page.all("#undo") and not page.all("#gone")


def test_a_removal_is_undone_by_a_key(page: Page) -> None:
    one = page.colony.call("entities", where="worker & home")["rows"][4]["id"]
    name, before = name_of(page.colony, one), state_of(page.colony, one)
    page.open(f"entity/{one}")
    page.one("button[aria-label='remove home']").click()
    page.until(lambda: f"Removed home from {name} {one}." in page.text("#undo"))
    page.one("#component-home.absent")
    assert state_of(page.colony, one) != before
    page.browser.execute_script("document.activeElement.blur()")
    webdriver.ActionChains(page.browser).key_down(Keys.CONTROL).send_keys("z").key_up(
        Keys.CONTROL
    ).perform()
    page.until(lambda: not page.all("#component-home.absent"))
    assert state_of(page.colony, one) == before


def test_only_the_last_step_is_offered_and_not_for_long(page: Page) -> None:
    one, other = (row["id"] for row in page.colony.call("entities", where="worker")["rows"][5:7])
    bundle = page.colony.call("spawn", prefab="bundle")["id"]
    for parent in (one, other):
        page.colony.call("attach", id=bundle, relation="carried_by", parent=parent)
    page.open(f"entity/{bundle}")
    page.one("section[aria-label='carried_by'] button:not([aria-label]):nth-of-type(1)").click()
    page.until(lambda: f"Detached {bundle} by carried_by" in page.text("#undo"))
    assert "parents" not in state_of(page.colony, bundle)
    page.one("#despawn").click()
    page.until(lambda: f"Despawned {bundle}" in page.text("#undo"))
    assert len(page.all("#undo")) == 1
    page.until(lambda: not page.all("#undo"))
    page.browser.execute_script("document.activeElement.blur()")
    webdriver.ActionChains(page.browser).key_down(Keys.CONTROL).send_keys("z").key_up(
        Keys.CONTROL
    ).perform()
    assert page.text("#gone") == "is no longer alive"


def test_an_undo_that_has_come_too_late_says_so(page: Page) -> None:
    one, other = (row["id"] for row in page.colony.call("entities", where="worker")["rows"][7:9])
    page.open(f"entity/{one}")
    page.one("#despawn").click()
    page.one("#undo button")
    page.colony.call("despawn", id=other)  # by another page
    page.one("#undo button").click()
    page.until(
        lambda: "only the last despawn, removal or bulk edit can be undone" in page.text(".toast")
    )
    assert page.text("#gone") == "is no longer alive"


# ---- links


@pytest.fixture(scope="module")
def crowd() -> Iterator[Game]:
    with game("60", program=CROWD) as running:
        running.call("pause")
        yield running


def test_a_new_handle_is_told(browser: webdriver.Chrome, crowd: Game) -> None:
    """Another entity has got the index meanwhile; the page leads to the new handle."""
    page = Page(browser, crowd)
    one = crowd.call("entities", where="person", limit=9)["rows"][8]["id"]
    name, before = name_of(crowd, one), state_of(crowd, one)
    page.open(f"entity/{one}")
    page.one("#despawn").click()
    page.one("#undo button")
    made = crowd.call("spawn")["id"]
    assert made.split(":")[0] == one.split(":")[0]
    page.one("#undo button").click()
    page.until(lambda: f"{name} {one} is back as " in page.text(".toast"))
    assert f"its handle is new, because {one} was used again" in page.text(".toast")
    page.until(lambda: page.all("#component-needs") and page.text("h2") not in ("", one))
    new = page.text("h2")
    assert page.text("#name") == name
    assert state_of(crowd, new)["components"] == before["components"]
    assert complaints(browser) == []


def test_a_removed_link_and_its_value_come_back(browser: webdriver.Chrome, crowd: Game) -> None:
    page = Page(browser, crowd)
    one, other = (row["id"] for row in crowd.call("entities", where="person", limit=2)["rows"])
    crowd.call("link", id=one, link="owes", to=other, value={"gold": 7, "due": [1, 2]})
    before = state_of(crowd, one)
    page.open(f"entity/{one}")
    type_and_escape(page, "owes.gold", "8")
    page.one(f"[aria-label='remove owes to {other}']").click()
    names = [f"{name_of(crowd, each)} {each}" for each in (one, other)]
    page.until(lambda: f"Removed owes from {names[0]} to {names[1]}." in page.text("#undo"))
    page.until(lambda: not page.all(f"[aria-label='owes to {other}']"))
    page.one("#undo button").click()
    page.one(f"[aria-label='owes to {other}']")
    assert state_of(crowd, one) == before
    assert complaints(browser) == []
