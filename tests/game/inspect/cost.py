"""The inspector costs a tick nothing while no page is open, and at most 1 % while one is.

Instructions within `colony_tick` are counted by callgrind, so that neither a clock nor what else
the machine does matters. `ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from selenium import webdriver

from browser import complaints
from built import built
from inspector import INSPECT, Game, served
from inspector_page import Page

TICKS = 200
VIEWS = (
    "entities", "singletons", "systems", "changes", "events", "stops", "memory", "schema",
    "messages", "spawn", "charts", "timeline", "map", "tree", "pinned",
)  # fmt: skip
COLONY = ["--villagers", "60"]


def callgrind(counts: Path) -> list[str]:
    return ["valgrind", "--tool=callgrind", "--toggle-collect=colony_tick",
            f"--callgrind-out-file={counts}"]  # fmt: skip


def instructions(counts: Path) -> int:
    found = re.search(r"^(?:summary|totals): (\d+)", counts.read_text(), re.MULTILINE)
    assert found
    return int(found[1])


def of_series(counts: Path, villagers: int) -> int:
    """Counts what sampling the day and a value of each villager takes, outside of ticks."""
    sampled = ["valgrind", "--tool=callgrind", "--toggle-collect=serve_series_tick",
               f"--callgrind-out-file={counts}"]  # fmt: skip
    with served([*sampled, str(built(INSPECT)), *COLONY, "--paused"]) as colony:
        rows = colony.call("entities", where="needs", limit=villagers)["rows"]
        texts = ["calendar.day", *(f"needs.hunger of {row['id']}" for row in rows)]
        assert len(texts) == 1 + villagers
        for _ in range(TICKS // 20):
            for text in texts:
                colony.call("series", of=text)
            colony.step(20)
        for text in texts:
            points = colony.call("series", of=text)["points"]
            assert len(points) == TICKS + 1
            assert None not in (value for _, value in points), f"{text} is missing"
    return instructions(counts)


def of_served(counts: Path, play: Callable[[Game], None]) -> int:
    """Counts what ticks take in a game that is served, and that `play` plays."""
    with served([*callgrind(counts), str(built(INSPECT)), *COLONY, "--paused"]) as colony:
        play(colony)
        assert colony.call("stats")["tick"] == TICKS
    return instructions(counts)


def leave(browser: webdriver.Chrome) -> None:
    """Closes the connection of the page, so that the game ends without an error on its console."""
    browser.get("about:blank")


def look(page: Page, view: str) -> None:
    page.open(view)
    page.until(lambda: page.text("#views a[aria-current]") == view)
    page.until(lambda: page.all("#view > *"))


def in_each_view(browser: webdriver.Chrome) -> Callable[[Game], None]:
    def play(colony: Game) -> None:
        page = Page(browser, colony)
        for view in VIEWS:
            look(page, view)
            colony.step(TICKS // len(VIEWS))
        colony.step(TICKS % len(VIEWS))
        assert complaints(browser) == []
        leave(browser)

    return play


def in_view(browser: webdriver.Chrome, view: str) -> Callable[[Game], None]:
    """Shows a view that has more measured than the others for all of the ticks."""

    def play(colony: Game) -> None:
        page = Page(browser, colony)
        look(page, view)
        page.until(lambda: "turns" in colony.call("systems")[0] or view != "systems")
        for _ in range(TICKS // 20):
            colony.step(20)
        said = {"systems": lambda: "1 tick in 25" in page.text("#measured"),
                "events": lambda: page.all("#events li"),
                "map": lambda: page.text("#map-said").endswith(" dots")}  # fmt: skip
        page.until(said[view])
        assert complaints(browser) == []
        leave(browser)

    return play


def test_what_a_page_costs_a_tick(browser: webdriver.Chrome, tmp_path: Path) -> None:
    counts = tmp_path / "alone"
    command = [*callgrind(counts), str(built("build/colony")), *COLONY, "--quiet"]
    run = [*command, "--ticks", str(TICKS)]
    subprocess.run(run, check=True, capture_output=True)
    alone = instructions(counts)
    unseen = of_served(tmp_path / "unseen", lambda colony: colony.step(TICKS))
    seen = of_served(tmp_path / "seen", in_each_view(browser))
    print(f"instructions of {TICKS} ticks: {alone} alone, {unseen} without a page, {seen} with one")
    assert abs(unseen - alone) < 0.001 * alone
    assert seen < 1.01 * alone
    for view in ("systems", "events", "map"):
        shown = of_served(tmp_path / view, in_view(browser, view))
        print(f"{shown} with {view}")
        assert shown < 1.01 * alone
    sampled = of_series(tmp_path / "series", villagers=9)
    print(f"{sampled} to sample 10 values after each tick")
    assert sampled < 0.01 * alone
