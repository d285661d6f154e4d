"""The output of the game while it runs: the colours of the map and the lines about bread."""

from __future__ import annotations

import os
import pty
import re
import subprocess

import pytest

from colony_game import DAY_TICKS, GAME, play, program, quiet

ESCAPE = "\033"
CODE = re.compile(r"\033\[0;(\d+)m")
INKS = {
    "~": 34,
    **dict.fromkeys('Tt",', 32),
    **dict.fromkeys("HOSBX", 31),
    **dict.fromkeys("@cz", 1),
}


def on_terminal(*arguments: str, no_color: str | None = None) -> str:
    """Returns the output of the game on a terminal, with line feeds of a file."""
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    if no_color is not None:
        environment["NO_COLOR"] = no_color
    controller, terminal = pty.openpty()
    command = [program(GAME), *arguments]
    with subprocess.Popen(command, stdout=terminal, env=environment) as game:
        os.close(terminal)
        out = read_all(controller)
    os.close(controller)
    assert game.returncode == 0
    return out.replace("\r\n", "\n")


def read_all(controller: int) -> str:
    """Reads until the program ends, which Linux reports as an error and others as an empty read."""
    read = bytearray()
    while True:
        try:
            part = os.read(controller, 65536)
        except OSError:
            part = b""
        if not part:
            return read.decode("ascii")
        read += part


def test_without_a_terminal_there_are_no_colours() -> None:
    assert ESCAPE not in play().out
    assert ESCAPE not in play("--colour", "auto").out


def test_a_terminal_gets_colours_unless_it_or_the_user_refuses_them() -> None:
    coloured = play("--colour", "always").out
    assert ESCAPE in coloured
    assert on_terminal() == coloured
    assert on_terminal(no_color="") == coloured  # as no-color.org defines it
    assert on_terminal("--colour", "always", no_color="1") == coloured
    assert on_terminal(no_color="1") == play().out
    assert on_terminal("--colour=never") == play().out


def test_colours_change_nothing_but_colours() -> None:
    assert CODE.sub("", play("--colour", "always").out) == play().out
    assert play("--quiet", "--colour", "always").out == play("--quiet").out


def test_each_symbol_of_the_map_has_its_colour() -> None:
    seen = set()
    for line in play("--colour", "always", "--ticks", "1000").out.splitlines():
        if not line.startswith("|"):
            assert ESCAPE not in line
            continue
        ink = 0
        for code, symbol in re.findall(r"(?:\033\[0;(\d+)m)?([^\033])", line):
            ink = int(code or ink)
            assert ink == INKS.get(symbol, 0), line
            seen.add(symbol)
    assert seen >= set('~Tt",HOSB@c :#|')


def bread_at_midnights(days: int) -> list[int]:
    """Returns the bread at the start and after each day. The first day starts at eight o'clock."""
    ticks = [0, *(64 + DAY_TICKS * day for day in range(days))]
    found = [re.search(r"(\d+) bread", quiet(end).out) for end in ticks]
    return [int(one[1]) for one in found if one]


def test_each_day_that_lost_bread_gets_a_line() -> None:
    days = 14
    bread = bread_at_midnights(days)
    assert len(bread) == days + 1
    falls = [
        f"  day {day}: bread fell from {bread[day - 1]} to {bread[day]}"
        for day in range(1, days + 1)
        if bread[day] < bread[day - 1]
    ]
    assert 0 < len(falls) < days
    played = play("--ticks", str(days * DAY_TICKS)).out
    assert re.findall(r"^ *day \d.*$", played, re.MULTILINE) == falls


@pytest.mark.parametrize("arguments", [("--quiet",), ("--ticks", "0")])
def test_nothing_is_said_of_bread_without_progress(arguments: tuple[str, ...]) -> None:
    assert "bread fell" not in play(*arguments).out
