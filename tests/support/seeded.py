"""Actions of a person who looks for a bug on the inspector's page."""

from __future__ import annotations

from selenium.webdriver.common.keys import Keys

from inspector_page import Page


def watch(page: Page) -> None:
    """Presses the button that starts to store who writes what."""
    page.open("stops")
    page.one("button.watch").click()
    page.until(lambda: page.one("#unwatch").is_displayed())


def press_step(page: Page, ticks: int) -> None:
    """Begins to step `ticks` ticks. A stop may end them early."""
    box = page.one("#ticks")
    box.clear()
    box.send_keys(str(ticks))
    page.one("#step").click()


def step(page: Page, ticks: int) -> None:
    """Steps until the world has run `ticks` more ticks."""
    goal = page.colony.call("stats")["tick"] + ticks
    press_step(page, ticks)
    page.until(lambda: page.colony.call("stats")["tick"] == goal)


def writers(page: Page, component: str) -> str:
    """Presses the button that shows the last writes of a component, and reads them."""
    page.one(f"button[aria-label='who wrote {component}']").click()
    table = f"#component-{component} .writes table, #tag-writes > :not([hidden]) table"
    page.until(lambda: page.text(table))
    return page.text(table)


def stop_at(page: Page, when: str) -> None:
    page.open("stops")
    page.one("#when").send_keys(when, Keys.ENTER)
    page.until(lambda: when in page.text("#stops h3"))


def open_first(page: Page, expression: str) -> str:
    """Opens the first entity of a list, and returns its handle."""
    page.find(expression)
    page.until(lambda: page.text("#problem") == "" and page.text("#count"))
    first = page.colony.call("entities", where=expression, limit=1)["rows"][0]["id"]
    page.until(lambda: page.ids()[:1] == [first])
    page.one(".line[data-id] a").click()
    page.until(lambda: page.text("h2") == first)
    return first
