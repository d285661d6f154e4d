"""The colony in a window on a screen in memory: real keys, a real mouse, and screenshots.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import math
import os
import re
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

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


@pytest.fixture(scope="module")
def screen() -> Iterator[str]:
    """Gives the number of a screen that is in memory only."""
    read, write = os.pipe()
    size = f"{SCREEN[0]}x{SCREEN[1]}x24"
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", size, "-nolisten", "tcp"]
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as numbers:
        yield ":" + numbers.readline().strip()
    server.terminate()
    server.wait()


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


@pytest.fixture
def shown(screen: str, tmp_path: Path) -> Iterator[Shown]:
    """A window of a colony of 60 that has left its menu and stood still since its first frames."""
    environment = os.environ | {"DISPLAY": screen, "SDL_RENDER_DRIVER": "software"}
    environment["PATH"] = f"{browser(tmp_path)}:{environment['PATH']}"
    command = [str(SHOW), "--villagers", "60", "--record", "orders.txt"]
    process = subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        window = Shown(screen, tmp_path, process, window_of(process, environment))
        window.do("mousemove", str(LEFT + 5), str(TOP + 300))
        window.keys("space", "space")
        yield window
    finally:
        process.kill()  # also if the window was not found, or it would get the next test's keys
        process.wait()


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


def test_the_window_plays_the_game_of_the_terminal(shown: Shown) -> None:
    colony = inspected(shown)
    shown.keys("space", "period", "period", "period", "period")
    wait_until(lambda: colony.call("stats")["tick"] > 100)
    ticks, state = summary(shown.close())
    assert ticks > 8
    orders = shown.folder / "orders.txt"
    kinds = [line.split()[1] for line in orders.read_text().splitlines()]
    assert kinds == ["menu", "play", "pause", "go", "menu"]
    command = [COLONY, "--villagers", "60", "--ticks", str(ticks), "--quiet", "--orders", orders]
    in_terminal = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert summary(in_terminal) == (ticks, state)


def test_a_paused_colony_stands_still(shown: Shown) -> None:
    first = shown.picture().data
    shown.picture()  # which says that it is kept
    second = shown.picture().data
    third = shown.picture().data
    assert first != b"" and second == third


def pixels(picture: Picture, left: int, top: int, right: int, bottom: int) -> list[Pixel]:
    return [picture.pixel(x, y) for y in range(top, bottom) for x in range(left, right)]


def edges(picture: Picture) -> list[Pixel]:
    """Returns pixels of the map along the edges of the window, beside all words."""
    width, height = picture.size
    rows, columns = range(70, height - 70, 5), range(width // 2, width - 200, 5)
    return [picture.pixel(x, y) for x in (1, width - 2) for y in rows] + [
        picture.pixel(x, y) for x in columns for y in (1, height - 2)
    ]


def test_the_start_shows_a_village_that_fills_the_window(shown: Shown) -> None:
    colony = inspected(shown)
    picture = shown.picture()
    assert BEYOND not in edges(picture)
    x, y = storehouse(colony)
    around = pixels(picture, x - 12, y - 12, x + 12, y + 12)
    x, y = grass(colony)
    assert len(set(around) - set(pixels(picture, x - 12, y - 12, x + 12, y + 12))) > 3


def test_a_click_shows_what_stands_there(shown: Shown) -> None:
    colony = inspected(shown)
    before = shown.picture()
    shown.click(*storehouse(colony))
    wait_until(lambda: shown.picture().pixel(*PANEL) == PANEL_COLOUR)
    there = shown.picture()
    edge = WINDOW[0] - PANEL_WIDTH
    part = (0, 70, edge, FOOT_TOP - MINIMAP_SIDE)
    different = zip(pixels(there, *part), pixels(before, *part), strict=True)
    assert 0 < sum(one != other for one, other in different) < 5000  # outline and ties
    shown.click(*grass(colony))
    wait_until(lambda: shown.picture().pixel(*PANEL) == before.pixel(*PANEL))


def test_the_menu_is_a_bar_and_stops_the_time(shown: Shown) -> None:
    foot = (0, FOOT_TOP, 400, WINDOW[1])
    above = (0, 40, WINDOW[0], FOOT_TOP)
    before = shown.picture()
    shown.keys("Escape")
    wait_until(lambda: len(shown.picture().find(CHOSEN, *foot)) > 0)
    opened = shown.picture()
    assert opened.part(*above) == before.part(*above)
    rows = [y for _, y in opened.find(CHOSEN, *foot)]
    assert max(rows) - min(rows) < 20  # one line
    assert shown.picture().data == shown.picture().data
    shown.keys("space")  # it was a pause, and is one again
    wait_until(lambda: len(shown.picture().find(CHOSEN, *foot)) == 0)


def outline(picture: Picture, left: int, top: int, right: int, bottom: int) -> Spot | None:
    """Returns the middle of the outline of the selected, or of the view in the minimap."""
    found = picture.find(CHOSEN, left, top, right, bottom)
    if not found:
        return None
    columns, rows = [x for x, _ in found], [y for _, y in found]
    return (min(columns) + max(columns)) / 2, (min(rows) + max(rows)) / 2


def selected_at(shown: Shown) -> Spot | None:
    right = WINDOW[0] - PANEL_WIDTH
    return outline(shown.picture(), 0, 40, right, WINDOW[1] - MINIMAP_SIDE - 2 * MINIMAP_MARGIN)


def is_in_the_middle(at: Spot | None) -> bool:
    """Returns whether a spot is in the middle of the map, give or take half a sprite."""
    return at is not None and math.dist(at, MIDDLE) < 40


def state_words(shown: Shown) -> int:
    """Counts the pixels of the words in the first line of the window."""
    return len(shown.picture().find(WORDS, 0, 10, WINDOW[0] - PANEL_WIDTH, 28))


def test_a_key_follows_who_was_clicked_until_the_map_is_moved(shown: Shown) -> None:
    x, y = next(one for one in people(inspected(shown)) if math.dist(one, MIDDLE) > 100)
    for _ in range(5):
        shown.click(x, y, 4)
    shown.click(x, y)
    wait_until(lambda: selected_at(shown) is not None)
    assert not is_in_the_middle(selected_at(shown))
    before = state_words(shown)
    shown.keys("f")
    wait_until(lambda: is_in_the_middle(selected_at(shown)))
    assert state_words(shown) > before  # the name of the followed
    shown.keys("Right", "Right", "Right")
    wait_until(lambda: not is_in_the_middle(selected_at(shown)))
    away = selected_at(shown)
    assert state_words(shown) == before
    assert selected_at(shown) == away


def minimap_part(colony: Game) -> tuple[int, int, int, int]:
    """Returns left, top, right and bottom of the minimap in the window."""
    camera = camera_at_start(colony)
    scale = MINIMAP_SIDE / max(camera.columns, camera.rows)
    width, height = round(camera.columns * scale), round(camera.rows * scale)
    right, bottom = WINDOW[0] - MINIMAP_MARGIN, WINDOW[1] - MINIMAP_MARGIN
    return right - width, bottom - height, right, bottom


def test_the_minimap_moves_the_map(shown: Shown) -> None:
    part = minimap_part(inspected(shown))
    left, top, right, bottom = part
    before = outline(shown.picture(), *part)
    assert before is not None
    quarter = (right - left) // 4
    for x in (right - quarter, left + quarter):
        shown.click(x, (top + bottom) // 2)

        def arrived(x: int = x) -> bool:
            now = outline(shown.picture(), *part)
            return now is not None and abs(now[0] - x) < 20

        wait_until(arrived)
    shown.do("mousemove", str(LEFT + left + 5), str(TOP + top + 5), "mousedown", "1")
    for x in range(left + 20, right + 40, 20):
        shown.do("mousemove", str(LEFT + x), str(TOP + top - 30), "sleep", "0.05")
    shown.do("mouseup", "1")
    wait_until(lambda: (outline(shown.picture(), *part) or (0, 0))[0] > (left + right) / 2)
    assert shown.picture().pixel(*PANEL) != PANEL_COLOUR


def test_the_minimap_is_hidden_if_the_whole_map_is_visible(shown: Shown) -> None:
    part = minimap_part(inspected(shown))
    assert outline(shown.picture(), *part) is not None
    for _ in range(25):
        shown.click(WINDOW[0] // 2, WINDOW[1] // 2, 5)
    wait_until(lambda: set(pixels(shown.picture(), *part)) == {BEYOND})


def test_a_key_shows_all_values(shown: Shown) -> None:
    shown.click(*people(inspected(shown))[0])
    wait_until(lambda: shown.picture().pixel(*PANEL) == PANEL_COLOUR)
    panel = (WINDOW[0] - PANEL_WIDTH, 400, WINDOW[0], WINDOW[1])
    assert bright(shown.picture(), *panel) == 0
    shown.keys("v")
    wait_until(lambda: bright(shown.picture(), *panel) > 200)
    shown.keys("v")
    wait_until(lambda: bright(shown.picture(), *panel) == 0)


def test_a_click_sends_who_was_selected_and_a_key_builds(shown: Shown) -> None:
    colony = inspected(shown)
    camera = camera_at_start(colony)
    shown.click(*grass(colony), button=3)  # none was selected
    tile = round(camera.x - 5), round(camera.y - 3)
    x, y = camera.pixel(*tile)
    shown.do("mousemove", str(LEFT + x), str(TOP + y))
    shown.keys("b")
    shown.close()
    orders = (shown.folder / "orders.txt").read_text().splitlines()
    built_there = f"build {tile[0]} {tile[1]}"
    assert [line.partition(" ")[2] for line in orders][-2:] == [built_there, "menu"]


def test_the_wheel_makes_it_larger_where_the_mouse_is(shown: Shown) -> None:
    x, y = storehouse(inspected(shown))
    before = shown.picture().pixel(x, y)
    for _ in range(6):
        shown.click(x, y, 4)
    larger = shown.picture()
    assert larger.pixel(x, y) == before  # its door
    assert BEYOND not in edges(larger)
    for _ in range(16):
        shown.click(x, y, 5)
    wait_until(lambda: BEYOND in edges(shown.picture()))


def test_a_drag_moves_the_map_and_selects_nobody(shown: Shown) -> None:
    x, y = storehouse(inspected(shown))
    before = shown.picture()
    shown.do("mousemove", str(LEFT + x), str(TOP + y), "sleep", "0.1", "mousedown", "1")
    for nearer in (40, 80, 120, 160):
        shown.do("sleep", "0.1", "mousemove", str(LEFT + x - nearer), str(TOP + y))
    shown.do("sleep", "0.1", "mouseup", "1")
    after = shown.picture()
    assert after.pixel(x - 160, y) == before.pixel(x, y)
    assert after.pixel(*PANEL) != PANEL_COLOUR


def test_saving_and_loading(shown: Shown) -> None:
    save = shown.folder / "colony.save"
    shown.keys("F5")
    wait_until(save.exists)
    colony = inspected(shown)
    tick = colony.call("stats")["tick"]
    shown.keys("space", "period", "period", "period", "period")
    wait_until(lambda: colony.call("stats")["tick"] > tick)
    shown.keys("space", "F9")
    _, state = summary(shown.close())
    orders = shown.folder / "orders.txt"  # of which the last opened the menu, behind the load
    orders.write_text(orders.read_text().splitlines()[-1] + "\n")
    command = [COLONY, "--load", save, "--ticks", "0", "--quiet", "--orders", orders]
    saved = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert state == summary(saved)[1]


def test_night_falls(shown: Shown) -> None:
    day = shown.picture()
    shown.keys("space", *["period"] * 4)
    wait_until(lambda: shown.picture().brightness() < 0.75 * day.brightness())


def test_the_keys_are_told(shown: Shown) -> None:
    middle = (WINDOW[0] // 2 - 5, WINDOW[1] // 2)
    before = shown.picture().pixel(*middle)
    shown.keys("F1")
    told = shown.picture().pixel(*middle)
    shown.keys("F1")
    assert told != before and shown.picture().pixel(*middle) == before


def bright(picture: Picture, left: int, top: int, right: int, bottom: int) -> int:
    """Counts the pixels of a part that are as bright as words in front of the picture."""
    part = [(x, y) for x in range(left, right) for y in range(top, bottom)]
    return sum(min(picture.pixel(x, y)) > 215 for x, y in part)


SIZES = [(640, 480), (1152, 720), (1280, 760)]  # as far as the screen goes


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_words_and_values_do_not_stand_in_each_other(shown: Shown, size: tuple[int, int]) -> None:
    """The state is at the left of the values, in two lines where one is too long."""
    shown.click(*storehouse(inspected(shown)))
    shown.resize(*size)
    width = min(PANEL_WIDTH, 2 * size[0] // 5)
    wait_until(lambda: shown.picture().pixel(size[0] - 3, 10) == PANEL_COLOUR)
    picture = shown.picture()
    assert bright(picture, 0, 10, size[0] - width, 28) > 50
    edge = size[0] - width
    assert bright(picture, edge, 0, edge + 9, size[1]) == 0  # no word goes on into the panel


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_map_follows_the_size_of_the_window(shown: Shown, size: tuple[int, int]) -> None:
    shown.resize(*size)
    assert BEYOND not in edges(shown.picture())


def test_the_keys_are_told_in_a_box_that_holds_them(shown: Shown) -> None:
    shown.resize(640, 480)
    before = shown.picture()
    shown.keys("F1")
    told = shown.picture()
    rows = range(140, 340)
    changed = [x for x in range(640) if any(told.pixel(x, y) != before.pixel(x, y) for y in rows)]
    left, right = changed[0], changed[-1]
    assert left > 0 and right < 639 and abs(left - (639 - right)) <= 1  # in the middle
    assert bright(told, left, 110, left + 9, 370) == bright(told, right - 8, 110, right, 370) == 0


def hungers(colony: Game) -> list[float]:
    """How hungry those are who do nothing but get hungrier."""
    asked = {"where": "worker & needs.hunger >= 0", "columns": ["needs.hunger"], "limit": 500}
    return [float(row["values"][0]) for row in colony.call("entities", **asked)["rows"]]


def test_a_key_opens_the_inspector(shown: Shown) -> None:
    """The page looks at this colony, and what it does to the time shows in the window."""
    colony = inspected(shown)
    assert colony.call("stats")["paused"]
    tick = colony.call("step", ticks=3)["tick"]
    hunger = hungers(colony)
    assert colony.call("step", phase="live")["tick"] == tick  # one phase is no tick
    assert all(now > was for now, was in zip(hungers(colony), hunger, strict=True))
    assert colony.call("stats")["paused"]
    colony.call("pause", paused=False)
    wait_until(lambda: colony.call("stats")["tick"] > tick)
    shown.keys("space")
    wait_until(lambda: colony.call("stats")["paused"])
    assert shown.close().splitlines()[0] == colony.url


def test_the_inspector_opens_at_who_was_clicked(shown: Shown) -> None:
    colony = inspected(shown)
    shown.click(*people(colony)[0])
    wait_until(lambda: shown.picture().pixel(*PANEL) == PANEL_COLOUR)
    foot = (450, FOOT_TOP, 750, WINDOW[1])  # behind a short message
    before = shown.picture().part(*foot)
    address, _, entity = opened_address(shown).partition("#/entity/")
    assert address == colony.url
    assert "person" in colony.call("entity", id=entity)["components"]
    assert shown.picture().part(*foot) == before  # the window does not show the token
    assert f"{address}#/entity/{entity}" in shown.close().splitlines()


def test_what_the_page_waits_for_stops_the_window(shown: Shown) -> None:
    colony = inspected(shown)
    colony.call("watch")
    hour = colony.call("singleton", name="calendar")["hour"]
    colony.call("stop_at", when=f"calendar.hour > {hour + 1}")
    colony.call("pause", paused=False)
    wait_until(lambda: colony.call("stats")["paused"])
    stop = colony.call("stops")[0]
    assert stop["count"] == 1 and stop["last"]["writer"] == "keep_calendar"
    tick = colony.call("stats")["tick"]
    assert stop["last"]["tick"] in (tick - 1, tick)
    first = shown.picture().data
    assert first != b"" and colony.call("stats")["tick"] == tick
    shown.keys("space")
    wait_until(lambda: colony.call("stats")["tick"] > tick)
    shown.close()


def test_without_a_screen_it_says_so(tmp_path: Path) -> None:
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment["SDL_VIDEODRIVER"] = "x11"
    run = subprocess.run([SHOW], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr.startswith("show: no window: ")
