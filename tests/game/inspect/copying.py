"""Lists of the page as text: copied with tabs, and saved as CSV.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from browser import PHONE, complaints
from inspector import CROWD, Game, game, people, whole_list
from inspector_page import Page

MANY, COPIED_MAX = 100_050, 100_000  # see runtime/serve/page/entities.mjs
EVIL = {
    "=1+1": "'=1+1",
    "@SUM(A1)": "'@SUM(A1)",
    "+a": "'+a",
    "-b": "'-b",
    "-5": "-5",
    'a,"b"': 'a,"b"',
    "two\nlines": "two\nlines",
    "a\tb": "a\tb",
    " =2": " =2",
}
# Ends the next copy when its button to cancel is shown.
CANCEL = """
const button = document.querySelector("[aria-label='cancel copying entities']");
new MutationObserver(() => button.click()).observe(button, { attributes: true });
"""

Saved = Callable[[Page, str], list[list[str]]]


@pytest.fixture
def saved(browser: webdriver.Chrome, tmp_path: Path) -> Saved:
    """Returns a function that clicks a CSV button, and reads the file."""
    asked = {"behavior": "allow", "downloadPath": str(tmp_path)}
    browser.execute_cdp_cmd("Browser.setDownloadBehavior", asked)

    def save(page: Page, name: str) -> list[list[str]]:
        for old in tmp_path.iterdir():
            old.unlink()
        page.one(f"[aria-label='{name} as CSV']").click()
        page.until(lambda: [*tmp_path.glob("*.csv")])
        (file,) = tmp_path.glob("*.csv")
        assert f"-{name.replace(' ', '-')}-tick-" in file.name
        text = file.read_bytes().decode()
        assert text.endswith("\r\n")
        with file.open(newline="", encoding="utf-8") as lines:
            return [*csv.reader(lines, strict=True)]

    return save


def pasted(page: Page, name: str) -> list[list[str]]:
    """Clicks a copy button, and returns the cells of the copied text."""
    page.one(f"[aria-label='copy {name}']").click()
    page.until(lambda: "Copied " in page.text(".toast"))
    page.browser.execute_script(
        "const box = document.createElement('textarea'); box.id = 'pasted';"
        "document.body.append(box); box.focus();"
    )
    page.one("#pasted").send_keys(Keys.CONTROL + "v")
    page.until(lambda: page.one("#pasted").get_property("value"))
    text = str(page.one("#pasted").get_property("value"))
    page.browser.execute_script(
        "document.querySelectorAll('#pasted, .toast').forEach((one) => one.remove())"
    )
    return [line.split("\t") for line in text.split("\n")]


def components_of(colony: Game, has: list[int]) -> str:
    names = [one["name"] for one in colony.call("schema")["components"]]
    return " ".join(names[i] for i in has)


# ---- entities


def test_all_entities_of_a_list_are_saved_and_copied(
    page: Page, colony: Game, saved: Saved
) -> None:
    """Also those that are not in sight, in the order of the list, with exact values."""
    page.open("entities?where=person&columns=person.name,person.age&sort=person.age&down=1")
    page.until(lambda: page.text("#count") == "60 entities")
    asked = {"where": "person", "sort": "person.age", "descending": True, "limit": 500}
    rows = colony.call("entities", **asked, columns=["person.name", "person.age"])["rows"]
    wanted = [["entity", "name", "person.name", "person.age", "components"]]
    for row in rows:
        name, age = row["values"]
        wanted.append([row["id"], name, name, age, components_of(colony, row["has"])])
    for found in (saved(page, "entities"), pasted(page, "entities")):
        assert len(found) == 61
        assert [[*one[:3], float(one[3]), one[4]] for one in found[1:]] == wanted[1:]
        assert found[0] == wanted[0]


@pytest.fixture(scope="module")
def crowd() -> Iterator[Game]:
    with game(str(MANY), program=CROWD) as running:
        running.call("pause")
        yield running


@pytest.fixture
def crowded(browser: webdriver.Chrome, crowd: Game) -> Iterator[Page]:
    shown = Page(browser, crowd)
    yield shown
    assert complaints(browser) == []
    browser.get("about:blank")


def test_texts_are_no_formulas(crowded: Page, crowd: Game, saved: Saved) -> None:
    rows: Any = whole_list(crowd, where="person", limit=len(EVIL))[0]["rows"]
    some = [row["id"] for row in rows]
    for one, name in zip(some, EVIL, strict=True):
        crowd.call("set", id=one, path="person.name", value=name)
        crowd.call("set", id=one, path="person.age", value=9999)
    crowded.open("entities?where=person.age%20%3D%3D%209999&columns=person.name,person.age")
    crowded.until(lambda: crowded.text("#count") == f"{len(EVIL)} entities")
    rows = saved(crowded, "entities")[1:]
    assert [row[2] for row in rows] == list(EVIL.values())
    assert {row[3] for row in rows} == {"9999"}
    copied = [row[2] for row in pasted(crowded, "entities")[1:]]
    assert copied == [name.replace("\n", " ").replace("\t", " ") for name in EVIL.values()]


def test_a_long_list_is_cut_at_the_limit(crowded: Page, saved: Saved) -> None:
    assert len(saved(crowded, "entities")) == COPIED_MAX + 1
    crowded.until(lambda: f"Saved 100,000 rows, the first of {MANY:,} as" in crowded.text(".toast"))


def test_a_long_copy_is_cancelled(crowded: Page, tmp_path: Path) -> None:
    csv_button = crowded.one("[aria-label='entities as CSV']")
    crowded.browser.execute_script(CANCEL)
    csv_button.click()
    cancel = "[aria-label='cancel copying entities']"
    crowded.until(lambda: crowded.all(f"{cancel}[hidden]"))
    crowded.until(lambda: crowded.text(".copies .hint") == "")
    assert "Saved" not in crowded.text(".toast")
    assert not [*tmp_path.glob("*.csv")]


# ---- other lists


def test_changes_are_saved(page: Page, colony: Game, saved: Saved) -> None:
    one, other = people(colony, "worker")[:2]
    page.open("changes")
    page.one("#remember").click()
    page.until(lambda: "From tick" in page.text("#between"))
    colony.call("set", id=one, path="needs.hunger", value=0.0625)
    new = colony.call("spawn")["id"]
    page.until(lambda: "needs.hunger" in page.text("#changes") and new in page.text("#changes"))
    rows = saved(page, "changes")
    assert rows[0] == ["change", "of", "name", "value", "was", "is"]
    assert ["came", new, "", "", "", ""] in [[*row, "", "", ""][:6] for row in rows]
    (row,) = [row for row in rows if row[3:4] == ["needs.hunger"]]
    assert row[:2] == ["changed", one] and row[5] == "0.0625" and row[2]
    assert other not in [row[1] for row in rows]
    colony.call("despawn", id=new)


def test_writes_are_saved_beyond_their_page(page: Page, colony: Game, saved: Saved) -> None:
    one = people(colony, "worker")[0]
    colony.call("watch", on=True)
    for i in range(130):
        colony.call("set", id=one, path="needs.fatigue", value=(i + 1) / 256)
    page.open(f"entity/{one}?writers=needs")
    page.until(lambda: page.all("#component-needs .found tr td"))
    rows = saved(page, "writes to needs")
    assert rows[0][:4] == ["tick", "by", "kind", "value"]
    assert [row[5] for row in rows[1:131]] == [str((i + 1) / 256) for i in reversed(range(130))]
    colony.call("watch", on=False)


def test_events_are_saved_as_they_are_filtered(page: Page, colony: Game, saved: Saved) -> None:
    page.open("events")
    page.until(lambda: page.all("#event"))
    colony.call("events")
    page.until(lambda: colony.step(20) and page.all("#events li[data-event]"))
    shown = len(page.all("#events li[data-event]"))
    rows = saved(page, "events")
    assert rows[0] == ["tick", "event", "value", "system"] and len(rows) - 1 >= shown
    first = rows[1]
    assert first[1] in page.text("#events li[data-event] strong") and first[3]
    page.one("input[aria-label='search the events']").send_keys("nothing has this")
    page.until(lambda: len(page.all("#events li.unfound")) == len(page.all("#events li")))
    assert saved(page, "events") == [rows[0]]


def test_memory_schema_and_messages_are_saved(page: Page, colony: Game, saved: Saved) -> None:
    page.open("memory")
    page.until(lambda: page.all("#tables"))
    rows = saved(page, "memory")
    tables = colony.call("tables")
    kinds = [row[0] for row in rows[1:]]
    assert kinds.count("table") == len(tables["tables"])
    assert sum(int(row[4]) for row in rows[1:] if row[0] == "part") == tables["bytes"]
    page.open("schema")
    rows = saved(page, "schema")
    hunger = next(row for row in rows if row[:3] == ["components", "needs", "hunger"])
    assert hunger[3] == "f32" and hunger[5] == "0 to 1"
    page.open("messages")
    page.until(lambda: page.all("#messages"))
    assert saved(page, "messages")[0] == ["tick", "message"]


def test_referrers_and_pinned_entities_are_saved(page: Page, colony: Game, saved: Saved) -> None:
    one = people(colony, "person & home")[0]
    house = colony.call("entity", id=one)["components"]["home"]["house"]
    page.open(f"entity/{house}")
    page.until(lambda: page.all("#referrers [data-of='component home.house']"))
    rows = saved(page, "referrers")
    assert ["component", "home.house", one] in [row[:3] for row in rows]
    page.open(f"pinned?of={one}")
    page.until(lambda: page.all("#beside tr[data-path='home.house']"))
    assert ["home.house", house] in saved(page, "pinned entities")
    page.one("#unpin-all").click()


def test_times_of_systems_are_saved(page: Page, colony: Game, saved: Saved) -> None:
    page.open("systems")
    page.until(lambda: page.all("svg .node"))
    page.until(lambda: colony.step(1) and page.all("#times button"))
    rows = saved(page, "times of systems")
    systems = [one["name"] for one in colony.call("schema")["systems"]]
    assert [row[0] for row in rows[1:]] == systems
    assert rows[0][:3] == ["system", "phase", "µs a tick"]
    assert all(float(row[2]) >= 0 for row in rows[1:])


@pytest.mark.parametrize("view", ["entities", "memory", "schema", "events", "messages", "systems"])
def test_the_buttons_fit_a_phone(page: Page, view: str) -> None:
    page.resize(*PHONE)
    try:
        page.open(view)
        page.until(lambda: page.all(".copies button"))
        assert page.browser.execute_script("return document.documentElement.scrollWidth") <= 390
        sizes = [one.size for one in page.all(".copies button") if one.is_displayed()]
        assert len(sizes) == 2 and all(size["height"] >= 30 for size in sizes)
    finally:
        page.own_size()
