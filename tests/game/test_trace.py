"""The trace that the game writes, checked event by event against the description of the format.

perfetto.py checks it with Perfetto's own page, which needs more packages than these tests may use.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from colony_game import GAME, program
from trace_file import Zone, read_zones

PHASES = ("orders", "sense", "decide", "act", "live", "record")
TICKS = 120
PEOPLE = 40
ROOT = Path(__file__).resolve().parents[2]
CALLS = {"apply", "save", "load"}  # of category "world"


def play(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Plays without maps, which prints the hash of the colony in the end."""
    command: list[str | Path] = [program(GAME), "--quiet", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def profile(trace: Path) -> subprocess.CompletedProcess[str]:
    schema = ROOT / "schema/colony.toml"
    command: list[str | Path] = [
        sys.executable,
        ROOT / "codegen",
        "schedule",
        schema,
        "--profile",
        trace,
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def systems() -> list[str]:
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "schema").glob("*.toml"))
    return [name for text in texts for name in tomllib.loads(text).get("system", {})]


def counted(zones: list[Zone]) -> Counter[tuple[str, str]]:
    return Counter((zone.category, zone.name) for zone in zones)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trace") / "alone.trace"
    assert play("--ticks", str(TICKS), "--trace", path).returncode == 0
    return path


def test_a_trace_has_every_phase_and_system(alone: Path) -> None:
    zones = read_zones(alone)
    counts = counted(zones)
    assert {name for kind, name in counts if kind == "phase"} == set(PHASES)
    assert all(counts["phase", phase] >= TICKS for phase in PHASES)
    turns = {name: n for (kind, name), n in counts.items() if kind == "system"}
    assert set(turns) <= set(systems())
    assert turns["movement"] == turns["seek_food"] == TICKS  # they are due in each tick
    assert turns["regrow"] == TICKS // 96  # and this one once a day
    assert {name for kind, name in counts if kind == "world"} <= CALLS
    assert max(zone.arg("tick") for zone in zones) == TICKS - 1
    rows = [zone.arg("rows") for zone in zones if zone.name == "get_hungry"]
    assert PEOPLE in rows and all(PEOPLE <= n < PEOPLE + 10 for n in rows)  # a few are born


@pytest.mark.parametrize("workers", [0, 4])
def test_any_number_of_workers_has_an_equal_trace_but_for_times(
    workers: int, alone: Path, tmp_path: Path
) -> None:
    path = tmp_path / "some.trace"
    traced = play("--ticks", str(TICKS), "--trace", path, "--workers", str(workers))
    untraced = play("--ticks", str(TICKS))
    assert (traced.stdout, traced.stderr) == (untraced.stdout, untraced.stderr)
    assert traced.returncode == untraced.returncode == 0

    def sums(trace: Path) -> list[tuple[object, ...]]:
        keys = ("rows", "commands", "events")
        zones = read_zones(trace)
        return sorted((one.category, one.name, *map(one.arg, keys)) for one in zones)

    assert sums(path) == sums(alone)


def test_saving_and_loading_are_in_it(tmp_path: Path) -> None:
    save, trace = tmp_path / "colony.save", tmp_path / "some.trace"
    play("--ticks", "1", "--save", save)
    play("--ticks", "1", "--load", save, "--save", save, "--trace", trace)
    counts = counted(read_zones(trace))
    assert counts["world", "save"] == counts["world", "load"] == 1


def test_the_schedule_shows_its_critical_path(alone: Path) -> None:
    done = profile(alone)
    assert f"world colony: {TICKS} ticks in {alone}" in done.stdout
    assert (
        done.stdout.count("measured path: ") == done.stdout.count("planned path: ") == len(PHASES)
    )
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("path", "why"),
    [("/nowhere/at.trace", "No such file or directory"), ("/dev/full", "No space left on device")],
)
def test_a_trace_that_cannot_be_written_is_a_failure(path: str, why: str) -> None:
    played = play("--ticks", "10", "--trace", path)
    assert played.returncode == 1
    assert played.stderr == f"colony: the trace '{path}' cannot be written: {why}\n"


def test_a_call_that_failed_before_is_no_failure_of_the_trace(tmp_path: Path) -> None:
    """A file that does not exist yet is asked for before it is saved, which sets errno."""
    played = play(
        "--ticks", "1", "--save", tmp_path / "new.save", "--trace", tmp_path / "some.trace"
    )
    assert (played.returncode, played.stderr) == (0, "")


def test_a_game_that_dies_leaves_what_can_be_read(alone: Path, tmp_path: Path) -> None:
    """The reader of `schedule --profile` and the page take it without its end."""
    text = alone.read_text(encoding="ascii")
    (tmp_path / "cut.trace").write_text(text[: len(text) // 2], encoding="ascii")
    done = profile(tmp_path / "cut.trace")
    assert done.returncode == 0 and "measured path" in done.stdout
