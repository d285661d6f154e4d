"""The colony as a page in a browser, and the actions of a person on it."""

from __future__ import annotations

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.action_builder import ActionBuilder
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

    def place(self) -> tuple[float, float, float]:
        """Returns where the map is on the canvas: its corner, and the side of a tile in pixels."""
        found = self.run(
            "const { calls } = weft_game;"
            "const at = new DataView(calls.memory.buffer, calls.ground_place());"
            "return [0, 4, 8].map((i) => at.getFloat32(i, true));"
        )
        assert isinstance(found, list)
        x, y, tile = map(float, found)
        return x, y, tile

    def size(self) -> tuple[float, float]:
        """Returns the size of the canvas."""
        found = self.run("return [map.clientWidth, map.clientHeight]")
        assert isinstance(found, list)
        return float(found[0]), float(found[1])

    def spot_of(self, entity: str) -> tuple[float, float]:
        """Returns where on the canvas an entity is drawn when time stands still."""
        about = self.call("entity", id=entity)
        assert isinstance(about, dict)
        at = about["components"]["position"]
        x, y, tile = self.place()
        return x + (at["x"] + 0.5) * tile, y + (at["y"] + 0.5) * tile

    def people(self) -> list[str]:
        """Returns people who are visible, and not near the edges or the minimap."""
        found = self.call("entities", where="worker", limit=100)
        assert isinstance(found, dict)
        width, height = self.size()
        ids = [str(row["id"]) for row in found["rows"]]
        spots = [(one, *self.spot_of(one)) for one in ids]
        inside = lambda x, y: 30 < x < width - 30 and 80 < y < height * 0.6  # noqa: E731
        return [one for one, x, y in spots if inside(x, y)]

    def corner(self) -> tuple[float, float]:
        """Returns where the canvas is on the page."""
        found = self.run("const box = map.getBoundingClientRect(); return [box.x, box.y]")
        assert isinstance(found, list)
        return float(found[0]), float(found[1])

    def drag(self, *spots: tuple[float, float]) -> None:
        """Presses the mouse at a pixel of the canvas, moves it to the others, and releases it."""
        left, top = self.corner()
        mouse = ActionBuilder(self.browser, duration=20)
        for number, (x, y) in enumerate(spots):
            mouse.pointer_action.move_to_location(int(left + x), int(top + y))
            if number == 0:
                mouse.pointer_action.pointer_down()
        mouse.pointer_action.pointer_up()
        mouse.perform()

    def click(self, x: float, y: float) -> None:
        self.drag((x, y))

    def touch(self, kind: str, *fingers: tuple[float, float]) -> None:
        """Puts fingers on pixels of the canvas, moves them there, or lifts all of them."""
        left, top = self.corner()
        points = [{"x": left + x, "y": top + y, "id": i} for i, (x, y) in enumerate(fingers)]
        self.browser.execute_cdp_cmd(
            "Input.dispatchTouchEvent", {"type": f"touch{kind}", "touchPoints": points}
        )

    def panel(self, selector: str = "") -> str:
        """Returns the visible text of the panel, or of its part."""
        ask = "return document.querySelector(arguments[0]).innerText"
        return str(self.run(ask, f"#panel {selector}"))

    def selected(self) -> str:
        """Returns the handle of the entity that the panel shows, or ""."""
        return str(self.run("return panel.hidden ? '' : panel.dataset.id"))
