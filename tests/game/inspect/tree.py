"""The tree of a relation on the page: unfolded by mouse and keys, window by window.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import PHONE, complaints
from inspector import CROWD, Game, game, people
from inspector_page import Page

MANY = 2500
BATCH = 50
WINDOW, SHOWN_MAX = 100, 1000  # see runtime/serve/page/tree.mjs
FOCUSED = "return document.activeElement.dataset.id ?? ''"
# The handles of the items in their order, each with its level.
ITEMS = """
return [...document.querySelectorAll('#tree [role=treeitem][data-id]')]
  .map((one) => [one.dataset.id, Number(one.getAttribute('aria-level'))]);
"""


@pytest.fixture(scope="module")
def crowd() -> Iterator[Game]:
    with game(str(MANY + 20), program=CROWD) as running:
        running.call("pause")
        yield running


@pytest.fixture
def page(browser: webdriver.Chrome, crowd: Game) -> Iterator[Page]:
    shown = Page(browser, crowd)
    yield shown
    shown.own_size()
    assert complaints(browser) == []
    browser.get("about:blank")


@pytest.fixture
def family(crowd: Game) -> Iterator[list[str]]:
    """Five people: the second and third travel with the first, and the others with the third."""
    some = people(crowd)[:5]
    for child, parent in ((2, 0), (1, 0), (4, 2), (3, 2)):
        crowd.call("attach", id=some[child], relation="travels_with", parent=some[parent])
    yield some
    for one in some[1:]:
        if "travels_with" in crowd.call("entity", id=one).get("parents", {}):
            crowd.call("detach", id=one, relation="travels_with")


@pytest.fixture(scope="module")
def leader(crowd: Game) -> str:
    """Returns the parent of many, who are in the order of their list."""
    everyone = [
        row["id"]
        for offset in range(0, MANY, 500)
        for row in crowd.call("entities", offset=offset + 10, limit=500)["rows"]
    ]
    first: str = people(crowd)[6]
    for at in range(0, MANY, BATCH):
        some = [one for one in everyone[at : at + BATCH] if one != first]
        attach = {"relation": "travels_with", "parent": first}
        crowd.at_once(*(("attach", {"id": one, **attach}) for one in some))
    return first


def children(crowd: Game, parent: str) -> list[str]:
    """Returns all children in their order."""
    found: list[str] = []
    more: dict[str, object] = {}
    while True:
        asked = {"relation": "travels_with", "id": parent, "limit": 500, **more}
        answer = crowd.call("children", **asked)
        found += [one["id"] for one in answer["children"]]
        if not answer["later"]:
            return found
        more = {"after": found[-1]}


def items(page: Page) -> list[tuple[str, int]]:
    return [(one, level) for one, level in page.browser.execute_script(ITEMS)]


def press(page: Page, *keys: str) -> None:
    for key in keys:
        ActionChains(page.browser, duration=0).send_keys(key).perform()


def item(one: str) -> str:
    return f"#tree [data-id='{one}']"


def focused(page: Page) -> str:
    return str(page.browser.execute_script(FOCUSED))


def name_of(crowd: Game, one: str) -> str:
    return f"{crowd.call('entity', id=one)['components']['person']['name']} {one}"


def test_roots_are_unfolded_by_keys(page: Page, crowd: Game, family: list[str]) -> None:
    top, second, third, fourth, fifth = family
    page.open("tree")
    page.one(item(top))
    assert page.one(item(top)).get_attribute("aria-label") == name_of(crowd, top)
    assert (second, 2) not in items(page)
    page.browser.execute_script(f'document.querySelector("{item(top)}").focus()')
    press(page, Keys.ARROW_RIGHT)
    page.until(lambda: items(page)[:3] == [(top, 1), (second, 2), (third, 2)])
    assert "2 children" in page.text(f"{item(top)} > .node")
    press(page, Keys.ARROW_RIGHT)
    assert focused(page) == second
    assert page.one(item(second)).get_attribute("aria-expanded") is None
    press(page, Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    page.until(lambda: (fifth, 3) in items(page))
    press(page, Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    assert focused(page) == fifth
    assert page.one(item(fifth)).get_attribute("aria-posinset") == "2"
    assert page.one(item(fifth)).get_attribute("aria-setsize") == "2"
    press(page, Keys.ARROW_UP)
    assert focused(page) == fourth
    press(page, Keys.ARROW_LEFT)
    assert focused(page) == third
    press(page, Keys.ARROW_LEFT)
    page.until(lambda: (fourth, 3) not in items(page))
    assert page.one(item(third)).get_attribute("aria-expanded") == "false"
    press(page, Keys.HOME)
    assert focused(page) == items(page)[0][0]
    assert [one.get_attribute("tabindex") for one in page.all("#tree li")].count("0") == 1
    press(page, Keys.ARROW_DOWN, Keys.ENTER)
    page.until(lambda: page.text("h2.mono") == second)


def test_the_address_keeps_the_entity(page: Page, crowd: Game, family: list[str]) -> None:
    """A reload shows its ancestors, itself and its children again."""
    top, second, third, fourth, fifth = family
    page.open(f"tree/travels_with?at={top}")
    page.one(item(third))
    page.one(f"{item(third)} .mark").click()
    shown = [(top, 1), (second, 2), (third, 2), (fourth, 3), (fifth, 3)]
    page.until(lambda: items(page) == shown)
    assert page.browser.current_url.endswith(f"#/tree/travels_with?at={third}")
    page.browser.refresh()
    page.until(lambda: items(page) == shown)
    page.until(lambda: page.one(item(third)).get_attribute("tabindex") == "0")
    page.one("#said a").click()
    page.until(lambda: "with children" in page.text("#said"))
    page.one(f"{item(top)} a").click()
    page.until(lambda: page.text("h2.mono") == top)


def test_it_is_linked_where_relations_are(page: Page, family: list[str]) -> None:
    page.open(f"entity/{family[1]}")
    page.one("a[aria-label='tree of travels_with']").click()
    page.until(lambda: items(page) == [(family[0], 1), (family[1], 2), (family[2], 2)])
    page.open("schema")
    page.one("#relations-travels_with a[href='#/tree/travels_with']").click()
    page.one(item(family[0]))


def test_many_children_are_shown_in_windows(page: Page, crowd: Game, leader: str) -> None:
    page.open(f"tree/travels_with?at={leader}")
    everyone = children(crowd, leader)
    total = len(everyone)
    assert total > MANY - 5
    page.until(lambda: len(items(page)) == WINDOW + 1)
    more, left = "#tree li.more:last-child", total - WINDOW
    assert page.text(more) == f"more: {left:,} are not shown"
    assert f"{total:,} children" in page.text(f"{item(leader)} > .node")
    for shown in range(2 * WINDOW, SHOWN_MAX + 1, WINDOW):
        page.one(f"{more} button").click()
        page.until(lambda shown=shown: len(items(page)) == shown + 1)
    assert [one for one, _ in items(page)][1:] == everyone[:SHOWN_MAX]
    page.one(f"{more} button").click()
    page.until(lambda: items(page)[1][0] == everyone[WINDOW])
    assert [one for one, _ in items(page)][1:] == everyone[WINDOW : SHOWN_MAX + WINDOW]
    page.one("#tree li.more:first-child button").click()
    page.until(lambda: [one for one, _ in items(page)][1:] == everyone[:SHOWN_MAX])


def test_a_child_is_shown_among_its_siblings(page: Page, crowd: Game, leader: str) -> None:
    everyone = children(crowd, leader)
    page.open(f"tree/travels_with?at={everyone[1200]}")
    page.until(lambda: [one for one, _ in items(page)][1:] == everyone[1180:1281])
    page.until(lambda: focused(page) == everyone[1200])
    press(page, *[Keys.ARROW_UP] * 21)
    page.until(
        lambda: page.browser.execute_script("return document.activeElement.className") == "more"
    )
    press(page, Keys.ENTER)
    page.until(lambda: [one for one, _ in items(page)][1:] == everyone[1080:1281])
    page.until(lambda: focused(page) == everyone[1179])


def test_it_follows_the_game(page: Page, crowd: Game, family: list[str]) -> None:
    """The focus stays at its entity, and goes to the next one if the entity is despawned."""
    top, second, third, fourth, fifth = family
    page.open(f"tree/travels_with?at={third}")
    page.until(lambda: len(items(page)) == 5)
    page.browser.execute_script(f'document.querySelector("{item(fifth)}").focus()')
    new = crowd.call("spawn", prefab="someone")["id"]
    crowd.call("attach", id=new, relation="travels_with", parent=third)
    page.until(lambda: items(page)[3:] == [(new, 3), (fourth, 3), (fifth, 3)])
    assert focused(page) == fifth
    crowd.call("detach", id=fourth, relation="travels_with")
    page.until(lambda: items(page)[3:] == [(new, 3), (fifth, 3)])
    assert focused(page) == fifth
    crowd.call("attach", id=fifth, relation="travels_with", parent=new)
    page.until(lambda: items(page)[2:] == [(third, 2), (new, 3)])
    page.until(lambda: page.one(item(new)).get_attribute("aria-expanded") == "false")
    crowd.call("detach", id=fifth, relation="travels_with")
    crowd.call("despawn", id=new)
    page.until(lambda: items(page) == [(top, 1), (second, 2), (third, 2)])
    assert page.browser.execute_script("return document.activeElement.role") == "treeitem"


def test_wrong_addresses_say_so(page: Page, family: list[str]) -> None:
    page.open("tree/nothing")
    page.until(lambda: "the schema has no relation 'nothing'" in page.text("#view"))
    page.open("tree/travels_with?at=999999:1")
    page.until(lambda: "entity 999999:1 was never alive" in page.text("#problem"))


def test_it_fits_a_phone(page: Page, leader: str, family: list[str]) -> None:
    page.resize(*PHONE)
    page.open(f"tree/travels_with?at={family[3]}")
    page.one(item(family[3]))
    width = "return document.documentElement.scrollWidth"
    assert page.browser.execute_script(width) <= PHONE[0]
    small = [
        one for one in page.all("#tree button") if one.is_displayed() and one.size["height"] < 30
    ]
    assert not small
