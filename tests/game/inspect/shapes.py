"""Values of every shape in the page: structs, lists and arrays, shown, edited and spawned.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

from typing import Any

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browser import DESKTOP, PHONE
from inspector import Game
from inspector_page import Page

FADE = 48  # pixels of the names of views that fade out


@pytest.fixture(scope="module")
def colony(crowd: Game) -> Game:
    """Lets `page` show the crowd."""
    return crowd


def kit_of(page: Page, one: str) -> dict[str, object]:
    return component_of(page, one, "kit")


def component_of(page: Page, one: str, name: str) -> dict[str, Any]:
    found: dict[str, Any] = page.colony.call("entity", id=one)["components"][name]
    return found


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
    page.until(lambda: "kit.stuff.count: is 5" in page.text(".problem"))
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
    page.until(lambda: "'two' is not a number" in page.text(".problem"))
    write(page, "kit.marks", "1, 2")
    page.one("#spawn").click()
    page.until(lambda: "kit.marks" in page.text(".problem"))  # the game wants three
    write(page, "kit.marks", "1, 2, 3")
    page.one("#spawn").click()
    page.until(lambda: ":" in page.text("h2"))
    kit = kit_of(page, page.text("h2"))
    assert kit["stuff"] == ["sad", "angry"] and kit["marks"] == [1, 2, 3]
    assert kit["worth"] == {"glad": 0, "sad": 7, "angry": 0}
    assert kit["left_at"] == {"x": 0, "y": 2.5}


def test_a_form_has_structs_of_which_there_are_many(page: Page) -> None:
    page.open("spawn/wagon")
    write(page, "cart.load.count", "4")
    page.one("#spawn").click()
    page.until(lambda: "'4' is not a number of items from 0 to 3" in page.text(".problem"))
    write(page, "cart.load.count", "2")
    write(page, "cart.load[0].label", "apples")
    write(page, "cart.load[1].at.y", "2.5")
    write(page, "cart.load[1].pieces", "many")
    Select(page.one("select[aria-label='cart.load[1].of']")).select_by_value("sad")
    Select(page.one("select[aria-label='cart.load[1].sealed']")).select_by_value("true")
    write(page, "cart.load[1].marks", "7")
    write(page, "cart.wheels[1].x", "1.5")
    write(page, "cart.rests[angry].y", "9")
    page.one("#spawn").click()
    page.until(lambda: "'many' is not a number" in page.text(".problem"))
    write(page, "cart.load[1].pieces", "3")
    page.one("#spawn").click()
    page.until(lambda: ":" in page.text("h2"))
    cart = component_of(page, page.text("h2"), "cart")
    first, second = cart["load"]
    nowhere = {"x": 0, "y": 0}
    assert first["label"] == "apples" and first["at"] == nowhere
    assert second == {
        "label": "", "at": {"x": 0, "y": 2.5}, "pieces": 3, "of": "sad", "sealed": True,
        "marks": [7],
    }  # fmt: skip
    assert cart["wheels"] == [nowhere, {"x": 1.5, "y": 0}]
    assert cart["rests"] == {"glad": nowhere, "sad": nowhere, "angry": {"x": 0, "y": 9}}
    assert cart["title"] == "Old Bess"  # the prefab says so


def test_a_form_keeps_what_was_typed_in_items_that_come_back(page: Page) -> None:
    page.open("spawn/wagon")
    write(page, "cart.load.count", "2")
    write(page, "cart.load[1].label", "nails")
    write(page, "cart.load.count", "1")
    page.until(lambda: not page.all("input[aria-label='cart.load[1].label']"))
    write(page, "cart.load.count", "2")
    assert page.one("input[aria-label='cart.load[1].label']").get_attribute("value") == "nails"


UNITS = {
    "spawn/traveller": {"kit.left_at.x": "metre"},
    "spawn/wagon": {"cart.wheels[1].y": "metre", "cart.load[0].at.x": "metre"},
    "entity": {"kit.left_at.x": "metre", "cart.load[0].at.x": "metre", "cart.wheels[1].y": "metre"},
}


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=str)
@pytest.mark.parametrize("view", UNITS)
def test_a_unit_stands_beside_each_part(page: Page, view: str, size: tuple[int, int]) -> None:
    """The unit of a struct is that of its numbers, also in arrays and lists; all of it fits."""
    beside = """
        const box = document.querySelector(`input[aria-label='${arguments[0]}']`);
        return box.closest('.fields > *').innerText;
    """
    fits = """
        return [...document.querySelectorAll('.card')]
          .every((one) => one.scrollWidth <= one.clientWidth);
    """
    components = {"kit": {}, "cart": {"load": [{}]}}
    one = page.colony.call("spawn", prefab="wagon", components=components)["id"]
    page.resize(*size)
    try:
        page.open(f"entity/{one}" if view == "entity" else view)
        if view == "spawn/wagon":
            write(page, "cart.load.count", "1")
        for path, unit in UNITS[view].items():
            page.one(f"input[aria-label='{path}']")
            assert unit in page.browser.execute_script(beside, path)
        assert page.browser.execute_script(fits)
    finally:
        page.own_size()
        page.colony.call("despawn", id=one)


def test_structs_of_which_there_are_many_are_edited(page: Page) -> None:
    one = page.colony.call("spawn", prefab="wagon")["id"]
    cart = lambda: component_of(page, one, "cart")  # noqa: E731
    page.open(f"entity/{one}")
    write(page, "cart.load.count", "2")
    write(page, "cart.load[1].at.x", "4.5")
    page.until(lambda: cart()["load"][1]["at"] == {"x": 4.5, "y": 0})
    write(page, "cart.load[1].marks.count", "1")  # a list in one item, not in the other
    write(page, "cart.load[1].marks[0]", "9")
    page.until(lambda: [crate["marks"] for crate in cart()["load"]] == [[], [9]])
    page.one("input[aria-label='cart.load[0].sealed']").click()
    write(page, "cart.wheels[1].y", "-1")
    write(page, "cart.rests[sad].x", "2")
    page.until(lambda: cart()["rests"]["sad"] == {"x": 2, "y": 0})
    assert cart()["wheels"] == [{"x": 0, "y": 0}, {"x": 0, "y": -1}]
    assert [crate["sealed"] for crate in cart()["load"]] == [True, False]
    write(page, "cart.load[0].pieces", "21")
    page.until(lambda: "is 21, and must be at most 20" in page.text(".problem"))
    page.one("a[aria-label='stop at cart.wheels[1].y']").click()
    page.until(lambda: page.all("#when"))
    assert page.one("#when").get_attribute("value") == f"cart.wheels[1].y of {one} > -1"
    paths = page.each("#stop-path option", "node.value")
    assert {"cart.wheels[1].y", "cart.rests[sad].x", "cart.load.count"} <= set(paths)


def test_a_name_is_found_in_any_text(page: Page) -> None:
    """Words with a capital, or in quotes, are looked for in each text that has space for them."""
    call = page.colony.call
    person = call("entities", where="person", columns=["person.name"], limit=1)["rows"][0]
    made = {
        name: call("spawn", prefab=prefab, components=components)["id"]
        for name, prefab, components in (
            ("Old Bess the Second", "wagon", {"cart": {"title": "Old Bess the Second"}}),
            ("Lantern", "traveller", {"kit": {"word": "Lantern"}}),
            ('a "b" \\', "traveller", {"kit": {"word": 'a "b" \\'}}),
        )
    }
    found = {
        f'"{person["values"][0]}"': person["id"],
        "Lantern": made["Lantern"],
        "Old Bess the Second": made["Old Bess the Second"],
        '"a \\"b\\" \\\\"': made['a "b" \\'],
    }
    for typed, one in found.items():
        page.find(typed)
        page.until(lambda one=one: page.ids() == [one])
    page.find("Lantern")
    where = 'person.name ~ "Lantern" | kit.word ~ "Lantern" | cart.title ~ "Lantern"'
    page.until(lambda: page.one("#filter").get_attribute("value") == where)
    page.until(lambda: page.ids() == [made["Lantern"]])
    page.find("Somebody whose name has no space anywhere")
    page.until(lambda: "there is room for" in page.text("#problem"))
    for name, one in made.items():
        page.open(f"entity/{one}")
        page.until(lambda name=name, one=one: page.text("h2, #name") == f"{one}\n{name}")
        call("despawn", id=one)


def test_what_can_be_asked_is_of_this_schema(page: Page) -> None:
    asked = page.one("#filter").get_attribute("placeholder")
    assert asked == 'needs.hunger > 0.5 & !asleep, or 12:3, or a Name, or "any name"'
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
