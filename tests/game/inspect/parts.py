"""Prefabs with parts in the page: their form, and what it spawns.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys

from browser import PHONE
from inspector import Game, RefusedError
from inspector_page import Page

PARTS = 1 + 1 + 2 * (1 + 1 + 70) + 3  # of a caravan


@pytest.fixture(scope="module")
def colony(crowd: Game) -> Game:
    """Lets `page` show the crowd."""
    return crowd


def group(page: Page, part: str) -> None:
    """Opens the group of a part."""
    page.one(f"details[aria-label='{part}'] > summary").click()


def type_in(page: Page, path: str, text: str) -> None:
    page.one(f"input[aria-label='{path}']").send_keys(text)


def values_of(page: Page, entity: str) -> dict[str, Any]:
    found: dict[str, Any] = page.colony.call("entity", id=entity)["components"]
    return found


def spawned(page: Page) -> dict[str, Any]:
    """Spawns by the form, and returns the values of the root."""
    page.one("#spawn-below").click()
    page.until(lambda: ":" in page.text("h2"))
    return values_of(page, page.text("h2"))


def count(page: Page) -> int:
    found: int = page.colony.call("stats")["entities"]
    return found


def test_a_form_fills_in_parts_and_parts_of_parts(page: Page) -> None:
    before = count(page)
    page.open("spawn/caravan")
    type_in(page, "place.x", "3")
    group(page, "guide")
    type_in(page, "guide.person.name", "Ada")
    group(page, "wagon[1]")
    type_in(page, "wagon[1].cart.title", "Red Bess")
    group(page, "wagon[1].driver")
    type_in(page, "wagon[1].driver.person.age", "44")
    group(page, "wagon[1].chest[2]")
    type_in(page, "wagon[1].chest[2].kit.word", "salt")
    group(page, "guard[2]")
    type_in(page, "guard[2].place.y", "7")
    root = spawned(page)
    assert count(page) == before + PARTS
    assert root["place"] == {"x": 3, "y": 0}
    parts = root["caravan_parts"]
    assert values_of(page, parts["guide"])["person"]["name"] == "Ada"
    first, second = (values_of(page, one) for one in parts["wagon"])
    assert (first["cart"]["title"], second["cart"]["title"]) == ("New Bess", "Red Bess")
    driver = values_of(page, second["loaded_wagon_parts"]["driver"])["person"]
    assert (driver["age"], driver["name"]) == (44, "driver")
    words = [values_of(page, one)["kit"]["word"] for one in second["loaded_wagon_parts"]["chest"]]
    assert words == ["", "", "salt"] + [""] * 67
    assert second["loaded_wagon_parts"]["child"] is None
    assert [values_of(page, one)["place"]["y"] for one in parts["guard"]] == [0, 0, 7]
    page.colony.call("despawn", id=page.text("h2"))
    assert count(page) == before


def test_groups_that_stay_closed_or_empty_keep_the_defaults(page: Page) -> None:
    page.open("spawn/caravan")
    group(page, "guide")
    group(page, "wagon[0]")
    root = spawned(page)
    assert values_of(page, root["caravan_parts"]["guide"])["person"]["name"] == ""
    assert values_of(page, root["caravan_parts"]["wagon"][0])["cart"]["title"] == "New Bess"


def test_parts_that_a_prefab_leaves_out_are_not_in_its_form(page: Page) -> None:
    page.open("spawn/caravan")
    group(page, "wagon[0]")
    page.one("details[aria-label='wagon[0].driver']")
    assert not page.all("details[aria-label='wagon[0].child']")
    page.open("spawn/loaded_wagon")
    page.one("details[aria-label='child']")


def test_many_of_a_part_are_shown_in_part(page: Page) -> None:
    page.open("spawn/loaded_wagon")
    page.one("details[aria-label='chest[63]']")
    assert not page.all("details[aria-label='chest[64]']")
    assert "the first 64 of 70 chest" in page.text("#view")


def test_a_group_says_what_the_part_is(page: Page) -> None:
    page.open("spawn/caravan")
    page.until(
        lambda: "guide someone · attached by travels_with · Knows the way." in page.text("summary")
    )
    page.open("schema")
    page.one("#prefabs-caravan")
    facts = " ".join(page.text("#prefabs-caravan dl").split())
    assert "components place part guide someone, attached by travels_with" in facts
    assert "part wagon 2 of loaded_wagon, attached by travels_with" in facts
    assert "part guard 3 of sleeper, attached by travels_with" in facts


def test_a_mistake_stands_at_its_input_and_spawns_nothing(page: Page) -> None:
    before = count(page)
    page.open("spawn/caravan")
    group(page, "wagon[1]")
    type_in(page, "wagon[1].place.x", "far")
    page.one("#spawn").click()
    box = page.one("input[aria-label='wagon[1].place.x']")
    page.until(lambda: box.get_attribute("aria-invalid") == "true")
    assert page.text(f"#{box.get_attribute('aria-errormessage')}") == "'far' is not a number"
    assert page.browser.switch_to.active_element == box
    assert len(page.all(".problem")) == 1
    assert count(page) == before
    with pytest.raises(RefusedError, match=r"parts\.wagon\[1\]: .*place"):
        given = {"wagon": [None, {"components": {"place": {"x": "far"}}}]}
        page.colony.call("spawn", prefab="caravan", parts=given)
    assert count(page) == before


@pytest.mark.parametrize(
    ("groups", "path", "wrong", "words"),
    [
        ((), "place.x", "9e99", "f32, which cannot hold"),
        (("wagon[1]",), "wagon[1].place.x", "9e99", "f32, which cannot hold"),
        (("guide",), "guide.person.age", "-5", "u16, which cannot hold -5"),
        (("wagon[0]", "wagon[0].driver"), "wagon[0].driver.needs.hunger", "2", "at most 1"),
        (("wagon[0]", "wagon[0].chest[3]"), "wagon[0].chest[3].kit.marks", "1, 300", "cannot hold"),
    ],
)
def test_a_refusal_stands_at_the_input_of_its_part(
    page: Page, groups: tuple[str, ...], path: str, wrong: str, words: str
) -> None:
    """Other parts, and the root, have inputs for fields of the same names."""
    before = count(page)
    page.open("spawn/caravan")
    for one in groups:
        group(page, one)
    type_in(page, path, wrong)
    page.one("#spawn").click()
    page.until(lambda: page.all(".problem"))
    box = page.one(f"input[aria-label='{path}']")
    assert words in page.text(f"#{box.get_attribute('aria-errormessage')}")
    assert page.browser.switch_to.active_element == box
    assert len(page.all(".problem")) == 1
    assert count(page) == before


def test_the_form_works_by_keyboard_and_fits_a_phone(page: Page) -> None:
    page.resize(*PHONE)
    page.open("spawn/caravan")
    summary = page.one("details[aria-label='wagon[0]'] > summary")
    summary.send_keys(Keys.ENTER)
    type_in(page, "wagon[0].place.x", "2")
    wide = page.browser.execute_script(
        "const view = document.querySelector('#view'); return view.scrollWidth - view.clientWidth"
    )
    assert wide <= 0
    page.own_size()
    root = spawned(page)
    assert values_of(page, root["caravan_parts"]["wagon"][0])["place"]["x"] == 2
