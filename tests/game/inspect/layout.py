"""How the page is laid out: sizes of inputs, grids of arrays, alignment, borders, focus, titles.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from browser import PHONE, complaints
from inspector import INSPECT, PAUSED, RefusedError, game, people
from inspector_page import Page

WIDE = (1920, 1080)
VIEWS = (
    "entities", "singletons", "systems", "changes", "events", "stops", "memory", "schema",
    "messages", "spawn", "tree", "pinned",
)  # fmt: skip
INPUT_MAX = 420  # pixels; room for the longest text of 40 characters
TABS_MAX = 12  # from the top of a page to its first field


def addresses(page: Page) -> dict[str, str]:
    """Returns all views, and those of an entity, of a form and of an array."""
    return {view: view for view in VIEWS} | {
        "entity": f"entity/{people(page.colony)[0]}",
        "array": f"entity/{people(page.colony, 'soil')[0]}",
        "form": "spawn/villager",
        "system": "systems/steer",
    }


def show(page: Page, view: str) -> None:
    page.open(addresses(page)[view])
    page.until(lambda: page.all("#view > *"))
    if view in ("entity", "array"):
        page.until(lambda: page.all(".card"))


@pytest.mark.parametrize("view", ["entity", "form", "singletons", "array"])
def test_inputs_are_as_wide_as_their_values(page: Page, view: str) -> None:
    """On a wide screen too; numbers are at the right of theirs."""
    page.resize(*WIDE)
    try:
        show(page, view)
        page.until(lambda: page.all("#view .value input, #view .value select"))
        widths = page.browser.execute_script(
            "return [...document.querySelectorAll('#view .value input')]"
            ".map((one) => one.getBoundingClientRect().width)"
        )
        assert all(width <= INPUT_MAX for width in widths)
        aligned = page.browser.execute_script(
            "return [...document.querySelectorAll('#view .value input[inputmode=decimal]')]"
            ".map((one) => getComputedStyle(one).textAlign)"
        )
        assert set(aligned) <= {"right"} and (aligned or view in ("form", "array"))
    finally:
        page.own_size()


GRID = ".array[aria-label='soil.{}']"


def chosen_item(page: Page, grid: str) -> str:
    return str(page.one(grid).get_attribute("aria-activedescendant"))


def test_an_array_of_many_values_is_a_grid(page: Page) -> None:
    """Of 32 columns, since 1,024 is 32 times 32; only rows in sight are in the page."""
    one = people(page.colony, "soil")[0]
    wear = lambda: page.colony.call("entity", id=one)["components"]["soil"]["wear"]  # noqa: E731
    grid = GRID.format("wear")
    page.open(f"entity/{one}")
    page.until(lambda: page.all(f"{grid} [data-item]"))
    assert page.one(grid).get_attribute("aria-rowcount") == "33"
    assert len(page.all(f"{grid} .head span")) == 33
    assert 0 < len(page.all(f"{grid} [data-item]")) <= 32 * 16
    assert len(page.all("#component-soil .body select")) < 10
    box = page.one(grid)
    box.send_keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert chosen_item(page, grid) == "item-soil.wear[34]"
    box.send_keys(Keys.ENTER)
    edited = page.browser.switch_to.active_element
    assert edited.get_attribute("aria-label") == "soil.wear[34]"
    edited.send_keys(Keys.CONTROL + "a")
    edited.send_keys("77", Keys.ENTER)
    page.until(lambda: wear()[34] == 77)
    cell = f"{grid} [data-item='34']"
    page.until(lambda: page.text(cell) == "77")
    edited.send_keys(Keys.ESCAPE)
    assert page.browser.switch_to.active_element.get_attribute("aria-label") == "soil.wear"
    page.one(grid).send_keys(Keys.END)
    assert chosen_item(page, grid) == "item-soil.wear[1023]"
    page.until(lambda: page.all(f"{grid} [data-item='1023'][aria-selected='true']"))
    assert len(page.all(f"{grid} [data-item]")) <= 32 * 16
    page.colony.call("set", id=one, path="soil.wear[1023]", value=5)
    page.until(lambda: page.text(f"{grid} [data-item='1023']") == "5")
    in_sight = """
        const [cell, box] = [...arguments].map((one) => one.getBoundingClientRect());
        return cell.top >= box.top && cell.bottom <= box.bottom;
    """
    last = page.one(f"{grid} [data-item='1023']")
    assert page.browser.execute_script(in_sight, last, page.one(grid))


def test_a_refused_item_says_so_below_its_grid(page: Page) -> None:
    page.open(f"entity/{people(page.colony, 'soil')[0]}")
    page.one(GRID.format("wear")).send_keys(Keys.ENTER)
    page.browser.switch_to.active_element.send_keys(Keys.CONTROL + "a")
    page.browser.switch_to.active_element.send_keys("300", Keys.ENTER)
    page.until(lambda: "300" in page.text(".chosen .problem"))


def test_numbers_of_a_list_are_aligned_and_have_units(page: Page) -> None:
    page.open(
        "entities?where=person&columns=person.name,person.age,needs.hunger,worker.skill[wood]"
    )
    age = ".line[data-id] > :nth-child(3)"
    page.until(lambda: page.text(age))
    ages = page.text(age).split()
    assert len({len(one.split(".")[1]) for one in ages}) == 1  # all have as many decimals
    align = "return getComputedStyle(document.querySelector(arguments[0])).textAlign"
    assert page.browser.execute_script(align, age) == "right"
    assert page.browser.execute_script(align, ".line[data-id] > :nth-child(2)") != "right"
    head = ".line.head [title='sort by person.age']"
    assert page.text(head).split() == ["person.age", "day"]
    assert page.browser.execute_script(align, head) == "right"
    assert "." not in page.text(".line[data-id] > :nth-child(5)")


EMPTY = {
    "entities?where=person.age%20%3E%209e9": ("#none", "No entity passes this expression."),
    "entities?where=person%20%26%20depot": ("#none", "On its own, person passes 60; depot passes"),
    "events": ("#none", "No event has been emitted since this view was opened."),
    "messages": ("#none", "no call was refused"),
    "changes": ("#between", "No tick is remembered yet."),
}


@pytest.mark.parametrize("view", EMPTY)
def test_empty_lists_say_why(browser: webdriver.Chrome, view: str) -> None:
    selector, words = EMPTY[view]
    with game(*PAUSED, program=INSPECT) as colony:
        page = Page(browser, colony)
        page.open(view)
        page.until(lambda: words in page.text(selector))
        assert complaints(browser) == []


def test_an_entity_without_components_says_so(page: Page) -> None:
    one = page.colony.call("spawn")["id"]
    page.open(f"entity/{one}")
    page.until(lambda: "It has no components." in page.text("#none"))
    page.until(lambda: "no children" in page.text("section[aria-label='carried_by']"))
    page.colony.call("despawn", id=one)


def test_parts_of_the_memory_add_up(page: Page) -> None:
    page.open("memory")
    page.until(lambda: page.all("#parts"))
    rows = [row.split("\t") for row in page.text("#parts").splitlines()[1:]]
    sizes = [int(size.replace(",", "")) for _, size, _ in rows]
    assert rows[-1][0] == "all of it" and len(rows) > 3
    assert sum(sizes[:-1]) == sizes[-1] and min(sizes) >= 0
    assert sizes[-1] == page.colony.call("tables")["bytes"]


def test_placeholders_show_what_empty_fields_become(page: Page) -> None:
    """The values of the prefab where it has some, else the defaults of the schema."""
    shown = lambda path: page.one(f"input[aria-label='{path}']").get_attribute("placeholder")  # noqa: E731
    page.open("spawn/tree")
    assert shown("plant.hours_to_ripen") == "96"
    page.open("spawn/villager")
    page.until(lambda: page.all("input[aria-label='person.name']"))
    assert (shown("person.name"), shown("walker.speed"), shown("worker.source")) == (
        "Nobody", "2.4", "none",
    )  # fmt: skip
    first = "return document.querySelector(\"select[aria-label='worker.job'] option\").textContent"
    assert page.browser.execute_script(first) == "idle (default)"
    page.one("#spawn").click()
    page.until(lambda: page.all("#component-walker"))
    one = page.text("h2").split()[0]
    components = page.colony.call("entity", id=one)["components"]
    assert components["walker"]["speed"] == pytest.approx(2.4)
    assert components["worker"]["job"] == "idle"
    page.colony.call("despawn", id=one)


# Borders around elements, with their contrast to what is behind them, by the formula of WCAG 2.
CONTRASTS = """
const numbers = (color) => color.match(/[\\d.]+/g).map(Number);
const light = ([r, g, b]) => [r, g, b].map((one) => one / 255)
  .map((one) => one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)
  .reduce((sum, one, i) => sum + one * [0.2126, 0.7152, 0.0722][i], 0);
const behind = (node) => {
  for (let one = node.parentElement; one; one = one.parentElement) {
    const color = numbers(getComputedStyle(one).backgroundColor);
    if (color.length < 4 || color[3] > 0) return color;
  }
  return [255, 255, 255];
};
const contrast = (one, other) => {
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};
const sides = ['Top', 'Right', 'Bottom', 'Left'];
const seen = [...document.querySelectorAll('body *')].filter((node) => {
  const style = getComputedStyle(node);
  return node.checkVisibility() && node.getClientRects().length > 0
    && sides.every((side) => parseFloat(style[`border${side}Width`]) > 0
      && style[`border${side}Style`] !== 'none');
});
const boxes = [...document.querySelectorAll('svg .box')]
  .map((node) => [node.closest('g').getAttribute('aria-label'),
    contrast(numbers(getComputedStyle(node).stroke), behind(node.closest('svg')))]);
return [...seen.map((node) => [`${node.tagName} ${node.id} ${node.className}`,
  contrast(numbers(getComputedStyle(node).borderTopColor), behind(node))]), ...boxes];
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_borders_are_seen(page: Page, scheme: str) -> None:
    """Borders around inputs, buttons, cards and lists have a contrast of at least 3 to 1."""
    media = [{"name": "prefers-color-scheme", "value": scheme}]
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})
    try:
        for view in addresses(page):
            show(page, view)
            if view == "systems":
                page.until(lambda: page.all("svg .box"))
            found: list[tuple[str, float]] = page.browser.execute_script(CONTRASTS)
            assert len(found) > 4
            assert [one for one in found if one[1] < 3] == [], view
    finally:
        page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


@pytest.mark.parametrize(
    "view", ["entities", "entity", "singletons", "form", "changes", "events", "schema", "systems"]
)
def test_a_field_is_few_tabs_from_the_top(page: Page, view: str) -> None:
    """The first Tab leads to a link that skips the bar."""
    page.browser.get("about:blank")
    page.browser.get(f"{page.colony.url}#/{addresses(page)[view]}")
    page.until(lambda: page.all("#view input, #view select"))
    keys = webdriver.ActionChains(page.browser, duration=0)
    focus = "return document.activeElement.matches(arguments[0])"
    page.browser.execute_script("document.activeElement.blur()")
    page.browser.execute_script(
        "getSelection().setPosition(document.body, 0); document.querySelector('.skip').focus()"
    )
    keys.send_keys(Keys.ENTER).perform()
    page.until(lambda: page.browser.execute_script(focus, "#view"))
    address = page.browser.execute_script("return location.hash")
    assert address == f"#/{addresses(page)[view]}"
    for _ in range(TABS_MAX - 2):  # after Tab and Enter
        webdriver.ActionChains(page.browser, duration=0).send_keys(Keys.TAB).perform()
        if page.browser.execute_script(focus, "#view input, #view select"):
            return
    raise AssertionError(f"no field within {TABS_MAX} keys")


def test_the_first_tab_leads_to_the_skip_link(page: Page) -> None:
    first = """
        const some = 'a[href], button, input, select, summary, [tabindex="0"]';
        return document.querySelector(some).matches('.skip');
    """
    assert page.browser.execute_script(first)


HEADINGS = """
return [...document.querySelectorAll('h1, h2, h3, h4')].map((one) => Number(one.tagName[1]));
"""


def test_each_view_has_headings_and_a_title(page: Page) -> None:
    titles: dict[str, str] = {}
    for view in addresses(page):
        show(page, view)
        page.until(lambda view=view: page.browser.title not in titles.values())
        titles[view] = page.browser.title
        levels = page.browser.execute_script(HEADINGS)
        assert levels[0] == 1 and levels.count(1) == 1 and levels[1] == 2, view
        assert all(after - before <= 1 for before, after in itertools.pairwise(levels))
    assert len(set(titles.values())) == len(titles)
    assert titles["memory"] == "memory · colony · Weft inspector"
    assert people(page.colony)[0] in titles["entity"]


OVERLAPPING = """
return [...document.querySelectorAll('#views a, #time > *')]
  .filter((node) => node.scrollWidth > node.clientWidth + 1).map((node) => node.textContent);
"""
SMALL = """
const some = 'button, input, select, summary, #views a, #view a, [role=button], [role=option]';
return [...document.querySelectorAll(some)].filter((node) => {
  const box = node.getBoundingClientRect();
  return node.checkVisibility() && box.width > 1 && (box.height < 32 || box.width < 32);
}).map((node) => `${node.tagName} ${node.textContent} ${node.getAttribute('aria-label')}`);
"""


def test_touch_targets_are_large_enough(page: Page) -> None:
    page.resize(*PHONE)
    try:
        for view in addresses(page):
            show(page, view)
            assert page.browser.execute_script(SMALL) == [], view
            assert page.browser.execute_script(OVERLAPPING) == [], view
    finally:
        page.own_size()


def test_an_unknown_address_stays_and_says_so(page: Page) -> None:
    page.open("weather")
    page.until(lambda: "there is no view 'weather'" in page.text("#view .bad"))
    assert not page.all("#list") and page.browser.title.startswith("unknown address")
    assert not page.all("#views [aria-current]")
    page.one("#view a[href='#/memory']").click()
    page.until(lambda: page.all("#tables"))


@pytest.mark.parametrize(
    ("typed", "words"),
    [("-5", "-5 became 1"), ("2.4", "2.4 became 2"), ("9999999", "9999999 became 1,000,000")],
)
def test_a_clamped_number_says_so(page: Page, typed: str, words: str) -> None:
    box = page.one("#ticks")
    box.send_keys(Keys.CONTROL + "a")
    box.send_keys(typed)
    page.one("#step").click()
    page.until(lambda: words in page.text("#note"))
    if typed == "9999999":
        page.until(lambda: page.text("#step") == "stop")
        page.one("#step").click()
    page.until(lambda: page.text("#step") == "step")
    box.send_keys(Keys.CONTROL + "a")
    box.send_keys("1")
    assert page.text("#note") == ""


def test_defaults_are_in_the_schema(page: Page) -> None:
    schema: dict[str, Any] = page.colony.call("schema")
    of = {one["name"]: one for one in schema["components"]}
    assert of["person"]["defaults"]["name"] == "Nobody" and "defaults" not in of["asleep"]
    tree = next(one for one in schema["prefabs"] if one["name"] == "tree")
    assert tree["values"]["plant"]["hours_to_ripen"] == 96
    with pytest.raises(RefusedError):
        page.colony.call("schema", values=True)


def test_the_page_is_one_small_file(page: Page) -> None:
    size, others = page.browser.execute_script(
        "return [performance.getEntriesByType('navigation')[0].decodedBodySize,"
        " performance.getEntriesByType('resource').map((one) => one.name)"
        " .filter((name) => !name.startsWith('data:'))]"
    )
    assert 100_000 < size < 400_000 and others == []
