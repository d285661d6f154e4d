"""Pinned entities side by side: a row for each value, a column for each entity.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import pytest

from browser import PHONE
from inspector import Game, people
from inspector_page import Page

PINS_MAX = 8  # see runtime/serve/page/pins.mjs
HEADS = "#beside thead th[data-id]"


def cell(path: str, one: str) -> str:
    return f"#beside tr[data-path='{path}'] td[data-of='{one}']"


def shown(page: Page) -> list[str]:
    found: list[str] = page.browser.execute_script(
        "return [...document.querySelectorAll(arguments[0])].map((one) => one.dataset.id)", HEADS
    )
    return found


def differs(page: Page, path: str, one: str) -> bool:
    return bool(page.all(f"{cell(path, one)}.differs"))


@pytest.fixture
def two(colony: Game) -> list[str]:
    some = people(colony, "worker & home")[:2]
    for one, hunger in zip(some, (0.25, 0.5), strict=True):
        colony.call("set", id=one, path="needs.hunger", value=hunger)
        colony.call("set", id=one, path="person.age", value=30)
    return some


def test_entities_are_pinned_compared_and_unpinned(
    page: Page, colony: Game, two: list[str]
) -> None:
    page.open("pinned")
    page.until(lambda: "No entity is pinned" in page.text("#said"))
    for one in two:
        page.open(f"entity/{one}")
        page.one(f"#pin[aria-label$=' {one}'][aria-pressed=false]").click()
        page.one("#pin[aria-pressed=true]")
    page.open("pinned")
    page.until(lambda: shown(page) == two)
    page.until(lambda: page.text(cell("needs.hunger", two[0])) == "0.25")
    assert page.text(cell("needs.hunger", two[1])) == "0.5"
    assert differs(page, "needs.hunger", two[0]) and differs(page, "needs.hunger", two[1])
    assert not differs(page, "person.age", two[0])
    name = colony.call("entity", id=two[0])["components"]["person"]["name"]
    assert page.text(cell("person.name", two[0])) == name
    assert f"{name} {two[0]}" in page.text(HEADS)
    colony.call("set", id=two[0], path="needs.hunger", value=0.5)
    page.until(lambda: not differs(page, "needs.hunger", two[0]))
    page.one("#differing").click()
    page.until(lambda: not page.one("#beside tr[data-path='person.age']").is_displayed())
    assert page.one("#beside tr[data-path='person.name']").is_displayed()
    page.one("#differing").click()
    page.one(f"[aria-label='unpin {two[0]}']").click()
    page.until(lambda: shown(page) == [two[1]])
    page.one("#unpin-all").click()
    page.until(lambda: "No entity is pinned" in page.text("#said"))


def test_pins_outlast_a_reload_and_are_in_the_address(page: Page, two: list[str]) -> None:
    page.open(f"pinned?of={two[1]},{two[0]}")
    page.until(lambda: shown(page) == [two[1], two[0]])
    page.browser.refresh()
    page.until(lambda: shown(page) == [two[1], two[0]])
    page.open("memory")
    page.until(lambda: page.all("#tables"))
    page.browser.refresh()
    page.until(lambda: page.all("#tables"))
    page.open("pinned")
    page.until(lambda: shown(page) == [two[1], two[0]])
    page.until(lambda: page.browser.current_url.endswith(f"#/pinned?of={two[1]},{two[0]}"))
    page.one("#unpin-all").click()


def test_rows_follow_the_components(page: Page, colony: Game, two: list[str]) -> None:
    """A component that one of them loses is a dash there, and its row goes with the last one."""
    page.open(f"pinned?of={','.join(two)}")
    page.until(lambda: page.text(cell("home.house", two[0])))
    colony.call("add", id=two[1], component="child")
    page.until(lambda: page.text(cell("child", two[1])) == "true")
    assert page.text(cell("child", two[0])) == "-"
    assert differs(page, "child", two[0])
    colony.call("remove", id=two[1], component="child")
    page.until(lambda: not page.all("#beside tr[data-path='child']"))


def test_a_despawned_one_says_so(page: Page, colony: Game, two: list[str]) -> None:
    other = people(colony, "worker & home")[5]
    page.open(f"pinned?of={two[0]},{other}")
    page.until(lambda: page.text(cell("needs.hunger", other)))
    colony.call("despawn", id=other)
    page.until(lambda: "is no longer alive" in page.text(f"{HEADS}.gone"))
    assert page.text(cell("needs.hunger", other)) == ""
    assert page.text(cell("needs.hunger", two[0])) != ""


def test_there_is_a_limit(page: Page, colony: Game) -> None:
    some = people(colony)[: PINS_MAX + 1]
    page.open(f"pinned?of={','.join(some)}")
    page.until(lambda: shown(page) == some[:PINS_MAX])
    page.open(f"entity/{some[PINS_MAX]}")
    page.one(f"#pin[aria-label$=' {some[PINS_MAX]}']").click()
    page.until(lambda: "At most 8 entities can be pinned" in page.text(".toast"))
    assert page.one("#pin").get_attribute("aria-pressed") == "false"


def test_names_stay_in_sight_on_a_phone(page: Page, colony: Game) -> None:
    page.resize(*PHONE)
    try:
        page.open(f"pinned?of={','.join(people(colony)[:PINS_MAX])}")
        page.until(lambda: page.all("#beside tr[data-path='needs.hunger']"))
        assert page.browser.execute_script("return document.documentElement.scrollWidth") <= 390
        places = page.browser.execute_script(
            """
            const box = document.getElementById('beside').parentElement;
            box.scrollLeft = box.scrollWidth;
            const names = document.querySelector("tr[data-path='needs.hunger'] th");
            const left = (node) => node.getBoundingClientRect().left;
            return [box.scrollLeft, left(names) - left(box)];
            """
        )
        assert places[0] > 100 and abs(places[1]) < 2
    finally:
        page.own_size()
