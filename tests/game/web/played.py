"""The colony as a page, in Chromium: the module plays the same game as the native program, and a
person can use the page.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.common.exceptions import JavascriptException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

from browser import PHONE, complaints, wait_until
from built import built
from web_colony import Played

COLONY = built("build/colony")
TICKS = 2000


@pytest.fixture
def colony(browser: webdriver.Chrome) -> Iterator[Played]:
    played = Played(browser, "villagers=40&seed=5")
    yield played
    assert complaints(browser) == []


def native_hash(*options: str) -> str:
    text = subprocess.run(
        [COLONY, "--quiet", *options], capture_output=True, text=True, check=True
    ).stdout
    found = re.search(r"colony_hash\s+0x([0-9a-f]{16})$", text, re.MULTILINE)
    assert found, text
    return found[1]


def test_the_module_plays_what_the_native_game_does(colony: Played) -> None:
    colony.pause()
    before = colony.call("stats")
    assert isinstance(before, dict)
    left = TICKS - before["tick"]
    while left > 0:
        done = colony.call("step", ticks=left)
        assert isinstance(done, dict)
        left -= done["ticks"]
    assert colony.hash() == native_hash("--villagers", "40", "--seed", "5", "--ticks", str(TICKS))


def test_the_picture_shows_the_colony(colony: Played) -> None:
    assert "40 people" in colony.words()
    assert colony.colours() > 40


def test_time_passes_and_stops(colony: Played) -> None:
    colony.press("faster")
    before = colony.words()
    wait_until(colony.browser, lambda: colony.words() != before)
    colony.keys(" ")
    assert colony.browser.find_element(By.ID, "pause").text == "go on"
    stopped = colony.hash()
    colony.run("weft_game.advance(0.05)")
    assert colony.hash() == stopped
    colony.press("pause")
    wait_until(colony.browser, lambda: colony.hash() != stopped)


def test_saves_stay_in_the_browser(colony: Played) -> None:
    colony.pause()
    saved = colony.hash()
    colony.press("save")
    colony.until("saved")
    colony.call("step", ticks=300)
    assert colony.hash() != saved
    again = Played(colony.browser, "villagers=12")
    again.pause()
    again.press("load")
    again.until("loaded")
    assert again.hash() == saved


def test_a_click_shows_who_it_is(colony: Played) -> None:
    colony.pause()
    colony.press("inspect")
    frame = colony.browser.find_element(By.ID, "inspector")
    colony.browser.switch_to.frame(frame)
    wait_until(
        colony.browser, lambda: colony.browser.find_elements(By.CSS_SELECTOR, ".line[data-id]")
    )
    colony.browser.switch_to.default_content()
    colony.click(*colony.spot_of(colony.people()[0]))
    selected = colony.selected()
    about = colony.call("entity", id=selected)
    assert isinstance(about, dict)
    assert colony.panel("#title").startswith(about["components"]["person"]["name"] + ", ")
    colony.browser.switch_to.frame(frame)
    wait_until(
        colony.browser, lambda: colony.browser.find_element(By.TAG_NAME, "h2").text == selected
    )
    colony.browser.switch_to.default_content()


def test_the_inspector_changes_the_game_in_the_page(colony: Played) -> None:
    colony.pause()
    found = colony.call("entities", where="person", limit=1)
    assert isinstance(found, dict)
    one = found["rows"][0]["id"]
    colony.call("set", id=one, path="needs.hunger", value=0.25)
    value = colony.call("entity", id=one)
    assert isinstance(value, dict)
    assert value["components"]["needs"]["hunger"] == 0.25
    with pytest.raises(JavascriptException, match="hungry"):
        colony.call("set", id=one, path="needs.hungry", value=0.25)


def test_what_the_inspector_answers_without_a_server(colony: Played) -> None:
    ask = "return weft_game.ask(arguments[0])"
    assert colony.run(ask, '{"jsonrpc": "2.0", "method": "stats"}') == ""
    assert "-32700" in str(colony.run(ask, "{"))
    assert "-32700" in str(colony.run(ask, ""))
    long = '{"jsonrpc": "2.0", "id": 1, "method": "' + "x" * 300_000 + '"}'
    assert "-32600" in str(colony.run(ask, long))


def test_who_wrote_it_is_told_without_a_server(colony: Played) -> None:
    """The page watches, shows the last writers, and stops the game behind one."""
    colony.pause()
    found = colony.call("entities", where="worker", limit=1)
    assert isinstance(found, dict)
    one = found["rows"][0]["id"]
    colony.press("inspect")
    colony.browser.switch_to.frame(colony.browser.find_element(By.ID, "inspector"))
    colony.shown(".line[data-id]")
    colony.run("location.hash = arguments[0]", f"#/entity/{one}")
    colony.shown("button[aria-label='who wrote needs']").click()
    colony.shown("#component-needs button.watch").click()
    colony.shown("#phase option[value='sense']")
    colony.shown("#step").click()
    writes = lambda: colony.shown("#component-needs .writes").text  # noqa: E731
    wait_until(colony.browser, lambda: "get_hungry" in writes())
    colony.browser.switch_to.default_content()
    hour = colony.call("singleton", name="calendar")
    assert isinstance(hour, dict)
    colony.call("stop_at", when=f"calendar.hour > {hour['hour'] + 1}")
    colony.call("pause", paused=False)
    wait_until(colony.browser, colony.is_paused)
    stops = colony.call("stops")
    assert isinstance(stops, list) and stops[0]["count"] == 1
    before = colony.hash()
    colony.run("weft_game.advance(0.1)")
    assert colony.hash() == before


def test_it_is_readable_on_a_phone(browser: webdriver.Chrome, colony: Played) -> None:
    size = browser.get_window_size()
    browser.set_window_size(*PHONE)
    colony.press("inspect")
    wide = colony.run("return document.documentElement.scrollWidth <= innerWidth")
    below = colony.run(
        "return document.getElementById('inspector').getBoundingClientRect().top"
        " >= document.getElementById('map').getBoundingClientRect().bottom - 1"
    )
    browser.set_window_size(size["width"], size["height"])
    assert wide
    assert below


@pytest.mark.parametrize(("options", "said"), [("villager=3", "villager"), ("help", "--seed  ")])
def test_options_are_told(browser: webdriver.Chrome, options: str, said: str) -> None:
    assert said in str(Played(browser, options).run("return said.textContent"))


def test_what_a_button_cannot_do_is_told(colony: Played) -> None:
    colony.run("IDBFactory.prototype.open = () => { throw new Error('there is no storage'); }")
    colony.press("load")
    colony.until("there is no storage")
    colony.run("IDBFactory.prototype.open = () => { throw new Error('nor now'); }")
    colony.press("save")
    colony.until("not saved: nor now")


def test_only_what_is_meant_for_the_map_moves_it(colony: Played) -> None:
    colony.pause()
    before = colony.place()
    colony.run("map.dispatchEvent(new WheelEvent('wheel', { deltaX: 50, cancelable: true }))")
    canvas = colony.browser.find_element(By.ID, "map")
    ActionChains(colony.browser).context_click(canvas).move_by_offset(50, 50).perform()
    assert colony.place() == before
    assert colony.selected() == ""
    assert colony.said() == "click on someone; i opens the inspector"


@pytest.mark.parametrize("way", ["i", "inspect", "open"])
def test_the_inspector_opens_at_what_was_selected(colony: Played, way: str) -> None:
    """By the key, and by the buttons of the bar and of the panel."""
    colony.pause()
    colony.click(*colony.spot_of(colony.people()[0]))
    selected = colony.selected()
    assert selected
    colony.keys(way) if way == "i" else colony.press(way)
    colony.browser.switch_to.frame(colony.browser.find_element(By.ID, "inspector"))
    wait_until(
        colony.browser, lambda: colony.browser.find_element(By.TAG_NAME, "h2").text == selected
    )
    address = colony.run("return location.hash")
    colony.browser.switch_to.default_content()
    assert address == f"#/entity/{selected}"


def test_a_frame_paints_what_has_changed_and_draws_what_is_seen(browser: webdriver.Chrome) -> None:
    """Painting all of the ground and each villager by itself took several frames' time."""
    crowd = Played(browser, "villagers=2000&map=512")
    crowd.press("pause")
    work = """
        const { calls } = weft_game;
        calls.picture(0);
        return [...new Uint32Array(calls.memory.buffer, calls.work(), 3)];
    """
    farther = "for (let i = 0; i < 20; i++) weft_game.calls.zoom(0.8, 300, 300);"
    tiles, rows, sprites = crowd.run(farther + "weft_game.calls.picture(0);" + work)  # type: ignore[misc]
    assert tiles == rows == 0
    assert sprites > 2000
    nearer = "for (let i = 0; i < 12; i++) weft_game.calls.zoom(1.5, 300, 300);"
    tiles, rows, fewer = crowd.run(nearer + work)  # type: ignore[misc]
    assert tiles == 0 and 0 < rows < 100
    assert fewer < sprites / 10
    assert not complaints(browser)
