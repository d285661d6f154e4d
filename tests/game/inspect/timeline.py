"""The timeline of the inspector's page, in Chromium: recorded ticks, and trace files.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from browser import PHONE
from built import built
from inspector import INSPECT, game
from inspector_page import Page

PART = 2  # WEFT_ZONE_PART
SIZES = [PHONE, (1280, 800), (1920, 1080)]
WIDEST = """
const width = (node) => Number(node.querySelector('rect').getAttribute('width'));
return [...document.querySelectorAll(`g.zone.${arguments[0]}`)]
  .reduce((a, b) => (width(b) > width(a) ? b : a));
"""
SHOWN = "[...document.querySelectorAll('g.zone.KIND')].map((node) => node.dataset.name)"
DROP = """
const files = new DataTransfer();
files.items.add(new File([arguments[0]], arguments[1]));
document.getElementById('timeline').dispatchEvent(
  new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
"""


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A trace file of three ticks of the colony, on several threads."""
    path = tmp_path_factory.mktemp("traced") / "colony.trace"
    options = ["--quiet", "--ticks", "3", "--workers", "2", "--trace", str(path)]
    subprocess.run([str(built("build/colony")), *options], check=True, capture_output=True)
    yield path


def names(page: Page, kind: str) -> list[str]:
    shown: list[str] = page.browser.execute_script(f"return {SHOWN.replace('KIND', kind)}")
    return shown


def open_timeline(page: Page) -> None:
    page.browser.refresh()  # a page that is loaded again has no recording
    page.open("timeline")
    page.until(lambda: page.all("#record"))
    assert not page.one("#timeline-chosen").is_displayed()


def record(page: Page, ticks: int) -> None:
    open_timeline(page)
    page.one("#record-ticks").send_keys(Keys.CONTROL, "a")
    page.one("#record-ticks").send_keys(str(ticks))
    page.one("#record").click()
    page.until(lambda: page.text("#timeline-said").endswith("recorded."))
    page.until(lambda: names(page, "phase"))


def test_ticks_are_recorded(page: Page) -> None:
    """A game that is paused is stepped by as many ticks; each phase and system has a bar."""
    before = page.colony.call("stats")["tick"]
    record(page, 3)
    assert page.colony.call("stats")["tick"] == before + 3
    schema = page.colony.call("schema")
    assert names(page, "phase") == schema["phases"]
    turns = page.texts("#timeline-turns td:first-child")
    assert "get_hungry" in turns and set(turns) <= {one["name"] for one in schema["systems"]}
    drawn = names(page, "system")  # without those too short to be seen
    assert drawn and set(drawn) <= set(turns)
    page.one("button[aria-label='tick after']").click()
    page.until(lambda: page.one("#timeline-tick").get_attribute("value") == str(before + 1))
    page.one("#timeline-span").send_keys(Keys.CONTROL, "a")
    page.one("#timeline-span").send_keys("2", Keys.ENTER)
    page.until(lambda: names(page, "phase") == schema["phases"] * 2)
    page.open("memory")
    page.until(lambda: page.all("#tables"))
    page.open("timeline")
    page.until(lambda: names(page, "phase") == schema["phases"] * 2)


def test_threads_have_rows_with_the_parts_they_ran() -> None:
    """Rows of large systems are shared among threads, and each part has a begin and an end."""
    with game(
        "--villagers", "3000", "--map", "400", "--workers", "2", "--paused", program=INSPECT
    ) as colony:
        colony.call("record", ticks=20)
        colony.step(20)
        answer = colony.call("timeline")
    assert (answer["done"], answer["left_off"]) == (20, 0)
    parts: dict[int, dict[tuple[int, ...], int]] = {1: {}, 0: {}}  # by begins, and the rest
    for begins, kind, number, part, thread, tick, *_ in answer["boundaries"]:
        if kind != PART:
            continue
        key = (number, part, thread, tick)
        parts[begins][key] = parts[begins].get(key, 0) + 1
    assert parts[1] == parts[0]
    assert {thread for _, _, thread, _ in parts[1]} == {0, 1}


def test_a_system_leads_to_its_view(page: Page) -> None:
    record(page, 1)
    widest = page.browser.execute_script(WIDEST, "system")
    turn = widest.get_attribute("data-name")
    ActionChains(page.browser).move_to_element(widest).click().perform()
    page.until(lambda: page.text("#detail h3") == turn)
    page.open("timeline")
    page.one("#timeline-turns a[href='#/systems/movement']").send_keys(Keys.ENTER)
    page.until(lambda: page.text("#detail h3") == "movement")


def test_the_picture_is_zoomed_and_moved(page: Page) -> None:
    """By buttons, the wheel, keys and the pointer; the whole of it is always found again."""
    record(page, 1)
    label = lambda: str(page.one("svg.bars").get_attribute("aria-label"))  # noqa: E731
    whole = label()
    page.one("button[aria-label='zoom in']").click()
    page.until(lambda: label() != whole)
    start = label()
    page.one("svg.bars").send_keys(Keys.ARROW_RIGHT)
    page.until(lambda: label() != start)
    page.one("svg.bars").send_keys(Keys.HOME)
    page.until(lambda: label() == whole)
    ActionChains(page.browser).move_to_element(page.one("svg.bars")).perform()
    page.browser.execute_script(
        "document.querySelector('svg.bars').dispatchEvent("
        "new WheelEvent('wheel', {deltaY: -100, cancelable: true, bubbles: true, clientX: 400}))"
    )
    page.until(lambda: label() != whole)
    start = label()
    picture = page.one("svg.bars")
    ActionChains(page.browser).move_to_element(picture).click_and_hold().move_by_offset(
        -80, 0
    ).release().perform()
    page.until(lambda: label() != start)
    assert "timeline" in page.browser.current_url  # a drag opens nothing
    page.one("svg.bars").send_keys("-", "-", "-")
    page.until(lambda: label() == whole)


def test_a_trace_file_is_shown(page: Page, trace: Path) -> None:
    open_timeline(page)
    page.one("#trace-file").send_keys(str(trace))
    page.until(lambda: "colony.trace: 3 ticks." in page.text("#timeline-said"))
    phases = page.colony.call("schema")["phases"]
    assert names(page, "phase")[-len(phases) :] == phases  # phases of the setup are before them
    page.one("button[aria-label='tick after']").click()
    page.until(lambda: names(page, "phase") == phases)
    assert "get_hungry" in page.texts("#timeline-turns td:first-child")
    page.browser.execute_script(DROP, trace.read_text()[:-400], "cut.trace")
    page.until(lambda: "did not close this file" in page.text("#timeline-said"))
    assert names(page, "phase")[-len(phases) :] == phases


def test_flushes_have_their_name(page: Page) -> None:
    record(page, 20)
    flushes = names(page, "apply")
    for _ in range(19):
        page.one("button[aria-label='tick after']").click()
        flushes += names(page, "apply")
    assert set(flushes) == {"flush"}


def reloaded(trace: Path) -> str:
    """Returns a trace in which a load follows the last tick, and then all ticks again."""
    head, *lines = trace.read_text().rstrip("]\n").splitlines()
    events = [json.loads(line.rstrip(",")) for line in lines]
    last = max(event.get("ts", 0) for event in events)
    load = {"name": "load", "cat": "world", "pid": 1, "tid": 1, "args": {"tick": 3}}
    begin, end = {**load, "ph": "B", "ts": last + 1}, {**load, "ph": "E", "ts": last + 2}
    again = [event | {"ts": event["ts"] + last + 3} for event in events if "ts" in event]
    written = [json.dumps(event) for event in (*events, begin, end, *again)]
    return "\n".join([head, ",\n".join(written), "]\n"])


def test_ticks_after_a_load_are_apart(page: Page, trace: Path) -> None:
    """A tick that occurs twice, because a load has brought an earlier one, is not shown as one."""
    open_timeline(page)
    page.browser.execute_script(DROP, reloaded(trace), "loaded.trace")
    page.until(lambda: "A load has brought an earlier tick" in page.text("#timeline-said"))
    phases = page.colony.call("schema")["phases"]
    seen: list[tuple[str, str]] = []
    loads = 0
    for _ in range(7):
        place = str(page.one("#timeline-tick").get_attribute("value"))
        seen.append((place, page.text("#timeline-again")))
        loads += len(names(page, "load"))
        assert names(page, "phase") in ([], phases) or place == "0"
        page.one("button[aria-label='tick after']").click()
    before = [(str(tick), "") for tick in (0, 1, 2, 3)]  # the load itself begins in tick 3
    assert seen == before + [(str(tick), "after a load") for tick in (0, 1, 2)]
    assert loads == 1


def test_a_recording_of_another_page_is_named(page: Page) -> None:
    open_timeline(page)
    page.colony.call("pause", paused=True)
    page.browser.execute_script(SECOND_RECORDING)
    page.one("#record").click()
    page.until(lambda: "Another page has begun this recording" in page.text("#timeline-said"))
    page.one("#record").click()
    page.until(lambda: page.text("#timeline-said") == "1 tick is recorded.")


# After the first call of `record`, calls it once more, as another page would.
SECOND_RECORDING = """
const send = WebSocket.prototype.send;
let other = false;
WebSocket.prototype.send = function (text) {
  send.call(this, text);
  if (other || !text.includes('"method":"record"')) return;
  other = true;
  send.call(this, text.replace(/"id":\\d+/, '"id":999999'));
};
"""


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("[\n", "{}\n", "its first line is not '['"),
        ('"ph":"E"', '"ph":"E', "is damaged: it is not JSON"),
        ('"ph":"E"', '"ph":"X"', "is damaged: it is not the begin or end of a zone"),
        ('"tick":', '"tock":', "is damaged: a zone begins without its 'tick'"),
        ('"ts":', '"ts":"1","t":', "is damaged: 'ts', 'tid', 'name' or 'cat' is missing or wrong"),
    ],
)
def test_a_damaged_file_is_refused(page: Page, trace: Path, old: str, new: str, words: str) -> None:
    record(page, 1)
    before = names(page, "system")
    page.browser.execute_script(DROP, trace.read_text().replace(old, new, 1), "bad.trace")
    page.until(lambda: words in page.text("#timeline-problem"))
    assert page.text("#timeline-problem").startswith("bad.trace cannot be shown: ")
    assert names(page, "system") == before


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_timeline_fits_the_window(page: Page, size: tuple[int, int]) -> None:
    page.resize(*size)
    try:
        record(page, 1)
        wide = "return document.getElementById('view').scrollWidth - arguments[0].clientWidth"
        assert page.browser.execute_script(wide, page.one("#view")) <= 0
        assert page.browser.execute_script(WIDEST, "phase").size["width"] > 10
    finally:
        page.own_size()
