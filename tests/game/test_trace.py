"""The trace that the game writes: every event of it, as strictly as the format is described.

The format is that of the Trace Event Format of Chrome, which ui.perfetto.dev opens. Its own reader
cannot be had from a package alone, so this one takes nothing that the description does not have.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from colony_game import GAME, program

PHASES = ("orders", "sense", "decide", "act", "live", "record")
TICKS = 120
PEOPLE = 40
ROOT = Path(__file__).resolve().parents[2]
CALLS = {"apply", "save", "load"}  # of category "world"

Event = dict[str, Any]


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


def refuse_twice(pairs: list[tuple[str, Any]]) -> Event:
    assert len(dict(pairs)) == len(pairs), "a key stands twice"
    return dict(pairs)


def read(path: Path) -> list[Event]:
    """Reads a whole file of JSON, and checks each event by itself."""
    events: list[Event] = json.loads(
        path.read_text(encoding="ascii"), object_pairs_hook=refuse_twice
    )
    first, *zones = events
    assert first == {
        "ph": "M", "pid": 1, "tid": 1, "name": "process_name", "args": {"name": "colony"},
    }  # fmt: skip
    for event in zones:
        assert event.keys() == {"ph", "pid", "tid", "ts", "id", "cat", "name", "args"}
        assert event["ph"] in ("B", "E", "b", "e")
        assert event["pid"] == 1 and isinstance(event["tid"], int) and event["tid"] > 0
        assert isinstance(event["ts"], float) and event["ts"] >= 0
        assert isinstance(event["id"], str) and event["id"].isdecimal()
        begins = event["ph"] in "Bb"
        wanted = {"tick", "part"} if begins else {"rows", "ns", "commands", "events"}
        assert event["args"].keys() == wanted
        assert all(isinstance(n, int) and n >= 0 for n in event["args"].values())
    return zones


def systems() -> list[str]:
    texts = (path.read_text(encoding="utf-8") for path in (ROOT / "schema").glob("*.toml"))
    return [name for text in texts for name in tomllib.loads(text).get("system", {})]


def check_balance(zones: list[Event]) -> Counter[tuple[str, str]]:
    """Counts zones by category and name. Those of a thread lie in one another."""
    stacks: dict[int, list[Event]] = {}
    shared: dict[tuple[str, str], Event] = {}
    counts: Counter[tuple[str, str]] = Counter()
    last: dict[int, float] = {}
    for event in zones:
        kind = (event["cat"], event["name"])
        stack = stacks.setdefault(event["tid"], [])
        if event["ph"] in "BE":
            assert last.get(event["tid"], 0.0) <= event["ts"]
            last[event["tid"]] = event["ts"]
        if event["ph"] == "B":
            assert (event["cat"] == "phase") <= (not stack)
            stack.append(event)
        elif event["ph"] == "E":
            begun = stack.pop()
            assert (begun["cat"], begun["name"], begun["id"]) == (*kind, event["id"])
        elif event["ph"] == "b":
            assert (event["cat"], event["id"]) not in shared
            shared[event["cat"], event["id"]] = event
            continue
        else:
            begun = shared.pop((event["cat"], event["id"]))
            assert begun["name"] == event["name"] and begun["ts"] <= event["ts"]
        counts[kind] += event["ph"] in "Ee"
    assert not shared and not any(stacks.values())
    return counts


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trace") / "alone.trace"
    assert play("--ticks", str(TICKS), "--trace", path).returncode == 0
    return path


def test_a_trace_has_every_phase_and_system(alone: Path) -> None:
    zones = read(alone)
    counts = check_balance(zones)
    assert {name for kind, name in counts if kind == "phase"} == set(PHASES)
    assert all(counts["phase", phase] >= TICKS for phase in PHASES)
    turns = {name: n for (kind, name), n in counts.items() if kind == "system"}
    assert set(turns) <= set(systems())
    assert turns["movement"] == turns["seek_food"] == TICKS  # they are due in each tick
    assert turns["regrow"] == TICKS // 96  # and this one once a day
    assert {name for kind, name in counts if kind == "world"} <= CALLS
    assert max(event["args"].get("tick", 0) for event in zones) == TICKS - 1
    rows = [e["args"]["rows"] for e in zones if e["ph"] == "E" and e["name"] == "get_hungry"]
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
        ends = [event for event in read(trace) if event["ph"] in "Ee"]
        keys = ("rows", "commands", "events")
        return sorted((e["cat"], e["name"], *(e["args"][key] for key in keys)) for e in ends)

    check_balance(read(path))
    assert sums(path) == sums(alone)


def test_saving_and_loading_are_in_it(tmp_path: Path) -> None:
    save, trace = tmp_path / "colony.save", tmp_path / "some.trace"
    play("--ticks", "1", "--save", save)
    play("--ticks", "1", "--load", save, "--save", save, "--trace", trace)
    counts = check_balance(read(trace))
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


def test_a_game_that_dies_leaves_what_can_be_read(alone: Path, tmp_path: Path) -> None:
    """The reader of `schedule --profile` and the page take it without its end."""
    text = alone.read_text(encoding="ascii")
    (tmp_path / "cut.trace").write_text(text[: len(text) // 2], encoding="ascii")
    done = profile(tmp_path / "cut.trace")
    assert done.returncode == 0 and "measured path" in done.stdout
