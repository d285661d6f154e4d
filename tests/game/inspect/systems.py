"""Systems in the inspector's page, in Chromium: the schedule as a picture, and the time of each
system.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import re

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browser import DESKTOP, PHONE
from inspector import CROWD, game
from inspector_page import Page

MEASURED = re.compile(r"over ([\d,]+) ticks")

# Lines, as numbers, with a point inside a system; a line begins and ends at the edge of one.
CROSSED = """
const boxes = [...document.querySelectorAll('svg .box')].map((box) => box.getBBox());
const inside = ({ x, y }) => boxes.some((box) => x > box.x + 1 && x < box.x + box.width - 1
  && y > box.y + 1 && y < box.y + box.height - 1);
return [...document.querySelectorAll('svg .edge')].flatMap((line, i) => {
  const step = line.getTotalLength() / 199;
  const points = [...Array(200).keys()].map((k) => line.getPointAtLength(k * step));
  return points.some(inside) ? [i] : [];
});
"""
PLACE = "return document.querySelector(`#schedule ${arguments[0]}`).getBBox()[arguments[1]]"
SIZES = [(360, 740), (390, 844), (768, 1024), (1280, 800), (1920, 1080)]


def step_until_measured(page: Page, ticks: int) -> None:
    """Steps until the page has the means of so many ticks; a slow machine may begin them anew."""

    def enough() -> bool:
        page.colony.call("step")
        found = MEASURED.search(page.text("#measured"))
        return found is not None and int(found[1].replace(",", "")) >= ticks

    page.until(enough)


def test_the_schedule_is_a_picture(page: Page) -> None:
    page.open("systems")
    page.one("g[aria-label='movement']").click()
    page.until(lambda: "velocity" in page.text("#detail"))
    schema = page.colony.call("schema")
    assert len(page.all("svg .node")) == len(schema["systems"])
    page.until(lambda: len(page.all("svg .edge.lit")) >= 2)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_no_line_passes_through_a_system(page: Page, size: tuple[int, int]) -> None:
    """Or it would seem to end there, and that system to wait for another one than it does."""
    page.resize(*size)
    try:
        page.open("memory")
        page.open("systems")
        page.until(lambda: page.all("#schedule svg .edge"))
        assert page.browser.execute_script(CROSSED) == []
    finally:
        page.own_size()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=str)
def test_a_flush_is_a_line_between_systems(
    browser: webdriver.Chrome, size: tuple[int, int]
) -> None:
    """Those behind it wait for all before it, and both sides have a chain that takes longest."""
    with game("100", program=CROWD) as crowd:
        crowd.call("pause")
        page = Page(browser, crowd)
        page.resize(*size)
        page.open("systems")
        page.until(lambda: len(page.all("#schedule svg .flush")) == 1)
        sides = {one["name"]: one["flush"] for one in crowd.call("systems")}
        assert [name for name, flush in sides.items() if flush] == ["answer"]
        along = "x" if size == DESKTOP else "y"
        before, line, behind = (
            page.browser.execute_script(PLACE, selector, along)
            for selector in ("[aria-label='call_out']", ".flush", "[aria-label='answer']")
        )
        assert before < line < behind
        page.one("g[aria-label='answer']").send_keys(Keys.ENTER)
        page.until(lambda: "is applied first" in page.text("#detail"))
        step_until_measured(page, 2)
        page.until(lambda: {"call_out", "answer"} <= hot_systems(page))
        page.own_size()


def hot_systems(page: Page) -> set[str]:
    return set(page.attributes("svg .node.hot", "aria-label"))


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=str)
def test_the_schedule_by_keyboard(page: Page, size: tuple[int, int]) -> None:
    """A system is opened and closed where it is, and what is told of it is seen at once."""
    page.resize(*size)
    try:
        page.open("systems")
        seen = page.browser.switch_to
        page.one("g[aria-label='steer']").send_keys(Keys.ENTER)
        page.until(
            lambda: "waits for" in page.text("#detail") and "movement" in page.text("#detail")
        )
        below = (
            "return document.getElementById('detail').getBoundingClientRect().bottom <= innerHeight"
        )
        assert page.browser.execute_script(below)
        assert seen.active_element.get_attribute("aria-label") == "steer"
        step_until_measured(page, 2)  # the picture is drawn anew
        page.until(lambda: page.all("svg .node.hot"))
        seen.active_element.send_keys(Keys.TAB)
        assert seen.active_element.get_attribute("aria-label") != "steer"
        seen.active_element.send_keys(" ")
        page.until(lambda: "steer" not in page.text("#detail h3"))
        page.one("#detail button").send_keys(Keys.ESCAPE)
        page.until(lambda: not page.all("#detail h3"))
        assert seen.active_element.tag_name == "g"
    finally:
        page.own_size()


def test_systems_are_timed_while_they_are_looked_at(page: Page) -> None:
    page.open("systems")
    page.until(lambda: "No tick has been measured" in page.text("#measured"))
    step_until_measured(page, 30)
    page.until(lambda: page.all("#times tr"))
    assert "sampled: 1 tick in 25" in page.text("#measured")
    rows = page.text("#times").splitlines()
    units = "system\tµs a tick\tturns a tick\trows a turn\tcommands a tick\tevents a tick"
    assert rows[0].startswith(units)
    hungry = next(row for row in rows if row.startswith("get_hungry"))
    assert float(hungry.split()[1]) > 0 and hungry.split()[2] == "1.00"
    assert len(page.all("#times tr")) == 1 + len(page.colony.call("systems"))
    hot = hot_systems(page)
    assert {"steer", "seek_work"} <= hot or {"seek_food", "seek_work"} <= hot
    step_until_measured(page, 60)
    assert page.all("#times polyline")
    page.one("#times button[data-system='1']").send_keys(Keys.ENTER)
    second = page.colony.call("schema")["systems"][1]["name"]
    page.until(lambda: second in page.text("#detail"))


def test_phases_that_are_stepped_alone_are_a_tick_together(page: Page) -> None:
    page.open("systems")
    phases = [("step", {"phase": phase}) for phase in page.colony.call("schema")["phases"]]

    def enough() -> bool:
        page.colony.at_once(*phases)  # or the page might look between two of them
        return bool(MEASURED.search(page.text("#measured")) and page.all("#times tr"))

    page.until(enough)
    rows = page.text("#times").splitlines()
    hungry = next(row for row in rows if row.startswith("get_hungry"))
    assert float(hungry.split()[1]) > 0 and hungry.split()[2] == "1.00"


def test_a_step_of_a_phase_says_where_in_the_tick_it_is(page: Page) -> None:
    """In the bar and in the menu, until the tick ends with its last phase or with another tick."""
    phases = page.colony.call("schema")["phases"]
    count = len(phases)
    options = lambda: page.text("#phase option").splitlines()  # noqa: E731
    page.colony.call("step")
    page.until(lambda: "phase" not in page.text("#facts"))
    assert page.colony.call("stats")["phase"] is None
    for i, phase in enumerate(phases[:-1]):
        Select(page.one("#phase")).select_by_value(phase)
        words = f"after phase {phase} ({i + 1} of {count}, next is {phases[i + 1]})"
        page.until(lambda words=words: words in page.text("#facts"))
        assert page.colony.call("stats")["phase"] == i
        marks = [f"✓ {name}" for name in phases[: i + 1]] + [f"→ {phases[i + 1]}"]
        expected = [f"phase {i + 1} of {count}", *marks, *phases[i + 2 :]]
        page.until(lambda expected=expected: options() == expected)
    page.colony.call("step", phase=phases[-1])
    assert page.colony.call("stats")["phase"] is None
    page.until(lambda: "phase" not in page.text("#facts"))
    page.colony.call("step", phase=phases[0])
    page.until(lambda: "after phase" in page.text("#facts"))
    page.colony.call("step")  # a whole tick
    page.until(lambda: "after phase" not in page.text("#facts"))
    page.until(lambda: options() == ["phase…", *phases])


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_bar_and_the_schedule_fit(page: Page, size: tuple[int, int]) -> None:
    """All buttons of time share a row, and nothing of the schedule has to be scrolled sideways."""
    page.resize(*size)
    try:
        page.open("systems")
        page.until(lambda: page.all("#schedule svg"))
        for phase in ({}, {"phase": page.colony.call("schema")["phases"][0]}):  # longer words
            page.colony.call("step", **phase)
            page.until(lambda phase=phase: bool(phase) == ("after phase" in page.text("#facts")))
            tops = page.each("#time > *", "Math.round(node.getBoundingClientRect().top)")
            assert len(set(tops)) == 1
            assert page.one("#bar").size["height"] < (110 if size[0] < 600 else 90)
        box = "document.getElementById('schedule')"
        fits = f"return {box}.scrollWidth <= {box}.clientWidth"
        page.until(lambda: page.browser.execute_script(fits))
        assert len(page.all("svg .node")) == len(page.colony.call("systems"))
        assert page.browser.execute_script(fits.replace(box, "document.documentElement"))
    finally:
        page.own_size()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=str)
def test_a_system_is_switched_off_where_it_is_seen(page: Page, size: tuple[int, int]) -> None:
    """The colony's schema has no switch for it; an address leads to the system itself."""
    page.resize(*size)
    try:
        page.open("systems/get_hungry")
        switch = "#detail input[aria-label='get_hungry is on']"
        page.one(switch).send_keys(" ")
        page.until(lambda: "It is switched off" in page.text("#detail"))
        assert page.all("svg .node.off[aria-label='get_hungry']")
        seen = """
            const box = (where) => document.querySelector(where).getBoundingClientRect();
            return box("[aria-label='get_hungry']").bottom <= box('#detail').top;
        """
        page.until(lambda: page.browser.execute_script(seen))
        off = [one["name"] for one in page.colony.call("systems") if not one["on"]]
        assert off == ["get_hungry"]
        page.one(switch).send_keys(" ")
        page.until(lambda: "It is switched off" not in page.text("#detail"))
        assert not page.all("svg .node.off")
        page.one("#detail a[href='#/entities?where=needs']").click()
        page.until(lambda: page.all("#filter") and page.ids())
        assert page.one("#filter").get_attribute("value") == "needs"
    finally:
        page.own_size()


# Whether the details are in the window, and do not cover the element that opened them.
SHOWN = """
const box = (node) => node.getBoundingClientRect();
const [detail, from, view] = ['#detail', arguments[0], '#view']
  .map((selector) => box(document.querySelector(selector)));
return detail.top >= view.top - 1 && detail.bottom <= view.bottom + 1 && detail.height > 50
  && (from.bottom <= detail.top || from.top >= detail.bottom);
"""
ADDRESS = "return location.hash"


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=str)
def test_a_system_of_the_table_opens_in_view(page: Page, size: tuple[int, int]) -> None:
    """Wherever its row is; the address names the system, and goes back and forward."""
    page.resize(*size)
    try:
        page.open("systems")
        step_until_measured(page, 3)
        page.until(lambda: page.all("#times button"))
        for place in (0, -1, 5):
            name = page.attributes("#times button", "aria-label")[place]
            button = f"#times button[aria-label='{name}']"
            page.each(button, "node.scrollIntoView({ block: 'center' })")
            page.each(button, "node.focus()")
            page.one(button).send_keys(Keys.ENTER)
            page.until(lambda name=name: page.text("#detail h3") == name)
            page.until(lambda button=button: page.browser.execute_script(SHOWN, button))
            assert page.browser.execute_script(ADDRESS) == f"#/systems/{name}"
        picture = page.one("#schedule svg")
        page.browser.back()
        page.until(lambda: page.text("#detail h3") != name)
        assert page.browser.execute_script(ADDRESS) == f"#/systems/{page.text('#detail h3')}"
        page.browser.forward()
        page.until(lambda: page.text("#detail h3") == name)
        page.one("#detail button").click()
        page.until(lambda: not page.all("#detail h3"))
        assert page.browser.execute_script(ADDRESS) == "#/systems"
        assert picture.is_displayed()  # the view was not made again
    finally:
        page.own_size()


def test_an_unknown_system_is_named(page: Page) -> None:
    page.open("systems/get_thirsty")
    page.until(lambda: "the schema has no system 'get_thirsty'" in page.text(".bad"))


def test_times_outlive_the_view(page: Page) -> None:
    """They say how old they are, and counting goes on where it was after it began anew."""
    page.open("systems")
    step_until_measured(page, 5)
    page.until(lambda: page.all("#times tr"))
    ticks = int(MEASURED.search(page.text("#measured"))[1])  # type: ignore[index]
    page.open("memory")
    page.until(lambda: page.all("#tables"))
    page.until(lambda: "turns" not in page.colony.call("systems")[0])  # the counts have ended
    page.open("systems")
    page.until(lambda: page.all("#times tr"))
    assert f"over {ticks} ticks" in page.text("#measured")
    page.until(lambda: " ago" in page.text("#measured"))
    step_until_measured(page, ticks + 1)
    page.until(lambda: " ago" not in page.text("#measured"))


def test_boxes_show_times_and_lines_their_axes(page: Page) -> None:
    page.open("systems")
    step_until_measured(page, 3)
    shown = lambda: str(page.browser.execute_script(TAKES))  # noqa: E731
    page.until(lambda: re.fullmatch(r"[\d.]+ µs", shown()))
    page.until(lambda: f"{page.text(HUNGRY)} µs" == shown())
    page.until(lambda: page.colony.step(1) and page.all("#times polyline"))
    assert re.search("µs a tick over time: \N{MINUS SIGN}[\\d.]+ s to now", page.text("#times"))
    assert "the last minute" not in page.text("#view")
    name = str(page.browser.execute_script(MARKED))
    assert re.fullmatch(r"\w+ over the last [\d.]+ s: 0 to [\d.]+ µs", name)
    page.open("memory")
    page.until(lambda: len(page.all("svg.measured text")) >= 6)
    labels = page.browser.execute_script(LABELS)
    assert "now" in labels and any(label.startswith("\N{MINUS SIGN}") for label in labels)


HUNGRY = "#times tr:has([aria-label='get_hungry']) td:nth-child(2)"
TAKES = "return document.querySelector(\"g[aria-label='get_hungry'] .takes\").textContent"
MARKED = "return document.querySelector('#times svg[role=img]').getAttribute('aria-label')"
LABELS = "return [...document.querySelectorAll('svg.measured text')].map((one) => one.textContent)"
NARROW = """
const boxes = [...document.querySelectorAll('#schedule .node')];
return boxes.filter((node) => [...node.querySelectorAll('text')].some((text) =>
  text.getBBox().width > node.querySelector('.box').getBBox().width - 12))
  .map((node) => node.textContent);
"""


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_names_and_times_fit_into_their_boxes(page: Page, size: tuple[int, int]) -> None:
    page.resize(*size)
    try:
        page.open("systems")
        step_until_measured(page, 2)
        page.until(lambda: page.browser.execute_script(TAKES))
        assert page.browser.execute_script(NARROW) == []
    finally:
        page.own_size()


def test_the_header_says_which_systems_are_off(page: Page) -> None:
    """In every view, with a click that switches each on again, or leads to it."""
    page.open("memory")
    page.until(lambda: page.all("#tables"))
    assert not page.one("#off").is_displayed()
    page.colony.call("switch", system="stroll", on=False)
    words = lambda: " ".join(page.text("#off").split())  # noqa: E731
    page.until(lambda: words() == "1 system is off: stroll switch on")
    page.one("#off a").click()
    page.until(lambda: "It is switched off" in page.text("#detail"))
    for name in ("eat", "steer", "get_hungry"):
        page.colony.call("switch", system=name, on=False)
    page.until(lambda: "4 systems are off:" in page.text("#off"))
    assert len(page.all("#off button")) == 3
    assert "and 1 more" in words()
    off = lambda: {one["name"] for one in page.colony.call("systems") if not one["on"]}  # noqa: E731
    for left in (3, 2, 1, 0):
        page.one("#off button").click()
        page.until(lambda: len(off()) == left)  # noqa: B023
        page.until(lambda: len(page.all("#off button")) == left)  # noqa: B023
    assert not page.one("#off").is_displayed()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=str)
def test_the_header_fits_with_systems_that_are_off(page: Page, size: tuple[int, int]) -> None:
    names = [one["name"] for one in page.colony.call("systems")]
    page.resize(*size)
    try:
        for name in names:
            page.colony.call("switch", system=name, on=False)
        page.until(lambda: f"{len(names)} systems are off" in page.text("#off"))
        wide = "return document.documentElement.scrollWidth <= innerWidth"
        assert page.browser.execute_script(wide)
    finally:
        for name in names:
            page.colony.call("switch", system=name, on=True)
        page.own_size()


@pytest.mark.parametrize("system", ["get_hungry", "dream"])
def test_a_system_links_to_the_entities_that_it_matches(
    browser: webdriver.Chrome, system: str
) -> None:
    """They are as many as the rows that it processes."""
    with game("100", program=CROWD) as crowd:
        crowd.call("pause")
        crowd.call("systems", count=True)
        crowd.call("step")
        counted = {one["name"]: one for one in crowd.call("systems", count=True)}[system]
        assert counted["turns"] > 0
        rows = counted["rows"] // counted["turns"]
        page = Page(browser, crowd)
        page.open(f"systems/{system}")
        page.until(lambda: page.text("#detail [data-matching]") == f"entities ({rows})")
        page.one("#detail [data-matching]").click()
        page.until(lambda: page.text("#count").split()[:1] == [str(rows)])


def test_a_system_without_rows_has_no_list(page: Page) -> None:
    page.open("systems/keep_calendar")
    page.until(lambda: "keep_calendar" in page.text("#detail h3"))
    assert not page.all("#detail [data-matching]")


def test_changes_are_left_out_of_the_list_of_a_system(page: Page) -> None:
    page.open("systems/count_beds")
    link = page.one("#detail [data-matching]")
    assert link.get_attribute("data-matching") == "dwelling"
    assert "only the system knows" in str(link.get_attribute("title"))
    total = page.colony.call("entities", where="dwelling")["total"]
    page.until(lambda: page.text("#detail [data-matching]") == f"entities ({total})")


def test_the_schema_links_queries_and_systems_to_their_entities(page: Page) -> None:
    page.open("schema")
    for kind, where in (("queries-depots", "position & (depot)"), ("systems-get_hungry", "needs")):
        link = page.one(f"#{kind} [data-matching]")
        assert link.get_attribute("data-matching") == where
        total = page.colony.call("entities", where=where)["total"]
        page.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", link)
        page.browser.execute_script("arguments[0].focus()", link)
        shown = f"#{kind} [data-matching]"
        page.until(lambda shown=shown, total=total: page.text(shown) == f"entities ({total})")
