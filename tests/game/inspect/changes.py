"""Changes between two ticks, by calls and by the page: filters, writers, and large worlds.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from browser import complaints
from inspector import CROWD, PAUSED, SANITIZED, Game, RefusedError, game, people, whole_list
from inspector_page import Page

MANY, REMEMBERED_MAX = 120_000, 100_000


@pytest.fixture(scope="module")
def colony() -> Iterator[Game]:
    with game(*PAUSED, program=SANITIZED) as running:
        yield running


def names_of(answer: dict[str, Any]) -> set[str]:
    return {str(one["name"]) for one in answer["changed"]}


def write(page: Page, selector: str, text: str) -> None:
    page.one(selector).send_keys(Keys.CONTROL + "a")
    page.one(selector).send_keys(Keys.BACKSPACE + text)


# ---- calls


def test_changes_are_filtered_by_path(colony: Game) -> None:
    """Only a difference of the value itself counts, however deep it lies."""
    one, other, child = people(colony, "worker")[:3]
    patch = people(colony, "soil")[0]
    for entity in (one, other):
        colony.call("set", id=entity, path="needs.hunger", value=0.125)
        colony.call("set", id=entity, path="worker.skill[wood]", value=10)
    colony.call("set", id=patch, path="soil.wear[1000]", value=3)
    colony.call("remember")
    colony.call("set", id=one, path="needs.hunger", value=0.25)
    colony.call("set", id=other, path="worker.skill[wood]", value=11)
    colony.call("set", id=patch, path="soil.wear[1000]", value=4)
    day = colony.call("singleton", name="calendar")["day"]
    colony.call("set", path="calendar.day", value=day + 1)
    bundle = colony.call("spawn", prefab="bundle")["id"]
    colony.call("attach", id=bundle, relation="carried_by", parent=child)
    expected = {
        "needs": {one},
        "needs.hunger": {one},
        "needs.fatigue": set(),
        "worker": {other},
        "worker.skill": {other},
        "worker.skill[wood]": {other},
        "worker.skill[bread]": set(),
        "soil.wear[1000]": {patch},
        "soil.wear[999]": set(),
        "calendar.day": {"calendar"},
        "calendar.hour": set(),
        "": {one, other, patch, "calendar"},
    }
    for path, changed in expected.items():
        answer = colony.call("changes", path=path)
        assert names_of(answer) == changed, path
        assert answer["changed_count"] == len(changed)
        assert answer["new"] == ([] if path else [bundle])
    assert colony.call("changes", path="carried_by")["new"] == [bundle]
    colony.call("despawn", id=bundle)
    for wrong in ("need.hunger", "[3]", ".."):
        with pytest.raises(RefusedError, match="begins with no component"):
            colony.call("changes", path=wrong)


def test_changes_are_filtered_by_text(colony: Game) -> None:
    """Texts and names of enum values count, before or now; names of fields do not."""
    one, other = people(colony, "worker")[3:5]
    colony.call("set", id=one, path="person.name", value="Aurelia")
    colony.call("set", id=other, path="person.name", value='Quo "x" \\')
    colony.call("remember")
    colony.call("set", id=one, path="needs.fatigue", value=0.375)
    colony.call("set", id=other, path="person.name", value="Zenobia")
    for text, changed in {
        "aurel": {one},
        "ZENO": {other},
        "Quo": {other},
        "hunger": set(),  # the name of a field
        "nobody has this": set(),
    }.items():
        assert names_of(colony.call("changes", text=text)) == changed, text
    assert names_of(colony.call("changes", text="aurel", path="person")) == set()
    colony.call("despawn", id=one)
    assert colony.call("changes", text="aurel")["gone"] == [one]
    assert colony.call("changes", text="zeno")["gone"] == []


def test_entities_of_an_expression_are_remembered(colony: Game) -> None:
    workers = people(colony, "worker")
    one, other = workers[5:7]
    outside = people(colony, "!worker")[0]
    answer = colony.call("remember", where="worker")
    assert answer["entities"] == len(workers)
    changes = colony.call("changes")
    assert changes["where"] == "worker" and changes["entities"] == len(workers)
    assert changes["new"] == changes["gone"] == []
    before = colony.call("entity", id=one)["components"]["worker"]
    colony.call("remove", id=one, component="worker")  # no longer of the expression, but compared
    made = colony.call("spawn", prefab="bundle")["id"]  # never of it
    changes = colony.call("changes")
    assert names_of(changes) == {one} and changes["new"] == []
    colony.call("despawn", id=other)
    colony.call("despawn", id=made)
    assert colony.call("changes")["gone"] == [other]
    colony.call("add", id=one, component="worker")
    colony.call("write", id=one, components={"worker": before})
    assert outside not in names_of(colony.call("changes"))
    with pytest.raises(RefusedError, match="did you mean 'worker'"):
        colony.call("remember", where="workr")
    assert colony.call("changes")["where"] == "worker"  # what was remembered stays


def test_more_than_the_limit_leads_to_an_expression() -> None:
    with game(str(MANY), program=CROWD) as crowd:
        crowd.call("pause")
        crowd.call("remember", where="asleep")
        words = f"{MANY} entities are more than the {REMEMBERED_MAX}.*by an expression in 'where'"
        with pytest.raises(RefusedError, match=words):
            crowd.call("remember")
        assert crowd.call("changes")["where"] == "asleep"
        few = crowd.call("remember", where="person.age < 20")["entities"]
        assert 0 < few < REMEMBERED_MAX


# ---- the page


def test_the_page_filters_changes(page: Page) -> None:
    one, other = people(page.colony, "worker")[:2]
    name = page.colony.call("entity", id=other)["components"]["person"]["name"]
    page.open("changes")
    page.one("#remember").click()
    page.until(lambda: "Nothing has changed" in page.text("#changes"))
    page.colony.call("set", id=one, path="needs.fatigue", value=0.75)
    page.colony.call("set", id=one, path="needs.hunger", value=0.75)
    page.colony.call("set", id=other, path="worker.skill[planks]", value=42)
    page.until(lambda: "2 changed" in page.text("#changes"))
    write(page, "#change-path", "needs.hunger")
    page.until(lambda: page.text("#changes").startswith("1 changed"))
    assert "needs.fatigue" not in page.text("#changes") and "needs.hunger" in page.text("#changes")
    write(page, "#change-path", "")
    write(page, "#change-text", name.upper())
    page.until(lambda: "worker.skill[planks]" in page.text("#changes"))
    page.until(lambda: one not in page.text("#changes"))
    write(page, "#change-text", "nobody")
    page.until(lambda: "Nothing that passes the filter" in page.text("#changes"))
    write(page, "#change-text", "")
    write(page, "#change-path", "need")
    page.until(lambda: "begins with no component" in page.text("#between"))
    offered = set(page.each("#change-paths option", "node.value"))
    assert {"needs", "needs.hunger", "calendar.day", "carried_by"} <= offered


def test_the_page_names_the_last_writer(page: Page) -> None:
    """Only while the world is watched; before that it offers to begin."""
    one = people(page.colony, "worker")[0]
    page.open("changes")
    assert "last writer" not in page.text("#changes")
    page.one("button.watch").click()
    page.until(lambda: page.colony.call("stats")["watched"])
    page.one("#remember").click()
    page.until(lambda: "Nothing has changed" in page.text("#changes"))
    page.colony.step(40)
    write(page, "#change-text", page.colony.call("entity", id=one)["components"]["person"]["name"])
    write(page, "#change-path", "needs.hunger")
    (written,) = page.colony.call("writes", id=one, path="needs.hunger", limit=1)
    assert written["writer"] == "get_hungry"
    page.until(lambda: f"get_hungry, tick {written['tick']}" in page.text("#changes .writer"))
    page.browser.execute_script("document.querySelector('#changes .writer a').click()")
    page.until(lambda: page.text("h2") == one and "get_hungry" in page.text("#component-needs"))
    page.colony.call("watch", on=False)


def test_a_large_world_leads_to_an_expression(browser: webdriver.Chrome) -> None:
    with game(str(MANY), program=CROWD) as crowd:
        crowd.call("pause")
        page = Page(browser, crowd)
        page.open("changes")
        page.one("#remember").click()
        page.until(lambda: "select fewer by an expression" in page.text(".problem"))
        focused = browser.switch_to.active_element
        assert focused.get_attribute("id") == "remember-where"
        focused.send_keys("person.age < 20", Keys.ENTER)
        page.until(lambda: "of person.age < 20" in page.text("#between"))
        one = whole_list(crowd, where="person.age < 20")[0]["rows"][0]["id"]  # type: ignore[index]
        crowd.call("set", id=one, path="needs.hunger", value=0.0625)
        page.until(lambda: "0.0625" in page.text("#changes"))
        assert complaints(browser) == []
