"""The referrers of an entity: which fields, links and relations refer to it.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import time
from typing import Any

import pytest
from selenium.webdriver.common.by import By

from inspector import Game, RefusedError, people
from inspector_page import Page

PHONE = (390, 844)


def whole(colony: Game, one: str) -> dict[str, Any]:
    """Asks until all entities were read, and returns the groups by their paths."""
    for _ in range(1000):
        answer = colony.call("referrers", id=one)
        if answer["making"] is None:
            return {group["path"]: group for group in answer["referrers"]}
        time.sleep(0.02)
    raise AssertionError("the referrers are never found")


@pytest.fixture
def house(colony: Game) -> str:
    """Returns a house in which exactly three people live."""
    one: str = people(colony, "dwelling")[0]
    for who in people(colony, f"home.house == {one}"):
        colony.call("set", id=who, path="home.house", value=None)
    for who in people(colony, "person & home")[:3]:
        colony.call("set", id=who, path="home.house", value=one)
    return one


def test_a_call_counts_the_fields_that_refer(colony: Game, house: str) -> None:
    found = whole(colony, house)
    group = found["home.house"]
    assert (group["kind"], group["count"], group["left_off"]) == ("component", 3, 0)
    assert {one["id"] for one in group["some"]} == set(people(colony, f"home.house == {house}"))
    assert all(one["paths"] == ["home.house"] for one in group["some"])
    with pytest.raises(RefusedError):
        colony.call("referrers", id="house")


def test_the_page_lists_them_with_links(colony: Game, page: Page, house: str) -> None:
    page.open(f"entity/{house}")
    details = page.one("#referrers [data-of='component home.house']")
    summary = details.find_element(By.TAG_NAME, "summary")
    assert summary.text == "field home.house: 3"
    summary.click()
    who = people(colony, f"home.house == {house}")
    page.until(lambda: page.text("#referrers [data-of='component home.house'] li").count(":") == 3)
    links = details.find_elements(By.CSS_SELECTOR, "li a")
    assert {link.get_attribute("href").split("/")[-1] for link in links} == set(who)
    assert all(len(link.text.split()) > 1 for link in links)  # a name and a handle
    links[0].click()
    page.until(lambda: page.text("h2.mono") in who)


def test_they_are_found_again_on_request(colony: Game, page: Page, house: str) -> None:
    page.open(f"entity/{house}")
    group = "#referrers [data-of='component home.house']"
    page.one(f"{group} summary").click()
    colony.call(
        "set", id=people(colony, f"home.house == {house}")[0], path="home.house", value=None
    )
    page.one("#referrers header button").click()
    page.until(lambda: "home.house: 2" in page.text(f"{group} summary"))
    assert page.one(group).get_attribute("open") is not None


def test_a_despawned_entity_shows_who_still_refers_to_it(
    colony: Game, page: Page, house: str
) -> None:
    who = people(colony, f"home.house == {house}")
    page.open(f"entity/{house}")
    page.one("#referrers [data-of='component home.house']")
    done = colony.call("despawn", id=house)
    page.until(lambda: page.text("#gone") == "is no longer alive")
    page.until(lambda: page.all("#referrers"))
    assert whole(colony, house)["home.house"]["count"] == len(who)
    colony.call("undo", number=done["undo"])


def test_an_entity_without_referrers_says_so(colony: Game, page: Page) -> None:
    page.open(f"entity/{colony.call('spawn')['id']}")
    page.until(lambda: "No entity refers to it" in page.text("#referrers"))


def test_referrers_fit_on_a_phone(page: Page, house: str) -> None:
    page.resize(*PHONE)
    page.open(f"entity/{house}")
    page.one("#referrers summary").click()
    wide = "return document.documentElement.scrollWidth - innerWidth"
    assert page.browser.execute_script(wide) <= 0
    page.own_size()
