"""Stops, by calls and by the page: at values, expressions, events and ends of entities.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import quote

import pytest
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from inspector import PAUSED, Game, RefusedError, game, people
from inspector_page import Page

WATCHED = (*PAUSED, "--watch")


@pytest.fixture
def colony() -> Iterator[Game]:
    with game(*WATCHED) as running:
        yield running


def step_until_stopped(colony: Game, ticks: int = 3000) -> None:
    for _ in range(ticks // 50):
        if colony.step(50)["stopped"]:
            return
    raise AssertionError(f"nothing stopped the game in {ticks} ticks")


# ---- calls


@pytest.mark.parametrize(
    ("when", "words"),
    [
        ("needs.hungr of 1:1 > 1", "column 7: 'needs' has no field 'hungr', did you mean 'hunger'"),
        ("need.hunger > 1", "column 1: there is no component or singleton 'need', did you mean"),
        ("needs.hunger > ", "column 16: a number such as 0.5"),
        ("worker.job == dance", "column 15: enum 'job' has no value 'dance': there is"),
        ("stock.amount[loaf] < 1", "column 14: enum 'goods' has no value 'loaf'"),
        ("calender.day > 1", "did you mean 'calendar'"),
        ("event dyed", "column 7: there is no event 'dyed', did you mean 'died'"),
        ("needs.hunger of 900000:1 > 1", "column 17: 900000:1 was never alive: write the handle"),
        ("despawn of 900000:1", "column 12: 900000:1 was never alive"),
        ("needs.hunger falls by 3", "column 23: 'more than' and a number should be here"),
        (
            "needs.hunger written by eats",
            "column 25: there is no system 'eats', did you mean 'eat'",
        ),
        ("needs.hunger written by spoil", "column 25: "),
        ("worker.job rises", "column 12: only numbers rise and fall: write 'changes'"),
        ("", "column 1"),
    ],
)
def test_wrong_texts_are_explained(colony: Game, when: str, words: str) -> None:
    with pytest.raises(RefusedError) as refused:
        colony.call("stop_at", when=when)
    assert words in str(refused.value)
    assert colony.call("stops") == []


def test_a_stop_of_the_dead_is_refused(colony: Game) -> None:
    one = people(colony, "worker")[0]
    colony.call("stop_at", when=f"needs.hunger of {one} > 2e9")
    colony.call("despawn", id=one)
    with pytest.raises(RefusedError, match=f"{one} is no longer alive: write the handle"):
        colony.call("stop_at", when=f"needs.hunger of {one} > 0.5")
    (stop,) = colony.call("stops")
    assert stop["note"] == f"{one} is no longer alive"


def test_an_entity_may_get_what_it_lacks(colony: Game) -> None:
    one = people(colony, "worker")[0]
    when = f"stock.amount[bread] of {one} > 5"
    answer = colony.call("stop_at", when=when)
    assert answer["note"] == f"{one} has no 'stock' yet: it waits until it gets one"
    assert answer["rows"] == 1


def test_any_entity(colony: Game) -> None:
    answer = colony.call("stop_at", when="needs.hunger > 0.6 & worker")
    assert answer["rows"] >= 60 and "get_hungry" in answer["behind"] and answer["note"] is None
    step_until_stopped(colony)
    (stop,) = colony.call("stops")
    last = stop["last"]
    assert last["writer"] == "get_hungry" and last["path"] == "needs.hunger"
    assert float(last["before"]) <= 0.6 < float(last["after"])
    hunger = colony.call("entity", id=last["id"])["components"]["needs"]["hunger"]
    assert hunger == pytest.approx(float(last["after"]), rel=1e-6)
    assert "get_hungry wrote 0.6" in colony.call("messages")[-1]["text"]
    count = stop["count"]
    colony.call("set", id=people(colony, "worker")[5], path="needs.hunger", value=0.75)
    colony.step(1)
    (stop,) = colony.call("stops")
    assert stop["count"] > count


def test_an_event(colony: Game) -> None:
    assert "give_birth" in colony.call("stop_at", when="event born")["behind"]
    step_until_stopped(colony)
    (stop,) = colony.call("stops")
    last = stop["last"]
    assert (last["kind"], last["writer"], last["path"]) == ("event", "give_birth", "born")
    assert last["after"].startswith("child ") and last["id"] is not None
    assert "give_birth emitted born: child" in colony.call("messages")[-1]["text"]


def test_the_end_of_an_entity(colony: Game) -> None:
    one = people(colony, "worker")[0]
    colony.call("stop_at", when=f"despawn of {one}")
    assert not colony.step(5)["stopped"]
    colony.call("despawn", id=one)
    colony.step(1)
    (stop,) = colony.call("stops")
    assert stop["holds"] and stop["count"] == 1
    assert (stop["last"]["kind"], stop["last"]["id"]) == ("despawned", one)
    assert stop["last"]["writer"] == "the game"


def test_a_change_of_any_entity(colony: Game) -> None:
    when = "needs.hunger falls by more than 0.05 written by eat"
    answer = colony.call("stop_at", when=when)
    assert answer["behind"] == "eat" and answer["rows"] == 0 and answer["on"]
    step_until_stopped(colony)
    (stop,) = colony.call("stops")
    last = stop["last"]
    assert last["writer"] == "eat" and last["change"] < -0.05
    assert last["rows"] in ("one", "several") and (last["row"] is None) == (last["rows"] != "one")
    if last["row"]:
        assert last["row"] == last["id"]


def test_on_behalf_of_whom_a_stock_was_written() -> None:
    """The row is named if the system had one row in its turn, and never if it had several."""
    seen = {"one": 0, "several": 0}
    with game("--villagers", "2", "--paused", "--watch") as hamlet:
        for goods in ("wood", "grain", "planks", "bread"):
            hamlet.call("stop_at", when=f"stock.amount[{goods}] rises written by deliver")
        while 0 in seen.values():
            step_until_stopped(hamlet)
            last = max((stop["last"] for stop in hamlet.call("stops") if stop["last"]),
                       key=lambda write: write["tick"])  # fmt: skip
            seen[last["rows"]] += 1
            message = hamlet.call("messages")[-1]["text"]
            if last["rows"] == "one":
                who = hamlet.call("entity", id=last["row"])["components"]
                assert "worker" in who and last["row"] != last["id"]
                assert message.endswith(f", in the row of {last['row']}")
            else:
                assert last["row"] is None and "in the row of" not in message


def test_a_stop_is_switched_off_and_skips(colony: Game) -> None:
    one = people(colony, "worker")[0]
    when = f"needs.hunger of {one} changes"
    colony.call("stop_at", when=when, skip=2)
    assert not colony.step(2)["stopped"]
    (stop,) = colony.call("stops")
    assert (stop["count"], stop["skip"], stop["on"]) == (2, 0, True)
    assert colony.step(9) == {"ticks": 1, "tick": 3, "stopped": True}
    off = colony.call("stop_set", when=when, on=False)
    assert not off["on"] and off["count"] == 3 and "holds" not in off
    assert colony.step(5)["ticks"] == 5
    (stop,) = colony.call("stops")
    assert stop["count"] == 3 and stop["last"]["tick"] == 2
    colony.call("stop_set", when=when, on=True)
    assert colony.step(9)["stopped"]
    (stop,) = colony.call("stops")
    assert stop["count"] == 4
    colony.call("stop_set", when=when, on=False)
    colony.call("despawn", id=one)
    with pytest.raises(RefusedError, match=f"{one} is no longer alive"):
        colony.call("stop_set", when=when, on=True)
    assert not colony.call("stops")[0]["on"]
    colony.call("stop_forget", when=when)
    with pytest.raises(RefusedError, match="does not stop at"):
        colony.call("stop_set", when=when, on=True)
    assert colony.call("stops") == []


def test_a_list_of_stops_ends(colony: Game) -> None:
    for day in range(16):
        colony.call("stop_at", when=f"calendar.day >= {1000 + day}")
    colony.call("stop_at", when="calendar.day >= 1000")  # it is there already
    with pytest.raises(RefusedError, match="already 16 stops"):
        colony.call("stop_at", when="calendar.day >= 2000")
    with pytest.raises(RefusedError, match="does not stop at"):
        colony.call("stop_forget", when="calendar.day >= 2000")


# ---- the page


def test_the_form_writes_what_to_stop_at(page: Page) -> None:
    page.open("stops")
    Select(page.one("#stop-path")).select_by_value("worker.job")
    Select(page.one("#stop-operand")).select_by_value("rest")
    assert page.one("#when").get_attribute("value") == "worker.job == rest"
    Select(page.one("#stop-path")).select_by_value("needs.hunger")
    page.one("#stop-operand").clear()
    page.one("#stop-operand").send_keys("0.6")
    page.one("#stop").click()
    page.until(lambda: "rows behind" in page.text("#stops"))
    Select(page.one("#stop-event")).select_by_value("born")
    assert page.one("#when").get_attribute("value") == "event born"
    page.one("#when").clear()
    page.one("#when").send_keys("needs.hunger of 7 > 1", Keys.ENTER)
    page.until(lambda: "column 17" in page.text("#problem"))
    start = page.browser.execute_script("return document.getElementById('when').selectionStart")
    assert start == 16
    step_until_stopped(page.colony)
    page.until(lambda: "get_hungry wrote 0.6" in page.text("#stopped"))
    page.until(lambda: "Its last writers" in page.text("#stops"))


def boxes(page: Page) -> list[str]:
    """Returns the value, comparison, operand, entity and event that the boxes show."""
    names = ("stop-path", "stop-sign", "stop-operand", "stop-of", "stop-event")
    return [str(page.one(f"#{name}").get_property("value")) for name in names]


def write(page: Page, selector: str, text: str) -> None:
    page.one(selector).send_keys(Keys.CONTROL + "a")
    page.one(selector).send_keys(Keys.BACKSPACE + text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("needs.hunger >= 0.25", ["needs.hunger", ">=", "0.25", "", ""]),
        ("needs.hunger of 9:4 < 0.5", ["needs.hunger", "<", "0.5", "9:4", ""]),
        ("worker.job != rest", ["worker.job", "!=", "rest", "", ""]),
        ('person.name == "A \\"b\\""', ["person.name", "==", 'A "b"', "", ""]),
        ("calendar.day > 3", ["calendar.day", ">", "3", "", ""]),
        ("worker.source == none", ["worker.source", "==", "none", "", ""]),
        ("soil.wear[1000] > 7", ["soil.wear[1000]", ">", "7", "", ""]),
        ("event born", ["", ">", "0", "", "born"]),
        ("needs.hunger > 0.5 & !asleep", ["", ">", "0", "", ""]),
        ("despawn of 9:4", ["", ">", "0", "", ""]),
        ("needs.appetite > 2", ["", ">", "0", "", ""]),
    ],
)
def test_the_boxes_agree_with_the_text(page: Page, text: str, shown: list[str]) -> None:
    """Whatever the boxes showed before, they show the typed text, or nothing of another one."""
    page.open("stops")
    Select(page.one("#stop-path")).select_by_value("needs.fatigue")
    write(page, "#stop-of", "1:1")
    write(page, "#when", text)
    assert boxes(page) == shown
    assert page.one("#when").get_property("value") == text
    can_show = shown[0] != "" or shown[4] != ""
    assert ("cannot show" in page.text("#stop-rest")) != can_show
    page.open("memory")
    page.until(lambda: not page.all("#when"))
    page.open(f"stops?when={quote(text)}")
    page.until(lambda: page.all("#when"))
    assert boxes(page) == shown


def test_the_text_agrees_with_the_boxes(page: Page) -> None:
    """Also when a choice takes the place of another one."""
    text = lambda: page.one("#when").get_property("value")  # noqa: E731
    page.open("stops")
    Select(page.one("#stop-event")).select_by_value("born")
    Select(page.one("#stop-path")).select_by_value("needs.hunger")
    write(page, "#stop-operand", "0.5")
    assert text() == "needs.hunger > 0.5" and boxes(page)[4] == ""
    Select(page.one("#stop-event")).select_by_value("died")
    assert text() == "event died" and boxes(page) == ["", ">", "0", "", "died"]
    Select(page.one("#stop-event")).select_by_value("")
    assert text() == ""
    Select(page.one("#stop-path")).select_by_value("needs.hunger")
    Select(page.one("#stop-path")).select_by_value("")
    assert text() == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("needs.hunger > 2", "needs.hunger is at most 1: compare it with 1"),
        ("needs.hunger < -0.5", "needs.hunger is at least 0: compare it with 0"),
        ("worker & needs.hunger >= 1.01", "needs.hunger is at most 1"),
        ("worker.skill[wood] == 256", "worker.skill[wood] is at most "),
        ("calendar.day of 1:1 > 99999999999", "calendar.day is at most 4294967295"),
    ],
)
def test_a_value_out_of_range_is_refused_where_it_is_typed(
    page: Page, text: str, words: str
) -> None:
    page.open("stops")
    write(page, "#when", text)
    page.one("#when").send_keys(Keys.ENTER)
    page.until(lambda: words in page.text("#when ~ .problem, .row > .problem"))
    assert page.one("#when").get_attribute("aria-invalid") == "true"
    assert page.browser.switch_to.active_element.get_attribute("id") == "when"
    assert text not in [stop["when"] for stop in page.colony.call("stops")]
    write(page, "#when", "needs.hunger >= 1")
    assert page.one("#when").get_attribute("aria-invalid") is None
    page.one("#when").send_keys(Keys.ENTER)
    page.until(lambda: "needs.hunger >= 1" in page.text("#stops"))
    page.colony.call("stop_forget", when="needs.hunger >= 1")


@pytest.mark.parametrize(("operand", "is_wrong"), [("2", True), ("much", True), ("1", False)])
def test_a_box_says_that_its_value_cannot_occur(page: Page, operand: str, is_wrong: bool) -> None:
    page.open("stops")
    Select(page.one("#stop-path")).select_by_value("needs.hunger")
    write(page, "#stop-operand", operand)
    box = page.one("#stop-operand")
    assert (box.get_attribute("aria-invalid") == "true") == is_wrong
    assert bool(page.all("#builder .problem")) == is_wrong


def test_each_event_that_is_offered_can_stop(page: Page) -> None:
    """An input comes from the game and not from a system, so that no stop is told of it."""
    events = [one["name"] for one in page.colony.call("schema")["events"]]
    page.open("stops")
    offered = [one.get_attribute("value") for one in Select(page.one("#stop-event")).options[1:]]
    for event in events:
        if event in offered:
            page.colony.call("stop_at", when=f"event {event}")
        else:
            with pytest.raises(RefusedError, match="no system emits"):
                page.colony.call("stop_at", when=f"event {event}")
    assert "order" in events and offered == [one for one in events if one != "order"]
    page.open("events")
    logged = [one.get_attribute("value") for one in Select(page.one("#event")).options[1:]]
    assert logged == offered


def test_a_field_and_an_end_lead_to_the_form(page: Page) -> None:
    one = people(page.colony, "worker")[0]
    page.open(f"entity/{one}")
    page.one("a[aria-label='stop at needs.hunger']").click()
    page.until(lambda: page.all("#when"))
    assert page.one("#when").get_attribute("value").startswith(f"needs.hunger of {one} > 0")
    page.one("#stop").click()
    page.until(lambda: "one value behind" in page.text("#stops"))
    page.open(f"entity/{one}")
    page.one("#stop-end").click()
    page.until(lambda: page.all("#when"))
    assert page.one("#when").get_attribute("value") == f"despawn of {one}"
    page.one("#stop").click()
    page.until(lambda: "despawn of" in page.text("#stops"))
    page.colony.call("despawn", id=one)
    page.until(lambda: "no longer alive" in page.text("#stops"))
    page.colony.step(1)
    page.until(lambda: "despawned it" in page.text("#stops"))


def test_an_event_of_the_log_leads_to_the_form(page: Page) -> None:
    page.open("events")
    page.one("#event")
    page.until(lambda: page.colony.call("events") == [])
    for _ in range(60):
        page.colony.step(50)
        if page.colony.call("events"):
            break
    page.until(lambda: page.all("#events li"))
    name = page.one("#events li").get_attribute("data-event")
    page.one("#events li a.stop").click()
    page.until(lambda: page.all("#when"))
    assert page.one("#when").get_attribute("value") == f"event {name}"


def test_the_form_writes_changes(page: Page) -> None:
    page.open("stops")
    Select(page.one("#stop-path")).select_by_value("needs.hunger")
    sign = Select(page.one("#stop-sign"))
    sign.select_by_value("changes")
    when = page.one("#when")
    assert when.get_attribute("value") == "needs.hunger changes"
    assert not page.one("#stop-operand").is_displayed()
    sign.select_by_value("written by")
    Select(page.one("#stop-operand")).select_by_value("eat")
    assert when.get_attribute("value") == "needs.hunger written by eat"
    sign.select_by_value("falls by more than")
    page.one("#stop-operand").clear()
    page.one("#stop-operand").send_keys("0.05")
    assert when.get_attribute("value") == "needs.hunger falls by more than 0.05"
    page.one("#stop").click()
    page.until(lambda: "Looks at what was written behind" in page.text("#stops"))
    step_until_stopped(page.colony)
    page.until(lambda: "Stopped in tick" in page.text("#stopped"))
    page.until(lambda: " row" in page.text("#stopped"))


def test_a_stop_of_the_page_is_switched_off(page: Page) -> None:
    one = people(page.colony, "worker")[0]
    when = f"needs.hunger of {one} changes"
    page.colony.call("stop_at", when=when)
    page.open("stops")
    page.one(f"input[aria-label='{when} is on']").click()
    page.until(lambda: "costs nothing" in page.text("#stops"))
    assert page.colony.step(5)["ticks"] == 5
    page.one(f"input[aria-label='{when} is on']").click()
    page.until(lambda: "one value behind" in page.text("#stops"))
    skip = page.one(f"input[aria-label='how often {when} only counts']")
    skip.clear()
    skip.send_keys("3", Keys.ENTER)
    page.until(lambda: page.colony.call("stops")[0]["skip"] == 3)
    assert page.colony.step(9)["ticks"] == 4
    page.until(lambda: "4 times so far" in page.text("#stops"))
