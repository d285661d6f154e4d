"""Refusals in the page: each is shown at the input that it is about, and names it to readers.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select

from inspector import people
from inspector_page import Page

# The message that an input names by aria-errormessage, and its distance below the input in pixels.
MESSAGE = """
const node = arguments[0];
const message = document.getElementById(node.getAttribute('aria-errormessage'));
if (!message || message.id !== node.getAttribute('aria-describedby')) return null;
const [above, below] = [node, message].map((one) => one.getBoundingClientRect());
return [message.textContent, below.top - above.bottom];
"""
FAR = 40  # pixels; a message within this distance is beside its input


def message_of(page: Page, node: WebElement, *, is_input: bool = True) -> str:
    """Returns the message at an input, and checks that the input says that it is invalid."""
    assert (node.get_attribute("aria-invalid") == "true") == is_input
    words, distance = page.browser.execute_script(MESSAGE, node)
    assert -FAR < distance < FAR
    return str(words)


def box_of(page: Page, path: str) -> WebElement:
    return page.one(f"input[aria-label='{path}']")


def write(page: Page, path: str, text: str) -> None:
    box_of(page, path).send_keys(Keys.CONTROL + "a")
    box_of(page, path).send_keys(text, Keys.ENTER)


@pytest.mark.parametrize(
    ("path", "wrong", "words", "right"),
    [
        ("needs.hunger", "2", "is 2, and must be at most 1", "0.5"),  # the game says so
        ("needs.hunger", "much", "'much' is not a number", "0.5"),  # the page says so
        ("worker.source", "the house", "is not a handle", ""),
    ],
)
def test_an_edit_is_refused_at_its_field(
    page: Page, path: str, wrong: str, words: str, right: str
) -> None:
    """What was typed stays until it is corrected or given up, also while values are read again."""
    one = people(page.colony)[0]
    page.open(f"entity/{one}")
    write(page, path, wrong)
    page.until(lambda: box_of(page, path).get_attribute("aria-invalid"))
    assert words in message_of(page, box_of(page, path))
    assert page.text(".toast") == ""
    page.one("#view").click()
    page.colony.call("set", id=one, path="needs.fatigue", value=0.625)
    page.until(lambda: box_of(page, "needs.fatigue").get_property("value") == "0.625")
    assert box_of(page, path).get_property("value") == wrong
    page.colony.call("set", id=one, path="needs.fatigue", value=0.5)
    write(page, path, right or Keys.BACKSPACE)
    page.until(lambda: box_of(page, path).get_attribute("aria-invalid") is None)
    assert page.all(".problem") == []
    write(page, path, wrong)
    page.until(lambda: box_of(page, path).get_attribute("aria-invalid"))
    box_of(page, path).send_keys(Keys.ESCAPE)
    page.until(lambda: box_of(page, path).get_property("value") == right)
    assert box_of(page, path).get_attribute("aria-invalid") is None


def test_two_refusals_do_not_hide_each_other(page: Page) -> None:
    page.open(f"entity/{people(page.colony)[0]}")
    write(page, "needs.hunger", "2")
    page.until(lambda: box_of(page, "needs.hunger").get_attribute("aria-invalid"))
    write(page, "needs.fatigue", "3")
    page.until(lambda: box_of(page, "needs.fatigue").get_attribute("aria-invalid"))
    assert "is 2" in message_of(page, box_of(page, "needs.hunger"))
    assert "is 3" in message_of(page, box_of(page, "needs.fatigue"))


def test_a_value_of_a_singleton_is_refused_at_its_field(page: Page) -> None:
    page.open("singletons/calendar")
    write(page, "calendar.day", "-1")
    page.until(lambda: box_of(page, "calendar.day").get_attribute("aria-invalid"))
    assert "-1" in message_of(page, box_of(page, "calendar.day"))


def test_buttons_are_refused_where_they_are(page: Page) -> None:
    page.open(f"entity/{people(page.colony, 'worker')[0]}")
    remove = "button[aria-label='remove walker']"
    page.one(remove).click()
    page.until(lambda: page.all(".problem"))
    assert "'worker' requires it" in message_of(page, page.one(remove), is_input=False)
    parent = "input[aria-label='parent by carried_by']"
    page.one(parent).send_keys("900000:1", Keys.ENTER)
    page.until(lambda: page.one(parent).get_attribute("aria-invalid"))
    assert "900000:1" in message_of(page, page.one(parent))
    assert page.text(".toast") == ""


def test_a_form_leads_to_the_first_wrong_value(page: Page) -> None:
    focused = lambda: page.browser.switch_to.active_element.get_attribute("aria-label")  # noqa: E731
    page.open("spawn/villager")
    before = page.colony.call("stats")["entities"]
    box_of(page, "person.age").send_keys("old")
    box_of(page, "needs.hunger").send_keys("2")
    page.one("#spawn").click()
    page.until(lambda: box_of(page, "person.age").get_attribute("aria-invalid"))
    assert focused() == "person.age"
    box_of(page, "person.age").send_keys(Keys.CONTROL + "a")
    box_of(page, "person.age").send_keys("30")
    assert box_of(page, "person.age").get_attribute("aria-invalid") is None
    page.one("#spawn").click()
    page.until(lambda: box_of(page, "needs.hunger").get_attribute("aria-invalid"))
    assert "at most 1" in message_of(page, box_of(page, "needs.hunger"))
    assert focused() == "needs.hunger" and page.text(".toast") == ""
    assert page.colony.call("stats")["entities"] == before


def test_a_menu_is_refused_where_it_is(page: Page) -> None:
    """A component that another one excludes cannot be added; the menu says so."""
    one = people(page.colony, "worker")[0]
    page.open(f"entity/{one}")
    Select(page.one("#add")).select_by_value("plant")
    page.until(lambda: page.all(".problem"))
    words = message_of(page, page.one("#add"))
    assert "remove 'worker' first" in words and page.text(".toast") == ""
    assert "plant" not in page.colony.call("entity", id=one)["components"]
