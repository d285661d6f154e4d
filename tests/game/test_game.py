"""The game from the outside: what it takes, what it says, and that a seed always gives one colony.

The binary is build/gcc/colony, or what WEFT_GAME names; another compiler's is build/clang/colony,
or what WEFT_GAME_OTHER names. Both are built where they are not there.
"""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from built import built
from saves.world import open_save

ROOT = Path(__file__).resolve().parent.parent.parent
GAME, OTHER = "WEFT_GAME", "WEFT_GAME_OTHER"
TARGETS = {GAME: "build/gcc/colony", OTHER: "build/clang/colony"}

# The state after 1,000 ticks with seed 1. It changes when the schema or the rules of the game
# change, or the order in which indices are given to new entities, and only then: not with the
# compiler, its flags, or the machine.
GOLDEN = "0x3eba81dcbfa988da"

DAY_TICKS = 96
YEAR_TICKS = 12 * DAY_TICKS


@dataclass(frozen=True)
class Played:
    code: int
    out: str
    err: str

    def number(self, name: str) -> int:
        """The first number of a line of the summary."""
        return int(self._line(name).split()[0])

    def died_of(self, cause: str) -> int:
        found = re.search(rf"(\d+) of {cause}", self._line("died"))
        assert found, self.out
        return int(found[1])

    @property
    def hash(self) -> str:
        return self._line("colony_hash")

    @property
    def maps(self) -> list[list[str]]:
        """The maps it drew, each a list of rows without the frame."""
        found: list[list[str]] = []
        for line in self.out.splitlines():
            if line.startswith("+") and (not found or found[-1]):
                found.append([])
            elif line.startswith("|"):
                found[-1].append(line[1:-1])
        return [rows for rows in found if rows]

    def _line(self, name: str) -> str:
        found = re.search(rf"^  {name} +(.*)$", self.out, re.MULTILINE)
        assert found, f"no line '{name}' in:\n{self.out}"
        return found[1]


def program(game: str) -> Path:
    named = os.environ.get(game)
    return Path(named) if named else built(TARGETS[game])


@cache
def play(*arguments: str, game: str = GAME) -> Played:
    done = subprocess.run([program(game), *arguments], capture_output=True, text=True, timeout=300)
    return Played(done.returncode, done.stdout, done.stderr)


def quiet(ticks: int, *arguments: str, game: str = GAME) -> Played:
    played = play("--quiet", "--ticks", str(ticks), *arguments, game=game)
    assert played.code == 0, played.err
    return played


# ---- what a first run shows


def test_a_first_run_shows_two_maps_a_legend_progress_and_a_summary() -> None:
    played = play()
    assert played.code == 0
    assert played.err == ""
    first, last = played.maps
    assert {len(row) for row in first} == {72}
    assert len(first) == len(last) == 22
    assert first != last
    assert "storehouse" in played.out
    assert len(re.findall(r"^ +\d+ (spring|summer|autumn|winter) ", played.out, re.M)) == 10
    assert played.number("people") > 0
    assert re.fullmatch(r"0x[0-9a-f]{16}", played.hash)


def test_what_happens_is_heard() -> None:
    played = quiet(1000)
    heard = [int(number) for number in re.findall(r"\d+", played.out.partition("sounds")[2])]
    assert heard[:2] == [played.number("born"), played.number("died")]
    assert f"({heard[2]} built," in played.out


def test_the_map_shows_the_village_the_fields_the_forest_and_the_river() -> None:
    seen = set("".join("".join(row) for row in play("--ticks", "0").maps[0]))
    assert seen >= set('OHSB@Tt",~ ')


def test_the_map_hides_no_building() -> None:
    played = play()
    for rows, houses in ((played.maps[0], 10), (played.maps[1], played.number("houses"))):
        assert "".join(rows).count("H") == houses
        assert "".join(rows).count("O") == 1


def test_feet_wear_paths_and_roads() -> None:
    before, after = play().maps
    assert not set("".join(before)) & set(":#")
    assert set("".join(after)) >= set(":#")
    assert play().number("worn ground") > 20


def test_the_map_has_the_size_that_was_asked_for() -> None:
    played = play("--ticks", "0", "--width", "30", "--height", "14", "--villagers", "8")
    rows = played.maps[0]
    assert len(rows) == 14
    assert {len(row) for row in rows} == {30}
    assert played.number("people") == 8


def test_quiet_leaves_only_the_summary() -> None:
    played = quiet(200)
    assert played.maps == []
    assert "news" not in played.out
    assert played.out.startswith("After 200 ticks: Day 3, spring, 10:00\n")


def test_help_says_all_options_and_runs_nothing() -> None:
    played = play("--help")
    assert played.code == 0
    numbers = ("--ticks", "--seed", "--width", "--height", "--map", "--villagers", "--workers")
    for option in (*numbers, "--quiet", "--help", "--save", "--load", "--orders", "--record"):
        assert option in played.out
    assert "colony_hash" not in played.out


# ---- wrong usage: exit code 2, one line that says what to write instead, and no run


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--ticks"], "--ticks needs a number"),
        (["--ticks", "many"], "--ticks takes a whole number from 0 to 100000000, not 'many'"),
        (["--ticks", "-1"], "--ticks takes a whole number from 0 to 100000000, not '-1'"),
        (["--ticks", ""], "--ticks takes a whole number from 0 to 100000000, not ''"),
        (["--ticks", "5x"], "--ticks takes a whole number from 0 to 100000000, not '5x'"),
        (["--ticks", "1.5"], "--ticks takes a whole number from 0 to 100000000, not '1.5'"),
        (["--ticks", " 5"], "--ticks takes a whole number from 0 to 100000000, not ' 5'"),
        (["--seed=99999999999999999999"], "from 0 to 18446744073709551615"),
        (["--width", "23"], "--width takes a whole number from 24 to 1024, not '23'"),
        (["--width", "1025"], "--width takes a whole number from 24 to 1024, not '1025'"),
        (["--height=11"], "--height takes a whole number from 12 to 1024, not '11'"),
        (["--map=0"], "--map takes a whole number from 24 to 1024, not '0'"),
        (["--villagers", "0"], "--villagers takes a whole number from 1 to 20000, not '0'"),
        (["--workers", "65"], "--workers takes a whole number from 0 to 64, not '65'"),
        (["--villagers=500"], "500 villagers need a larger map: 72 x 22 tiles feed at most 132"),
        (["--tick", "5"], "there is no option '--tick'; --help lists them"),
        (["--quiet=yes"], "there is no option '--quiet=yes'; --help lists them"),
        (["100"], "there is no option '100'; --help lists them"),
    ],
)
def test_wrong_usage_is_explained(arguments: list[str], complaint: str) -> None:
    played = play(*arguments)
    assert played.code == 2
    assert played.out == ""
    assert played.err.startswith("colony: ")
    assert complaint in played.err
    assert played.err.count("\n") == 1


@pytest.mark.parametrize("option", ["--quiet", "--help"])
def test_output_that_cannot_be_written_is_a_failure(option: str) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [program(GAME), option], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert done.returncode == 1
    assert done.stderr == "colony: the output cannot be written\n"


# ---- orders from outside

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


# ---- alike every time


def test_the_golden_hash() -> None:
    assert quiet(1000).hash == GOLDEN


def test_the_same_seed_gives_the_same_colony() -> None:
    command = [program(GAME), "--seed", "1"]
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert again.stdout == play("--seed", "1").out


def test_an_option_may_be_written_in_two_ways() -> None:
    assert play("--ticks=50", "--seed=4").out == play("--ticks", "50", "--seed", "4").out


def saved(path: Path, ticks: int, *arguments: str) -> bytes:
    """Returns what it saves after so many ticks."""
    quiet(ticks, "--save", str(path), *arguments)
    return path.read_bytes()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_saving_at_half_and_going_on_gives_the_same_colony(seed: int, tmp_path: Path) -> None:
    half, end, at = tmp_path / "half.save", tmp_path / "end.save", ("--seed", str(seed))
    saved(half, 1500, *at)
    assert quiet(1500, "--load", str(half)).hash == quiet(3000, *at).hash
    assert saved(end, 1500, "--load", str(half)) == saved(end, 3000, *at)


@pytest.mark.parametrize("loading", [0, 1, 2, 4])
@pytest.mark.parametrize("saving", [0, 1, 2, 4])
def test_saves_do_not_know_how_many_workers_there_were(
    saving: int, loading: int, tmp_path: Path
) -> None:
    half, end = tmp_path / "half.save", tmp_path / "end.save"
    there = saved(half, 1000, "--workers", str(saving))
    assert there == saved(end, 1000)
    # Tags that follow from the rest are worked out again after a load: this is yet to come there.
    loaded = saved(end, 0, "--workers", str(loading), "--load", str(half))
    assert loaded == saved(end, 0, "--load", str(half))
    gone_on = saved(end, 1000, "--workers", str(loading), "--load", str(half))
    assert gone_on == saved(end, 2000, "--workers", str(saving))


def test_a_colony_that_was_loaded_looks_as_when_it_was_saved(tmp_path: Path) -> None:
    save = str(tmp_path / "colony.save")
    rows = [
        [line for line in played.out.splitlines() if line.startswith("|")]
        for played in (
            play("--ticks", "500", "--save", save),
            play("--ticks", "0", "--load", save),
        )
    ]
    height = len(rows[0]) // 2
    assert rows[1][:height] == rows[0][height:]


OLD_SAVES = sorted((ROOT / "tests" / "game" / "saves").glob("*.save.gz"))


def release_of(packed: Path) -> str:
    return packed.name.removesuffix(".save.gz")


@pytest.mark.parametrize("packed", OLD_SAVES, ids=release_of)
def test_a_save_of_an_old_release_loads(packed: Path, tmp_path: Path, update: bool) -> None:
    save = tmp_path / "colony.save"
    save.write_bytes(gzip.decompress(packed.read_bytes()))
    loaded = quiet(0, "--load", str(save))
    expected = packed.with_name(f"{release_of(packed)}.expected")
    if update:
        expected.write_text(loaded.out, encoding="utf-8")
    assert loaded.out == expected.read_text(encoding="utf-8")
    lived_on = quiet(3 * DAY_TICKS, "--load", str(save))
    assert lived_on.number("people") > loaded.number("people") // 2


def test_a_save_of_release_1_brings_its_ground_along(tmp_path: Path) -> None:
    """Two arrays of then are patches now: river and roads are where they were, and stay."""
    save, again = tmp_path / "first.save", tmp_path / "again.save"
    save.write_bytes(gzip.decompress(OLD_SAVES[0].read_bytes()))
    ground = open_save(str(save)).singletons["ground"]
    tiles = range(ground["width"] * ground["height"])
    loaded = play("--ticks", "0", "--load", str(save), "--save", str(again))
    seen = "".join(loaded.maps[0])
    assert {seen[tile] for tile in tiles if ground["terrain"][tile] == "water"} == {"~"}
    assert seen.count("~") == ground["terrain"].count("water")
    trodden = [tile for tile in tiles if ground["wear"][tile] >= 30]
    assert loaded.number("worn ground") == len(trodden) > 0
    assert not {seen[tile] for tile in tiles if seen[tile] in ":#" and tile not in trodden}
    now = open_save(str(again)).singletons["ground"]
    assert set(now["first_terrain"]) == {"grass"} and set(now["first_wear"]) == {0}
    assert quiet(0, "--load", str(again)).hash == loaded.hash


def test_every_release_of_the_lock_has_a_save() -> None:
    lock = tomllib.loads((ROOT / "schema" / "colony.lock").read_text(encoding="utf-8"))
    releases = lock["release"].keys()
    assert releases
    assert releases - {release_of(packed) for packed in OLD_SAVES} == set()


def test_a_save_that_cannot_be_loaded_is_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "colony.save"
    path.write_bytes(b"no save at all")
    played = play("--load", str(path))
    assert played.code == 1
    assert played.err == f"colony: '{path}': this is no save\n"
    assert list(tmp_path.iterdir()) == [path]


def test_the_map_and_the_progress_change_nothing() -> None:
    assert play("--ticks", "500").hash == quiet(500).hash


@pytest.mark.parametrize("workers", [0, 2, 4, 8])
def test_any_number_of_workers_gives_the_same_colony(workers: int) -> None:
    alone = play("--ticks", "3000")
    assert play("--ticks", "3000", "--workers", str(workers)).out == alone.out


def test_another_seed_gives_another_colony() -> None:
    hashes = {quiet(100, "--seed", str(seed)).hash for seed in range(10)}
    assert len(hashes) == 10


def test_every_tick_changes_the_state() -> None:
    hashes = {quiet(ticks).hash for ticks in range(20)}
    assert len(hashes) == 20


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_another_compiler_gives_the_same_colony(seed: int) -> None:
    arguments = ("--ticks", "3000", "--seed", str(seed))
    assert play(*arguments, game=OTHER).out == play(*arguments).out


# ---- a colony that lives


@pytest.mark.parametrize("seed", [1, 2, 3, 4, 5])
def test_a_colony_lives_on_neither_extinct_nor_exploding(seed: int) -> None:
    played = quiet(10_000, "--seed", str(seed))
    assert 25 <= played.number("people") <= 160
    assert played.number("born") > 40
    assert played.died_of("age") > 40
    assert played.died_of("hunger") <= played.number("died") // 10
    assert played.number("people") == 40 + played.number("born") - played.number("died")
    assert played.number("houses") > 10


@pytest.mark.parametrize(
    ("villagers", "width", "height"), [(12, 24, 12), (24, 24, 12), (132, 72, 22), (300, 128, 96)]
)
def test_colonies_of_other_sizes_live_on(villagers: int, width: int, height: int) -> None:
    size = ("--villagers", str(villagers), "--width", str(width), "--height", str(height))
    played = quiet(3 * YEAR_TICKS, *size)
    assert villagers // 2 <= played.number("people") <= villagers * 4


def test_twenty_thousand_live_on() -> None:
    played = quiet(DAY_TICKS + 4, "--villagers", "20000", "--map", "1024")
    assert played.number("people") == 20_000 + played.number("born") - played.number("died")
    assert played.number("born") > 0
    assert played.number("houses") == 5_000


def test_one_villager_lives_alone_and_dies() -> None:
    alone = ("--villagers", "1", "--seed", "2")
    assert quiet(20 * DAY_TICKS, *alone).number("people") == 1
    played = quiet(70 * DAY_TICKS, *alone)
    assert played.number("people") == 0
    assert played.number("born") == 0
    assert played.number("died") == 1
