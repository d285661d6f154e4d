"""The colony in a window on a screen in memory: keys, mouse, screenshots, places of things."""

from __future__ import annotations

import math
import os
import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from built import built
from inspector import PATIENCE_SECONDS, Game, wait_until

COLONY, SHOW = built("build/colony"), built("build/show")
SCREEN = (1280, 800)
WINDOW = (1280, 720)
LEFT, TOP = (SCREEN[0] - WINDOW[0]) // 2, (SCREEN[1] - WINDOW[1]) // 2
TILE_PIXELS = 24  # at the start, or more if the map would not fill the window
PANEL_WIDTH = 330
MIDDLE = ((WINDOW[0] - PANEL_WIDTH) / 2, WINDOW[1] / 2)  # of the map beside the panel
PANEL = (WINDOW[0] - 3, 10)  # a pixel of the panel beside its words
FOOT_TOP = 660  # the messages and the menu are below
MINIMAP_SIDE, MINIMAP_MARGIN = 160, 10
BEYOND, PANEL_COLOUR, CHOSEN = (24, 30, 26), (28, 31, 40), (255, 240, 120)
WORDS = (245, 245, 240)
KEY_SECONDS = 10  # a busy screen may lose a key; it is pressed again then

Pixel = tuple[int, int, int]
Pair = tuple[int, int]


@dataclass
class Shown:
    """A window that is open, and what can be done to it."""

    screen: str
    folder: Path
    process: subprocess.Popen[str]
    window: str  # its number on the screen
    size: tuple[int, int] = WINDOW

    def do(self, *actions: str) -> None:
        environment = os.environ | {"DISPLAY": self.screen}
        subprocess.run(["xdotool", *actions], check=True, env=environment)

    def keys(self, *names: str) -> None:
        self.do("key", "--delay", "30", *names)

    def click(self, x: int, y: int, button: int = 1) -> None:
        self.do("mousemove", str(LEFT + x), str(TOP + y), "click", str(button))

    def resize(self, width: int, height: int) -> None:
        """Gives the window another size, and waits for a picture of that size."""
        self.size = width, height
        self.do("windowsize", self.window, str(width), str(height))
        wait_until(lambda: self.picture().size == self.size)

    def picture(self) -> Picture:
        """Returns the picture of the window that it writes itself."""
        path = self.folder / "colony.bmp"
        path.unlink(missing_ok=True)
        asked = 0.0

        def written() -> bool:
            nonlocal asked
            if time.monotonic() - asked > KEY_SECONDS:
                asked = time.monotonic()
                self.keys("F12")
            return path.exists() and path.stat().st_size > 0 and is_whole(path)

        wait_until(written)
        return Picture(path.read_bytes())

    def close(self) -> str:
        """Leaves through the menu."""
        self.keys("Escape", "Escape")
        said, _ = self.process.communicate(timeout=PATIENCE_SECONDS)
        assert self.process.returncode == 0, said
        return said


def is_whole(path: Path) -> bool:
    """Says whether a picture has been written to its end."""
    data = path.read_bytes()
    return len(data) > 6 and len(data) == int.from_bytes(data[2:6], "little")


class Picture:
    """A picture of the window: a BMP of 32 bits, its last row first."""

    def __init__(self, data: bytes) -> None:
        self.first = int.from_bytes(data[10:14], "little")
        width, height = (int.from_bytes(data[at : at + 4], "little") for at in (18, 22))
        self.size = width, height
        self.data = data

    def pixel(self, x: int, y: int) -> Pixel:
        at = self.first + ((self.size[1] - 1 - y) * self.size[0] + x) * 4
        blue, green, red = self.data[at : at + 3]
        return red, green, blue

    def part(self, left: int, top: int, right: int, bottom: int) -> bytes:
        """Returns the bytes of a part, row by row."""
        rows = (self.first + (self.size[1] - 1 - y) * self.size[0] * 4 for y in range(top, bottom))
        return b"".join(self.data[row + left * 4 : row + right * 4] for row in rows)

    def find(self, colour: Pixel, left: int, top: int, right: int, bottom: int) -> list[Pair]:
        """Returns all pixels of a colour in a part."""
        wanted, found = bytes(reversed(colour)), []
        for y in range(top, bottom):
            first = self.first + (self.size[1] - 1 - y) * self.size[0] * 4
            row = self.data[first + left * 4 : first + right * 4]
            at = row.find(wanted)
            while at >= 0:
                if at % 4 == 0:
                    found.append((left + at // 4, y))
                at = row.find(wanted, at + 1)
        return found

    def brightness(self) -> float:
        """The mean of every 97th pixel, from 0 to 255."""
        pixels = [
            sum(self.pixel(i % WINDOW[0], i // WINDOW[0])) / 3
            for i in range(0, WINDOW[0] * WINDOW[1], 97)
        ]
        return sum(pixels) / len(pixels)


def browser(folder: Path) -> Path:
    """Makes a folder with what opens addresses; here they are only written down, in `opened`."""
    opener = folder / "bin" / "xdg-open"
    opener.parent.mkdir()
    opener.write_text(f'#!/bin/sh\necho "$1" > {folder}/opened\n', encoding="ascii")
    opener.chmod(0o755)
    return opener.parent


def window_of(process: subprocess.Popen[str], environment: dict[str, str]) -> str:
    """Waits for the window of a process, and returns its number on the screen."""
    about = ["--all", "--pid", str(process.pid), "--name", "The colony"]
    finder = ["xdotool", "search", "--onlyvisible", *about]
    found = ""

    def opened() -> bool:
        # The search fails if another window is closed meanwhile.
        nonlocal found
        search = subprocess.run(finder, env=environment, capture_output=True, text=True)
        found = search.stdout.strip()
        return search.returncode == 0 and found != ""

    wait_until(opened)
    return found


def summary(said: str) -> tuple[int, str]:
    """The ticks and the hash of a summary."""
    ticks = re.search(r"After (\d+) ticks", said)
    state = re.search(r"colony_hash +(0x[0-9a-f]+)", said)
    assert ticks and state, said
    return int(ticks[1]), state[1]


@dataclass
class Camera:
    """The camera as it is at the start: what the window shows of the map."""

    columns: int
    rows: int
    x: float
    y: float
    tile: float

    def pixel(self, x: float, y: float) -> tuple[int, int]:
        return (
            int((x - self.x) * self.tile + WINDOW[0] / 2),
            int((y - self.y) * self.tile + WINDOW[1] / 2),
        )

    def shows(self, x: float, y: float) -> bool:
        """Returns whether a spot is visible, also beside a panel, and not below any words."""
        column, row = self.pixel(x, y)
        return 180 < column < WINDOW[0] - PANEL_WIDTH - 180 and 60 < row < FOOT_TOP - 60


Spot = tuple[float, float]


def places(colony: Game, where: str) -> list[Spot]:
    asked = {"where": where, "columns": ["position.x", "position.y"], "limit": 500}
    rows = colony.call("entities", **asked)["rows"]
    return [(float(row["values"][0]), float(row["values"][1])) for row in rows]


def centre(at: float, visible: float, tiles: int) -> float:
    """Returns the centre of a window that shows nothing beyond the map."""
    return min(max(at, visible / 2 - 0.5), tiles - 0.5 - visible / 2)


def camera_at_start(colony: Game) -> Camera:
    """Returns a camera that shows the storehouse nearest to the middle and fills the window."""
    ground = colony.call("singleton", name="ground")
    columns, rows = ground["width"], ground["height"]
    tile = max(TILE_PIXELS, WINDOW[0] / columns, WINDOW[1] / rows)
    middle = (columns - 1) / 2, (rows - 1) / 2
    x, y = min(places(colony, "depot"), key=lambda one: math.dist(one, middle))
    across, down = WINDOW[0] / tile, WINDOW[1] / tile
    return Camera(columns, rows, centre(x, across, columns), centre(y, down, rows), tile)


def storehouse(colony: Game) -> tuple[int, int]:
    """Returns the pixel of the storehouse that is visible at the start."""
    camera = camera_at_start(colony)
    return camera.pixel(*next(one for one in places(colony, "depot") if camera.shows(*one)))


def people(colony: Game) -> list[Pair]:
    """Returns the pixels of people who are visible at the start."""
    camera = camera_at_start(colony)
    return [camera.pixel(*one) for one in places(colony, "worker") if camera.shows(*one)]


def grass(colony: Game) -> tuple[int, int]:
    """Returns a pixel at which nothing stands."""
    camera = camera_at_start(colony)
    near = f"position.x > {camera.x - 15} & position.x < {camera.x + 15}"
    things = places(colony, f"drawn & {near}")
    assert 0 < len(things) < 500
    free = (
        (x, y)
        for y in range(camera.rows)
        for x in range(camera.columns)
        if camera.shows(x, y) and all(math.dist((x, y), one) > 3 for one in things)
    )
    return camera.pixel(*next(free))


def inspected(shown: Shown) -> Game:
    """Opens the inspector by its key."""
    return Game(shown.process, opened_address(shown))


def opened_address(shown: Shown) -> str:
    """Presses the key of the inspector, and returns the address that the browser gets."""
    opened = shown.folder / "opened"
    opened.unlink(missing_ok=True)
    shown.keys("i")
    wait_until(lambda: opened.exists() and opened.read_text().endswith("\n"))
    return opened.read_text().strip()
