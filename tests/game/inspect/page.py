"""The inspector's page on the running colony, in Chromium, used as a person would use it.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from browser import PHONE
from inspector import INSPECT, PAUSED, RefusedError, game
from inspector_page import Page

VIEWS = (
    "entities", "singletons", "systems", "changes", "events", "stops", "memory", "schema",
    "messages", "spawn", "charts", "timeline", "map", "tree", "pinned",
)  # fmt: skip


def test_entities_by_an_expression(page: Page) -> None:
    page.find("worker & needs.hunger >= 0")
    page.until(lambda: page.text("#count") == "60 entities")
    assert "needs.hunger" in page.text(".line.head")
    page.find("needs.hungry > 1")
    page.until(lambda: "did you mean 'hunger'" in page.text("#problem"))
    page.find("person.age > 1000")
    page.until(lambda: page.text("#count") == "0 entities")


def test_entities_by_a_name_and_by_a_query(page: Page) -> None:
    asked = {"where": "person", "columns": ["person.name"]}
    row = page.colony.call("entities", **asked)["rows"][7]
    page.find(row["values"][0])
    page.until(lambda: row["id"] in page.ids())
    assert page.one("#filter").get_attribute("value") == f'person.name ~ "{row["values"][0]}"'
    page.find("")
    Select(page.one("select[aria-label='component or query']")).select_by_visible_text("depots")
    page.until(lambda: page.one("#filter").get_attribute("value") == "position & (depot)")
    depots = page.colony.call("entities", where="depot")["total"]
    page.until(lambda: page.text("#count").split() == [str(depots), "entities"])


def test_sorting_by_a_column(page: Page) -> None:
    page.find("person.age > 0")
    button = ".line.head button[title='sort by person.age']"
    page.one(button).click()
    page.until(lambda: "▲" in page.text(button))
    asked = {"where": "person.age > 0", "sort": "person.age"}
    ages = [row["id"] for row in page.colony.call("entities", **asked, limit=10)["rows"]]
    page.until(lambda: page.ids()[:10] == ages)
    page.one(button).click()
    page.until(lambda: "▼" in page.text(button))


@pytest.mark.parametrize("size", [PHONE, (1440, 900)], ids=str)
def test_heads_of_columns_are_seen_whole(page: Page, size: tuple[int, int]) -> None:
    """However long the paths are: those that have no space are scrolled to, and handles stay."""
    page.resize(*size)
    try:
        page.find("worker.skill[planks] >= 0 & walker.goal.x >= 0")
        page.until(lambda: page.ids() and "walker" in page.text(".line.head"))
        cut = """
            return [...document.querySelectorAll('.line.head button')].filter((node) =>
              node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight)
              .map((node) => node.textContent);
        """
        assert page.browser.execute_script(cut) == []
        page.one(".line.head button[title='sort by walker.goal.x']").click()
        page.until(lambda: "▲" in page.text(".line.head") and page.ids())
        assert page.browser.execute_script(cut) == []
        in_sight = """
            const list = document.getElementById('list');
            list.scrollLeft = list.scrollWidth;
            const node = document.querySelector('.line[data-id] a');
            return node.getBoundingClientRect().left >= list.getBoundingClientRect().left;
        """
        assert page.browser.execute_script(in_sight)
    finally:
        page.own_size()


@pytest.mark.parametrize(("size", "more"), [(PHONE, True), ((1440, 900), False)], ids=str)
def test_views_that_have_no_space_fade_out(page: Page, size: tuple[int, int], more: bool) -> None:
    page.resize(*size)
    try:
        page.open("singletons")
        page.until(lambda: bool(page.all("#views.more")) == more)
        page.open(VIEWS[-1])
        page.until(lambda: bool(page.all("#views.less")) == more and not page.all("#views.more"))
    finally:
        page.own_size()


def test_the_list_by_keyboard(page: Page) -> None:
    page.find("person")
    page.until(lambda: page.text("#count") == "60 entities")
    page.one("#list").send_keys(Keys.END)
    last = page.colony.call("entities", where="person", offset=59)["rows"][0]["id"]
    page.until(lambda: last in page.ids())
    page.until(
        lambda: page.one(f".line[data-id='{last}']").get_attribute("aria-selected") == "true"
    )
    page.one("#list").send_keys(Keys.ENTER)
    page.until(lambda: page.text("h2") == last)


def test_a_list_is_left_and_found_again(page: Page) -> None:
    """Enter in the expression leads to the list, and back from an entity to where it was left."""
    page.find("person")
    page.until(lambda: page.text("#count") == "60 entities")
    focused = lambda: page.browser.switch_to.active_element.get_attribute("id")  # noqa: E731
    page.until(lambda: focused() == "list")
    page.one("#list").send_keys(Keys.END, Keys.ARROW_UP, Keys.ARROW_UP)
    left = page.colony.call("entities", where="person", offset=57)["rows"][0]["id"]
    page.until(lambda: page.all(f".line[data-id='{left}'][aria-selected='true']"))
    page.one("#list").send_keys(Keys.ENTER)
    page.until(lambda: page.text("h2") == left and focused() == "view")
    page.browser.back()
    page.until(lambda: page.all(f".line[data-id='{left}'][aria-selected='true']"))
    assert focused() == "list"


def test_a_handle_leads_to_its_entity(page: Page) -> None:
    one = page.colony.call("entities", where="person")["rows"][0]["id"]
    page.find(one)
    page.until(lambda: page.text("h2") == one)


def test_values_are_edited_with_all_checks(page: Page) -> None:
    one = page.colony.call("entities", where="person")["rows"][1]["id"]
    page.open(f"entity/{one}")
    hunger = page.one("input[aria-label='needs.hunger']")
    hunger.clear()
    hunger.send_keys("2", Keys.ENTER)
    page.until(lambda: "is 2, and must be at most 1" in page.text(".problem"))
    hunger.clear()
    hunger.send_keys("0.5", Keys.ENTER)
    read = lambda: page.colony.call("entity", id=one)["components"]  # noqa: E731
    page.until(lambda: read()["needs"]["hunger"] == 0.5)
    Select(page.one("select[aria-label='worker.job']")).select_by_value("rest")
    page.until(lambda: read()["worker"]["job"] == "rest")
    assert "0 to 1" in page.text("#component-needs") and "day" in page.text("#component-person")


def test_components_come_and_go_as_the_rules_allow(page: Page) -> None:
    one = page.colony.call("entities", where="worker")["rows"][2]["id"]
    page.open(f"entity/{one}")
    Select(page.one("#add")).select_by_value("child")
    page.one("#component-child")
    page.one("button[aria-label='remove child']").click()
    page.one("#component-child.absent")
    assert "child" not in page.colony.call("entity", id=one)["components"]
    page.one("button[aria-label='remove walker']").click()
    page.until(lambda: "'worker' requires it" in page.text(".problem"))


def test_handles_are_links_and_trees_are_shown(page: Page) -> None:
    one = page.colony.call("entities", where="person")["rows"][3]["id"]
    bundle = page.colony.call("spawn", prefab="bundle")["id"]
    page.colony.call("attach", id=bundle, relation="carried_by", parent=one)
    page.open(f"entity/{one}")
    page.until(lambda: bundle in page.text("ul.tree"))
    page.one("ul.tree a").click()
    page.until(lambda: page.text("h2") == bundle)
    page.one(f"section[aria-label='carried_by'] a[href='#/entity/{one}']").click()
    page.until(lambda: page.text("h2") == one)
    page.colony.call("despawn", id=bundle)


def test_the_focus_stays_while_values_change(page: Page) -> None:
    """The focus outlives that a part is drawn anew, so that keys reach it."""
    one, other = [row["id"] for row in page.colony.call("entities", where="person")["rows"][:2]]
    bundle = page.colony.call("spawn", prefab="bundle")["id"]
    focused = lambda: page.browser.switch_to.active_element  # noqa: E731
    page.open(f"entity/{bundle}")
    box = page.one("input[aria-label='parent by carried_by']")
    box.send_keys(one, Keys.ENTER)
    page.until(lambda: page.all(f"section[aria-label='carried_by'] a[href='#/entity/{one}']"))
    assert focused().get_attribute("aria-label") == "parent by carried_by"
    focused().send_keys(other, Keys.ENTER)
    page.until(lambda: page.all(f"section[aria-label='carried_by'] a[href='#/entity/{other}']"))
    page.open("memory")
    page.one("#tables a")
    script = page.browser.execute_script  # elements that are found may be drawn anew meanwhile
    script("document.querySelector('#tables a').focus()")
    where = script("return document.activeElement.href")
    script("document.querySelector('#tables a').is_old = true")
    page.until(lambda: not script("return document.querySelector('#tables a').is_old"))
    assert script("return document.activeElement.href") == where
    webdriver.ActionChains(page.browser).send_keys(Keys.ENTER).perform()
    page.until(lambda: page.all("#list"))
    page.colony.call("despawn", id=bundle)


def test_spawn_from_a_prefab_and_despawn(page: Page) -> None:
    page.open("spawn/bakery")
    page.one("input[aria-label='position.x']").send_keys("5")
    Select(page.one("select[aria-label='drawn.look']")).select_by_value("storehouse")
    assert "0 to 1023, tile" in page.text("#view")
    page.one("#spawn").click()
    page.until(lambda: ":" in page.text("h2"))
    made = page.text("h2")
    components = page.colony.call("entity", id=made)["components"]
    assert components["position"]["x"] == 5 and components["building"]["kind"] == "bakery"
    assert components["drawn"]["look"] == "storehouse"
    page.one("#despawn").click()
    page.until(lambda: page.text("#gone") == "is no longer alive")
    assert page.text("h2") == made
    assert not [row for row in page.colony.call("entities", limit=500)["rows"] if row["id"] == made]


def test_time_is_stopped_stepped_and_goes_on(page: Page) -> None:
    tick = page.colony.call("stats")["tick"]
    ticks = page.one("#ticks")
    ticks.clear()
    ticks.send_keys("12")
    page.one("#step").click()
    page.until(lambda: page.colony.call("stats")["tick"] == tick + 12)
    page.until(lambda: f"tick {tick + 12}" in page.text("#facts"))
    page.one("#pause").click()
    page.until(lambda: page.text("#pause") == "pause")
    page.until(lambda: page.colony.call("stats")["tick"] > tick + 12)
    page.one("#view").click()
    page.browser.switch_to.active_element.send_keys(" ")
    page.until(lambda: page.text("#pause") == "go on")
    Select(page.one("#speed")).select_by_value("4")
    page.until(lambda: page.colony.call("stats")["speed"] == 4)


def test_what_changed_between_two_ticks(page: Page) -> None:
    one = page.colony.call("entities", where="person")["rows"][4]["id"]
    page.colony.call("set", id=one, path="needs.fatigue", value=0.125)
    page.open("changes")
    page.until(lambda: page.text("#between") == "No tick is remembered yet.")
    assert not [one for one in page.colony.call("messages") if "changes" in one["text"]]
    page.one("#remember").click()
    page.until(lambda: "From tick" in page.text("#between"))
    page.until(lambda: "Nothing has changed" in page.text("#changes"))
    page.colony.call("set", id=one, path="needs.fatigue", value=0.25)
    page.until(lambda: page.text("#changes").startswith("1 changed"))
    name = page.colony.call("entity", id=one)["components"]["person"]["name"]
    cells = page.texts("#changes td")
    assert cells == [f"{name} {one}", "needs.fatigue", "0.125", "0.25"]
    page.colony.call("set", id=one, path="worker.skill[bread]", value=77)
    page.until(lambda: "worker.skill[bread]" in page.text("#changes"))
    patch = page.colony.call("entities", where="soil")["rows"][0]["id"]
    page.colony.call("set", id=patch, path="soil.wear[1000]", value=250)
    page.until(lambda: "soil.wear[1000]" in page.text("#changes"))
    made = page.colony.call("spawn", prefab="bundle")["id"]
    page.until(lambda: "1 came" in page.text("#changes") and made in page.text("#changes"))
    page.one("#remember").click()
    page.until(lambda: "Nothing has changed" in page.text("#changes"))
    page.colony.call("despawn", id=made)
    page.until(lambda: "1 went" in page.text("#changes"))
    page.colony.step(1)
    page.until(lambda: "calendar" in page.text("#changes"))


def shown_events(page: Page) -> set[str]:
    lines = page.each("#events li", "node.getClientRects().length ? node.dataset.event : null")
    return {line for line in lines if line}


def test_events_are_a_log(page: Page) -> None:
    page.open("events")
    page.one("#event")
    page.until(lambda: page.colony.call("events") == [])
    for _ in range(40):
        page.colony.step(50)
        if page.colony.call("events"):
            break
    events = page.colony.call("events")
    page.until(lambda: len(page.all("#events li")) >= len(events) > 0)
    assert events[-1]["event"] in page.text("#events") and " by " in page.text("#events")
    kinds = {event["event"] for event in events}
    Select(page.one("#event")).select_by_value(events[0]["event"])
    page.until(lambda: shown_events(page) == {events[0]["event"]})
    assert events[0]["event"] in kinds


def test_memory_and_singletons_and_docs(page: Page) -> None:
    page.open("memory")
    page.until(lambda: "position claim plant drawn" in page.text("#tables"))
    page.until(lambda: "depots_by_place" in page.text("#indexes"))
    page.open("singletons/calendar")
    day = page.one("input[aria-label='calendar.day']")
    day.send_keys(Keys.CONTROL + "a")
    day.send_keys("30", Keys.ENTER)
    page.until(lambda: page.colony.call("singleton", name="calendar")["day"] == 30)
    page.open("schema")
    page.one("input[type=search]").send_keys("starved")
    page.until(lambda: "0 is fed, 1 is starved" in page.text("#view"))
    one = page.colony.call("entities", where="person")["rows"][0]["id"]
    with pytest.raises(RefusedError):
        page.colony.call("set", id=one, path="needs.hunger", value=2)
    page.open("messages")
    page.until(lambda: "must be at most 1" in page.text("#messages"))


def test_of_a_state_only_what_is_asked_for_is_set(page: Page) -> None:
    page.open("singletons/pause")
    now, following = (page.one(f"select[aria-label='pause.{name}']") for name in ("now", "next"))
    assert not now.is_enabled() and following.is_enabled()
    page.colony.call("set", path="pause.next", value="on")
    page.until(lambda: following.get_property("value") == "on")
    with pytest.raises(RefusedError, match=r"set 'pause\.next'"):
        page.colony.call("set", path="pause.now", value="on")
    page.colony.call("set", path="pause.next", value="off")


def test_watching_is_begun_and_ended_where_it_is_wanted(page: Page) -> None:
    one = page.colony.call("entities", where="worker")["rows"][5]["id"]
    page.open(f"entity/{one}")
    page.one("button[aria-label='who wrote needs']").click()
    assert "three times" in page.text("#component-needs .writes")
    page.one("#component-needs button.watch").click()
    since = f"Nothing has written it since tick {page.colony.call('stats')['tick']}, in which"
    page.until(lambda: since in page.text("#component-needs .writes"))
    assert page.colony.call("kept")["all"]
    page.colony.step(40)
    page.until(lambda: "get_hungry" in page.text("#component-needs .writes"))
    bundle = page.colony.call("spawn", prefab="bundle")["id"]
    page.colony.call("attach", id=bundle, relation="carried_by", parent=one)
    page.open(f"entity/{bundle}?writers=carried_by")
    page.until(lambda: "parent" in page.text("section[aria-label='carried_by'] .writes"))
    page.colony.call("despawn", id=bundle)
    page.open("stops")
    page.one("#unwatch").click()
    page.until(lambda: page.one("button.watch").is_displayed())
    assert not page.colony.call("stats")["watched"] and not page.one("#builder").is_displayed()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_readable_on_a_phone(page: Page, scheme: str) -> None:
    """Nothing but what is meant to scroll is wider than the window, and buttons can be hit."""
    page.resize(*PHONE)
    media = [{"name": "prefers-color-scheme", "value": scheme}]
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": media})
    try:
        one = page.colony.call("entities", where="person")["rows"][0]["id"]
        for view in (*VIEWS, f"entity/{one}"):
            page.open(view)
            page.until(lambda: page.all("#view > *"))
            width = page.browser.execute_script("return document.documentElement.scrollWidth")
            assert width <= PHONE[0], view
        heights = page.each("#view button", "node.getBoundingClientRect().height")
        assert all(height == 0 or height >= 30 for height in heights)  # of hidden ones it is 0
        back = page.browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        light = sum(int(part) for part in back[4:-1].split(",")) > 384
        assert light == (scheme == "light")
    finally:
        page.own_size()
        page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def test_a_page_that_may_only_look(browser: webdriver.Chrome) -> None:
    with game(*PAUSED, "--read-only", program=INSPECT) as colony:
        page = Page(browser, colony)
        assert "read-only" in page.text("#time") and not page.all("#pause")
        one = page.colony.call("entities", where="person")["rows"][0]["id"]
        page.open(f"entity/{one}")
        assert not page.one("input[aria-label='needs.hunger']").is_enabled()
        assert not page.all("#despawn")
