"""Lists of a million entities: filtered by an expression, sorted, and scrolled in Chromium.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from browser import complaints
from inspector import CROWD, Game, RefusedError, game, whole_list
from inspector_page import Page

TOTAL = 1_000_000
SLICE_ROWS, SLICE_LEAST_ROWS, PIECE_ROWS = 65_536, 16_384, 4096  # see runtime/serve/rpc.h


@pytest.fixture(scope="module")
def crowd() -> Iterator[Game]:
    with game(str(TOTAL), program=CROWD) as running:
        yield running


@pytest.mark.parametrize(
    ("asked", "passes"),
    [
        ({"where": "person"}, 1),
        ({"where": "needs.hunger > 0.5 & !asleep"}, 1),
        ({"where": "person.mood == sad & person.age >= 50"}, 1),
        ({"sort": "person.age"}, 2),  # collected, and moved by the only byte that differs
        ({"where": "needs.hunger >= 0", "sort": "needs.hunger"}, 4),
        ({"where": "place.x >= 0", "sort": "person.name", "descending": True}, 7),
    ],
    ids=str,
)
def test_a_list_of_a_million_is_made_in_slices(
    crowd: Game, asked: dict[str, object], passes: int
) -> None:
    """No poll looks at, or moves, more rows than a slice has; this counts polls, and no time."""
    crowd.call("pause")
    answer, calls = whole_list(crowd, **asked, limit=1)
    a_call = SLICE_LEAST_ROWS + PIECE_ROWS
    most = int(str(answer["slices"])) * (SLICE_ROWS + PIECE_ROWS) + (calls + 1) * a_call
    assert most >= passes * TOTAL
    assert 0 < int(str(answer["total"])) <= TOTAL


def test_a_million_are_sorted_right(crowd: Game) -> None:
    crowd.call("pause")
    asked = {"sort": "needs.hunger", "columns": ["needs.hunger"], "limit": 500}
    answer, _ = whole_list(crowd, **asked)
    assert answer["total"] == TOTAL
    last = -1.0
    for offset in range(0, TOTAL, TOTAL // 40):
        values = [
            row["values"][0] for row in crowd.call("entities", **asked, offset=offset)["rows"]
        ]
        assert len(values) == 500 and values == sorted(values) and values[0] >= last
        last = values[-1]
    half = whole_list(crowd, where="needs.hunger > 0.5")[0]["total"]
    at = crowd.call("entities", **asked, offset=TOTAL - int(str(half)) - 1)["rows"][:2]
    assert at[0]["values"][0] <= 0.5 < at[1]["values"][0]


def test_a_system_is_switched_off_and_on(browser: webdriver.Chrome) -> None:
    """From its place in the schedule, by keys; what it did stands still meanwhile."""
    with game("100", program=CROWD) as crowd:
        page = Page(browser, crowd)
        crowd.call("pause")
        hungers = lambda: [  # noqa: E731
            row["values"][0]
            for row in crowd.call("entities", where="!asleep", columns=["needs.hunger"])["rows"]
        ]
        page.open("systems")
        page.one("g[aria-label='get_hungry']").send_keys(Keys.ENTER)
        for on in (False, True):
            page.one("input[aria-label='get_hungry is on']").send_keys(" ")
            page.until(lambda on=on: crowd.call("systems")[0]["on"] == on)
            page.until(lambda on=on: bool(page.all("svg .node.off")) != on)
            before = hungers()
            crowd.step(3)
            assert (hungers() == before) != on
        dreams = lambda: [  # noqa: E731
            row["values"][0]
            for row in crowd.call("entities", where="asleep", columns=["place.y"])["rows"]
        ]
        switches = {one["name"]: one["switch"] for one in crowd.call("systems")}
        assert switches | {"get_hungry": "saved", "dream": "unsaved"} == switches
        for on in (False, True):
            crowd.call("switch", system="dream", on=on)
            assert [one["on"] for one in crowd.call("systems")][:2] == [True, on]
            before = dreams()
            crowd.step(3)
            assert before and (dreams() == before) != on
        with pytest.raises(RefusedError, match="no system"):
            crowd.call("switch", system="nobody")
        assert complaints(browser) == []


# Keeps how long the page took for each frame that it drew, and for the longest of its tasks.
FRAMES = """
window.frames_seen = []; window.tasks_seen = [];
new PerformanceObserver((list) => tasks_seen.push(...list.getEntries().map((one) => one.duration)))
  .observe({ type: 'longtask', buffered: false });
let before = performance.now();
const frame = (now) => {
  frames_seen.push(now - before);
  before = now;
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
"""


def test_a_million_are_scrolled(browser: webdriver.Chrome, crowd: Game) -> None:
    """Only the lines that are seen are in the page, wherever it is scrolled to."""
    crowd.call("pause", paused=False)
    page = Page(browser, crowd)
    page.find("needs.hunger >= 0")
    page.until(lambda: page.text("#count") == "1,000,000 entities")
    browser.execute_script(FRAMES)
    page.one(".line.head button[title='sort by needs.hunger']").click()
    page.until(lambda: page.text("#count") == "1,000,000 entities")
    nodes = browser.execute_script("return document.querySelectorAll('*').length")
    scroll = "list.scrollTop = arguments[0] * list.scrollHeight;"
    for share in range(21):
        browser.execute_script(scroll, share / 20)
        time.sleep(0.05)
    page.one("#list").send_keys(Keys.END)
    page.until(lambda: page.all(".line[aria-selected='true']"))
    now = browser.execute_script("return document.querySelectorAll('*').length")
    assert now <= nodes + 40
    ids = page.ids()
    assert 5 < len(ids) < 60
    page.one(f".line[data-id='{ids[-1]}']").click()
    page.until(lambda: ":" in page.text("h2"))
    assert complaints(browser) == []
    frames = browser.execute_script("return [Math.max(...frames_seen), Math.max(0, ...tasks_seen)]")
    print(
        f"the longest frame of the page took {frames[0]:.0f} ms, its longest task {frames[1]:.0f}"
    )
