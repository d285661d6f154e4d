"""What keeps its place on the page of an entity while the game runs, in Chromium.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import pytest

from browser import DESKTOP, PHONE
from inspector import RefusedError
from inspector_page import Page

# Where each card and its red button are, by the name of its component.
PLACES = """
    const box = (node) => node.getBoundingClientRect();
    const place = (node) => node && [box(node).left, box(node).top];
    return Object.fromEntries([...document.querySelectorAll('#components .card')].map((node) =>
      [node.getAttribute('aria-label'),
        [place(node), place(node.querySelector('button.danger'))]]));
"""
Places = dict[str, list[list[float]]]


def places(page: Page) -> Places:
    found: Places = page.browser.execute_script(PLACES)
    return found


def open_entity(page: Page, one: str) -> None:
    page.open(f"entity/{one}")
    page.until(lambda: page.text("h2") == one and page.all("#components .card"))


def tags_of(page: Page) -> list[str]:
    components = page.colony.call("schema")["components"]
    return [one["name"] for one in components if one["storage"] == "tag"]


def add(page: Page, one: str, tag: str) -> bool:
    """Adds a tag that an entity lacks, unless it needs another component."""
    if tag in page.colony.call("entity", id=one)["components"]:
        return False
    try:
        page.colony.call("add", id=one, component=tag)
    except RefusedError:
        return False
    return True


@pytest.mark.parametrize("size", [DESKTOP, (1920, 1080), PHONE], ids=str)
def test_cards_stay_while_tags_come_and_go(page: Page, size: tuple[int, int]) -> None:
    one = page.colony.call("entities", where="worker")["rows"][9]["id"]
    page.resize(*size)
    try:
        open_entity(page, one)
        before = places(page)
        assert len(before) >= 5
        added = [tag for tag in tags_of(page) if add(page, one, tag)]
        assert len(added) >= 2
        page.until(lambda: all(page.all(f"#component-{tag}:not(.absent)") for tag in added))
        assert {name: places(page)[name] for name in before} == before
        for tag in added:
            page.colony.call("remove", id=one, component=tag)
            page.one(f"#component-{tag}.absent")
            assert {name: places(page)[name] for name in before} == before
        fits = "return document.documentElement.scrollWidth <= innerWidth"
        assert page.browser.execute_script(fits)
    finally:
        page.own_size()


def test_a_component_keeps_its_place_for_its_return(page: Page) -> None:
    one = page.colony.call("entities", where="worker & home")["rows"][10]["id"]
    home = page.colony.call("entity", id=one)["components"]["home"]
    open_entity(page, one)
    before = places(page)
    page.colony.call("remove", id=one, component="home")
    page.one("#component-home.absent")
    assert "It was removed." in page.text("#component-home")
    assert not page.one("button[aria-label='remove home']").is_enabled()
    assert places(page) == before
    page.colony.call("write", id=one, components={"home": home})
    page.until(lambda: not page.all("#component-home.absent"))
    assert places(page) == before


def test_cards_stay_while_the_game_runs(page: Page) -> None:
    """Goals, claims and tags change; a card moves at most once, when one above it first grows."""
    one = page.colony.call("entities", where="worker & !child")["rows"][11]["id"]
    open_entity(page, one)
    for _ in range(10):
        page.colony.step(20)
        page.browser.execute_async_script("setTimeout(arguments[0], 600)")
    before = places(page)
    for _ in range(10):
        page.colony.step(20)
        tick = page.colony.call("stats")["tick"]
        page.until(lambda: f"tick {tick:,}" in page.text("#facts"))  # noqa: B023
        after = places(page)
        assert {name: after[name] for name in before} == before


def test_writers_open_without_moving_cards_later(page: Page) -> None:
    """A list of writes has its height from the start, however many there are."""
    one = page.colony.call("entities", where="worker")["rows"][12]["id"]
    open_entity(page, one)
    page.one("button[aria-label='who wrote needs']").click()
    page.one("#component-needs button.watch").click()
    page.until(lambda: "Nothing has written it" in page.text("#component-needs .writes"))
    before = places(page)
    page.colony.step(60)
    page.until(lambda: len(page.all("#component-needs .writes tr")) > 5)
    assert {name: place[0] for name, place in places(page).items() if name in before} == {
        name: place[0] for name, place in before.items()
    }
    page.colony.call("watch", on=False)
