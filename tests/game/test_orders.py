"""Files of orders are obeyed and recorded; wrong ones are refused with a reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from colony_game import play, quiet

ORDERS = """\
# A house, a walk, and a rest.
8 build 30 15
20 send {name} 4 20
40 pause
60 go  # twenty ticks later
60 menu
70 play
"""


def named(path: Path) -> str:
    """Returns the name of a villager who is there from the first day on."""
    quiet(0, "--save", str(path))
    found = re.search(rb"([A-Z][a-z]{3,14})\0", path.read_bytes().partition(b"TABL")[2])
    assert found
    return found[1].decode()


def test_orders_are_obeyed_and_replayed(tmp_path: Path) -> None:
    name = named(tmp_path / "first.save")
    orders, record = tmp_path / "orders.txt", tmp_path / "record.txt"
    orders.write_text(ORDERS.format(name=name), encoding="ascii")
    played = quiet(200, "--orders", str(orders), "--record", str(record))
    assert played.out.startswith(
        "After 200 ticks: Day 3, spring, 02:30\n"
    )  # 30 of them stood still
    assert played.hash != quiet(200).hash
    assert record.read_text(encoding="ascii").splitlines() == [
        line.partition("  #")[0] for line in orders.read_text().splitlines()[1:]
    ]
    for workers in ("0", "4"):
        again = quiet(200, "--orders", str(record), "--workers", workers)
        assert again.out == played.out


def test_time_stands_still_in_a_pause(tmp_path: Path) -> None:
    hashes = set()
    for still in ("pause", "menu"):
        orders = tmp_path / f"{still}.txt"
        orders.write_text(f"10 {still}\n", encoding="ascii")
        at = ("--orders", str(orders))
        assert quiet(20, *at).hash == quiet(500, *at).hash
        hashes.add(quiet(20, *at).hash)
    assert len(hashes) == 2  # what stands still knows why


def test_a_save_goes_on_with_the_orders_behind_it(tmp_path: Path) -> None:
    orders, half = tmp_path / "orders.txt", tmp_path / "half.save"
    orders.write_text("10 build 30 15\n90 build 40 15\n", encoding="ascii")
    at = ("--orders", str(orders))
    quiet(50, "--save", str(half), *at)
    assert quiet(50, "--load", str(half), *at).hash == quiet(100, *at).hash


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (
            "5 bild 3 4",
            "'bild' is no order: write play, menu, pause, go, build X Y or send NAME X Y",
        ),
        ("soon pause", "'soon' is no tick: begin the line with a whole number"),
        ("-1 pause", "'-1' is no tick: begin the line with a whole number"),
        ("7", "'7' is a tick without an order: write one behind it"),
        ("5 pause now", "'pause' takes nothing more: end the line there"),
        ("5 build 3", "'build' takes a tile: build X Y"),
        ("5 build 3 4 5 6 7", "'build' takes a tile: build X Y"),
        ("5 send Islin", "'send' takes a name and a tile: send NAME X Y"),
        ("5 build 3 1024", "'1024' is no tile: write a whole number from 0 to 1023"),
        (
            "5 send Abcdefghijklmnop 3 4",
            "'Abcdefghijklmnop' is too long for a name: names have up to",
        ),
        ("1 pause", "'1' is an earlier tick than that of the line before: sort the lines"),
        ("9 " + "x" * 200, "'the line' is too long: write at most 126 characters"),
    ],
)
def test_wrong_orders_are_explained(line: str, complaint: str, tmp_path: Path) -> None:
    orders = tmp_path / "orders.txt"
    orders.write_text(f"# first\n2 go\n{line}\n", encoding="ascii")
    played = play("--orders", str(orders))
    assert played.code == 2
    assert played.out == ""
    assert played.err.startswith(f"colony: {orders}:3: {complaint}")
    assert played.err.count("\n") == 1


def test_no_more_orders_at_once_than_may_wait(tmp_path: Path) -> None:
    orders = tmp_path / "orders.txt"
    orders.write_text("3 go\n" * 64, encoding="ascii")
    quiet(5, "--orders", str(orders))
    orders.write_text("3 go\n" * 65, encoding="ascii")
    played = play("--orders", str(orders))
    assert f"{orders}:65: '3' has more than 64 orders: give some of them to" in played.err


def test_orders_that_cannot_be_read_or_written_are_a_failure(tmp_path: Path) -> None:
    gone = tmp_path / "gone" / "orders.txt"
    for option, words in (("--orders", "cannot be read"), ("--record", "cannot be written")):
        played = play(option, str(gone))
        assert played.code == 2
        assert words in played.err
    assert play("--quiet", "--record", "/dev/full", "--ticks", "0").code == 0  # nothing to record
