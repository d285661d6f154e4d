"""The colony in a window on a screen in memory: real keys, a real mouse, and screenshots.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

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
WINDOW = (1152, 720)
LEFT, TOP = (SCREEN[0] - WINDOW[0]) // 2, (SCREEN[1] - WINDOW[1]) // 2
MAP_TILES = (72, 22)
PANEL = (WINDOW[0] - 300, 400)  # a pixel of the panel below its words
KEY_SECONDS = 10  # a busy screen may lose a key; it is pressed again then

Pixel = tuple[int, int, int]


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
        self.do("search", "--name", "The colony", "windowsize", str(width), str(height))
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
    window = Shown(screen, tmp_path, process)
    finder = ["xdotool", "search", "--sync", "--onlyvisible", "--name", "The colony"]
    subprocess.run(
        finder, check=True, env=environment, timeout=PATIENCE_SECONDS, capture_output=True
    )
    window.do("mousemove", str(LEFT + 5), str(TOP + 300))
    window.keys("space", "space")
    yield window
    if process.poll() is None:
        process.kill()
        process.wait()


def summary(said: str) -> tuple[int, str]:
    """The ticks and the hash of a summary."""
    ticks = re.search(r"After (\d+) ticks", said)
    state = re.search(r"colony_hash +(0x[0-9a-f]+)", said)
    assert ticks and state, said
    return int(ticks[1]), state[1]


def tile(x: int, y: int) -> tuple[int, int]:
    """The pixel of a tile of the map as it is shown at first."""
    side = WINDOW[0] / MAP_TILES[0]
    return (
        int((x - (MAP_TILES[0] - 1) / 2) * side + WINDOW[0] / 2),
        int((y - (MAP_TILES[1] - 1) / 2) * side + WINDOW[1] / 2),
    )


STOREHOUSE = tile(33, 8)


def inspected(shown: Shown) -> Game:
    """Opens the inspector by its key."""
    opened = shown.folder / "opened"
    shown.keys("i")
    wait_until(lambda: opened.exists() and opened.read_text().endswith("\n"))
    return Game(shown.process, opened.read_text().strip())


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


def test_a_click_shows_what_stands_there(shown: Shown) -> None:
    before = shown.picture()
    shown.click(*STOREHOUSE)
    there = shown.picture()
    shown.click(*tile(2, 20))
    gone = shown.picture()
    assert sum(there.pixel(*PANEL)) < sum(before.pixel(*PANEL))
    assert gone.pixel(*PANEL) == before.pixel(*PANEL)


def test_the_menu_stands_in_front_and_stops_the_time(shown: Shown) -> None:
    middle = (WINDOW[0] // 4, WINDOW[1] // 2)
    before = shown.picture().pixel(*middle)
    shown.keys("Escape")
    opened = shown.picture()
    assert sum(opened.pixel(*middle)) < sum(before)
    time.sleep(0.5)
    assert shown.picture().data == shown.picture().data
    shown.keys("space")  # it was a pause, and is one again
    assert shown.picture().pixel(*middle) == before


def test_a_click_sends_who_was_selected_and_a_key_builds(shown: Shown) -> None:
    shown.click(*tile(2, 20), button=3)  # none was selected
    shown.do("mousemove", str(LEFT + tile(30, 3)[0]), str(TOP + tile(30, 3)[1]))
    shown.keys("b")
    shown.close()
    orders = (shown.folder / "orders.txt").read_text().splitlines()
    assert [line.partition(" ")[2] for line in orders][-2:] == ["build 30 3", "menu"]


def test_the_wheel_makes_it_larger_where_the_mouse_is(shown: Shown) -> None:
    x, y = STOREHOUSE
    before = shown.picture().pixel(x, y)
    for _ in range(6):
        shown.click(x, y, 4)
    larger = shown.picture()
    assert larger.pixel(x, y) == before  # its door
    assert larger.pixel(10, 60) != (24, 30, 26)  # the map fills the window by now
    for _ in range(6):
        shown.click(x, y, 5)
    assert shown.picture().pixel(10, 60) == (24, 30, 26)


def test_a_drag_moves_the_map_and_selects_nobody(shown: Shown) -> None:
    x, y = STOREHOUSE
    before = shown.picture()
    shown.do("mousemove", str(LEFT + x), str(TOP + y), "sleep", "0.1", "mousedown", "1")
    for nearer in (40, 80, 120, 160):
        shown.do("sleep", "0.1", "mousemove", str(LEFT + x - nearer), str(TOP + y))
    shown.do("sleep", "0.1", "mouseup", "1")
    after = shown.picture()
    assert after.pixel(x - 160, y) == before.pixel(x, y)
    assert after.pixel(PANEL[0], PANEL[1] + 250) == (24, 30, 26)  # no panel


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


SIZES = [(640, 480), (1152, 720), (1216, 760)]  # as far as the screen goes


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_words_and_values_do_not_stand_in_each_other(shown: Shown, size: tuple[int, int]) -> None:
    """The state is at the left of the values, in two lines where one is too long."""
    shown.click(*STOREHOUSE)
    shown.resize(*size)
    width = min(330, 2 * size[0] // 5)
    picture = shown.picture()
    assert bright(picture, 0, 10, size[0] - width, 28) > 50
    edge = size[0] - width
    assert bright(picture, edge, 0, edge + 9, size[1]) == 0  # no word goes on into the panel


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_the_map_follows_the_size_of_the_window(shown: Shown, size: tuple[int, int]) -> None:
    shown.resize(*size)
    picture = shown.picture()
    row = [picture.pixel(x, size[1] // 2) for x in (2, size[0] - 3)]
    assert (24, 30, 26) not in row
    assert picture.pixel(2, 60) == picture.pixel(2, size[1] - 60) == (24, 30, 26)


def test_the_keys_are_told_in_a_box_that_holds_them(shown: Shown) -> None:
    shown.resize(640, 480)
    before = shown.picture()
    shown.keys("F1")
    told = shown.picture()
    rows = range(140, 340)
    changed = [x for x in range(640) if any(told.pixel(x, y) != before.pixel(x, y) for y in rows)]
    left, right = changed[0], changed[-1]
    assert left > 0 and right < 639 and abs(left - (639 - right)) <= 1  # in the middle
    assert bright(told, left, 128, left + 9, 352) == bright(told, right - 8, 128, right, 352) == 0


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
