"""The colony in a window on a screen in memory: real keys, a real mouse, and screenshots.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import math
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from colony_window import (
    BEYOND,
    CHOSEN,
    COLONY,
    FOOT_TOP,
    LEFT,
    MIDDLE,
    MINIMAP_MARGIN,
    MINIMAP_SIDE,
    PANEL,
    PANEL_COLOUR,
    PANEL_WIDTH,
    SCREEN,
    SHOW,
    TOP,
    WINDOW,
    WORDS,
    Picture,
    Pixel,
    Shown,
    Spot,
    browser,
    camera_at_start,
    grass,
    inspected,
    opened_address,
    people,
    storehouse,
    summary,
    window_of,
)
from inspector import Game, wait_until


@pytest.fixture(scope="module")
def screen() -> Iterator[str]:
    """Gives the number of a screen that is in memory only."""
    read, write = os.pipe()
    size = f"{SCREEN[0]}x{SCREEN[1]}x24"
    # Without -noreset the server starts anew whenever its last client leaves, for example a search
    # for the window, and a window that is just being opened is lost.
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", size, "-nolisten", "tcp"]
    command.append("-noreset")
    server = subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as numbers:
        yield ":" + numbers.readline().strip()
    server.terminate()
    server.wait()


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
