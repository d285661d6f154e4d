"""Reads what a world has told of its phases and systems: a file that runtime/trace writes.

It has a trace event a line, so that a mistake has a place and a long file shows how far it is.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from source.refusal import RefusedError

STEP_LINES = 10_000  # from one look at the progress to the next
LINE_BYTES_MAX = 1 << 20  # what runtime/trace writes for an event takes some hundred


class TraceError(RefusedError):
    """Tells in words why a file is no trace of this world, and how to come by one."""


@dataclass
class Timed:
    """The sums of all zones of one name."""

    count: int = 0
    us: float = 0.0  # from their beginnings to their ends
    rows: int = 0  # of turns


@dataclass
class Trace:
    """The sums of a file, by the names of phases and systems."""

    world: str = ""
    ticks: int = 0
    threads: int = 0
    phases: dict[str, Timed] = field(default_factory=dict)
    applying: dict[str, Timed] = field(default_factory=dict)  # of commands, by phase
    systems: dict[str, Timed] = field(default_factory=dict)


Zone = tuple[str, str, float]  # category, name, and when it has begun
Event = dict[str, Any]


class _Reader:
    """Adds up zones as their ends come."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.trace = Trace()
        self.open: dict[int, list[Zone]] = {}  # by thread, the innermost last
        self.shared: dict[str, Zone] = {}  # turns that threads share, by system
        self.ticks: list[int] = []  # the first and the last

    def fail(self, line: int, words: str) -> TraceError:
        help = "`build/colony --trace FILE` writes one; runtime/trace/README.md tells more"
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
                raise self.fail(line, f"a trace of Weft has no events of the kind '{kind}'")
        except (KeyError, TypeError, ValueError) as missing:
            raise self.fail(line, f"an event without what it has to have: {missing}") from missing

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
            raise self.fail(line, f"'{name}' ends on thread {thread}, where it has not begun")
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
            raise self.fail(line, "no phase of a world is in it")
        self.trace.ticks = self.ticks[1] - self.ticks[0] + 1
        self.trace.threads = len(self.open)
        return self.trace


def _count(value: object) -> int:
    """Returns a number that counts. Raises ValueError unless it is whole and has 64 bits."""
    if type(value) is not int or not 0 <= value < 2**64:
        raise ValueError("a whole number of 64 bits")
    return value


def _time(value: object) -> float:
    """Returns microseconds. Raises ValueError if no clock shows these."""
    if isinstance(value, (int, float)) and abs(value) < 2**64:
        return float(value)
    raise ValueError("a time in microseconds")


def _add(to: dict[str, Timed], name: str, took: float) -> Timed:
    timed = to.setdefault(name, Timed())
    timed.count += 1
    timed.us += took
    return timed


def lines_of(path: str, file: BinaryIO) -> Iterator[str]:
    """Yields the lines of a file. Raises TraceError for one that no trace has, however long."""
    number = 1
    while line := file.readline(LINE_BYTES_MAX):
        if len(line) == LINE_BYTES_MAX:
            raise _Reader(path).fail(number, "the line is too long")
        yield line.decode()
        number += 1


def read_trace(path: str, lines: Iterable[str], step: Callable[[], None] = lambda: None) -> Trace:
    """Reads the lines of a file. Raises TraceError.

    A program that died has left the last line unfinished and the array open. What it has written
    before counts.
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
            raise reader.fail(1, "a trace begins with a line '['")
        if text in ("[", "]", ""):
            continue
        event = _event(text)
        if event is None:
            broken = reader.fail(number, "no trace event")
        else:
            reader.add(number, event)
    return reader.end(max(number, 1))


def _event(text: str) -> Event | None:
    try:
        event = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) else None
