"""The map: dots by calls, and on the page beside the list of their entities.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import math
import re
from itertools import combinations
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browser import PHONE
from inspector import CROWD, Game, RefusedError, game, people, wait_until, whole_list
from inspector_page import Page

SIZES = [(1280, 800), (1920, 1080), PHONE]
PLACE = {"x": "position.x", "y": "position.y"}
NUMBERS = 5  # of a dot
WINDOW = 2048  # SERVE_DOTS_MAX of runtime/serve/rpc.h
NEAR = 1e-4  # relative; lists and the map write floats with the digits of a float


def rows_of(colony: Game, where: str, *columns: str) -> dict[str, list[Any]]:
    answer, _ = whole_list(colony, where=where, columns=columns, limit=500)
    return {row["id"]: row["values"] for row in answer["rows"]}


def dots_of(colony: Game, **asked: object) -> dict[str, list[Any]]:
    """Returns x, y and value of each dot by its handle, window by window."""
    found: dict[str, list[Any]] = {}
    total = 0

    def is_made() -> bool:
        nonlocal total
        answer = colony.call("map", **asked, limit=0)
        total = answer["total"]
        return answer["making"] is None

    wait_until(is_made)
    for offset in range(0, total, WINDOW):
        answer = colony.call("map", **asked, offset=offset)
        numbers = answer["dots"]
        assert answer["total"] == total and len(numbers) % NUMBERS == 0
        for at in range(0, len(numbers), NUMBERS):
            index, generation, *rest = numbers[at : at + NUMBERS]
            assert f"{index}:{generation}" not in found
            found[f"{index}:{generation}"] = rest
    return found


# ---- calls


@pytest.mark.parametrize("path", ["needs.hunger", "person.age", "worker.skill[2]"])
def test_dots_have_the_values_of_their_entities(colony: Game, path: str) -> None:
    where = "person & position"
    rows = rows_of(colony, where, "position.x", "position.y", path)
    dots = dots_of(colony, **PLACE, where=where, value=path)
    assert len(rows) == 60 and dots.keys() == rows.keys()
    assert all(dots[one] == pytest.approx(rows[one], rel=NEAR) for one in rows)


def test_a_component_and_an_enum_as_numbers(colony: Game) -> None:
    asleep, dull = people(colony)[3], people(colony)[7]
    colony.call("add", id=asleep, component="asleep")
    dots = dots_of(colony, **PLACE, where="person", value="asleep")
    assert {one for one, dot in dots.items() if dot[2] == 1} == set(people(colony, "asleep"))
    assert asleep in dots and dots[asleep][2] == 1 and dots[dull][2] == 0
    jobs = next(one["values"] for one in colony.call("schema")["enums"] if one["name"] == "job")
    rows = rows_of(colony, "person", "worker.job")
    jobs_of = dots_of(colony, **PLACE, where="person", value="worker.job")
    assert {one: jobs[dot[2]] for one, dot in jobs_of.items()} == {
        one: job for one, (job,) in rows.items()
    }
    colony.call("remove", id=asleep, component="asleep")


def test_entities_without_a_value(colony: Game) -> None:
    """Without a place they have no dot, and without the third value null."""
    every = dots_of(colony, **PLACE, value="needs.hunger")
    assert len(every) > 60 and every.keys() == dots_of(colony, **PLACE, where="position").keys()
    assert {one for one, dot in every.items() if dot[2] is not None} == set(people(colony))
    mixed = dots_of(colony, x="position.x", y="needs.hunger")
    assert mixed.keys() == set(people(colony))
    assert all(dot[2] is None for dot in mixed.values())


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"y": "position.y"}, "'x'"),
        ({**PLACE, "x": "position"}, "'x': 'position' is not a number"),
        ({**PLACE, "y": "person.name"}, "'y': 'person.name' is not a number"),
        ({**PLACE, "value": "nobody"}, "there is no component 'nobody'"),
        ({**PLACE, "where": "persn"}, "did you mean 'person'"),
        ({**PLACE, "limit": WINDOW + 1}, "'limit' must be a number from 0 to 2048"),
    ],
    ids=str,
)
def test_refusals(colony: Game, asked: dict[str, object], words: str) -> None:
    with pytest.raises(RefusedError) as refused:
        colony.call("map", **asked)
    assert words in str(refused.value)


def test_many_dots_by_windows() -> None:
    with game("20000", program=CROWD) as crowd:
        crowd.call("pause")
        dots = dots_of(crowd, x="place.x", y="place.y", value="person.age")
        assert len(dots) == 20_000
        rows = rows_of(crowd, "place & person.age > 40", "place.x", "place.y", "person.age")
        assert len(rows) == 500
        assert all(dots[one] == pytest.approx(rows[one], rel=NEAR) for one in rows)


# ---- the page


def show(page: Page, **choices: str) -> None:
    page.open(f"map?{urlencode(choices, quote_via=quote)}")
    page.until(lambda: "dot" in page.text("#map-said"))
    page.browser.execute_async_script(  # the dots are drawn in the next frame
        "const [done] = arguments; requestAnimationFrame(() => requestAnimationFrame(done));"
    )


def pixels(page: Page) -> dict[str, int]:
    """Counts the opaque pixels of the canvas by their colour."""
    found: dict[str, int] = page.browser.execute_script("""
        const canvas = document.querySelector('.scatter');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const found = {};
        for (let i = 0; i < data.length; i += 4) {
          if (data[i + 3] !== 255) continue;
          const colour = `rgb(${data[i]}, ${data[i + 1]}, ${data[i + 2]})`;
          found[colour] = (found[colour] ?? 0) + 1;
        }
        return found;
    """)
    return found


def swatches(page: Page) -> dict[str, str]:
    """Returns the colour of each name in the legend."""
    found: dict[str, str] = page.browser.execute_script("""
        return Object.fromEntries([...document.querySelectorAll('#legend .named')].map((one) =>
          [one.innerText.trim(), getComputedStyle(one.querySelector('.swatch')).backgroundColor]));
    """)
    return found


def place_of(page: Page, one: str, rows: dict[str, list[Any]]) -> tuple[float, float]:
    """Returns the offset of a dot from the middle of the canvas, if all dots have the same scale on
    both axes.
    """
    xs, ys = [row[0] for row in rows.values()], [row[1] for row in rows.values()]
    canvas = page.one(".scatter").size
    scale = max((max(xs) - min(xs)) / canvas["width"], (max(ys) - min(ys)) / canvas["height"])
    scale *= 1.08  # with the margin
    x, y = rows[one][:2]
    return (x - (min(xs) + max(xs)) / 2) / scale, (y - (min(ys) + max(ys)) / 2) / scale


def test_a_dot_and_its_row_are_marked_together(page: Page) -> None:
    rows = rows_of(page.colony, "person", "position.x", "position.y", "person.name")
    show(page, where="person")
    assert page.text("#map-said") == "60 dots"
    page.until(lambda: page.ids())
    chain = ActionChains(page.browser)
    one = page.ids()[2]
    chain.move_to_element(page.one(f".line[data-id='{one}']")).perform()
    page.until(lambda: one in page.text("#map-said"))
    assert rows[one][2] in page.text("#map-said")
    alone = next(
        one
        for one in page.ids()
        if all(
            math.dist(rows[one][:2], other[:2]) > 0
            for handle, other in rows.items()
            if handle != one
        )
    )
    x, y = place_of(page, alone, rows)
    chain.move_to_element_with_offset(page.one(".scatter"), round(x), round(y)).perform()
    page.until(lambda: page.all(".line.pointed"))
    pointed = str(page.one(".line.pointed").get_attribute("data-id"))
    near = math.dist(place_of(page, pointed, rows), (x, y))
    assert near < 3 and pointed in page.text("#map-said")
    chain.click().perform()
    page.until(lambda: pointed in page.text("h2"))


def test_colours_have_a_legend(page: Page) -> None:
    """In both schemes: the pixels have the colours that the legend names, and no other dots."""
    jobs = {job for (job,) in rows_of(page.colony, "person", "worker.job").values()}
    seen = []
    for scheme in ("light", "dark"):
        page.browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
        )
        show(page, where="person", colour="worker.job")
        page.until(lambda: set(swatches(page)) >= jobs)
        legend = swatches(page)
        page.until(lambda legend=legend: all(legend[job] in pixels(page) for job in jobs))
        assert not any(legend[job] in pixels(page) for job in set(legend) - jobs)
        seen.append(legend)
        show(page, where="position", colour="needs.hunger")
        page.until(lambda: page.all("#legend .scale") and "no value" in page.text("#legend"))
        page.open("entities")
        page.until(lambda: not page.all(".scatter"))
    assert all(seen[0][job] != seen[1][job] for job in jobs)


def test_many_names_have_distinct_colours(page: Page) -> None:
    """Their legend is folded, and stays open while the dots are read again."""
    looks = {look for (look,) in rows_of(page.colony, "drawn & position", "drawn.look").values()}
    enums = page.colony.call("schema")["enums"]
    values = next(one["values"] for one in enums if one["name"] == "look")
    assert len(values) > 10 and len(looks) > 3
    for scheme in ("light", "dark"):
        page.browser.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
        )
        show(page, where="drawn", colour="drawn.look")
        page.browser.execute_script("document.querySelector('#legend details').open = true")
        page.until(lambda: set(values) <= set(swatches(page)))
        legend = swatches(page)
        assert len(set(legend.values())) == len(legend)
        shades = [tuple(map(int, re.findall(r"\d+", colour))) for colour in legend.values()]
        assert min(math.dist(*pair) for pair in combinations(shades, 2)) > 30
        luminances = [luminance(shade) for shade in shades]
        assert max(luminances) < 0.31 if scheme == "light" else min(luminances) > 0.11
        page.until(lambda: looks <= names_of(pixels(page), swatches(page)))
        drawn = "document.querySelector('.scatter').dataset.drawn"
        page.browser.execute_script(f"{drawn} = ''")
        page.until(lambda: page.browser.execute_script(f"return {drawn}"))  # noqa: B023
        assert page.all("#legend details[open]")
        page.open("entities")
        page.until(lambda: not page.all(".scatter"))


def luminance(colour: tuple[int, ...]) -> float:
    """The relative luminance, from which contrasts are computed: 0 is black and 1 is white."""
    linear = [one / 3294.6 if one <= 10 else ((one / 255 + 0.055) / 1.055) ** 2.4 for one in colour]
    return sum(one * weight for one, weight in zip(linear, (0.2126, 0.7152, 0.0722), strict=True))


def names_of(pixels: dict[str, int], legend: dict[str, str]) -> set[str]:
    """Returns the names whose colours are seen."""
    return {name for name, colour in legend.items() if colour in pixels}


def test_zooming_moving_and_fitting(page: Page) -> None:
    show(page, where="person")
    area = lambda: "area=" in page.browser.current_url  # noqa: E731
    before = pixels(page)
    canvas = page.one(".scatter")
    for act in (
        lambda: page.one("button[aria-label='zoom in']").click(),
        lambda: canvas.send_keys("+"),
        lambda: canvas.send_keys(Keys.ARROW_LEFT),
        lambda: ActionChains(page.browser).drag_and_drop_by_offset(canvas, 60, 30).perform(),
    ):
        act()
        page.until(area)
        page.until(lambda: pixels(page) != before)
        page.one("button[aria-label='show all dots']").click()
        page.until(lambda: not area() and pixels(page) == before)
    canvas.send_keys("++")
    page.until(area)
    page.until(lambda: pixels(page) != before)
    zoomed = pixels(page)
    page.browser.refresh()
    page.until(lambda: page.all(".scatter") and "dot" in page.text("#map-said"))
    page.until(lambda: pixels(page) == zoomed)
    page.one(".scatter").send_keys(Keys.HOME)
    page.until(lambda: not area() and pixels(page) == before)


def test_choices_are_in_the_address(page: Page) -> None:
    page.find("person")
    page.until(lambda: page.text("#count") == "60 entities")
    page.one("a[href='#/map?where=person']").click()
    page.until(lambda: page.text("#map-said") == "60 dots")
    assert Select(page.one("#map-x")).first_selected_option.text == "position.x"
    for name, path in (("x", "person.age"), ("y", "needs.hunger"), ("colour", "worker.job")):
        Select(page.one(f"#map-{name}")).select_by_value(path)
        page.until(lambda name=name, path=path: f"{name}={path}" in page.browser.current_url)
        page.until(lambda: page.text("#map-said") == "60 dots")
    label = str(page.one(".scatter").get_attribute("aria-label"))
    assert "60 dots: person.age from" in label and "coloured by worker.job" in label
    box = page.one("#filter")
    box.clear()
    box.send_keys("person.age > 1000", Keys.ENTER)
    page.until(lambda: page.text("#map-said") == "0 dots")
    assert "x=person.age" in page.browser.current_url
    page.open("map?x=person.agee&y=position.y")
    page.until(lambda: "did you mean 'age'" in page.text("#map-problem"))


def test_dots_follow_the_game(page: Page) -> None:
    show(page, where="person")
    before = pixels(page)
    one = people(page.colony)[0]
    page.colony.call("set", id=one, path="position.x", value=1)
    page.colony.call("set", id=one, path="position.y", value=1)
    page.until(lambda: pixels(page) != before)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_map_and_its_list_fit_the_screen(page: Page, size: tuple[int, int]) -> None:
    page.resize(*size)
    try:
        show(page, where="person", colour="needs.hunger")
        page.until(lambda: page.ids() and pixels(page))
        boxes = page.browser.execute_script("""
            return ['.scatter', '#list'].map((one) => {
              const box = document.querySelector(one).getBoundingClientRect();
              return [box.left, box.width, box.height];
            }).concat([[document.documentElement.scrollWidth, innerWidth, 0]]);
        """)
        map_box, list_box, page_box = boxes
        assert map_box[1] > 300 and map_box[2] > 200 and list_box[2] > 150
        assert page_box[0] <= page_box[1]
        assert (list_box[0] > map_box[0]) == (size != PHONE)
    finally:
        page.own_size()
