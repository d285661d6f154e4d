"""The inspector's page can be used by keyboard alone: Tab reaches everything, arrows and Enter
work.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import DESKTOP, PHONE
from inspector import RefusedError
from inspector_page import Page

VIEWS = (
    "entities", "singletons", "systems", "changes", "events", "stops", "memory", "schema",
    "messages", "spawn", "charts", "timeline", "map", "tree", "pinned",
)  # fmt: skip
STOPS_MAX = 2500  # of Tab, until it has come around

# Names an element as a person would, so that one that is drawn anew counts as the one before.
NAME = """
const name = (node) => {
  const [label, href] = [node.getAttribute('aria-label'), node.getAttribute('href')];
  const words = label || href ? '' : node.textContent.slice(0, 40);
  return [node.tagName, label ?? node.id, href ?? '', words].join('|');
};
"""
FOCUSED = (
    NAME
    + """
const node = document.activeElement;
if (!node || node === document.body) return null;
const style = getComputedStyle(node);
return [name(node), style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0];
"""
)
# All that a mouse could use: what browsers make for that, what says so, and what looks like it.
USABLE = (
    NAME
    + """
const some = 'a[href], button, input, select, textarea, summary, [role=button], [tabindex="0"]';
const nodes = [...document.querySelectorAll(some)].filter((node) =>
  !node.disabled && node.tabIndex >= 0 && node.getClientRects().length > 0 &&
  node.checkVisibility());
return nodes.map(name);
"""
)
# Lists whatever takes clicks and has no part in Tab; arrows walk the lines of the list.
POINTED = """
return [...document.querySelectorAll('body *')].filter((node) =>
  getComputedStyle(node).cursor === 'pointer' && node.getClientRects().length > 0 &&
  !node.closest('a, button, label, summary, select, [role=button], #list'))
  .map((node) => node.outerHTML);
"""


class Keyboard:
    """The keys of a person who has no mouse."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def press(self, *keys: str) -> None:
        for key in keys:
            ActionChains(self.page.browser, duration=0).send_keys(key).perform()

    def with_shift(self, key: str) -> None:
        chain = ActionChains(self.page.browser, duration=0)
        chain.key_down(Keys.SHIFT).send_keys(key).key_up(Keys.SHIFT).perform()

    def write(self, text: str) -> None:
        """Types in place of what is there."""
        chain = ActionChains(self.page.browser, duration=0)
        chain.key_down(Keys.CONTROL).send_keys("a").key_up(Keys.CONTROL).send_keys(text).perform()

    def on(self, selector: str) -> bool:
        script = "return document.activeElement?.matches(arguments[0]) ?? false"
        return bool(self.page.browser.execute_script(script, selector))

    def to(self, selector: str) -> None:
        """Presses Tab until it is there, which is there by now."""
        self.page.one(selector)
        for _ in range(STOPS_MAX):
            if self.on(selector):
                return
            self.press(Keys.TAB)
        raise AssertionError(f"Tab does not lead to {selector}")

    def open(self, view: str) -> None:
        """Opens a view by its digit or letter."""
        if self.on("input, select"):
            self.press(Keys.TAB)
        while self.on("input, select"):
            self.press(Keys.TAB)
        letters = {"charts": "c", "timeline": "t", "map": "m"}
        self.press(letters.get(view) or str((VIEWS.index(view) + 1) % 10))
        self.page.until(lambda: self.current() == view)

    def current(self) -> str:
        return self.page.text("#views a[aria-current]")

    def choose(self, selector: str, value: str) -> None:
        """Leads a menu with arrows to a value, which nothing takes yet."""
        self.to(selector)
        shown = lambda: self.page.browser.execute_script(  # noqa: E731
            "return document.activeElement.value"
        )
        self.press(Keys.HOME)
        for _ in range(STOPS_MAX):
            if shown() == value:
                return
            self.press(Keys.ARROW_DOWN)
        raise AssertionError(f"{selector} has no {value}")

    def take(self, selector: str, value: str) -> None:
        self.choose(selector, value)
        self.press(Keys.ENTER)


@pytest.fixture
def keys(page: Page) -> Keyboard:
    return Keyboard(page)


def walked(page: Page, keys: Keyboard) -> tuple[set[str], set[str]]:
    """Presses Tab until it has come around: what had the focus, and what of it did not show so.

    Behind the last element of the page comes the window of the browser, and then the first.
    """
    seen: set[str] = set()
    hidden: set[str] = set()
    begun = page.browser.execute_script(FOCUSED)
    around = False
    for _ in range(STOPS_MAX):
        keys.press(Keys.TAB)
        focused = page.browser.execute_script(FOCUSED)
        if focused is None:
            if around:
                return seen, hidden
            around = True
            continue
        name, shown = focused
        seen.add(name)
        if not shown:
            hidden.add(name)
        if around and begun and name == begun[0]:
            return seen, hidden
    raise AssertionError("Tab does not come around")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("view", [*VIEWS, "entity", "spawn/villager"])
def test_tab_leads_to_everything(
    page: Page, keys: Keyboard, view: str, size: tuple[int, int]
) -> None:
    """Whatever a mouse could use is reached by Tab, and is seen to be; and Tab leads out of it."""
    page.browser.set_window_size(*size)
    one = page.colony.call("entities", where="person")["rows"][0]["id"]
    page.open(f"entity/{one}" if view == "entity" else view)
    page.until(lambda: len(page.all("#view > *")) > 0)
    if view == "systems":
        page.until(lambda: page.all("svg .node"))
    if view == "memory":
        page.until(lambda: page.all("#indexes"))
    seen, hidden = walked(page, keys)
    wanted = set(page.browser.execute_script(USABLE))
    assert len(wanted) > 10 and wanted - set(seen) == set()
    assert hidden & wanted == set()
    assert page.browser.execute_script(POINTED) == []


def test_entities_are_found_sorted_and_opened(page: Page, keys: Keyboard) -> None:
    keys.press("/")
    page.until(lambda: keys.on("#filter"))
    keys.write("person.age > 0")
    keys.press(Keys.ENTER)
    page.until(lambda: page.text("#count") == "60 entities" and keys.on("#list"))
    keys.to(".line.head button[title='sort by person.age']")
    keys.press(Keys.ENTER)
    page.until(lambda: "▲" in page.text(".line.head") and keys.on("#list") and page.ids())
    asked = {"where": "person.age > 0", "sort": "person.age", "limit": 3}
    third = page.colony.call("entities", **asked)["rows"][2]["id"]
    keys.press(Keys.ARROW_DOWN, Keys.ARROW_DOWN)
    page.until(lambda: page.all(f".line[data-id='{third}'][aria-selected='true']"))
    keys.press(Keys.ENTER)
    page.until(lambda: page.text("h2") == third)


def test_a_chart_is_added_read_and_removed(page: Page, keys: Keyboard) -> None:
    keys.open("charts")
    keys.take("#chart-kind", "mean of")
    keys.take("#chart-what", "needs.hunger")
    keys.to("#chart-of")
    keys.press(Keys.ENTER)
    page.until(lambda: page.text("#charts h3") == "mean of needs.hunger")
    page.colony.step(5)
    page.until(lambda: "tick 5: " in page.text("#charts .said"))
    keys.to("#charts svg.chart")
    keys.press(Keys.HOME)
    page.until(lambda: "tick 0: " in page.text("#charts .said"))
    keys.to("button[aria-label='remove the chart of mean of needs.hunger']")
    keys.press(Keys.ENTER)
    page.until(lambda: page.all("#charts .card") == [] and keys.on("#chart-of"))


def test_menus_take_nothing_that_arrows_pass(page: Page, keys: Keyboard) -> None:
    """Arrows show, Enter takes, and Escape or leaving gives back what was there."""
    components = page.colony.call("schema")["components"]
    second, third = components[1]["name"], components[2]["name"]
    keys.open("entities")
    keys.choose("select[aria-label='component or query']", second)
    keys.press(Keys.ARROW_DOWN)
    assert page.one("#filter").get_attribute("value") == ""
    keys.press(Keys.ENTER)
    page.until(lambda: page.one("#filter").get_attribute("value") == third)
    keys.choose("select[aria-label='column']", "position.x")
    assert "position.x" not in page.text(".line.head")
    keys.press(Keys.ENTER)
    page.until(lambda: "position.x" in page.text(".line.head"))
    keys.choose("#phase", "live")
    tick = page.colony.call("stats")["tick"]
    one = page.colony.call("entities", where="worker")["rows"][0]["id"]
    hunger = lambda: page.colony.call("entity", id=one)["components"]["needs"]["hunger"]  # noqa: E731
    before = hunger()
    keys.press(Keys.ESCAPE)
    assert page.one("#phase").get_attribute("value") == ""
    keys.choose("#phase", "live")
    keys.press(Keys.TAB)
    assert page.one("#phase").get_attribute("value") == "" and hunger() == before
    keys.take("#phase", "live")
    page.until(lambda: hunger() > before)
    assert page.colony.call("stats")["tick"] == tick


def test_an_entity_is_edited(page: Page, keys: Keyboard) -> None:
    one = page.colony.call("entities", where="worker")["rows"][1]["id"]
    read = lambda: page.colony.call("entity", id=one)["components"]  # noqa: E731
    keys.press("/")
    page.until(lambda: keys.on("#filter"))
    keys.write(one)
    keys.press(Keys.ENTER)
    page.until(lambda: page.text("h2") == one)
    keys.to("input[aria-label='needs.hunger']")
    keys.write("0.5")
    keys.press(Keys.ENTER)
    page.until(lambda: read()["needs"]["hunger"] == 0.5)
    job = read()["worker"]["job"]
    jobs = next(e for e in page.colony.call("schema")["enums"] if e["name"] == "job")["values"]
    wanted = next(value for value in reversed(jobs) if value != job)
    keys.choose("select[aria-label='worker.job']", wanted)
    assert read()["worker"]["job"] == job
    keys.press(Keys.ENTER)
    page.until(lambda: read()["worker"]["job"] == wanted)
    keys.take("#add", "child")
    page.until(lambda: "child" in read() and page.all("#component-child"))
    keys.to("button[aria-label='remove child']")
    keys.press(Keys.ENTER)
    page.until(lambda: "child" not in read() and page.all("#component-child.absent"))
    assert keys.on("#component-child :not(.danger)")  # where it was, and not at the beginning


def test_trees_are_made_opened_and_left(page: Page, keys: Keyboard) -> None:
    one = page.colony.call("entities", where="worker")["rows"][2]["id"]
    keys.open("spawn")
    keys.take("#prefab", "bundle")
    page.until(lambda: page.all("select[aria-label='drawn.look'], input[aria-label='drawn.look']"))
    keys.to("#spawn")
    keys.press(Keys.ENTER)
    page.until(lambda: ":" in page.text("h2"))
    bundle = page.text("h2")
    keys.to("input[aria-label='parent by carried_by']")
    keys.write(one)
    keys.press(Keys.ENTER)
    link = f"section[aria-label='carried_by'] a[href='#/entity/{one}']"
    page.until(lambda: page.all(link))
    keys.to(link)
    keys.press(Keys.ENTER)
    page.until(lambda: page.text("h2") == one and page.all("summary"))
    keys.to("summary")
    keys.press(Keys.ENTER)
    page.until(lambda: "no children" in page.text("ul.tree"))
    keys.to(f"ul.tree a[href='#/entity/{bundle}']")
    keys.press(Keys.ENTER)
    page.until(lambda: page.text("h2") == bundle)
    keys.to("#despawn")
    keys.press(Keys.ENTER)
    page.until(lambda: page.text("#gone") == "is no longer alive" and keys.on("#view"))
    with pytest.raises(RefusedError):
        page.colony.call("entity", id=bundle)
    keys.to("#undo button")
    keys.press(Keys.ENTER)
    page.until(lambda: page.all("#despawn"))
    page.colony.call("despawn", id=bundle)


def test_time_is_stepped_and_let_go(page: Page, keys: Keyboard) -> None:
    tick = page.colony.call("stats")["tick"]
    keys.press(".")
    page.until(lambda: page.colony.call("stats")["tick"] == tick + 1)
    keys.to("#ticks")
    keys.write("7")
    keys.with_shift(Keys.TAB)
    assert keys.on("#step")
    keys.press(Keys.ENTER)
    page.until(lambda: page.colony.call("stats")["tick"] == tick + 8)
    keys.take("#speed", "4")
    page.until(lambda: page.colony.call("stats")["speed"] == 4)
    keys.to("#views a")  # where a space is no press of a button
    keys.press(" ")
    page.until(lambda: not page.colony.call("stats")["paused"])
    page.until(lambda: page.text("#pause") == "pause")
    keys.press(" ")
    page.until(lambda: page.colony.call("stats")["paused"])
    keys.press("?")
    page.until(lambda: page.all("dialog[open]"))
    keys.press(Keys.ESCAPE)
    page.until(lambda: not page.all("dialog"))


def test_help_is_opened_once_and_keeps_keys(page: Page, keys: Keyboard) -> None:
    keys.open("memory")
    keys.press("?")
    page.until(lambda: page.all("dialog[open]"))
    keys.press("3", "?")
    page.until(lambda: not page.all("dialog"))
    assert keys.current() == "memory"
    keys.press("?", "?", "?")
    page.until(lambda: len(page.all("dialog")) == 1)


def test_a_mistake_is_corrected_where_it_was_typed(page: Page, keys: Keyboard) -> None:
    keys.press("/")
    page.until(lambda: keys.on("#filter"))
    keys.write("needs.hunger > 0.5 & aslep")
    keys.press(Keys.ENTER)
    page.until(lambda: "did you mean 'asleep'" in page.text("#problem") and keys.on("#filter"))
    keys.press("asleep", Keys.ENTER)  # in place of what is marked
    page.until(lambda: page.text("#problem") == "" and keys.on("#list"))
    assert page.one("#filter").get_attribute("value") == "needs.hunger > 0.5 & asleep"


def test_a_prefab_is_chosen_and_spawned_behind_its_values(page: Page, keys: Keyboard) -> None:
    keys.open("spawn")
    keys.take("#prefab", "villager")
    page.until(lambda: page.all("input[aria-label='person.name']") and keys.on("#prefab"))
    assert page.text("section[aria-label='arrived'] .hint") == "a tag"
    keys.to("input[aria-label='person.name']")
    keys.write("Ingeborg")
    keys.to("#spawn-below")
    keys.press(Keys.ENTER)
    page.until(lambda: page.text("#name") == "Ingeborg")
    page.colony.call("despawn", id=page.text("h2"))


def test_values_of_the_world_and_its_docs(page: Page, keys: Keyboard) -> None:
    keys.open("singletons")
    first = page.colony.call("schema")["singletons"][0]["name"]
    assert page.text("#view a[aria-current]") == first
    keys.to("a[href='#/singletons/chronicle']")
    keys.press(Keys.ENTER)
    page.until(lambda: page.text("#view a[aria-current]") == "chronicle")
    keys.to("a[href='#/singletons/calendar']")
    keys.press(Keys.ENTER)
    page.until(lambda: page.all("input[aria-label='calendar.day']"))
    keys.to("input[aria-label='calendar.day']")
    keys.write("30")
    keys.press(Keys.ENTER)
    page.until(lambda: page.colony.call("singleton", name="calendar")["day"] == 30)
    keys.open("schema")
    keys.to("input[aria-label='search the schema']")
    keys.write("zzz")
    page.until(lambda: page.text("#none") == 'Nothing in the schema has "zzz" in it.')
    keys.write("starved")
    page.until(lambda: "0 is fed, 1 is starved" in page.text("#view"))
    keys.to("a[href='#/entities?where=needs']")
    keys.press(Keys.ENTER)
    page.until(lambda: page.text("#count") == "60 entities")
    keys.open("memory")
    page.until(lambda: page.all("#tables a"))
    keys.to("#tables a")
    keys.press(Keys.ENTER)
    page.until(lambda: keys.current() == "entities" and page.ids())


def test_systems_changes_and_events(page: Page, keys: Keyboard) -> None:
    keys.open("systems")
    page.until(lambda: page.all("svg .node"))
    keys.to("g[aria-label='steer']")
    keys.press(Keys.ENTER)
    page.until(lambda: page.text("#detail h3") == "steer")
    keys.to("#detail button")
    keys.press(Keys.ESCAPE)
    page.until(lambda: not page.all("#detail h3") and keys.on("g[aria-label='steer']"))
    keys.press(".")
    page.until(lambda: page.all("#times button"))
    keys.to("#times button")
    keys.press(" ")
    page.until(lambda: page.all("#detail h3"))
    keys.open("changes")
    keys.to("#remember")
    keys.press(Keys.ENTER)
    page.until(lambda: "From tick" in page.text("#between"))
    keys.press(".")
    page.until(lambda: "calendar" in page.text("#changes"))
    keys.open("events")
    keys.choose("#event", "born")
    assert page.one("#event").get_attribute("value") == "born"


def test_a_stop_is_set_and_forgotten(page: Page, keys: Keyboard) -> None:
    keys.open("stops")
    keys.to("button.watch")
    keys.press(Keys.ENTER)
    page.until(lambda: page.one("#builder").is_displayed())
    keys.choose("#stop-path", "needs.hunger")
    keys.to("#stop-operand")
    keys.write("0.9")
    keys.choose("#stop-sign", "<")
    assert page.one("#when").get_attribute("value") == "needs.hunger < 0.9"
    keys.to("#stop")
    keys.press(Keys.ENTER)
    forget = "button[aria-label='forget needs.hunger < 0.9']"
    page.until(lambda: page.all(forget))
    keys.to(forget)
    keys.press(Keys.ENTER)
    page.until(lambda: page.colony.call("stops") == [])
    one = page.colony.call("entities", where="worker")["rows"][4]["id"]
    page.open(f"entity/{one}")
    keys.to("button[aria-label='who wrote needs']")
    keys.press(Keys.ENTER)
    keys.press(".")
    page.until(lambda: "get_hungry" in page.text("#component-needs .writes"))
    keys.open("stops")
    keys.to("#unwatch")
    keys.press(Keys.ENTER)
    page.until(lambda: not page.colony.call("stats")["watched"])
