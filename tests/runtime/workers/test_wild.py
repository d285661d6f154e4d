"""Random worlds come to one state over thousands of ticks, whatever the number of workers.

It tries a few worlds, which stay; WEFT_EXAMPLES=40 tries as many, for longer. Some ticks of many
are compared, since what differs once goes on to differ.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from wild import World
from wild_game import compile_world, compiled

HERE = Path(__file__).resolve().parent
ASKED = int(os.environ.get("WEFT_EXAMPLES", "0"))
SEEDS, TICKS = (ASKED, 5000) if ASKED else (4, 2000)
LARGE = 10_000  # entities: half as many ticks
WATCHED_TICKS = 1000 if ASKED else 60  # in the build that watches threads
EACH = 20  # ticks from one that is compared to the next
WORKERS = (1, 2, 4, 8)
WORLDS = [pytest.param(n, marks=pytest.mark.xdist_group(f"wild {n}")) for n in range(SEEDS)]


def course(program: Path, ticks: int, workers: int) -> list[str]:
    """A line for every tick to compare: the hash of all there is, and some counts."""
    arguments = [str(ticks), str(workers), str(EACH)]
    done = subprocess.run([program, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == ticks // EACH
    return lines


def assert_much_happened(lines: list[str]) -> None:
    """Worlds that stand still, or where no entity is left, would prove nothing."""
    assert len({line.split()[1] for line in lines}) == len(lines)
    counts = [re.search(r"(\d+) entities in (\d+) tables, dropped (\d+)", line) for line in lines]
    numbers = [[int(n) for n in found.groups()] for found in counts if found]
    assert min(entities for entities, _, _ in numbers) > 300  # more than a part
    assert numbers[-1][1] >= 4  # whether one has c0, and c1
    assert numbers[-1][2] > len(lines) * EACH


@pytest.mark.parametrize("seed", WORLDS)
def test_seed_F12_any_number_of_workers_comes_to_the_same(seed: int, tmp_path: Path) -> None:
    wild = compiled(seed, "gcc")
    program = wild.program(HERE / "wild.c", tmp_path, "clang/libweft.a")
    ticks = TICKS if wild.world.max_entities < LARGE else TICKS // 2
    alone = course(program, ticks, WORKERS[0])
    assert_much_happened(alone)
    for workers in WORKERS[1:]:
        for one, other in zip(alone, course(program, ticks, workers), strict=True):
            assert one == other, f"with {workers} workers"


@pytest.mark.parametrize("seed", WORLDS[: max(ASKED // 4, 2)])
def test_a_flush_is_like_the_end_of_a_phase(seed: int, tmp_path: Path) -> None:
    flushed = compiled(seed, "gcc")
    assert any(one.flush for one in flushed.world.systems)
    world = World(seed, tmp_path)
    world.with_phases_for_flushes()
    split = compile_world(world, tmp_path, "gcc")
    one, other = (
        course(wild.program(HERE / "wild.c", tmp_path, "clang/libweft.a"), TICKS // 4, 4)
        for wild in (flushed, split)
    )
    assert one == other


@pytest.mark.parametrize("seed", range(max(ASKED, 1)))
def test_nothing_is_reached_by_two_threads_unordered(seed: int, tmp_path: Path) -> None:
    """In a build that ends with an error where it is."""
    wild = compiled(seed, "clang", "-g", "-fsanitize=thread")
    program = wild.program(HERE / "wild.c", tmp_path, "tsan/libweft.a")
    course(program, WATCHED_TICKS, 4)
