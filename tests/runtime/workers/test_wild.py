"""Random worlds reach one state over hundreds of ticks, for any number of workers.

The test tries a few fixed worlds; WEFT_EXAMPLES=40 tries 40, for thousands of ticks. Only some
ticks are compared because worlds that differ once stay different.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from examples import ASKED, long_after
from wild import World
from wild_build import compile_world, compiled

HERE = Path(__file__).resolve().parent
SEEDS, TICKS = (ASKED, 5000) if ASKED else (4, 600)
LARGE = 10_000  # entities: half as many ticks
WATCHED_TICKS = 1000 if ASKED else 60  # in the build that watches threads
FUSED = (1, 2, 5)  # worlds whose systems are fused: seeds by which there are several passes
FUSED_TICKS = TICKS // 5
EACH = 20  # ticks from one that is compared to the next
WORKERS = (1, 2, 4, 8)
NOT_MEASURED = 4  # workers, with which the world is not measured: that makes no difference to it
IN_A_CIRCLE = "hooks answer each other in a circle"
NOT_MEASURED_FUSED = (0, 2, 8)  # where passes call their systems themselves, if they can
WORLDS = [pytest.param(n, marks=pytest.mark.xdist_group(f"wild {n}")) for n in range(SEEDS)]


def run(
    program: Path, ticks: int, workers: int, *, measured: bool
) -> subprocess.CompletedProcess[str]:
    arguments = [str(ticks), str(workers), str(EACH), "measured" if measured else "alone"]
    return subprocess.run([program, *arguments], capture_output=True, text=True, check=False)


def course(program: Path, ticks: int, workers: int, *, measured: bool = True) -> list[str]:
    """A line for every tick to compare: the hash of all there is, and some counts.

    A world that is measured also has a line for what each system has done. The program compares
    that with what the systems count of themselves, and looks whether zones are balanced.
    """
    done = run(program, ticks, workers, measured=measured)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines[: ticks // EACH]) == ticks // EACH
    assert measured == (len(lines) > ticks // EACH)
    assert not [line for line in lines if "not timed" in line]
    return lines


def assert_much_happened(lines: list[str]) -> None:
    """Worlds that stand still, or where no entity is left, would prove nothing."""
    assert len({line.split()[1] for line in lines}) == len(lines)
    counts = [re.search(r"(\d+) entities in (\d+) tables, dropped (\d+)", line) for line in lines]
    numbers = [[int(n) for n in found.groups()] for found in counts if found]
    assert min(entities for entities, _, _ in numbers) > 300  # more than a part
    assert numbers[-1][1] >= 4  # whether one has c0, and c1
    assert numbers[-1][2] > len(lines) * EACH


@pytest.mark.parametrize("seed", long_after(2, WORLDS))
def test_seed_F12_any_number_of_workers_comes_to_the_same(seed: int, tmp_path: Path) -> None:
    wild = compiled(seed, "gcc")
    program = wild.program(HERE / "wild.c", tmp_path, "clang/libweft.a")
    ticks = TICKS if wild.world.max_entities < LARGE else TICKS // 2
    alone = course(program, ticks, WORKERS[0])
    assert_much_happened(alone[: ticks // EACH])
    for workers in WORKERS[1:]:
        measured = workers != NOT_MEASURED
        lines = course(program, ticks, workers, measured=measured)
        for one, other in zip(alone, lines, strict=measured):
            assert one == other, f"with {workers} workers"


@pytest.mark.parametrize("seed", long_after(1, WORLDS[: max(ASKED // 4, 2)]))
def test_a_flush_is_like_the_end_of_a_phase(seed: int, tmp_path: Path) -> None:
    flushed = compiled(seed, "gcc")
    assert any(one.flush for one in flushed.world.systems)
    world = World(seed, tmp_path)
    world.with_phases_for_flushes()
    split = compile_world(world, tmp_path, "gcc", "-O0")
    (tmp_path / "split").mkdir()
    one = flushed.program(HERE / "wild.c", tmp_path, "clang/libweft.a")
    other = split.program(HERE / "wild.c", tmp_path / "split", "clang/libweft.a")
    if ASKED and IN_A_CIRCLE in run(one, TICKS // 4, 4, measured=False).stderr:
        pytest.skip("its hooks call each other for ever, and go on wherever commands are applied")
    assert course(one, TICKS // 4, 4) == course(other, TICKS // 4, 4)


@pytest.mark.parametrize("seed", range(max(ASKED, 1)))
def test_nothing_is_reached_by_two_threads_unordered(seed: int, tmp_path: Path) -> None:
    """In a build that ends with an error where it is."""
    wild = compiled(seed, "clang", "-O0", "-g1", "-fsanitize=thread")
    program = wild.program(HERE / "wild.c", tmp_path, "tsan/libweft.a")
    course(program, WATCHED_TICKS, 4)


# ---- systems that run block by block, which look at no place in a range


def fused(seed: int, folder: Path) -> World:
    """Makes a world in which systems are fused."""
    world = World(seed, folder, passes=True)
    assert sum(passes(world)) > 4 or seed not in FUSED
    assert "pass_" in world.files["wild/wild_run.c"] or seed not in FUSED
    return world


def inline(seed: int, folder: Path) -> World:
    """Makes one where many of them are inline, and one loop does the work of several."""
    world = World(seed, folder, passes=True, plain=True)
    world.with_inline_systems()
    assert "static void rows_" in world.files["wild/wild_run.c"] or seed not in FUSED
    return world


def apart(seed: int, folder: Path, *, plain: bool) -> World:
    """Makes such a world where none is fused, and all are functions."""
    world = World(seed, folder, passes=True, plain=plain)
    world.without_passes()
    assert not passes(world)
    return world


def passes(world: World) -> list[int]:
    """Counts the systems of each pass."""
    code = world.files["wild/wild_run.c"]
    return [int(n) for n in re.findall(r"\.system_count = (\d+), \.unit_rows", code)]


@pytest.mark.parametrize("together", [fused, inline], ids=["fused", "inline"])
@pytest.mark.parametrize("seed", long_after(1, range(ASKED) if ASKED else FUSED))
def test_fused_systems_do_what_they_do_one_by_one(
    seed: int, together: Callable[[int, Path], World], tmp_path: Path
) -> None:
    worlds = [together(seed, tmp_path), apart(seed, tmp_path, plain=together is inline)]
    program, one_by_one = (
        compile_world(world, folder, "gcc", "-O0").program(
            HERE / "wild.c", folder, "clang/libweft.a"
        )
        for world, folder in zip(worlds, (tmp_path / "together", tmp_path / "apart"), strict=True)
    )
    wanted = course(one_by_one, FUSED_TICKS, 1)
    hashes = wanted[: FUSED_TICKS // EACH]
    assert len({line.split()[1] for line in hashes}) == FUSED_TICKS // EACH
    for workers in (0, *WORKERS):
        measured = workers not in NOT_MEASURED_FUSED
        lines = course(program, FUSED_TICKS, workers, measured=measured)
        for one, other in zip(wanted, lines, strict=measured):
            assert one == other, f"with {workers} workers"


def test_threads_in_a_pass_reach_nothing_unordered(tmp_path: Path) -> None:
    """In a build that ends with an error where it is."""
    command = ("clang", "-O0", "-g1", "-fsanitize=thread")
    wild = compile_world(fused(FUSED[0], tmp_path), tmp_path, *command)
    program = wild.program(HERE / "wild.c", tmp_path, "tsan/libweft.a")
    for measured in (True, False):
        course(program, WATCHED_TICKS, 4, measured=measured)
