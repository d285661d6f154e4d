"""Mistakes that people make in the inspector, and unusual moments to look at it.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import json
import signal
from collections import Counter

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from browser import PHONE, complaints
from inspector import INSPECT, PAUSED, Game, RefusedError, game
from inspector_page import Page


def person(colony: Game, number: int) -> str:
    return str(colony.call("entities", where="person", limit=20)["rows"][number]["id"])


def type_into(page: Page, label: str, text: str) -> None:
    """Takes the place of what an input has, as a person does it."""
    page.one(f"input[aria-label='{label}']").send_keys(Keys.CONTROL + "a")
    page.one(f"input[aria-label='{label}']").send_keys(text, Keys.ENTER)


def test_the_dead_fill_no_log(colony: Game) -> None:
    made = colony.call("spawn", prefab="villager", components={})["id"]
    colony.call("despawn", id=made)
    before = colony.call("messages")
    for handle, words in ((made, "is no longer alive"), ("900000:1", "was never alive")):
        with pytest.raises(RefusedError, match=f"entity {handle} {words}"):
            colony.call("entity", id=handle)
    assert colony.call("messages") == before


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("entity/zzz", "'zzz' is not a handle of an entity: write an index and a generation"),
        ("entity/%E0%A4%A", "'%E0%A4%A' is not a handle"),
        ("entity/", "'' is not a handle"),
        ("singletons/weather", "the schema has no singleton 'weather'"),
        ("spawn/dragon", "the schema has no prefab 'dragon'"),
        ("weather", "there is no view 'weather'"),
    ],
)
def test_addresses_that_lead_nowhere(page: Page, address: str, words: str) -> None:
    page.open(address)
    page.until(lambda: words in page.text(".bad, .toast"))


def test_a_handle_that_comes_to_be_used(page: Page) -> None:
    colony = page.colony
    index = colony.call("stats")["indices"]
    page.open(f"entity/{index}:1")
    page.until(lambda: page.text("#gone") == "was never alive")
    made: list[str] = []
    while f"{index}:1" not in made:  # indices that are free are taken first
        made.append(colony.call("spawn", prefab="villager", components={})["id"])
    page.one("#component-needs")
    assert not page.all("#gone") and "No entity had" not in page.text("#view")
    for one in made:
        colony.call("despawn", id=one)
    page.until(lambda: page.text("#gone") == "is no longer alive")


@pytest.mark.parametrize(
    ("label", "text", "words"),
    [
        ("needs.hunger", "much", "'much' is not a number"),
        ("needs.hunger", "1e999", "'1e999' is not a number"),
        ("needs.hunger", "2", "is 2, and must be at most 1"),
        ("worker.skill[wood]", "3.5", "is u8, which cannot hold 3.5"),
        ("worker.source", "the house", "'the house' is not a handle"),
    ],
)
def test_values_that_are_none(page: Page, label: str, text: str, words: str) -> None:
    one = person(page.colony, 0)
    before = page.colony.call("entity", id=one)["components"]
    page.open(f"entity/{one}")
    type_into(page, label, text)
    page.until(lambda: words in page.text(".problem"))
    assert page.colony.call("entity", id=one)["components"] == before


def test_a_form_takes_words_for_what_they_are(page: Page) -> None:
    entities = page.colony.call("stats")["entities"]
    page.open("spawn/villager")
    page.one("input[aria-label='person.name']").send_keys("12")
    page.one("input[aria-label='person.age']").send_keys("old")
    page.one("#spawn").click()
    page.until(lambda: "'old' is not a number" in page.text(".problem"))
    assert page.colony.call("stats")["entities"] == entities
    page.one("input[aria-label='person.age']").send_keys(Keys.CONTROL + "a")
    page.one("input[aria-label='person.age']").send_keys("30")
    page.one("#spawn").click()
    page.one("#despawn")
    found = page.colony.call("entities", where='person.name == "12"')["rows"]
    assert len(found) == 1
    page.colony.call("despawn", id=found[0]["id"])


def test_two_pages_at_once(page: Page) -> None:
    one = person(page.colony, 1)
    page.open(f"entity/{one}")
    page.one("input[aria-label='needs.hunger']")
    first = page.browser.current_window_handle
    page.browser.switch_to.new_window("tab")
    second = Page(page.browser, page.colony)
    try:
        second.open(f"entity/{one}")
        type_into(second, "needs.hunger", "0.25")
        page.browser.switch_to.window(first)
        read = "return document.querySelector(\"input[aria-label='needs.hunger']\").value"
        page.until(lambda: page.browser.execute_script(read) == "0.25")
        page.one("#despawn").click()
        page.until(lambda: page.text("#gone") == "is no longer alive")
        page.browser.switch_to.window(page.browser.window_handles[-1])
        second.until(lambda: second.text("#gone") == "is no longer alive")
        assert not second.all("#despawn") and second.text(".toast") == ""
    finally:
        page.browser.switch_to.window(page.browser.window_handles[-1])
        page.browser.close()
        page.browser.switch_to.window(first)


@pytest.mark.parametrize(("text", "ticks"), [("-5", 1), ("0", 1), ("2.4", 2), ("3", 3)])
def test_odd_numbers_of_ticks(page: Page, text: str, ticks: int) -> None:
    box = page.one("#ticks")
    box.clear()
    box.send_keys(text)
    before = page.colony.call("stats")["tick"]
    page.one("#step").click()
    page.until(lambda: page.colony.call("stats")["tick"] == before + ticks)
    assert box.get_attribute("value") == str(ticks)


def test_a_long_step_is_ended(page: Page) -> None:
    box = page.one("#ticks")
    box.clear()
    box.send_keys("1000000")
    before = page.colony.call("stats")["tick"]
    page.one("#step").click()
    page.until(lambda: page.text("#step") == "stop")
    page.one("#step").click()
    page.until(lambda: page.text("#step") == "step")
    assert before < page.colony.call("stats")["tick"] < before + 1000000


def test_a_speed_that_a_program_took(page: Page) -> None:
    page.colony.call("speed", speed=3)
    page.until(lambda: page.one("#speed").get_attribute("value") == "3")
    page.colony.call("speed", speed=1)
    page.until(lambda: page.one("#speed").get_attribute("value") == "1")


def test_a_phone_that_is_turned(page: Page) -> None:
    """The view that is open stays in sight, and tables of memory need no scrolling sideways."""
    page.open("memory")
    page.until(lambda: page.all("#indexes tr"))
    page.resize(*PHONE)
    try:
        box = "document.querySelector('#views [aria-current]').getBoundingClientRect()"
        seen = f"return {box}.left >= 0 && {box}.right <= innerWidth"
        page.until(lambda: page.browser.execute_script(seen))
        fits = (
            "return [...document.querySelectorAll('.scroll')]"
            ".every((one) => one.scrollWidth <= one.clientWidth)"
        )
        page.until(lambda: page.browser.execute_script(fits))
    finally:
        page.own_size()


def test_what_was_there_outlives_the_game(browser: webdriver.Chrome) -> None:
    with game(*PAUSED, program=INSPECT) as colony:
        page = Page(browser, colony)
        seen = page.ids()
    page.until(lambda: page.text("#facts") == "the game does not answer")
    page.browser.execute_script("document.getElementById('list').scrollTop = 40")  # it is asked
    page.until(lambda: page.text("#problem") == "the game does not answer")
    assert page.ids() == seen
    complaints(browser)  # that there is no connection


ASKED = """
    const asked = [];
    const send = WebSocket.prototype.send;
    WebSocket.prototype.send = function (text) { asked.push(text); send.call(this, text); };
    setTimeout(() => { WebSocket.prototype.send = send; arguments[0](asked); }, 3500);
"""


@pytest.mark.parametrize(
    "view", ["entities", "changes", "memory", "events", "systems", "singletons/ledger", "entity/"]
)
def test_a_game_that_does_not_answer_is_not_asked_again(page: Page, view: str) -> None:
    """Or a slow game would answer old questions of the page alone, and no other program."""
    page.colony.call("remember")
    page.open(view + person(page.colony, 3) if view == "entity/" else view)
    page.until(lambda: page.all("#view > *"))
    page.colony.process.send_signal(signal.SIGSTOP)
    try:
        asked = page.browser.execute_async_script(ASKED)
    finally:
        page.colony.process.send_signal(signal.SIGCONT)
    calls = Counter(json.loads(text)["method"] for text in asked)
    assert calls and max(calls.values()) <= 2  # the bar and the view may each ask for `stats`
