"""The screen of the page, in Chromium: the start, the panel, the minimap, fingers and colours.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from browser import PHONE, complaints, wait_until
from web_colony import Played

OPTIONS = "villagers=60&seed=5"
SIZES = [(1280, 800), (1920, 1080), PHONE]
MINIMAP_SIDE, MINIMAP_MARGIN = 160, 10
CONTRAST_MIN = 4.5  # of WCAG 2, level AA
BUTTON_MIN = 32  # pixels

# Returns the contrasts of all visible texts outside the map and the inspector.
CONTRASTS = """
    const light = (colour) => {
      const [r, g, b] = colour.match(/[\\d.]+/g).map((one) => one / 255)
        .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (node) => {
      const colour = getComputedStyle(node).backgroundColor;
      return /, 0\\)$/.test(colour) ? behind(node.parentElement) : colour;
    };
    const found = [...document.querySelectorAll('p, button, h2, dt, dd, summary, span')]
      .filter((node) => node.checkVisibility() && node.innerText.trim());
    return found.map((node) => {
      const [a, b] = [light(getComputedStyle(node).color), light(behind(node))];
      return [node.outerHTML, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
    });
"""


@pytest.fixture
def sized(
    request: pytest.FixtureRequest, browser: webdriver.Chrome
) -> Iterator[tuple[Played, int, int]]:
    """Opens a colony that stands still, in a page of a size."""
    width, height = request.param
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600},
    )
    played = Played(browser, OPTIONS)
    played.pause()
    yield played, width, height
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert complaints(browser) == []


@pytest.fixture
def colony(browser: webdriver.Chrome) -> Iterator[Played]:
    played = Played(browser, OPTIONS)
    played.pause()
    yield played
    assert complaints(browser) == []


@pytest.fixture
def phone(browser: webdriver.Chrome) -> Iterator[Played]:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": PHONE[0], "height": PHONE[1], "deviceScaleFactor": 1, "mobile": True},
    )
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
    played = Played(browser, OPTIONS)
    played.pause()
    yield played
    browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert complaints(browser) == []


def map_size(colony: Played) -> tuple[int, int]:
    ground = colony.call("singleton", name="ground")
    assert isinstance(ground, dict)
    return ground["width"], ground["height"]


def fills(colony: Played) -> bool:
    """Returns whether the canvas shows nothing beyond the map."""
    x, y, tile = colony.place()
    columns, rows = map_size(colony)
    width, height = colony.size()
    return x < 1 and y < 1 and x + columns * tile > width - 1 and y + rows * tile > height - 1


def is_visible(colony: Played, entity: str) -> bool:
    x, y = colony.spot_of(entity)
    width, height = colony.size()
    return 0 <= x < width and 0 <= y < height


def box(colony: Played, selector: str) -> dict[str, float]:
    found = colony.run(
        "return document.querySelector(arguments[0]).getBoundingClientRect().toJSON()", selector
    )
    assert isinstance(found, dict)
    return found


def select_someone(colony: Played) -> str:
    """Clicks on the leftmost of the people in sight, who is not below the panel that opens."""
    leftmost = min(colony.people(), key=lambda one: colony.spot_of(one)[0])
    colony.click(*colony.spot_of(leftmost))
    assert colony.selected()
    return colony.selected()


def name_of(colony: Played, entity: str) -> str:
    about = colony.call("entity", id=entity)
    assert isinstance(about, dict)
    return str(about["components"]["person"]["name"])


# ---- the start


@pytest.mark.parametrize("sized", SIZES, indirect=True, ids=str)
def test_the_start_shows_a_village_that_fills_the_page(sized: tuple[Played, int, int]) -> None:
    colony, width, height = sized
    depots = colony.call("entities", where="depot", limit=20)
    assert isinstance(depots, dict)
    assert fills(colony)
    assert any(is_visible(colony, row["id"]) for row in depots["rows"])
    assert colony.place()[2] >= 24
    shown = colony.size()
    assert shown[0] == width and shown[1] > 0.8 * height  # a small bar, and no panel


@pytest.mark.parametrize("sized", SIZES, indirect=True, ids=str)
def test_nothing_is_over_the_edge_of_the_page(sized: tuple[Played, int, int]) -> None:
    colony, width, height = sized
    select_someone(colony)
    colony.press("values")
    for selector in ("#words", "#buttons", "#map", "#panel"):
        part = box(colony, selector)
        assert part["left"] >= 0 and part["top"] >= 0
        assert part["right"] <= width and part["bottom"] <= height
    scrolls = "const { scrollWidth, scrollHeight } = document.documentElement;"
    assert colony.run(scrolls + "return [scrollWidth, scrollHeight]") == [width, height]


# ---- the panel


@pytest.mark.parametrize("sized", SIZES, indirect=True, ids=str)
def test_the_panel_is_beside_the_map_and_does_not_move_it(sized: tuple[Played, int, int]) -> None:
    colony, width, _ = sized
    before, place = colony.size(), colony.place()
    someone = select_someone(colony)
    wait_until(colony.browser, lambda: colony.run("return map.width === map.clientWidth"))
    panel, canvas = box(colony, "#panel"), box(colony, "#map")
    if width < 600:
        assert panel["top"] >= canvas["bottom"]
    else:
        assert panel["left"] >= canvas["right"]
    assert colony.size() < before
    wait_until(colony.browser, lambda: is_visible(colony, someone) and fills(colony))
    if width > 1000:
        assert colony.place() == pytest.approx(place, abs=1)
    colony.keys("\ue00c")  # Escape
    assert colony.selected() == "" and colony.size() == before


def test_the_panel_tells_about_people_and_houses(colony: Played) -> None:
    someone = select_someone(colony)
    name = name_of(colony, someone)
    assert colony.panel("#title").startswith(f"{name}, ")
    assert "old" in colony.panel("#title")
    sentences = colony.panel("#story").split("\n")
    assert len([one for one in sentences if one.endswith(".")]) >= 4
    house = colony.call("entities", where="dwelling", limit=50)
    assert isinstance(house, dict)
    one = next(row["id"] for row in house["rows"] if is_visible(colony, row["id"]))
    colony.press("close")
    assert colony.selected() == ""
    colony.run("weft_game.calls.zoom(3, ...arguments)", *colony.spot_of(one))
    x, y = colony.spot_of(one)
    colony.click(x, y - 5)
    assert "here" in colony.panel("#story") or "old" in colony.panel("#title")


def test_the_panel_follows_the_world(colony: Played) -> None:
    someone = select_someone(colony)
    colony.call("set", id=someone, path="needs.hunger", value=0.5)
    wait_until(colony.browser, lambda: "Is hungry" in colony.panel("#story"))
    colony.call("despawn", id=someone)
    wait_until(colony.browser, lambda: colony.selected() == "")


def test_values_are_folded(colony: Played) -> None:
    someone = select_someone(colony)
    assert "needs.hunger" not in colony.panel()
    colony.keys("v")
    wait_until(colony.browser, lambda: "needs.hunger" in colony.panel())
    colony.call("set", id=someone, path="needs.hunger", value=0.375)
    wait_until(colony.browser, lambda: "0.375" in colony.panel("dl"))
    colony.keys("v")
    assert "needs.hunger" not in colony.panel()


# ---- following


def is_in_the_middle(colony: Played, entity: str) -> bool:
    """Returns whether an entity is in the middle. A walker is drawn less than a step behind."""
    x, y = colony.spot_of(entity)
    width, height = colony.size()
    _, _, tile = colony.place()
    return abs(x - width / 2) < tile and abs(y - height / 2) < tile


@pytest.mark.parametrize("way", ["f", "follow"])
def test_the_map_follows_who_is_selected_until_it_is_moved(colony: Played, way: str) -> None:
    away = [one for one in colony.people() if not is_in_the_middle(colony, one)]
    colony.click(*colony.spot_of(away[0]))
    someone = colony.selected()
    assert not is_in_the_middle(colony, someone)
    colony.keys("f") if way == "f" else colony.press("follow")
    colony.keys("++++++++")  # so that the edges of the map are far away
    wait_until(colony.browser, lambda: is_in_the_middle(colony, someone))
    wait_until(colony.browser, lambda: f"follows {name_of(colony, someone)}" in colony.words())
    assert colony.run("return follow.getAttribute('aria-pressed')") == "true"
    about = colony.call("entity", id=someone)
    assert isinstance(about, dict)
    x = about["components"]["position"]["x"]
    colony.call("set", id=someone, path="position.x", value=x + 3)
    wait_until(colony.browser, lambda: is_in_the_middle(colony, someone))
    colony.drag((200, 300), (300, 350), (400, 400))
    wait_until(colony.browser, lambda: "follows" not in colony.words())
    assert colony.run("return follow.getAttribute('aria-pressed')") == "false"
    assert not is_in_the_middle(colony, someone)


# ---- the minimap


def minimap_pixel(colony: Played, across: float, down: float) -> tuple[float, float]:
    """Returns the pixel of the canvas at these parts of the minimap."""
    columns, rows = map_size(colony)
    width, height = colony.size()
    side = min(MINIMAP_SIDE, width / 3, height / 3)
    scale = side / max(columns, rows)
    right, bottom = width - MINIMAP_MARGIN, height - MINIMAP_MARGIN
    return right - (1 - across) * columns * scale, bottom - (1 - down) * rows * scale


def middle_of(colony: Played) -> float:
    """Returns the column of the map in the middle of the canvas."""
    x, _, tile = colony.place()
    return (colony.size()[0] / 2 - x) / tile - 0.5


def test_the_minimap_moves_the_map(colony: Played) -> None:
    columns, _ = map_size(colony)
    colony.click(*minimap_pixel(colony, 0.7, 0.5))
    assert middle_of(colony) == pytest.approx(0.7 * columns, abs=2)
    assert colony.selected() == ""
    spots = [minimap_pixel(colony, part, 0.5) for part in (0.7, 0.5, 0.35)]
    colony.drag(*spots, (spots[-1][0], spots[-1][1] - 100))
    assert middle_of(colony) == pytest.approx(0.35 * columns, abs=2)
    assert fills(colony)


# ---- fingers


def test_a_tap_selects_and_a_finger_moves_the_map(phone: Played) -> None:
    spot = phone.spot_of(phone.people()[0])
    phone.touch("Start", spot)
    phone.touch("Move", (spot[0] + 3, spot[1] + 2))  # fingers tremble
    phone.touch("End")
    wait_until(phone.browser, lambda: phone.selected() != "")
    phone.keys("\ue00c")
    before = phone.place()
    phone.touch("Start", (250, 200))
    for x in (230, 200, 170, 150):
        phone.touch("Move", (x, 200))
    phone.touch("End")
    wait_until(phone.browser, lambda: phone.place()[0] < before[0] - 60)
    assert phone.place()[2] == before[2]
    assert phone.selected() == ""


def test_two_fingers_scale_the_map(phone: Played) -> None:
    before = phone.place()
    phone.touch("Start", (150, 300), (250, 300))
    for by in (10, 20, 30, 40, 50):
        phone.touch("Move", (150 - by, 300), (250 + by, 300))
    phone.touch("End")
    wait_until(phone.browser, lambda: phone.place()[2] == pytest.approx(2 * before[2], rel=0.1))
    assert phone.selected() == ""
    # The spot between the fingers stays between them.
    now = phone.place()
    spot = (200 - before[0]) / before[2], (300 - before[1]) / before[2]
    assert now[0] + spot[0] * now[2] == pytest.approx(200, abs=8)
    assert now[1] + spot[1] * now[2] == pytest.approx(300, abs=8)


def test_a_finger_on_the_minimap_moves_the_map(phone: Played) -> None:
    columns, _ = map_size(phone)
    phone.touch("Start", minimap_pixel(phone, 0.3, 0.5))
    phone.touch("Move", minimap_pixel(phone, 0.6, 0.5))
    phone.touch("End")
    wait_until(phone.browser, lambda: abs(middle_of(phone) - 0.6 * columns) < 2)


def test_buttons_are_large_enough_for_fingers(phone: Played) -> None:
    select_someone(phone)
    found = phone.browser.find_elements(By.CSS_SELECTOR, "button, summary")
    sizes = [one.size for one in found if one.is_displayed()]
    assert len(sizes) >= 10
    assert min(min(one["width"], one["height"]) for one in sizes) >= BUTTON_MIN
    bar = phone.browser.find_elements(By.CSS_SELECTOR, "#buttons button")
    tops = {one.location["y"] for one in bar if one.is_displayed()}
    assert len(tops) == 1  # they take one line


# ---- colours


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_are_readable_in_light_and_dark(browser: webdriver.Chrome, scheme: str) -> None:
    preference = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", preference)
    colony = Played(browser, OPTIONS)
    colony.pause()
    select_someone(colony)
    colony.keys("vf")
    wait_until(browser, lambda: "needs.hunger" in colony.panel())
    contrasts = colony.run(CONTRASTS)
    back = colony.run("return getComputedStyle(panel).backgroundColor.match(/\\d+/g)[0]")
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert isinstance(contrasts, list) and len(contrasts) > 30
    assert [one for one in contrasts if one[1] < CONTRAST_MIN] == []
    assert (int(str(back)) > 128) == (scheme == "light")
