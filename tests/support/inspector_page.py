"""The inspector's page in a browser, and the actions of a person on it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement

from browser import wait_until
from inspector import Game


class Part(WebElement):
    """The first element that matches a selector. A person acts on what the page shows now, so if
    the page replaces the element before an action, the action uses its successor.
    """

    def __init__(self, page: Page, selector: str) -> None:
        self._page, self._selector = page, selector
        super().__init__(page.browser, page.wait_for(selector).id)

    def _execute(self, command: str, params: dict[str, Any] | None = None) -> Any:
        while True:
            try:
                return super()._execute(command, params)
            except StaleElementReferenceException:
                self._id = self._page.wait_for(self._selector).id


class Page:
    def __init__(self, browser: webdriver.Chrome, colony: Game) -> None:
        self.browser, self.colony = browser, colony
        browser.get("about:blank")
        browser.get(colony.url)
        self.until(lambda: self.all(".line[data-id]"))

    def all(self, selector: str) -> list[WebElement]:
        return list(self.browser.find_elements(By.CSS_SELECTOR, selector))

    def wait_for(self, selector: str) -> WebElement:
        found: list[WebElement] = []
        self.until(lambda: found.extend(self.all(selector)[:1]) or found)
        return found[0]

    def one(self, selector: str) -> Part:
        return Part(self, selector)

    def until(self, true: Callable[[], object]) -> None:
        wait_until(self.browser, true)

    def open(self, view: str) -> None:
        self.browser.execute_script("location.hash = '#/' + arguments[0]", view)

    def find(self, expression: str) -> None:
        self.open("entities")
        box = self.one("#filter")
        box.clear()
        box.send_keys(expression, Keys.ENTER)

    def text(self, selector: str) -> str:
        """Returns the text of all of them, which the page may replace meanwhile."""
        return str(
            self.browser.execute_script(
                "return [...document.querySelectorAll(arguments[0])]"
                ".map((node) => node.innerText).join('\\n')",
                selector,
            )
        )

    def each(self, selector: str, script: str) -> list[Any]:
        """Returns a value for each element, in JavaScript about `node`, all at one moment."""
        found: list[Any] = self.browser.execute_script(
            f"return [...document.querySelectorAll(arguments[0])].map((node) => {script})", selector
        )
        return found

    def texts(self, selector: str) -> list[str]:
        return self.each(selector, "node.innerText")

    def attributes(self, selector: str, name: str) -> list[str]:
        return self.each(selector, f"node.getAttribute('{name}')")

    def ids(self) -> list[str]:
        return self.attributes(".line[data-id]", "data-id")

    def resize(self, width: int, height: int) -> None:
        """Shows the page in the size of this window, or of a phone, until `own_size`."""
        self.browser.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600},
        )

    def own_size(self) -> None:
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
