"""Reads a trace that runtime/trace has written, strictly by the description of the format.

The format is Chrome's Trace Event Format. The zones of a thread are nested. Turns that threads
share are not nested, and have a row of their own for each system.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Event = dict[str, Any]

BEGIN_ARGS, END_ARGS = ("tick", "part"), ("rows", "ns", "commands", "events")
NS_IN_US = 1000


@dataclass(frozen=True)
class Zone:
    """A zone from its beginning to its end."""

    category: str
    name: str
    thread: int  # the thread on which it began
    shared: bool
    depth: int  # the number of zones of its thread that contain it
    begun_ns: int
    ended_ns: int
    args: tuple[int, ...]  # in the order of BEGIN_ARGS and END_ARGS

    def arg(self, name: str) -> int:
        return self.args[(BEGIN_ARGS + END_ARGS).index(name)]


def _refuse_twice(pairs: list[tuple[str, Any]]) -> Event:
    assert len(dict(pairs)) == len(pairs), "a key stands twice"
    return dict(pairs)


def read_events(path: Path) -> list[Event]:
    """Reads a whole file of JSON, and checks each event by itself."""
    events: list[Event] = json.loads(
        path.read_text(encoding="ascii"), object_pairs_hook=_refuse_twice
    )
    first, *zones = events
    assert first == {
        "ph": "M", "pid": 1, "tid": 1, "name": "process_name", "args": {"name": "colony"},
    }  # fmt: skip
    for event in zones:
        assert event["ph"] in ("B", "E", "b", "e")
        id = "id2" if event["ph"] in "be" else "id"
        assert event.keys() == {"ph", "pid", "tid", "ts", id, "cat", "name", "args"}
        assert event["pid"] == 1 and isinstance(event["tid"], int) and event["tid"] > 0
        assert isinstance(event["ts"], float) and event["ts"] >= 0
        assert _id(event).isdecimal()
        assert set(event["args"]) == set(BEGIN_ARGS if event["ph"] in "Bb" else END_ARGS)
        assert all(isinstance(n, int) and n >= 0 for n in event["args"].values())
    return zones


def _id(event: Event) -> str:
    """Returns the number of its phase or system. The id of a shared turn must be local to its
    process; otherwise readers show it apart from all processes.
    """
    if event["ph"] in "BE":
        return str(event["id"])
    assert event["id2"].keys() == {"local"}
    return str(event["id2"]["local"])


def _ns(event: Event) -> int:
    return round(event["ts"] * NS_IN_US)


def _zone(begun: Event, ended: Event, depth: int) -> Zone:
    same = ("cat", "name")
    assert [begun[key] for key in same] == [ended[key] for key in same] and _id(begun) == _id(ended)
    assert begun["ts"] <= ended["ts"]
    args = [begun["args"][key] for key in BEGIN_ARGS] + [ended["args"][key] for key in END_ARGS]
    return Zone(
        ended["cat"], ended["name"], begun["tid"], begun["ph"] == "b", depth, _ns(begun),
        _ns(ended), tuple(args),
    )  # fmt: skip


def read_zones(path: Path) -> list[Zone]:
    """Reads the zones of a file in the order of their ends. All of them must have ended."""
    zones: list[Zone] = []
    stacks: dict[int, list[Event]] = {}
    shared: dict[tuple[str, str], Event] = {}
    last: dict[int, float] = {}
    for event in read_events(path):
        key = (str(event["cat"]), _id(event))
        stack = stacks.setdefault(event["tid"], [])
        if event["ph"] in "BE":
            assert last.get(event["tid"], 0.0) <= event["ts"]
            last[event["tid"]] = event["ts"]
        if event["ph"] == "B":
            assert (event["cat"] == "phase") <= (not stack)
            stack.append(event)
        elif event["ph"] == "E":
            begun = stack.pop()
            zones.append(_zone(begun, event, len(stack)))
        elif event["ph"] == "b":
            assert key not in shared
            shared[key] = event
        else:
            zones.append(_zone(shared.pop(key), event, 0))
    assert not shared and not any(stacks.values())
    return zones
