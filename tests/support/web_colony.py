"""The colony as a page in a browser, and the actions of a person on it."""

from __future__ import annotations

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from browser import wait_until
from built import built

PAGE = built("build/web/colony.html")


class Played:
    def __init__(self, browser: webdriver.Chrome, options: str, address: str = "") -> None:
        self.browser = browser
        browser.get(f"{address or PAGE.as_uri()}?{options}")
        wait_until(browser, lambda: self.words() or "--" in self.said())

    def run(self, script: str, *arguments: object) -> object:
        return self.browser.execute_script(script, *arguments)

    def words(self) -> str:
        return self.browser.find_element(By.ID, "words").text

    def said(self) -> str:
        return self.browser.find_element(By.ID, "said").text

    def press(self, button: str) -> None:
        self.browser.find_element(By.ID, button).click()

    def keys(self, keys: str) -> None:
        ActionChains(self.browser).send_keys(keys).perform()

    def until(self, words: str) -> None:
        wait_until(self.browser, lambda: words in self.said())

    def call(self, method: str, **params: object) -> object:
        return self.run("return weft_game.call(arguments[0], arguments[1])", method, params)

    def hash(self) -> str:
        return str(self.run("return weft_game.hash()"))

    def shown(self, selector: str) -> WebElement:
        """The first element of a selector, as soon as it is seen."""
        find = lambda: self.browser.find_elements(By.CSS_SELECTOR, selector)  # noqa: E731
        wait_until(self.browser, lambda: any(one.is_displayed() for one in find()[:1]))
        return find()[0]

    def is_paused(self) -> bool:
        stats = self.call("stats")
        assert isinstance(stats, dict)
        return bool(stats["paused"])

    def pause(self) -> None:
        self.call("pause", paused=True)

    def colours(self) -> int:
        """How many colours the canvas has, of every seventh pixel."""
        found = self.run(
            "const map = document.getElementById('map');"
            "const { data } = map.getContext('2d').getImageData(0, 0, map.width, map.height);"
            "const seen = new Set();"
            "for (let i = 0; i < data.length; i += 28)"
            "  seen.add(data[i] << 16 | data[i + 1] << 8 | data[i + 2]);"
            "return seen.size;"
        )
        return int(str(found))

    def spot_of(self, person: str) -> tuple[float, float]:
        """Where on the canvas a person stands."""
        found = self.run(
            "const { calls } = weft_game;"
            "const at = new DataView(calls.memory.buffer, calls.ground_place());"
            "const place = weft_game.call('entity', { id: arguments[0] }).components.position;"
            "const [x, y, tile] = [0, 4, 8].map((i) => at.getFloat32(i, true));"
            "return [x + (place.x + 0.5) * tile, y + (place.y + 0.5) * tile];",
            person,
        )
        assert isinstance(found, list)
        return float(found[0]), float(found[1])
