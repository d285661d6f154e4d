"""Random worlds come to the same after every tick, whatever the number of workers.

A few worlds, always the same ones; WEFT_EXAMPLES=40 tries as many, for longer.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from wild import World
from wild_game import build_world

HERE = Path(__file__).resolve().parent
ASKED = int(os.environ.get("WEFT_EXAMPLES", "0"))
SEEDS, TICKS = (ASKED, 300) if ASKED else (6, 100)
WORKERS = (0, 1, 2, 4, 8)


def build(seed: int, folder: Path, library: str, *command: str) -> Path:
    return build_world(HERE / "wild.c", World(seed, folder), folder, library, *command)


def course(program: Path, ticks: int, workers: int) -> list[str]:
    """A line for each tick: the hash of all there is, and some counts."""
    done = subprocess.run(
        [program, str(ticks), str(workers)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == ticks
    return lines


def assert_much_happened(lines: list[str]) -> None:
    """Worlds that stand still, or where nobody is left, would prove nothing."""
    assert len({line.split()[1] for line in lines}) == len(lines)
    counts = [re.search(r"(\d+) entities in (\d+) tables, dropped (\d+)", line) for line in lines]
    numbers = [[int(n) for n in found.groups()] for found in counts if found]
    assert min(entities for entities, _, _ in numbers) > 300  # more than a part
    assert numbers[-1][1] >= 4  # whether one has c0, and c1
    assert numbers[-1][2] > len(lines)


@pytest.mark.parametrize("seed", range(SEEDS))
def test_seed_F12_any_number_of_workers_comes_to_the_same(seed: int, tmp_path: Path) -> None:
    program = build(seed, tmp_path, "clang/libweft.a", "gcc")
    alone = course(program, TICKS, WORKERS[0])
    assert_much_happened(alone)
    for workers in WORKERS[1:]:
        for one, other in zip(alone, course(program, TICKS, workers), strict=True):
            assert one == other, f"with {workers} workers"


@pytest.mark.parametrize("seed", range(max(ASKED, 1)))
def test_nothing_is_reached_by_two_threads_unordered(seed: int, tmp_path: Path) -> None:
    """In a build that ends with an error where it is."""
    program = build(seed, tmp_path, "tsan/libweft.a", "clang", "-g", "-fsanitize=thread")
    course(program, 20, 4)
