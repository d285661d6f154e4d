"""Takes the inspector's pictures that READMEs show, in Chromium. Run it after the page has changed.

    .venv/bin/python3 tests/game/inspect/pictures.py

It needs the packages that `.ci/install --look` installs. The pictures are written to runtime/serve.
Look at them before you commit them.
"""

from __future__ import annotations

import base64
import sys
import time
from pathlib import Path
from urllib.parse import quote, urlencode

ROOT = Path(__file__).resolve().parent.parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "support"))

from browser import chromium  # noqa: E402
from inspector import INSPECT, Game, game  # noqa: E402
from inspector_page import Page  # noqa: E402

SIZE = {"width": 1200, "height": 760, "deviceScaleFactor": 1, "mobile": False}
BYTES_MAX = 200_000
REFRESH_SECONDS = 1.5  # in which each view has asked the game once more
TICKS = 250
CHARTED = 500  # ticks of the charts


def entities(page: Page) -> None:
    """Villagers who are hungry and awake, the hungriest first."""
    columns = "person.name,needs.hunger,needs.fatigue,worker.job,position.x,position.y"
    words = {
        "where": "worker & needs.hunger > 0.23 & !asleep",
        "sort": "needs.hunger",
        "down": "1",
        "columns": columns,
    }
    page.open(f"entities?{urlencode(words, quote_via=quote)}")
    page.until(lambda: "▼" in page.text(".line.head") and page.all(".line[data-id]"))


def schedule(page: Page) -> None:
    """The schedule, with the chains that take longest."""
    page.open("systems")
    page.until(lambda: page.all("svg .node"))
    for _ in range(3):
        time.sleep(REFRESH_SECONDS)
        page.colony.step(40)
    page.until(lambda: page.all("svg .node.hot"))


def writers(page: Page) -> None:
    """Bread of a depot, and who took it."""
    depots = page.colony.call("entities", where="depot & stock", limit=1)["rows"]
    page.open(f"entity/{depots[0]['id']}?writers=stock")
    page.until(lambda: "amount[bread]" in page.text("#component-stock .writes"))


def charts(page: Page) -> None:
    """Bread of a depot and of all, hunger, and who is awake, tick by tick."""
    depot = page.colony.call("entities", where="depot & stock", limit=1)["rows"][0]["id"]
    worker = page.colony.call("entities", where="worker", limit=1)["rows"][0]["id"]
    texts = (
        f"stock.amount[bread] of {depot}",
        f"needs.hunger of {worker}",
        "sum of stock.amount[bread]",
        "count of worker & !asleep",
    )
    page.open("charts?" + "&".join(f"of={quote(text)}" for text in texts))
    page.until(lambda: len(page.all("#charts .card")) == len(texts))
    for _ in range(CHARTED // 20):
        page.colony.step(20)
    page.until(lambda: page.all("svg text.jump"))
    page.browser.execute_script("document.getElementById('charts').scrollIntoView()")


def dots(page: Page) -> None:
    """Villagers by place, coloured by hunger, beside their list."""
    words = {"where": "worker", "x": "position.x", "y": "position.y", "colour": "needs.hunger"}
    page.open(f"map?{urlencode(words, quote_via=quote)}")
    page.until(lambda: "dot" in page.text("#map-said") and page.all(".line[data-id]"))


def timeline(page: Page) -> None:
    """Phases, systems and flushes of a tick."""
    page.open("timeline")
    page.until(lambda: page.all("#record"))
    page.one("#record").click()
    page.until(lambda: page.all("g.zone.phase"))


def take(page: Page, name: str) -> None:
    time.sleep(REFRESH_SECONDS)
    taken = page.browser.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
    data = base64.b64decode(taken["data"])
    if len(data) > BYTES_MAX:
        raise SystemExit(f"pictures.py: {name} has {len(data)} bytes, {BYTES_MAX} at most")
    path = ROOT / "runtime" / "serve" / name
    path.write_bytes(data)
    print(f"{path.relative_to(ROOT)}: {len(data)} bytes")


def take_all(colony: Game) -> None:
    with chromium() as browser:
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", SIZE)
        colony.step(TICKS)
        page = Page(browser, colony)
        for show in (entities, writers, schedule, charts, dots, timeline):
            show(page)
            take(page, f"{show.__name__}.png")


if __name__ == "__main__":
    with game(
        "--villagers", "60", "--seed", "5", "--paused", "--watch", program=INSPECT
    ) as running:
        take_all(running)
