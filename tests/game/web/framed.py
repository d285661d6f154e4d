"""Links of the inspector in the frame of the colony's page, in Chromium: each changes what the
frame shows, and none loads the game again.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import functools
import http.server
import json
import threading
from collections.abc import Iterator

import pytest
from selenium import webdriver
from selenium.common.exceptions import (
    ElementClickInterceptedException,
    ElementNotInteractableException,
    StaleElementReferenceException,
)
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import complaints, wait_until
from web_colony import PAGE, Played

# What a link raises that the page draws anew while it is used.
REDRAWN = (
    StaleElementReferenceException,
    ElementClickInterceptedException,
    ElementNotInteractableException,
)
VIEWS = (
    "entities", "singletons", "systems", "changes", "events", "stops", "memory", "schema",
    "messages", "spawn",
)  # fmt: skip
LINKS = """
    const shown = (node) => node.checkVisibility()
      && !node.matches('.skip, .line:nth-child(n+5) a');  // .skip moves the focus alone
    return [...new Set([...document.querySelectorAll('a[href]')].filter(shown)
      .map((node) => node.getAttribute('href')))];
"""


class SilentHandler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    """Returns the address of the page on a web server."""
    handler = functools.partial(SilentHandler, directory=str(PAGE.parent))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{PAGE.name}"
    server.shutdown()
    server.server_close()


@pytest.fixture(params=["file", "http"])
def frame(
    request: pytest.FixtureRequest, browser: webdriver.Chrome, served: str
) -> Iterator[Played]:
    """Opens the inspector of a colony that stands still, and switches to its frame."""
    colony = Played(browser, "villagers=12&seed=5", served if request.param == "http" else "")
    colony.pause()
    colony.run("window.mark = 'the first'")
    colony.press("inspect")
    browser.switch_to.frame(browser.find_element(By.ID, "inspector"))
    colony.shown(".line[data-id]")
    colony.run("window.mark = 'the first'")
    yield colony
    browser.switch_to.default_content()
    assert complaints(browser) == []


def open_view(frame: Played, view: str) -> None:
    frame.run("location.hash = '#/' + arguments[0]", view)
    shown = "return document.querySelector('#view > *') !== null"
    wait_until(frame.browser, lambda: frame.run(shown))


def is_the_same(frame: Played) -> bool:
    """Returns whether neither the game nor the inspector was loaded again."""
    marks = "return window.mark === 'the first' && parent.mark === 'the first'"
    alone = "return parent === top && frames.length === 0 && document.title.includes('inspector')"
    return bool(frame.run(marks)) and bool(frame.run(alone))


def follow(frame: Played, href: str, way: str) -> None:
    """Uses a link of the page, which the page may draw anew meanwhile."""

    def followed() -> bool:
        for link in frame.browser.find_elements(By.CSS_SELECTOR, f"a[href={json.dumps(href)}]"):
            try:
                if not link.is_displayed():
                    continue
                frame.run("arguments[0].scrollIntoView({ block: 'nearest' })", link)
                link.click() if way == "click" else link.send_keys(Keys.ENTER)
            except REDRAWN:
                continue
            return True
        return False

    wait_until(frame.browser, followed)
    wait_until(frame.browser, lambda: frame.run("return location.hash") == href)


def views_of(frame: Played) -> list[str]:
    """Returns all views, among them entities and singletons with links of all kinds."""
    found = frame.run(
        "return ['person', 'depot', 'drawn'].map((where) =>"
        "  parent.weft_game.call('entities', { where, limit: 1 }).rows[0].id)"
    )
    assert isinstance(found, list)
    return [*VIEWS, *(f"entity/{one}" for one in found), "systems/eat", "singletons/ledger"]


@pytest.mark.parametrize(
    ("frame", "way"), [("file", "click"), ("http", "Enter")], indirect=["frame"]
)
def test_every_link_stays_in_the_frame(frame: Played, way: str) -> None:
    followed: set[str] = set()
    for view in views_of(frame):
        open_view(frame, view)
        links = frame.run(LINKS)
        assert isinstance(links, list) and len(links) >= len(VIEWS)
        for href in sorted(set(links) - followed):
            followed.add(href)
            open_view(frame, view)
            follow(frame, href, way)
            assert is_the_same(frame), (view, href)
    assert {f"#/{view}" for view in VIEWS} <= followed
    assert any(href.startswith("#/entity/") for href in followed)


@pytest.mark.parametrize("way", ["click", "Enter"])
def test_the_way_back_stays_in_the_frame(frame: Played, way: str) -> None:
    follow(frame, "#/systems", way)
    follow(frame, "#/stops", way)
    frame.run("history.back()")
    wait_until(frame.browser, lambda: frame.run("return location.hash") == "#/systems")
    assert is_the_same(frame)
