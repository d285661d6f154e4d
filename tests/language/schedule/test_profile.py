"""The page that `codegen schedule --profile` makes of a trace, and the files that it refuses."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from command import CommandLine
from saves.progress import Progress
from schedule.trace import STEP_LINES, TraceError, read_trace

ROOT = Path(__file__).resolve().parents[3]
SCHEMA = """
[world]
name = "mill"
phases = ["work", "rest"]

[component.a]
fields = { n = "u32" }
[component.b]
fields = { n = "u32" }
[component.c]
fields = { n = "u32" }

[system.first]
phase = "work"
write = ["a"]
[system.second]
phase = "work"
after = ["first"]
read = ["a"]
write = ["b"]
[system.third]
phase = "work"
after = ["second"]
read = ["b"]
commands = true
[system.grind]
phase = "work"
write = ["c"]
parallel = true
[system.late]
phase = "work"
after = ["third", "grind"]
read = ["a", "b", "c"]
flush = true
[system.sleep]
phase = "rest"
read = ["c"]
"""


def lines(*zones: tuple[str, str, float, float, int]) -> list[str]:
    """Returns a trace of two ticks; zones have category, name, begin, end, thread (0: shared)."""
    head = {"ph": "M", "pid": 1, "tid": 1, "name": "process_name", "args": {"name": "mill"}}
    events = []
    for tick in range(2):
        for category, name, begin, end, thread in zones:
            kinds = "BE" if thread else "be"
            own = {"pid": 1, "tid": thread or 1, "cat": category, "name": name, "id": "1"}
            begun = {"ph": kinds[0], "ts": begin + tick * 100, **own, "args": {"tick": 7 + tick}}
            done = {"rows": 10, "ns": 1, "commands": 0, "events": 0}
            ended = {"ph": kinds[1], "ts": end + tick * 100, **own, "args": done}
            events += [(begin + tick * 100, 1, begun), (end + tick * 100, 0, ended)]
    events.sort(key=lambda event: event[:2])
    rows = [json.dumps(event) for event in (head, *(event for _, _, event in events))]
    return ["[", *(row + "," for row in rows[:-1]), rows[-1], "]"]


RUN = lines(
    ("phase", "work", 0, 50, 1),
    ("system", "first", 1, 5, 1),
    ("system", "grind", 2, 30, 0),
    ("part", "grind", 3, 29, 2),
    ("system", "second", 5, 9, 1),
    ("system", "third", 9, 10, 1),
    ("world", "apply", 31, 33, 1),
    ("system", "late", 34, 40, 1),
    ("phase", "rest", 51, 60, 1),
)

EXPECTED = """\
world mill: 2 ticks in run.trace, 59.00 us each, on 2 threads

Times are averages over all ticks. The critical path is the slowest chain of systems that wait for
each other: with any number of workers, the phase takes at least as long. The planned path is the
chain with the most systems. A star marks the systems of the measured path.

phase work: 50.00 us a tick
  applying commands: 2.00 us
  measured path: 34.00 us: grind, late
  planned path: 4 systems: first, second, third, late

    us a tick     a turn   rows a turn    turns
        28.00      28.00          10.0        2 * grind
         6.00       6.00          10.0        2 * late
         4.00       4.00          10.0        2   first
         4.00       4.00          10.0        2   second
         1.00       1.00          10.0        2   third

phase rest: 9.00 us a tick
  measured path: 0.00 us: sleep
  planned path: 1 system: sleep

    us a tick     a turn   rows a turn    turns
         0.00       0.00           0.0        0 * sleep
"""


def profile(
    folder: Path, text: str | bytes, schema: str = SCHEMA
) -> subprocess.CompletedProcess[str]:
    (folder / "mill.toml").write_text(schema, encoding="utf-8")
    (folder / "run.trace").write_bytes(text if isinstance(text, bytes) else text.encode())
    command = [sys.executable, "-B", str(ROOT / "codegen"), "schedule", "mill.toml"]
    return subprocess.run(
        [*command, "--profile", "run.trace"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_measured_path_stands_beside_the_planned_one(tmp_path: Path) -> None:
    done = profile(tmp_path, "\n".join(RUN))
    assert "error" not in done.stderr
    assert done.stdout == EXPECTED
    assert done.returncode == 0


def test_of_several_that_a_system_waits_for_the_longest_is_on_the_path(tmp_path: Path) -> None:
    end = '[system.end]\nphase = "rest"\nafter = ["sleep", "nap"]\nwrite = ["b", "c"]\n'
    more = f'[system.nap]\nphase = "rest"\nread = ["b"]\n{end}'
    for nap, path in ((4, "21.00 us: sleep, end"), (30, "31.00 us: nap, end")):
        trace = lines(
            ("phase", "rest", 0, 60, 1),
            ("system", "sleep", 1, 21, 1),
            ("system", "nap", 22, 22 + nap, 1),
            ("system", "end", 55, 56, 1),
        )
        done = profile(tmp_path, "\n".join(trace), SCHEMA + more)
        assert f"  measured path: {path}\n" in done.stdout


def test_a_program_that_died_leaves_a_trace(tmp_path: Path) -> None:
    whole = "\n".join(RUN)
    done = profile(tmp_path, whole[: whole.rindex("rest")])
    assert done.returncode == 0
    assert "phase work: 50.00 us a tick" in done.stdout


def cut(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


WHOLE = "\n".join(RUN)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "run.trace:1: the trace contains no phase of a world"),
        ("{}", "run.trace:1: a trace starts with a line '['"),
        ("[\n]\n", "run.trace:2: the trace contains no phase of a world"),
        (b"\xff\xfe\x00", "cannot read 'run.trace': it is not text"),
        (cut(WHOLE, '{"ph": "B"', "what"), "run.trace:3: this is not a trace event"),
        (cut(WHOLE, '"ph": "B"', '"ph": "X"'), "Weft writes no events of the kind 'X'"),
        (cut(WHOLE, '"ts"', '"time"'), "this event lacks something: 'ts'"),
        (cut(WHOLE, '"ph": "B"', '"ph": "E"'), "'work' ends on thread 1, but did not begin there"),
        (cut(WHOLE, '"mill"', '"oil"'), "of world 'oil', but the schema has world 'mill'"),
        (
            WHOLE.replace('"late"', '"later"'),
            "turns of 'later', which is not a system of the schema",
        ),
    ],
    ids=range(10),
)
def test_a_file_that_is_no_trace_of_it_is_refused(
    tmp_path: Path, text: str | bytes, words: str
) -> None:
    done = profile(tmp_path, text)
    assert done.returncode == 2
    assert done.stdout == ""
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mill.toml").write_text(SCHEMA, encoding="utf-8")
    command = [sys.executable, "-B", str(ROOT / "codegen"), "schedule", "mill.toml"]
    done = subprocess.run(
        [*command, "--profile", "none"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "error: cannot read 'none': no such file or directory\n" in done.stderr


def test_a_long_trace_shows_how_far_it_is() -> None:
    shown: list[str] = []
    seconds = iter([0.0, 3.0, 3.0, 3.0])
    progress = Progress(shown.append, seconds.__next__)
    turns = RUN[2:-2] * (STEP_LINES // len(RUN[2:-2]) + 1)
    read_trace("a", ["[", RUN[1], *turns], lambda: progress.step("reading", 1, 2))
    assert shown == ["\rreading: 50 %\x1b[K"]


def test_a_broken_line_is_the_last_one_or_refused() -> None:
    with pytest.raises(TraceError, match="a:4: this is not a trace event"):
        read_trace("a", [*RUN[:3], "{", *RUN[3:]])


def profiled(folder: Path, trace: Path) -> tuple[int, str]:
    """Runs the command in bounded memory, and returns its code and complaint."""
    schema = folder / "mill.toml"
    schema.write_text(SCHEMA, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, ROOT / "codegen", "schedule", schema, "--profile", trace],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)),
    )
    return done.returncode, done.stderr


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero"), tmp_path):
        code, told = profiled(tmp_path, path)
        assert (code, told.splitlines()[-1]) == (
            2,
            f"error: cannot read '{path}': it is not a file",
        )


@pytest.mark.parametrize("begun", ["", "[\n"], ids=["first", "later"])
def test_a_line_without_an_end_is_not_read_to_it(tmp_path: Path, begun: str) -> None:
    path = tmp_path / "sparse.json"
    path.write_text(begun, encoding="utf-8")
    os.truncate(path, 40 << 30)
    code, told = profiled(tmp_path, path)
    line = len(begun) // 2 + 1
    assert (code, told.splitlines()[-2]) == (2, f"error: {path}:{line}: this line is too long")


ODD = (
    "1e400",
    "-1e400",
    "NaN",
    "1" + "0" * 400,
    "1" + "0" * 4000,
    "-1",
    "1.5",
    "null",
    "[]",
    "true",
)


@pytest.mark.parametrize("member", ["ts", "tick", "rows", "tid"])
@pytest.mark.parametrize("value", ODD, ids=lambda value: value[:6] + str(len(value)))
def test_numbers_that_no_trace_has_are_answered(tmp_path: Path, member: str, value: str) -> None:
    """They are refused with their line, or counted; none ends in an error of Python."""
    path = tmp_path / "odd.json"
    text = re.sub(rf'"{member}": [0-9.]+', f'"{member}": {value}', "\n".join(RUN))
    path.write_text(text, encoding="utf-8")
    schema = tmp_path / "mill.toml"
    schema.write_text(SCHEMA, encoding="utf-8")
    done = CommandLine().run("schedule", schema, "--profile", path)
    assert done.code in (0, 2)
    assert done.code == 0 or done.err.startswith(f"error: {path}:"), done.err


@pytest.mark.parametrize("sign", ["[", '{"a":'], ids=["array", "object"])
def test_an_event_that_is_too_deep_is_none(sign: str) -> None:
    with pytest.raises(TraceError, match="odd:3: this is not a trace event"):
        read_trace("odd", [*RUN[:2], sign * 100_000, RUN[2]])
