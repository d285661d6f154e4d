"""The game as a program: its options, its output, and that a seed gives one colony."""

from __future__ import annotations

import re
import subprocess

import pytest

from colony_game import DAY_TICKS, GAME, OTHER, YEAR_TICKS, play, program, quiet

# The state after 1,000 ticks with seed 1. It changes when the schema or the rules of the game
# change, or the order in which indices are given to new entities, and only then: not with the
# compiler, its flags, or the machine.
GOLDEN = "0x87e9b3a6d42ec54f"


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


def test_the_map_of_several_hamlets_shows_roads_and_bridges() -> None:
    first = play("--ticks", "0", "--map", "128", "--villagers", "320").maps[0]
    seen = "".join("".join(row) for row in first)
    assert seen.count("O") == 8
    assert seen.count(".") > 100
    assert "=" in seen


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
    files = ("--save", "--load", "--orders", "--record", "--trace")
    for option in (*numbers, *files, "--colour", "--quiet", "--help"):
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
        (["--colour"], "--colour takes auto, always or never, not ''"),
        (["--colour=red"], "--colour takes auto, always or never, not 'red'"),
        (["--colour", "ALWAYS"], "--colour takes auto, always or never, not 'ALWAYS'"),
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


# ---- alike every time


def test_the_golden_hash() -> None:
    assert quiet(1000).hash == GOLDEN


def test_the_same_seed_gives_the_same_colony() -> None:
    command = [program(GAME), "--seed", "1"]
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert again.stdout == play("--seed", "1").out


def test_an_option_may_be_written_in_two_ways() -> None:
    assert play("--ticks=50", "--seed=4").out == play("--ticks", "50", "--seed", "4").out


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
