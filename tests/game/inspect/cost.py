"""The inspector costs a tick nothing while no page is open, and at most 1 % while one is.

Instructions within `colony_tick` are counted by callgrind, so that neither a clock nor what else
the machine does matters. `ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from browser import chromium, complaints
from built import built
from inspector import INSPECT, Game, served
from inspector_page import Page

TICKS = 175
VIEWS = ("entities", "singletons", "changes", "stops", "memory", "schema", "messages")
COLONY = ["--villagers", "60"]


def callgrind(counts: Path) -> list[str]:
    return ["valgrind", "--tool=callgrind", "--toggle-collect=colony_tick",
            f"--callgrind-out-file={counts}"]  # fmt: skip


def instructions(counts: Path) -> int:
    found = re.search(r"^(?:summary|totals): (\d+)", counts.read_text(), re.MULTILINE)
    assert found
    return int(found[1])


def of_served(counts: Path, play: Callable[[Game], None]) -> int:
    """Counts what ticks take in a game that is served, and that `play` plays."""
    with served([*callgrind(counts), str(built(INSPECT)), *COLONY, "--paused"]) as colony:
        play(colony)
        assert colony.call("stats")["tick"] == TICKS
    return instructions(counts)


def step(colony: Game, ticks: int) -> None:
    """Runs ticks; on a slow machine a step ends before all of them."""
    while ticks > 0:
        ticks -= colony.call("step", ticks=ticks)["ticks"]


def in_each_view(colony: Game) -> None:
    with chromium() as browser:
        page = Page(browser, colony)
        for view in VIEWS:
            page.open(view)
            page.until(lambda view=view: page.text("#views a[aria-current]") == view)
            page.until(lambda: page.all("#view > *"))
            step(colony, TICKS // len(VIEWS))
        assert complaints(browser) == []


def test_what_a_page_costs_a_tick(tmp_path: Path) -> None:
    counts = tmp_path / "alone"
    command = [*callgrind(counts), str(built("build/colony")), *COLONY, "--quiet"]
    run = [*command, "--ticks", str(TICKS)]
    subprocess.run(run, check=True, capture_output=True)
    alone = instructions(counts)
    unseen = of_served(tmp_path / "unseen", lambda colony: step(colony, TICKS))
    seen = of_served(tmp_path / "seen", in_each_view)
    print(f"instructions of {TICKS} ticks: {alone} alone, {unseen} without a page, {seen} with one")
    assert abs(unseen - alone) < 0.001 * alone
    assert seen < 1.01 * alone
