"""Links of an entity on the inspector's page, in Chromium.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select

from browser import PHONE, complaints
from inspector import CROWD, Game, RefusedError, game
from inspector_page import Page

PEOPLE = 60


@pytest.fixture(scope="module")
def crowd() -> Iterator[Game]:
    with game(str(PEOPLE), program=CROWD) as running:
        running.call("pause")
        yield running


@pytest.fixture
def ids(crowd: Game) -> list[str]:
    """Returns the handles of some people, without links."""
    rows = crowd.call("entities", where="person", limit=8)["rows"]
    found = [str(row["id"]) for row in rows]
    for one in found:
        for kind, links in crowd.call("entity", id=one).get("links", {}).items():
            for each in links:
                ends = (one, each["to"]) if "to" in each else (each["from"], one)
                crowd.call("unlink", id=ends[0], link=kind, to=ends[1])
    return found


@pytest.fixture
def page(browser: webdriver.Chrome, crowd: Game) -> Iterator[Page]:
    yield Page(browser, crowd)
    assert complaints(browser) == []


def type_over(input: WebElement, text: str) -> None:
    """Types a value in place of the old one. `clear` would leave the input before it types."""
    input.send_keys(Keys.CONTROL + "a")
    input.send_keys(text, Keys.TAB)


def links_of(crowd: Game, id: str) -> dict[str, list[dict[str, object]]]:
    found: dict[str, list[dict[str, object]]] = crowd.call("entity", id=id).get("links", {})
    return found


def test_links_are_shown_with_the_other_end_and_its_name(
    crowd: Game, page: Page, ids: list[str]
) -> None:
    crowd.call("link", id=ids[0], link="owes", to=ids[1], value={"gold": 7, "reason": "bread"})
    crowd.call("link", id=ids[2], link="owes", to=ids[0])
    crowd.call("link", id=ids[3], link="knows", to=ids[0])
    name = crowd.call("entity", id=ids[1])["components"]["person"]["name"]
    page.open(f"entity/{ids[0]}")
    page.until(lambda: name in page.text("#links"))
    assert "1 from it, 1 to it" in page.text("#links")
    assert len(page.all("#links section.link")) == 3
    assert (
        page.one(f"[aria-label='owes to {ids[1]}'] [aria-label='owes.gold']").get_property("value")
        == "7"
    )
    names = [crowd.call("entity", id=one)["components"]["person"]["name"] for one in ids]
    for label, i in (("owes from", 2), ("knows with", 3)):
        assert page.one(f"[aria-label='{label} {ids[i]}'] a").text == f"{names[i]} {ids[i]}"


def test_a_value_is_edited_and_a_link_removed(crowd: Game, page: Page, ids: list[str]) -> None:
    crowd.call("link", id=ids[1], link="owes", to=ids[0], value={"due": [3, 4]})
    page.open(f"entity/{ids[0]}")
    gold = page.one("#links [aria-label='owes.gold']")
    type_over(gold, "12")
    page.until(lambda: crowd.call("entity", id=ids[1])["links"]["owes"][0]["value"]["gold"] == 12)
    due = page.one("#links [aria-label='owes.due[1]']")
    type_over(due, "9")
    page.until(lambda: links_of(crowd, ids[0])["owes"][0]["value"]["due"] == [3, 9])  # type: ignore[index]
    page.one(f"[aria-label='remove owes from {ids[1]}']").click()
    page.until(lambda: not page.all("#links section.link"))
    assert links_of(crowd, ids[0]) == {}


def test_a_refused_value_is_shown_and_changes_nothing(
    crowd: Game, page: Page, ids: list[str]
) -> None:
    crowd.call("link", id=ids[0], link="owes", to=ids[1])
    page.open(f"entity/{ids[0]}")
    gold = page.one("#links [aria-label='owes.gold']")
    type_over(gold, "1001")
    page.until(lambda: "must be at most 1000" in page.text(".problem"))
    assert links_of(crowd, ids[0])["owes"][0]["value"]["gold"] == 1  # type: ignore[index]


def test_a_form_adds_links_in_both_directions(crowd: Game, page: Page, ids: list[str]) -> None:
    page.open(f"entity/{ids[0]}")
    card = page.one("#links .card[aria-label='owes']")
    card.find_element(By.TAG_NAME, "summary").click()
    page.one("[aria-label='new owes.gold']").send_keys("5")
    page.one("[aria-label='other end of owes']").send_keys(ids[4], Keys.ENTER)
    page.until(lambda: page.all(f"[aria-label='owes to {ids[4]}']"))
    Select(page.one("[aria-label='direction of owes']")).select_by_value("from")
    page.one("[aria-label='other end of owes']").send_keys(ids[5], Keys.ENTER)
    page.until(lambda: page.all(f"[aria-label='owes from {ids[5]}']"))
    owes = links_of(crowd, ids[0])["owes"]
    assert [one.get("to", one.get("from")) for one in owes] == [ids[4], ids[5]]
    assert owes[0]["value"]["gold"] == 5  # type: ignore[index]
    page.one("[aria-label='other end of owes']").send_keys("9999:9", Keys.ENTER)
    page.until(lambda: "9999:9" in page.text(".problem"))
    assert len(links_of(crowd, ids[0])["owes"]) == 2


@pytest.mark.parametrize(
    ("path", "wrong", "words"),
    [
        ("new owes.gold", "1001", "must be at most 1000"),
        ("new owes.due", "1, 70000", "u16, which cannot hold 70000"),
    ],
)
def test_a_refusal_of_a_new_link_stands_at_its_input(
    crowd: Game, page: Page, ids: list[str], path: str, wrong: str, words: str
) -> None:
    """The card also has an input for the field of a link that exists."""
    crowd.call("link", id=ids[0], link="owes", to=ids[1])
    page.open(f"entity/{ids[0]}")
    page.one("#links .card[aria-label='owes'] summary").click()
    page.one(f"[aria-label='{path}']").send_keys(wrong)
    page.one("[aria-label='other end of owes']").send_keys(ids[4], Keys.ENTER)
    page.until(lambda: page.all("#links .problem"))
    box = page.one(f"[aria-label='{path}']")
    assert words in page.text(f"#{box.get_attribute('aria-errormessage')}")
    assert len(page.all("#links .problem")) == 1
    assert len(links_of(crowd, ids[0])["owes"]) == 1


def test_the_schema_page_lists_links(page: Page) -> None:
    page.open("schema")
    page.until(lambda: "How much one owes another" in page.text("#view"))
    shown = page.text("#links-knows")
    assert "bare: it has none" in shown and "direction\nboth" in shown.replace("\t", "\n")


def test_links_fit_on_a_phone(crowd: Game, page: Page, ids: list[str]) -> None:
    crowd.call("link", id=ids[0], link="owes", to=ids[1], value={"due": [3, 4]})
    page.resize(*PHONE)
    page.open(f"entity/{ids[0]}")
    page.one("#links section.link")
    wide = "return document.documentElement.scrollWidth - innerWidth"
    assert page.browser.execute_script(wide) <= 0
    page.own_size()


def test_links_are_found_by_an_expression(crowd: Game, page: Page, ids: list[str]) -> None:
    crowd.call("link", id=ids[0], link="owes", to=ids[1])
    page.find("from(owes)")
    page.until(lambda: page.ids() == [ids[0]])
    with pytest.raises(RefusedError, match="did you mean 'owes'"):
        crowd.call("entities", where="from(ows)")
