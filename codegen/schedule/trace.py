"""Reads a trace of phases and systems: a file that runtime/trace writes.

Each trace event is one line, so that a mistake has a place and progress can be shown.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from source.refusal import RefusedError

STEP_LINES = 10_000  # lines between two updates of the progress
LINE_BYTES_MAX = 1 << 20  # runtime/trace writes a few hundred bytes for an event


class TraceError(RefusedError):
    """Explains why a file is not a trace of this world, and how to make one."""


@dataclass
class Timed:
    """The sums of all zones with one name."""

    count: int = 0
    us: float = 0.0  # total duration
    rows: int = 0  # rows of all turns


@dataclass
class Trace:
    """The sums of a file, by the names of phases and systems."""

    world: str = ""
    ticks: int = 0
    threads: int = 0
    phases: dict[str, Timed] = field(default_factory=dict)
    applying: dict[str, Timed] = field(default_factory=dict)  # applying of commands, by phase
    systems: dict[str, Timed] = field(default_factory=dict)


Zone = tuple[str, str, float]  # category, name, and start time
Event = dict[str, Any]


class _Reader:
    """Adds up zones when they end."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.trace = Trace()
        self.open: dict[int, list[Zone]] = {}  # by thread, the innermost last
        self.shared: dict[str, Zone] = {}  # turns that several threads share, by system
        self.ticks: list[int] = []  # the first and the last one

    def fail(self, line: int, words: str) -> TraceError:
        help = "`build/colony --trace FILE` writes a trace; see runtime/trace/README.md"
        return TraceError(f"{self.path}:{line}: {words}", help)

    def add(self, line: int, event: Event) -> None:
        kind = event.get("ph")
        try:
            if kind == "M":
                self.trace.world = str(event["args"]["name"])
            elif kind in ("B", "b"):
                self._begin(event, shared=kind == "b")
            elif kind in ("E", "e"):
                self._end(line, event, shared=kind == "e")
            else:
                raise self.fail(line, f"Weft writes no events of the kind '{kind}'")
        except (KeyError, TypeError, ValueError) as missing:
            raise self.fail(line, f"this event lacks something: {missing}") from missing

    def _begin(self, event: Event, *, shared: bool) -> None:
        zone = (str(event["cat"]), str(event["name"]), _time(event["ts"]))
        tick = _count(event["args"]["tick"])
        self.ticks = [min([*self.ticks[:1], tick]), max([*self.ticks[1:], tick])]
        if shared:
            self.shared[zone[1]] = zone
        else:
            self.open.setdefault(_count(event["tid"]), []).append(zone)

    def _end(self, line: int, event: Event, *, shared: bool) -> None:
        name, thread = str(event["name"]), _count(event["tid"])
        begun = self.open.get(thread, [])
        inner = begun[-1] if begun else None
        zone = self.shared.pop(name, None) if shared else inner
        if zone is None or zone[:2] != (event["cat"], name):
            raise self.fail(line, f"'{name}' ends on thread {thread}, but did not begin there")
        if not shared:
            begun.pop()
        took = _time(event["ts"]) - zone[2]
        if zone[0] == "phase":
            _add(self.trace.phases, name, took)
        elif zone[0] == "system":
            _add(self.trace.systems, name, took).rows += _count(event["args"]["rows"])
        elif name == "apply" and begun and begun[0][0] == "phase":
            _add(self.trace.applying, begun[0][1], took)

    def end(self, line: int) -> Trace:
        if not self.trace.world or not self.trace.phases:
            raise self.fail(line, "the trace contains no phase of a world")
        self.trace.ticks = self.ticks[1] - self.ticks[0] + 1
        self.trace.threads = len(self.open)
        return self.trace


def _count(value: object) -> int:
    """Returns a count. Raises ValueError unless it is a whole number of 64 bits."""
    if type(value) is not int or not 0 <= value < 2**64:
        raise ValueError("expected a whole number of 64 bits")
    return value


def _time(value: object) -> float:
    """Returns microseconds. Raises ValueError if no clock can show them."""
    if isinstance(value, (int, float)) and abs(value) < 2**64:
        return float(value)
    raise ValueError("expected a time in microseconds")


def _add(to: dict[str, Timed], name: str, took: float) -> Timed:
    timed = to.setdefault(name, Timed())
    timed.count += 1
    timed.us += took
    return timed


def lines_of(path: str, file: BinaryIO) -> Iterator[str]:
    """Yields the lines of a file. Raises TraceError for a line that is too long for a trace."""
    number = 1
    while line := file.readline(LINE_BYTES_MAX):
        if len(line) == LINE_BYTES_MAX:
            raise _Reader(path).fail(number, "this line is too long")
        yield line.decode()
        number += 1


def read_trace(path: str, lines: Iterable[str], step: Callable[[], None] = lambda: None) -> Trace:
    """Reads the lines of a file. Raises TraceError.

    A program that crashed leaves its last line unfinished and the array open. The lines before that
    still count.
    """
    reader = _Reader(path)
    broken: TraceError | None = None
    number = 0
    for number, line in enumerate(lines, 1):
        if number % STEP_LINES == 0:
            step()
        text = line.strip().removesuffix(",")
        if broken is not None:
            raise broken
        if number == 1 and text != "[":
            raise reader.fail(1, "a trace starts with a line '['")
        if text in ("[", "]", ""):
            continue
        event = _event(text)
        if event is None:
            broken = reader.fail(number, "this is not a trace event")
        else:
            reader.add(number, event)
    return reader.end(max(number, 1))


def _event(text: str) -> Event | None:
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) else None
